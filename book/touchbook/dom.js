// The few helpers that everything a reader touches is made with.

/**
 * Make an element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [properties] properties of it, and attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export const element = (tag, properties = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made) Object.assign(made, { [name]: value });
    else made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
};

/**
 * A button; `press` is called unless the button says that it is disabled. It stays enabled all the
 * same: a disabled button loses the keyboard's focus.
 * @param {string} action in `data-action`
 * @param {string} text
 * @param {() => void} press
 */
export const button = (action, text, press) => {
  const made = element("button", { type: "button", textContent: text, "data-action": action });
  made.addEventListener("click", () => {
    if (made.getAttribute("aria-disabled") !== "true") press();
  });
  return made;
};

/**
 * A number of things, in words.
 * @param {number} n
 * @param {string} thing
 */
export const countOf = (n, thing) => `${n} ${thing}${n === 1 ? "" : "s"}`;

/**
 * Find what must be there.
 * @param {ParentNode} parent
 * @param {string} selector
 * @returns {HTMLElement}
 */
export const the = (parent, selector) => {
  const found = parent.querySelector(selector);
  if (!found) throw new Error(`there is no ${selector}`);
  return /** @type {HTMLElement} */ (found);
};

/** JSON that a page carries, as the text of an element or of one of its data attributes. */
export const parsed = (/** @type {string | null | undefined} */ text) => JSON.parse(text ?? "null");

/** Call a function once the page has all that it cannot be read without. */
export const whenLoaded = (/** @type {() => void} */ begin) => {
  if (document.readyState === "complete") begin();
  else window.addEventListener("load", begin, { once: true });
};
