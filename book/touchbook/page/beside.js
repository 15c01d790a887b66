// What stands beside the page: frames of figures, recorded runs of boards. It comes when its figure
// comes near; once the page is there all of it does, for the line may go.

import { parsed, whenLoaded } from "../dom.js";

const NEAR = { rootMargin: "1200px" };

/** @param {string} address of a script that only carries data, as `beside.py` writes it */
const loaded = (address) => new Promise((done, failed) => {
  const script = document.createElement("script");
  script.onload = () => done(/** @type {any} */ (script).carried);
  script.onerror = () => failed(new Error(`could not load ${script.src}`));
  script.src = address;
  document.head.append(script);
});

/** @type {Promise<unknown>} one after the other, so that what comes near need not wait for all */
let line = new Promise((done) => {
  whenLoaded(() => done(null));
});

/** The data of one script of JSON, which may hold the address where they are instead. */
export class Carried {
  /** @param {HTMLElement} script */
  constructor(script) {
    const { beside } = script.dataset;
    this.address = beside ?? "";
    /** @type {any} */
    this.data = beside ? null : parsed(script.textContent);
    /** @type {Promise<any> | undefined} */
    this.asked = undefined;
    this.there = new Promise((done) => { this.come = done; });
    if (!beside) return;
    const get = () => this.get().catch(() => {}); // the next touch asks again
    const watch = new IntersectionObserver((seen) => {
      if (!seen.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      get();
    }, NEAR);
    watch.observe(/** @type {Element} */ (script.parentElement));
    line = line.then(get);
  }

  /** Ask for the data, if they are not there. */
  async get() {
    if (!this.data) {
      this.asked ??= loaded(this.address).finally(() => { this.asked = undefined; });
      this.data = await this.asked;
      this.come?.(this.data);
    }
    return this.data;
  }
}
