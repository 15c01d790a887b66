"""How fast boards answer: ``python -m benchmarks.boards [board ...]``.

Games of moves chosen at random, and after each move everything that can be shown is shown. Times
are milliseconds from a touch to the answer, median and 95th in a hundred: in this Python, once
with numba and once without. ``--page`` plays in Chromium in the built book (``make book
PYODIDE=folder`` comes first) and ``--lab`` in JupyterLab: from the touch to the new picture.
"""

import argparse
import importlib
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import gameai_book

PLACES = sorted(Path(gameai_book.__file__).parent.glob("*/boards/*.py"))


def addresses():
    """Where the class of each board is, by its name, as `play` takes it."""
    found = {}
    for path in PLACES:
        module = f"gameai_book.{path.parts[-3]}.boards.{path.stem}"
        for kind in vars(importlib.import_module(module)).values():
            if getattr(kind, "__module__", "") == module and getattr(kind, "name", ""):
                found[kind.name] = f"{module}:{kind.__name__}"
    return found


ADDRESSES = addresses()
# From a touch to the picture after it.
CLICK = """(figure, name) => new Promise((done) => {
    const target = figure.querySelector(`[data-touch="${CSS.escape(name)}"]`);
    const option = figure.querySelector(`option[value="${CSS.escape(name)}"]`);
    const start = performance.now();
    new MutationObserver((_, watcher) => {
        if (figure.dataset.busy) return;
        watcher.disconnect();
        requestAnimationFrame(() => done(performance.now() - start));
    }).observe(figure, { attributes: true, attributeFilter: ["data-busy"] });
    if (target) target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    else {
        option.closest("select").value = name;
        option.closest("select").dispatchEvent(new Event("change"));
    }
})"""


def here(names, n_touches):
    """Times in this Python."""
    from tests.support.board_player import a_move
    from touchbook.boards import Session, board_class

    for name in names:
        session = Session(board_class(ADDRESSES[name])())
        for view in session.board.views:
            session.answer({"do": "touch", "name": f"show-{view}"})
        rng = np.random.default_rng(1)
        times = []
        while len(times) < n_touches:
            touch = a_move(session, rng)
            request = {"do": "new"} if touch is None else {"do": "touch", "name": touch}
            start = time.perf_counter()
            session.answer(request)
            times.append(1000 * (time.perf_counter() - start))
        _print(name, times)


def browser(names, n_touches, face):
    """Times in Chromium: in the built pages, or in JupyterLab."""
    from tests.support.board_player import Player, a_move
    from tests.support.chromium import launched

    with face(names) as open_page, launched() as chromium:
        for name in names:
            page = open_page(chromium.new_context().new_page(), name)
            player = Player(page, name)
            player.start()
            player.mirror()
            for view in player.session.board.views:
                player.click(f"show-{view}")
                player.session.answer({"do": "touch", "name": f"show-{view}"})
            rng = np.random.default_rng(1)
            times = []
            while len(times) < n_touches:
                touch = a_move(player.session, rng)
                if touch is None:
                    player.session.answer({"do": "new"})
                    player.press("new")
                    continue
                player.session.answer({"do": "touch", "name": touch})
                times.append(player.figure.evaluate(CLICK, touch))
            _print(name, times)
            page.close()


def _pages():
    import contextlib

    from tests.support.built_pages import SITE
    from tests.support.serving import served

    texts = {path.name: path.read_text(encoding="utf-8") for path in (SITE / "book").glob("*.html")}

    @contextlib.contextmanager
    def face(_names):
        with served(SITE) as address:

            def open_page(page, name):
                shows = f'data-board="{name}"'
                shown = next(page for page, text in texts.items() if shows in text)
                page.goto(f"{address}/book/{shown}")
                return page

            yield open_page

    return face


def _lab():
    import contextlib

    import nbformat

    from tests.support.jupyter import OpenNotebook, jupyter_server

    @contextlib.contextmanager
    def face(names):
        folder = Path(tempfile.mkdtemp())
        new = nbformat.v4
        with jupyter_server(folder) as server:
            for name in names:
                code = f"from touchbook.widgets import play\nplay({ADDRESSES[name]!r})"
                cells = [new.new_markdown_cell("# Board"), new.new_code_cell(code)]
                kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
                notebook = new.new_notebook(metadata=kernel, cells=cells)
                nbformat.write(notebook, folder / "book" / f"{name}-board.ipynb")

            def open_page(page, name):
                notebook = OpenNotebook(page, *server, f"{name}-board")
                notebook.run_all(uncover=False, shows="figure.board[data-state=ready]")
                return page

            yield open_page

    return face


def _print(name, times):
    worst = sorted(times)[int(0.95 * len(times))]
    print(
        f"{name:10} {statistics.median(times):7.1f} {worst:7.1f}  {len(times)} touches", flush=True
    )


def main():
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="board", help=", ".join(ADDRESSES))
    parser.add_argument("-n", type=int, default=100, help="touches of each board")
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--lab", action="store_true")
    arguments = parser.parse_args()
    names = arguments.names or list(ADDRESSES)
    if arguments.page or arguments.lab:
        print("milliseconds to the new picture: median, 95th in a hundred")
        browser(names, arguments.n, _lab() if arguments.lab else _pages())
        return
    kind = "without numba" if sys.modules.get("numba", "") is None else "with numba"
    print(f"milliseconds to the answer, {kind}: median, 95th in a hundred", flush=True)
    here(names, arguments.n)
    if kind == "with numba":
        code = "import sys; sys.modules['numba'] = None; from benchmarks.boards import main; main()"
        subprocess.run([sys.executable, "-c", code, *names, "-n", str(arguments.n)], check=True)


if __name__ == "__main__":
    main()
