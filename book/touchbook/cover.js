// The panel over a figure that would spoil predictions.

import { button, element } from "./dom.js";

/**
 * @typedef {object} Asked a question, as far as others need to know it
 * @property {string} name
 * @property {string} html its words, made safe
 * @property {import("./ask/ask.js").Status} status
 */

/** The figure or the board of a page that has this name. */
export const named = (/** @type {string} */ name) =>
  document.getElementById(`fig-${name}`) ?? document.getElementById(`board-${name}`);

/**
 * A link to a question.
 * @param {Asked} asked
 */
export const linkTo = ({ name, html }) => element("a", { href: `#ask-${name}`, innerHTML: html });

/**
 * A link that does not say the question again, which is read a few lines above.
 * @param {Asked} asked
 * @param {number} i
 * @param {Asked[]} open
 */
const linkToOneOf = (asked, i, open) => {
  const link = linkTo(asked);
  link.title = link.textContent ?? "";
  link.textContent = open.length === 1 ? "Answer its question" : `Answer question ${i + 1} of ${open.length}`;
  return link;
};

/**
 * A panel that leads to the open questions.
 * @param {() => void} onLook passes them all
 * @param {() => void} onEverything lifts all covers
 * @returns {{panel: HTMLElement, show: (open: Asked[]) => void}}
 */
const cover = (onLook, onEverything) => {
  const words = element("p");
  const panel = element("div", { className: "explorable-cover" }, words,
    element("p", {}, button("look", "Look anyway", onLook), " ",
      button("everything", "Show everything", onEverything)));
  const show = (/** @type {Asked[]} */ open) => words.replaceChildren(
    element("strong", { textContent: "Predict first" }), ...open.map(linkToOneOf));
  return { panel, show };
};

/**
 * Cover a figure of a page as long as one of its questions is open. The style hides what is covered
 * from eyes, keyboard and screen readers.
 * @param {HTMLElement} figure
 * @param {() => void} onLook
 * @param {() => void} onEverything
 * @returns {(open: Asked[]) => void} to be called with the questions that are open
 */
export const coverable = (figure, onLook, onEverything) => {
  const then = (/** @type {() => void} */ lift) => () => {
    lift();
    figure.tabIndex = -1;
    figure.focus({ preventScroll: true });
    figure.scrollIntoView({ block: "nearest" }); // it is higher than its cover was
  };
  const { panel, show } = cover(then(onLook), then(onEverything));
  return (open) => {
    figure.toggleAttribute("data-covered", open.length > 0);
    if (open.length === 0) {
      panel.remove();
      return;
    }
    show(open);
    figure.append(panel);
  };
};

/** The face in a kernel, in the place of the figure. */
export const render = (/** @type {{model: any, el: HTMLElement}} */ { model, el }) => {
  const { panel, show } = cover(() => model.send({ do: "look" }), () => model.send({ do: "everything" }));
  panel.id = `fig-${model.get("setup").name}`; // a link to the figure finds the panel
  panel.dataset.lmSuppressShortcuts = "true";
  panel.classList.add("explorable-cover-alone");
  const refresh = () => show(model.get("state").asks);
  refresh();
  el.append(panel);
  model.on("change:state", refresh);
  return () => model.off("change:state", refresh);
};
