import { pathToFileURL } from "node:url";
import { beforeEach, expect, test, vi } from "vitest";
import { settle } from "./support.js";

const CONFIG = {
  index: pathToFileURL(`${import.meta.dirname}/fake/`).href,
  numpy: "numpy", packages: "http://localhost/own.zip", public: "http://public/", start: "own.kernels",
  version: "1.2", bytes: 1_000_000, digests: {},
};
URL.createObjectURL = () => `${CONFIG.index}pyodide.mjs`; // of the bytes that were fetched
URL.revokeObjectURL = () => {};

/** A worker that has been started, with the fake Pyodide; it keeps what it says. */
const started = async (config = {}, fetched = async () => new Response("packages")) => {
  const said = [];
  const self = {
    fetch: fetched,
    postMessage: (message) => said.push(message),
    location: { href: "http://localhost/_static/worker.js" },
    XMLHttpRequest: class {},
    crypto: globalThis.crypto,
  };
  vi.stubGlobal("self", self);
  vi.resetModules();
  await import("../../book/touchbook/page/worker.js");
  await self.onmessage({ data: { start: { ...CONFIG, ...config } } });
  const hears = async (data) => {
    said.length = 0;
    await self.onmessage({ data });
    return said;
  };
  return { self, said, hears, python: globalThis.fakePyodide };
};

/** What a browser keeps: a database with one store, `kept`. */
const keeping = (kept) => {
  const answered = (result) => {
    const request = { result };
    queueMicrotask(() => request.onsuccess?.());
    return request;
  };
  const store = {
    get: (key) => answered(kept[key]),
    clear: () => Object.keys(kept).forEach((key) => delete kept[key]),
    put: (value, key) => { kept[key] = value; },
  };
  vi.stubGlobal("indexedDB", { open: () => answered({ transaction: () => ({ objectStore: () => store }) }) });
};

const code = (text) => ({ run: { code: text, preparation: "a", check: "b", label: "c" } });

beforeEach(() => {
  globalThis.fakePyodide = undefined;
  vi.unstubAllGlobals(); // no database: a browser may have none
});

test("keeps Python's memory for the next start, in place of a damaged or another one", async () => {
  const kept = { "1.1": "old" };
  keeping(kept);
  await started();
  await settle();
  expect(kept).toEqual({ 1.2: "image" });
  const { said, python } = await started();
  expect([said, python.options])
    .toMatchObject([[{ ready: true }], {
      indexURL: CONFIG.index, packageBaseUrl: "http://public/", _loadSnapshot: "image" }]);
  kept[1.2] = "damaged";
  const again = await started();
  await settle();
  expect([again.said, again.python.options._makeSnapshot, kept])
    .toEqual([[{ ready: true }], true, { 1.2: "image" }]);
});

test("tells how much has arrived", async () => {
  const { said } = await started({}, async () => new Response(new Uint8Array(300_000)));
  expect(said).toContainEqual({ loaded: 0.3 });
});

test.each([
  ["another version", { version: "9" }, undefined, "Pyodide 1.2 is there, this book needs 9"],
  ["no Pyodide", { index: "file:///nowhere/" }, async () => { throw new TypeError("no"); },
    "could not load file:///nowhere/pyodide.mjs"],
  ["a changed file", { digests: { "own.zip": "0".repeat(64) } }, async (address) =>
    Object.defineProperty(new Response("packages"), "url", { value: `${address}?1` }), "could not load http://localhost/own.zip?1: these are other bytes than the book was made with"],
  ["no numpy", { numpy: "none" }, undefined, "could not load numpy (no none)"],
  ["no packages", {}, async () => new Response("", { status: 404 }), "could not load : 404"],
  ["no more network", {}, async () => new Response(new ReadableStream({
    pull(sink) { sink.error(new Error("cut")); },
  })), "could not load "],
])("says that there is %s", async (_what, config, fetched, words) => {
  const { said } = await started(config, fetched);
  expect(said[0]).toEqual({ broken: words });
  expect(said.filter((one) => !one.broken)).toEqual([]);
});

test("runs code, and passes on what is printed, letters whole, before it is done", async () => {
  const { hears, python } = await started();
  const bytes = new TextEncoder().encode("½ <b>\n");
  python.answer = '{"state": "idle", "error": ""}';
  python.prints = [bytes.slice(0, 1), bytes.slice(1)];
  const said = await hears(code("print('½ <b>')"));
  expect(said.map(({ printed }) => printed ?? "").join("")).toBe("½ <b>\n");
  expect(said.at(-1)).toEqual({ done: { state: "idle", error: "" } });
  expect(python.ran).toEqual([["print('½ <b>')", "a", "b", "c"]]);
});

test("cuts what would fill the page, in each run anew", async () => {
  const { hears, python } = await started();
  python.answer = '{"state": "idle", "error": ""}';
  python.prints = Array(5).fill(new TextEncoder().encode("x".repeat(30_000)));
  for (let i = 0; i < 2; i += 1) {
    const text = (await hears(code("long"))).map(({ printed }) => printed ?? "").join("");
    expect(text).toBe(`${"x".repeat(100_000)}\n… the rest is cut\n`);
  }
});

test("says when Python itself has ended", async () => {
  const { hears, python } = await started();
  python.fault = new Error("memory access out of bounds");
  expect(await hears(code("x"))).toEqual([{ broken: "memory access out of bounds" }]);
});
