// A board to play: it draws what Python answers, and asks Python what a touch does. No rule of any
// game is in here.

import { the } from "../dom.js";
import { BoardView } from "./view.js";

/** @typedef {import("./view.js").State} State */

const STILL = 1000; // milliseconds between pictures of a search, for who wants little motion
const isStill = () => window.matchMedia?.("(prefers-reduced-motion: reduce)").matches;

/**
 * Make a figure playable.
 * @param {HTMLElement} figure
 * @param {{name: string}} setup
 * @param {(request: object) => Promise<State>} ask promises what `Session.answer` says
 * @param {{asleep?: string, memory?: import("../store.js").Memory | null}} [options] what the button
 *   says that wakes Python, if it sleeps; where the game is kept, in a page
 */
export const mount = (figure, setup, ask, { asleep = "", memory = null } = {}) => {
  /** @type {object | null} the search that goes on */
  let search = null;
  let waiting = 0;
  /** @type {Promise<State | null>} */
  let last = Promise.resolve(null);

  /**
   * One request at a time; those that come meanwhile wait. Promises how the board then stands, null
   * if Python failed.
   * @param {object} what
   */
  const request = (what) => {
    waiting += 1;
    figure.dataset.busy = "true";
    last = last.then(async () => {
      /** @type {State | null} */
      let state = null;
      try {
        state = await ask(what);
        draw(state);
      } catch (error) {
        search = null;
        state = null;
        view.complain(String(/** @type {Error} */ (error).message ?? error));
      }
      waiting -= 1;
      if (!waiting) delete figure.dataset.busy;
      return state;
    });
    return last;
  };
  const act = (/** @type {object} */ what) => {
    search = null;
    return request(what);
  };
  let drawn = 0; // when the last picture of a search was
  const draw = (/** @type {State} */ state) => {
    const isSearching = search !== null && state.thinking;
    if (isSearching && isStill() && performance.now() - drawn < STILL) return;
    drawn = performance.now();
    view.draw(state, search !== null);
    if (!state.recorded) memory?.set(state.text);
  };
  const view = new BoardView(figure, {
    touch(name) {
      if (!name.startsWith("show-")) search = null;
      if (!view.state && asleep) view.complain(`Press “${asleep}” first.`);
      else request({ do: "touch", name });
    },
    play: () => act({ do: "look" }),
    undo: () => act({ do: "undo" }),
    begin: () => act({ do: "new" }),
    stop: () => act({ do: "stop" }),
    async think() {
      const own = {}; // another search may begin before this one knows that it has ended
      search = own;
      view.focusStop();
      while (search === own) {
        const state = await request({ do: "think" });
        if (search === own && !state?.thinking) search = null;
      }
      if (!search) view.mark(false);
    },
    async load(text) {
      const state = await act({ do: "load", text });
      return state !== null && !state.wrong;
    },
  }, { name: setup.name, asleep, hasLinks: memory !== null });
  const end = () => { search = null; };
  return { draw, end, request, view };
};

const PATIENCE = 5000; // milliseconds before a kernel that says nothing is suspected

/** The face in a kernel. */
export const render = (/** @type {{model: any, el: HTMLElement}} */ { model, el }) => {
  const setup = model.get("setup");
  el.innerHTML = setup.html; // of touchbook.board, which escapes all words
  const figure = the(el, "figure.board");
  /** @type {Map<string, {resolve: (state: State) => void, reject: (error: Error) => void}>} */
  const waiting = new Map();
  let count = 0;
  const hear = (/** @type {{id: string, answer?: State, fault?: string}} */ { id, answer, fault }) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (fault) asked?.reject(new Error(fault));
    else if (answer) (asked?.resolve ?? board.draw)(answer); // or asked for by another view of this board
  };
  /** @returns {Promise<State>} */
  const ask = (/** @type {object} */ request) => new Promise((resolve, reject) => {
    count += 1;
    const id = `${Math.random()}-${count}`;
    const slow = setTimeout(() => board.view.complain(
      "The kernel has not answered yet: is it busy with a cell, or gone?"), PATIENCE);
    waiting.set(id, {
      resolve(state) { clearTimeout(slow); resolve(state); },
      reject(error) { clearTimeout(slow); reject(error); },
    });
    model.send({ id, request });
  });
  figure.dataset.lmSuppressShortcuts = "true"; // of JupyterLab: "dd" in a field deletes no cell
  const board = mount(figure, setup, ask);
  model.on("msg:custom", hear);
  board.request({ do: "look" });
  return () => model.off("msg:custom", hear);
};
