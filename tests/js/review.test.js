import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { wakeAsks } from "../../book/touchbook/page/asks.js";
import { compare, pack, unpack } from "../../book/touchbook/page/luggage.js";
import { notePass, noteTouch, showProgress } from "../../book/touchbook/page/progress.js";
import { wakeReview } from "../../book/touchbook/page/review.js";
import { afterAnswer, countDue, dueAt, inWords, noteAnswer, recall } from "../../book/touchbook/page/schedule.js";
import { storage } from "../../book/touchbook/store.js";
import { made, page } from "./support.js";

const DAY = 86_400_000;
const NOW = new Date(2026, 10, 28, 9).getTime();
const NIM = [{ page: "nim", names: ["a", "doubled", "coin"] }];
storage.name = "nimbook";

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  globalThis.IntersectionObserver = class { observe() {} disconnect() {} };
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
const days = (n) => vi.setSystemTime(NOW + n * DAY);
const settle = () => new Promise((done) => { setTimeout(done, 0); });
const at = (selector) => document.querySelector(selector);
const click = (action) => at(`[data-action=${action}]`).click();

describe("the schedule", () => {
  test("asks after a day, a week, a month and three months of right answers", () => {
    let entry = afterAnswer(null, false, NOW);
    const dues = [];
    for (let i = 0; i < 5; i += 1) {
      dues.push((dueAt(entry) - entry.last) / DAY);
      entry = afterAnswer(entry, true, dueAt(entry));
    }
    expect(dues).toEqual([0.75, 6.75, 29.75, 89.75, 89.75]);
    expect(entry.times).toBe(6);
  });

  test.each([
    [0, "now"], [0.5, "later today"], [1, "tomorrow"], [1.7, "in 2 days"], [30, "in 4 weeks"],
  ])("says when: after %d days it is %j", (n, words) => {
    expect(inWords(NOW + n * DAY, NOW)).toBe(words);
  });

  test("begins again with a wrong answer, and a right one that comes early changes nothing", () => {
    const entry = { step: 2, last: NOW, times: 3 };
    expect(afterAnswer(entry, false, NOW + DAY)).toEqual({ step: 0, last: NOW + DAY, times: 4 });
    expect(afterAnswer(entry, true, NOW + DAY)).toEqual({ step: 2, last: NOW, times: 4 });
  });

  test("counts what lies in the future from now, and forgets what cannot be read", () => {
    page("");
    localStorage.setItem("nimbook:all:due:nim:a", JSON.stringify({ step: 3, last: NOW + 900 * DAY, times: 2 }));
    expect(recall("nim", "a", NOW)).toEqual({ step: 3, last: NOW, times: 2 });
    expect(recall("nim", "a", NOW + DAY).last).toBe(NOW); // once for all
    for (const text of ["{", "[]", '{"step":9,"last":1,"times":1}', '{"step":1,"last":"x","times":1}', "null"]) {
      localStorage.setItem("nimbook:all:due:nim:a", text);
      expect(recall("nim", "a", NOW)).toBeNull();
    }
  });

  test("counts what is due of the questions that the book has", () => {
    page("");
    noteAnswer("nim", "a", true, NOW);
    noteAnswer("nim", "a-question-of-an-older-edition", true, NOW);
    expect([countDue(NIM, NOW), countDue(NIM, NOW + 7 * DAY)]).toEqual([0, 1]);
  });
});

test("a lesson asks again with other numbers, and what was said to the first ones stays", async () => {
  const form = () => at("form[data-ask=doubled]");
  const words = () => form().querySelector("legend").textContent;
  const answer = (text) => {
    form().querySelector("input").value = text;
    form().querySelector("[data-action=commit]").click();
  };
  page(`${made.lesson}${made.score}`);
  wakeAsks();
  answer("8");
  expect(recall("page", "doubled", NOW)).toEqual({ step: 0, last: NOW, times: 1 });
  const first = words();
  form().querySelector("[data-action=retake]").click();
  await settle();
  expect(words()).not.toBe(first);
  expect(document.activeElement).toBe(form().querySelector("input"));
  days(1);
  answer("0");
  expect(form().dataset.state).toBe("wrong");
  expect(recall("page", "doubled", NOW + DAY)).toEqual({ step: 0, last: NOW + DAY, times: 2 });
  expect(JSON.parse(localStorage.getItem("nimbook:asked:/book/page.html:doubled")).said).toBe("8");
  expect(document.querySelectorAll("form[data-ask=doubled]")).toHaveLength(1);
  click("again"); // a reader who starts over has the first numbers again
  expect([words(), form().dataset.state]).toEqual(["Twice 4?", "open"]);
});

describe("the page where they come back", () => {
  const wake = () => {
    wakeReview();
    return { words: () => at(".review-words").textContent, form: () => at(".review-place form") };
  };
  const begin = async () => {
    click("begin");
    await settle();
  };
  const answer = (isRight) => {
    const form = at(".review-place form"), data = JSON.parse(form.dataset.truth);
    if (data.kind === "number") form.querySelector("input").value = isRight ? data.answer : -1;
    else form.querySelectorAll("input")[isRight ? data.answer : 1 - data.answer].checked = true;
    form.querySelector("[data-action=commit]").click();
  };
  const next = async () => {
    click("next");
    await settle();
  };

  test("offers some to a new reader, folds the list, and schedules no lesson that was not read", async () => {
    page(made.review);
    const { words, form } = wake();
    expect(words()).toMatch(/^Nothing is due, for you have not answered/);
    expect(at(".review-all").open).toBe(false);
    await begin();
    expect(form().querySelector("legend").textContent).not.toBe("Twice 4?");
    answer(true);
    expect(at(".review-buttons a").getAttribute("href")).toMatch(/^nim.html#ask-(doubled|coin)$/);
    await next();
    answer(true);
    await next();
    expect(words()).toMatch(/^You had 2 of 2 right at once. Nothing is due, for you have not answered/);
    days(1);
    expect(countDue(NIM)).toBe(0);
  });

  test("asks what was missed once more, with other numbers", async () => {
    page(made.review);
    noteAnswer("nim", "doubled", true, NOW - 2 * DAY);
    const { words, form } = wake();
    expect(words()).toBe("1 question is due.");
    await begin();
    const first = form().querySelector("legend").textContent;
    answer(false);
    await next();
    expect(words()).toBe("Once more, with other numbers.");
    expect(form().querySelector("legend").textContent).not.toBe(first);
    answer(false); // which is enough for one sitting
    await next();
    expect(words()).toMatch(/^You had 0 of 1 right at once/);
    expect(recall("nim", "doubled", NOW)).toMatchObject({ step: 0, last: NOW });
  });
});

describe("what is taken along", () => {
  const keep = (key, value) => localStorage.setItem(`nimbook:${key}`, value);
  const read = (key) => localStorage.getItem(`nimbook:${key}`);
  const fileOf = (kept, more) => JSON.stringify({
    kind: "what a reader has done in a book made with touchbook", book: "nimbook", kept, ...more });

  test("fits another address, and later answers stay", () => {
    page("");
    keep("asked:/book/nim.html:a", '{"said":1,"at":5}');
    keep("typed:/book/nim.html:c", "x = 1");
    keep("all:due:nim:a", '{"step":1,"last":5,"times":2}');
    localStorage.setItem("other:asked:/book/nim.html:a", "not ours");
    const file = fileOf(pack());
    expect(Object.keys(JSON.parse(file).kept)).toEqual(["all:due:nim:a", "asked:nim.html:a", "typed:nim.html:c"]);
    localStorage.clear();
    history.replaceState(null, "", "/else/where/review.html");
    keep("asked:/else/where/nim.html:a", '{"said":2,"at":9}');
    keep("typed:/else/where/nim.html:c", "mine");
    expect(unpack(file)).toBe(
      "The file brought 1 thing that you had not done here, or had done earlier. "
      + "1 thing in the file differs from your code, games or settings here. Yours stay.");
    const here = () => ["asked:/else/where/nim.html:a", "typed:/else/where/nim.html:c", "all:due:nim:a"].map(read);
    expect(here()).toEqual(['{"said":2,"at":9}', "mine", '{"step":1,"last":5,"times":2}']);
    const later = fileOf({ "asked:nim.html:a": '{"said":3,"at":10}' });
    unpack(later);
    expect(unpack(later)).toBe("All that this file holds is here already. Nothing was changed.");
    expect(here()[0]).toBe('{"said":3,"at":10}');
  });

  test.each([
    ["{", "damaged"], ["3", "damaged"], [fileOf({ "typed:a": 3 }), "damaged"],
    [fileOf({ "evil:a": "x" }), "damaged"], [fileOf({}, { book: "chess" }), "of another book, “chess”"],
    [fileOf(null), "damaged"], [fileOf({ "typed:nim.html:a": "x".repeat(6_000_000) }), "this kind"],
    [fileOf({}).replace("{}", '{"__proto__": "x", "all:code": "on"}'), "damaged"],
  ])("of %s nothing is taken", (text, words) => {
    page("");
    keep("typed:/book/nim.html:c", "mine");
    expect(() => compare(text)).toThrow(words);
    expect(localStorage).toHaveLength(1);
  });

  test("stays as it is where there is no room for a file", () => {
    page("");
    keep("asked:/book/nim.html:a", '{"said":1,"at":1}');
    const set = Storage.prototype.setItem;
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(function setItem(key, value) {
      if (value === "too long") throw new DOMException("full", "QuotaExceededError");
      set.call(this, key, value);
    });
    const file = fileOf({ "asked:nim.html:a": '{"at":2}', "typed:nim.html:b": "x", "typed:nim.html:c": "too long" });
    expect(() => unpack(file)).toThrow("The storage of this browser is full. Nothing was changed.");
    expect({ ...localStorage }).toEqual({ "nimbook:asked:/book/nim.html:a": '{"said":1,"at":1}' });
  });

  test.each([[false, 1], [true, 0]])("is forgotten where the reader says so: %s", (isSure, n) => {
    page(made.review);
    localStorage.setItem("other:x", "stays");
    noteAnswer("nim", "coin", true);
    wakeReview();
    vi.stubGlobal("confirm", () => isSure);
    click("forget");
    expect(countDue(NIM, NOW + 9 * DAY)).toBe(n);
    expect(localStorage.getItem("other:x")).toBe("stays");
    expect(at(".review-luggage [role=status]").textContent).toBe(
      isSure ? "This browser has forgotten what you did in this book." : "");
  });
});

const LESSONS = [{ page: "nim", title: "Nim", exercises: { page: "nim_workshop", names: ["ex-1", "ex-2"] },
  halves: [{ asked: ["a"], touched: ["sticks"] }, { asked: ["b"], touched: [] }] }];
const show = () => {
  document.body.innerHTML = '<div class="progress-box" data-review="review" hidden></div>';
  history.replaceState(null, "", "/book/index.html");
  showProgress(new URL("http://here/_static/"));
  const script = document.head.querySelector("script[src$='lessons.js']");
  script.carried = LESSONS;
  script.dispatchEvent(new Event("load"));
  script.remove();
  return at(".progress-box");
};

test("the first page says what was done, what is due, and where to go on; nothing to a new reader", () => {
  page("");
  expect(show().hidden).toBe(true);
  history.replaceState(null, "", "/book/nim.html");
  noteTouch("sticks");
  localStorage.setItem("nimbook:asked:/book/nim.html:a", "{}");
  localStorage.setItem("nimbook:here:/book/nim.html:place", JSON.stringify({ id: "on", title: "<b>On</b>", at: 1 }));
  history.replaceState(null, "", "/book/nim_workshop.html");
  notePass("ex-2");
  noteAnswer("nim", "a", true, NOW - 3 * DAY);
  const box = show();
  expect(box.hidden).toBe(false);
  expect([...box.querySelectorAll("a")].map((a) => [a.getAttribute("href"), a.textContent])).toEqual([
    ["nim.html#on", "Go on with “<b>On</b>”"], ["review.html", "Questions that come back: 1 due"],
    ["nim.html#on", "Nim"],
  ]);
  expect(box.querySelector("li").textContent).toBe("Nim: first half done, 1 of 2 exercises");
  expect(box.querySelector("b")).toBeNull();
});
