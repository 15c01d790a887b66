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

  test("has one button", async () => {
    const { figure, action } = await sleeping();
    expect(figure.dataset.state).toBe("asleep");
    const shown = [...figure.querySelectorAll("button")].filter((one) => !one.closest("[hidden]"));
    expect(shown.map(text)).toEqual(["Play here"]);
    expect(action("play").hidden).toBe(false);
  });

  test("says what to press when it is touched", async () => {
    const { target, at, asked } = await sleeping();
    click(target("1"));
    await settle();
    expect([at(".board-wrong").textContent, asked]).toEqual(["Press “Play here” first.", []]);
    expect(at(".board-wrong").hidden).toBe(false);
  });

  test("wakes, and gives the button's focus to the picture", async () => {
    const { figure, action, requests, answers, target, at } = await sleeping();
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
    const { action, answers, figure } = await sleeping();
    action("play").click();
    const elsewhere = figure.querySelector("summary");
    elsewhere.focus();
    await answers(states.start);
    expect(document.activeElement).toBe(elsewhere);
  });
});

describe("a recorded run", () => {
  const run = () => {
    const of = (say) => ({ ...states.start, say, recorded: true, can_undo: true, undoes: true });
    return new Recorded({ "": of("start"), a: of("one"), "a a": of("two"), b: of("other") });
  };

  test("goes on, is taken back, and is left for another", () => {
    const recorded = run();
    const says = (request) => recorded.answer(request).say;
    expect(recorded.state).toMatchObject({ say: "start", can_undo: false });
    expect(["a", "a"].map((name) => says({ do: "touch", name }))).toEqual(["one", "two"]);
    expect(says({ do: "undo" })).toBe("one");
    expect(says({ do: "touch", name: "b" })).toBe("other");
    expect(says({ do: "touch", name: "a" })).toBe("one");
  });

  test("puts a touch in the place of the last, or begins with it, and does not stand still", () => {
    const of = (say) => ({ ...states.start, say, recorded: true });
    const recorded = new Recorded({
      "": of("start"), a: of("open"), "a b": of("b open"), "a c": of("c open"), b: of("b"),
    });
    const says = (name) => recorded.answer({ do: "touch", name }).say;
    expect(["a", "b", "c", "b"].map(says)).toEqual(["open", "b open", "c open", "b open"]);
    expect(says("b")).toBe("From the start again. b");
  });

  test("does not begin anew at the end of a step that is made again and again", () => {
    const recorded = run();
    const says = ["a", "a", "a"].map((name) => recorded.answer({ do: "touch", name }).say);
    expect(says).toEqual(["one", "two", "two"]);
    expect(recorded.answer({ do: "touch", name: "a" }).wrong).toContain("Play here");
  });

  test("thinks again and again, and is taken back to where that began", () => {
    const of = (say, thinking = true) => ({ ...states.start, say, thinking, recorded: true });
    const recorded = new Recorded({
      "": of("start", false), think: of("half"), "think think": of("done", false),
      "think think think": of("more"), a: of("one", false),
    });
    const think = () => {
      const { say, thinking } = recorded.answer({ do: "think" });
      return [say, thinking];
    };
    expect([1, 2, 3, 4].map(think))
      .toEqual([["half", true], ["done", false], ["more", false], ["half", true]]);
    expect(recorded.answer({ do: "stop" })).toMatchObject({ say: "half", thinking: false });
    expect(recorded.answer({ do: "undo" }).say).toBe("start");
    expect(recorded.answer({ do: "touch", name: "a" })).toMatchObject({ say: "one", thinks: "" });
    expect(think()).toEqual(["one", false]);
  });

  test("takes back one by one what was played while thinking", () => {
    const of = (say, text) => ({ ...states.start, say, text, thinking: true, recorded: true });
    const recorded = new Recorded({
      "": of("start", "0"), think: of("one", "1"), "think think": of("two", "1 1"),
    });
    recorded.answer({ do: "think" });
    recorded.answer({ do: "think" });
    expect([1, 2].map(() => recorded.answer({ do: "undo" }).say)).toEqual(["one", "start"]);
  });

  test("says where it ends", () => {
    const recorded = run();
    expect(recorded.answer({ do: "touch", name: "c" })).toMatchObject({ say: "start" });
    expect(recorded.answer({ do: "touch", name: "c" }).wrong).toContain("Play here");
    expect(recorded.answer({ do: "undo" }).wrong).toBe(states.start.wrong);
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
    const { figure, at, action, target } = await board({ memory: memoryOf() });
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
    expect(at(".board-say").getAttribute("aria-live")).toBe("polite");
    expect(target("3")).not.toBeNull();
  });

  test("asks Python what a touch does, and keeps the game", async () => {
    const memory = memoryOf();
    const { target, requests, answers, at, action } = await board({ memory });
    expect(memory.text).toBe(states.start.text);
    click(target("3"));
    await answers(states.taken);
    expect(requests()).toEqual([{ do: "touch", name: "3" }]);
    expect(text(at(".board-say"))).toBe("4 left.");
    expect(memory.text).toBe(states.taken.text);
    expect(action("undo").getAttribute("aria-disabled")).toBe("false");
    press(target("1"), "Enter");
    await settle();
    expect(requests().at(-1)).toEqual({ do: "touch", name: "1" });
  });

  test("says why a touch was refused, until the next", async () => {
    const { target, answers, at } = await board();
    click(target("3"));
    await answers(states.wrong);
    expect([at(".board-wrong").textContent, at(".board-wrong").hidden])
      .toEqual([states.wrong.wrong, false]);
    click(target("2"));
    await answers(states.none);
    expect([at(".board-wrong").textContent, at(".board-wrong").hidden]).toEqual(["", true]);
  });

  test("has buttons and choices of its own", async () => {
    const { figure, at, action, requests, answers } = await board();
    at("[data-touch=pass]").click();
    await answers(states.start);
    at("select").value = "wild";
    change(at("select"), "change");
    await answers(states.wild);
    at('[data-touch="show-count"]').click();
    await answers(states.low);
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

  test("takes nothing back where there is nothing", async () => {
    const { action, requests } = await board();
    action("undo").click();
    await settle();
    expect(requests()).toEqual([]);
  });

  test("marks the views that are open and the choice that holds", async () => {
    const { at } = await board({}, states.low);
    expect(at('[data-touch="show-count"]').getAttribute("aria-pressed")).toBe("true");
    expect(at('[data-touch="show-odd"]').getAttribute("aria-pressed")).toBe("false");
    expect(at("select").value).toBe("wild");
  });

  test("asks one thing at a time, in order", async () => {
    const { figure, target, action, requests, answers } = await board();
    click(target("1"));
    click(target("2"));
    action("new").click();
    await settle();
    expect(requests()).toEqual([{ do: "touch", name: "1" }]);
    await answers(states.taken);
    expect(requests()).toEqual([{ do: "touch", name: "1" }, { do: "touch", name: "2" }]);
    expect(figure.dataset.busy).toBe("true");
    await answers(states.low);
    await answers(states.fresh);
    expect(requests().length).toBe(3);
    expect(figure.dataset.busy).toBeUndefined();
  });

  test("is busy until all that was asked is answered", async () => {
    const { figure, target, answers } = await board();
    const seen = new MutationObserver(() => {});
    seen.observe(figure, { attributes: true, attributeFilter: ["data-busy"] });
    click(target("1"));
    click(target("2"));
    await answers(states.taken);
    expect(seen.takeRecords().length).toBeLessThan(3); // never idle between the two
    seen.disconnect();
    await answers(states.low);
    expect(figure.dataset.busy).toBeUndefined();
  });

  test("says a fault, and goes on", async () => {
    const { figure, target, at, fails, answers } = await board();
    click(target("1"));
    await fails(new Error("KeyError: <b>"));
    expect([at(".board-wrong").textContent, figure.dataset.busy]).toEqual(["KeyError: <b>", undefined]);
    click(target("1"));
    await fails("no kernel");
    expect(at(".board-wrong").textContent).toBe("no kernel");
    click(target("3"));
    await answers(states.taken);
    expect([text(at(".board-say")), at(".board-wrong").hidden]).toEqual(["4 left.", true]);
  });
});

describe("the focus", () => {
  test("stays in the picture through a redraw", async () => {
    const { target, answers } = await board();
    click(target("2"));
    expect(document.activeElement).toBe(target("2"));
    const before = target("2");
    await answers(states.taken);
    expect(target("2")).not.toBe(before);
    expect(document.activeElement).toBe(target("2"));
  });

  test("stays on a button or a choice of the board that is made anew", async () => {
    const { at, answers } = await board();
    for (const name of ["pass", "show-odd", "Mode"]) {
      const before = at(`[data-touch="${name}"]`);
      before.focus();
      if (name === "Mode") change(before, "change");
      else before.click();
      await answers(states.taken);
      expect(before.isConnected).toBe(false);
      expect(document.activeElement).toBe(at(`[data-touch="${name}"]`));
    }
  });

  test("goes to the picture when its button is there no more", async () => {
    const { at, target, answers } = await board();
    at("[data-touch=pass]").focus();
    at("[data-touch=pass]").click();
    await answers({ ...states.taken, buttons: [] });
    expect(document.activeElement).toBe(target("1"));
  });

  test("draws a ring around its target", async () => {
    const { at, target } = await board();
    target("2").focus();
    target("2").dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
    const isSeen = target("2").matches(":focus-visible"); // as far as jsdom knows
    expect(at(".board-focus")?.hidden ?? true).toBe(!isSeen);
    target("2").blur();
    target("2").dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
    expect(at(".board-focus")?.hidden ?? true).toBe(true);
  });

  test("is not taken by a board that a kernel shows", async () => {
    await board();
    expect(document.activeElement).toBe(document.body);
  });
});

test("a picture that has not changed is left as it is", async () => {
  const { target, answers, at, view } = await board();
  const before = target("1");
  at("[data-touch=pass]").click();
  await answers({ ...states.start, say: "Passed." });
  expect(target("1")).toBe(before);
  expect(text(at(".board-say"))).toBe("Passed.");
  expect(view.state.say).toBe("Passed.");
});

describe("thinking", () => {
  test("draws a picture a second for who wants little motion, and the last", async () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    const { at, action, answers } = await board();
    action("think").click();
    const said = [];
    for (const state of [states.thinking, states.thinkingOn, states.thinkingLong, states.thought]) {
      await answers(state);
      said.push(text(at(".board-say")));
    }
    expect(said).toEqual(["7 left.", "7 left.", "7 left.", "7 left. Thought 2."]);
    vi.unstubAllGlobals();
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
    await answers(states.thinkingOn);
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

  test("ends with Stop", async () => {
    const { figure, action, requests, answers } = await board();
    action("think").click();
    await answers(states.thinking);
    action("stop").click();
    await answers(states.thinkingOn);
    await answers(states.thought);
    expect(requests()).toEqual([{ do: "think" }, { do: "think" }, { do: "stop" }]);
    expect(figure.dataset.state).toBe("ready");
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

  test("ends with a fault", async () => {
    const { figure, action, at, requests, fails } = await board();
    action("think").click();
    await fails(new Error("gone"));
    expect([figure.dataset.state, at(".board-wrong").textContent, requests().length])
      .toEqual(["ready", "gone", 1]);
    expect(document.activeElement).toBe(action("think"));
  });

  test("ends with a fault of something else", async () => {
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
  });

  test("is not begun twice by an impatient reader", async () => {
    const { action, requests, answers } = await board();
    action("think").click();
    action("think").click();
    await answers(states.thinking);
    await answers(states.thought);
    await settle();
    expect(requests().length).toBe(2);
  });

  test("can be begun again as soon as it was stopped", async () => {
    const { action, requests, answers, figure } = await board();
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
    expect(figure.dataset.state).toBe("ready");
  });
});

describe("a game as text", () => {
  const field = (there) => there.at("textarea");
  const said = (there) => there.at(".board-kept").textContent;

  test("is shown and copied", async () => {
    const copied = [];
    vi.stubGlobal("navigator", { clipboard: { writeText: async (one) => copied.push(one) } });
    const there = await board({}, states.low);
    there.action("save").click();
    await settle();
    expect([field(there).value, copied]).toEqual([states.low.text, [states.low.text]]);
    expect(said(there)).toBe("The game is in the field, and copied.");
  });

  test("is shown where the browser copies nothing", async () => {
    vi.stubGlobal("navigator", {});
    const there = await board({}, states.low);
    there.action("save").click();
    await settle();
    expect([field(there).value, said(there)])
      .toEqual([states.low.text, "The game is in the field: copy it from there."]);
  });

  test("is loaded", async () => {
    const there = await board();
    field(there).value = states.low.text;
    there.action("load").click();
    await there.answers(states.low);
    expect(there.requests()).toEqual([{ do: "load", text: states.low.text }]);
    expect([said(there), text(there.at(".board-say"))]).toEqual(["Loaded.", "2 left."]);
  });

  test("that is none is refused", async () => {
    const there = await board();
    field(there).value = "x";
    there.action("load").click();
    await there.answers(states.unread);
    expect([said(there), there.at(".board-wrong").textContent]).toEqual(["", states.unread.wrong]);
  });

  test("is not said to be loaded when Python fails", async () => {
    const there = await board();
    there.action("load").click();
    await there.fails(new Error("gone"));
    expect([said(there), there.at(".board-wrong").textContent]).toEqual(["", "gone"]);
  });

  test("what is typed is for no shortcut of the page", async () => {
    const there = await board();
    const heard = vi.fn();
    document.addEventListener("keydown", heard);
    press(field(there), "/");
    document.removeEventListener("keydown", heard);
    expect(heard).not.toHaveBeenCalled();
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
    vi.advanceTimersByTime(60_000);
    expect(at(".board-wrong").hidden).toBe(true);
  });

  test("it says what went wrong in the kernel", async () => {
    const model = kernel();
    const { at } = shown(model);
    await answer(model, { fault: "KeyError: 3" });
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
