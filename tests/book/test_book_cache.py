"""A notebook is executed again only when something that it depends on has changed."""

import subprocess
import sys

import nbformat
import pytest

from tests.support.built_pages import ROOT

# Each page counts in a file how often it was executed.
PAGE = """\
import sys

sys.path.insert(0, {root!r})
with open({counter!r}, "a") as file:
    file.write("x")
from gameai_lib.{room} import kernel

print("the kernel gives", kernel(2))"""


def write_room(root, name, kernel):
    """Write a room with one kernel."""
    room = root / "gameai_lib" / name
    room.mkdir(parents=True, exist_ok=True)
    (room / "__init__.py").write_text(f"def kernel(x):\n    return {kernel}\n")


@pytest.fixture
def project(tmp_path):
    """A small book of two pages, each with a room of the library."""
    (tmp_path / "gameai_lib").mkdir()
    (tmp_path / "gameai_lib" / "__init__.py").write_text("")
    for name in ("gameai_book/one", "gameai_book/together", "touchbook/page"):
        (tmp_path / "book" / name).mkdir(parents=True)
        (tmp_path / "book" / name / "__init__.py").write_text("")
    (tmp_path / "requirements.lock").write_text("numpy==2.4.6\n")
    for name in ("one", "two"):
        write_room(tmp_path, name, "x + 40")
        counter = str(tmp_path / f"{name}.count")
        cell = PAGE.format(root=str(tmp_path), counter=counter, room=name)
        notebook = nbformat.v4.new_notebook(
            cells=[
                nbformat.v4.new_markdown_cell(f"# Page {name}"),
                nbformat.v4.new_code_cell(cell),
            ],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        nbformat.write(notebook, tmp_path / "book" / f"{name}.ipynb")
    return tmp_path


EXECUTE = """
import sys
from pathlib import Path
from book.tools.execute import execute
from book.tools.forget_stale import forget_stale
root = Path(sys.argv[1])
forget_stale(root)
execute(root)
"""


def executed(project):
    """Execute the pages whose outputs are not in the cache, as `make book` does."""
    command = [sys.executable, "-c", EXECUTE, project]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def counts_of(project):
    """How often each page was executed."""
    return [len((project / f"{n}.count").read_text()) for n in ("one", "two")]


@pytest.mark.slow
def test_a_changed_kernel_changes_its_page_alone_and_a_page_that_fails_is_named(project):
    assert executed(project).returncode == 0
    assert counts_of(project) == [1, 1]
    write_room(project, "two", "x * 50")
    assert executed(project).returncode == 0
    assert counts_of(project) == [1, 2]
    cache = project / "_build" / ".jupyter_cache"
    said = "".join(path.read_text() for path in cache.rglob("*.ipynb"))
    assert "the kernel gives 42" in said
    assert "the kernel gives 100" in said
    write_room(project, "two", "x / 0")
    done = executed(project)
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr
    assert "two.ipynb" in done.stderr.splitlines()[-1]
    assert "one.ipynb" not in done.stderr.splitlines()[-1]
    assert counts_of(project) == [1, 3]


def test_what_makes_outputs_stale(project, monkeypatch):
    from book.tools.forget_stale import key_of

    one = project / "book" / "one.ipynb"
    keys = [key_of(one, project)]

    def changed():
        keys.append(key_of(one, project))
        return keys[-1] != keys[-2]

    assert not changed()
    write_room(project, "two", "7")
    assert not changed()
    (project / "gameai_lib" / "one" / "data.csv").write_text("1")
    assert changed()
    (project / "gameai_lib" / "shared.py").write_text("")
    assert changed()
    exhibits, frame = project / "book" / "gameai_book", project / "book" / "touchbook"
    (exhibits / "one" / "figures.py").write_text("")
    assert changed()
    (exhibits / "one" / "measured.csv").write_text("1")
    assert changed()
    (exhibits / "two").mkdir()
    (exhibits / "two" / "figures.py").write_text("")
    assert not changed()
    (frame / "board.py").write_text("")
    assert changed()
    for name in ("page/worker.js", "page/python.py", "board.css"):
        (frame / name).write_text("")
    assert not changed()
    one.write_text(one.read_text().replace("gameai_lib.one", "gameai_book.together"))
    assert changed()
    write_room(project, "two", "8")
    assert changed()
    (project / "requirements.lock").write_text("numpy==2.0\n")
    assert changed()
    monkeypatch.setenv("GAMEAI_DATA", str(project / "book"))
    assert changed()
