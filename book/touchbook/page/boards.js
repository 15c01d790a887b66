// The boards of a page: each is woken by its button, and then played with the page's Python.

import { mount } from "../board/board.js";
import { Recorded } from "../board/recorded.js";
import { element, parsed, the } from "../dom.js";
import { kept } from "../store.js";
import { Carried } from "./beside.js";
import { wished } from "./link.js";
import { noteTouch } from "./progress.js";

/** @typedef {import("../board/view.js").State} State */

const PACE = 250; // milliseconds between pictures of a recorded search
const MOVES = /^touches: *\S/m; // of a game as text that has begun
const KEPT = "Your last game is kept: “Play here” goes on with it.";
const LINKED = "The game of your link waits: press “Play here”.";

/** What a link asks for: a start, as in #board-morpion?seed=7, or a game as text. */
const wishedGame = (/** @type {string} */ name) => {
  const { id, query } = wished();
  const asked = new URLSearchParams(id === `board-${name}` ? query : "");
  const seed = asked.get("seed") ?? "";
  return { text: asked.get("game"), seed: /^\d{1,10}$/.test(seed) ? Number(seed) : null };
};

/**
 * Bring a board to life; returns what ends it.
 * @param {HTMLElement} figure
 * @param {import("./python.js").Python} python
 */
export const wakeBoard = (figure, python) => {
  const setup = parsed(the(figure, "script.board-data").textContent);
  const isMade = figure.closest(".try-board") !== null; // by a cell that was run in the page
  /** @type {HTMLElement | null} the cell that alone can make this board */
  const cell = setup.own && !isMade ? figure.closest(".try") : null;
  const memory = setup.own || isMade ? null : kept("played", setup.name);
  const waits = element("span", { className: "board-waits", role: "status" });
  const bar = element("progress", { max: 1, value: 0, hidden: true, "aria-label": "Python is loaded" });
  let before = ""; // the game as text: Python may have forgotten it
  let isKept = false; // whether it is one that was played before, which no recorded run replaces
  let asks = false;
  /** @type {HTMLElement | null} */
  const script = figure.querySelector("script.board-recorded");
  let records = script && new Carried(script); // stand for Python while it sleeps
  /** @type {Recorded | null} */
  let recorded = null;
  let missed = ""; // a touch that was not drawn beforehand: what Python does first when it wakes

  /** @returns {Promise<State>} */
  const ask = async (/** @type {any} */ request) => {
    if (memory && request.do !== "look") noteTouch(setup.name);
    if (!records) return askPython(request);
    if (request.do === "look") return askPython(missed ? { do: "touch", name: missed } : request);
    recorded ??= new Recorded(await records.get());
    const state = recorded.answer(request);
    if (state.wrong && python.state === "ready") { // it runs for another
      return askPython(isKept ? { do: "look" } : request);
    }
    if (!isKept) [before, missed] = [state.text, state.wrong ? request.name ?? "" : ""];
    await new Promise((done) => setTimeout(done, request.do === "think" ? PACE : 0));
    return state;
  };

  /** @returns {Promise<State>} */
  const askPython = (/** @type {any} */ request) => new Promise((resolve, reject) => {
    if (cell) {
      /** @type {HTMLElement | null} */ (cell.querySelector("button[data-action=run]"))?.click();
      reject(new Error(""));
      return;
    }
    records = null;
    asks = true;
    const pressed = [...figure.querySelectorAll('[data-touch^="show-"][aria-pressed="true"]')];
    const shown = figure.dataset.state === "asleep" ? null
      : pressed.map((one) => String(/** @type {HTMLElement} */ (one).dataset.touch).slice(5));
    const opened = shown ? [] : recorded?.opened ?? [];
    const { board: address, options } = setup;
    const own = isMade && { own: true };
    const message = { ...request, ...own, board: address, options, before, shown, opened };
    python.run({
      message: { board: { name: setup.name, request: JSON.stringify(message) } },
      begin(words) {
        waits.textContent = words;
        bar.hidden = python.state !== "loading";
      },
      end({ error, answer }) {
        asks = false;
        waits.textContent = "";
        bar.hidden = true;
        const state = answer ? JSON.parse(answer) : { fault: error };
        if (state.fault) {
          reject(new Error(state.fault));
          return;
        }
        before = state.text;
        resolve(state);
      },
    });
  });

  const asleep = isMade || (setup.own && !cell) ? "" : "Play here";
  const board = mount(figure, setup, ask, { asleep, memory });
  board.view.tools.append(bar, waits);
  if (python.obstacle) board.view.complain(python.obstacle);
  python.watch((state, words, loaded) => {
    bar.hidden = state !== "loading" || !asks;
    bar.value = loaded;
    if (asks && state === "loading") waits.textContent = words;
  });
  // A link asks for a certain start; otherwise the last game goes on.
  const begin = () => {
    const { seed, text } = wishedGame(setup.name);
    if (seed === null && text === null) return false;
    figure.scrollIntoView(); // the address names the board and more, which a browser cannot follow
    if (figure.dataset.state !== "asleep") {
      board.request(text === null ? { do: "new", seed } : { do: "load", text });
      return true;
    }
    if (seed !== null) setup.options.seed = seed;
    before = text ?? "";
    records = null;
    waits.textContent = LINKED;
    return true;
  };
  if (isMade) board.request({ do: "look" });
  else if (!begin()) {
    before = memory?.get() ?? "";
    isKept = MOVES.test(before);
    waits.textContent = isKept ? KEPT : "";
  }
  if (records) { // what stands around the picture is in the page, the others may be on their way
    const first = { ...setup.first, svg: the(figure, ".board-picture").innerHTML };
    board.draw({ ...new Recorded({ "": first }).state, thinks: first.thinks });
  }
  if (memory) window.addEventListener("hashchange", begin);
  return board.end;
};

/** Bring all boards of the document to life. */
export const wakeBoards = (/** @type {import("./python.js").Python} */ python) => {
  document.querySelectorAll("figure.board").forEach((figure) => {
    wakeBoard(/** @type {HTMLElement} */ (figure), python);
  });
};
