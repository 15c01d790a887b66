"""What `book/fifth_chapter.md` says is done to the letter in a copy of the sources: it works."""

import os
import re
import shutil
import subprocess
import sys

import nbformat
import pytest
from bs4 import BeautifulSoup

from tests.support.built_pages import ROOT

RECIPE = ROOT / "book" / "fifth_chapter.md"
LEFT_BEHIND = shutil.ignore_patterns(
    ".*", "_build", "build", "dist", "node_modules", "__pycache__", "*.egg-info"
)
STEP = re.compile(r"(?:In )?`([^`]+)`(?:, after (`+)(.+)\2)?:")
FENCE = re.compile(r"(`{3,})(\w+) ?([\w-]*)")


def steps(text):
    """What a recipe says: a file, the line after which something goes, and blocks.

    A block is its language, the tag behind it, and its lines.
    """
    lines, found, blocks = iter(text.splitlines()), [], []
    for line in lines:
        if step := STEP.fullmatch(line):
            blocks = []
            found.append((step[1], step[3], blocks))
        elif fence := FENCE.fullmatch(line):
            blocks.append((fence[2], fence[3], list(iter(lambda: next(lines), fence[1]))))
        elif line:
            blocks = []  # what is shown between two paragraphs belongs to no file
    return found


def followed(root):
    """Do what the recipe says, below `root`; the files that it changes or makes."""
    for name, after, blocks in steps(RECIPE.read_text(encoding="utf-8")):
        path = root / name
        if path.suffix == ".ipynb":
            nbformat.write(notebook(blocks), path)
            continue
        [(_, _, lines)] = blocks
        if after is None:
            assert not path.exists(), f"{name} is there already"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            continue
        old = path.read_text(encoding="utf-8").splitlines()
        [at] = [i for i, line in enumerate(old) if line.strip() == after.strip()]
        new = [*old[: at + 1], *lines, *old[at + 1 :]]
        path.write_text("".join(f"{line}\n" for line in new), encoding="utf-8")


def notebook(blocks):
    """A notebook of blocks of the recipe."""
    new, cells = nbformat.v4, []
    for language, tag, lines in blocks:
        make = new.new_markdown_cell if language == "markdown" else new.new_code_cell
        cell = make("\n".join(lines))
        if tag:
            cell.metadata |= {"tags": [tag], "jupyter": {"source_hidden": True}}
        cells.append(cell)
    kernel = {"name": "python3", "display_name": "Python 3"}
    return new.new_notebook(cells=cells, metadata={"kernelspec": kernel})


@pytest.mark.slow
def test_whoever_follows_it_has_a_chapter(tmp_path):
    copy = tmp_path / "book-to-touch"
    shutil.copytree(ROOT, copy, ignore=LEFT_BEHIND)
    environment = os.environ | {"PYTHONPATH": f"{copy}{os.pathsep}{copy / 'book'}"}

    def run(*arguments):
        done = subprocess.run(
            [sys.executable, *arguments], cwd=copy, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    followed(copy)
    run("-m", "book.tools.store_outputs", "book/regret.ipynb")
    tests = ["borders.py", "examples.py", "types.py"]
    asked = [f"tests/base/test_{name}" for name in tests] + ["tests/book/test_notebooks.py"]
    said = run(
        "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "tests/regret", *asked,
        "-k", "regret or every_room_is_known or each_package_lists_its_parts",
    )  # fmt: skip
    assert int(re.search(r"(\d+) passed", said)[1]) >= 15
    run("-c", "from book.tools.one_page import build; build('regret')")
    page = copy / "_build" / "chapter" / "_build" / "html" / "book" / "regret.html"
    article = BeautifulSoup(page.read_bytes(), "html.parser").article
    figure = article.select_one("figure#fig-means")
    assert figure.img["alt"].startswith("After 10,000 rounds: rock 0.2")
    assert "gains against the mean strategy" in article.get_text()
