// What a reader says, and whether it is right: the only place where a prediction is judged.

/**
 * @typedef {object} Axis one axis of the picture on which a reader points
 * @property {string} label
 * @property {[number, number]} limits
 * @property {[number, number]} at where the limits lie: shares of the picture, from the left or the top
 * @property {[number, string][]} names places and texts of its ticks, where these are words
 */

/**
 * @typedef {{kind: "choice", answer: number, key: string, covers: string[]}} ChoiceData
 * @typedef {{kind: "number", answer: number, reach: number, unit: string,
 *   key: string, covers: string[]}} NumberData
 * @typedef {{kind: "point", answer: [number, number], tolerance: [number, number],
 *   axes: [Axis, Axis], decimals: [number, number], key: string, covers: string[]}} PointData
 * @typedef {ChoiceData | NumberData | PointData} Truth
 */

const HAIR = 1e-9; // 0.4 is 0.1 away from 0.3, whatever binary fractions say
const DECIMAL = "[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d{1,3})?";
const NUMBER = new RegExp(`^(${DECIMAL})(?:\\s*/\\s*(${DECIMAL}))?\\s*(%?)$`);

/** The number in a text, or NaN: 0.25, 0,25, 1/4 and 25 % are one; 1,5 has one meaning, 1,500 two. */
export const numberIn = (/** @type {string} */ value, /** @type {string} */ unit) => {
  let text = value.trim().replaceAll("−", "-");
  if (unit && text.endsWith(unit)) text = text.slice(0, -unit.length).trim();
  const parts = text.replace(/,(?!\d{3}(?!\d))/g, ".").match(NUMBER);
  const number = parts ? Number(parts[1]) / Number(parts[2] ?? 1) / (parts[3] ? 100 : 1) : NaN;
  return Number.isFinite(number) ? number : NaN;
};

const canBeSaid = (/** @type {Truth} */ data, /** @type {any} */ said) => {
  if (data.kind === "choice") return Number.isInteger(said) && said >= 0;
  if (data.kind === "number") {
    return typeof said === "string" && !Number.isNaN(numberIn(said, data.unit));
  }
  return Array.isArray(said) && said.length === 2 && said.every(Number.isFinite);
};

/**
 * How far from the truth an answer lies: up to 1 is right, the rest in multiples of what is allowed.
 * @param {Truth} data
 * @param {any} said index of a choice, text of a number, or a point
 * @throws {TypeError} if it is nothing that can be said to this question
 */
const miss = (data, said) => {
  if (!canBeSaid(data, said)) throw new TypeError(`${JSON.stringify(said)} is not an answer`);
  if (data.kind === "choice") return said === data.answer ? 0 : Infinity;
  if (data.kind === "number") {
    const off = Math.abs(numberIn(said, data.unit) - data.answer);
    return off <= data.reach ? 0 : off / data.reach;
  }
  return Math.hypot(.../** @type {number[]} */ (said).map(
    (value, i) => (value - data.answer[i]) / data.tolerance[i],
  ));
};

/**
 * Whether what was said is right.
 * @param {Truth} data
 * @param {any} said
 * @throws {TypeError} if it is nothing that can be said to this question
 */
export const isRight = (data, said) => miss(data, said) <= 1 + HAIR;

/** How near a wrong answer is, in words, if it is within twice what is allowed; nothing otherwise. */
export const nearMiss = (/** @type {Truth} */ data, /** @type {any} */ said) => {
  const away = miss(data, said);
  if (away <= 1 + HAIR || away > 2 + HAIR) return "";
  if (data.kind !== "number") return "just outside the ring";
  const off = Math.abs(numberIn(said, data.unit) - data.answer);
  const unit = data.unit && ` ${data.unit}`;
  return `${Number(off.toPrecision(2))}${unit} away`;
};

/** @param {Axis} axis */
const isNamed = (axis) => axis.names.length > 0;

/** The place that is nearest to a value on an axis with names.
 * @param {Axis} axis
 * @param {number} value
 */
const nearest = (axis, value) =>
  axis.names.reduce((best, name) =>
    Math.abs(name[0] - value) < Math.abs(best[0] - value) ? name : best,
  );

/** A value as a reader of the axis would say it. */
export const placeWords = (/** @type {Axis} */ axis, /** @type {number} */ value) =>
  isNamed(axis) ? nearest(axis, value)[1] : String(value).replace("-", "−");

/** A point in words, as on a board (l12) where the axes name their places. */
export const pointWords = (/** @type {PointData} */ { axes }, /** @type {number[]} */ said) => {
  const words = said.map((value, i) => placeWords(axes[i], value));
  if (!axes.every(isNamed)) return `(${words.join(", ")})`;
  return words.join(words.every((word) => word.length < 3) ? "" : ", ");
};

/**
 * The nearest point that can be set: inside the axes, on a place where places have names.
 * @param {PointData} data
 * @param {number[]} point
 */
export const settled = ({ axes, decimals }, point) =>
  point.map((value, i) => {
    const [low, high] = [...axes[i].limits].sort((a, b) => a - b);
    const inside = Math.min(Math.max(value, low), high);
    return isNamed(axes[i]) ? nearest(axes[i], inside)[0] : Number(inside.toFixed(decimals[i]));
  });

/**
 * Where a value of an axis lies on the picture, as a share of its width or height.
 * @param {Axis} axis
 * @param {number} value
 */
export const shareOf = ({ limits: [low, high], at: [start, end] }, value) =>
  start + ((value - low) / (high - low)) * (end - start);

/**
 * The value of an axis at a share of the picture.
 * @param {Axis} axis
 * @param {number} share
 */
export const valueAt = ({ limits: [low, high], at: [start, end] }, share) =>
  low + ((share - start) / (end - start)) * (high - low);

const STEP = 0.01; // of an axis, for each press of an arrow key; with Shift ten of them
/** @type {Record<string, [number, number]>} axis, and its direction on the screen */
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowDown: [1, 1], ArrowUp: [1, -1] };

/**
 * Where an arrow key leads from a point; null if it is another key.
 * @param {PointData} data
 * @param {number[] | null} point null before the first: then to the middle of the axes
 * @param {string} key
 * @param {boolean} isFar
 */
export const stepped = (data, point, key, isFar) => {
  const arrow = ARROWS[key];
  if (!arrow) return null;
  if (!point) return settled(data, data.axes.map(({ limits: [low, high] }) => (low + high) / 2));
  const [i, direction] = arrow;
  const { limits: [low, high], at: [start, end], names } = data.axes[i];
  // Less, and rounding would take the step back.
  const least = names.length > 1 ? Math.abs(names[1][0] - names[0][0]) : 10 ** -data.decimals[i];
  const step = Math.max(Math.abs(high - low) * STEP * (isFar ? 10 : 1), least);
  const forward = direction * Math.sign((high - low) * (end - start));
  return settled(data, point.map((value, j) => (j === i ? value + step * forward : value)));
};
