// Python for a page: one worker, loaded when the reader first runs or plays something. The page's
// cells (try.js) and boards (board.js) give it their jobs, which take turns.
(() => {
  "use strict";

  const here = new URL(".", document.currentScript.src);
  const page = document.documentElement;

  // A job has a message for the worker, and begin(words), print(text) and end({state, error,
  // words, answer}), which are called as it goes on.
  class Python {
    constructor(config) {
      this.config = config;
      this.waiting = [];
      this.current = null;
      this.worker = null;
      this.watchers = [];
      this.say("asleep");
    }

    say(state, words = "", loaded = 0) {
      this.state = state;
      page.dataset.python = state;
      this.watchers.forEach((watch) => watch(state, words, loaded));
    }

    // Why Python cannot run in this browser or at this address; nothing if it can.
    get obstacle() {
      if (location.protocol === "file:") {
        return "Python runs only in a page that is served: type make serve, and open the address it names.";
      }
      if (typeof WebAssembly !== "object") return "This browser has no WebAssembly, which Python needs.";
      if (typeof Worker !== "function") return "This browser has no workers, which Python needs.";
      return "";
    }

    run(job) {
      this.waiting.push(job);
      job.begin(this.state === "ready" && !this.current ? "" : "waits for its turn");
      if (this.state === "asleep" || this.state === "failed") this.wake();
      else this.next();
    }

    wake() {
      if (this.obstacle) return this.fail(this.obstacle);
      this.say("loading", "loads Python", 0);
      const absolute = (address) => new URL(address, here).href;
      const { index, numpy, wheel } = this.config;
      const start = {
        ...this.config,
        index: absolute(index),
        numpy: numpy.endsWith(".whl") ? absolute(numpy) : numpy,
        wheel: absolute(wheel),
      };
      const worker = new Worker(new URL("python.mjs", here), { type: "module" });
      this.worker = worker;
      worker.onmessage = ({ data }) => worker === this.worker && this.hear(data);
      worker.onerror = (event) => {
        if (worker === this.worker) this.fail(event.message || "Python's worker could not be started");
      };
      worker.postMessage({ start });
    }

    hear({ loaded, ready, printed, done, broken }) {
      if (loaded !== undefined) this.say("loading", "loads Python", loaded);
      if (ready) { this.say("ready"); this.next(); }
      if (printed !== undefined) this.current?.print?.(String(printed));
      if (done) {
        const job = this.current;
        this.current = null;
        job.end({ state: String(done.state), error: String(done.error), answer: done.answer });
        this.next();
      }
      if (broken !== undefined) this.fail(String(broken));
    }

    next() {
      if (this.state !== "ready" || this.current || !this.waiting.length) return;
      this.current = this.waiting.shift();
      this.current.begin("");
      this.worker.postMessage(this.current.message);
    }

    fail(words) {
      this.worker?.terminate();
      this.worker = null;
      const host = new URL(this.config.index, here).host;
      const blocked = words.startsWith("could not load")
        ? `${words}. Is ${host} blocked here, or are you offline? Press again to try once more.` : words;
      const jobs = [this.current, ...this.waiting].filter(Boolean);
      this.current = null;
      this.waiting = [];
      this.say("failed", blocked);
      jobs.forEach((job) => job.end({ state: "error", error: `Python could not be started: ${blocked}` }));
    }

    // A run-away cell is ended with its worker; a new one is made for those that wait.
    stop(job) {
      if (job === this.current) {
        this.current = null;
        job.end({ state: "idle", error: "", words: "Stopped." });
        this.worker.terminate();
        this.wake();
      } else if (this.waiting.includes(job)) {
        this.waiting = this.waiting.filter((other) => other !== job);
        job.end({ state: "idle", error: "", words: "Stopped." });
      }
    }
  }

  const config = document.querySelector("script.page-python");
  if (config) window.gameaiPython = new Python(JSON.parse(config.textContent));
})();
