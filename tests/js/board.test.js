import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { mount, render } from "../../book/touchbook/board/board.js";
import { Recorded } from "../../book/touchbook/board/recorded.js";
import { browser, change, click, made, memoryOf, Model, page, press, settle, text } from "./support.js";

const { states } = made.board;

beforeEach(() => browser());

/** Python that answers, or fails, when it is told to; the oldest question first. */
const python = () => {
  const asked = [];
  const open = [];
  const oldest = async (how, what) => {
    await settle();
    open.shift()[how](what);
    await settle();
  };
  return {
    ask: (request) => new Promise((resolve, reject) => {
      asked.push(request);
      open.push({ resolve, reject });
    }),
    asked,
    requests: () => asked,
    answers: (state) => oldest("resolve", state),
    fails: (words) => oldest("reject", words),
  };
};

/** A board that has been woken. */
const board = async (options = {}, first = states.start) => {
  const figure = page(made.board.html).querySelector("figure");
  const there = python();
  const mounted = mount(figure, { name: "sticks" }, there.ask, options);
  const at = (selector) => figure.querySelector(selector);
  const action = (name) => at(`button[data-action=${name}]`);
  const target = (name) => at(`svg [data-touch="${name}"]`);
  if (first) {
    mounted.request({ do: "look" });
    await there.answers(first);
    there.asked.length = 0;
  }
  return { figure, ...there, ...mounted, at, action, target };
};

describe("a board that sleeps", () => {
  const sleeping = () => board({ asleep: "Play here", memory: memoryOf() }, null);

  test("has one button, which wakes it and gives its focus to the picture", async () => {
    const { figure, action, requests, answers, target, at } = await sleeping();
    expect(figure.dataset.state).toBe("asleep");
    const shown = [...figure.querySelectorAll("button")].filter((one) => !one.closest("[hidden]"));
    expect(shown.map(text)).toEqual(["Play here"]);
    click(target("1"));
    await settle();
    expect([at(".board-wrong").textContent, at(".board-wrong").hidden, requests()])
      .toEqual(["Press “Play here” first.", false, []]);
    action("play").focus();
    action("play").click();
    await settle();
    expect([requests(), figure.dataset.busy]).toEqual([[{ do: "look" }], "true"]);
    await answers(states.start);
    expect([figure.dataset.state, figure.dataset.busy]).toEqual(["ready", undefined]);
    expect(action("play").hidden).toBe(true);
    expect(document.activeElement).toBe(target("1"));
    expect(at(".board-keep").hidden).toBe(false);
  });

  test("leaves the focus to whoever has it", async () => {
    const { action, answers, at } = await sleeping();
    action("play").click();
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
    const { figure, action, at, draw, request, answers } = await board({ asleep: "Play here", memory }, null);
    draw(run().state);
    expect([figure.dataset.state, action("play").hidden, action("new").hidden])
      .toEqual(["asleep", false, true]);
    expect(at(".board-keep").hidden).toBe(true);
    expect(memory.get()).toBe("mine");
    request({ do: "look" });
    await answers(states.start);
    expect([figure.dataset.state, action("play").hidden, action("new").hidden])
      .toEqual(["ready", true, false]);
    expect(memory.get()).toBe(states.start.text);
  });
});

describe("a board", () => {
  test("shows what Python says", async () => {
    const { figure, at, action } = await board({ memory: memoryOf() });
    expect([text(at(".board-title")), text(at(".board-say"))]).toEqual(["Sticks", "7 left."]);
    expect(["undo", "new", "think", "stop"].map((name) => action(name).hidden))
      .toEqual([false, false, false, true]);
    expect([text(action("new")), text(action("think"))]).toEqual(["New sticks", "What now?"]);
    expect(action("undo").getAttribute("aria-disabled")).toBe("true");
    expect([...figure.querySelectorAll(".board-views button")].map((one) =>
      [one.dataset.touch, text(one), one.getAttribute("aria-pressed")]))
      .toEqual([["show-count", "Count", "false"], ["show-odd", "Odd", "false"]]);
    expect(text(at(".board-more [data-touch=pass]"))).toBe("Pass");
    expect(text(at(".board-more label"))).toBe("Mode CalmWild");
    expect(at("select").value).toBe("calm");
    expect(text(at(".board-seed")))
      .toBe("Seed 0. Link to this game’s start · Link to the game as it stands");
    const links = [...figure.querySelectorAll(".board-seed a")].map((a) => a.getAttribute("href"));
    expect(links[0]).toBe("#board-sticks?seed=0");
    expect(new URLSearchParams(links[1].split("?")[1]).get("game")).toBe(states.start.text);
    expect(at(".board-wrong").hidden).toBe(true);
  });

  test("asks Python what a touch does, keeps the game, and says why a touch was refused", async () => {
    const memory = memoryOf();
    const { target, requests, answers, at, action } = await board({ memory });
    expect(memory.text).toBe(states.start.text);
    click(target("3"));
    await answers(states.taken);
    expect(text(at(".board-say"))).toBe("4 left.");
    expect(memory.text).toBe(states.taken.text);
    expect(action("undo").getAttribute("aria-disabled")).toBe("false");
    press(target("1"), "Enter");
    await answers(states.wrong);
    expect([at(".board-wrong").textContent, at(".board-wrong").hidden])
      .toEqual([states.wrong.wrong, false]);
    click(target("2"));
    await answers(states.none);
    expect([at(".board-wrong").textContent, at(".board-wrong").hidden]).toEqual(["", true]);
    expect(requests()).toEqual(["3", "1", "2"].map((name) => ({ do: "touch", name })));
  });

  test("has buttons and choices of its own, and marks those that hold", async () => {
    const { figure, at, action, requests, answers } = await board();
    action("undo").click(); // there is nothing to take back
    at("[data-touch=pass]").click();
    await answers(states.start);
    at("select").value = "wild";
    change(at("select"), "change");
    await answers(states.wild);
    at('[data-touch="show-count"]').click();
    await answers(states.low);
    expect(at('[data-touch="show-count"]').getAttribute("aria-pressed")).toBe("true");
    expect(at('[data-touch="show-odd"]').getAttribute("aria-pressed")).toBe("false");
    expect(at("select").value).toBe("wild");
    action("undo").click();
    await answers(states.undone);
    action("new").click();
    await answers(states.fresh);
    expect(requests()).toEqual([
      { do: "touch", name: "pass" }, { do: "touch", name: "wild" },
      { do: "touch", name: "show-count" }, { do: "undo" }, { do: "new" },
    ]);
    expect(text(at(".board-seed"))).toBe("Seed 1."); // no link: nothing is kept in an address here
    expect(figure.dataset.state).toBe("ready");
  });

  test("asks one thing at a time, in order, and is busy until all is answered", async () => {
    const { figure, target, action, requests, answers } = await board();
    click(target("1"));
    click(target("2"));
    action("new").click();
    await settle();
    expect(requests()).toEqual([{ do: "touch", name: "1" }]);
    const seen = new MutationObserver(() => {});
    seen.observe(figure, { attributes: true, attributeFilter: ["data-busy"] });
    await answers(states.taken);
    expect(requests()).toEqual([{ do: "touch", name: "1" }, { do: "touch", name: "2" }]);
    await answers(states.low);
    expect(seen.takeRecords()).toEqual([]); // never idle between two
    seen.disconnect();
    expect(figure.dataset.busy).toBe("true");
    await answers(states.fresh);
    expect(requests().length).toBe(3);
    expect(figure.dataset.busy).toBeUndefined();
  });

  test("says a fault, and goes on", async () => {
    const { figure, target, at, fails, answers } = await board();
    click(target("1"));
    await fails(new Error("KeyError: <b>"));
    expect([at(".board-wrong").textContent, figure.dataset.busy]).toEqual(["KeyError: <b>", undefined]);
    click(target("3"));
    await answers(states.taken);
    expect([text(at(".board-say")), at(".board-wrong").hidden]).toEqual(["4 left.", true]);
  });
});

describe("the focus", () => {
  test("stays on a button or a choice that is made anew, or goes to the picture", async () => {
    const { at, answers, target } = await board();
    expect(document.activeElement).toBe(document.body); // a kernel's board takes it from nobody
    for (const name of ["pass", "show-odd", "Mode"]) {
      const before = at(`[data-touch="${name}"]`);
      before.focus();
      if (name === "Mode") change(before, "change");
      else before.click();
      await answers(states.taken);
      expect(before.isConnected).toBe(false);
      expect(document.activeElement).toBe(at(`[data-touch="${name}"]`));
    }
    at("[data-touch=pass]").focus();
    at("[data-touch=pass]").click();
    await answers({ ...states.taken, buttons: [] });
    expect(document.activeElement).toBe(target("1"));
  });
});

test("a control that is pressed stays where it is when the picture above it grows", async () => {
  const { at, answers } = await board();
  const button = at("[data-touch=show-odd]");
  const scrolls = vi.spyOn(window, "scrollBy").mockImplementation(() => {});
  button.focus();
  const tops = [100, 500];
  vi.spyOn(Element.prototype, "getBoundingClientRect")
    .mockImplementation(() => ({ top: tops.length > 1 ? tops.shift() : tops[0] }));
  button.click();
  await answers(states.taken);
  expect(scrolls.mock.calls).toEqual([[0, 400]]);
  vi.restoreAllMocks();
});

test("a picture that has not changed is left as it is", async () => {
  const { target, answers, at } = await board();
  const before = target("1");
  at("[data-touch=pass]").click();
  await answers({ ...states.start, say: "Passed." });
  expect(target("1")).toBe(before);
  expect(text(at(".board-say"))).toBe("Passed.");
});

describe("thinking", () => {
  test("draws the last picture alone within a second for who wants little motion", async () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    const { at, action, answers } = await board();
    action("think").click();
    await answers(states.thinking);
    await answers(states.thinkingOn);
    expect(text(at(".board-say"))).toBe("7 left.");
    await answers(states.thought);
    expect(text(at(".board-say"))).toBe("7 left. Thought 2.");
  });

  test("goes on step by step until it is done", async () => {
    const { figure, action, requests, answers, at } = await board();
    action("think").focus();
    action("think").click();
    await answers(states.thinking);
    expect([figure.dataset.state, action("think").hidden, action("stop").hidden])
      .toEqual(["thinking", true, false]);
    expect(document.activeElement).toBe(action("stop"));
    const bar = figure.querySelector('progress[aria-label="Progress"]');
    expect([bar.hidden, bar.value]).toEqual([false, 0]);
    const open = at("select");
    await answers(states.thinkingOn);
    expect(at("select")).toBe(open); // else it would close
    expect(bar.value).toBeCloseTo(1 / 3);
    await answers(states.thinkingLong);
    expect(bar.hasAttribute("value")).toBe(false);
    await answers(states.thought);
    expect(requests()).toEqual(Array(4).fill({ do: "think" }));
    expect(text(at(".board-say"))).toBe("7 left. Thought 2.");
    expect([figure.dataset.state, action("think").hidden, action("stop").hidden, bar.hidden])
      .toEqual(["ready", false, true, true]);
    expect(document.activeElement).toBe(action("think"));
  });

  test("goes on through a change of view, and ends with a move", async () => {
    const { figure, at, action, target, requests, answers } = await board();
    action("think").click();
    await answers(states.thinking);
    at('[data-touch="show-count"]').click();
    await answers(states.thinkingOn);
    await answers(states.thinkingOn); // the view
    await settle();
    expect([figure.dataset.state, requests().length]).toEqual(["thinking", 4]);
    click(target("3"));
    await answers(states.thinkingOn);
    await answers(states.taken);
    await settle();
    expect(requests().map((one) => one.do)).toEqual(["think", "think", "touch", "think", "touch"]);
    expect(figure.dataset.state).toBe("ready");
  });

  test("ends with a fault, of something else or its own", async () => {
    const { figure, action, at, requests, answers, fails } = await board();
    action("think").click();
    await answers(states.thinking);
    at('[data-touch="show-odd"]').click();
    await answers(states.thinkingOn);
    await fails(new Error("gone"));
    await answers(states.thinkingOn); // was asked for before the fault
    await settle();
    expect([figure.dataset.state, requests().map((one) => one.do)])
      .toEqual(["ready", ["think", "think", "touch", "think"]]);
    action("think").click();
    await fails(new Error("gone again"));
    expect([figure.dataset.state, at(".board-wrong").textContent, requests().length])
      .toEqual(["ready", "gone again", 5]);
    expect(document.activeElement).toBe(action("think"));
  });

  test("is not begun twice, ends with Stop, and can be begun again at once", async () => {
    const { action, requests, answers, figure } = await board();
    action("think").click();
    action("think").click();
    await answers(states.thinking);
    action("stop").click();
    action("think").click();
    await answers(states.thought); // the last step of the first search
    expect(figure.dataset.state).toBe("thinking");
    await answers(states.start); // the stop
    await answers(states.thinking);
    expect(figure.dataset.state).toBe("thinking");
    await answers(states.thought);
    await settle();
    expect(requests().map((one) => one.do)).toEqual(["think", "think", "stop", "think", "think"]);
    action("think").click();
    await answers(states.thinking);
    action("stop").click();
    await answers(states.thinkingOn);
    await answers(states.thought);
    expect(requests().slice(5).map((one) => one.do)).toEqual(["think", "think", "stop"]);
    expect(figure.dataset.state).toBe("ready");
    expect(document.activeElement).toBe(action("think"));
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
    const there = await board({}, states.low);
    there.action("save").click();
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
    const load = (value) => {
      field(there).value = value;
      there.action("load").click();
    };
    load(states.low.text);
    await there.answers(states.low);
    expect(there.requests()).toEqual([{ do: "load", text: states.low.text }]);
    expect([said(there), text(there.at(".board-say"))]).toEqual(["Loaded.", "2 left."]);
    load("x");
    await there.answers(states.unread);
    expect([said(there), there.at(".board-wrong").textContent]).toEqual(["", states.unread.wrong]);
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

  test("it asks how the board stands, and then what a touch does", async () => {
    const model = kernel();
    const { at } = shown(model);
    await settle();
    expect(model.sent.map(({ request }) => request)).toEqual([{ do: "look" }]);
    await answer(model, { answer: states.start });
    expect(at("figure").dataset.state).toBe("ready");
    expect(at("figure").dataset.lmSuppressShortcuts).toBe("true");
    expect(at(".board-seed a")).toBeNull();
    click(at('svg [data-touch="3"]'));
    await answer(model, { answer: states.taken });
    expect(model.sent.at(-1).request).toEqual({ do: "touch", name: "3" });
    expect(text(at(".board-say"))).toBe("4 left.");
    expect(new Set(model.sent.map(({ id }) => id)).size).toBe(2);
    click(at('svg [data-touch="3"]'));
    await answer(model, { fault: "KeyError: 3" });
    vi.advanceTimersByTime(60_000);
    expect(at(".board-wrong").textContent).toBe("KeyError: 3");
  });

  test("it says when the kernel is silent, and takes it back", async () => {
    const model = kernel();
    const { at } = shown(model);
    await settle();
    vi.advanceTimersByTime(4999);
    expect(at(".board-wrong").hidden).toBe(true);
    vi.advanceTimersByTime(1);
    expect(at(".board-wrong").textContent).toContain("The kernel has not answered yet");
    await answer(model, { answer: states.start });
    expect(at(".board-wrong").hidden).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(at(".board-wrong").hidden).toBe(true);
  });

  test("it follows what another view of the board was answered", async () => {
    const model = kernel();
    const [first, second] = [shown(model), shown(model)];
    await answer(model, { answer: states.start }, 0);
    await answer(model, { answer: states.start }, 1);
    click(first.at('svg [data-touch="3"]'));
    await answer(model, { answer: states.taken });
    expect([first, second].map(({ at }) => text(at(".board-say")))).toEqual(["4 left.", "4 left."]);
    await answer(model, { fault: "of the first", id: "another" });
    expect(second.at(".board-wrong").hidden).toBe(true);
  });

  test("a view that has gone listens no more", () => {
    const model = kernel();
    shown(model).leave();
    expect(model.heard("msg:custom")).toEqual([]);
  });
});
