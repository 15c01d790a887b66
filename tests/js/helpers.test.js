import { describe, expect, onTestFinished, test, vi } from "vitest";
import { kept, keptForAll, storage } from "../../book/touchbook/store.js";
import { page } from "./support.js";

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
