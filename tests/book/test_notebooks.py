"""Every notebook is worth comparing, free of stored errors, and holds no algorithm."""

import ast

import nbformat
import pytest

from tests.support.built_pages import ROOT

NOTEBOOKS = sorted((ROOT / "book").glob("*.ipynb"))


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request):
    return nbformat.read(request.param, as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_stores_text_and_tables_to_compare_and_nothing_else(notebook):
    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    assert [o for o in outputs if o.output_type == "stream" or "text/plain" in o.data]
    for output in outputs:
        assert output.output_type != "error"
        assert output.get("name") != "stderr"
        data = output.get("data", {})
        assert set(data) <= {"text/plain", "text/html"}
        # What else is HTML, a page or a widget shows.
        assert data.get("text/html", '<div class="results"').startswith('<div class="results"')
    assert {cell.execution_count for cell in code_cells(notebook)} == {1}
    assert "widgets" not in notebook.metadata


def test_its_cells_hold_no_algorithm_show_their_figure_last_and_are_folded_alike(notebook):
    for cell in code_cells(notebook):
        tree = ast.parse(cell.source)
        nodes = list(ast.walk(tree))
        loops = [node for node in nodes if isinstance(node, ast.While)]
        assert not loops, f"a while loop belongs into the library: {cell.source}"
        assert len(cell.source.splitlines()) <= 18, f"a wall of code: {cell.source}"
        calls = {getattr(node.func, "id", "") for node in nodes if isinstance(node, ast.Call)}
        if calls & {"explore", "picture"}:
            assert isinstance(tree.body[-1], ast.Expr), cell.source
        in_book = bool({"hide-input", "remove-input"} & set(cell.metadata.get("tags", ())))
        assert in_book == cell.metadata.get("jupyter", {}).get("source_hidden", False), cell.source
