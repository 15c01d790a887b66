import { describe, expect, test, vi } from "vitest";
import { Ask, render } from "../../book/touchbook/ask/ask.js";
import { shareOf } from "../../book/touchbook/ask/judge.js";
import { click, lay, made, memoryOf, Model, page, press, text } from "./support.js";

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
/** Its state, what of it is hidden (the truth, the verdict, the buttons), and whether it is closed. */
const looks = (form) => [state(form),
  ...[".ask-truth", ".ask-verdict", ".ask-buttons"].map((part) => at(form, part).hidden),
  at(form, "fieldset").disabled];
const write = (form, said) => { at(form, "input").value = said; };

test.each(Object.keys(made.asks))("%s shows nothing of its answer, and asks for one", (name) => {
  const { form, memory, onChange } = asked(name);
  expect(looks(form)).toEqual(["open", true, true, false, false]);
  expect(at(form, "details")).toBeNull();
  expect(at(form, ".ask-answer").getAttribute("aria-live")).toBe("polite");
  expect(message(form)).toBe("");
  commit(form);
  expect(state(form)).toBe("open");
  expect(message(form)).toMatch(/ first\.$/);
  expect([memory.text, onChange.mock.calls]).toEqual([null, []]);
});

describe("an answer", () => {
  test("that is right is shown with the truth, and kept", () => {
    const { ask, form, memory, onChange } = asked("likely");
    commit(form);
    expect(document.activeElement).toBe(at(form, "input")); // nothing is chosen yet
    choose(form, 1);
    commit(form);
    expect([message(form), ...looks(form)]).toEqual(["", "right", false, false, true, true]);
    expect(verdict(form)).toBe("✓ Right. You said: less.");
    expect(text(at(form, ".ask-truth"))).toBe("The answer: less. It is 0.2.");
    expect(document.activeElement).toBe(at(form, ".ask-answer"));
    expect(JSON.parse(memory.text)).toEqual({ key: ask.data.key, status: "right", said: 1, at: expect.any(Number) });
    expect(onChange).toHaveBeenCalledTimes(1);
  });

  test("that is wrong keeps its italics, stays, and can be given again", () => {
    const { ask, form, memory, onChange } = asked("likely");
    choose(form, 0);
    commit(form);
    expect(state(form)).toBe("wrong");
    expect(verdict(form)).toBe("✗ Wrong. You said: much more.");
    expect(at(form, ".ask-verdict em").textContent).toBe("much");
    expect([...form.querySelectorAll(".ask-said")].map(text)).toEqual(["much more"]);
    const before = memory.text;
    choose(form, 1);
    ask.commit();
    ask.pass();
    const event = new Event("submit", { cancelable: true });
    form.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(true); // it is never sent to a server
    expect([state(form), memory.text, onChange.mock.calls.length]).toEqual(["wrong", before, 1]);
    at(form, "[data-action=retake]").click();
    expect([state(form), memory.text, onChange.mock.calls.length]).toEqual(["open", null, 2]);
    expect(at(form, "[data-action=retake]").hidden).toBe(true);
    expect(document.activeElement).toBe(at(form, "input"));
    choose(form, 2);
    commit(form);
    expect(verdict(form)).toBe("✗ Wrong. You said: neither?"); // no full stop behind a mark
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
    expect(JSON.parse(memory.text)).toEqual({ key: ask.data.key, status: "passed", passed: true, at: expect.any(Number) });
    expect(onChange).toHaveBeenCalledTimes(1);
  });
});

describe("a number", () => {
  test.each([
    ["cards", " 30 % ", "✓ Right. You said: 30 %."],
    ["cards", "1/4", "✓ Right. You said: 1/4 cards."],
    ["cards", "0.45", "≈ Nearly, 0.15 cards away. You said: 0.45 cards."],
    ["cards", "0.51", "✗ Wrong. You said: 0.51 cards."],
    ["share", "-2.1", "✓ Right. You said: -2.1."],
  ])("%s: %j is judged and repeated", (name, said, words) => {
    const { form, memory } = asked(name);
    write(form, said);
    commit(form);
    expect(verdict(form)).toBe(words);
    expect(state(form)).toBe(words.startsWith("✓") ? "right" : "wrong");
    expect(JSON.parse(memory.text).said).toBe(said.trim());
    expect(at(form, "input").value).toBe(said.trim());
  });

  test("that cannot be read is shown as text", () => {
    const { form, memory } = asked("cards");
    write(form, "x<b>y");
    commit(form);
    expect(message(form)).toBe("“x<b>y” is not a number; write it like 1234.5 or 3/4.");
    expect([state(form), memory.text, at(form, "input").value]).toEqual(["open", null, "x<b>y"]);
    expect(document.activeElement).toBe(at(form, "input"));
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
    const ring = at(form, ".ask-ring");
    point(form, said);
    expect([at(form, ".ask-cross").hidden, ring.hidden]).toEqual([false, true]);
    commit(form);
    expect(state(form)).toBe(right);
    expect(verdict(form)).toContain(`You said: ${words}.`);
    expect(ring.hidden).toBe(false);
    for (const side of ["width", "height"]) expect(Number.parseFloat(ring.style[side])).toBeGreaterThan(0);
    expect(at(form, ".ask-hint").textContent).toBe("The ring is around the truth.");
    const before = target(form).getAttribute("aria-valuetext");
    point(form, [0, 0]);
    expect(press(target(form), "ArrowLeft")).toBe(false);
    expect(target(form).getAttribute("aria-valuetext")).toBe(before);
    expect(JSON.parse(memory.text).said).toEqual(said);
    expect(target(form).getAttribute("aria-disabled")).toBe("true");
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
    press(target(form), "ArrowLeft", { shiftKey: true });
    press(target(form), "ArrowUp");
    expect([says("text"), says("now")]).toEqual(["pull: 4, mean: 4.9", "4"]);
    expect(at(form, ".ask-hint").textContent).toBe("Your point: pull: 4, mean: 4.9.");
    expect(press(target(form), "a")).toBe(false);
    const named = target(asked("field").form);
    press(named, "ArrowUp");
    expect(named.getAttribute("aria-valuetext")).toBe("b, 2");
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
    const shownIn = (name, said, selector) => at(asked(name, stored(name, { said })).form, selector);
    expect(shownIn("likely", 2, ":checked").value).toBe("2");
    expect(shownIn("cards", "30 %", "input").value).toBe("30 %");
    expect(shownIn("up", [1, 2], ".ask-cross").hidden).toBe(false);
  });

  test.each([
    ["likely", "x"], ["likely", { said: 99 }], ["likely", {}], ["cards", { said: "many" }],
    ["share", { said: 5 }], ["where", { said: [null, 7] }],
  ])("%s: %j is forgotten, for nobody could say it", (name, what) => {
    const memory = stored(name, what);
    const { form } = asked(name, memory);
    expect([state(form), memory.text]).toEqual(["open", null]);
    expect(at(form, ".ask-truth").hidden).toBe(true);
    expect(at(form, ".ask-said, .ask-cross:not([hidden])")).toBeNull();
  });
});

describe("in a kernel", () => {
  const views = [];

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

  test("an answer reaches the kernel, and all views of the question", () => {
    const model = modelOf("likely", "");
    const [first, second] = [view(model), view(model)];
    expect([state(first), model.saved, first.dataset.lmSuppressShortcuts]).toEqual(["open", 0, "true"]);
    choose(first, 1);
    commit(first);
    expect([state(first), state(second)]).toEqual(["right", "right"]);
    expect(JSON.parse(model.get("state").text)).toMatchObject({ status: "right", said: 1 });
    expect(model.saved).toBe(1);
    expect(document.activeElement).toBe(at(first, ".ask-answer"));
    views.splice(0).forEach((leave) => leave());
    expect(model.heard("change:state")).toEqual([]);
  });

  test("an answer that the kernel has is shown, and goes when it forgets", () => {
    const { key } = JSON.parse(page(made.asks.cards).querySelector("form").dataset.truth);
    const model = modelOf("cards", JSON.stringify({ key, status: "right", said: "0.25" }));
    const form = view(model);
    expect(verdict(form)).toBe("✓ Right. You said: 0.25 cards.");
    model.set("state", { text: "" });
    expect(state(form)).toBe("open");
    model.set("state", { text: JSON.stringify({ key, status: "passed", passed: true }) });
    expect([state(form), model.saved]).toEqual(["passed", 0]);
    model.set("state", { text: "x" }); // nonsense is forgotten
    expect([state(form), model.get("state"), model.saved]).toEqual(["open", { text: "" }, 1]);
    model.set("state", { text: "", isTold: true }); // to a reader who wants to see everything
    expect(at(form, ".ask-truth").hidden).toBe(false);
  });
});
