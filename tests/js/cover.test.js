import { describe, expect, test, vi } from "vitest";
import { wakeAsks } from "../../gameai_lib/page/asks.js";
import { score } from "../../gameai_lib/touch/ask/score.js";
import * as scoreFace from "../../gameai_lib/touch/ask/score.js";
import { veil } from "../../gameai_lib/touch/ask/veil.js";
import { cover, coverable, render } from "../../gameai_lib/touch/cover.js";
import { made, Model, page, text } from "./support.js";

const asked = (name, status = "open") => ({ name, html: `Is <em>${name}</em>?`, status });
const links = (parent) =>
  [...parent.querySelectorAll("a")].map((a) => [a.getAttribute("href"), a.innerHTML]);

describe("a cover", () => {
  test("names the open questions", () => {
    const { panel, show } = cover(() => {});
    show([asked("a"), asked("b")]);
    expect(links(panel)).toEqual([["#ask-a", "Is <em>a</em>?"], ["#ask-b", "Is <em>b</em>?"]]);
    expect(panel.querySelector("strong").textContent).toBe("Predict first: ");
    show([asked("b")]);
    expect(links(panel)).toEqual([["#ask-b", "Is <em>b</em>?"]]);
  });

  test("lies over a figure of a page while a question is open", () => {
    const figure = page(made.figures.turn.html).querySelector("figure");
    const onLook = vi.fn();
    const show = coverable(figure, onLook);
    expect(figure.querySelector(".explorable-cover")).toBeNull();
    show([asked("a")]);
    show([asked("a")]);
    expect(figure.hasAttribute("data-covered")).toBe(true);
    expect(figure.querySelectorAll(".explorable-cover").length).toBe(1);
    figure.querySelector("[data-action=look]").click();
    expect(onLook).toHaveBeenCalledTimes(1);
    expect(document.activeElement).toBe(figure);
    show([]);
    expect(figure.hasAttribute("data-covered")).toBe(false);
    expect(figure.querySelector(".explorable-cover")).toBeNull();
  });

  test("stands in the place of a figure in a kernel", () => {
    const el = page("<div></div>").firstChild;
    const model = new Model({ setup: made.cover, state: { asks: [asked("a")] } });
    const leave = render({ model, el });
    const panel = el.querySelector(".explorable-cover");
    expect(panel.id).toBe("fig-turn");
    expect(panel.style.minHeight).toBe("300px");
    expect(panel.dataset.lmSuppressShortcuts).toBe("true");
    expect(links(panel).map(([href]) => href)).toEqual(["#ask-a"]);
    model.set("state", { asks: [asked("b")] });
    expect(links(panel).map(([href]) => href)).toEqual(["#ask-b"]);
    panel.querySelector("[data-action=look]").click();
    expect(model.sent).toEqual([{ do: "look" }]);
    leave();
    model.set("state", { asks: [] });
    expect(links(panel).length).toBe(1);
  });
});

describe("a score", () => {
  test("counts", () => {
    const box = page(made.score).querySelector(".ask-score-box");
    const again = vi.fn();
    const show = score(box, again);
    const [words, list, over] = [".ask-score", ".ask-open", "[data-action=again]"]
      .map((selector) => box.querySelector(selector));
    show([asked("a"), asked("b")]);
    expect(words.textContent).toBe("You predicted 0 of 2 right (0 passed, 2 still open).");
    expect([over.hidden, list.hidden]).toEqual([true, false]);
    show([asked("a", "right"), asked("b", "wrong"), asked("c", "passed"), asked("d", "right"),
      asked("e")]);
    expect(words.textContent).toBe("You predicted 2 of 5 right (1 passed, 1 still open).");
    expect(links(list).map(([href]) => href)).toEqual(["#ask-e"]);
    expect(over.hidden).toBe(false);
    show([asked("a", "wrong")]);
    expect(words.textContent).toBe("You predicted 0 of 1 right (0 passed, 0 still open).");
    expect(list.hidden).toBe(true);
    over.click();
    expect(again).toHaveBeenCalledTimes(1);
    expect(document.activeElement).toBe(words);
  });

  test("in a kernel", () => {
    const el = page("<div></div>").firstChild;
    const model = new Model({ setup: { html: made.score }, state: { asks: [asked("a")] } });
    const leave = scoreFace.render({ model, el });
    const words = () => el.querySelector(".ask-score").textContent;
    expect(words()).toContain("0 of 1 right");
    model.set("state", { asks: [asked("a", "right")] });
    expect(words()).toContain("1 of 1 right");
    el.querySelector("[data-action=again]").click();
    expect(model.sent).toEqual([{ do: "again" }]);
    leave();
    model.set("state", { asks: [] });
    expect(words()).toContain("1 of 1 right");
  });
});

describe("a veil", () => {
  const form = '<div class="cell" id="asks"><form class="ask"></form></div>';
  const figure = (name) => `<div class="cell" id="cell-${name}">
    <div class="cell_output"><figure id="fig-${name}"></figure></div></div>`;
  const p = (id) => `<p id="${id}"></p>`;
  const cell = (id, kind = "cell") =>
    `<div class="${kind}" id="${id}"><pre class="cell_input"></pre><pre class="cell_output"></pre></div>`;

  /** Which parts are veiled, by their ids; an output is named after its cell. */
  const veiled = (below, covers = ["turn"], covered = covers) => {
    page(`<section><p id="above"></p>${form}${below}</section><p id="outside"></p>`);
    const ask = { form: document.querySelector("form"), isOpen: true, data: { covers } };
    const lift = veil(ask, covered);
    const ids = () => [...document.querySelectorAll(".ask-veiled")].map((one) => {
      expect(one.inert).toBe(true);
      return one.id || `output of ${one.closest("[id]").id}`;
    });
    lift();
    const found = ids();
    ask.isOpen = false;
    lift();
    expect([...document.querySelectorAll("*")].filter((one) => one.inert)).toEqual([]);
    expect(ids()).toEqual([]);
    return found;
  };

  test("lies over the words around a covered figure, two of those below it", () => {
    const below = p("a") + figure("turn") + p("b") + p("c") + p("d");
    expect(veiled(below)).toEqual(["a", "b", "c"]);
  });

  test("lies over what cells print, not over their code", () => {
    expect(veiled(cell("x") + figure("turn") + p("a"))).toEqual(["output of x", "a"]);
  });

  test("ends at the next question, section or figure", () => {
    const next = '<div class="cell"><form class="ask"></form></div>';
    expect(veiled(figure("turn") + p("a") + next + p("b"))).toEqual(["a"]);
    expect(veiled(`${figure("turn")}<section><p id="a"></p></section>`)).toEqual([]);
    expect(veiled(figure("turn") + p("a") + figure("free") + p("b"))).toEqual(["a"]);
    expect(veiled(`${p("a")}<p class="ask-score"></p>${p("b")}`)).toEqual(["a"]);
  });

  test("reaches to the last of the figures that the question covers", () => {
    const below = p("a") + figure("turn") + p("b") + figure("still") + p("c");
    expect(veiled(below, ["turn", "still"])).toEqual(["a", "b", "c"]);
    expect(veiled(below, ["turn"], ["turn", "still"])).toEqual(["a", "b"]);
  });

  test("leaves what can be pressed, and the words that say what to change", () => {
    const below = figure("turn") + p("a") + p("b") + cell("try-x", "try") + p("c");
    expect(veiled(below)).toEqual(["a", "output of try-x"]);
  });

  test("lies below a question without a figure", () => {
    expect(veiled(p("a") + p("b") + p("c"), [])).toEqual(["a", "b"]);
    expect(veiled(`<script></script>${p("a")}`, [])).toEqual(["a"]);
    expect(veiled(p("a"), ["elsewhere"])).toEqual(["a"]);
  });

  test("ends with the page", () => {
    expect(veiled("", [])).toEqual([]);
  });
});

describe("the questions of a page", () => {
  const wake = (html) => {
    if (html) page(html);
    wakeAsks();
    const form = (name) => document.querySelector(`form[data-ask=${name}]`);
    return {
      form,
      skip: (name) => form(name).querySelector("[data-action=skip]").click(),
      covered: () => [...document.querySelectorAll("figure[data-covered]")].map((one) => one.id),
      words: () => text(document.querySelector(".ask-score")),
      veiled: () => document.querySelectorAll(".ask-veiled").length,
    };
  };
  const html = [made.asks.likely, made.asks.cards, made.figures.turn.html, "<p>So.</p>", made.still,
    made.asks.up, made.score].join("");

  test("cover figures until all of those that would be spoilt are done", () => {
    const { covered, skip, words, veiled } = wake(html);
    expect(covered()).toEqual(["fig-turn", "fig-still"]);
    expect(links(document.querySelector("#fig-turn .explorable-cover")).map(([to]) => to))
      .toEqual(["#ask-likely", "#ask-cards"]);
    expect(words()).toBe("You predicted 0 of 3 right (0 passed, 3 still open).");
    expect(veiled()).toBe(1);
    skip("likely");
    expect(covered()).toEqual(["fig-turn"]);
    expect(words()).toBe("You predicted 0 of 3 right (1 passed, 2 still open).");
    skip("cards");
    expect(covered()).toEqual([]);
    expect(veiled()).toBe(0);
  });

  test("are passed by a look, and asked anew from the score", () => {
    const { covered, form, words } = wake(html);
    document.querySelector("#fig-turn [data-action=look]").click();
    expect(covered()).toEqual([]);
    expect(["likely", "cards", "up"].map((name) => form(name).dataset.state))
      .toEqual(["passed", "passed", "open"]);
    expect(localStorage.length).toBe(2);
    document.querySelector("[data-action=again]").click();
    expect(covered()).toEqual(["fig-turn", "fig-still"]);
    expect(words()).toContain("3 still open");
    expect(localStorage.length).toBe(0);
  });

  test("are remembered when the page is opened again", () => {
    wake(html).skip("likely");
    document.body.innerHTML = html;
    const { covered, form } = wake();
    expect(form("likely").dataset.state).toBe("passed");
    expect(covered()).toEqual(["fig-turn"]);
  });

  test("may cover what is not on this page", () => {
    expect(wake(made.asks.likely).covered()).toEqual([]);
  });
});
