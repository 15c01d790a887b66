"""Unit tests of what makes numbers, in Pyodide: another Python, 32 bits, no numba.

``PYODIDE=<folder> python -m tests.support.pyodide_units`` runs them in headless Chromium and prints
what pytest says there; arguments name other files. The folder holds
``pyodide.mjs`` with what it asks for, and a wheel of numpy. All that the page asks for comes
from this machine: pytest is that of the running Python.
"""

import itertools
import json
import os
import pickle
import sys
import tempfile
import time
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from typing import NamedTuple

from tests.support.chromium import launched
from tests.support.serving import served

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"

# What differs there is how numbers are made: kernels, whole numbers of 32 bits, what is hashed,
# drawn or written. What says the same in every Python, goes through a kernel that is compared by
# itself, or asks hypothesis, which has a compiled part, runs with numba alone.
RUNS = tuple(
    f"{room}/test_{name}"
    for room, names in {
        "base": "arrays kernels",
        "btmm": "build connect6 empirical patterns positions reversi",
        "frame": "boards runner",
        "hanabi": "formulas laws play public slots_board",
        "nrpa": "nmcs policy steps toys",
        "ntbea": "bandits families landscape space space_battle",
    }.items()
    for name in names.split()
)

SECONDS = 300  # to wait for the next word
PACKAGES = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")
PAGE = """<!doctype html><title>Unit tests</title><link rel="icon" href="data:,"><script>
const events = [];
const worker = new Worker("./worker.mjs", {type: "module"});
worker.onmessage = ({data}) => events.push(data);
worker.onerror = ({message}) => events.push(JSON.stringify({error: message}));
</script>"""


class Report(NamedTuple):
    """What became of the tests."""

    code: int  # of pytest: 0 if none has failed
    bits: int  # of the Python that ran them
    missed: int  # calls of kernels that ran as Python
    counts: dict  # numbers of tests by what became of them: "passed", "skipped"
    text: str  # all that was printed
    elsewhere: list  # addresses that were asked for and are not of this machine


def checkout():
    """Files of the library, its tests and its benchmarks."""
    folders = "gameai_lib tests benchmarks book/gameai_book book/touchbook book/tools/kernels"
    for folder in folders.split():
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and not {"__pycache__", "node_modules"} & set(path.parts):
                yield path.relative_to(ROOT).as_posix(), path
    yield "pyproject.toml", ROOT / "pyproject.toml"


def packages():
    """Files of pytest as it is installed here."""
    for path in itertools.chain.from_iterable(distribution(name).files for name in PACKAGES):
        unwanted = path.suffix == ".pyc" or path.name == "entry_points.txt"
        if not unwanted and path.parts[0] != "..":
            yield path.as_posix(), Path(path.locate())


def numbas_calls():
    """What numba's kernels did with the arguments of a page, for `tests/base/test_kernels.py`."""
    from book.tools.kernels import workload
    from book.tools.kernels.record import kernel_at, record_calls

    with record_calls() as calls:
        workload.boards(n_touches=2, n_thoughts=1)  # enough to reach every kernel
        for part in workload.PARTS:
            part()
    return pickle.dumps({k: call[1:] for k, call in calls.items() if kernel_at(k[0])})


def write_site(site, folder):
    """Write what the page and its worker ask for: Pyodide, the checkout, pytest."""
    (site / "pyodide").symlink_to(folder.absolute())
    (site / "worker.mjs").symlink_to(TESTS / "support" / "pyodide_worker.mjs")
    (site / "index.html").write_text(PAGE)
    for name, files in (("checkout", checkout()), ("packages", packages())):
        with zipfile.ZipFile(site / f"{name}.zip", "w") as archive:
            for place, path in files:
                archive.write(path, place)
            if name == "checkout":
                archive.writestr("calls.pickle", numbas_calls())


def run(browser, folder, names=RUNS, tell=lambda text: None):
    """Run the test files `names`, as in `RUNS`, in the Pyodide of `folder`; returns a `Report`.

    `tell` is handed each text as it comes.
    """
    *_, numpy = sorted(folder.glob("numpy-*.whl"))
    order = {"numpy": numpy.name, "files": [f"tests/{name}.py" for name in names]}
    with tempfile.TemporaryDirectory() as site:
        write_site(Path(site), folder)
        with served(site) as address, browser.new_page() as page:
            asked = []
            page.on("request", lambda request: asked.append(request.url))
            page.goto(address)
            page.evaluate("order => worker.postMessage(order)", order)
            text, heard = "", time.monotonic()
            while time.monotonic() - heard < SECONDS:
                for event in map(json.loads, page.evaluate("events.splice(0)")):
                    heard = time.monotonic()
                    if "error" in event:
                        raise RuntimeError(event["error"])
                    if "end" in event:
                        assert any(url.endswith(".whl") for url in asked), "this sees no worker"
                        away = [url for url in asked if not url.startswith((address, "data:"))]
                        return Report(**event["end"], text=text, elsewhere=away)
                    text += event["text"]
                    tell(event["text"])
                page.wait_for_timeout(200)
    raise TimeoutError(f"nothing was heard for {SECONDS} s after {text[-200:]}")


if __name__ == "__main__":
    if not os.environ.get("PYODIDE"):
        sys.exit("PYODIDE names no folder")
    asked = [name.removeprefix("tests/").removesuffix(".py") for name in sys.argv[1:]]
    with launched() as chromium:
        folder = Path(os.environ["PYODIDE"])
        report = run(chromium, folder, asked or RUNS, lambda text: print(text, end="", flush=True))
    sys.exit(report.code)
