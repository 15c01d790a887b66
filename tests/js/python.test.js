import { beforeEach, describe, expect, test, vi } from "vitest";
import { wakeBoard, wakeBoards } from "../../book/touchbook/page/boards.js";
import { Python, tellCost } from "../../book/touchbook/page/python.js";
import { browser, click, made, page, settle, text } from "./support.js";

const CONFIG = {
  index: "pyodide/", numpy: "pyodide/numpy-2.whl", packages: "pyodide/own.zip?1", start: "own", version: "1", bytes: 9,
  cost: "It costs 9 MB.",
};
const HERE = new URL("http://localhost/_static/");

/** Workers that say what they are told to say. */
let workers;

class Worker {
  constructor(address, options) {
    Object.assign(this, { address, options, sent: [], isDone: false });
    workers.push(this);
  }

  postMessage(message) { this.sent.push(message); }

  terminate() { this.isDone = true; }

  says(data) { this.onmessage({ data }); }
}

const worker = () => workers.at(-1);
const ends = (state = "idle", more = {}) => worker().says({ done: { state, error: "", ...more } });

beforeEach(() => {
  workers = [];
  vi.stubGlobal("Worker", Worker);
});

/** Python, and what its watcher was told. */
const asleep = (config = CONFIG) => {
  const python = new Python(config, HERE);
  const told = [];
  python.watch((...what) => told.push(what));
  return { python, told };
};

/** A job, and what was said of it. */
const job = (name) => {
  const log = [];
  return {
    message: { run: { code: name } },
    begin: (words) => log.push(words || "begins"),
    print: (printed) => log.push(`prints ${printed}`),
    end: ({ state, error, words, answer }) =>
      log.push(["ends", state, error, words, answer].filter(Boolean).join(" ")),
    log,
  };
};

const awake = () => {
  const { python, told } = asleep();
  const first = job("first");
  python.run(first);
  worker().says({ ready: true });
  return { python, told, first };
};

const stateOfPage = () => document.documentElement.dataset.python;

describe("Python of a page", () => {
  test("sleeps until something is run, and is then loaded once", () => {
    vi.useFakeTimers();
    const { python, told } = asleep();
    expect([stateOfPage(), workers.length]).toEqual(["asleep", 0]);
    const [first, second] = [job("first"), job("second")];
    python.run(first);
    python.run(second);
    expect([stateOfPage(), workers.length]).toEqual(["loading", 1]);
    expect([worker().address, worker().options]).toEqual([`${HERE}worker.js`, { type: "module" }]);
    const [index, numpy, packages] = [CONFIG.index, CONFIG.numpy, CONFIG.packages].map((one) => `${HERE}${one}`);
    expect(worker().sent).toEqual([{ start: { ...CONFIG, index, numpy, packages } }]);
    worker().says({ loaded: 0.5 });
    vi.advanceTimersByTime(1000);
    worker().says({ ready: true });
    vi.advanceTimersByTime(1000);
    vi.useRealTimers();
    expect(told).toEqual([["loading", "loads Python … 0 %", 0], ["loading", "loads Python … 50 %", 0.5],
      ["loading", "starts Python …", 0.5], ["ready", "", 0]]);
    expect([stateOfPage(), worker().sent.slice(1)]).toEqual(["ready", [first.message]]);
    expect([first.log, second.log]).toEqual([["waits for its turn", "begins"], ["waits for its turn"]]);
  });

  test("runs jobs in turn", () => {
    const { python, first } = awake();
    const second = job("second");
    python.run(second);
    worker().says({ printed: "1" });
    expect(worker().sent.length).toBe(2);
    ends("idle", { answer: "42" });
    worker().says({ printed: "2" });
    ends("error", { error: "NameError" });
    worker().says({ printed: "late" });
    expect(first.log).toEqual(["waits for its turn", "begins", "prints 1", "ends idle 42"]);
    expect(second.log).toEqual(["waits for its turn", "begins", "prints 2", "ends error NameError"]);
    expect(worker().sent.slice(1)).toEqual([first.message, second.message]);
    const third = job("third");
    python.run(third);
    expect(third.log).toEqual(["begins", "begins"]); // it did not wait
    expect(workers.length).toBe(1);
  });
});

describe("a job is stopped", () => {
  test("while it runs: its worker goes, and another runs those that wait", () => {
    const { python, first } = awake();
    const second = job("second");
    python.run(second);
    const old = worker();
    python.stop(first);
    expect(first.log.at(-1)).toBe("ends idle Stopped.");
    expect([old.isDone, workers.length, stateOfPage()]).toEqual([true, 2, "loading"]);
    old.says({ printed: "ghost" });
    old.says({ ready: true });
    old.says({ done: { state: "passed", error: "" } });
    old.onerror({ message: "ghost" });
    expect([second.log, stateOfPage()]).toEqual([["waits for its turn"], "loading"]);
    worker().says({ ready: true });
    expect(second.log.at(-1)).toBe("begins");
    expect(worker().sent.slice(1)).toEqual([second.message]);
  });

  test("while it waits: the one that runs goes on; at its end or before its turn: nothing", () => {
    const { python } = asleep();
    const [early, first, second, third] = ["early", "first", "second", "third"].map(job);
    python.run(early);
    python.stop(early); // while Python is loaded, which is loaded all the same
    worker().says({ ready: true });
    expect([early.log.at(-1), worker().sent.length, stateOfPage()])
      .toEqual(["ends idle Stopped.", 1, "ready"]);
    [first, second, third].forEach((one) => { python.run(one); });
    python.stop(second);
    expect(second.log).toEqual(["waits for its turn", "ends idle Stopped."]);
    ends();
    expect(third.log.at(-1)).toBe("begins");
    python.stop(first);
    python.stop(job("never"));
    expect(first.log).toEqual(["begins", "begins", "ends idle"]);
    expect([workers.length, worker().isDone]).toEqual([1, false]);
  });
});

describe("Python that cannot be started", () => {
  const error = (words) => `ends error Python could not be started: ${words}`;

  test("ends all jobs, and is tried again with the next", () => {
    const { python, told } = asleep();
    const [first, second] = [job("first"), job("second")];
    python.run(first);
    python.run(second);
    worker().says({ broken: "no memory" });
    expect([first.log.at(-1), second.log.at(-1)]).toEqual([error("no memory"), error("no memory")]);
    expect([stateOfPage(), told.at(-1), worker().isDone])
      .toEqual(["failed", ["failed", "no memory", 0], true]);
    const third = job("third");
    python.run(third);
    expect([workers.length, stateOfPage()]).toEqual([2, "loading"]);
    worker().says({ ready: true });
    expect(worker().sent.slice(1)).toEqual([third.message]);
  });

  test("names the host that is blocked, and what its worker says", () => {
    const { python } = asleep({ ...CONFIG, index: "https://elsewhere.org/p/", numpy: "numpy" });
    const said = (end) => {
      const only = job("only");
      python.run(only);
      end();
      return only.log.at(-1);
    };
    expect(said(() => worker().says({ broken: "could not load https://elsewhere.org/p/pyodide.mjs" })))
      .toBe(error("could not load https://elsewhere.org/p/pyodide.mjs. "
        + "Is elsewhere.org blocked here, or are you offline? Press again to try once more."));
    expect(worker().sent[0].start).toMatchObject({ index: "https://elsewhere.org/p/", numpy: "numpy" });
    expect(said(() => worker().onerror({ message: "no module workers" })))
      .toBe(error("no module workers"));
    expect(said(() => worker().onerror({}))) // one that says nothing could not be loaded
      .toMatch(/could not load \S+worker\.js\. Is .* are you offline\?/);
    expect(said(() => { // a job that ends Python while it runs
      worker().says({ ready: true });
      worker().says({ broken: "memory access out of bounds" });
    })).toBe(error("memory access out of bounds"));
  });

  const refusing = class { constructor() { throw new Error("SecurityError: no"); } };

  test.each([
    ["Worker", refusing, "SecurityError: no"],
    ["location", { protocol: "file:" }, "Python runs only in a page that is served: type make serve"],
  ])("says why it cannot run: %s", (name, stub, words) => {
    vi.stubGlobal(name, stub);
    const { python } = asleep();
    const only = job("only");
    python.run(only);
    expect(only.log.at(-1)).toContain(error(words));
    expect([workers.length, stateOfPage()]).toEqual([0, "failed"]);
  });
});

describe("a board of a page", () => {
  const { states } = made.board;
  beforeEach(() => browser());

  const open = (hash = "", isNew = true, records = null) => {
    if (isNew) page(made.board.html);
    else document.body.innerHTML = made.board.html;
    if (records) {
      const data = document.querySelector("script.board-data");
      data.textContent = JSON.stringify({ ...JSON.parse(data.textContent), first: records[""] });
      document.querySelector("figure").insertAdjacentHTML("beforeend",
        `<script type="application/json" class="board-recorded">${JSON.stringify(records)}</script>`);
    }
    history.replaceState(null, "", `/book/page.html${hash}`);
    const { python } = asleep();
    wakeBoards(python);
    tellCost(python);
    const figure = document.querySelector("figure");
    const at = (selector) => figure.querySelector(selector);
    return { python, figure, at, wakes: () => at("[data-action=play]").click() };
  };
  /** The same, once Python was woken by the board's button. */
  const woken = async (...how) => {
    const board = open(...how);
    board.wakes();
    await settle();
    worker().says({ ready: true });
    return board;
  };
  const request = () => JSON.parse(worker().sent.at(-1).board.request);
  const answers = async (state) => {
    await settle();
    ends("idle", { answer: JSON.stringify(state) });
    await settle();
  };

  test("wakes Python, and says what it costs and how far it is", async () => {
    const { at, wakes } = open();
    const cost = at(".board-tools .page-cost");
    const bar = at('progress[aria-label="Python is loaded"]');
    expect([cost.textContent, cost.hidden]).toEqual([CONFIG.cost, false]);
    wakes();
    await settle();
    worker().says({ loaded: 0.25 });
    expect([cost.hidden, bar.hidden, bar.value, text(at(".board-waits"))])
      .toEqual([true, false, 0.25, "loads Python … 25 %"]);
    worker().says({ ready: true });
    expect([bar.hidden, text(at(".board-waits"))]).toEqual([true, ""]);
    expect(worker().sent.at(-1).board.name).toBe("sticks");
    expect(request()).toEqual({
      do: "look", board: "tests.support.sticks:Sticks", options: { seed: 0, n: 7 }, before: "", shown: null, opened: [],
    });
    await answers(states.start);
    expect(at(".board-say").textContent).toBe("7 left.");
  });

  test("tells Python what was played, and which views are open", async () => {
    const { at } = await woken();
    await answers(states.counted);
    click(at('svg [data-touch="3"]'));
    await settle();
    expect(request()).toMatchObject({
      do: "touch", name: "3", before: states.counted.text, shown: ["count"],
    });
    await answers(states.taken);
    await woken("", false);
    expect(request()).toMatchObject({ do: "look", before: states.taken.text });
  });

  test("keeps the last game while its recorded runs are tried", async () => {
    await woken();
    await answers(states.taken);
    const { at, wakes, figure } = open("", false, { "": states.start, 1: states.fresh });
    expect(text(at(".board-waits"))).toContain("Your last game is kept");
    click(at('svg [data-touch="1"]'));
    await vi.waitFor(() => expect(figure.dataset.busy).toBe(undefined));
    expect(at(".board-seed").textContent).toContain("Seed 1.");
    wakes();
    await settle();
    worker().says({ ready: true });
    expect(request()).toMatchObject({ do: "look", before: states.taken.text });
  });

  test("begins where a link says, not where the last game was", async () => {
    await woken();
    await answers(states.taken);
    const { at } = await woken("#board-sticks?seed=7", false);
    expect(request()).toMatchObject({ do: "look", before: "", options: { seed: 7 } });
    await answers(states.start);
    const follow = async (hash) => {
      history.replaceState(null, "", hash);
      window.dispatchEvent(new Event("hashchange"));
      await settle();
    };
    await follow("#board-sticks?seed=8");
    expect(request()).toMatchObject({ do: "new", seed: 8 });
    await answers(states.fresh);
    expect(at(".board-seed").textContent).toContain("Seed 1.");
    await follow("#board-sticks?game=x");
    expect(request()).toMatchObject({ do: "load", text: "x" });
    await woken(`#board-sticks?${new URLSearchParams({ game: states.taken.text })}`);
    expect(request()).toMatchObject({ do: "look", before: states.taken.text });
  });

  test.each(["#board-sticks?seed=-1", "#board-sticks?seed=x", "#board-other?seed=7",
    "#board-sticks", "#board-sticks?seed=%"])("%s names no start", async (hash) => {
    await woken(hash);
    expect(request().options).toEqual({ seed: 0, n: 7 });
  });

  test("of the reader's own is made by its cell, and played there", async () => {
    const own = made.board.html.replace('"name":', '"own": true, "name":');
    page(`<div class="try"><div class="cell_output">${own}</div><button data-action="run"></button>
      <div class="try-board">${own}</div></div>`);
    const [{ python }, run] = [asleep(), vi.fn()];
    const [built, live] = document.querySelectorAll("figure.board");
    document.querySelector(".try > button").addEventListener("click", run);
    wakeBoard(built, python);
    built.querySelector("[data-action=play]").click();
    await settle();
    expect([run.mock.calls.length, python.state]).toEqual([1, "asleep"]);
    wakeBoard(live, python);
    await settle();
    worker().says({ ready: true });
    expect(request()).toMatchObject({ do: "look", own: true, before: "" });
  });

  test("says what failed, in the board and in Python", async () => {
    const { at, wakes } = await woken();
    await answers({ fault: "KeyError: 3" });
    expect([at(".board-wrong").textContent, at("[data-action=play]").hidden])
      .toEqual(["KeyError: 3", false]);
    wakes();
    await settle();
    worker().says({ broken: "no memory" });
    await settle();
    expect(at(".board-wrong").textContent).toBe("Python could not be started: no memory");
  });
});
