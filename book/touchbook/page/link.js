// What a link to a page asks for: in "#fig-turn?k=3" the figure "fig-turn" and its setting "k=3".

const decoded = (/** @type {string} */ text) => {
  try {
    return decodeURIComponent(text);
  } catch { // a percent sign that means nothing, as in a link that was cut
    return text;
  }
};

/**
 * The id and the query in the address. The query is still encoded: `URLSearchParams` decodes it, and
 * a second time would take the "+" and "&" of a setting for its own.
 * @returns {{id: string, query: string | undefined}}
 */
export const wished = () => {
  const hash = location.hash.slice(1);
  // Some programs write the question mark itself as %3F.
  const [, id, query] = (hash.includes("?") ? hash : decoded(hash)).match(/^([^?]*)(?:\?(.*))?$/s) ?? [];
  return { id: decoded(id ?? ""), query };
};

const TOUCHED = /^(fig|board|try|ask)-/;

/**
 * Lead a link to what once stood in this lesson to its workshop.
 * @param {(address: string) => void} go
 */
export const followToWorkshop = (go = (address) => location.replace(address)) => {
  const workshop = document.querySelector("link[rel=section]");
  const follow = () => {
    const { id } = wished();
    if (!workshop || !TOUCHED.test(id) || document.getElementById(id)) return;
    go(/** @type {HTMLLinkElement} */ (workshop).href + location.hash);
  };
  follow();
  window.addEventListener("hashchange", follow);
};
