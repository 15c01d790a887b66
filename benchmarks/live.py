"""How fast figures answer in a kernel: ``python -m benchmarks.live [chapter ...]``.

Each notebook is run to its end in a kernel of its own; then every control of every
explorable is moved to each of its values, first where nothing is remembered, then again.
Times are CPU milliseconds of the kernel. ``--figures`` lists every figure.

``--lab`` opens the notebooks in a real JupyterLab in Chromium instead, presses an arrow key on
every slider three times a second, and measures from the press to the new picture.
"""

import argparse
import cProfile
import functools
import json
import pstats
import statistics
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

BOOK = Path(__file__).parents[1] / "book"
ROOT = BOOK.parent
LAST_CELL = """\
import json, sys
sys.path.insert(0, {root!r})
from benchmarks.live import measure
print(json.dumps(measure()))"""
ROOMS = {"btmm", "hanabi", "nrpa", "ntbea", "together"}
PARTS = ("view", "layout", "drawing", "encoding", "words")


def measure():
    """Move every control of every explorable of this process; returns a row for each figure."""
    import gc

    from touchbook.widgets import Explorable

    explorables = [thing for thing in gc.get_objects() if isinstance(thing, Explorable)]
    with _Clock() as clock:
        return [_measure(explorable, clock) for explorable in explorables]


def _measure(explorable, clock):
    explorable.set()  # the first frame finds the layout
    first, again, parts = [], [], []
    for name, control in explorable.controls.items():
        for value in [v for v in control.values if v != control.default]:
            clock.parts = dict.fromkeys(PARTS, 0.0)
            first.append(clock.cpu(explorable.set, **{name: value}))
            parts.append(clock.parts)
            explorable.set(**{name: control.default})
            again.append(clock.cpu(explorable.set, **{name: value}))
        explorable.set(**{name: control.default})
    return {
        "name": explorable.name,
        "first": first,
        "again": again,
        "parts": {part: sum(p[part] for p in parts) for part in PARTS},
        "algorithm": _algorithm(explorable),
    }


class _Clock:
    """Adds up the time of the steps of a redraw."""

    def __enter__(self):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.layout_engine import ConstrainedLayoutEngine
        from PIL import Image

        from touchbook.figure import drawing
        from touchbook.widgets import Still

        self.parts, self._inside = dict.fromkeys(PARTS, 0.0), []
        self._patched = []
        for owner, name, part in (
            (drawing, "_filled_canvas", "view"),
            (Still, "words", "words"),
            (ConstrainedLayoutEngine, "execute", "layout"),
            (FigureCanvasAgg, "draw", "drawing"),
            (Image.Image, "save", "encoding"),
        ):
            plain = getattr(owner, name)
            self._patched.append((owner, name, plain))
            setattr(owner, name, self._timed(plain, part))
        return self

    def __exit__(self, *_error):
        for owner, name, plain in self._patched:
            setattr(owner, name, plain)

    def cpu(self, work, **values):
        """CPU milliseconds of `work`."""
        start = time.process_time()
        work(**values)
        return 1000 * (time.process_time() - start)

    def _timed(self, plain, part):
        @functools.wraps(plain)
        def timed(*args, **kwargs):
            start, inner = time.process_time(), len(self._inside)
            self._inside.append(0.0)
            try:
                return plain(*args, **kwargs)
            finally:
                spent = 1000 * (time.process_time() - start)
                self.parts[part] += spent - self._inside.pop()
                if inner:
                    self._inside[-1] += spent

        return timed


def _algorithm(explorable):
    """The share of a redraw at the default that is spent in rules and algorithms."""
    from touchbook.figure.drawing import Layout

    layout = Layout()
    explorable.render_live(layout, **explorable.defaults)
    profile = cProfile.Profile()
    profile.runcall(explorable.render_live, layout, **explorable.defaults)
    stats = pstats.Stats(profile)
    spent = sum(
        time_there
        for place, (*_, callers) in stats.stats.items()
        if _computes(place)
        for caller, (*_, time_there) in callers.items()
        if not _computes(caller)
    )
    return spent / stats.total_tt


def _computes(place):
    parts = Path(place[0]).parts
    return "gameai_lib" in parts and bool({*parts} & ROOMS)


def measured(chapter):
    """The rows of one notebook."""
    notebook = nbformat.read(BOOK / f"{chapter}.ipynb", as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(LAST_CELL.format(root=str(ROOT))))
    client = NotebookClient(notebook, timeout=1200, resources={"metadata": {"path": BOOK}})
    client.execute()
    printed = "".join(o["text"] for o in notebook.cells[-1].outputs if o.get("name") == "stdout")
    return json.loads(printed)


# Notes when a key is pressed and when a picture has changed, on the page's own clock.
_STOPWATCH = """() => {
  window.waits = [];
  let pressed = null;
  document.addEventListener("keydown", () => { pressed = performance.now(); }, true);
  document.querySelectorAll(".explorable-live-face").forEach((face) => {
    let before = face.querySelector("img").src;
    new MutationObserver(() => {
      const now = face.querySelector("img")?.src;
      if (pressed === null || !now || now === before) return;
      const from = pressed;
      before = now;
      pressed = null;
      requestAnimationFrame(() => window.waits.push(performance.now() - from));
    }).observe(face, { childList: true, subtree: true, attributeFilter: ["src"] });
  });
}"""
PRESSES = 12  # on each slider: there and back
INTERVAL = 1000 / 3  # milliseconds between two


def waits_in_lab(chapters):
    """Milliseconds from key to picture for each chapter, and how many presses had none."""
    import tempfile

    from tests.support.chromium import launched
    from tests.support.jupyter import OpenNotebook, jupyter_server

    with (
        tempfile.TemporaryDirectory() as folder,
        jupyter_server(Path(folder)) as server,
        launched() as browser,
    ):
        for chapter in chapters:
            page = browser.new_context(viewport={"width": 1400, "height": 900}).new_page()
            notebook = OpenNotebook(page, *server, chapter)
            notebook.run_all()
            page.wait_for_timeout(3000)
            page.evaluate(_STOPWATCH)
            waits, missing = [], 0
            for handle in page.locator(".explorable-live-face .noUi-handle").all():
                handle.scroll_into_view_if_needed()
                handle.focus()
                page.evaluate("window.waits.length = 0")
                n_steps = int(float(handle.get_attribute("aria-valuemax")))
                keys = _there_and_back(int(float(handle.get_attribute("aria-valuenow"))), n_steps)
                for key in keys:
                    page.keyboard.press(key)
                    page.wait_for_timeout(INTERVAL)
                page.wait_for_timeout(1000)
                new = page.evaluate("window.waits")
                waits += new
                missing += len(keys) - len(new)
            yield chapter, waits, missing
            page.context.close()


def _there_and_back(at, last):
    """Keys that move a slider to and fro, never against its end."""
    way = min(PRESSES // 2, max(at, last - at))
    there, back = ("ArrowRight", "ArrowLeft") if last - at >= way else ("ArrowLeft", "ArrowRight")
    return [there] * way + [back] * way


def percentile(values, share):
    """The smallest value that `share` of all do not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def show(title, rows):
    """Print one line of the table."""
    first = [ms for row in rows for ms in row["first"]]
    again = [ms for row in rows for ms in row["again"]]
    print(
        f"{title:22s} {len(first):5d} {statistics.median(first):8.0f} "
        f"{percentile(first, 0.95):6.0f} {max(first):6.0f} "
        f"{statistics.median(again):8.1f} {percentile(again, 0.95):6.1f}"
    )


def _show_waits(title, waits, missing):
    print(
        f"{title:24s} {len(waits) + missing:7d} {missing:5d} {statistics.median(waits):8.0f} "
        f"{percentile(waits, 0.95):6.0f} {max(waits):6.0f}"
    )


def main():
    """Measure the chapters named, or all."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("chapters", nargs="*")
    parser.add_argument("--figures", action="store_true", help="list every figure")
    parser.add_argument("--lab", action="store_true", help="measure in a real JupyterLab")
    options = parser.parse_args()
    chapters = options.chapters or sorted(path.stem for path in BOOK.glob("*.ipynb"))
    if options.lab:
        print("ms from key to picture   presses  none   median    p95    max")
        everything = []
        for chapter, waits, missing in waits_in_lab(chapters):
            everything += waits
            _show_waits(chapter, waits, missing)
        _show_waits("all", everything, 0)
        return
    print("CPU ms of a redraw            seen for the first time     seen before")
    print("                       moves   median    p95    max   median    p95")
    everything = []
    for chapter in chapters:
        rows = measured(chapter)
        everything += rows
        if options.figures:
            for row in sorted(rows, key=lambda row: -statistics.median(row["first"])):
                show(f"  {row['name']}", [row])
        show(chapter, rows)
    show("all", everything)
    total = sum(ms for row in everything for ms in row["first"])
    print("of the time of a first redraw:")
    for part in PARTS:
        print(f"  {part:10s} {sum(row['parts'][part] for row in everything) / total:6.1%}")
    algorithm = statistics.mean(row["algorithm"] for row in everything)
    print(f"rules and algorithms, inside view and words, mean of the figures: {algorithm:.1%}")


if __name__ == "__main__":
    main()
