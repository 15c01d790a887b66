// Runs unit tests in Pyodide; started by the page that tests/support/pyodide_units.py serves.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const fetched = async (path) => (await fetch(path)).arrayBuffer();

onmessage = async ({ data: order }) => {
  try {
    const python = await loadPyodide({ indexURL: "./pyodide/" });
    await python.loadPackage(new URL(`./pyodide/${order.numpy}`, location).href);
    for (const name of ["packages", "checkout"])
      python.unpackArchive(await fetched(`./${name}.zip`), "zip", { extractDir: `/${name}` });
    python.runPython(`
      import os, sys
      sys.path[:0] = ["/checkout", "/checkout/book", "/packages"]
      os.chdir("/checkout")
    `);
    python.pyimport("tests.support.pyodide_inside").main(order.files, (event) => postMessage(event));
  } catch (error) {
    postMessage(JSON.stringify({ error: String(error) }));
  }
};
