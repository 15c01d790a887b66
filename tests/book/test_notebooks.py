"""Every notebook is worth comparing, free of stored errors, and holds no algorithm."""

import ast

import nbformat
import pytest

from tests.support.built_pages import ROOT

NOTEBOOKS = sorted((ROOT / "book").glob("*.ipynb"))


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request):
    """One parsed notebook."""
    return nbformat.read(request.param, as_version=4)


def code_cells(notebook):
    """Its code cells."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def outputs(notebook):
    """All stored outputs of its code cells."""
    return [output for cell in code_cells(notebook) for output in cell.outputs]


def test_stores_text_outputs_to_compare(notebook):
    text = [o for o in outputs(notebook) if o.output_type == "stream" or "text/plain" in o.data]
    assert len(text) >= 1


def test_stores_no_error_no_picture_no_warning_and_no_count(notebook):
    for output in outputs(notebook):
        assert output.output_type != "error"
        assert output.get("name") != "stderr"
        assert set(output.get("data", {})) <= {"text/plain", "text/html"}
        # Nothing but tables: what else is HTML, a page or a widget shows.
        assert (
            output.get("data", {})
            .get("text/html", '<div class="results"')
            .startswith('<div class="results"')
        )
    assert {cell.execution_count for cell in code_cells(notebook)} == {1}
    assert "widgets" not in notebook.metadata


def test_defines_no_algorithm(notebook):
    for cell in code_cells(notebook):
        tree = ast.parse(cell.source)
        loops = [n for n in ast.walk(tree) if isinstance(n, ast.While)]
        assert not loops, f"a while loop belongs into the library: {cell.source}"
        assert len(cell.source.splitlines()) <= 18, f"a wall of code: {cell.source}"


def test_every_cell_with_a_figure_shows_it_last(notebook):
    for cell in code_cells(notebook):
        calls = [
            node.func.id
            for node in ast.walk(ast.parse(cell.source))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        ]
        if "explore" in calls or "picture" in calls:
            assert isinstance(ast.parse(cell.source).body[-1], ast.Expr), cell.source


def test_jupyterlab_folds_what_the_book_folds(notebook):
    for cell in code_cells(notebook):
        in_book = bool({"hide-input", "remove-input"} & set(cell.metadata.get("tags", ())))
        assert in_book == cell.metadata.get("jupyter", {}).get("source_hidden", False), cell.source
