// The field of each kind of question: it reads what the reader says, and shows what was said.

import { element, the } from "../dom.js";
import { numberIn, placeWords, pointWords, settled, shareOf, stepped, valueAt } from "./judge.js";

/**
 * @typedef {object} Field
 * @property {HTMLElement} focus what takes the keyboard
 * @property {() => any} read what the reader says; throws words for the reader if it is nothing yet
 * @property {(said: any) => Node} words what was said, for people; throws if nobody could say it
 * @property {(said: any, isOver: boolean) => void} show
 */

/**
 * @param {HTMLFormElement} form
 * @returns {Field}
 */
const choice = (form) => {
  const inputs = [...form.querySelectorAll("input")];
  return {
    focus: inputs[0],
    read() {
      const said = inputs.findIndex((input) => input.checked);
      if (said < 0) throw new Error("Choose one of the answers first.");
      return said;
    },
    words: (said) => /** @type {Element} */ (inputs[said].nextElementSibling).cloneNode(true),
    show(said) {
      inputs.forEach((input, i) => {
        input.checked = i === said;
        input.parentElement?.classList.toggle("ask-said", i === said);
      });
    },
  };
};

/**
 * @param {HTMLFormElement} form
 * @param {import("./judge.js").NumberData} data
 * @returns {Field}
 */
const number = (form, { unit }) => {
  const input = /** @type {HTMLInputElement} */ (the(form, "input"));
  return {
    focus: input,
    read() {
      const text = input.value.trim();
      if (!text) throw new Error("Write a number first.");
      if (Number.isNaN(numberIn(text, unit))) {
        throw new Error(`“${text}” is not a number; write it like 1234.5 or 3/4.`);
      }
      return text;
    },
    words(/** @type {string} */ said) {
      const hasUnit = said.endsWith(unit) || said.endsWith("%");
      return element("span", { textContent: hasUnit ? said : `${said} ${unit}` });
    },
    show(said) {
      input.value = said ?? "";
    },
  };
};

const HOW = "Tap the picture, or focus it and move the cross with the arrow keys.";

/**
 * @param {HTMLFormElement} form
 * @param {import("./judge.js").PointData} data
 * @returns {Field}
 */
const point = (form, data) => {
  const picture = the(form, ".ask-picture");
  const cross = element("span", { className: "ask-cross", hidden: true });
  const ring = element("span", { className: "ask-ring", hidden: true });
  const hint = element("p", { className: "ask-hint", textContent: HOW });
  const target = element("div", {
    className: "ask-point", role: "slider", tabindex: "0",
    "aria-label": "Your point on the picture",
    "aria-roledescription": "point, moved with four arrow keys",
    "aria-valuemin": Math.min(...data.axes[0].limits),
    "aria-valuemax": Math.max(...data.axes[0].limits),
  }, cross, ring);
  picture.append(target);
  picture.after(hint);
  /** @type {number[] | null} */
  let at = null;
  const percent = (/** @type {number} */ share) => `${100 * share}%`;

  const place = (/** @type {number[] | null} */ said) => {
    at = said;
    cross.hidden = said === null;
    const named = said?.map((value, i) => {
      const { label, names } = data.axes[i];
      return (names.length ? "" : `${label}: `) + placeWords(data.axes[i], value);
    }).join(", ");
    const now = said?.[0] ?? settled(data, [0, 0])[0];
    target.setAttribute("aria-valuenow", String(now));
    target.setAttribute("aria-valuetext", named ?? "not set");
    if (!said) return;
    cross.style.left = percent(shareOf(data.axes[0], said[0]));
    cross.style.top = percent(shareOf(data.axes[1], said[1]));
    hint.textContent = `Your point: ${named}.`;
  };
  const isDone = () => target.getAttribute("aria-disabled") === "true";
  target.addEventListener("click", (event) => {
    if (isDone()) return;
    const box = target.getBoundingClientRect();
    const shares = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    place(settled(data, shares.map((share, i) => valueAt(data.axes[i], share))));
  });
  target.addEventListener("keydown", (event) => {
    const next = isDone() ? null : stepped(data, at, event.key, event.shiftKey);
    if (!next) return;
    event.preventDefault();
    place(next);
  });

  const [[left, right], [top, bottom]] = data.axes.map((axis, i) =>
    [-1, 1].map((side) => shareOf(axis, data.answer[i] + side * data.tolerance[i]))
      .sort((a, b) => a - b));
  Object.assign(ring.style, {
    left: percent(left), top: percent(top),
    width: percent(right - left), height: percent(bottom - top),
  });
  return {
    focus: target,
    read() {
      if (at === null) throw new Error("Set your point on the picture first.");
      return at;
    },
    words: (said) => element("span", { textContent: pointWords(data, said) }),
    show(said, isOver) {
      place(said ?? null);
      hint.textContent = isOver ? "The ring is around the truth." : HOW;
      ring.hidden = !isOver;
      target.setAttribute("aria-disabled", String(isOver));
    },
  };
};

export const FIELDS = { choice, number, point };
