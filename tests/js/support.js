// What the tests of the scripts share: what Python has made, and stand-ins for what is around them.

import { vi } from "vitest";
import made from "../../_build/js-fixtures.json"; // of `tests/support/js_fixtures.py`

export { made };

Element.prototype.scrollIntoView ??= () => {}; // jsdom has none, for it draws nothing

/** A page with this in it, never seen before; returns its body. */
export const page = (html) => {
  localStorage.clear();
  history.replaceState(null, "", "/book/page.html");
  document.body.innerHTML = html;
  return document.body;
};

/** What one page keeps of one thing. */
export const memoryOf = (text = null) => {
  const memory = {
    text,
    get: () => memory.text,
    set: (now) => { memory.text = now; },
    forget: () => { memory.text = null; },
  };
  return memory;
};

/** The model of an anywidget: as Backbone, it tells of changes only, and at once. */
export class Model {
  constructor(traits) {
    this.traits = traits;
    this.listeners = new Map();
    this.sent = [];
    this.saved = 0;
  }

  get(name) { return this.traits[name]; }

  set(name, value) {
    const isSame = JSON.stringify(this.traits[name]) === JSON.stringify(value);
    this.traits[name] = value;
    if (!isSame) this.tell(`change:${name}`);
  }

  save_changes() { this.saved += 1; }

  send(message) { this.sent.push(message); }

  on(event, listener) { this.listeners.set(event, [...this.heard(event), listener]); }

  off(event, listener) {
    this.listeners.set(event, this.heard(event).filter((other) => other !== listener));
  }

  heard(event) { return this.listeners.get(event) ?? []; }

  tell(event, ...what) { this.heard(event).forEach((listener) => listener(...what)); }
}

/** Press a key; returns whether the script took it. */
export const press = (element, key, more = {}) =>
  !element.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));

export const click = (element, more = {}) =>
  element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...more }));

/** Say that a reader has changed a control. */
export const change = (control, ...events) =>
  events.forEach((name) => control.dispatchEvent(new Event(name, { bubbles: true })));

/** jsdom draws nothing: say where an element lies. */
export const lay = (element, x, y, width, height) => {
  element.getBoundingClientRect = () => ({ x, y, width, height, left: x, top: y });
};

export const text = (element) => element.textContent.replaceAll(/\s+/g, " ").trim();

/** Wait until all that has been promised is done. */
export const settle = async () => {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
};

/** The browser's parts that jsdom lacks and a board asks for. */
export const browser = () => {
  vi.stubGlobal("ResizeObserver", class { observe() {} });
  vi.stubGlobal("requestAnimationFrame", (draw) => draw());
};
