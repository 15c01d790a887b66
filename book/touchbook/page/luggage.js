// What a reader has done with the book, as one file to take away and to bring back.

import { button, countOf, element } from "../dom.js";
import { isKeeping, keptNames, storage } from "../store.js";

const KIND = "what a reader has done in a book made with touchbook";
const MOST_LETTERS = 5_000_000; // about what a browser keeps for a site
const KINDS = ["all", "asked", "here", "passed", "played", "touched", "typed"];
/** @type {Record<string, string>} in what is kept as JSON, which of two is the later one */
const TIMES = { asked: "at", here: "at", passed: "at", touched: "at", all: "last" };

const folder = () => location.pathname.replace(/[^/]*$/, "");

const kindOf = (/** @type {string} */ name) => name.split(":", 1)[0];

/** The key of a name: those of pages stand from this folder on, to fit another address of the book. */
const join = (/** @type {string} */ name) => {
  const kind = kindOf(name);
  return `${storage.name}:${kind}:${kind === "all" ? "" : folder()}${name.slice(kind.length + 1)}`;
};

/** All that is kept, by names without an address. */
export const pack = () => Object.fromEntries(KINDS.flatMap((kind) => {
  const begin = join(`${kind}:`);
  return keptNames().filter((key) => key.startsWith(begin))
    .map((key) => [`${kind}:${key.slice(begin.length)}`, localStorage.getItem(key)]);
}));

const timeIn = (/** @type {string} */ name, /** @type {string} */ text) => {
  try {
    const at = JSON.parse(text)?.[TIMES[kindOf(name)]];
    return Number.isFinite(at) ? at : null;
  } catch {
    return null;
  }
};

/**
 * What of a file is to be kept here: what is new, and what is later than what is here.
 * @param {string} text
 * @returns {{news: [string, string][], others: number}} and how much of it differs and stays away
 * @throws {Error} with words for the reader, if it is no such file
 */
export const compare = (text) => {
  /** @type {any} */
  let file;
  try {
    file = text.length > MOST_LETTERS ? null : JSON.parse(text);
  } catch {
    file = null;
  }
  const entries = file?.kind === KIND && file.kept ? Object.entries(file.kept) : null;
  if (!entries?.every(([name, value]) => typeof value === "string" && KINDS.includes(kindOf(name)))) {
    throw new Error("This is no file of this kind, or it is damaged. Nothing was changed.");
  }
  if (file.book !== storage.name) {
    throw new Error(`This file is of another book, “${file.book}”. Nothing was changed.`);
  }
  let others = 0;
  const news = entries.filter(([name, value]) => {
    const here = localStorage.getItem(join(name));
    if (here === null) return true;
    if (here === value) return false;
    const [mine, theirs] = [here, String(value)].map((one) => timeIn(name, one));
    if (mine !== null && theirs !== null) return theirs > mine;
    others += 1;
    return false;
  });
  return { news: /** @type {[string, string][]} */ (news), others };
};

/**
 * Keep what a file brings, all of it or nothing.
 * @param {string} text
 * @returns {string} what to tell the reader
 */
export const unpack = (text) => {
  if (!isKeeping()) {
    throw new Error("The storage of this browser is full or switched off. Nothing was changed.");
  }
  const { news, others } = compare(text);
  /** @type {[string, string | null][]} */
  const before = [];
  try {
    for (const [name, value] of news) {
      before.push([join(name), localStorage.getItem(join(name))]);
      localStorage.setItem(join(name), value);
    }
  } catch {
    for (const [key, value] of before.reverse()) { // or there might be no room for what was long
      if (value === null) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    }
    throw new Error("The storage of this browser is full. Nothing was changed.");
  }
  if (!news.length && !others) return "All that this file holds is here already. Nothing was changed.";
  const stays = others ? ` ${countOf(others, "thing")} in the file ${others === 1 ? "differs" : "differ"} from `
    + "your code, games or settings here. Yours stay." : "";
  return `The file brought ${countOf(news.length, "thing")} that you had not done here, or had done earlier.${stays}`;
};

/** Save what was done, if anything was. */
const save = () => {
  const kept = pack();
  if (!Object.keys(kept).length) return false;
  const file = { kind: KIND, book: storage.name, kept };
  const blob = new Blob([JSON.stringify(file, null, 1)], { type: "application/json" });
  const link = element("a", { href: URL.createObjectURL(blob), download: `${storage.name}-what-i-did.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return true;
};

/**
 * The buttons for it.
 * @param {() => void} onChange called when something was brought back or forgotten
 */
export const luggage = (onChange) => {
  const said = element("p", { role: "status" });
  const input = element("input", { type: "file", accept: "application/json,.json", hidden: true });
  const forget = button("forget", "Forget everything", () => {
    if (!confirm("Forget answers, code, games and settings of all chapters?")) return;
    for (const key of keptNames()) localStorage.removeItem(key);
    onChange();
    said.textContent = "This browser has forgotten what you did in this book.";
  });
  input.addEventListener("change", async () => {
    const [file] = input.files ?? [];
    input.value = "";
    if (!file) return;
    try {
      const words = unpack(file.size > 3 * MOST_LETTERS ? "" : await file.text()); // 3 bytes a letter
      onChange();
      said.textContent = words;
    } catch (error) {
      said.textContent = /** @type {Error} */ (error).message;
    }
  });
  const take = button("take", "Take it along", () => {
    said.textContent = save() ? "Your browser saves one file with all that you did in this book."
      : "There is nothing to take along: this browser has kept nothing that you did in this book.";
  });
  return element("div", { className: "review-luggage" },
    element("p", { className: "review-buttons" },
      take, " ", button("bring", "Bring it back", () => input.click()), " ", forget, input), said);
};
