"""Run notebooks and store their text outputs, which `make test` compares.

Tables are kept as text and as HTML, for nbval wants all that a cell gives but widgets. Pictures
and widget state are left out, and every execution count is 1 (nbval takes a cell
without one for a cell that never ran), so that a change in git is a change in what the
reader learns: ``python -m book.tools.store_outputs book/hanabi.ipynb``.
"""

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from gameai_lib.base.files import write_whole

os.environ["TQDM_DISABLE"] = "1"  # progress bars are not stored

KEPT = ("text/plain", "text/html")


def store_outputs(path):
    """Execute the notebook at `path` in its own folder and write it back."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": path.parent}}).execute()
    notebook.metadata.pop("widgets", None)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type != "code":
            continue
        cell.execution_count = 1
        cell.outputs = _merge_streams(
            kept for output in cell.outputs if (kept := _text_only(output))
        )
    write_whole(path, nbformat.writes(notebook) + "\n")


def _merge_streams(outputs):
    """Outputs in which streams that follow each other are one: where they break is chance."""
    merged = []
    for output in outputs:
        before = merged[-1] if merged else {}
        if output.get("name") and before.get("name") == output.name:
            before.text += output.text
        else:
            merged.append(output)
    return merged


def _text_only(output):
    if output.output_type == "stream":
        return output
    output.data = {kind: output.data[kind] for kind in output.data if kind in KEPT}
    output.metadata = {}
    if "execution_count" in output:
        output.execution_count = 1
    return output if output.data else None


if __name__ == "__main__":
    for name in sys.argv[1:]:
        store_outputs(Path(name))
