// Stands for Pyodide: what it was asked is kept, what it answers is said beforehand.

export const version = "1.2";

export const loadPyodide = async (options) => {
  if (options._loadSnapshot === "damaged") throw new Error("no image");
  const fake = { options, packages: [], imports: [], ran: [], prints: [], answer: "", fault: null };
  globalThis.fakePyodide = fake;
  let write;
  const answer = (...what) => {
    fake.ran.push(what);
    fake.prints.forEach((bytes) => write(bytes));
    if (fake.fault) throw fake.fault;
    return fake.answer;
  };
  return {
    setStdout: (to) => { write = to.write; },
    setStderr() {},
    setStdin() {},
    async loadPackage(name, { errorCallback }) {
      if (name === "none") errorCallback("no none");
      fake.packages.push(name);
    },
    unpackArchive: (buffer) => { fake.unpacked = new TextDecoder().decode(buffer); },
    runPython: (code) => {
      fake.imports.push(code.split("\n")[0]);
      return answer;
    },
    makeMemorySnapshot: () => "image",
  };
};
