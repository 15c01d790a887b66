// The figures of a page, and links to a setting of them.

import { the, whenLoaded } from "../dom.js";
import { followTheme } from "../figure/dark.js";
import { mount } from "../figure/figure.js";
import { Carried } from "./beside.js";
import { wished } from "./link.js";

// An equation too wide for the page scrolls in its box, so the keyboard must reach it.
const reachEquations = () => {
  document.querySelectorAll("div.math").forEach((one) => {
    const equation = /** @type {HTMLElement} */ (one);
    if (equation.scrollWidth > equation.clientWidth) equation.tabIndex = 0;
  });
};

/** Bring all figures of the document to life. */
export const wakeFigures = () => {
  document.querySelectorAll(":is(figure.explorable, .ask-picture) img").forEach((img) => {
    followTheme(/** @type {HTMLImageElement} */ (img));
  });
  const figures = new Map();
  document.querySelectorAll("figure.explorable:has(script)").forEach((figure) => {
    const one = /** @type {HTMLElement} */ (figure);
    figures.set(figure.id, mount(one, new Carried(the(one, "script"))));
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
  whenLoaded(() => {
    document.querySelectorAll("img[loading=lazy]").forEach((one) => {
      /** @type {HTMLImageElement} */ (one).loading = "eager"; // the line may go
    });
    reachEquations();
  });
};
