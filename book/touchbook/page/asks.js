// The questions of a page, with the figures that they cover and the score at its end.

import { Ask } from "../ask/ask.js";
import { score } from "../ask/score.js";
import { coverable, named } from "../cover.js";
import { kept } from "../store.js";
import { addSwitch } from "./head.js";

/** Bring all questions of the document to life. */
export const wakeAsks = () => {
  /** @type {(() => void)[]} */
  const shown = [];
  const refresh = () => shown.forEach((show) => show());
  let isFirst = true; // questions come before what would answer them
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
    const open = () => asks.filter((ask) => isFirst && ask.isOpen && ask.data.covers.includes(name));
    const show = coverable(figure, () => open().forEach((ask) => ask.pass()), () => turn(false));
    shown.push(() => show(asked(open())));
  });
  document.querySelectorAll(".ask-score-box").forEach((box) => {
    const show = score(/** @type {HTMLElement} */ (box), () => {
      asks.forEach((ask) => ask.startOver());
      refresh();
    });
    shown.push(() => show(asked(asks)));
  });
  const turn = !asks.length ? refresh : addSwitch("questions", "Questions first", true, (isOn) => {
    isFirst = isOn;
    asks.forEach((ask) => ask.tell(!isOn));
    refresh();
  });
};
