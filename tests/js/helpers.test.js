import { describe, expect, onTestFinished, test, vi } from "vitest";
import { button, element, whenReady } from "../../book/touchbook/dom.js";
import { kept, keptForAll, storage } from "../../book/touchbook/store.js";
import { page } from "./support.js";

describe("dom.js", () => {
  test("makes elements of properties, attributes and children", () => {
    const made = element("div", { className: "a", tabIndex: -1, hidden: true, "aria-live": "polite" },
      element("b", { textContent: "<i>" }), "& more");
    expect(made.outerHTML).toBe('<div class="a" tabindex="-1" hidden="" aria-live="polite">'
      + "<b>&lt;i&gt;</b>&amp; more</div>");
  });

  test("makes buttons that can be pressed unless they say otherwise", () => {
    const act = vi.fn();
    const made = button("run", "Run <it>", act);
    expect(made.outerHTML)
      .toBe('<button type="button" data-action="run">Run &lt;it&gt;</button>');
    made.click();
    made.setAttribute("aria-disabled", "true");
    made.click();
    expect(act).toHaveBeenCalledTimes(1);
    made.setAttribute("aria-disabled", "false");
    made.click();
    expect(act).toHaveBeenCalledTimes(2);
  });

  test("waits for the document", () => {
    const begin = vi.fn();
    whenReady(begin);
    expect(begin).toHaveBeenCalledTimes(1);
    vi.spyOn(document, "readyState", "get").mockReturnValue("loading");
    const later = vi.fn();
    whenReady(later);
    expect(later).not.toHaveBeenCalled();
    document.dispatchEvent(new Event("DOMContentLoaded"));
    expect(later).toHaveBeenCalledTimes(1);
  });
});

describe("store.js", () => {
  test("keeps a text for a thing of a page, under the name that the book has chosen", () => {
    page("");
    const before = storage.name;
    onTestFinished(() => { storage.name = before; });
    storage.name = "gameai";
    const memory = kept("asked", "a");
    expect(memory.get()).toBeNull();
    memory.set("x");
    keptForAll("code").set("on");
    expect(Object.keys(localStorage).sort()).toEqual(["gameai:all:code", "gameai:asked:/book/page.html:a"]);
    expect(kept("asked", "a").get()).toBe("x");
    memory.forget();
    keptForAll("code").forget();
    expect([memory.get(), localStorage.length]).toEqual([null, 0]);
  });

  test("keeps nothing and fails at nothing where storage is off or full", () => {
    const off = () => { throw new DOMException("off", "SecurityError"); };
    const own = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
    Object.defineProperty(globalThis, "localStorage", { get: off, configurable: true });
    onTestFinished(() => { Object.defineProperty(globalThis, "localStorage", own); });
    const memory = kept("asked", "a");
    memory.set("x");
    memory.forget();
    expect(memory.get()).toBeNull();
    Object.defineProperty(globalThis, "localStorage", own);
    const full = () => { throw new DOMException("full", "QuotaExceededError"); };
    vi.stubGlobal("localStorage", { getItem: () => "old", setItem: full, removeItem: full });
    expect(() => kept("asked", "a").set("x")).not.toThrow();
    expect(() => kept("asked", "a").forget()).not.toThrow();
    expect(kept("asked", "a").get()).toBe("old");
  });
});
