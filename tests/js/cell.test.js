import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { wakeCells } from "../../book/touchbook/cell/cell.js";
import { change, made, page, press, text } from "./support.js";

const folder = (name) => pathToFileURL(`${import.meta.dirname}/${name}/`);
const HERE = folder("fake");

/** Python that runs what it is given when it is told to. */
class Python {
  constructor() {
    this.config = { cost: "It costs 12 MB." };
    this.state = "asleep";
    this.obstacle = "";
    this.watchers = [];
    this.jobs = [];
    this.stopped = [];
  }

  watch(watcher) { this.watchers.push(watcher); }

  say(state, words = "", loaded = 0) {
    this.state = state;
    this.watchers.forEach((watch) => watch(state, words, loaded));
  }

  run(job) {
    this.jobs.push(job);
    job.begin(this.state === "ready" ? "" : "waits for its turn");
  }

  stop(job) {
    this.stopped.push(job);
    job.end({ state: "idle", error: "", words: "Stopped." });
  }

  get job() { return this.jobs.at(-1); }
}

let load; // what the browser does once it is idle

beforeEach(() => {
  vi.stubGlobal("requestIdleCallback", (action) => { load = action; });
});

const wake = async (name, { python = new Python(), here = HERE, isNew = true, wakeBoard } = {}) => {
  if (isNew) page(made.cells[name]);
  else document.body.innerHTML = made.cells[name];
  wakeCells(python, here, wakeBoard);
  const box = document.querySelector("div.try");
  const at = (selector) => box.querySelector(selector);
  await load();
  return {
    box, python, at,
    action: (what) => at(`button[data-action=${what}]`),
    field: () => at("textarea"),
    status: () => text(at(".try-status")),
    output: () => at(".try-output").textContent,
    type(code) {
      at("textarea").value = code;
      change(at("textarea"), "input");
    },
  };
};

const EXERCISE = JSON.parse(page(made.cells["ex-double"]).querySelector("script").textContent);

describe("a cell", () => {
  test("gets an editor over its code, buttons, and what it needs", async () => {
    const { box, at, field, status } = await wake("try");
    expect(box.dataset.state).toBe("idle");
    expect(field().value).toBe("print(a < 2)");
    expect(field().getAttribute("aria-label")).toBe("Python code: a cell to change");
    expect(at(".cell_input").hidden).toBe(true);
    const buttons = [...box.querySelectorAll("button")];
    expect(buttons.map((one) => [one.dataset.action, one.hidden]))
      .toEqual([["run", false], ["stop", true], ["reset", false]]);
    expect([...box.querySelectorAll("details")].map(text))
      .toEqual(["⋯It uses, from earlier cells:a = 1"]);
    expect(status()).toBe("");
  });

  test("runs what stands in its editor", async () => {
    const { box, python, action, type, status, output, at } = await wake("try");
    const looks = () => [box.dataset.state, status(), action("stop").hidden,
      action("run").getAttribute("aria-disabled"), at(".cell_output").hidden];
    type("print(3)");
    action("run").click();
    expect(python.job.message)
      .toEqual({ run: { code: "print(3)", preparation: "a = 1", check: "", label: "try" } });
    expect(looks()).toEqual(["running", "waits for its turn", false, "true", true]);
    python.job.begin("");
    expect(status()).toBe("runs …");
    for (const part of ["<b>3", "</b>\n"]) python.job.print(part);
    expect([output(), at(".try-output b")]).toEqual(["<b>3</b>\n", null]);
    python.job.end({ state: "idle", error: "" });
    expect(looks()).toEqual(["idle", "", true, "false", true]);
    expect(output()).toBe("<b>3</b>\n");
  });

  test("says that nothing was printed, or what went wrong, as text below what was", async () => {
    const { box, python, action, status, at, output } = await wake("try");
    action("run").click();
    python.job.end({ state: "idle", error: "" });
    expect(status()).toBe("Done; nothing was printed.");
    action("run").click();
    python.job.print("one\n");
    python.job.end({ state: "error", error: "NameError: <i>" });
    expect([box.dataset.state, status(), output(), at(".try-error").textContent])
      .toEqual(["error", "✗ An error.", "one\nNameError: <i>", "NameError: <i>"]);
    action("run").click();
    expect(output()).toBe("");
  });

  test("runs once at a time, from its editor too, which leaves the page its shortcuts", async () => {
    const { python, action, field } = await wake("try");
    const heard = vi.fn();
    document.addEventListener("keydown", heard);
    press(field(), "Enter", { shiftKey: true });
    action("run").click();
    press(field(), "Enter", { shiftKey: true });
    document.removeEventListener("keydown", heard);
    expect([python.jobs.length, heard.mock.calls]).toEqual([1, []]);
  });

  test("is stopped and gives the focus back, and is reset to how it was built", async () => {
    const { box, python, action, type, field, at, output, status } = await wake("try");
    type("print(3)");
    action("run").click();
    action("stop").focus();
    action("stop").click();
    expect(python.stopped).toEqual(python.jobs);
    expect([box.dataset.state, status()]).toEqual(["idle", "Stopped."]);
    expect(document.activeElement).toBe(action("run"));
    action("run").click();
    python.job.print("3\n");
    action("reset").click();
    expect(python.stopped.length).toBe(2);
    expect([field().value, output(), status()]).toEqual(["print(a < 2)", "", ""]);
    expect([at(".cell_output").hidden, localStorage.length]).toEqual([false, 0]);
    expect(document.activeElement).toBe(field());
  });

  test("tells how much of Python is loaded, if it waits for it", async () => {
    const { python, action, at, status } = await wake("try");
    const bar = at("progress");
    python.say("loading", "loads Python … 20 %", 0.2);
    expect([bar.hidden, status()]).toEqual([true, ""]);
    action("run").click();
    expect(bar.hidden).toBe(false);
    python.say("loading", "loads Python … 63 %", 0.634);
    expect([bar.value, status()]).toEqual([0.634, "loads Python … 63 %"]);
    python.say("ready");
    expect(bar.hidden).toBe(true);
    python.job.begin("");
    expect(status()).toBe("runs …");
  });
});

describe("an exercise", () => {
  test("is checked, from its editor too, and run without its check, which is folded", async () => {
    const { box, python, action, status, field } = await wake("ex-double");
    expect([...box.querySelectorAll("details p")].map(text))
      .toEqual(["It uses, from earlier cells:", "It is checked by:"]);
    expect(text(box.querySelector("details"))).toContain("assert double(2) == 4");
    action("check").click();
    expect(python.job.message.run).toMatchObject({
      code: EXERCISE.code, check: "assert double(2) == 4", label: "ex-double",
    });
    expect(action("check").getAttribute("aria-disabled")).toBe("true");
    python.job.end({ state: "failed", error: "" });
    expect([box.dataset.state, status()]).toEqual(["failed", "✗ Not yet."]);
    press(field(), "Enter", { shiftKey: true });
    expect(python.job.message.run.check).toBe("assert double(2) == 4");
    python.job.end({ state: "passed", error: "" });
    expect([box.dataset.state, status()]).toEqual(["passed", "✓ Right."]);
    action("run").click();
    expect(python.job.message.run.check).toBe("");
  });

  test("shows its solution, and then what was typed", async () => {
    const { action, type, field, status, output, python } = await wake("ex-double");
    type("mine");
    action("run").click();
    python.job.print("about mine");
    action("solution").click();
    expect([field().value, output()]).toEqual([EXERCISE.solution, ""]);
    expect(python.stopped.length).toBe(1);
    expect([text(action("solution")), status()])
      .toEqual(["Back to mine", "The book's solution; more stands folded below."]);
    type("a changed solution");
    action("check").click();
    expect(python.job.message.run.code).toBe("a changed solution");
    expect(localStorage.getItem(localStorage.key(0))).toBe("mine"); // what a reload would bring
    action("solution").click();
    expect([field().value, text(action("solution")), status()]).toEqual(["mine", "Solution", ""]);
    const again = await wake("ex-double", { isNew: false });
    expect(again.field().value).toBe("mine");
  });

  test("is reset while its solution shows", async () => {
    const { action, type, field } = await wake("ex-double");
    type("mine");
    for (const what of ["solution", "reset"]) action(what).click();
    expect([field().value, text(action("solution"))]).toEqual([EXERCISE.code, "Solution"]);
    for (const what of ["solution", "solution"]) action(what).click();
    expect(field().value).toBe(EXERCISE.code);
  });
});

test("what was typed is there when the page is opened again, be it nothing", async () => {
  (await wake("try")).type("print(4)");
  const again = await wake("try", { isNew: false });
  expect(again.field().value).toBe("print(4)");
  expect(document.querySelector(".try-status").textContent).toContain("your code of last time");
  again.action("run").click();
  expect(again.python.job.message.run.code).toBe("print(4)");
  again.type("");
  expect((await wake("try", { isNew: false })).field().value).toBe("");
});

test("a cell whose editor does not come can still be run, and says how that stands", async () => {
  page(made.cells.try);
  const python = new Python();
  wakeCells(python, folder("nowhere"));
  document.querySelector("[data-action=run]").click();
  expect(python.job.message.run.code).toBe("print(a < 2)");
  await load();
  expect(text(document.querySelector(".try-status"))).toBe("waits for its turn");
});

test("a board that a cell makes is played below it, until the cell begins anew", async () => {
  const end = vi.fn();
  const wakeBoard = vi.fn(() => end);
  const { at, action, python, status } = await wake("try", { wakeBoard });
  for (const again of ["run", "reset"]) {
    action("run").click();
    expect(at(".try-board").innerHTML).toBe("");
    python.job.end({ state: "idle", error: "", board: made.board.html });
    expect(wakeBoard).toHaveBeenLastCalledWith(at(".try-board figure.board"));
    expect(status()).toBe("");
    end.mockClear();
    action(again).click();
    expect([end.mock.calls.length, at(".try-board").innerHTML]).toEqual([1, ""]);
    if (again === "run") python.job.end({ state: "idle", error: "" });
  }
});
