import { describe, expect, test, vi } from "vitest";
import { Targets, towards } from "../../book/touchbook/board/keys.js";
import { click, lay, made, page, press } from "./support.js";

const [LEFT, RIGHT, UP, DOWN] = [[-1, 0], [1, 0], [0, -1], [0, 1]];

/** Boxes by the letters of a drawing: a column is 20 wide unless said, a line 40 high. */
const drawn = (lines, { width = 20, height = 40, size = [40, 40] } = {}) => {
  const boxes = new Map();
  lines.forEach((line, row) => [...line].forEach((letter, column) => {
    if (letter === " ") return;
    boxes.set(letter, { x: width * column, y: height * row, width: size[0], height: size[1] });
  }));
  const letters = [...boxes.keys()];
  const go = (letter, direction) =>
    letters[towards([...boxes.values()], letters.indexOf(letter), direction)];
  return { letters, go };
};

/** Where the arrows lead from each: left, right, up, down; a dot is nowhere. */
const map = ({ letters, go }) => Object.fromEntries(letters.map((letter) =>
  [letter, [LEFT, RIGHT, UP, DOWN].map((direction) => go(letter, direction) ?? ".").join("")]));

describe("an arrow leads", () => {
  test("along rows and columns, and over gaps", () => {
    expect(map(drawn(["a b c", "d e f"]))).toEqual({
      a: ".b.d", b: "ac.e", c: "b..f", d: ".ea.", e: "dfb.", f: "e.c.",
    });
    expect(map(drawn(["a     b", "       ", "c     d"]))).toEqual({
      a: ".b.c", b: "a..d", c: ".da.", d: "c.b.",
    });
  });

  test("to the nearest place of a row that is shorter", () => {
    const { go } = drawn(["a b c d", "e f"]);
    expect(["a", "b", "c", "d"].map((from) => go(from, DOWN))).toEqual(["e", "f", "f", "f"]);
    expect(go("f", UP)).toBe("b");
    expect(go("f", RIGHT)).toBe("c"); // its row has ended: the nearest to the right
    expect(drawn(["a", "  b", "", "", " c"]).go("a", RIGHT)).toBe("b"); // and not far below
  });

  test("through all rows of a triangle, back and forth", () => {
    const { go } = drawn(["   a   ", "  b c  ", " d e f "]);
    expect([go("a", DOWN), go("b", DOWN), go("c", DOWN)]).toEqual(["b", "d", "e"]);
    expect([go("d", UP), go("e", UP), go("f", UP), go("b", UP), go("c", UP)])
      .toEqual(["b", "b", "c", "a", "a"]);
    expect([go("b", RIGHT), go("c", LEFT), go("e", RIGHT)]).toEqual(["c", "b", "f"]);
  });

  test("over hexagons, whose rows overlap", () => {
    // Rows 30 apart of hexagons 40 high, every second one half a place to the right.
    const { go, letters } = drawn(["a b c", " d e f", "g h i"], { height: 30 });
    expect([go("a", RIGHT), go("b", RIGHT), go("d", RIGHT), go("e", LEFT)])
      .toEqual(["b", "c", "e", "d"]);
    expect([go("a", DOWN), go("d", DOWN), go("g", UP), go("f", UP)]).toEqual(["d", "g", "d", "c"]);
    const reached = new Set(["a"]);
    for (const from of reached) {
      for (const way of [LEFT, RIGHT, UP, DOWN]) if (go(from, way)) reached.add(go(from, way));
    }
    expect([...reached].sort()).toEqual(letters);
  });

  test("from a wide card to those below it", () => {
    const boxes = [
      { x: 0, y: 0, width: 200, height: 30 },
      { x: 0, y: 40, width: 40, height: 60 }, { x: 80, y: 40, width: 40, height: 60 },
      { x: 160, y: 40, width: 40, height: 60 },
    ];
    expect(towards(boxes, 0, DOWN)).toBe(2);
    expect(towards(boxes, 3, UP)).toBe(0);
    expect(towards(boxes, 3, LEFT)).toBe(2);
    expect(towards(boxes, 0, LEFT)).toBe(1); // its row is empty: the nearest to the left
  });

  test("down to the nearest place of a row that is not quite level", () => {
    const size = { width: 40, height: 40 };
    const boxes = [{ x: 0, y: 0, ...size }, { x: 80, y: 60, ...size }, { x: 10, y: 70, ...size },
      { x: 0, y: 130, ...size }];
    expect(towards(boxes, 0, DOWN)).toBe(2);
    expect(towards(boxes, 3, UP)).toBe(2);
  });

  test("not to what lies on the same place", () => {
    const box = { x: 0, y: 0, width: 40, height: 40 };
    expect(towards([box, { ...box }], 0, RIGHT)).toBeUndefined();
  });
});

describe("targets of a picture", () => {
  /** The picture of the sticks, laid out as its own rectangles say. */
  const lie = (picture) => picture.querySelectorAll("[data-touch]").forEach((target) => {
    const [x, y, width, height] = ["x", "y", "width", "height"]
      .map((name) => Number(target.firstElementChild.getAttribute(name)));
    lay(target, x, y, width, height);
  });
  const sticks = () => {
    const picture = page(made.board.html).querySelector(".board-picture");
    lie(picture);
    const touch = vi.fn();
    const targets = new Targets(picture, touch);
    const target = (name) => picture.querySelector(`[data-touch="${name}"]`);
    const reached = () => [...picture.querySelectorAll('[tabindex="0"]')].map((t) => t.dataset.touch);
    return { picture, touch, targets, target, reached };
  };
  const { start, low } = made.board.states;

  test("one is reached by the Tab key, arrows lead to the others", () => {
    const { target, reached, touch } = sticks();
    expect(reached()).toEqual(["1"]);
    target("1").focus();
    expect(press(target("1"), "ArrowRight")).toBe(true);
    expect([reached(), document.activeElement]).toEqual([["2"], target("2")]);
    expect(press(target("2"), "ArrowUp")).toBe(true); // nowhere, but the page must not scroll
    expect(reached()).toEqual(["2"]);
    press(target("2"), "ArrowLeft");
    expect(reached()).toEqual(["1"]);
    expect(touch).not.toHaveBeenCalled();
  });

  test("a click, Enter and the space bar touch, once for each press; other keys are the browser's", () => {
    const { target, touch, picture, reached } = sticks();
    click(target("3").firstElementChild); // a shape of the target
    expect([reached(), document.activeElement]).toEqual([["3"], target("3")]);
    click(picture.querySelector("text"));
    press(target("3"), "Enter");
    press(target("2"), " ");
    press(target("2"), " ", { repeat: true });
    expect(touch.mock.calls).toEqual([["3"], ["3"], ["2"]]);
    expect([press(target("1"), "a"), press(target("1"), "Tab"), press(picture, "Enter"),
      press(target("1"), "ArrowRight", { ctrlKey: true }),
      press(target("1"), "ArrowLeft", { altKey: true }),
      press(target("1"), "Enter", { metaKey: true })]).toEqual(Array(6).fill(false));
    expect(touch).toHaveBeenCalledTimes(3);
  });

  const redrawn = (name, state, hasFocus = true) => {
    const sticksNow = sticks();
    const { targets, picture, target } = sticksNow;
    targets.enter(target(name));
    if (hasFocus) target(name).focus();
    targets.keepThrough(() => {
      picture.innerHTML = state.svg;
      lie(picture);
    });
    return sticksNow;
  };

  test("through a redraw the same one keeps the focus, wherever it lies now", () => {
    const { targets, picture, target, reached } = redrawn("2", low);
    expect([reached(), document.activeElement]).toEqual([["2"], target("2")]);
    targets.keepThrough(() => {
      picture.innerHTML = start.svg;
      lie(picture);
      lay(target("2"), 500, 0, 30, 30);
    });
    expect(reached()).toEqual(["2"]);
  });

  test.each([[true], [false]])("or the one nearest to its place, if it had the focus: %s", (had) => {
    const { target, reached } = redrawn("3", low, had);
    expect([reached(), document.activeElement]).toEqual([["2"], had ? target("2") : document.body]);
  });

  test("a picture without targets has nothing to reach, and gets one again", () => {
    const { targets, picture, reached } = redrawn("3", { svg: "<svg></svg>" });
    expect(reached()).toEqual([]);
    targets.keepThrough(() => { picture.innerHTML = start.svg; });
    expect(reached()).toEqual(["1"]);
  });
});
