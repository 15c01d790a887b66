// Cells to change and exercises: an editor over each, run by the page's Python (python.js). What a
// reader types or a cell prints is shown as text only.
(() => {
  "use strict";

  const here = new URL(".", document.currentScript.src);

  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

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
        message: { run: { code: editor.text, preparation: data.preparation, check, label: data.name } },
        begin: (words) => {
          show("running", words || WORDS.running);
          bar.hidden = python.state !== "loading";
        },
        print: (text) => { output.append(text); },
        end: ({ state, error, words }) => {
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
    const python = window.gameaiPython;
    if (!boxes.length || !python) return;
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
