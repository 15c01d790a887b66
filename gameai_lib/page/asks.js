// The questions of a page, with the figures that they cover and the score at its end.

import { Ask } from "../touch/ask/ask.js";
import { score } from "../touch/ask/score.js";
import { veil } from "../touch/ask/veil.js";
import { coverable, named } from "../touch/cover.js";
import { kept } from "../touch/store.js";

/** Bring all questions of the document to life. */
export const wakeAsks = () => {
  /** @type {(() => void)[]} */
  const shown = [];
  const refresh = () => shown.forEach((show) => show());
  const asks = [...document.querySelectorAll("form.ask")].map((one) => {
    const form = /** @type {HTMLFormElement} */ (one);
    return new Ask(form, kept("asked", String(form.dataset.ask)), refresh);
  });
  const asked = (/** @type {Ask[]} */ those) => those.map((ask) =>
    ({ name: ask.name, html: ask.question.innerHTML, status: ask.status ?? "open" }));

  const covered = [...new Set(asks.flatMap((ask) => ask.data.covers))];
  covered.forEach((name) => {
    const figure = named(name);
    if (!figure) return;
    const open = () => asks.filter((ask) => ask.isOpen && ask.data.covers.includes(name));
    const show = coverable(figure, () => open().forEach((ask) => ask.pass()));
    shown.push(() => show(asked(open())));
  });
  asks.forEach((ask) => shown.push(veil(ask, covered)));
  document.querySelectorAll(".ask-score-box").forEach((box) => {
    const show = score(/** @type {HTMLElement} */ (box), () => {
      asks.forEach((ask) => ask.startOver());
      refresh();
    });
    shown.push(() => show(asked(asks)));
  });
  refresh();
};
