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
    const { touches } = this;
    const state = this.states[touches.join(" ")];
    const thinks = this.after("think") ? state.thinks : "";
    return { ...state, thinks, thinking: false, can_undo: touches.length > 0 };
  }

  /** The views that touches have opened, or closed. */
  get opened() {
    return this.touches.filter((touch) => touch.startsWith("show-")).map((touch) => touch.slice(5));
  }

  /** The other runs after which the board looks and says the same. */
  get alike() {
    const now = this.touches.join(" ");
    const { svg, say, views } = this.states[now];
    return Object.entries(this.states)
      .filter(([run, state]) => run !== now && state.svg === svg && state.say === say
        && String(state.views) === String(views))
      .map(([run]) => run.split(" ").filter(Boolean));
  }

  /** The touches up to the last move, which thinking may have made as well. */
  get rested() {
    const { touches, states } = this;
    const text = (/** @type {number} */ n) => states[touches.slice(0, n).join(" ")]?.text;
    let n = touches.length;
    while (n && touches[n - 1] === "think" && text(n) === text(n - 1)) n -= 1;
    return touches.slice(0, n);
  }

  /**
   * The run that goes on with a touch, from here or from where the board looks and says the same, or
   * has it in the place of the last one, or begins with it.
   * Thinking that is at its end begins again where it began; other steps that were made several
   * times in a row end there.
   * @param {string} name
   */
  after(name) {
    const now = this.touches.join(" ");
    const isAtItsEnd = [-1, -2].every((k) => this.touches.at(k) === name) && !name.startsWith("show-");
    const others = name === "think" ? [this.rested]
      : isAtItsEnd ? [] : [...this.alike, this.touches.slice(0, -1), []];
    const runs = [this.touches, ...others].map((run) => [...run, name]);
    return runs.find((run) => this.states[run.join(" ")] && run.join(" ") !== now);
  }

  /**
   * What a touch does, thinking, or taking one back.
   * @param {{do?: string, name?: string}} request
   * @returns {State}
   */
  answer({ do: what, name = "" }) {
    if (what === "stop") return this.state;
    if (what === "think") {
      this.touches = this.after("think") ?? this.touches;
      const { thinking } = this.states[this.touches.join(" ")];
      return { ...this.state, thinking: thinking && [...this.touches, "think"].join(" ") in this.states };
    }
    const next = what === "touch" ? this.after(name)
      : this.rested.length < this.touches.length ? this.rested : this.touches.slice(0, -1);
    if (!next) {
      const wrong = "For this the page needs Python: press “Play here”, and the game goes on from here.";
      return { ...this.state, wrong };
    }
    const made = this.touches.filter((touch) => !touch.startsWith("show-"));
    const begins = what === "touch" && next.length === 1 && made.length > 0;
    this.touches = next;
    const { state } = this;
    return begins ? { ...state, say: `From the start again. ${state.say}` } : state;
  }
}
