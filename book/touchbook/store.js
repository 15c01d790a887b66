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
  return {
    get: () => attempt(() => localStorage.getItem(key)),
    set: (text) => void attempt(() => localStorage.setItem(key, text)),
    forget: () => void attempt(() => localStorage.removeItem(key)),
  };
};

/**
 * What is kept of one thing on this page.
 * @param {string} kind such as "played"
 * @param {string} name
 */
export const kept = (kind, name) => memory(`${storage.name}:${kind}:${location.pathname}:${name}`);

/**
 * What is kept for all pages.
 * @param {string} name
 */
export const keptForAll = (name) => memory(`${storage.name}:all:${name}`);
