// Boards of a page: each is woken by its button, and then played with the page's Python.
(() => {
  "use strict";

  const here = new URL(".", document.currentScript.src);

  const element = (name, properties = {}) => Object.assign(document.createElement(name), properties);

  // The game stays in this browser.
  const remembered = (name) => {
    const key = `gameai:played:${location.pathname}:${name}`;
    const attempt = (action) => {
      try { return action(); } catch { return null; } // storage is switched off, or full
    };
    return {
      get: () => attempt(() => localStorage.getItem(key)),
      set: (text) => attempt(() => localStorage.setItem(key, text)),
    };
  };

  // #board-morpion?seed=7
  const wished = (name) => {
    const [place, query] = decodeURIComponent(location.hash).split("?");
    const seed = new URLSearchParams(query ?? "").get("seed");
    return place === `#board-${name}` && /^\d{1,10}$/.test(seed ?? "") ? Number(seed) : null;
  };

  const setUp = (figure, { mount }) => {
    const python = window.gameaiPython;
    const setup = JSON.parse(figure.querySelector("script.board-data").textContent);
    const memory = remembered(setup.name);
    const cost = element("span", { className: "board-cost", textContent: python.config.cost });
    const waits = element("span", { className: "board-waits" });
    waits.setAttribute("role", "status");
    const bar = element("progress", { max: 1, value: 0, hidden: true });
    bar.setAttribute("aria-label", "Python is loaded");
    let before = "";
    let asks = false;

    const ask = (request) => new Promise((resolve, reject) => {
      asks = true;
      const awake = figure.dataset.state !== "asleep";
      const shown = awake ? [...figure.querySelectorAll('[data-touch^="show-"][aria-pressed="true"]')]
        .map((button) => button.dataset.touch.slice(5)) : null;
      const message = { ...request, board: setup.board, options: setup.options, before, shown };
      python.run({
        message: { board: { name: setup.name, request: JSON.stringify(message) } },
        begin: (words) => { waits.textContent = words; bar.hidden = python.state !== "loading"; },
        end: ({ error, answer }) => {
          asks = false;
          waits.textContent = "";
          bar.hidden = true;
          if (!answer) return reject(new Error(error));
          const state = JSON.parse(answer);
          if (state.fault) return reject(new Error(state.fault));
          before = state.text;
          return resolve(state);
        },
      });
    });

    const board = mount(figure, setup, ask, { asleep: "Play here", memory });
    board.tools.append(bar, waits, cost);
    python.watchers.push((state, words, loaded) => {
      cost.hidden = state !== "asleep";
      bar.hidden = state !== "loading" || !asks;
      bar.value = loaded;
      if (asks && state === "loading") waits.textContent = `${words} … ${Math.round(100 * loaded)} %`;
    });
    // A link asks for a certain start; otherwise the last game goes on.
    if (wished(setup.name) === null) before = memory.get() ?? "";
    else setup.options.seed = wished(setup.name);
    window.addEventListener("hashchange", () => {
      const seed = wished(setup.name);
      if (seed === null) return;
      if (figure.dataset.state === "asleep") { setup.options.seed = seed; before = ""; } else board.request({ do: "new", seed });
    });
  };

  const begin = () => {
    const figures = document.querySelectorAll("figure.board");
    if (!figures.length || !window.gameaiPython) return;
    const module = import(new URL("board.mjs", here));
    figures.forEach((figure) => {
      module.then((loaded) => setUp(figure, loaded)).catch((error) => {
        const words = window.gameaiPython.obstacle || `This board cannot be played: ${error.message}`;
        const said = element("p", { className: "board-wrong", textContent: words });
        figure.querySelector(".board-picture").after(said);
      });
    });
  };

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
