// What a page keeps for its reader, in this browser and nowhere else.

/**
 * @typedef {object} Memory
 * @property {() => string | null} get
 * @property {(text: string) => void} set
 * @property {() => void} forget
 */

/**
 * A text that outlasts the page. Where storage is switched off or full nothing is kept, and
 * nothing fails.
 * @param {string} kind such as "played"
 * @param {string} name of the thing on this page
 * @returns {Memory}
 */
export const kept = (kind, name) => {
  const key = `gameai:${kind}:${location.pathname}:${name}`;
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
