// What a page keeps for its reader, in this browser and nowhere else.

/** What the names of all that is kept begin with; a book may choose it. */
export const storage = { name: "touchbook" };

/**
 * @typedef {object} Memory
 * @property {() => string | null} get
 * @property {(text: string) => void} set
 * @property {() => void} forget
 */

/**
 * A text that outlasts the page. Where storage is switched off or full nothing is kept, and
 * nothing fails.
 * @param {string} key
 * @returns {Memory}
 */
const memory = (key) => {
  /** @template T @param {() => T} action */
  const attempt = (action) => {
    try {
      return action();
    } catch {
      return null;
    }
  };
  const change = (/** @type {() => void} */ action) => {
    attempt(action);
    document.dispatchEvent(new CustomEvent("touchbook:kept"));
  };
  return {
    get: () => attempt(() => localStorage.getItem(key)),
    set: (text) => change(() => localStorage.setItem(key, text)),
    forget: () => change(() => localStorage.removeItem(key)),
  };
};

/**
 * What is kept of one thing on a page, which is this one if none is named.
 * @param {string} kind such as "played"
 * @param {string} name
 */
export const kept = (kind, name, path = location.pathname) =>
  memory(`${storage.name}:${kind}:${path}:${name}`);

/** What is kept for all pages. */
export const keptForAll = (/** @type {string} */ name) => memory(`${storage.name}:all:${name}`);

/** The names of all that is kept of this book, none where the browser keeps nothing. */
export const keptNames = () => {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(`${storage.name}:`)).sort();
  } catch {
    return [];
  }
};

/** A memory that keeps nothing, for what is asked once more. */
export const nowhere = { get: () => null, set() {}, forget() {} };

/** Whether this browser keeps what a page asks it to keep. */
export const isKeeping = () => {
  const trial = keptForAll("trial");
  const words = "kept".padEnd(300); // as long as what a page keeps of a few answers
  trial.set(words);
  const isKept = trial.get() === words;
  trial.forget();
  return isKept;
};
