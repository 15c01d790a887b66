"""Unit tests of what makes numbers, in Pyodide: another Python, 32 bits, no numba.

``PYODIDE=<folder> python -m tests.support.pyodide_units`` runs them in headless Chromium and prints
what became of them; arguments name other files. The folder holds
``pyodide.mjs`` with what it asks for, and a wheel of numpy. All that the page asks for comes
from this machine: pytest is that of the running Python.
"""

import contextlib
import io
import json
import os
import pickle
import sys
import time
import zipfile
from collections import Counter
from http.server import BaseHTTPRequestHandler
from importlib.metadata import distribution
from pathlib import Path
from typing import NamedTuple

from tests.support.chromium import launched
from tests.support.serving import answering

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"

# What differs there is how numbers are made: these files ask each part of a room, and what the
# pages do with it. What says the same in every Python runs with numba alone.
RUNS = tuple(
    f"{room}/test_{name}"
    for room, names in {
        "base": "arrays kernels",
        "btmm": "build connect6 empirical mm patterns positions reversi selfplay step_board ties",
        "frame": "boards runner",
        "fuzz": "in_page",
        "hanabi": "after formulas public rules slots_board tables",
        "nrpa": "cases flat kernels nmcs policy samegame steps toys walk",
        "ntbea": "bandits families landscape planet_wars process space space_battle whys",
    }.items()
    for name in names.split()
)

PACKAGES = ("pytest", "pluggy", "iniconfig", "packaging", "pygments", "hypothesis",
            "sortedcontainers")  # fmt: skip
COMPILED = (".so", ".pyd")
TYPES = {
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".json": "application/json",
    ".zip": "application/zip",
}
PAGE = """<!doctype html><title>Unit tests</title><link rel="icon" href="data:,"><script>
const events = [];
const worker = new Worker("./worker.mjs", {type: "module"});
worker.onmessage = ({data}) => events.push(data);
worker.onerror = ({message}) => events.push(JSON.stringify({kind: "error", words: message}));
</script>"""


class Report(NamedTuple):
    """What became of the tests."""

    about: dict  # the Python that ran them: `python`, `bits`, `numpy`, `platform`
    tests: list  # of dict: `test`, `outcome` (passed, failed, skipped), `seconds`, `words`
    missed: dict  # calls of kernels that ran as Python, by name and kinds of arguments
    seconds: float  # from the start of the worker
    asked: list  # addresses that the page and its worker asked for
    address: str  # of the server

    def counts(self):
        """Number of tests by outcome."""
        return Counter(test["outcome"] for test in self.tests)

    def failures(self):
        """The failed tests."""
        return [test for test in self.tests if test["outcome"] == "failed"]


def archive(files):
    """A zip of pairs of a name and a path or text."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files:
            if isinstance(content, Path):
                archive.write(content, name)
            else:
                archive.writestr(name, content)
    return packed.getvalue()


def checkout():
    """Files of the library, its tests and its benchmarks, and how its kernels were recorded."""
    for folder in (
        "gameai_lib",
        "tests",
        "benchmarks",
        "book/gameai_book",
        "book/touchbook",
        "book/tools/kernels",
    ):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and not {"__pycache__", "node_modules"} & set(path.parts):
                yield path.relative_to(ROOT).as_posix(), path
    yield "pyproject.toml", ROOT / "pyproject.toml"


def packages():
    """Files of pytest and hypothesis as they are installed here."""
    for name in PACKAGES:
        installed = distribution(name)
        compiled = False
        for path in installed.files:
            compiled |= path.suffix in COMPILED
            unwanted = path.suffix in (".pyc", *COMPILED) or path.name == "entry_points.txt"
            if not unwanted and path.parts[0] != "..":
                yield path.as_posix(), Path(path.locate())
        if compiled:
            if name != "hypothesis":
                raise RuntimeError(f"{name} {installed.version} has a compiled part")
            native = "hypothesis/_native"
            yield f"{native}/__init__.py", f"__version__ = {installed.version!r}\n"
            yield f"{native}/internal/__init__.py", ""
            for module in ("cathetus", "floats"):
                yield f"{native}/internal/{module}.py", TESTS / "support" / "pyodide_floats.py"


def numbas_calls():
    """What numba's kernels did with the arguments of a page, for `tests/base/test_kernels.py`."""
    from book.tools.kernels.record import kernel_at, recorded
    from book.tools.kernels.workload import all_of_it

    with recorded() as calls:
        all_of_it()
    return pickle.dumps({k: call[1:] for k, call in calls.items() if kernel_at(k[0])})


@contextlib.contextmanager
def served(files):
    """Serve a dict of contents (bytes, or a path) by path; gives the address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            content = files.get(self.path)
            if content is None:
                self.send_error(404)
                return
            content = content.read_bytes() if isinstance(content, Path) else content
            self.send_response(200)
            self.send_header("Content-Type", TYPES.get(Path(self.path).suffix, "text/html"))
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_args):
            """Say nothing."""

    with answering(Handler) as address:
        yield f"{address}/"


def run(browser, folder, names=RUNS, max_seconds=300, tell=lambda event: None):
    """Run the test files `names` in the Pyodide of `folder`.

    Parameters
    ----------
    browser : playwright Browser
    folder : pathlib.Path
        With ``pyodide.mjs`` and a wheel of numpy.
    names : sequence of str
        As in `RUNS`.
    max_seconds : float
        How long to wait for the next word of it: a busy machine may need long for them all.
    tell : callable
        Is handed each event, a dict, as it comes.

    Returns
    -------
    Report

    Raises
    ------
    RuntimeError
        If Pyodide or pytest gave up, with their words.
    TimeoutError
        Names the test that never came to an end.
    """
    wheels = sorted(folder.glob("numpy-*.whl"))
    if not wheels:
        raise FileNotFoundError(f"no wheel of numpy in {folder}")
    contents = {f"/pyodide/{path.name}": path for path in folder.iterdir()}
    contents |= {
        "/": PAGE.encode(),
        "/worker.mjs": TESTS / "support" / "pyodide_worker.mjs",
        "/checkout.zip": archive([*checkout(), ("calls.pickle", numbas_calls())]),
        "/packages.zip": archive(packages()),
    }
    order = {
        "numpy": wheels[-1].name,
        "files": [f"tests/{name}.py" for name in names],
    }
    tests, asked, about, at = [], [], {}, "the start of Pyodide"
    with served(contents) as address, browser.new_page() as page:
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address)
        started = heard = time.monotonic()
        page.evaluate("order => worker.postMessage(JSON.stringify(order))", order)
        while True:
            for event in map(json.loads, page.evaluate("events.splice(0)")):
                heard = time.monotonic()
                tell(event)
                kind = event.pop("kind")
                if kind == "begin":
                    about = event
                elif kind == "start":
                    at = event["test"]
                elif kind == "test":
                    tests.append(event)
                elif kind == "end":
                    seconds = time.monotonic() - started
                    return Report(
                        about, tests, **event, seconds=seconds, asked=asked, address=address
                    )
                else:
                    raise RuntimeError(event["words"])
            if time.monotonic() - heard > max_seconds:
                raise TimeoutError(f"nothing was heard for {max_seconds} s, at {at}")
            page.wait_for_timeout(200)


def report_text(report):
    """The report as text."""
    about, counts = report.about, report.counts()
    lines = [
        f"Python {about['python']} ({about['platform']}, {about['bits']} bits), "
        f"numpy {about['numpy']}: {counts['passed']} passed, {counts['failed']} failed, "
        f"{counts['skipped']} skipped; {report.seconds:.0f} s",
        "",
    ]
    for test in report.failures():
        lines += [f"FAILED {test['test']}", test["words"], ""]
    seconds = Counter()
    for test in report.tests:
        seconds[test["test"].split("::")[0]] += test["seconds"]
    lines += [f"{spent:7.1f} s  {file}" for file, spent in seconds.most_common()]
    lines += ["", "Ran as Python:", *(f"{n:7} {what}" for what, n in report.missed.items())]
    return "\n".join(lines)


def main(names):
    """Print what becomes of the tests; those of the files `names`, if there are any."""
    if not os.environ.get("PYODIDE"):
        sys.exit("PYODIDE names no folder")
    names = [name.removeprefix("tests/").removesuffix(".py") for name in names]

    def tell(event):
        if event["kind"] == "test":
            print({"passed": ".", "failed": "F", "skipped": "s"}[event["outcome"]], end="")
            sys.stdout.flush()

    with launched() as browser:
        report = run(browser, Path(os.environ["PYODIDE"]), names or RUNS, 3600, tell)
    print("\n" + report_text(report))
    return bool(report.failures())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
