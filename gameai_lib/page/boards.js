// The boards of a page: each is woken by its button, and then played with the page's Python.

import { mount } from "../touch/board/board.js";
import { Recorded } from "../touch/board/recorded.js";
import { element, parsed, the } from "../touch/dom.js";
import { kept } from "../touch/store.js";
import { wished } from "./link.js";

/** @typedef {import("../touch/board/view.js").State} State */

/**
 * The start that a link asks for, as in #board-morpion?seed=7.
 * @param {string} name
 */
const wishedSeed = (name) => {
  const { id, query } = wished();
  const seed = new URLSearchParams(query ?? "").get("seed") ?? "";
  return id === `board-${name}` && /^\d{1,10}$/.test(seed) ? Number(seed) : null;
};

/**
 * @param {HTMLElement} figure
 * @param {import("./python.js").Python} python
 */
const wake = (figure, python) => {
  const setup = parsed(the(figure, "script.board-data").textContent);
  const memory = kept("played", setup.name);
  const cost = element("span", { className: "board-cost", textContent: python.config.cost });
  const waits = element("span", { className: "board-waits", role: "status" });
  const bar = element("progress", { max: 1, value: 0, hidden: true, "aria-label": "Python is loaded" });
  let before = ""; // the game as text: Python may have forgotten it
  let asks = false;
  /** @type {Recorded | null} what stands for Python while it sleeps */
  let recorded = setup.recorded ? new Recorded(setup.recorded) : null;

  /** @returns {Promise<State>} */
  const ask = (/** @type {any} */ request) => new Promise((resolve, reject) => {
    if (recorded && request.do !== "look") {
      const state = recorded.answer(request);
      before = state.text;
      resolve(state);
      return;
    }
    recorded = null;
    asks = true;
    const pressed = [...figure.querySelectorAll('[data-touch^="show-"][aria-pressed="true"]')];
    const shown = figure.dataset.state === "asleep" ? null
      : pressed.map((one) => String(/** @type {HTMLElement} */ (one).dataset.touch).slice(5));
    const message = { ...request, board: setup.board, options: setup.options, before, shown };
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

  const board = mount(figure, setup, ask, { asleep: "Play here", memory });
  board.view.tools.append(bar, waits, cost);
  if (python.obstacle) board.view.complain(python.obstacle);
  python.watch((state, words, loaded) => {
    cost.hidden = state !== "asleep";
    bar.hidden = state !== "loading" || !asks;
    bar.value = loaded;
    if (asks && state === "loading") waits.textContent = `${words} … ${Math.round(100 * loaded)} %`;
  });
  // A link asks for a certain start; otherwise the last game goes on.
  const begin = () => {
    const seed = wishedSeed(setup.name);
    if (seed === null) return false;
    if (figure.dataset.state !== "asleep") {
      board.request({ do: "new", seed });
      return true;
    }
    setup.options.seed = seed;
    before = "";
    recorded = null;
    return true;
  };
  if (!begin()) before = memory.get() ?? "";
  if (recorded) board.draw(recorded.state);
  window.addEventListener("hashchange", begin);
};

/**
 * Bring all boards of the document to life.
 * @param {import("./python.js").Python} python
 */
export const wakeBoards = (python) => {
  document.querySelectorAll("figure.board").forEach((figure) => {
    wake(/** @type {HTMLElement} */ (figure), python);
  });
};
