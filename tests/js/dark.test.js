import { afterEach, describe, expect, test } from "vitest";
import { darken, INK, inDark, PAPER, paint } from "../../book/touchbook/figure/dark.js";
import { render } from "../../book/touchbook/figure/picture.js";
import { Model, page } from "./support.js";

const hex = (text) => [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16) / 255);
const mixed = (a, b, share) => a.map((x, i) => share * x + (1 - share) * b[i]);
const near = (found, wanted, digits = 1) => {
  found.forEach((x, i) => { expect(x).toBeCloseTo(wanted[i], digits); });
};
const HUES = ["#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442"];

describe("a colour in the dark", () => {
  test("paper and ink change places, and greys turn round between them", () => {
    near(inDark([1, 1, 1]), PAPER, 6);
    near(inDark([0, 0, 0]), INK, 6);
    near(inDark([0.25, 0.25, 0.25]), mixed(PAPER, INK, 0.25));
  });

  test.each(HUES)("%s stays, and what is mixed with paper is mixed with the dark one", (text) => {
    const hue = hex(text);
    near(inDark(hue), hue, 6);
    near(inDark(mixed(hue, [1, 1, 1], 0.7)), mixed(hue, PAPER, 0.7));
  });

  test("blue becomes lighter, and blue it stays", () => {
    near(inDark(hex("#0072B2")), hex("#2B8FD6"), 6);
    near(inDark(mixed(hex("#0072B2"), [1, 1, 1], 0.7)), mixed(hex("#2B8FD6"), PAPER, 0.7));
  });

  test.each(["#FDF6E3", "#101820"])("%s is the colour of a thing, and stays", (text) => {
    near(inDark(hex(text)), hex(text), 6);
    near(inDark(hex(text).map((x) => x - 2 / 255)), hex(text), 6);
  });
});

test("all pixels are changed in place", () => {
  const bytes = new Uint8ClampedArray([255, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 158, 115, 255]);
  darken(bytes);
  const [paper, ink] = [PAPER, INK].map((one) => [...one.map((x) => Math.round(255 * x)), 255]);
  expect([...bytes]).toEqual([...paper, ...ink, ...ink, 0, 158, 115, 255]);
});

describe("a picture", () => {
  const root = document.documentElement;
  afterEach(() => { delete root.dataset.theme; });

  test("of a kernel takes its place, with its words, and is painted again as long as it shows", async () => {
    const el = page("<div></div>").firstChild;
    const drawn = (letter) => ({ html: `<figure><img alt="${letter}" src="data:image/webp;base64,${letter}"><b>${letter}</b></figure>` });
    const model = new Model({ setup: {}, state: drawn("A") });
    const leave = render({ model, el });
    const img = el.querySelector("img");
    img.dispatchEvent(new Event("load"));
    model.set("state", drawn("B"));
    expect(el.querySelector("img")).toBe(img);
    expect([img.alt, img.src, el.textContent]).toEqual(["B", "data:image/webp;base64,B", "B"]);
    img.className = "";
    document.body.dataset.jpThemeLight = "true";
    await Promise.resolve();
    expect(img.className).toBe("as-drawn");
    model.set("state", { html: "<p>No.</p>" });
    expect(el.textContent).toBe("No.");
    leave();
    delete document.body.dataset.jpThemeLight;
  });

  test("stays as it was drawn in the dark where its pixels cannot be read", async () => {
    root.dataset.theme = "dark";
    const img = page("<img>").querySelector("img");
    await paint(img, "data:image/webp;base64,AAAA"); // jsdom decodes nothing
    expect([img.src, img.className]).toEqual(["data:image/webp;base64,AAAA", "as-drawn"]);
  });

  test("a later one is not covered by an earlier one that was slow", async () => {
    root.dataset.theme = "dark";
    const img = page("<img>").querySelector("img");
    const first = paint(img, "data:image/webp;base64,AAAA");
    root.dataset.theme = "light";
    paint(img, "data:image/webp;base64,BBBB");
    await first;
    expect(img.src).toBe("data:image/webp;base64,BBBB");
  });
});
