import { afterEach, describe, expect, test, vi } from "vitest";
import { Ask, render } from "../../book/touchbook/ask/ask.js";
import { shareOf } from "../../book/touchbook/ask/judge.js";
import { change, click, lay, made, memoryOf, Model, page, press, text } from "./support.js";

/** A question of a page, and what is around it. */
const asked = (name, memory = memoryOf()) => {
  const form = page(made.asks[name]).querySelector("form");
  const onChange = vi.fn();
  const ask = new Ask(form, memory, onChange);
  return { ask, form, memory, onChange };
};

const at = (form, selector) => form.querySelector(selector);
const choose = (form, i) => { form.querySelectorAll("input")[i].checked = true; };
const commit = (form) => at(form, "[data-action=commit]").click();
const skip = (form) => at(form, "[data-action=skip]").click();
const state = (form) => form.dataset.state;
const message = (form) => at(form, "[role=alert]").textContent;
const verdict = (form) => text(at(form, ".ask-verdict"));
const write = (form, said) => { at(form, "input").value = said; };

describe("before the answer", () => {
  test.each(Object.keys(made.asks))("%s shows nothing of it, and asks for it", (name) => {
    const { form, memory, onChange } = asked(name);
    expect(state(form)).toBe("open");
    expect(at(form, ".ask-truth").hidden).toBe(true);
    expect(at(form, ".ask-verdict").hidden).toBe(true);
    expect(at(form, "details")).toBeNull();
    expect(at(form, ".ask-answer").getAttribute("aria-live")).toBe("polite");
    expect(at(form, ".ask-buttons").hidden).toBe(false);
    expect(at(form, "[data-action=commit]").disabled).toBe(false);
    expect(at(form, "fieldset").disabled).toBe(false);
    expect(message(form)).toBe("");
    commit(form);
    expect(state(form)).toBe("open");
    expect(message(form)).toMatch(/ first\.$/);
    expect([memory.text, onChange.mock.calls]).toEqual([null, []]);
  });

  test("an alert goes with the answer", () => {
    const { form } = asked("likely");
    commit(form);
    expect(message(form)).toBe("Choose one of the answers first.");
    expect(document.activeElement).toBe(at(form, "input"));
    choose(form, 1);
    commit(form);
    expect(message(form)).toBe("");
  });
});

describe("an answer", () => {
  test("that is right", () => {
    const { ask, form, memory, onChange } = asked("likely");
    choose(form, 1);
    commit(form);
    expect(state(form)).toBe("right");
    expect(verdict(form)).toBe("✓ Right. You said: less.");
    expect(text(at(form, ".ask-truth"))).toBe("The answer: less. It is 0.2.");
    expect(at(form, ".ask-truth").hidden).toBe(false);
    expect(at(form, ".ask-verdict").hidden).toBe(false);
    expect(at(form, ".ask-buttons").hidden).toBe(true);
    expect(at(form, "fieldset").disabled).toBe(true);
    expect(document.activeElement).toBe(at(form, ".ask-answer"));
    expect(JSON.parse(memory.text)).toEqual({ key: ask.data.key, status: "right", said: 1 });
    expect(onChange).toHaveBeenCalledTimes(1);
    expect(ask.isOpen).toBe(false);
  });

  test("that is wrong keeps its italics", () => {
    const { form, memory } = asked("likely");
    choose(form, 0);
    commit(form);
    expect(state(form)).toBe("wrong");
    expect(verdict(form)).toBe("✗ Wrong. You said: much more.");
    expect(at(form, ".ask-verdict em").textContent).toBe("much");
    expect(JSON.parse(memory.text)).toMatchObject({ status: "wrong", said: 0 });
    expect([...form.querySelectorAll(".ask-said")].map(text)).toEqual(["much more"]);
  });

  test("that ends with a mark gets no full stop", () => {
    const { form } = asked("likely");
    choose(form, 2);
    commit(form);
    expect(verdict(form)).toBe("✗ Wrong. You said: neither?");
  });

  test("that was passed", () => {
    const { ask, form, memory, onChange } = asked("cards");
    write(form, "5");
    skip(form);
    expect(state(form)).toBe("passed");
    expect(verdict(form)).toBe("You passed.");
    expect(text(at(form, ".ask-truth"))).toBe("The answer: 0.3 cards (within 0.1 is right). Counted.");
    expect(document.activeElement).toBe(at(form, ".ask-answer"));
    expect(at(form, "input").value).toBe("");
    expect(JSON.parse(memory.text)).toEqual({ key: ask.data.key, status: "passed", passed: true });
    expect(onChange).toHaveBeenCalledTimes(1);
  });

  test.each([
    ["0.45", "≈ Nearly, 0.15 cards away. You said: 0.45 cards."],
    ["0.5", "≈ Nearly, 0.2 cards away. You said: 0.5 cards."],
    ["0.51", "✗ Wrong. You said: 0.51 cards."],
  ])("near by: %s", (said, words) => {
    const { form } = asked("cards");
    write(form, said);
    commit(form);
    expect([state(form), verdict(form)]).toEqual(["wrong", words]);
  });

  test("can be given again", () => {
    const { form, memory, onChange } = asked("likely");
    choose(form, 0);
    commit(form);
    at(form, "[data-action=retake]").click();
    expect([state(form), memory.text, onChange.mock.calls.length]).toEqual(["open", null, 2]);
    expect(at(form, "[data-action=retake]").hidden).toBe(true);
    expect(document.activeElement).toBe(at(form, "input"));
    choose(form, 1);
    commit(form);
    expect(state(form)).toBe("right");
  });

  test("is told to a reader who wants to see everything, while the question stays open", () => {
    const { ask, form, memory } = asked("where");
    ask.tell(true);
    expect([state(form), at(form, ".ask-truth").hidden, at(form, ".ask-verdict").hidden,
      at(form, ".ask-buttons").hidden]).toEqual(["open", false, true, true]);
    ask.tell(false);
    expect([state(form), at(form, ".ask-truth").hidden, at(form, ".ask-buttons").hidden, memory.text])
      .toEqual(["open", true, false, null]);
  });

  test("stays", () => {
    const { ask, form, memory, onChange } = asked("likely");
    choose(form, 0);
    commit(form);
    const before = memory.text;
    choose(form, 1);
    ask.commit();
    ask.pass();
    change(form, "submit");
    expect(state(form)).toBe("wrong");
    expect(memory.text).toBe(before);
    expect(onChange).toHaveBeenCalledTimes(1);
  });

  test("is never sent to a server", () => {
    const { form } = asked("cards");
    const event = new Event("submit", { cancelable: true });
    form.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(true);
  });
});

describe("a number", () => {
  test.each([
    ["0.4", "right", "0.4 cards"], [" 30 % ", "right", "30 %"], ["1/4", "right", "1/4 cards"],
    ["0.2 cards", "right", "0.2 cards"], ["−0.3", "wrong", "−0.3 cards"],
  ])("%j is %s", (said, right, shown) => {
    const { form, memory } = asked("cards");
    write(form, said);
    commit(form);
    expect(state(form)).toBe(right);
    expect(verdict(form)).toBe(`${right === "right" ? "✓ Right" : "✗ Wrong"}. You said: ${shown}.`);
    expect(JSON.parse(memory.text).said).toBe(said.trim());
    expect(at(form, "input").value).toBe(said.trim());
  });

  test.each(["1,500", "x<b>y", "Infinity"])("%j is not read", (said) => {
    const { form, memory } = asked("cards");
    write(form, said);
    commit(form);
    expect(message(form)).toBe(`“${said}” is not a number; write it like 1234.5 or 3/4.`);
    expect(at(form, "[role=alert] b")).toBeNull();
    expect(at(form, "input").value).toBe(said);
    expect(document.activeElement).toBe(at(form, "input"));
    expect([state(form), memory.text]).toEqual(["open", null]);
  });

  test("that is empty is asked for", () => {
    const { form } = asked("cards");
    write(form, "  ");
    commit(form);
    expect(message(form)).toBe("Write a number first.");
  });

  test("without a unit", () => {
    const { form } = asked("share");
    write(form, "-2.1");
    commit(form);
    expect(verdict(form)).toBe("✓ Right. You said: -2.1.");
  });
});

describe("a point", () => {
  const target = (form) => at(form, ".ask-point");
  /** Click where a point of the axes lies on a picture of 400 by 300. */
  const point = (form, said) => {
    lay(target(form), 10, 20, 400, 300);
    const { axes } = JSON.parse(form.dataset.truth);
    const [x, y] = axes.map((axis, i) => shareOf(axis, said[i]));
    click(target(form), { clientX: 10 + 400 * x, clientY: 20 + 300 * y });
  };

  test.each([
    ["where", [3.5, 7.4], "right", "(3.5, 7.4)"], ["where", [2, 3], "wrong", "(2, 3)"],
    ["up", [3.5, 7.4], "right", "(3.5, 7.4)"], ["up", [3.5, 7.8], "wrong", "(3.5, 7.8)"],
    ["field", [1, 2], "right", "b3"], ["field", [1, 1], "wrong", "b2"],
    ["words", [1, 2], "right", "mid, 3"],
  ])("%s: a click at %j is %s", (name, said, right, words) => {
    const { form, memory } = asked(name);
    point(form, said);
    expect(at(form, ".ask-cross").hidden).toBe(false);
    expect(at(form, ".ask-ring").hidden).toBe(true);
    commit(form);
    expect(state(form)).toBe(right);
    expect(verdict(form)).toContain(`You said: ${words}.`);
    expect(JSON.parse(memory.text).said).toEqual(said);
    expect(at(form, ".ask-ring").hidden).toBe(false);
    expect(at(form, ".ask-hint").textContent).toBe("The ring is around the truth.");
    const before = target(form).getAttribute("aria-valuetext");
    point(form, [0, 0]);
    expect(press(target(form), "ArrowLeft")).toBe(false);
    expect(target(form).getAttribute("aria-valuetext")).toBe(before);
    expect(JSON.parse(memory.text).said).toEqual(said);
    expect(target(form).getAttribute("aria-disabled")).toBe("true");
  });

  test("has its cross and its ring where they belong", () => {
    const { form } = asked("where");
    const { axes } = JSON.parse(form.dataset.truth);
    const share = (i, value) => 100 * shareOf(axes[i], value);
    point(form, [3, 6]);
    const cross = at(form, ".ask-cross").style;
    expect(Number.parseFloat(cross.left)).toBeCloseTo(share(0, 3), 3);
    expect(Number.parseFloat(cross.top)).toBeCloseTo(share(1, 6), 3);
    const ring = at(form, ".ask-ring").style;
    expect(Number.parseFloat(ring.left)).toBeCloseTo(share(0, 0), 3);
    expect(Number.parseFloat(ring.top)).toBeCloseTo(share(1, 6), 3);
    expect(Number.parseFloat(ring.width)).toBeCloseTo(share(0, 4) - share(0, 0), 3);
    expect(Number.parseFloat(ring.height)).toBeCloseTo(share(1, 8) - share(1, 6), 3);
  });

  test("has a ring that is not upside down where the axis runs up", () => {
    const ring = at(asked("up").form, ".ask-ring").style;
    expect(Number.parseFloat(ring.height)).toBeGreaterThan(0);
    expect(Number.parseFloat(ring.width)).toBeGreaterThan(0);
  });

  test("is set with arrow keys", () => {
    const { form } = asked("where");
    commit(form);
    expect(message(form)).toBe("Set your point on the picture first.");
    expect(document.activeElement).toBe(target(form));
    const says = (name) => target(form).getAttribute(`aria-value${name}`);
    expect([says("text"), says("min"), says("max"), says("now")]).toEqual(["not set", "0", "10", "0"]);
    expect(press(target(form), "ArrowLeft")).toBe(true); // sets it in the middle
    expect(says("text")).toBe("pull: 5, mean: 5");
    const far = { shiftKey: true };
    for (const key of ["ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowDown", "ArrowDown"]) {
      press(target(form), key, far);
    }
    for (const key of ["ArrowUp", "ArrowRight"]) press(target(form), key);
    expect([says("text"), says("now")]).toEqual(["pull: 2.1, mean: 6.9", "2.1"]);
    expect(at(form, ".ask-hint").textContent).toBe("Your point: pull: 2.1, mean: 6.9.");
    expect(press(target(form), "a")).toBe(false);
    commit(form);
    expect(state(form)).toBe("right");
  });

  test("on named places is told by their names", () => {
    const { form } = asked("field");
    press(target(form), "ArrowUp");
    expect(target(form).getAttribute("aria-valuetext")).toBe("b, 2");
  });
});

describe("what is remembered", () => {
  const stored = (name, what) => {
    const { key } = JSON.parse(page(made.asks[name]).querySelector("form").dataset.truth);
    return memoryOf(typeof what === "string" ? what : JSON.stringify({ key, ...what }));
  };

  test.each([
    ["likely", { said: 2 }, "wrong"], ["likely", { said: 1 }, "right"],
    ["likely", { passed: true }, "passed"], ["cards", { said: "1/4" }, "right"],
    ["where", { said: [9, 9] }, "wrong"], ["likely", { key: "other", said: 2 }, "open"],
    ["likely", { key: "other", passed: true }, "open"],
  ])("%s: %j is %s", (name, what, right) => {
    const memory = stored(name, what);
    const before = memory.text;
    const { form, onChange } = asked(name, memory);
    expect(state(form)).toBe(right);
    expect(at(form, "fieldset").disabled).toBe(right !== "open");
    expect(memory.text).toBe(before);
    expect(onChange).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(document.body);
  });

  test("is shown in the field", () => {
    const choice = asked("likely", stored("likely", { said: 2 })).form;
    expect([...choice.querySelectorAll("input")].map((i) => i.checked)).toEqual([false, false, true]);
    expect(at(asked("cards", stored("cards", { said: "30 %" })).form, "input").value).toBe("30 %");
    expect(at(asked("up", stored("up", { said: [1, 2] })).form, ".ask-cross").hidden).toBe(false);
  });

  test.each([
    ["likely", "x"], ["likely", ""], ["likely", { said: 99 }], ["likely", { said: {} }],
    ["likely", {}], ["likely", { said: "1" }], ["cards", { said: "many" }], ["cards", { said: 5 }],
    ["share", { said: 5 }], ["share", {}], ["where", { said: [2] }], ["where", { said: ["2", "7"] }],
    ["where", { said: [null, 7] }], ["where", { said: 5 }],
  ])("%s: %j is forgotten, for nobody could say it", (name, what) => {
    const memory = stored(name, what);
    const { form } = asked(name, memory);
    expect([state(form), memory.text]).toEqual(["open", null]);
    expect(at(form, ".ask-truth").hidden).toBe(true);
    expect(at(form, ".ask-said, .ask-cross:not([hidden])")).toBeNull();
  });

  test.each(["5", "null", "[]", "{}"])("%s says nothing", (what) => {
    expect(state(asked("cards", memoryOf(what)).form)).toBe("open");
  });

  test("is forgotten when the reader starts over", () => {
    for (const [name, what] of [
      ["likely", { said: 2 }], ["cards", { said: "5" }], ["where", { said: [2, 7] }],
    ]) {
      const { ask, form, memory } = asked(name, stored(name, what));
      ask.startOver();
      expect([state(form), memory.text, ask.said]).toEqual(["open", null, undefined]);
      expect(at(form, "fieldset").disabled).toBe(false);
      expect(at(form, ".ask-truth").hidden).toBe(true);
      expect(verdict(form)).toBe("");
      expect(form.querySelector(":checked, .ask-said, .ask-cross:not([hidden])")).toBeNull();
      commit(form);
      expect(message(form)).toMatch(/ first\.$/);
    }
  });
});

describe("in a kernel", () => {
  const views = [];
  afterEach(() => views.splice(0).forEach((leave) => leave()));

  const view = (model) => {
    const el = document.createElement("div");
    document.body.append(el);
    views.push(render({ model, el }));
    return el.querySelector("form.ask");
  };
  const modelOf = (name, given) => {
    page("");
    return new Model({ setup: { html: made.asks[name] }, state: { text: given } });
  };

  test("a question that is new tells the kernel nothing", () => {
    const model = modelOf("likely", "");
    const form = view(model);
    expect(state(form)).toBe("open");
    expect(model.saved).toBe(0);
    expect(form.dataset.lmSuppressShortcuts).toBe("true");
  });

  test("an answer reaches the kernel, and all views of the question", () => {
    const model = modelOf("likely", "");
    const [first, second] = [view(model), view(model)];
    choose(first, 1);
    commit(first);
    expect([state(first), state(second)]).toEqual(["right", "right"]);
    expect(JSON.parse(model.get("state").text)).toMatchObject({ status: "right", said: 1 });
    expect(model.saved).toBe(1);
    expect(document.activeElement).toBe(at(first, ".ask-answer"));
  });

  test("an answer that the kernel has is shown, and goes when it forgets", () => {
    const { key } = JSON.parse(page(made.asks.cards).querySelector("form").dataset.truth);
    const model = modelOf("cards", JSON.stringify({ key, status: "right", said: "0.25" }));
    const form = view(model);
    expect(verdict(form)).toBe("✓ Right. You said: 0.25 cards.");
    model.set("state", { text: "" });
    expect(state(form)).toBe("open");
    model.set("state", { text: JSON.stringify({ key, status: "passed", passed: true }) });
    expect(state(form)).toBe("passed");
    expect(model.saved).toBe(0);
  });

  test("passing reaches the kernel", () => {
    const model = modelOf("up", "");
    skip(view(model));
    expect(JSON.parse(model.get("state").text)).toMatchObject({ status: "passed", passed: true });
  });

  test("nonsense is forgotten", () => {
    const model = modelOf("cards", "x");
    expect(state(view(model))).toBe("open");
    expect(model.get("state")).toEqual({ text: "" });
    expect(model.saved).toBe(1);
  });

  test("a view that has gone listens no more", () => {
    const model = modelOf("likely", "");
    view(model);
    views.pop()();
    expect(model.heard("change:state")).toEqual([]);
  });
});
