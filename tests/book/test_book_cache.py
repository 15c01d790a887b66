"""A notebook is executed again only when something that it depends on has changed."""

import subprocess
import sys

import nbformat
import pytest

from tests.support.built_pages import ROOT
from tests.support.jupyter import notebook_of

# Each page counts in a file how often it was executed; the kernel of the second dies at first.
PAGE = """\
import os
import sys

sys.path.insert(0, {root!r})
with open({counter!r}, "a") as file:
    file.write("x")
    if {dies} and file.tell() == 1:
        os._exit(1)
from gameai_lib.{room} import kernel

print("the kernel gives", kernel(2))"""


@pytest.fixture
def project(tmp_path):
    """A small book of two pages, each with a room of the library."""
    for name in ("gameai_lib", "gameai_lib/one", "gameai_lib/two", "book/gameai_book/one",
                 "book/gameai_book/together", "book/touchbook/page"):  # fmt: skip
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "__init__.py").write_text("")
    (tmp_path / "requirements.lock").write_text("numpy==2.4.6\n")
    for name in ("one", "two"):
        room = tmp_path / "gameai_lib" / name / "__init__.py"
        room.write_text("def kernel(x):\n    return x + 40\n")
        counter = str(tmp_path / f"{name}.count")
        cell = PAGE.format(root=str(tmp_path), counter=counter, room=name, dies=name == "two")
        nbformat.write(notebook_of(f"Page {name}", cell), tmp_path / "book" / f"{name}.ipynb")
    return tmp_path


# As `make book` does; then again with a room that no longer works.
EXECUTE = """
import sys
from pathlib import Path
from book.tools.execute import execute
from book.tools.forget_stale import forget_stale
root = Path(sys.argv[1])
forget_stale(root)
execute(root)
(root / "gameai_lib" / "two" / "__init__.py").write_text("kernel = lambda x: x / 0")
print(forget_stale(root))
execute(root)
"""


@pytest.mark.slow
def test_a_page_is_executed_once_or_when_its_kernel_changes_or_dies_and_its_error_is_named(project):
    command = [sys.executable, "-c", EXECUTE, project]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "['two.ipynb']\n" in done.stdout, done.stderr
    assert [len((project / f"{name}.count").read_text()) for name in ("one", "two")] == [1, 3]
    cached = (project / "_build" / ".jupyter_cache").rglob("*.ipynb")
    assert "the kernel gives 42" in "".join(path.read_text() for path in cached)
    assert "ZeroDivisionError" in done.stderr
    assert "two.ipynb" in done.stderr.splitlines()[-1]


def test_what_makes_outputs_stale(project, monkeypatch):
    from book.tools.forget_stale import key_of

    one = project / "book" / "one.ipynb"

    def changes(path, text=""):
        before = key_of(one, project)
        (project / path).parent.mkdir(exist_ok=True)
        (project / path).write_text(text)
        return key_of(one, project) != before

    for path in (
        "gameai_lib/two/__init__.py", "book/gameai_book/two/figures.py", "book/touchbook/board.css",
        "book/touchbook/page/worker.js", "book/touchbook/page/python.py",
    ):  # fmt: skip
        assert not changes(path), path
    for path in (
        "gameai_lib/one/data.csv", "gameai_lib/base/checks.py", "book/gameai_book/one/figures.py",
        "book/gameai_book/one/measured.csv", "book/touchbook/board.py", "requirements.lock",
    ):  # fmt: skip
        assert changes(path), path
    joined = one.read_text().replace("gameai_lib.one", "gameai_book.together")
    assert changes("book/one.ipynb", joined)
    assert changes("gameai_lib/two/__init__.py", "8")
    before = key_of(one, project)
    monkeypatch.setenv("GAMEAI_DATA", str(project / "book"))
    assert key_of(one, project) != before
