// Pictures in the dark: paper and ink change places, colours stay what they are.
//
// Every colour of a picture is taken for a mixture of paper, ink and one of the colours below, and
// mixed again from a dark paper and a light ink. What is black or white in itself, such as a stone
// or a card, is drawn in EBONY or IVORY (`touchbook.figure.parts`), which stay as well.

/** @typedef {[number, number, number]} Colour red, green and blue from 0 to 1 */

/** @param {(at: number) => number} value of red, 0, green, 1, and blue, 2 @returns {Colour} */
const each = (value) => [value(0), value(1), value(2)];
const colour = (/** @type {string} */ hex) =>
  each((i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16) / 255);

export const PAPER = colour("121212");
export const INK = colour("e6e6e6");
const KEPT = ["fdf6e3", "101820"].map(colour); // ivory and ebony
const NEAR = 4 / 255; // how far the few colours of a stored picture have moved
/** @type {[Colour, Colour][]} as drawn, and in the dark, where letters in two of them were too dim */
const COLOURS = [
  ["0072b2", "2b8fd6"], ["d55e00", "d55e00"], ["009e73", "009e73"], ["cc79a7", "cc79a7"],
  ["e69f00", "e69f00"], ["56b4e9", "56b4e9"], ["f0e442", "f0e442"], ["882255", "b84d86"],
].map(([drawn, dark]) => [colour(drawn), colour(dark)]);
const SHY = 0.02; // of two mixtures that are equally near, the one with less paper, and far less ink

const dot = (/** @type {Colour} */ a, /** @type {Colour} */ b) =>
  a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const clip = (/** @type {number} */ x) => Math.min(1, Math.max(0, x));

/** How much paper and how much of a hue come nearest to a colour; the rest is ink. */
const mixture = (/** @type {Colour} */ it, /** @type {Colour} */ hue) => {
  const [sum, square] = [hue[0] + hue[1] + hue[2], dot(hue, hue)];
  const [light, along] = [it[0] + it[1] + it[2], dot(it, hue)];
  const scale = 3 * square - sum * sum;
  let paper = clip((square * light - sum * along) / scale);
  let share = clip((3 * along - sum * light) / scale);
  const whole = Math.max(1, paper + share);
  paper /= whole;
  share /= whole;
  const off = it.reduce((far, x, i) => far + Math.abs(paper + share * hue[i] - x), 0);
  return { paper, share, off: off + SHY * (4 - 3 * paper - 4 * share) };
};

/**
 * A colour of a picture on white paper as it is in the dark.
 * @param {Colour} it
 * @returns {Colour}
 */
export const inDark = (it) => {
  const kept = KEPT.find((one) => one.every((x, i) => Math.abs(x - it[i]) <= NEAR));
  if (kept) return kept;
  const { paper, share, hue } = COLOURS
    .map(([drawn, hue]) => ({ ...mixture(it, drawn), hue }))
    .reduce((best, one) => (one.off < best.off ? one : best));
  return each((i) => paper * PAPER[i] + share * hue[i] + (1 - paper - share) * INK[i]);
};

/**
 * Change the pixels of a picture, in place.
 * @param {Uint8ClampedArray} bytes red, green, blue and opacity of each
 */
export const darken = (bytes) => {
  const pixels = new Uint32Array(bytes.buffer);
  /** @type {Map<number, number>} */
  const known = new Map();
  const one = new Uint8ClampedArray(4);
  const word = new Uint32Array(one.buffer);
  let [last, its] = [-1, 0];
  for (let at = 0; at < pixels.length; at++) {
    const pixel = pixels[at];
    if (pixel !== last) {
      last = pixel;
      const found = known.get(pixel);
      if (found === undefined) {
        const [red, green, blue] = bytes.subarray(4 * at, 4 * at + 3);
        one.set([...inDark([red / 255, green / 255, blue / 255]).map((x) => 255 * x), 255]);
        known.set(pixel, word[0]);
      }
      its = found ?? word[0];
    }
    pixels[at] = its;
  }
};

/** Whether the page, or JupyterLab, is dark. */
export const isDark = () =>
  document.documentElement.dataset.theme === "dark" || document.body.dataset.jpThemeLight === "false";

/** @param {string} source of a picture, as an address @returns {Promise<string>} of a dark one */
const darkened = async (source) => {
  const picture = new Image();
  picture.src = source;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.naturalWidth, picture.naturalHeight];
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.drawImage(picture, 0, 0);
  const image = context.getImageData(0, 0, canvas.width, canvas.height); // refused of a file
  darken(image.data);
  context.putImageData(image, 0, 0);
  return new Promise((done) => {
    canvas.toBlob((blob) => done(URL.createObjectURL(/** @type {Blob} */ (blob))));
  });
};

/** Show a picture: in the dark once it is dark, or as it was drawn where that is refused. */
export const paint = async (/** @type {HTMLImageElement} */ img, /** @type {string} */ source) => {
  img.dataset.drawn = source;
  let shown = source;
  if (isDark()) {
    shown = await darkened(source).catch(() => source);
    if (img.dataset.drawn !== source || !isDark()) return; // another one is wanted by now
  }
  if (img.src.startsWith("blob:")) URL.revokeObjectURL(img.src);
  img.classList.toggle("in-dark", shown !== source);
  img.classList.toggle("as-drawn", shown === source);
  img.src = shown;
};

/**
 * Keep a picture as dark as the page.
 * @param {HTMLImageElement} img
 * @returns {() => void} ends that
 */
export const followTheme = (img) => {
  const repaint = () => paint(img, img.dataset.drawn ?? img.src);
  const theme = new MutationObserver(repaint);
  const begin = () => {
    img.removeEventListener("load", begin);
    repaint();
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    theme.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  };
  if (img.complete && img.naturalWidth) begin();
  else img.addEventListener("load", begin);
  return () => {
    img.removeEventListener("load", begin);
    theme.disconnect();
  };
};
