// What stands below a question tells the answer: text and printed results are veiled until it is
// given, from the question to the text below its figures. What can be pressed is not.

import { named } from "../cover.js";

/**
 * @param {Element} part
 * @param {string} selector
 */
const holds = (part, selector) => part.matches(selector) || part.querySelector(selector) !== null;
const MOST_VEILED = 2; // paragraphs and lists below the last figure

/**
 * Find what an open question veils.
 * @param {import("./ask.js").Ask} ask
 * @param {string[]} covered names of all figures that any question covers
 * @returns {() => void} veils it or lifts the veil, as the question stands
 */
export const veil = (ask, covered) => {
  /** @type {HTMLElement[]} */
  const below = [];
  /** @type {Element | null} */
  let part = ask.form.closest(".cell") ?? ask.form;
  for (;;) {
    part = part.nextElementSibling;
    if (!part || part.matches("section") || holds(part, "form.ask, .ask-score")) break;
    below.push(/** @type {HTMLElement} */ (part));
  }
  const figures = ask.data.covers.map(named);
  const first = 1 + below.findLastIndex((one) => figures.some((figure) => figure && one.contains(figure)));
  let end = first;
  while (end < below.length && !holds(below[end], ".try, figure")) end += 1;
  if (below[end]?.matches(".try")) end += 1; // its output
  const all = covered.map(named);
  const isCovered = (/** @type {Element} */ one) => all.some((figure) => one.contains(figure));
  const parts = below.slice(0, end).flatMap((one, i) => {
    if (isCovered(one)) return [];
    if (one.matches(".try, .cell")) {
      return /** @type {HTMLElement[]} */ ([...one.querySelectorAll(".cell_output")]);
    }
    // The words before a cell to change say what to change.
    const isFar = i >= first + MOST_VEILED || below[i + 1]?.matches(".try");
    return isFar || one.matches("script") ? [] : [one];
  });
  return () => parts.forEach((one) => {
    one.inert = ask.isOpen;
    one.classList.toggle("ask-veiled", ask.isOpen);
  });
};
