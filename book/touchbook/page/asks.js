// The questions of a page, with the figures that they cover and the score at its end.

import { Ask, formOf } from "../ask/ask.js";
import { score } from "../ask/score.js";
import { coverable, named } from "../cover.js";
import { kept, nowhere } from "../store.js";
import { Carried } from "./beside.js";
import { addSwitch } from "./head.js";
import { noteAnswer, pageOf, recall } from "./schedule.js";


/**
 * Bring a question to life. If it has other numbers, it comes back on another day, and "Ask me
 * again" asks it with these; what was said to the first ones is not forgotten.
 * @param {HTMLFormElement} form
 * @param {(() => void)[]} shown what is called at each change
 * @param {() => void} refresh
 */
const wakeAsk = (form, shown, refresh) => {
  const name = String(form.dataset.ask), page = pageOf();
  /** @type {HTMLElement | null} */
  const script = form.querySelector("script.ask-variants");
  if (!script) return new Ask(form, kept("asked", name), refresh);
  const carried = new Carried(script);
  let now = form;
  const put = (/** @type {HTMLFormElement} */ next) => {
    now.replaceWith(next);
    now = next;
  };
  const noted = (/** @type {() => Ask} */ of) => () => {
    noteAnswer(page, name, of().status === "right");
    refresh();
  };
  const anew = async (/** @type {Ask} */ ask) => {
    const variants = await carried.get();
    const { times } = recall(page, name, Date.now()) ?? { times: 0 };
    put(formOf(ask.blank, variants[times % variants.length]));
    const next = new Ask(now, nowhere, noted(() => next), anew);
    next.field.focus.focus({ preventScroll: true });
  };
  const first = new Ask(form, kept("asked", name), noted(() => first), anew);
  shown.push(() => { // a reader who starts over begins with the first numbers
    if (first.isOpen) put(first.form);
  });
  return first;
};

/** Bring all questions of the document to life. */
export const wakeAsks = () => {
  /** @type {(() => void)[]} */
  const shown = [];
  const refresh = () => shown.forEach((show) => show());
  let isFirst = true; // questions come before what would answer them
  const asks = [...document.querySelectorAll("form.ask:not(.review form)")].map((one) =>
    wakeAsk(/** @type {HTMLFormElement} */ (one), shown, refresh));
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
