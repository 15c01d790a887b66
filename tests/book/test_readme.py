"""The lines of the README run, and print what it says."""

import re
import subprocess
import sys

import pytest

import gameai_lib
from benchmarks.size import sizes
from book.tools.chapters import CHAPTERS
from tests.support.built_pages import ROOT

# A block of Python, and the block of text behind it.
EXAMPLE = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = EXAMPLE.findall(README)


def test_it_shows_a_picture_and_an_example_of_each_room():
    (path,) = re.findall(r"!\[[^]]{50,}\]\(([^)]+)\)", README)
    assert (ROOT / path).read_bytes().startswith(b"\x89PNG")
    assert README.count("```python") == len(EXAMPLES)
    code = "".join(code for code, _ in EXAMPLES)
    assert all(f"gameai_lib.{room}" in code for room in CHAPTERS)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.*)$", citation, re.M)[1] == gameai_lib.__version__


def test_it_and_the_first_page_say_how_large_the_library_is():
    n_statements = sum(size.statements for size in sizes("library").values())
    for name in ("README.md", "book/index.ipynb"):
        text = " ".join((ROOT / name).read_text(encoding="utf-8").split())
        (said,) = re.findall(r"([\d,]+) lines of code", text)
        assert int(said.replace(",", "")) == pytest.approx(n_statements, rel=0.05), name


STEP = re.compile(r"\| ((?:`\w+`(?: and )?)+) in `(.*?)` \| `(.*?)` \| `(.*?)` \|\n")


def test_its_table_leads_to_each_algorithm_its_formula_and_its_check():
    rows = STEP.findall(README)
    for (functions, path, label, check), chapter in zip(rows, CHAPTERS, strict=True):
        code = (ROOT / path).read_text(encoding="utf-8")
        for name in re.findall(r"\w+", functions.replace(" and ", " ")):
            assert f"\ndef {name}(" in code, name
        lesson = ROOT / "book" / f"{chapter}.ipynb"
        assert label in lesson.read_text(encoding="utf-8")
        assert (ROOT / check).exists()


def answered(code, folder):
    """What a program prints, and its complaints."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder)


@pytest.mark.slow  # the rules of its own problem are compiled anew
@pytest.mark.parametrize(("code", "printed"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_prints_what_it_says(code, printed, tmp_path):
    lines = [line for line in code.splitlines() if line.strip()]
    assert len(lines) <= 16, "ten lines, and not many more"
    answer = answered(code, tmp_path)
    assert (answer.stdout, answer.stderr) == (printed, "")


HIDDEN = 'import sys\nsys.modules["numba"] = None\n'


@pytest.mark.slow  # the last would take minutes
@pytest.mark.parametrize(("code", "printed"), EXAMPLES[:-1], ids=range(len(EXAMPLES) - 1))
def test_an_example_prints_the_same_without_numba_which_is_missed_once(code, printed, tmp_path):
    answer = answered(HIDDEN + code, tmp_path)
    assert answer.stdout == printed
    assert answer.stderr.count("pip install 'gameai_lib[fast]'") == 1
