// Cells to change and exercises: an editor over each, run by the page's Python. What a reader types
// or a cell prints is shown as text only.

import { button, element, parsed, the, whenLoaded } from "../dom.js";
import { notePass } from "../page/progress.js";
import { kept } from "../store.js";

/** @typedef {import("../page/python.js").Python} Python */
/** @typedef {import("../page/python.js").Job} Job */
/** @typedef {{text: string, focus: () => void}} Editor */
/** @typedef {(options: {parent: HTMLElement, text: string, label: string,
 *   onChange: (text: string) => void, onRun: () => void}) => Editor} CreateEditor */
/** @typedef {(figure: HTMLElement) => () => void} WakeBoard returns what ends the board */

/** @type {Record<string, string>} */
const WORDS = { passed: "✓ Right.", failed: "✗ Not yet.", error: "✗ An error.", idle: "", running: "runs …",
  typed: "This is your code of last time. Run it: what stands below is not its output." };

class Cell {
  /**
   * @param {HTMLElement} box
   * @param {Python} python
   * @param {WakeBoard} wakeBoard
   */
  constructor(box, python, wakeBoard) {
    this.box = box;
    this.python = python;
    this.wakeBoard = wakeBoard;
    this.place = element("div", { className: "try-board" }); // of a board that the cell makes
    this.endBoard = () => {};
    this.data = parsed(the(box, "script.try-data").textContent);
    this.memory = kept("typed", this.data.name); // what was typed stays in this browser
    this.code = the(box, ".cell_input");
    this.built = /** @type {HTMLElement | null} */ (box.querySelector(".cell_output"));
    this.output = the(box, ".try-output");
    this.output.after(this.place);
    this.status = element("span", { className: "try-status", role: "status" });
    this.bar = element("progress", { max: 1, value: 0, hidden: true, "aria-label": "Python is loaded" });
    /** @type {string | null} what the reader had typed, while the solution shows */
    this.typed = null;
    /** @type {Editor} */
    this.editor = { text: this.memory.get() ?? this.data.code, focus: () => this.code.focus() };
    /** @type {Job | null} */
    this.job = null;
    this.buttons = this.makeButtons();
    this.code.after(element("div", { className: "try-tools" },
      ...Object.values(this.buttons), this.bar, this.status, ...this.more()));
    python.watch((state, words, loaded) => {
      this.bar.hidden = state !== "loading" || !this.job;
      this.bar.value = loaded;
      if (this.job && state === "loading") this.status.textContent = words;
    });
    const isTyped = this.built && this.editor.text !== this.data.code;
    this.show("idle", isTyped ? WORDS.typed : "");
  }

  /** @returns {Record<string, HTMLButtonElement>} */
  makeButtons() {
    const { check, solution } = this.data;
    return {
      run: button("run", "Run", () => this.start("")),
      ...(check && { check: button("check", "Check", () => this.start(check)) }),
      stop: button("stop", "Stop", () => this.stop()),
      reset: button("reset", "Reset", () => this.reset()),
      ...(solution && { solution: button("solution", "Solution", () => this.toggleSolution()) }),
    };
  }

  /** What most readers never ask for, in the corner of the cell. */
  more() {
    const { preparation, check } = this.data;
    /** @type {[string, string][]} */
    const parts = [["It uses, from earlier cells:", preparation], ["It is checked by:", check]];
    const said = parts.filter(([, text]) => text).flatMap(([label, text]) =>
      [element("p", { textContent: label }), element("pre", { textContent: text })]);
    if (!said.length) return [];
    const summary = element("summary", { textContent: "⋯", title: "More about this cell",
      "aria-label": "More about this cell" });
    return [element("details", { className: "try-more" }, summary, ...said)];
  }

  show(/** @type {string} */ state, words = WORDS[state]) {
    const { run, check, stop } = this.buttons;
    const isRunning = state === "running";
    this.box.dataset.state = state;
    this.status.textContent = words;
    // A hidden button would lose the keyboard's focus.
    if (!isRunning && document.activeElement === stop) run.focus();
    stop.hidden = !isRunning;
    for (const one of [run, check]) one?.setAttribute("aria-disabled", String(isRunning));
    if (!isRunning) this.bar.hidden = true;
  }

  start(/** @type {string} */ check) {
    if (this.job) return;
    const { preparation, name } = this.data;
    this.job = {
      message: { run: { code: this.editor.text, preparation, check, label: name } },
      begin: (words) => {
        this.show("running", words || WORDS.running);
        this.bar.hidden = this.python.state !== "loading";
      },
      print: (text) => this.output.append(text),
      end: ({ state, error, words, board }) => {
        this.job = null;
        this.output.style.minHeight = "";
        if (board) this.playBoard(board);
        if (error) this.output.append(element("span", { className: "try-error", textContent: error }));
        if (state === "passed") notePass(name);
        const isSilent = state === "idle" && !this.output.textContent && !board;
        this.show(state, words ?? (isSilent ? "Done; nothing was printed." : undefined));
      },
    };
    // What stands below keeps its place until there is something to read.
    const { offsetHeight } = this.built?.hidden === false ? this.built : this.output;
    this.clear();
    this.output.style.minHeight = `${offsetHeight}px`;
    if (this.built) this.built.hidden = true;
    this.python.run(this.job);
  }

  clear() {
    this.output.replaceChildren();
    this.endBoard();
    this.place.replaceChildren();
  }

  playBoard(/** @type {string} */ html) {
    this.place.innerHTML = html; // of touchbook.board, which escapes all words
    this.endBoard = this.wakeBoard(the(this.place, "figure.board"));
  }

  stop() {
    if (this.job) this.python.stop(this.job);
  }

  reset() {
    this.stop();
    this.typed = null;
    this.editor.text = this.data.code;
    this.memory.forget(); // after the editor has told of its change
    this.clear();
    if (this.built) this.built.hidden = false;
    if (this.buttons.solution) this.buttons.solution.textContent = "Solution";
    this.show("idle");
    this.editor.focus();
  }

  /** Put the solution in the place of what was typed, or bring that back. */
  toggleSolution() {
    this.stop();
    this.clear(); // it was about the other code
    const isShown = this.typed === null;
    this.show("idle", isShown ? "The book's solution; more stands folded below." : "");
    if (this.typed === null) {
      this.typed = this.editor.text;
      this.editor.text = this.data.solution;
    } else {
      this.editor.text = this.typed;
      this.typed = null;
    }
    this.buttons.solution.textContent = isShown ? "Back to mine" : "Solution";
  }

  /** Put the editor in the place of the code. */
  edit(/** @type {CreateEditor} */ create) {
    const place = element("div", { className: "try-editor" });
    this.code.before(place);
    // The page's shortcuts, such as "/" for its search, are not for what is typed here.
    place.addEventListener("keydown", (event) => event.stopPropagation());
    this.code.hidden = true;
    this.editor = create({
      parent: place, text: this.editor.text, label: `Python code: ${this.data.title}`,
      onChange: (text) => {
        if (this.typed === null) this.memory.set(text);
      },
      onRun: () => this.start(this.data.check),
    });
  }
}

/**
 * Bring all cells to change of the document to life.
 * @param {Python} python
 * @param {URL} here the folder of the editor
 * @param {WakeBoard} wakeBoard
 */
export const wakeCells = (python, here, wakeBoard) => {
  const boxes = [...document.querySelectorAll("div.try")];
  if (!boxes.length) return;
  const cells = boxes.map((box) => new Cell(/** @type {HTMLElement} */ (box), python, wakeBoard));
  const load = async () => {
    try {
      const { createEditor } = await import(new URL("editor.js", here).href);
      cells.forEach((cell) => cell.edit(createEditor));
    } catch { // a page that is not served cannot load the editor; its code stays as it was built
      cells.filter((cell) => !cell.job).forEach((cell) => {
        cell.status.textContent = python.obstacle;
      });
    }
  };
  whenLoaded(() => {
    if ("requestIdleCallback" in window) requestIdleCallback(load, { timeout: 1000 });
    else setTimeout(load, 200);
  });
};
