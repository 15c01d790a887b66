// Cells to change and exercises: an editor over each, and one Python for the page, loaded when
// the reader first runs something. What a reader types or a cell prints is shown as text only.
(() => {
  "use strict";

  const here = new URL(".", document.currentScript.src);
  const page = document.documentElement;

  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  // One worker, whose runs wait for each other.
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
      if (printed !== undefined) this.current?.print(String(printed));
      if (done) {
        const job = this.current;
        this.current = null;
        job.end(String(done.state), String(done.error));
        this.next();
      }
      if (broken !== undefined) this.fail(String(broken));
    }

    next() {
      if (this.state !== "ready" || this.current || !this.waiting.length) return;
      this.current = this.waiting.shift();
      this.current.begin("");
      const { code, preparation, check, label } = this.current;
      this.worker.postMessage({ run: { code, preparation, check, label } });
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
      jobs.forEach((job) => job.end("error", `Python could not be started: ${blocked}`));
    }

    // A run-away cell is ended with its worker; a new one is made for those that wait.
    stop(job) {
      if (job === this.current) {
        this.current = null;
        job.end("idle", "", "Stopped.");
        this.worker.terminate();
        this.wake();
      } else if (this.waiting.includes(job)) {
        this.waiting = this.waiting.filter((other) => other !== job);
        job.end("idle", "", "Stopped.");
      }
    }
  }

  // What was typed stays in this browser.
  const stored = (name) => {
    const key = `gameai:typed:${location.pathname}:${name}`;
    const attempt = (action) => {
      try { return action(); } catch { return null; } // storage is switched off, or full
    };
    return {
      get: () => attempt(() => localStorage.getItem(key)),
      set: (text) => attempt(() => localStorage.setItem(key, text)),
      forget: () => attempt(() => localStorage.removeItem(key)),
    };
  };

  const WORDS = { passed: "✓ Right.", failed: "✗ Not yet.", error: "✗ An error.", idle: "", running: "runs …" };

  const setUp = (box, python, createEditor) => {
    const data = JSON.parse(box.querySelector("script.try-data").textContent);
    const memory = stored(data.name);
    const code = box.querySelector(".cell_input");
    const built = box.querySelector(".cell_output");
    const output = box.querySelector(".try-output");
    const status = element("span", { className: "try-status" });
    status.setAttribute("role", "status");
    const bar = element("progress", { max: 1, value: 0, hidden: true });
    bar.setAttribute("aria-label", "Python is loaded");
    let solution = null; // what the reader had typed, while the solution shows
    let editor = { text: memory.get() ?? data.code, focus: () => code.focus() };
    let job = null;

    const button = (action, text, press) => {
      const made = element("button", { type: "button", textContent: text });
      made.dataset.action = action;
      made.addEventListener("click", press);
      return made;
    };

    const show = (state, words = WORDS[state]) => {
      box.dataset.state = state;
      status.textContent = words;
      // A button that were disabled or hidden would lose the keyboard's focus.
      if (state !== "running" && document.activeElement === buttons.stop) buttons.run.focus();
      buttons.stop.hidden = state !== "running";
      for (const action of ["run", "check"]) buttons[action]?.setAttribute("aria-disabled", state === "running");
      if (state !== "running") bar.hidden = true;
    };

    const start = (check) => {
      if (job) return;
      job = {
        code: editor.text, preparation: data.preparation, check, label: data.name,
        begin: (words) => {
          show("running", words || WORDS.running);
          bar.hidden = python.state !== "loading";
        },
        print: (text) => { output.append(text); },
        end: (state, error, words) => {
          job = null;
          if (error) output.append(element("span", { className: "try-error", textContent: error }));
          show(state, words ?? (state === "idle" && !output.textContent ? "Done; nothing was printed." : undefined));
        },
      };
      output.replaceChildren();
      if (built) built.hidden = true;
      python.run(job);
    };

    const reset = () => {
      if (job) python.stop(job);
      memory.forget();
      solution = null;
      editor.text = data.code;
      memory.forget(); // the editor has told of its change
      output.replaceChildren();
      if (built) built.hidden = false;
      if (buttons.solution) buttons.solution.textContent = "Solution";
      show("idle");
      editor.focus();
    };

    // The solution takes the place of what was typed, which comes back.
    const toggleSolution = () => {
      if (job) python.stop(job);
      output.replaceChildren(); // it was about the other code
      show("idle");
      const typed = editor.text;
      if (solution === null) {
        solution = typed;
        editor.text = data.solution;
        buttons.solution.textContent = "Back to mine";
        status.textContent = "The book's solution; more stands folded below.";
      } else {
        editor.text = solution;
        solution = null;
        buttons.solution.textContent = "Solution";
        status.textContent = "";
      }
    };

    const buttons = Object.fromEntries(Object.entries({
      run: button("run", "Run", () => start("")),
      check: data.check && button("check", "Check", () => start(data.check)),
      stop: button("stop", "Stop", () => job && python.stop(job)),
      reset: button("reset", "Reset", reset),
      solution: data.solution && button("solution", "Solution", toggleSolution),
    }).filter(([, made]) => made));
    const cost = element("span", { className: "try-cost", textContent: python.config.cost });
    const tools = element("div", { className: "try-tools" },
      ...Object.values(buttons), bar, status, cost);
    code.after(tools);
    python.watchers.push((state, words, loaded) => {
      cost.hidden = state !== "asleep";
      bar.hidden = state !== "loading" || !job;
      bar.value = loaded;
      if (job && state === "loading") status.textContent = `${words} … ${Math.round(100 * loaded)} %`;
    });
    for (const [text, label] of [[data.preparation, "What it needs from earlier cells"], [data.check, "What is checked"]]) {
      if (!text) continue;
      box.append(element("details", { className: "try-needs" },
        element("summary", { textContent: label }), element("pre", { textContent: text })));
    }
    show("idle");

    createEditor.then((create) => {
      const place = element("div", { className: "try-editor" });
      code.before(place);
      // The page's shortcuts, such as "/" for its search, are not for what is typed here.
      place.addEventListener("keydown", (event) => event.stopPropagation());
      code.hidden = true;
      editor = create({
        parent: place, text: editor.text, label: `Python code: ${data.title}`,
        onChange: (text) => { if (solution === null) memory.set(text); },
        onRun: () => start(data.check),
      });
    }).catch(() => {
      // A page that is not served cannot load the editor; its code stays as it was built.
      status.textContent = python.obstacle;
    });
  };

  const begin = () => {
    const boxes = document.querySelectorAll("div.try");
    const config = document.querySelector("script.try-python");
    if (!config) return;
    const python = new Python(JSON.parse(config.textContent));
    const createEditor = new Promise((resolve, reject) => {
      const load = () => import(new URL("editor.mjs", here)).then((m) => resolve(m.createEditor), reject);
      if ("requestIdleCallback" in window) requestIdleCallback(load, { timeout: 1000 });
      else setTimeout(load, 200);
    });
    boxes.forEach((box) => setUp(box, python, createEditor));
  };

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
