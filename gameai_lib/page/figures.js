// The figures of a page, and links to a setting of them.

import { mount } from "../touch/figure/figure.js";
import { wished } from "./link.js";

// An equation too wide for the page scrolls in its box, so the keyboard must reach it.
const reachEquations = () => {
  document.querySelectorAll('mjx-container[display="true"]').forEach((one) => {
    const equation = /** @type {HTMLElement} */ (one);
    if (equation.scrollWidth > equation.clientWidth) equation.tabIndex = 0;
  });
};

/** Bring all figures of the document to life. */
export const wakeFigures = () => {
  const figures = new Map();
  document.querySelectorAll("figure.explorable:has(script)").forEach((figure) => {
    figures.set(figure.id, mount(/** @type {HTMLElement} */ (figure)));
  });
  const follow = () => {
    const { id, query } = wished();
    const obey = figures.get(id);
    if (!obey || query === undefined) return;
    obey(query);
    document.getElementById(id)?.scrollIntoView();
  };
  follow();
  window.addEventListener("hashchange", follow);
  window.addEventListener("load", () => {
    /** @type {any} */ (window).MathJax?.startup?.promise?.then(reachEquations);
  });
};
