// When a question comes back: a day after it was met, then a week, a month and three months.

import { keptForAll } from "../store.js";

export const HOUR = 3_600_000; // in milliseconds
const DAYS = [1, 7, 30, 90]; // from one right answer to the next time
const EARLY = 6 * HOUR; // whoever reads at nine today may come at four tomorrow

/**
 * @typedef {object} Entry what is kept of one question
 * @property {number} step how many answers were right when they were due, up to three
 * @property {number} last when it was asked last, in milliseconds
 * @property {number} times how often it was asked
 */

/** The page of an address: "nrpa" of /book/nrpa.html. */
export const pageOf = (path = location.pathname) =>
  (path.split("/").pop() ?? "").replace(/\.html$/, "") || "index";

/** When a question is due. */
export const dueAt = (/** @type {Entry} */ { step, last }) => last + DAYS[step] * 24 * HOUR - EARLY;

/**
 * What becomes of an entry by an answer. Before it is due a right answer changes nothing but the
 * numbers of the next question; a wrong one always begins again.
 * @param {Entry | null} entry null of a question that is met for the first time
 * @param {boolean} isRight
 * @param {number} now
 * @returns {Entry}
 */
export const afterAnswer = (entry, isRight, now) => {
  if (!entry) return { step: 0, last: now, times: 1 };
  const times = entry.times + 1;
  if (!isRight) return { step: 0, last: now, times };
  if (now < dueAt(entry)) return { ...entry, times };
  return { step: Math.min(entry.step + 1, DAYS.length - 1), last: now, times };
};

const isEntry = (/** @type {any} */ value) =>
  [0, 1, 2, 3].includes(value?.step) && Number.isFinite(value.last)
  && Number.isInteger(value.times) && value.times >= 0;

/**
 * What is kept of a question; null if it was never met, or if what is there cannot be read.
 * @param {string} page
 * @param {string} name
 * @param {number} now
 * @returns {Entry | null}
 */
export const recall = (page, name, now) => {
  const memory = keptForAll(`due:${page}:${name}`);
  try {
    const entry = JSON.parse(memory.get() ?? "null");
    if (!isEntry(entry)) return null;
    if (entry.last <= now + HOUR) return entry;
    // The clock has gone back, or was wrong: what lies in the future counts from now, once for all.
    const mended = { ...entry, last: now };
    memory.set(JSON.stringify(mended));
    return mended;
  } catch {
    return null;
  }
};

/**
 * Keep that a question was answered, or passed, which is not right.
 * @param {string} page
 * @param {string} name
 * @param {boolean} isRight
 */
export const noteAnswer = (page, name, isRight, now = Date.now()) => {
  const entry = afterAnswer(recall(page, name, now), isRight, now);
  keptForAll(`due:${page}:${name}`).set(JSON.stringify(entry));
};

/**
 * How many questions are due, of those that the book still has.
 * @param {{page: string, names: string[]}[]} lessons
 */
export const countDue = (lessons, now = Date.now()) =>
  lessons.flatMap(({ page, names }) => names.map((name) => recall(page, name, now)))
    .filter((entry) => entry && now >= dueAt(entry)).length;

const midnight = (/** @type {number} */ time) => new Date(time).setHours(0, 0, 0, 0);

/** How long it is until a moment, in words, as a calendar counts days. */
export const inWords = (/** @type {number} */ at, /** @type {number} */ now) => {
  if (at <= now) return "now";
  const days = Math.round((midnight(at) - midnight(now)) / (24 * HOUR));
  if (days === 0) return "later today";
  return days === 1 ? "tomorrow" : days < 14 ? `in ${days} days` : `in ${Math.round(days / 7)} weeks`;
};
