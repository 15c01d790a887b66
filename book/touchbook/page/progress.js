// Where a reader was: kept by the lessons, shown on the book's first page.

import { element } from "../dom.js";
import { kept } from "../store.js";
import { countDue } from "./schedule.js";

const PAUSE = 1000; // milliseconds without scrolling, after which a place is one

/**
 * @typedef {object} Half
 * @property {string[]} asked
 * @property {string[]} touched boards
 * @typedef {object} Lesson what the book says of a page with two halves
 * @property {string} page
 * @property {string} title
 * @property {Half[]} halves
 * @property {{page: string, names: string[]}} exercises of its workshop
 */

const headings = () => /** @type {HTMLElement[]} */ (
  [...document.querySelectorAll(":is(article, main) section[id] > :is(h1, h2)")]);

/** Keep, in a lesson, which heading its reader has come to. */
export const watchPlace = () => {
  if (!document.querySelector("[id$=half-way]")) return;
  const memory = kept("here", "place");
  let waits = 0;
  const note = () => {
    const passed = headings().filter((one) => one.getBoundingClientRect().top < innerHeight / 2);
    const last = passed.at(-1);
    if (passed.length < 2 || !last) return; // the top of the page is no place to go back to
    const title = (last.firstChild?.textContent ?? last.textContent ?? "").trim();
    memory.set(JSON.stringify({ id: last.parentElement?.id, title: title.slice(0, 100), at: Date.now() }));
  };
  addEventListener("scroll", () => {
    clearTimeout(waits);
    waits = window.setTimeout(note, PAUSE);
  }, { passive: true });
};

/** Keep that a board was touched. */
export const noteTouch = (/** @type {string} */ name) =>
  kept("touched", name).set(JSON.stringify({ at: Date.now() }));

/** Keep that an exercise has passed its check. */
export const notePass = (/** @type {string} */ name) =>
  kept("passed", name).set(JSON.stringify({ at: Date.now() }));

const pathOf = (/** @type {string} */ page) => new URL(`${page}.html`, location.href).pathname;

const placeOf = (/** @type {string} */ page) => {
  try {
    const place = JSON.parse(kept("here", "place", pathOf(page)).get() ?? "null");
    const isWhole = [place?.id, place?.title].every((one) => typeof one === "string");
    return isWhole && Number.isFinite(place.at) ? place : null;
  } catch {
    return null;
  }
};

const count = (/** @type {string} */ kind, /** @type {string} */ page, /** @type {string[]} */ names) =>
  names.filter((name) => kept(kind, name, pathOf(page)).get() !== null).length;

/** What is done of one lesson, in words; nothing if nothing is. */
const done = (/** @type {Lesson} */ { page, halves, exercises }) => {
  const parts = halves.map(({ asked, touched }, i) => {
    const all = asked.length + touched.length;
    const n = count("asked", page, asked) + count("touched", page, touched);
    const half = i ? "second half" : "first half";
    return { n, words: n === all ? `${half} done` : `${n} of ${all} questions and boards of the ${half}` };
  });
  const n = count("passed", exercises.page, exercises.names);
  const passed = n ? [`${n} of ${exercises.names.length} exercises`] : [];
  return [...parts.filter((part) => part.n).map((part) => part.words), ...passed].join(", ");
};

/**
 * Show on the first page where the reader was, and what is due; nothing to a new reader.
 * @param {URL} here the folder of the scripts
 */
export const showProgress = (here) => {
  const box = /** @type {HTMLElement | null} */ (document.querySelector(".progress-box"));
  if (!box) return;
  const script = element("script", { src: new URL("lessons.js", here).href });
  script.addEventListener("load", () => {
    /** @type {Lesson[]} */
    const lessons = /** @type {any} */ (script).carried;
    const known = lessons.map((lesson) => ({ ...lesson, place: placeOf(lesson.page), done: done(lesson) }))
      .filter((lesson) => lesson.place || lesson.done);
    const due = countDue(lessons.map(({ page, halves }) =>
      ({ page, names: halves.flatMap(({ asked }) => asked) })));
    if (!known.length && !due) return;
    const last = [...known].filter(({ place }) => place).sort((a, b) => b.place.at - a.place.at)[0];
    const goOn = last && element("a", { className: "progress-on", href: `${last.page}.html#${last.place.id}`,
      textContent: `Go on with “${last.place.title}”` });
    const back = element("a", { href: `${box.dataset.review}.html`,
      textContent: `Questions that come back: ${due || "none"} due` });
    const rows = known.map(({ page, title, place, done: what }) => element("li", {},
      element("a", { href: `${page}.html${place ? `#${place.id}` : ""}`, textContent: title }),
      what ? `: ${what}` : ""));
    box.replaceChildren(element("p", {}, ...(goOn ? [goOn, " "] : []), back), element("ul", {}, ...rows));
    box.hidden = false;
  });
  document.head.append(script);
};
