import { describe, expect, test } from "vitest";
import { isRight, numberIn } from "../../book/touchbook/ask/judge.js";
import { made, page } from "./support.js";

const dataOf = (name) =>
  JSON.parse(page(made.asks[name]).querySelector("form").dataset.truth);

describe("a number", () => {
  test.each([
    ["0.4", 0.4], ["30 %", 0.3], ["30%", 0.3], ["1/4", 0.25], ["1 / 4", 0.25], ["−.2 cards", -0.2],
    ["0,25", 0.25], ["5", 5], ["1e3", 1000], ["+3", 3], ["2,5000", 2.5], [" 2.5 ", 2.5], ["1.", 1],
    ["1,5/2,5", 0.6], ["3/−4", -0.75], ["2cards", 2], ["50 % cards", 0.5], ["1E-2", 0.01],
  ])("that can be said: %j", (said, value) => {
    expect(numberIn(said, "cards")).toBeCloseTo(value, 12);
  });

  test.each([
    "", "x", "1,500", "-1,500", "1/0", "0/0", "1 2", "nan", "NaN", "inf", "Infinity", "٣", "1e999",
    "%", "cards", "0x1", "1/2/3", "x<b>y", "3 card", "1e", ".", "--1", "3 % %", "1_000",
  ])("that cannot be read: %j", (said) => {
    expect(numberIn(said, "cards")).toBeNaN();
    expect(numberIn("7 cards", "")).toBeNaN();
  });

  test.each(made.edges.map((edge) => [edge.said, edge.data.answer, edge.isRight, edge.data]))(
    "%s beside %d: %s", (said, _answer, right, data) => {
      expect(isRight(data, said)).toBe(right);
    });
});

test("a choice is right by its place", () => {
  const data = dataOf("likely");
  expect([0, 1, 2].map((said) => isRight(data, said))).toEqual([false, true, false]);
});

describe("what nobody could have said is refused", () => {
  test.each([
    ["likely", ["0", 1.5, -1, null, undefined, {}, [1]]],
    ["cards", ["many", "", 0.3, null, undefined, {}, ["0.3"]]],
  ])("%s", (name, sayings) => {
    const data = dataOf(name);
    for (const said of sayings) {
      expect(() => isRight(data, said), JSON.stringify(said)).toThrow(TypeError);
    }
  });
});
