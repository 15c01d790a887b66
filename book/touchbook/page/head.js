// The switches at the head of a page. What they say is remembered for all pages.

import { element } from "../dom.js";
import { keptForAll } from "../store.js";

/**
 * Add a switch below the page's title.
 * @param {string} name
 * @param {string} text
 * @param {boolean} isOn unless the reader said otherwise
 * @param {(isOn: boolean) => void} show
 * @returns {(isOn: boolean) => void} turns it
 */
export const addSwitch = (name, text, isOn, show) => {
  const memory = keptForAll(name);
  const box = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox" }));
  const turn = (/** @type {boolean} */ to) => {
    box.checked = to;
    if (to === isOn) memory.forget();
    else memory.set(to ? "on" : "off");
    show(to);
  };
  box.addEventListener("change", () => turn(box.checked));
  let place = document.querySelector(".page-switches");
  if (!place) {
    place = element("div", { className: "page-switches" });
    // The theme has another title that only paper shows.
    (document.querySelector("article h1") ?? document.querySelector("main h1"))?.after(place);
  }
  place.append(element("label", {}, box, element("span", { textContent: text })));
  turn(({ on: true, off: false })[memory.get() ?? ""] ?? isOn);
  return turn;
};

/** Folds in the table of contents get a name, which the theme leaves out. */
export const nameFolds = () => {
  document.querySelectorAll("summary:has(> .toctree-toggle)").forEach((fold) => {
    fold.setAttribute("aria-label", "Pages of this chapter");
  });
};

/** The theme heeds the first button for a page's contents alone, which a phone does not show. */
export const passContents = () => {
  const [first, ...others] = document.querySelectorAll(".secondary-toggle");
  others.forEach((other) => {
    other.addEventListener("click", () => /** @type {HTMLElement} */ (first).click());
  });
};

/** The code of cells that only draw, on a page that has such. */
export const wakeCode = () => {
  const folds = document.querySelectorAll(".tag_hide-input details.hide");
  if (!folds.length) return;
  addSwitch("code", "Show the code behind pictures", false, (isOn) => {
    document.documentElement.toggleAttribute("data-code", isOn);
    folds.forEach((fold) => { /** @type {HTMLDetailsElement} */ (fold).open = isOn; });
  });
};
