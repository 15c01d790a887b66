// A figure of the built book: native controls pick one of the pictures drawn beforehand.

import { parsed, the } from "../dom.js";
import { paint } from "./dark.js";

/** @typedef {{pictures: string[], frames: [number, string][]}} Frames */
/**
 * @typedef {object} Carrier what has the frames, or fetches them
 * @property {Frames | null} data
 * @property {Promise<unknown>} there
 * @property {() => Promise<Frames>} get
 */
/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

const position = (/** @type {Control} */ control) => {
  if (control instanceof HTMLSelectElement) return control.selectedIndex;
  return control.type === "checkbox" ? Number(control.checked) : Number(control.value);
};

const moveTo = (/** @type {Control} */ control, /** @type {number} */ at) => {
  if (control instanceof HTMLSelectElement) control.selectedIndex = at;
  else if (control.type === "checkbox") control.checked = at === 1;
  else control.value = String(at);
};

/** The values of a control, as a reader sees them.
 * @param {Control} control
 * @returns {string[]}
 */
const textsOf = (control) => parsed(control.dataset.texts);

/**
 * The place of a frame: they are stored with the last control moving fastest.
 * @param {number[]} positions of the controls
 * @param {number[]} sizes how many values each of them has
 */
const frameAt = (positions, sizes) =>
  positions.reduce((at, position, i) => at * sizes[i] + position, 0);

const PACE = 700; // milliseconds a frame

/**
 * A button that steps through the values of a control.
 * @param {HTMLElement} button
 * @param {Control} control
 * @param {HTMLElement} words of the figure
 * @param {() => void} show
 */
const playing = (button, control, words, show) => {
  const last = textsOf(control).length - 1;
  const name = String(button.getAttribute("aria-label")).replace(/^Play/, "");
  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    button.textContent = "▶";
    button.setAttribute("aria-label", `Play${name}`);
    words.setAttribute("aria-live", "polite");
  };
  const step = () => {
    moveTo(control, position(control) + 1);
    show();
    if (position(control) >= last) stop();
  };
  button.addEventListener("click", () => {
    if (timer) {
      stop();
      return;
    }
    if (position(control) >= last) moveTo(control, 0);
    // A screen reader should not have to follow every step.
    words.setAttribute("aria-live", "off");
    button.textContent = "⏸";
    button.setAttribute("aria-label", `Pause${name}`);
    show();
    timer = window.setInterval(step, PACE);
  });
  control.addEventListener("pointerdown", () => timer && stop());
};

/**
 * Bring a figure to life.
 * @param {HTMLElement} figure
 * @param {Carrier} carrier
 * @returns {(query: string) => void} moves its controls as a link says
 */
export const mount = (figure, carrier) => {
  const picture = /** @type {HTMLImageElement} */ (the(figure, "img"));
  const words = the(figure, ".explorable-live");
  const controls = /** @type {Control[]} */ ([...figure.querySelectorAll("[data-name]")]);
  const texts = controls.map(textsOf);

  const show = () => {
    controls.forEach((control, i) => {
      if (control.type !== "range") return;
      const text = texts[i][position(control)];
      control.setAttribute("aria-valuetext", text);
      /** @type {Element} */ (control.nextElementSibling).textContent = text;
    });
    if (!carrier.data) {
      carrier.get().then(show, () => { words.textContent = "This picture could not be loaded."; });
      return;
    }
    const at = frameAt(controls.map(position), texts.map((values) => values.length));
    const [source, alt] = carrier.data.frames[at];
    paint(picture, carrier.data.pictures[source]);
    picture.alt = alt;
    words.textContent = alt;
  };
  const remember = () => {
    const query = controls.map((control, i) =>
      `${control.dataset.name}=${encodeURIComponent(texts[i][position(control)])}`);
    history.replaceState(null, "", `#${figure.id}?${query.join("&")}`);
  };

  controls.forEach((control) => {
    control.addEventListener("input", show);
    control.addEventListener("change", () => {
      show();
      remember();
    });
  });
  figure.querySelectorAll("button[data-plays]").forEach((one) => {
    const button = /** @type {HTMLElement} */ (one);
    playing(button, /** @type {Control} */ (the(figure, `#${button.dataset.plays}`)), words, show);
  });
  the(figure, ".explorable-controls").hidden = false;
  // A browser may have restored controls from an earlier visit.
  if (carrier.data) show();
  else carrier.there.then(show);
  return (query) => {
    const wanted = new URLSearchParams(query);
    controls.forEach((control, i) => {
      const at = texts[i].indexOf(String(wanted.get(String(control.dataset.name))));
      if (at >= 0) moveTo(control, at);
    });
    show();
  };
};
