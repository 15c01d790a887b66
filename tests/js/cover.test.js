import { describe, expect, test, vi } from "vitest";
import { wakeAsks } from "../../book/touchbook/page/asks.js";
import { wakeCode } from "../../book/touchbook/page/head.js";
import { followToWorkshop } from "../../book/touchbook/page/link.js";
import { score } from "../../book/touchbook/ask/score.js";
import { render } from "../../book/touchbook/cover.js";
import { made, Model, page, text } from "./support.js";

const asked = (name, status = "open") => ({ name, html: `Is <em>${name}</em>?`, status });
const links = (parent) =>
  [...parent.querySelectorAll("a")].map((a) => [a.getAttribute("href"), a.innerHTML]);

test("a cover stands in the place of a figure in a kernel", () => {
  const el = page("<div></div>").firstChild;
  const model = new Model({ setup: made.cover, state: { asks: [asked("a")] } });
  const leave = render({ model, el });
  const panel = el.querySelector(".explorable-cover");
  expect([panel.id, panel.dataset.lmSuppressShortcuts]).toEqual(["fig-turn", "true"]);
  expect(links(panel)).toEqual([["#ask-a", "Answer its question"]]);
  model.set("state", { asks: [asked("b")] });
  expect(links(panel).map(([href]) => href)).toEqual(["#ask-b"]);
  for (const what of ["look", "everything"]) panel.querySelector(`[data-action=${what}]`).click();
  expect(model.sent).toEqual([{ do: "look" }, { do: "everything" }]);
  leave();
  model.set("state", { asks: [] });
  expect(links(panel).length).toBe(1);
});

test("a score counts, and begins anew", () => {
  const box = page(made.score).querySelector(".ask-score-box");
  const again = vi.fn();
  const show = score(box, again);
  const [words, list, over] = [".ask-score", ".ask-open", "[data-action=again]"]
    .map((selector) => box.querySelector(selector));
  show([asked("a")]);
  expect([over.hidden, list.hidden]).toEqual([true, false]);
  show([asked("a")], true); // a reader who sees everything has a way back
  expect(over.hidden).toBe(false);
  show([asked("a", "right"), asked("b", "wrong"), asked("c", "passed"), asked("d")]);
  expect(words.textContent).toBe("You predicted 1 of 4 right (1 passed, 1 still open).");
  expect(links(list).map(([href]) => href)).toEqual(["#ask-d"]);
  over.click();
  expect([again.mock.calls.length, document.activeElement]).toEqual([1, words]);
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
    };
  };
  const html = [made.asks.likely, made.asks.cards, made.figures.turn.html, "<p>So.</p>", made.still,
    made.asks.up, made.score].join("");

  test("cover figures until all are done, are remembered, and asked anew from the score", () => {
    const { covered, skip, words } = wake(html);
    expect(covered()).toEqual(["fig-turn", "fig-still"]);
    const leads = () => links(document.querySelector("#fig-turn .explorable-cover"));
    expect(leads()).toEqual([["#ask-likely", "Answer question 1 of 2"], ["#ask-cards", "Answer question 2 of 2"]]);
    expect(document.querySelector("#fig-turn a").title).toBe("Is an a more or less likely than ½?");
    expect(words()).toBe("You predicted 0 of 3 right (0 passed, 3 still open).");
    skip("likely");
    expect([covered(), leads()]).toEqual([["fig-turn"], [["#ask-cards", "Answer its question"]]]);
    expect(words()).toContain("1 passed, 2 still open");
    document.body.innerHTML = html;
    const again = wake(); // the page is opened again
    expect(again.form("likely").dataset.state).toBe("passed");
    expect(again.covered()).toEqual(["fig-turn"]);
    document.querySelector("#fig-turn [data-action=look]").click();
    expect([again.covered(), document.activeElement.id]).toEqual([[], "fig-turn"]);
    expect(["likely", "cards", "up"].map((name) => again.form(name).dataset.state))
      .toEqual(["passed", "passed", "open"]);
    expect(localStorage.length).toBe(2);
    document.querySelector("[data-action=again]").click();
    expect(again.covered()).toEqual(["fig-turn", "fig-still"]);
    expect(again.words()).toContain("3 still open");
    expect(localStorage.length).toBe(0);
  });

  test("step back for a reader who wants to see everything, on this page and the next", () => {
    const { covered, form, words } = wake(`<main><h1>A page</h1>${html}</main>`);
    const box = () => document.querySelector(".page-switches input");
    expect(text(document.querySelector("h1 + .page-switches"))).toBe("Questions first");
    expect(box().checked).toBe(true);
    document.querySelector("#fig-still [data-action=everything]").click();
    expect([covered(), box().checked]).toEqual([[], false]);
    expect(form("likely").querySelector(".ask-truth").hidden).toBe(false);
    expect(words()).toContain("3 still open");
    document.body.innerHTML = `<main><h1>Another page</h1>${html}</main>`;
    history.replaceState(null, "", "/book/other.html");
    expect([wake().covered(), box().checked]).toEqual([[], false]);
    box().click();
    expect(covered()).toEqual(["fig-turn", "fig-still"]);
    expect(document.querySelector("form[data-ask=likely] .ask-truth").hidden).toBe(true);
    expect(localStorage.length).toBe(0);
  });
});

test("the code behind pictures is shown by a switch, where there is such code", () => {
  const cell = '<div class="cell tag_hide-input"><details class="hide"><p>code</p></details></div>';
  page("<main><h1>A page</h1></main>");
  wakeCode();
  expect(document.querySelector(".page-switches")).toBeNull();
  page(`<main><h1>A page</h1>${cell}${cell}</main>`);
  wakeCode();
  const box = document.querySelector(".page-switches input");
  const open = () => [...document.querySelectorAll("details")].map((fold) => fold.open);
  expect([box.checked, open()]).toEqual([false, [false, false]]);
  box.click();
  expect([document.documentElement.hasAttribute("data-code"), open()]).toEqual([true, [true, true]]);
  document.body.innerHTML = `<main><h1>Another page</h1>${cell}</main>`;
  wakeCode();
  expect(open()).toEqual([true]);
  document.querySelector(".page-switches input").click();
  expect([document.documentElement.hasAttribute("data-code"), open()]).toEqual([false, [false]]);
});

const workshop = '<link rel="section" href="page_workshop.html">';

test.each([
  ["#fig-turn?k=3", workshop, ["http://localhost/book/page_workshop.html#fig-turn?k=3"]],
  ["#board-sticks", workshop, ["http://localhost/book/page_workshop.html#board-sticks"]],
  ["#fig-here?k=3", workshop, []], ["#a-section", workshop, []], ["", workshop, []], ["#fig-turn", "", []],
])("a link to what a lesson no longer holds: %s, with %j, leads to %j", (hash, head, to) => {
  page(`${head}<figure id="fig-here"></figure>`);
  history.replaceState(null, "", `/book/page.html${hash}`);
  const led = [];
  followToWorkshop((address) => led.push(String(address)));
  expect(led).toEqual(to);
});
