// The field of each kind of question: it reads what the reader says, and shows what was said.

import { element, the } from "../dom.js";
import { numberIn } from "./judge.js";

/**
 * @typedef {object} Field
 * @property {HTMLElement} focus what takes the keyboard
 * @property {() => any} read what the reader says; throws words for the reader if it is nothing yet
 * @property {(said: any) => Node} words what was said, for people; throws if nobody could say it
 * @property {(said: any) => void} show
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

export const FIELDS = { choice, number };
