// How a board looks: the picture that Python draws, and around it words, buttons and what is kept.

import { button, element, the } from "../dom.js";
import { Targets } from "./keys.js";

/**
 * @typedef {object} State what `touchbook.boards.Session.answer` says of a board
 * @property {string} title
 * @property {string} svg
 * @property {string} say
 * @property {[string, string][]} buttons touch and words
 * @property {[string, [string, string][], string][]} selects label, touch and words of each, the touch
 *   that holds
 * @property {[string, string, boolean][]} views touch, words, whether it is open
 * @property {string} begins
 * @property {string} thinks
 * @property {boolean} thinking
 * @property {number | null} done
 * @property {boolean} undoes
 * @property {boolean} can_undo
 * @property {number} seed
 * @property {string} text
 * @property {string} wrong
 * @property {boolean} [recorded] whether it was drawn beforehand, and Python sleeps
 */

/**
 * @typedef {object} Acts what a reader can do
 * @property {(name: string) => void} touch
 * @property {() => void} play
 * @property {() => void} undo
 * @property {() => void} begin
 * @property {() => void} think
 * @property {() => void} stop
 * @property {(text: string) => Promise<boolean>} load whether it was a game
 */

const LONGEST_LINK = 1500; // characters that every program takes

/** The game as text, with the buttons that keep it and bring it back.
 * @param {() => string} text
 * @param {(text: string) => Promise<boolean>} load
 */
const keeper = (text, load) => {
  const field = element("textarea", { rows: 4, spellcheck: false, "aria-label": "The game as text" });
  // The page's and the notebook's own shortcuts are not for what is typed here.
  field.addEventListener("keydown", (event) => event.stopPropagation());
  const said = element("span", { className: "board-kept", role: "status" });
  const seed = element("span", { className: "board-seed" });
  const saving = button("save", "Save", async () => {
    field.value = text();
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      said.textContent = "The game is in the field, and copied.";
    } catch { // the browser allows no copying here
      said.textContent = "The game is in the field: copy it from there.";
    }
  });
  const loading = button("load", "Load", async () => {
    said.textContent = (await load(field.value)) ? "Loaded." : "";
  });
  const box = element("details", { className: "board-keep" },
    element("summary", { textContent: "Save, load, link" }), field,
    element("div", { className: "board-tools" }, saving, loading, said), seed);
  return { box, seed };
};

export class BoardView {
  /**
   * @param {HTMLElement} figure of `touchbook.board`
   * @param {Acts} acts
   * @param {{name: string, asleep: string, hasLinks: boolean}} options
   */
  constructor(figure, acts, { name, asleep, hasLinks }) {
    this.figure = figure;
    this.acts = acts;
    this.name = name;
    this.hasLinks = hasLinks;
    /** @type {State | null} */
    this.state = null;
    this.choices = ""; // as they were drawn
    this.standing = ""; // the same without what holds
    this.picture = the(figure, ".board-picture");
    this.title = the(figure, ".board-title");
    this.words = the(figure, ".board-say");
    this.words.setAttribute("aria-live", "polite");
    this.targets = new Targets(this.picture, acts.touch);
    this.buttons = {
      play: button("play", asleep || "Play", acts.play),
      undo: button("undo", "Undo", acts.undo),
      new: button("new", "New game", acts.begin),
      think: button("think", "Think", acts.think),
      stop: button("stop", "Stop", acts.stop),
      larger: button("larger", "Larger", () => this.enlarge()),
    };
    this.buttons.play.hidden = !asleep;
    this.bar = element("progress", { max: 1, hidden: true, "aria-label": "Progress" });
    this.tools = element("div", { className: "board-tools" }, ...Object.values(this.buttons), this.bar);
    this.more = element("div", { className: "board-more" });
    this.views = element("div", { className: "board-views" });
    this.wrong = element("p", { className: "board-wrong", role: "alert", hidden: true });
    this.picture.after(this.more, this.tools, this.views, this.wrong);
    this.keeper = keeper(() => this.state?.text ?? "", async (text) => {
      const isGame = await acts.load(text);
      if (!isGame) this.wrong.scrollIntoView?.({ block: "center" });
      return isGame;
    });
    figure.append(this.keeper.box);
    // Drawn over the picture: an outline of a shape would be hidden by the shapes after it.
    this.ring = element("div", { className: "board-focus", hidden: true });
    for (const event of ["focusin", "focusout"]) {
      this.picture.addEventListener(event, () => requestAnimationFrame(() => this.circle()));
    }
    new ResizeObserver(() => {
      this.circle();
      this.offerLarger();
    }).observe(this.picture);
    this.offerLarger();
    this.mark(false);
  }

  /** Say what was wrong; nothing if the words are empty. */
  complain(/** @type {string} */ words) {
    this.wrong.textContent = words;
    this.wrong.hidden = !words;
  }

  /** Offer to enlarge a board that is too small for fingers, and slides then. */
  offerLarger() {
    const svg = this.picture.querySelector("svg");
    const least = Number.parseFloat(svg?.style.getPropertyValue("--least") || "0");
    const { clientWidth } = this.picture; // 0 before it is laid out
    this.buttons.larger.hidden = least <= clientWidth || !clientWidth;
  }

  enlarge() {
    const isLarge = this.figure.toggleAttribute("data-large");
    this.buttons.larger.textContent = isLarge ? "Whole board" : "Larger";
    const { scrollWidth, clientWidth } = this.picture;
    this.picture.scrollLeft = (scrollWidth - clientWidth) / 2;
  }

  /** Draw a ring around the target that has the keyboard's focus. */
  circle() {
    const target = document.activeElement;
    const { picture, ring } = this;
    ring.hidden = !(target && picture.contains(target) && target.matches("[data-touch]:focus-visible"));
    if (ring.hidden || !target) return;
    const [inner, outer] = [target.getBoundingClientRect(), picture.getBoundingClientRect()];
    Object.assign(ring.style, {
      left: `${inner.x - outer.x - picture.clientLeft + picture.scrollLeft}px`,
      top: `${inner.y - outer.y - picture.clientTop}px`,
      width: `${inner.width}px`,
      height: `${inner.height}px`,
    });
    picture.append(ring);
  }

  /** Show which buttons can be pressed now. */
  mark(/** @type {boolean} */ thinking) {
    const { state, buttons } = this;
    const live = Boolean(state && !state.recorded);
    for (const part of [buttons.new, this.keeper.box]) part.hidden = !live;
    for (const part of [this.more, this.views]) part.hidden = !state;
    buttons.undo.hidden = !state?.undoes;
    buttons.undo.setAttribute("aria-disabled", String(!state?.can_undo));
    buttons.think.hidden = !state?.thinks || thinking;
    if (!thinking && document.activeElement === buttons.stop) {
      // An Enter that was meant for Stop must begin no new game.
      (buttons.think.hidden ? this.targets.entered : buttons.think)?.focus({ preventScroll: true });
    }
    buttons.stop.hidden = !thinking;
    this.bar.hidden = !thinking;
    this.figure.dataset.state = thinking ? "thinking" : live ? "ready" : "asleep";
  }

  /** Give the Stop button the focus that the Think button had. */
  focusStop() {
    this.buttons.stop.hidden = false;
    this.buttons.stop.focus();
  }

  /** Where the control that has the focus is in the window; null if it is in the picture. */
  get focusedTop() {
    const focused = document.activeElement;
    const isControl = this.figure.contains(focused) && !this.picture.contains(focused);
    return isControl ? /** @type {Element} */ (focused).getBoundingClientRect().top : null;
  }

  draw(/** @type {State} */ state, /** @type {boolean} */ thinking) {
    const top = this.focusedTop;
    const wakes = !state.recorded && (!this.state || this.state.recorded);
    if (this.state?.svg !== state.svg) this.drawPicture(state.svg);
    this.state = state;
    this.title.textContent = state.title;
    if (this.words.textContent !== state.say) this.words.textContent = state.say;
    this.complain(state.wrong);
    this.buttons.new.textContent = state.begins;
    this.buttons.think.textContent = state.thinks;
    this.drawChoices(state, thinking);
    if (state.done === null) this.bar.removeAttribute("value");
    else this.bar.value = state.done;
    this.keeper.seed.replaceChildren(`Seed ${state.seed}. `, ...this.links(state));
    const { play } = this.buttons;
    if (wakes && !play.hidden) {
      // Some browsers give a button that is pressed no focus.
      const had = [play, document.body].includes(/** @type {any} */ (document.activeElement));
      play.hidden = true;
      const { entered } = this.targets;
      if (had) entered?.focus({ preventScroll: true });
      if (had && entered?.matches(":focus-visible")) entered.scrollIntoView({ block: "nearest" });
    }
    this.mark(thinking);
    // A picture that grows would push the button that was pressed out of the window.
    const moved = top === null ? 0 : (this.focusedTop ?? top) - top;
    if (moved) window.scrollBy(0, moved);
  }

  /** Links to the start of this game, and to the game as it stands if that is short enough. */
  links(/** @type {State} */ { seed, text }) {
    if (!this.hasLinks) return [];
    const link = (/** @type {string} */ query, /** @type {string} */ textContent) =>
      element("a", { href: `#board-${this.name}?${query}`, textContent });
    const now = new URLSearchParams({ game: text }).toString();
    return [link(`seed=${seed}`, "Link to this game’s start"),
      ...(now.length < LONGEST_LINK ? [" · ", link(now, "Link to the game as it stands")] : [])];
  }

  drawPicture(/** @type {string} */ svg) {
    const { picture } = this;
    this.targets.keepThrough(() => {
      const { scrollLeft } = picture;
      picture.innerHTML = svg; // made by touchbook.board.svg, which escapes all words
      picture.scrollLeft = scrollLeft;
    });
    this.circle();
  }

  /** Draw the board's own buttons and choices; one that had the focus has it again. */
  drawChoices(/** @type {State} */ { buttons, selects, views }, /** @type {boolean} */ thinking) {
    const choices = JSON.stringify([buttons, selects, views]);
    if (thinking && choices === this.choices) return; // a list that is open would close
    this.choices = choices;
    const standing = JSON.stringify([buttons, selects.map(([words, list]) => [words, list]),
      views.map(([name, words]) => [name, words])]);
    if (standing === this.standing) { // whoever types in a list can go on
      this.more.querySelectorAll("select").forEach((one, k) => { one.value = selects[k][2]; });
      [...this.views.children].forEach((one, k) => one.setAttribute("aria-pressed", String(views[k][2])));
      return;
    }
    this.standing = standing;
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    const had = [this.more, this.views].some((place) => place.contains(focused))
      ? focused?.dataset.touch : undefined;
    this.more.replaceChildren(
      ...buttons.map(([name, words]) => this.touchButton(name, words)),
      ...selects.map((select) => this.select(...select)),
    );
    this.views.replaceChildren(...views.map(([name, words, isOpen]) =>
      this.touchButton(name, words, { "aria-pressed": isOpen })));
    if (had === undefined) return;
    const places = [this.more, this.views].flatMap((place) =>
      /** @type {HTMLElement[]} */ ([...place.querySelectorAll("[data-touch]")]));
    const same = places.find((other) => other.dataset.touch === had);
    (same ?? this.targets.entered)?.focus({ preventScroll: true });
  }

  /**
   * @param {string} name
   * @param {string} words
   * @param {Record<string, unknown>} [more]
   */
  touchButton(name, words, more = {}) {
    const made = element("button", {
      type: "button", textContent: words, "data-touch": name, ...more });
    made.addEventListener("click", () => this.acts.touch(name));
    return made;
  }

  /**
   * @param {string} words
   * @param {[string, string][]} choices
   * @param {string} current
   */
  select(words, choices, current) {
    const options = choices.map(([value, name]) =>
      element("option", { value, textContent: name, selected: value === current }));
    const made = element("select", { "data-touch": words }, ...options);
    made.addEventListener("change", () => this.acts.touch(made.value));
    return element("label", {}, `${words} `, made);
  }
}
