// Python for a page: one worker, loaded when the reader first runs or plays something. The page's
// cells and boards give it their jobs, which take turns.

import { element, parsed } from "../dom.js";

const QUIET = 1000; // milliseconds in which nothing arrives: what is there is being started

/**
 * @typedef {object} Job
 * @property {object} message for the worker
 * @property {(words: string) => void} begin called when it waits, and when it runs
 * @property {(text: string) => void} [print]
 * @property {(end: {state: string, error: string, words?: string, answer?: string,
 *   board?: string}) => void} end
 */

/**
 * @typedef {object} Config
 * @property {string} index where Pyodide is; addresses are relative to this script
 * @property {string} numpy
 * @property {string} packages
 * @property {string} public where packages of Pyodide are that do not come with it
 * @property {Record<string, string>} digests SHA-256 of files, by their names
 * @property {string} start a module that is imported first of all
 * @property {string} version
 * @property {number} bytes
 * @property {string} cost what a reader is told before the first run
 */

/** @typedef {"asleep" | "loading" | "ready" | "failed"} PythonState */
/** @typedef {(state: PythonState, words: string, loaded: number) => void} Watcher */

export class Python {
  /**
   * @param {Config} config
   * @param {URL} here the folder of this script
   */
  constructor(config, here) {
    this.config = config;
    this.here = here;
    /** @type {Job[]} */
    this.waiting = [];
    /** @type {Job | null} */
    this.current = null;
    /** @type {Worker | null} */
    this.worker = null;
    /** @type {Watcher[]} */
    this.watchers = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.quiet = undefined;
    /** @type {PythonState} */
    this.state = "asleep";
    this.say("asleep");
  }

  /** Call a function at each change of state. */
  watch(/** @type {Watcher} */ watcher) { this.watchers.push(watcher); }

  say(/** @type {PythonState} */ state, words = "", loaded = 0) {
    clearTimeout(this.quiet);
    this.state = state;
    document.documentElement.dataset.python = state;
    this.watchers.forEach((watch) => watch(state, words, loaded));
  }

  /** Say how much has arrived, and that it starts where no more arrives. */
  load(/** @type {number} */ loaded) {
    this.say("loading", `loads Python … ${Math.round(100 * loaded)} %`, loaded);
    this.quiet = setTimeout(() => this.say("loading", "starts Python …", loaded), QUIET);
  }

  /** Why Python cannot run at this address; nothing if it can. */
  get obstacle() {
    return location.protocol !== "file:" ? ""
      : "Python runs only in a page that is served: type make serve, or python3 read.py where the book "
        + "was unpacked, and open the address it names.";
  }

  run(/** @type {Job} */ job) {
    this.waiting.push(job);
    job.begin(this.state === "ready" && !this.current ? "" : "waits for its turn");
    if (this.state === "asleep" || this.state === "failed") this.wake();
    else this.next();
  }

  wake() {
    if (this.obstacle) {
      this.fail(this.obstacle);
      return;
    }
    this.load(0);
    const absolute = (/** @type {string} */ address) => new URL(address, this.here).href;
    const { index, numpy, packages } = this.config;
    const start = {
      ...this.config,
      index: absolute(index),
      numpy: numpy.endsWith(".whl") ? absolute(numpy) : numpy,
      packages: absolute(packages),
    };
    /** @type {Worker} */
    let worker;
    try {
      worker = new Worker(absolute("worker.js"), { type: "module" });
    } catch (error) { // such as in a frame that may start none
      this.fail(/** @type {Error} */ (error).message);
      return;
    }
    this.worker = worker;
    worker.onmessage = ({ data }) => {
      if (worker === this.worker) this.hear(data);
    };
    worker.onerror = (event) => {
      if (worker === this.worker) this.fail(event.message || `could not load ${absolute("worker.js")}`);
    };
    worker.postMessage({ start });
  }

  hear(/** @type {any} */ { loaded, ready, printed, done, broken }) {
    if (loaded !== undefined) this.load(loaded);
    if (ready) {
      this.say("ready");
      this.next();
    }
    if (printed !== undefined) this.current?.print?.(String(printed));
    if (done) {
      const job = this.current;
      this.current = null;
      const { answer, board } = done;
      job?.end({ state: String(done.state), error: String(done.error), answer, board });
      this.next();
    }
    if (broken !== undefined) this.fail(String(broken));
  }

  next() {
    if (this.state !== "ready" || this.current) return;
    const job = this.waiting.shift();
    if (!job) return;
    this.current = job;
    job.begin("");
    this.worker?.postMessage(job.message);
  }

  fail(/** @type {string} */ words) {
    this.worker?.terminate();
    this.worker = null;
    const { host } = new URL(this.config.index, this.here);
    const blocked = words.startsWith("could not load")
      ? `${words}. Is ${host} blocked here, or are you offline? Press again to try once more.` : words;
    const jobs = [this.current, ...this.waiting];
    this.current = null;
    this.waiting = [];
    this.say("failed", blocked);
    const error = `Python could not be started: ${blocked}`;
    jobs.forEach((job) => job?.end({ state: "error", error }));
  }

  /** End a job. One that runs ends with its worker; a new one is made for those that wait. */
  stop(/** @type {Job} */ job) {
    if (job === this.current) {
      this.current = null;
      this.worker?.terminate();
      this.wake();
    } else if (this.waiting.includes(job)) {
      this.waiting = this.waiting.filter((other) => other !== job);
    } else return;
    job.end({ state: "idle", error: "", words: "Stopped." });
  }
}

/** The Python of this page; null on a page that runs none. */
export const pagePython = (/** @type {URL} */ here) => {
  const config = document.querySelector("script.page-python");
  return config && new Python(parsed(config.textContent), here);
};

/** Say once, below the first thing that runs Python, what the first run loads. */
export const tellCost = (/** @type {Python} */ python) => {
  const cost = element("span", { className: "page-cost", textContent: python.config.cost });
  document.querySelector(".board-tools, .try-tools")?.append(cost);
  python.watch((state) => { cost.hidden = state !== "asleep"; });
};
