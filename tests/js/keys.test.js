import { describe, expect, test, vi } from "vitest";
import { Targets, towards } from "../../book/touchbook/board/keys.js";
import { click, lay, made, page, press } from "./support.js";

const [LEFT, RIGHT, UP, DOWN] = [[-1, 0], [1, 0], [0, -1], [0, 1]];

/** Boxes by the letters of a drawing: a column is 20 wide, a line 40 high. */
const drawn = (lines) => {
  const boxes = new Map();
  lines.forEach((line, row) => [...line].forEach((letter, column) => {
    if (letter !== " ") boxes.set(letter, { x: 20 * column, y: 40 * row, width: 40, height: 40 });
  }));
  const letters = [...boxes.keys()];
  return { go: (letter, direction) =>
    letters[towards([...boxes.values()], letters.indexOf(letter), direction)] };
};

const ways = { "←": LEFT, "→": RIGHT, "↑": UP, "↓": DOWN };

describe("an arrow leads", () => {
  test.each([
    ["along rows and columns", drawn(["a b c", "d e f"]), "a→b b→c c←b a↓d e↑b e←d f→ a↑"],
    ["over gaps", drawn(["a     b", "       ", "c     d"]), "a→b b↓d d←c c↑a"],
    ["to the nearest place of a row that is shorter, and on where a row ends",
      drawn(["a b c d", "e f"]), "a↓e b↓f c↓f d↓f f↑b f→c"],
    ["not far below where something lies nearer", drawn(["a", "  b", "", "", " c"]), "a→b"],
    ["through all rows of a triangle, back and forth", drawn(["   a   ", "  b c  ", " d e f "]),
      "a↓b b↓d c↓e d↑b e↑b f↑c b↑a c↑a b→c c←b e→f"],
  ])("%s", (_what, { go }, steps) => {
    for (const [from, arrow, to] of steps.split(" ")) expect(go(from, ways[arrow]), from + arrow).toBe(to);
  });

  test("from a wide card to those below it", () => {
    const boxes = [
      { x: 0, y: 0, width: 200, height: 30 },
      { x: 0, y: 40, width: 40, height: 60 }, { x: 80, y: 40, width: 40, height: 60 },
      { x: 160, y: 40, width: 40, height: 60 },
    ];
    expect(towards(boxes, 0, DOWN)).toBe(2);
    expect(towards(boxes, 3, UP)).toBe(0);
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
