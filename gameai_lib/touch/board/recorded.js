// The short runs of a board that were drawn while the book was built: what its controls do before
// Python is awake.

/** @typedef {import("./view.js").State} State */

export class Recorded {
  /** @param {Record<string, State>} states by the touches from the start, with spaces between */
  constructor(states) {
    this.states = states;
    /** @type {string[]} */
    this.touches = [];
  }

  /** How the board stands. */
  get state() {
    return { ...this.states[this.touches.join(" ")], can_undo: this.touches.length > 0 };
  }

  /**
   * What a touch does, or taking one back. A touch with which no run goes on begins the one that
   * starts with it.
   * @param {{do?: string, name?: string}} request
   * @returns {State}
   */
  answer({ do: what, name = "" }) {
    const wished = what === "touch" ? [[...this.touches, name], [name]] : [this.touches.slice(0, -1)];
    const next = wished.find((touches) => this.states[touches.join(" ")]);
    if (!next) {
      const wrong = "This was not drawn beforehand: press “Play here”, and it goes on from here.";
      return { ...this.state, wrong };
    }
    this.touches = next;
    return this.state;
  }
}
