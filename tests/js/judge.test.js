import { describe, expect, test } from "vitest";
import { isRight, numberIn, settled, stepped } from "../../book/touchbook/ask/judge.js";
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

describe("a point", () => {
  const data = dataOf("where");
  const field = dataOf("field");

  test.each([
    [[4, 7], true], [[2, 6], true], [[2, 8], true], [[0, 7], true], [[3.5, 7.8], false],
    [[2, 7], true], [[4.001, 7], false], [[2, 8.001], false], [[3.4, 7.7], true],
  ])("%j is inside the ellipse: %s", (said, right) => {
    expect(isRight(data, said)).toBe(right);
  });

  test("settles inside the axes, on a named place or with the decimals of its tolerance", () => {
    expect([[-3, 12], [2.3456, 6.7891]].map((point) => settled(data, point))).toEqual([[0, 10], [2.3, 6.8]]);
    expect([[0.4, 1.6], [-9, 9]].map((point) => settled(field, point))).toEqual([[0, 2], [0, 2]]);
  });

});

describe("an arrow key", () => {
  const data = dataOf("where"); // y runs down
  const up = dataOf("up");
  const field = dataOf("field");

  test.each([
    ["ArrowLeft", false, [4.9, 5], [4.9, 5]], ["ArrowRight", false, [5.1, 5], [5.1, 5]],
    ["ArrowUp", false, [5, 4.9], [5, 5.1]], ["ArrowDown", false, [5, 5.1], [5, 4.9]],
    ["ArrowLeft", true, [4, 5], [4, 5]], ["ArrowDown", true, [5, 6], [5, 4]],
    ["Enter", false, null, null],
  ])("%s, far: %s", (key, isFar, down, upwards) => {
    expect(stepped(data, [5, 5], key, isFar)).toEqual(down);
    expect(stepped(up, [5, 5], key, isFar)).toEqual(upwards);
  });

  test.each([
    ["to the middle at first", field, null, "ArrowUp", true, [1, 1]],
    ["from place to place", field, [1, 1], "ArrowUp", false, [1, 2]],
    ["not over the edge of places", field, [2, 1], "ArrowRight", true, [2, 1]],
    ["not over the edge of axes", data, [0, 5], "ArrowLeft", true, [0, 5]],
    ["where a hundredth would be rounded away", { ...data, decimals: [0, 0] }, [5, 5], "ArrowRight", false, [6, 5]],
  ])("leads %s", (_where, axes, from, key, isFar, to) => {
    expect(stepped(axes, from, key, isFar)).toEqual(to);
  });
});

test.each([
  ["likely", ["0", 1.5, -1, null, undefined, {}, [1]]],
  ["cards", ["many", "", 0.3, null, undefined, {}, ["0.3"]]],
  ["where", [[2], [2, null], ["2", "7"], [2, 7, 1], "27", null, undefined, {}, 5]],
])("%s: what nobody could have said is refused", (name, sayings) => {
  const data = dataOf(name);
  for (const said of sayings) {
    expect(() => isRight(data, said), JSON.stringify(said)).toThrow(TypeError);
  }
});
