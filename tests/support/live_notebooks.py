"""Copies of the notebooks that end by moving every control (run as a module, it writes them).

nbval runs them in the place of the notebooks, so that a control that dies once the whole
notebook has run, as a reader runs it, is found without running everything twice.
"""

import gc
import sys
from pathlib import Path

import nbformat

from gameai_lib.base.files import write_whole
from tests.support.built_pages import ROOT

LAST_CELL = f"""\
import sys

sys.path.insert(0, {str(ROOT)!r})
from tests.support.live_notebooks import move_everything

move_everything()"""


def move_everything():
    """Move each control of every explorable of this process to its ends and back."""
    from touchbook.widgets import Explorable

    explorables = [thing for thing in gc.get_objects() if isinstance(thing, Explorable)]
    assert explorables, "this notebook has no explorable"
    for explorable in explorables:
        before = explorable.set()
        for name, control in explorable.controls.items():
            for value in {control.values[0], control.values[-1]} - {control.default}:
                shown = explorable.set(**{name: value})
                words = explorable.alt(**explorable.defaults | {name: value})
                assert 'role="alert"' not in shown, shown
                assert shown != before, f"{explorable.name}: nothing changes at {name} = {value}"
                assert words != explorable.alt(**explorable.defaults)
            assert explorable.set(**{name: control.default}) == before, explorable.name


def write_copies(folder):
    """Write a copy of each notebook of the book, which moves its controls, if any, at the end."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted((ROOT / "book").glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        if any("explore(" in cell.source for cell in notebook.cells):
            last = nbformat.v4.new_code_cell(LAST_CELL, id="move-everything", execution_count=1)
            notebook.cells.append(last)
        write_whole(folder / path.name, nbformat.writes(notebook))


if __name__ == "__main__":
    write_copies(Path(sys.argv[1]))
