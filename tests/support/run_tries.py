"""Runs the cells of a notebook that the page lets change, as the page does but in CPython."""

import contextlib
import io
import json
from pathlib import Path


def run_tries(path):
    """Run every cell of the notebook at `path`, and each exercise with its check and solution."""
    from touchbook.cell.needs import tries
    from touchbook.cell.runner import run

    with contextlib.redirect_stdout(io.StringIO()):
        for one in tries(json.loads(Path(path).read_text(encoding="utf-8"))["cells"]):
            for code in filter(None, (one.code, one.solution)):
                run(code, one.preparation, one.check, one.name)
