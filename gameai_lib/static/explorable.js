// Explorables in the built book: native controls pick one of the pictures drawn beforehand.
(() => {
  "use strict";

  const position = (input) => {
    if (input.type === "checkbox") return input.checked ? 1 : 0;
    return input.tagName === "SELECT" ? input.selectedIndex : Number(input.value);
  };

  const moveTo = (input, at) => {
    if (input.type === "checkbox") input.checked = at === 1;
    else if (input.tagName === "SELECT") input.selectedIndex = at;
    else input.value = at;
  };

  const setUp = (figure) => {
    const data = JSON.parse(figure.querySelector("script").textContent);
    const picture = figure.querySelector("img");
    const words = figure.querySelector(".explorable-live");
    const inputs = [...figure.querySelectorAll("[data-name]")];
    const texts = inputs.map((input) => JSON.parse(input.dataset.texts));

    const show = () => {
      // Frames are stored with the last control moving fastest.
      const frame = inputs.reduce((at, input, i) => at * texts[i].length + position(input), 0);
      const [source, alt] = data.frames[frame];
      picture.src = data.pictures[source];
      picture.alt = alt;
      words.textContent = alt;
      inputs.forEach((input, i) => {
        if (input.type !== "range") return;
        const text = texts[i][position(input)];
        input.setAttribute("aria-valuetext", text);
        input.nextElementSibling.textContent = text;
      });
    };

    const remember = () => {
      const query = inputs.map((input, i) =>
        `${input.dataset.name}=${encodeURIComponent(texts[i][position(input)])}`);
      history.replaceState(null, "", `#${figure.id}?${query.join("&")}`);
    };

    const obey = (query) => {
      const wanted = new URLSearchParams(query);
      inputs.forEach((input, i) => {
        const at = texts[i].indexOf(wanted.get(input.dataset.name));
        if (at >= 0) moveTo(input, at);
      });
      show();
    };

    const setUpPlay = (button) => {
      const input = document.getElementById(button.dataset.plays);
      const last = JSON.parse(input.dataset.texts).length - 1;
      const name = button.getAttribute("aria-label").replace(/^Play/, "");
      let timer = null;
      const stop = () => {
        clearInterval(timer);
        timer = null;
        button.textContent = "▶";
        button.setAttribute("aria-label", `Play${name}`);
        words.setAttribute("aria-live", "polite");
      };
      const step = () => {
        moveTo(input, position(input) + 1);
        show();
        if (position(input) >= last) stop();
      };
      button.addEventListener("click", () => {
        if (timer !== null) return stop();
        if (position(input) >= last) moveTo(input, 0);
        // A screen reader should not have to follow every step.
        words.setAttribute("aria-live", "off");
        button.textContent = "⏸";
        button.setAttribute("aria-label", `Pause${name}`);
        show();
        timer = setInterval(step, 700);
      });
      input.addEventListener("pointerdown", () => timer !== null && stop());
    };

    inputs.forEach((input) => {
      input.addEventListener("input", show);
      input.addEventListener("change", () => { show(); remember(); });
    });
    figure.querySelectorAll("[data-plays]").forEach(setUpPlay);
    figure.querySelector(".explorable-controls").hidden = false;
    show(); // a browser may have restored controls from an earlier visit
    return obey;
  };

  const figures = new Map();

  const followLink = () => {
    const [id, query] = decodeURIComponent(location.hash.slice(1)).split("?");
    const obey = figures.get(id);
    if (!obey || query === undefined) return;
    obey(query);
    document.getElementById(id).scrollIntoView();
  };

  // An equation too wide for the page scrolls in its box, so the keyboard must reach it.
  const reachEquations = () => {
    document.querySelectorAll('mjx-container[display="true"]').forEach((equation) => {
      if (equation.scrollWidth > equation.clientWidth) equation.tabIndex = 0;
    });
  };

  const start = () => {
    document.querySelectorAll("figure.explorable:has(script)").forEach((figure) => {
      figures.set(figure.id, setUp(figure));
    });
    followLink();
    window.addEventListener("hashchange", followLink);
    window.addEventListener("load", () => window.MathJax?.startup?.promise?.then(reachEquations));
  };

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
