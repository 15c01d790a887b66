// How many predictions came true, and which are open.

import { linkTo } from "../cover.js";
import { button, element, the } from "../dom.js";

/** @typedef {import("../cover.js").Asked} Asked */

/**
 * Keep a score up to date.
 * @param {HTMLElement} box around its words
 * @param {() => void} again forgets all answers, and covers figures again
 */
export const score = (box, again) => {
  const words = the(box, ".ask-score");
  words.tabIndex = -1;
  const list = element("ul", { className: "ask-open" });
  const over = button("again", "Start over", () => {
    again();
    words.focus({ preventScroll: true });
  });
  words.after(list, over);
  return (/** @type {Asked[]} */ asks, isTold = false) => {
    const those = (/** @type {string} */ status) => asks.filter((ask) => ask.status === status);
    const [right, passed, open] = ["right", "passed", "open"].map(those);
    words.textContent = `You predicted ${right.length} of ${asks.length} right `
      + `(${passed.length} passed, ${open.length} still open).`;
    list.replaceChildren(...open.map((ask) => element("li", {}, linkTo(ask))));
    list.hidden = open.length === 0;
    over.hidden = open.length === asks.length && !isTold;
  };
};

/** The face in a kernel. */
export const render = (/** @type {{model: any, el: HTMLElement}} */ { model, el }) => {
  el.innerHTML = model.get("setup").html;
  const box = the(el, ".ask-score-box");
  box.dataset.lmSuppressShortcuts = "true";
  const show = score(box, () => model.send({ do: "again" }));
  const refresh = () => {
    const { asks, isTold } = model.get("state");
    show(asks, isTold);
  };
  refresh();
  model.on("change:state", refresh);
  return () => model.off("change:state", refresh);
};
