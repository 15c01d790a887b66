import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Carried } from "../../book/touchbook/page/beside.js";
import { wakeFigures } from "../../book/touchbook/page/figures.js";
import { mount } from "../../book/touchbook/figure/figure.js";
import { change, made, page } from "./support.js";

const shown = (name) => {
  const figure = page(made.figures[name].html).querySelector("figure");
  const obey = mount(figure, new Carried(figure.querySelector("script")));
  const control = (of) => figure.querySelector(`[data-name=${of}]`);
  return { figure, obey, control, words: () => figure.querySelector(".explorable-live").textContent };
};

/** Put a control at a position, as a reader does. */
const move = (control, at, ...events) => {
  if (control.type === "checkbox") control.checked = at === 1;
  else if (control.tagName === "SELECT") control.selectedIndex = at;
  else control.value = String(at);
  change(control, ...events);
};

describe("a figure", () => {
  test("opens as Python built it, and shows the frame that Python drew for each setting", () => {
    const { figure, control, words } = shown("lines");
    expect(figure.querySelector(".explorable-controls").hidden).toBe(false);
    expect([words(), location.hash]).toEqual(["plain to 0.5, thin", ""]);
    const { alts } = made.figures.lines;
    const data = JSON.parse(figure.querySelector("script").textContent);
    const img = figure.querySelector("img");
    const pictures = new Map();
    expect(Object.keys(alts).length).toBe(12);
    for (const [at, alt] of Object.entries(alts)) {
      const [k, thick, word] = at.split(",").map(Number);
      move(control("k"), k, "input");
      move(control("thick"), thick, "input");
      move(control("word"), word, "input");
      expect([words(), img.alt]).toEqual([alt, alt]);
      expect(data.pictures).toContain(img.src);
      pictures.set(alt, img.src);
    }
    expect(new Set(pictures.values()).size).toBe(data.pictures.length);
    expect([control("k").getAttribute("aria-valuetext"), control("k").nextElementSibling.textContent])
      .toEqual(["2", "2"]);
  });

  test("shows what a browser has restored", () => {
    const figure = page(made.figures.turn.html).querySelector("figure");
    figure.querySelector("[data-name=k]").value = "3";
    mount(figure, new Carried(figure.querySelector("script")));
    expect(figure.querySelector(".explorable-live").textContent).toBe("Up to 4.");
  });

  test("names its setting in the address once the reader has let go", () => {
    const { control } = shown("lines");
    move(control("k"), 1, "input");
    expect(location.hash).toBe("");
    move(control("word"), 1, "input", "change");
    expect(location.hash).toBe("#fig-lines?k=1&thick=False&word=a%2Bb%20%26%2050%25%20off");
  });

});

describe("play", () => {
  beforeEach(() => { vi.useFakeTimers(); });
  afterEach(() => { vi.useRealTimers(); });

  test.each([["turn", "k", 1, 4], ["lines", "word", 0, 2]])(
    "%s: steps to the last value and ends", (name, of, first, n) => {
      const { figure, control, words } = shown(name);
      const button = figure.querySelector("[data-plays]");
      const label = button.getAttribute("aria-label");
      const at = () => (of === "k" ? Number(control(of).value) : control(of).selectedIndex);
      const looks = () => [button.textContent, button.getAttribute("aria-label"),
        figure.querySelector(".explorable-live").getAttribute("aria-live")];
      button.click();
      expect(looks()).toEqual(["⏸", label.replace("Play", "Pause"), "off"]);
      const [seen, said] = [[at()], new Set([words()])];
      while (button.textContent === "⏸") {
        vi.advanceTimersByTime(700);
        seen.push(at());
        said.add(words());
      }
      expect(seen).toEqual([...Array(n).keys()].slice(first));
      expect(said.size).toBe(seen.length);
      expect(looks()).toEqual(["▶", label, "polite"]);
      button.click(); // from the end it begins anew
      expect(at()).toBe(0);
    });

  test("is paused by its button and by a hand on the control", () => {
    const { figure, control } = shown("turn");
    const button = figure.querySelector("[data-plays]");
    for (const pause of [() => button.click(), () => change(control("k"), "pointerdown")]) {
      button.click();
      pause();
      vi.advanceTimersByTime(5000);
      expect([control("k").value, button.textContent]).toEqual(["1", "▶"]);
    }
  });
});

describe("the figures of a page", () => {
  const words = (name) => document.querySelector(`#fig-${name} .explorable-live`).textContent;
  const open = (hash) => {
    page(made.figures.turn.html + made.figures.lines.html + made.still);
    history.replaceState(null, "", `/book/page.html${hash}`);
    Element.prototype.scrollIntoView = vi.fn();
    wakeFigures();
    return Element.prototype.scrollIntoView;
  };

  test("links open the page at a setting, and move a figure on it", () => {
    const scrolled = open("#fig-turn?k=3");
    expect([words("turn"), words("lines")]).toEqual(["Up to 3.", "plain to 0.5, thin"]);
    expect(scrolled.mock.contexts.map((one) => one.id)).toEqual(["fig-turn"]);
    location.hash = "#fig-lines?thick=True";
    window.dispatchEvent(new Event("hashchange"));
    expect(words("lines")).toBe("plain to 0.5, thick");
    expect(scrolled.mock.contexts.at(-1).id).toBe("fig-lines");
    open("#fig-turn%3Fk%3D3"); // some programs write the question mark in hundreds
    expect(words("turn")).toBe("Up to 3.");
  });

  test.each(["#fig-turn", "#elsewhere?k=3", "#50%", "#fig-turn?k=%", "#fig-turn?k=50%", "#?"])(
    "%s is a link to nothing of a figure", (hash) => {
      open(hash);
      expect(words("turn")).toBe("Up to 2.");
    });
});

describe("a figure whose frames stand beside the page", () => {
  const beside = () => {
    const figure = page(made.figures.turn.html).querySelector("figure");
    const script = figure.querySelector("script");
    const frames = JSON.parse(script.textContent);
    script.dataset.beside = "../_static/beside/1.js";
    script.textContent = "";
    const watched = [];
    vi.stubGlobal("IntersectionObserver", class {
      constructor(seen) { watched.push(seen); }
      observe() {}
      disconnect() {}
    });
    const asked = vi.spyOn(document.head, "append").mockImplementation(() => {});
    mount(figure, new Carried(script));
    vi.unstubAllGlobals();
    const answer = async (carried) => {
      const one = asked.mock.lastCall[0];
      if (carried) Object.assign(one, { carried }).onload();
      else one.onerror();
      await new Promise((done) => setTimeout(done));
    };
    const near = () => watched.forEach((seen) => { seen([{ isIntersecting: true }]); });
    return { asked, answer, frames, near, control: figure.querySelector("[data-name=k]"),
      words: () => figure.querySelector(".explorable-live").textContent,
      source: () => figure.querySelector("img").src };
  };
  afterEach(() => { vi.restoreAllMocks(); });

  test("asks for them when it comes near, once", async () => {
    const { asked, answer, frames, near, source } = beside();
    near();
    near();
    expect(asked.mock.calls.map(([one]) => one.getAttribute("src")))
      .toEqual(["../_static/beside/1.js"]);
    await answer(frames);
    expect(source()).toBe(frames.pictures[frames.frames[1][0]]);
  });

  test("a touch does not wait until it is near, and the next asks again if the line was gone", async () => {
    const { answer, frames, control, words } = beside();
    move(control, 1, "input");
    await answer(null);
    expect(words()).toContain("could not be loaded");
    move(control, 2, "input");
    move(control, 3, "input");
    await answer(frames);
    expect(words()).toBe("Up to 4.");
  });
});
