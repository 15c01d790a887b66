// The keyboard on a board: one target is in the order of the Tab key, arrows lead to the others.

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 */

const middle = (/** @type {Box} */ { x, y, width, height }) => [x + width / 2, y + height / 2];

/**
 * @template T
 * @param {T[]} others
 * @param {(other: T) => number} key
 * @returns {T | undefined} the first of those with the least key
 */
const least = (others, key) =>
  others.reduce((/** @type {T | undefined} */ best, other) =>
    best !== undefined && key(best) <= key(other) ? best : other, undefined);

/**
 * Which box an arrow leads to: left and right the next in the same row, else the nearest that way;
 * up and down the nearest place of the next row, also where that row is shorter.
 * @param {Box[]} boxes
 * @param {number} from place of the box that has the focus
 * @param {[number, number]} direction
 * @returns {number | undefined} place of the box
 */
export const towards = (boxes, from, [dx, dy]) => {
  const [x, y] = middle(boxes[from]);
  const { width, height } = boxes[from];
  const [along, across] = dx ? [width / 2, height / 2] : [height / 2, width / 2];
  const ahead = boxes.map((box, at) => {
    const [tx, ty] = middle(box);
    return {
      at,
      ahead: (tx - x) * dx + (ty - y) * dy,
      aside: Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx),
    };
  }).filter((other) => other.at !== from && other.ahead > Math.max(1, along / 4));
  if (dx) {
    const row = ahead.filter((other) => other.aside < across);
    if (row.length) return least(row, (other) => other.ahead)?.at;
    return least(ahead, (other) => other.ahead + 3 * other.aside)?.at;
  }
  const first = least(ahead, (other) => other.ahead)?.ahead ?? 0;
  const row = ahead.filter((other) => other.ahead <= first + along);
  return least(row, (other) => other.aside)?.at;
};

/** Which box is nearest to a point. */
const nearest = (/** @type {Box[]} */ boxes, /** @type {number[]} */ [x, y]) =>
  least([...boxes.keys()], (at) => {
    const [tx, ty] = middle(boxes[at]);
    return Math.hypot(tx - x, ty - y);
  });

const boxesOf = (/** @type {Element[]} */ targets) =>
  targets.map((target) => target.getBoundingClientRect());

/**
 * The targets of a picture, one of which the Tab key reaches.
 */
export class Targets {
  /**
   * @param {HTMLElement} picture
   * @param {(name: string) => void} touch
   */
  constructor(picture, touch) {
    this.picture = picture;
    this.touch = touch;
    picture.addEventListener("click", (event) => {
      const target = this.around(event);
      if (!target) return;
      this.enter(target)?.focus({ preventScroll: true });
      touch(String(target.dataset.touch));
    });
    picture.addEventListener("keydown", (event) => this.press(event));
    this.enter(this.all[0]);
  }

  get all() {
    return /** @type {HTMLElement[]} */ ([...this.picture.querySelectorAll("[data-touch]")]);
  }

  /** The target that the Tab key reaches. */
  get entered() {
    return /** @type {HTMLElement | null} */ (
      this.picture.querySelector('[data-touch][tabindex="0"]'));
  }

  around(/** @type {Event} */ event) {
    const at = /** @type {Element} */ (event.target);
    return /** @type {HTMLElement | null} */ (at.closest?.("[data-touch]"));
  }

  enter(/** @type {HTMLElement | undefined} */ target) {
    this.entered?.setAttribute("tabindex", "-1");
    target?.setAttribute("tabindex", "0");
    return target;
  }

  press(/** @type {KeyboardEvent} */ event) {
    const target = this.around(event);
    if (!target || event.ctrlKey || event.altKey || event.metaKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) {
      const { all } = this;
      const next = towards(boxesOf(all), all.indexOf(target), arrow);
      if (next !== undefined) this.enter(all[next])?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      if (!event.repeat) this.touch(String(target.dataset.touch));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Call `redraw`, which makes all targets anew; then the Tab key reaches the same target, or the
   * one that is nearest to its place.
   * @param {() => void} redraw
   */
  keepThrough(redraw) {
    const old = this.entered;
    const hadFocus = this.picture.contains(document.activeElement)
      && document.activeElement?.hasAttribute("data-touch");
    const place = old && middle(old.getBoundingClientRect());
    redraw();
    const { all } = this;
    const same = all.find((target) => target.dataset.touch === old?.dataset.touch);
    const near = place ? all[nearest(boxesOf(all), place) ?? -1] : all[0];
    const target = this.enter(same ?? near);
    if (hadFocus) target?.focus({ preventScroll: true });
  }
}
