"""Runs the cells of a notebook that the page lets change, as the page does but in CPython.

``python -m tests.support.run_tries book/hanabi.ipynb`` prints JSON: for each cell its name, what it
says, and for an exercise what its check says of the starter and of the solution. What a page
does not have cannot be imported.
"""

import contextlib
import io
import json
import sys
import time
from pathlib import Path

NOT_IN_A_PAGE = {
    "matplotlib", "PIL", "ipywidgets", "IPython", "numba", "scipy", "tqdm", "dask", "choix",
}  # fmt: skip


class Refused:
    """Finds nothing of what a page does not have."""

    def find_spec(self, name, path=None, target=None):
        """Raise ImportError for those packages."""
        if name.partition(".")[0] in NOT_IN_A_PAGE:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def said(code, one, check=""):
    """State, what was printed and error of one run, and its seconds."""
    from touchbook.cell.runner import run

    started, printed = time.perf_counter(), io.StringIO()
    with contextlib.redirect_stdout(printed):
        answer = json.loads(run(code, one.preparation, check, one.name))
    return answer | {"printed": printed.getvalue(), "seconds": time.perf_counter() - started}


def run_tries(path):
    """What every cell of the notebook at `path` says."""
    from touchbook.cell.needs import tries

    cells = json.loads(Path(path).read_text(encoding="utf-8"))["cells"]
    results = {}
    for one in tries(cells):
        results[one.name] = {"run": said(one.code, one)}
        if one.is_exercise:
            results[one.name]["starter"] = said(one.code, one, one.check)
            results[one.name]["solution"] = said(one.solution, one, one.check)
    return results


if __name__ == "__main__":
    sys.meta_path.insert(0, Refused())
    print(json.dumps(run_tries(sys.argv[1])))
