// What a reader says, and whether it is right: the only place where a prediction is judged.

/**
 * @typedef {{kind: "choice", answer: number, key: string, covers: string[]}} ChoiceData
 * @typedef {{kind: "number", answer: number, reach: number, unit: string,
 *   key: string, covers: string[]}} NumberData
 * @typedef {ChoiceData | NumberData} Truth
 */

const DECIMAL = "[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d{1,3})?";
const NUMBER = new RegExp(`^(${DECIMAL})(?:\\s*/\\s*(${DECIMAL}))?\\s*(%?)$`);

/**
 * The number in a text, or NaN: 0.25, 0,25, 1/4 and 25 % are one; 1,5 has one meaning, 1,500 two.
 * @param {string} value
 * @param {string} unit
 */
export const numberIn = (value, unit) => {
  let text = value.trim().replaceAll("−", "-");
  if (unit && text.endsWith(unit)) text = text.slice(0, -unit.length).trim();
  const parts = text.replace(/,(?!\d{3}(?!\d))/g, ".").match(NUMBER);
  const number = parts ? Number(parts[1]) / Number(parts[2] ?? 1) / (parts[3] ? 100 : 1) : NaN;
  return Number.isFinite(number) ? number : NaN;
};

/** How far what was said is from the truth.
 * @param {NumberData} data
 * @param {string} said
 */
const awayFrom = (data, said) => Math.abs(numberIn(said, data.unit) - data.answer);

/**
 * Whether what was said is right.
 * @param {Truth} data
 * @param {any} said index of a choice or text of a number
 * @throws {TypeError} if it is nothing that can be said to this question
 */
export const isRight = (data, said) => {
  const canBeSaid = data.kind === "choice" ? Number.isInteger(said) && said >= 0
    : typeof said === "string" && !Number.isNaN(numberIn(said, data.unit));
  if (!canBeSaid) throw new TypeError(`${JSON.stringify(said)} is not an answer`);
  return data.kind === "choice" ? said === data.answer : awayFrom(data, said) <= data.reach;
};

/**
 * How near a wrong number is, in words, if it is within twice what is allowed; nothing otherwise.
 * @param {Truth} data
 * @param {any} said
 */
export const nearMiss = (data, said) => {
  if (data.kind === "choice" || awayFrom(data, said) > 2 * data.reach) return "";
  const unit = data.unit && ` ${data.unit}`;
  return `${Number(awayFrom(data, said).toPrecision(2))}${unit} away`;
};
