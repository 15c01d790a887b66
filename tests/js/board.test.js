import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { mount, render } from "../../book/touchbook/board/board.js";
import { Recorded } from "../../book/touchbook/board/recorded.js";
import { browser, change, click, made, memoryOf, Model, page, press, settle, text } from "./support.js";

const { states } = made.board;

beforeEach(() => browser());

/**
 * A board, woken unless it is `asleep`. Its Python answers, or fails, when it is told to: the oldest
 * question first.
 */
const board = async (options = {}) => {
  const figure = page(made.board.html).querySelector("figure");
  const asked = [];
  const open = [];
  const ask = (request) => new Promise((resolve, reject) => {
    asked.push(request);
    open.push({ resolve, reject });
  });
  const mounted = mount(figure, { name: "sticks" }, ask, options);
  const at = (selector) => figure.querySelector(selector);
  const action = (name) => at(`button[data-action="${name}"]`);
  const target = (name) => at(`[data-touch="${name}"]`);
  const answers = async (...given) => {
    for (const state of given) {
      await settle();
      open.shift().resolve(state);
      await settle();
    }
  };
  const fails = async (fault) => {
    await settle();
    open.shift().reject(fault);
    await settle();
  };
  if (!options.asleep) {
    mounted.request({ do: "look" });
    await answers(states.start);
    asked.length = 0;
  }
  return {
    ...mounted, figure, at, action, target, answers, fails,
    /** What Python was asked, such as "touch 3". */
    requests: () => asked.map((one) => [one.do, one.name].filter(Boolean).join(" ")),
    asked,
    /** Press a button of the frame or a place of the game, and be answered. */
    async press(name, ...given) {
      click(action(name) ?? target(name));
      await answers(...given);
    },
    state: () => figure.dataset.state,
    says: () => text(at(".board-say")),
    complaint: () => (at(".board-wrong").hidden ? "" : at(".board-wrong").textContent),
    isHidden: (...names) => names.map((name) => action(name).hidden),
  };
};

describe("a board that sleeps", () => {
  const sleeping = () => board({ asleep: "Play here", memory: memoryOf() });

  test("has one button, which wakes it and gives its focus to the picture", async () => {
    const there = await sleeping();
    const { figure, action, at } = there;
    const shown = [...figure.querySelectorAll("button")].filter((one) => !one.closest("[hidden]"));
    expect([there.state(), shown.map(text)]).toEqual(["asleep", ["Play here"]]);
    await there.press("1");
    expect([there.complaint(), there.requests()]).toEqual(["Press “Play here” first.", []]);
    action("play").focus();
    await there.press("play");
    await settle();
    expect([there.requests(), figure.dataset.busy]).toEqual([["look"], "true"]);
    await there.answers(states.start);
    expect([there.state(), figure.dataset.busy, there.isHidden("play")]).toEqual(["ready", undefined, [true]]);
    expect(document.activeElement).toBe(there.target("1"));
    expect(at(".board-keep").hidden).toBe(false);
  });

  test("leaves the focus to whoever has it", async () => {
    const { at, press: presses, answers } = await sleeping();
    await presses("play");
    at("summary").focus();
    await answers(states.start);
    expect(document.activeElement).toBe(at("summary"));
  });
});

describe("a recorded run", () => {
  /** Of each run, by its touches, what is said. */
  const recordedOf = (says, more = {}) => new Recorded(Object.fromEntries(
    Object.entries(says).map(([run, say]) => [run, { ...states.start, ...more, say, recorded: true }])));
  const run = () => recordedOf({ "": "start", a: "one", "a a": "two", b: "other" }, { undoes: true });
  const asked = (name) => (["undo", "think", "stop"].includes(name) ? { do: name } : { do: "touch", name });
  const again = "From the start again.";

  test.each([
    ["goes on, says where it ends, is taken back and left for another", run(), [
      ["a", "one"], ["a", "two"], ["a", "two"], ["undo", "one"], ["b", `${again} other`],
      ["a", `${again} one`], ["c", "one"], ["undo", "start"]]],
    ["puts a touch in the place of the last, or begins with it, and does not stand still",
      recordedOf({ "": "start", a: "open", "a b": "b open", "a c": "c open", b: "b" }), [
        ["a", "open"], ["b", "b open"], ["c", "c open"], ["b", "b open"], ["b", `${again} b`]]],
    ["goes on from where it stands as another run does, before it puts a touch in the place of the last",
      recordedOf({ "": "start", a: "a", b: "b", "a b": "a to b", "a c": "a to c", "b a": "b to a",
        "a b a": "b to a", "b a c": "a to c" }), [
        ["a", "a"], ["b", "a to b"], ["a", "b to a"], ["c", "a to c"]]],
    ["thinks again and again, and is taken back to where that began",
      recordedOf({ "": "start", think: "half", "think think": "done", a: "one" }), [
        ["think", "half"], ["think", "done"], ["think", "half"], ["stop", "half"], ["undo", "start"],
        ["a", "one"], ["think", "one"]]],
  ])("%s", (_what, recorded, steps) => {
    expect(recorded.state).toMatchObject({ say: "start", can_undo: false });
    expect(steps.map(([name]) => [name, recorded.answer(asked(name)).say])).toEqual(steps);
  });

  test("says that it needs Python, and whether it thinks on", () => {
    const recorded = recordedOf({ "": "start", think: "half", "think think": "done" }, { thinking: true });
    expect(recorded.answer({ do: "touch", name: "a" }).wrong).toContain("Play here");
    const thinks = ["think", "think", "think", "stop"].map((what) => recorded.answer({ do: what }).thinking);
    expect(thinks).toEqual([true, false, true, false]);
  });

  test("knows which views were touched, for the Python that wakes", () => {
    const recorded = recordedOf({ "": "", "show-seat": "", "show-seat a": "" });
    for (const name of ["show-seat", "a"]) recorded.answer({ do: "touch", name });
    expect(recorded.opened).toEqual(["seat"]);
  });

  test("takes back one by one what was played while thinking", () => {
    const of = (say, text) => ({ ...states.start, say, text, thinking: true });
    const recorded = new Recorded({
      "": of("start", "0"), think: of("one", "1"), "think think": of("two", "1 1"),
    });
    const says = ["think", "think", "undo", "undo"].map((what) => recorded.answer({ do: what }).say);
    expect(says).toEqual(["one", "two", "one", "start"]);
  });

  test("leaves Python asleep and the kept game alone, until it is played", async () => {
    const memory = memoryOf("mine");
    const there = await board({ asleep: "Play here", memory });
    there.draw(run().state);
    expect([there.state(), ...there.isHidden("play", "new")]).toEqual(["asleep", false, true]);
    expect([there.at(".board-keep").hidden, memory.get()]).toEqual([true, "mine"]);
    there.request({ do: "look" });
    await there.answers(states.start);
    expect([there.state(), ...there.isHidden("play", "new")]).toEqual(["ready", true, false]);
    expect(memory.get()).toBe(states.start.text);
  });
});

describe("a board", () => {
  test("shows what Python says", async () => {
    const { figure, at, action, says, complaint, isHidden } = await board({ memory: memoryOf() });
    expect([text(at(".board-title")), says(), complaint()]).toEqual(["Sticks", "7 left.", ""]);
    expect(isHidden("undo", "new", "think", "stop")).toEqual([false, false, false, true]);
    expect([text(action("new")), text(action("think"))]).toEqual(["New sticks", "What now?"]);
    expect(action("undo").getAttribute("aria-disabled")).toBe("true");
    expect([...figure.querySelectorAll(".board-views button")].map((one) =>
      [one.dataset.touch, text(one), one.getAttribute("aria-pressed")]))
      .toEqual([["show-count", "Count", "false"], ["show-odd", "Odd", "false"]]);
    expect(text(at(".board-more"))).toBe("PassMode CalmWild");
    expect(text(at(".board-seed")))
      .toBe("Seed 0. Link to this game’s start · Link to the game as it stands");
    const links = [...figure.querySelectorAll(".board-seed a")].map((a) => a.getAttribute("href"));
    expect(links[0]).toBe("#board-sticks?seed=0");
    expect(new URLSearchParams(links[1].split("?")[1]).get("game")).toBe(states.start.text);
  });

  test("asks Python what a touch does, keeps the game, and says why a touch was refused", async () => {
    const memory = memoryOf();
    const there = await board({ memory });
    expect(memory.text).toBe(states.start.text);
    await there.press("3", states.taken);
    expect([there.says(), memory.text]).toEqual(["4 left.", states.taken.text]);
    expect(there.action("undo").getAttribute("aria-disabled")).toBe("false");
    press(there.target("1"), "Enter");
    await there.answers(states.wrong);
    expect(there.complaint()).toEqual(states.wrong.wrong);
    await there.press("2", states.none);
    expect(there.complaint()).toEqual("");
    expect(there.requests()).toEqual(["touch 3", "touch 1", "touch 2"]);
  });

  test("has buttons and choices of its own, and marks those that hold", async () => {
    const there = await board();
    const { at, target } = there;
    await there.press("undo"); // there is nothing to take back
    await there.press("pass", states.start);
    at("select").value = "wild";
    change(at("select"), "change");
    await there.answers(states.wild);
    await there.press("show-count", states.low);
    expect(["show-count", "show-odd"].map((name) => target(name).getAttribute("aria-pressed")))
      .toEqual(["true", "false"]);
    expect(at("select").value).toBe("wild");
    await there.press("undo", states.undone);
    await there.press("new", states.fresh);
    expect(there.requests()).toEqual(["touch pass", "touch wild", "touch show-count", "undo", "new"]);
    expect(text(at(".board-seed"))).toBe("Seed 1."); // no link: nothing is kept in an address here
  });

  test("asks one thing at a time, in order, and is busy until all is answered", async () => {
    const { figure, press: presses, requests, answers } = await board();
    for (const name of ["1", "2", "new"]) await presses(name);
    await settle();
    expect(requests()).toEqual(["touch 1"]);
    const seen = new MutationObserver(() => {});
    seen.observe(figure, { attributes: true, attributeFilter: ["data-busy"] });
    await answers(states.taken);
    expect(requests()).toEqual(["touch 1", "touch 2"]);
    await answers(states.low);
    expect([seen.takeRecords(), figure.dataset.busy]).toEqual([[], "true"]); // never idle between two
    seen.disconnect();
    await answers(states.fresh);
    expect([requests().length, figure.dataset.busy]).toEqual([3, undefined]);
  });

  test("says a fault, and goes on", async () => {
    const there = await board();
    await there.press("1");
    await there.fails(new Error("KeyError: <b>"));
    expect([there.complaint(), there.figure.dataset.busy]).toEqual(["KeyError: <b>", undefined]);
    await there.press("3", states.taken);
    expect([there.says(), there.complaint()]).toEqual(["4 left.", ""]);
  });
});

describe("the focus", () => {
  test("stays on a button or a list, also on one that is made anew, or goes to the picture", async () => {
    const { target, answers, press: presses } = await board();
    expect(document.activeElement).toBe(document.body); // a kernel's board takes it from nobody
    for (const name of ["pass", "show-odd", "Mode"]) {
      const before = target(name);
      before.focus();
      change(before, name === "Mode" ? "change" : "click");
      await answers(states.taken);
      expect([document.activeElement, target(name)]).toEqual([before, before]); // who types can go on
    }
    await presses("pass", { ...states.taken, buttons: [["pass", "Pass"], ["more", "More"]] });
    expect(document.activeElement).toBe(target("Mode"));
    target("pass").focus();
    await presses("pass", { ...states.taken, buttons: [] });
    expect(document.activeElement).toBe(target("1"));
  });

  test("leaves a control where it is when the picture above it grows", async () => {
    const { target, press: presses } = await board();
    const scrolls = vi.spyOn(window, "scrollBy").mockImplementation(() => {});
    target("show-odd").focus();
    const tops = [100, 500];
    vi.spyOn(Element.prototype, "getBoundingClientRect")
      .mockImplementation(() => ({ top: tops.length > 1 ? tops.shift() : tops[0] }));
    await presses("show-odd", states.taken);
    expect(scrolls.mock.calls).toEqual([[0, 400]]);
    vi.restoreAllMocks();
  });
});

test("a picture that has not changed is left as it is", async () => {
  const { target, press: presses, says } = await board();
  const before = target("1");
  await presses("pass", { ...states.start, say: "Passed." });
  expect(target("1")).toBe(before);
  expect(says()).toBe("Passed.");
});

describe("thinking", () => {
  test("draws the last picture alone within a second for who wants little motion", async () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    const { press: presses, answers, says } = await board();
    await presses("think", states.thinking, states.thinkingOn);
    expect(says()).toBe("7 left.");
    await answers(states.thought);
    expect(says()).toBe("7 left. Thought 2.");
  });

  test("goes on step by step until it is done", async () => {
    const there = await board();
    const { action, answers, at } = there;
    const stands = () => [there.state(), ...there.isHidden("think", "stop")];
    action("think").focus();
    await there.press("think", states.thinking);
    expect(stands()).toEqual(["thinking", true, false]);
    expect(document.activeElement).toBe(action("stop"));
    const bar = at('progress[aria-label="Progress"]');
    expect([bar.hidden, bar.value]).toEqual([false, 0]);
    const open = at("select");
    await answers(states.thinkingOn);
    expect(at("select")).toBe(open); // else it would close
    expect(bar.value).toBeCloseTo(1 / 3);
    await answers(states.thinkingLong);
    expect(bar.hasAttribute("value")).toBe(false);
    await answers(states.thought);
    expect(there.requests()).toEqual(Array(4).fill("think"));
    expect(there.says()).toBe("7 left. Thought 2.");
    expect([...stands(), bar.hidden]).toEqual(["ready", false, true, true]);
    expect(document.activeElement).toBe(action("think"));
  });

  test("goes on through a change of view, and ends with a move", async () => {
    const there = await board();
    await there.press("think", states.thinking);
    await there.press("show-count", states.thinkingOn, states.thinkingOn); // the second is the view
    await settle();
    expect([there.state(), there.requests().length]).toEqual(["thinking", 4]);
    await there.press("3", states.thinkingOn, states.taken);
    await settle();
    expect(there.requests()).toEqual(["think", "think", "touch show-count", "think", "touch 3"]);
    expect(there.state()).toBe("ready");
  });

  test("ends with a fault, of something else or its own", async () => {
    const there = await board();
    await there.press("think", states.thinking);
    await there.press("show-odd", states.thinkingOn);
    await there.fails(new Error("gone"));
    await there.answers(states.thinkingOn); // was asked for before the fault
    await settle();
    expect([there.state(), there.requests().length]).toEqual(["ready", 4]);
    await there.press("think");
    await there.fails(new Error("gone again"));
    expect([there.state(), there.complaint(), there.requests().length]).toEqual(["ready", "gone again", 5]);
    expect(document.activeElement).toBe(there.action("think"));
  });

  test("is not begun twice, ends with Stop, and can be begun again at once", async () => {
    const there = await board();
    await there.press("think");
    await there.press("think", states.thinking);
    await there.press("stop");
    await there.press("think", states.thought); // the last step of the first search
    expect(there.state()).toBe("thinking");
    await there.answers(states.start, states.thinking); // the stop, and the second search
    expect(there.state()).toBe("thinking");
    await there.answers(states.thought);
    await settle();
    expect(there.requests()).toEqual(["think", "think", "stop", "think", "think"]);
    await there.press("think", states.thinking);
    await there.press("stop", states.thinkingOn, states.thought);
    expect(there.requests().slice(5)).toEqual(["think", "think", "stop"]);
    expect(there.state()).toBe("ready");
    expect(document.activeElement).toBe(there.action("think"));
  });
});

describe("a game as text", () => {
  const field = (there) => there.at("textarea");
  const said = (there) => there.at(".board-kept").textContent;

  const copied = [];
  test.each([
    [{ clipboard: { writeText: async (one) => copied.push(one) } }, "The game is in the field, and copied."],
    [{}, "The game is in the field: copy it from there."],
  ])("is shown, and copied where the browser copies: %j", async (navigator, words) => {
    vi.stubGlobal("navigator", navigator);
    const there = await board();
    there.draw(states.low);
    await there.press("save");
    await settle();
    expect([field(there).value, said(there), copied])
      .toEqual([states.low.text, words, [states.low.text]]);
  });

  test("is loaded, or it is said why not", async () => {
    const there = await board();
    const heard = vi.fn(); // a shortcut of the page
    document.addEventListener("keydown", heard);
    press(field(there), "/");
    document.removeEventListener("keydown", heard);
    expect(heard).not.toHaveBeenCalled();
    field(there).value = states.low.text;
    await there.press("load", states.low);
    expect(there.asked).toEqual([{ do: "load", text: states.low.text }]);
    expect([said(there), there.says()]).toEqual(["Loaded.", "2 left."]);
    await there.press("load", states.unread);
    expect([said(there), there.complaint()]).toEqual(["", states.unread.wrong]);
  });
});

describe("in a kernel", () => {
  beforeEach(() => { vi.useFakeTimers(); });
  afterEach(() => { vi.useRealTimers(); });

  const shown = (model) => {
    const el = document.createElement("div");
    document.body.append(el);
    const leave = render({ model, el });
    return { el, leave, at: (selector) => el.querySelector(selector) };
  };
  const kernel = () => {
    page("");
    return new Model({ setup: { name: "sticks", html: made.board.html } });
  };
  const answer = async (model, what, at = -1) => {
    await settle();
    model.tell("msg:custom", { id: model.sent.at(at).id, ...what });
    await settle();
  };

  test("it asks how the board stands, and says when the kernel is silent or has failed", async () => {
    const model = kernel();
    const { at } = shown(model);
    await settle();
    expect(model.sent.map(({ request }) => request)).toEqual([{ do: "look" }]);
    vi.advanceTimersByTime(4999);
    expect(at(".board-wrong").hidden).toBe(true);
    vi.advanceTimersByTime(1);
    expect(at(".board-wrong").textContent).toContain("The kernel has not answered yet");
    await answer(model, { answer: states.start });
    click(at('svg [data-touch="3"]'));
    await answer(model, { answer: states.taken });
    vi.advanceTimersByTime(60_000);
    expect(at(".board-wrong").hidden).toBe(true);
    click(at('svg [data-touch="1"]'));
    await answer(model, { fault: "KeyError: 3" });
    vi.advanceTimersByTime(60_000);
    expect(at(".board-wrong").textContent).toBe("KeyError: 3");
  });

  test("it follows what another view of the board was answered", async () => {
    const model = kernel();
    const [first, second] = [shown(model), shown(model)];
    await answer(model, { answer: states.start }, 0);
    await answer(model, { answer: states.start }, 1);
    expect(first.at("figure").dataset.lmSuppressShortcuts).toBe("true");
    expect(new Set(model.sent.map(({ id }) => id)).size).toBe(2);
    click(first.at('svg [data-touch="3"]'));
    await answer(model, { answer: states.taken });
    expect([first, second].map(({ at }) => text(at(".board-say")))).toEqual(["4 left.", "4 left."]);
    await answer(model, { fault: "of the first", id: "another" });
    expect(second.at(".board-wrong").hidden).toBe(true);
    [first, second].forEach(({ leave }) => leave());
    expect(model.heard("msg:custom")).toEqual([]);
  });
});
