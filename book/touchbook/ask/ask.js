// One question: asked, answered or passed, remembered, and then the truth. A page and a kernel
// mount the same form; they differ in where the answer is kept.

import { button, element, parsed, the } from "../dom.js";
import { followTheme } from "../figure/dark.js";
import { FIELDS } from "./fields.js";
import { isRight, nearMiss } from "./judge.js";

/** @typedef {"open" | "right" | "wrong" | "passed"} Status */
/** @typedef {import("../store.js").Memory} Memory */

/** @type {Record<Status, string>} */
const VERDICTS = { open: "", right: "✓ Right.", wrong: "✗ Wrong.", passed: "You passed." };

export class Ask {
  /**
   * @param {HTMLFormElement} form of `touchbook.ask`
   * @param {Memory} memory
   * @param {() => void} onChange called when the question was answered or passed
   * @param {((ask: Ask) => void) | null} askAnew asks again with other numbers, if it has such
   */
  constructor(form, memory, onChange, askAnew = null) {
    this.blank = /** @type {HTMLFormElement} */ (form.cloneNode(true)); // before anything is made of it
    this.form = form;
    this.memory = memory;
    this.onChange = onChange;
    this.isTold = false; // its answer, to a reader who wants to see everything
    this.name = String(form.dataset.ask);
    /** @type {import("./judge.js").Truth} */
    this.data = parsed(form.dataset.truth);
    /** @type {import("./fields.js").Field} */
    this.field = FIELDS[this.data.kind](form, /** @type {any} */ (this.data));
    this.question = the(form, "legend");
    this.buttons = the(form, ".ask-buttons");
    this.message = element("p", { className: "ask-message", role: "alert" });
    this.buttons.before(this.message);
    // The fold becomes a place that screen readers watch.
    const fold = the(form, "details.ask-answer");
    this.truth = the(fold, ".ask-truth");
    this.verdict = element("p", { className: "ask-verdict" });
    this.again = button("retake", "Ask me again", () => {
      if (askAnew) {
        askAnew(this);
        return;
      }
      this.startOver();
      this.onChange();
      this.field.focus.focus({ preventScroll: true });
    });
    this.answer = element("div", { className: "ask-answer", "aria-live": "polite", tabIndex: -1 },
      this.verdict, this.truth);
    fold.replaceWith(this.answer, this.again);
    /** @type {HTMLButtonElement} */ (the(form, "[data-action=commit]")).disabled = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.commit();
    });
    // JupyterLab keeps Enter from sending a form.
    form.addEventListener("keydown", (event) => {
      const isInput = /** @type {Element} */ (event.target).matches("input");
      if (event.key !== "Enter" || event.repeat || !isInput) return;
      event.preventDefault();
      this.commit();
    });
    the(form, "[data-action=skip]").addEventListener("click", () => {
      this.pass();
      this.answer.focus({ preventScroll: true });
    });
    this.recall();
  }

  get isOpen() { return this.status === "open"; }

  /** Show what is remembered of this question. */
  recall() {
    /** @type {Status} */
    this.status = "open";
    this.said = undefined;
    try {
      const { key, said, passed } = parsed(this.memory.get()) ?? {};
      // Under another key stands what was said to another form of the question.
      if (key === this.data.key) {
        if (passed) this.status = "passed";
        else this.judge(said);
      }
    } catch {
      this.memory.forget();
    }
    this.show();
  }

  judge(/** @type {any} */ said) {
    this.field.words(said); // throws if it is nothing that could have been said
    this.status = isRight(this.data, said) ? "right" : "wrong";
    this.said = said;
  }

  commit() {
    if (!this.isOpen) return;
    try {
      this.judge(this.field.read());
    } catch (error) {
      this.message.textContent = /** @type {Error} */ (error).message;
      this.field.focus.focus();
      return;
    }
    this.keep({ said: this.said });
    this.answer.focus({ preventScroll: true });
  }

  pass() {
    if (!this.isOpen) return;
    this.status = "passed";
    this.keep({ passed: true });
  }

  keep(/** @type {object} */ given) {
    const whole = { key: this.data.key, status: this.status, at: Date.now(), ...given };
    this.memory.set(JSON.stringify(whole));
    this.show();
    this.onChange();
  }

  startOver() {
    this.memory.forget();
    this.recall();
  }

  /** Show the answer of a question that stays open, or hide it again. */
  tell(/** @type {boolean} */ isTold) {
    if (this.isTold === isTold) return;
    this.isTold = isTold;
    this.show();
  }

  show() {
    const isOver = !this.isOpen || this.isTold;
    this.form.dataset.state = this.status;
    this.message.textContent = "";
    /** @type {HTMLFieldSetElement} */ (the(this.form, "fieldset")).disabled = isOver;
    this.buttons.hidden = isOver;
    this.truth.hidden = !isOver;
    this.again.hidden = this.isOpen;
    this.verdict.hidden = this.isOpen;
    this.verdict.replaceChildren();
    this.field.show(this.said, isOver);
    if (this.isOpen) return;
    const near = this.status === "wrong" ? nearMiss(this.data, this.said) : "";
    const verdict = near ? `≈ Nearly, ${near}.` : VERDICTS[this.status ?? "open"];
    this.verdict.append(element("strong", { textContent: verdict }));
    if (this.status === "passed") return;
    const said = this.field.words(this.said);
    this.verdict.append(" You said: ", said, /[.?!]$/.test(said.textContent ?? "") ? "" : ".");
  }
}

/**
 * The form of a question with other numbers.
 * @param {HTMLFormElement} blank as it was before anything was made of it
 * @param {{fieldset: string, data: object, answer: string}} variant HTML of touchbook.ask, which
 *   escapes all words
 */
export const formOf = (blank, variant) => {
  const form = /** @type {HTMLFormElement} */ (blank.cloneNode(true));
  form.dataset.truth = JSON.stringify(variant.data);
  the(form, "fieldset").innerHTML = variant.fieldset;
  the(form, ".ask-truth").outerHTML = variant.answer;
  return form;
};

/** The face in a kernel, which keeps the answer. */
export const render = (/** @type {{model: any, el: HTMLElement}} */ { model, el }) => {
  const tell = (/** @type {string} */ text) => {
    model.set("state", { ...model.get("state"), text });
    model.save_changes();
  };
  const memory = { get: () => model.get("state").text || null, set: tell, forget: () => tell("") };
  const begin = () => {
    const { html, hasVariants } = model.get("setup");
    el.innerHTML = html; // of touchbook.ask, which escapes all words
    const form = /** @type {HTMLFormElement} */ (the(el, "form.ask"));
    form.dataset.lmSuppressShortcuts = "true"; // of JupyterLab: "dd" in a field deletes no cell
    const anew = hasVariants ? () => model.send({ do: "again" }) : null;
    const ask = new Ask(form, memory, () => {}, anew);
    const picture = /** @type {HTMLImageElement | null} */ (form.querySelector(".ask-picture img"));
    const leave = picture ? followTheme(picture) : () => {};
    const recall = () => {
      ask.tell(model.get("state").isTold === true);
      ask.recall();
    };
    recall();
    model.on("change:state", recall);
    return () => {
      model.off("change:state", recall);
      leave();
    };
  };
  let end = begin();
  const beginAgain = () => { // with other numbers
    end();
    end = begin();
    /** @type {HTMLElement} */ (el.querySelector("input"))?.focus({ preventScroll: true });
  };
  model.on("change:setup", beginAgain);
  return () => {
    model.off("change:setup", beginAgain);
    end();
  };
};
