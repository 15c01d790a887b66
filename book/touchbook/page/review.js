// The page where questions come back: those that are due, six at a sitting, with other numbers.

import { Ask, formOf } from "../ask/ask.js";
import { button, countOf, element, the } from "../dom.js";
import { isKeeping, nowhere } from "../store.js";
import { Carried } from "./beside.js";
import { luggage } from "./luggage.js";
import { dueAt, HOUR, inWords, noteAnswer, pageOf, recall } from "./schedule.js";

const MOST = 6; // questions of a sitting
const MOST_MISSES = 2; // how often one comes again in a sitting

/**
 * @typedef {object} One a question of a lesson
 * @property {HTMLFormElement} blank
 * @property {Carried | null} carried its other numbers, if it has such
 * @property {string} page
 * @property {string} name
 * @property {string} address of its place in the lesson
 */

/** @param {any[]} list */
const shuffled = (list) => {
  const mixed = [...list];
  for (let i = mixed.length - 1; i > 0; i -= 1) {
    const j = Math.floor(Math.random() * (i + 1));
    [mixed[i], mixed[j]] = [mixed[j], mixed[i]];
  }
  return mixed;
};

/**
 * @param {HTMLElement} box
 * @returns {One[]}
 */
const questionsOf = (box) => [...box.querySelectorAll(".review-one")].map((one) => {
  const form = /** @type {HTMLFormElement} */ (the(/** @type {HTMLElement} */ (one), "form.ask"));
  const link = /** @type {HTMLAnchorElement} */ (the(/** @type {HTMLElement} */ (one), "a"));
  /** @type {HTMLElement | null} */
  const script = form.querySelector("script");
  const carried = script && new Carried(script);
  const blank = /** @type {HTMLFormElement} */ (form.cloneNode(true));
  blank.querySelector("script")?.remove();
  blank.removeAttribute("id"); // the list has it
  /** @type {HTMLFieldSetElement} */ (the(form, "fieldset")).disabled = true; // it is read there
  const address = link.getAttribute("href") ?? "";
  const page = pageOf(new URL(address, location.href).pathname);
  return { blank, carried, page, name: String(form.dataset.ask), address };
});

class Review {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.questions = questionsOf(box);
    /** @type {One[]} */
    this.queue = []; // of a sitting
    /** @type {Map<One, number>} */
    this.misses = new Map();
    this.total = 0;
    this.asked = 0;
    this.right = 0; // at once
    this.offered = 0; // when
    this.words = element("p", { className: "review-words", role: "status", tabIndex: -1 });
    this.place = element("div", { className: "review-place" });
    this.buttons = element("p", { className: "review-buttons" });
    const fold = /** @type {HTMLDetailsElement} */ (the(box, "details"));
    fold.open = false;
    fold.before(this.words, this.place, this.buttons);
    if (!isKeeping()) {
      this.words.before(element("p", { className: "review-warning", textContent:
        "This browser keeps nothing for this page: its storage is full or switched off. You can answer "
        + "questions here, but what you answer is forgotten when you leave." }));
    }
    fold.after(luggage(() => {
      if (!this.isSitting) this.offer();
    }));
    document.addEventListener("visibilitychange", () => { // a tab may stay open for days
      if (!document.hidden && !this.isSitting && Date.now() > this.offered + HOUR) this.offer();
    });
    this.offer();
  }

  get isSitting() { return this.place.hasChildNodes(); }

  /** Say what is due, and offer a sitting. */
  offer() {
    const now = Date.now();
    this.offered = now;
    const met = this.questions.map((one) => ({ one, entry: recall(one.page, one.name, now) }))
      .filter(({ entry }) => entry);
    const at = (/** @type {any} */ { entry }) => dueAt(entry);
    const due = met.filter((known) => at(known) <= now).sort((a, b) => at(a) - at(b));
    const next = Math.min(...met.map(at).filter((moment) => moment > now));
    const later = next < Infinity ? ` More come back ${inWords(next, now)}.` : "";
    this.place.replaceChildren();
    if (due.length) {
      this.words.textContent = `${countOf(due.length, "question")} ${due.length === 1 ? "is" : "are"} due.`;
      const those = due.slice(0, MOST).map(({ one }) => one);
      const text = due.length > MOST ? `Begin with ${MOST} of them` : "Begin";
      this.buttons.replaceChildren(button("begin", text, () => this.sit(those)));
      return;
    }
    this.words.textContent = met.length ? `Nothing is due.${later}`
      : "Nothing is due, for you have not answered a question of a lesson yet. "
        + "You can try some all the same.";
    const some = shuffled(met.length >= MOST ? met.map(({ one }) => one) : this.questions).slice(0, MOST);
    this.buttons.replaceChildren(button("begin", `Ask me ${countOf(some.length, "question")} of all chapters`,
      () => this.sit(some)));
  }

  /** Ask some questions, and those that were missed again. */
  sit(/** @type {One[]} */ those) {
    this.queue = [...those];
    this.total = those.length;
    this.misses = new Map();
    this.asked = 0;
    this.right = 0;
    this.next();
  }

  async next() {
    const one = this.queue.shift();
    if (!one) {
      this.end();
      return;
    }
    const missed = this.misses.get(one) ?? 0;
    if (!missed) this.asked += 1;
    this.words.textContent = missed ? "Once more, with other numbers."
      : `Question ${this.asked} of ${this.total}.`;
    this.buttons.replaceChildren();
    const form = await this.formOf(one);
    const ask = new Ask(form, nowhere, () => this.answered(one, ask.status === "right"));
    ask.again.remove();
    this.place.replaceChildren(form);
    ask.field.focus.focus({ preventScroll: true });
    form.scrollIntoView({ block: "nearest" });
  }

  async formOf(/** @type {One} */ one) {
    const variants = await one.carried?.get().catch(() => []) ?? [];
    const times = recall(one.page, one.name, Date.now())?.times ?? this.misses.get(one) ?? 0;
    if (!variants.length) return /** @type {HTMLFormElement} */ (one.blank.cloneNode(true));
    return formOf(one.blank, variants[times % variants.length]);
  }

  answered(/** @type {One} */ one, /** @type {boolean} */ isRight) {
    const missed = this.misses.get(one) ?? 0;
    // A question of a lesson that was not read is no part of what comes back.
    if (recall(one.page, one.name, Date.now())) noteAnswer(one.page, one.name, isRight && !missed);
    if (isRight && !missed) this.right += 1;
    if (!isRight) {
      this.misses.set(one, missed + 1);
      if (missed + 1 < MOST_MISSES) this.queue.push(one);
    }
    const isLast = !this.queue.length;
    this.buttons.replaceChildren(button("next", isLast ? "To the end" : "Next question", () => this.next()),
      " ", element("a", { href: one.address, textContent: "Its place in the lesson" }));
    this.buttons.scrollIntoView({ block: "nearest" }); // the answer stands above
  }

  end() {
    const words = `You had ${this.right} of ${this.asked} right at once.`;
    this.offer();
    this.words.textContent = `${words} ${this.words.textContent}`;
    this.words.focus({ preventScroll: true });
  }
}

/** Bring the questions that come back to life, on the page that has them. */
export const wakeReview = () => {
  document.querySelectorAll(".review").forEach((box) => new Review(/** @type {HTMLElement} */ (box)));
};
