// Python for a page: a worker that loads Pyodide, numpy and packages, and runs cells in turn.
// It hears {start: config} once and then {run: …} or {board: …}, and answers with plain text.
const MOST_TEXT = 100_000; // characters that one run may print
const PAUSE = 50; // milliseconds between two messages of what was printed

/** @type {any} Pyodide */
let python = null;
/** @type {(code: string, preparation: string, check: string, label: string) => string} */
let run;
/** @type {(name: string, request: string) => string} */
let play;

const wordsOf = (/** @type {any} */ error) => String(error?.message ?? error);

/** What could not be loaded is said at once: Pyodide would wait for it for ever. */
const lost = (/** @type {string} */ what) => {
  const broken = `could not load ${what}`;
  self.postMessage({ broken });
  return new Error(broken);
};

/**
 * Refuse bytes that are not those that the book was made with. Only where pages are safe from eyes on
 * their way can a browser tell.
 * @param {Response} response
 * @param {Record<string, string>} digests by the names of files
 */
const check = async (response, digests) => {
  const name = response.url.split(/[?#]/)[0].split("/").at(-1) ?? "";
  if (!(name in digests) || !self.crypto?.subtle) return;
  const bytes = new Uint8Array(await response.clone().arrayBuffer());
  const digest = new Uint8Array(await self.crypto.subtle.digest("SHA-256", bytes));
  const found = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (found !== digests[name]) throw lost(`${response.url}: these are other bytes than the book was made with`);
};

/**
 * A fetch that counts the bytes that arrive, for the progress bar, and checks them. They are those of
 * a copy: of the answer itself the browser keeps what it has compiled, which saves a third of the
 * next start.
 * @param {{bytes: number, digests: Record<string, string>}} config
 * @returns {typeof fetch}
 */
const counting = (config) => {
  const plain = self.fetch.bind(self);
  let loaded = 0;
  let told = 0;
  return async (address, options) => {
    const response = await plain(address, options).catch(() => {
      const asked = address instanceof Request ? address.url : address;
      throw lost(String(new URL(asked, self.location.href)));
    });
    if (!response.ok) throw lost(`${response.url}: ${response.status}`);
    const counter = new WritableStream({
      write(part) {
        loaded += part.byteLength;
        if (loaded - told > 200_000) {
          told = loaded;
          self.postMessage({ loaded: Math.min(1, loaded / config.bytes) });
        }
      },
    });
    response.clone().body?.pipeTo(counter).catch(() => lost(response.url));
    await check(response, config.digests);
    return response;
  };
};

const printer = () => {
  const decoder = new TextDecoder();
  let waiting = "";
  let length = 0;
  let sent = 0;
  const flush = () => {
    if (waiting) self.postMessage({ printed: waiting });
    waiting = "";
    sent = performance.now();
  };
  const write = (/** @type {Uint8Array} */ bytes) => {
    const text = decoder.decode(bytes, { stream: true });
    if (length < MOST_TEXT) {
      waiting += text.slice(0, MOST_TEXT - length);
      if (length + text.length >= MOST_TEXT) waiting += "\n… the rest is cut\n";
    }
    length += text.length;
    if (performance.now() - sent > PAUSE) flush();
    return bytes.length;
  };
  return { write, flush, restart: () => { length = 0; } };
};
const out = printer();

const asked = (/** @type {IDBRequest} */ request) => new Promise((done, failed) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => failed(request.error);
});

/** Where the browser keeps Pyodide's memory as it is after its start. */
const images = async (/** @type {IDBTransactionMode} */ mode) => {
  const opening = indexedDB.open("touchbook", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("images");
  return (await asked(opening)).transaction("images", mode).objectStore("images");
};

/** A module, of which the bytes that were checked are run. */
const loaded = async (/** @type {string} */ address) => {
  const text = await (await self.fetch(address)).blob();
  const own = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    return await import(own);
  } finally {
    URL.revokeObjectURL(own);
  }
};

/**
 * Pyodide, from the memory of an earlier start where there is one: that saves half of the time.
 * @param {(options: object) => Promise<any>} loadPyodide
 * @param {import("./python.js").Config} config
 */
const begun = async (loadPyodide, { index: indexURL, public: packageBaseUrl, version }) => {
  const createPyodideModule = (await loaded(`${indexURL}pyodide.asm.mjs`)).default;
  const options = { indexURL, packageBaseUrl, createPyodideModule };
  try {
    const _loadSnapshot = await asked((await images("readonly")).get(version));
    if (_loadSnapshot) {
      const again = await loadPyodide({ ...options, _loadSnapshot });
      again.runPython("import random; random.seed()"); // else each start would draw the same
      return again;
    }
  } catch { /* the browser keeps nothing, or something else: begin from nothing */ }
  const first = await loadPyodide({ ...options, _makeSnapshot: true });
  const image = first.makeMemorySnapshot(); // now: it cannot hold numpy
  images("readwrite").then((store) => {
    store.clear(); // of another version
    store.put(image, version);
  }).catch(() => {});
  return first;
};

const start = async (/** @type {import("./python.js").Config} */ config) => {
  self.fetch = counting(config);
  const { loadPyodide, version } = await loaded(`${config.index}pyodide.mjs`);
  if (version !== config.version) {
    throw new Error(`Pyodide ${version} is there, this book needs ${config.version}`);
  }
  python = await begun(loadPyodide, config);
  python.setStdout({ write: out.write });
  python.setStderr({ write: out.write });
  python.setStdin({ error: true });
  /** @type {string[]} */
  const complaints = []; // instead of an error
  const errorCallback = (/** @type {string} */ text) => complaints.push(text);
  await python.loadPackage(config.numpy, { messageCallback: () => {}, errorCallback });
  if (complaints.length) throw new Error(`could not load numpy (${complaints.join("; ").slice(0, 300)})`);
  const packages = await self.fetch(config.packages);
  python.unpackArchive(await packages.arrayBuffer(), "wheel"); // where those of wheels go
  // First of all: kernels are found, compiled, when a package is imported that has them.
  if (config.start) python.runPython(`import ${config.start}`);
  run = python.runPython("import numpy\nfrom touchbook.cell.runner import run\nrun");
  play = python.runPython("from touchbook.boards import answer\nanswer");
  // What a cell runs asks no host for anything.
  for (const name of ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "WebTransport"]) {
    Object.assign(self, { [name]: undefined });
  }
};

self.onmessage = async ({ data }) => {
  if (data.start) {
    try {
      await start(data.start);
      self.postMessage({ ready: true });
    } catch (error) {
      self.postMessage({ broken: wordsOf(error) });
    }
    return;
  }
  out.restart();
  try {
    if (data.board) {
      const answer = play(data.board.name, data.board.request);
      out.flush();
      self.postMessage({ done: { state: "idle", error: "", answer } });
      return;
    }
    const { code, preparation, check, label } = data.run;
    const answer = run(code, preparation, check, label);
    out.flush();
    self.postMessage({ done: JSON.parse(answer) });
  } catch (error) {
    // Python itself has ended, such as for want of memory.
    out.flush();
    self.postMessage({ broken: wordsOf(error).slice(0, 500) });
  }
};
