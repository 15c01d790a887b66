"""Exercises of the workshops as assignments for otter-grader: ``python -m book.tools.assignments``.

Into `_build/assignments` go, for each exercise, a notebook for students (text, what the exercise
needs of earlier cells, the starter, the check), one with the solution, and the check as a test that
otter-grader runs. All of them are made from the workshops: there is no second copy.
"""

import json
import re
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

import nbformat.v4 as new

from book.tools.chapters import CHAPTERS
from touchbook.cell.needs import tries

BOOK = Path(__file__).parents[1]
OUT = BOOK.parent / "_build" / "assignments"
BLOCK = re.compile(r"```\{exercise\}[^\n]*\n:label: *(\S+)\n(.*?)```", re.DOTALL)
FORMULAS = (
    re.compile(r"\$\$\n(?P<tex>[^$]*)\n\$\$ \((?P<label>[\w-]+)\)"),
    re.compile(r"```\{math\}\n:label: (?P<label>[\w-]+)\n(?P<tex>.*?)```", re.DOTALL),
)
ABOVE = "What the exercise needs of the book. Run it, and leave it as it is."
BELOW = "Run this cell as often as you like: it says what is still wrong."
TEST = '''"""{title}, for otter-grader; made by `make assignments` from the book."""

from otter.test_files import test_case

from touchbook.exercises import verdicts

OK_FORMAT = False
name = "{label}"
points = 1
CHECK = r"""
{check}
"""


@test_case()
def test_exercise(env):
    exec(CHECK, env)
    assert not verdicts[name], verdicts[name]
'''


class Assignment(NamedTuple):
    """One exercise."""

    label: str
    student: dict  #: notebook
    solution: dict  #: notebook
    test: str  #: Python


def assignments(chapter):
    """Those of the workshop of a chapter, in order."""
    cells, lesson = (cells_of(f"{chapter}{what}") for what in ("_workshop", ""))
    texts = [source_of(cell) for cell in (*lesson, *cells) if cell["cell_type"] == "markdown"]
    blocks = dict(BLOCK.findall("\n".join(texts)))
    for one in tries(cells):
        if one.is_exercise:
            title = one.title.removeprefix("exercise, ")
            text = f"# {title}\n\n{plain(blocks[one.name], texts)}"
            student, solution = (notebook(text, one, code) for code in (one.code, one.solution))
            test = TEST.format(title=title, label=one.name, check=one.check)
            yield Assignment(one.name, student, solution, test)


def cells_of(name):
    """The cells of a notebook of the book."""
    return json.loads((BOOK / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]


def source_of(cell):
    """What stands in a cell."""
    return "".join(cell["source"])


def notebook(text, one, code):
    """The exercise with some code in the place of its starter."""
    needs = [new.new_markdown_cell(ABOVE), new.new_code_cell(one.preparation)]
    cells = [
        new.new_markdown_cell(text),
        *(needs if one.preparation else []),
        new.new_code_cell(code),
        new.new_markdown_cell(BELOW),
        new.new_code_cell(one.check),
    ]
    for i, cell in enumerate(cells):
        cell["id"] = f"{one.name}-{i}"  # the same in each run
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def plain(text, texts):
    """Text of the book without what only the book can resolve; its formulas follow it."""
    labels = list(dict.fromkeys(re.findall(r"\{eq\}`([\w-]+)`", text)))
    known = {m["label"]: m["tex"].strip() for f in FORMULAS for m in f.finditer("\n".join(texts))}
    for number, label in enumerate(labels, 1):
        text = text.replace(f"{{eq}}`{label}`", f"({number})")
    text = re.sub(r"\{math\}`([^`]*)`", r"$\1$", text)
    text = re.sub(r"\{\w+\}`([^`<]*?) *<[^`>]*>`", r"\1", text)
    text = re.sub(r"\{ref\}`([\w-]+)`", lambda m: heading(m[1], texts), text)
    text = re.sub(r"\[([^]]*)\]\([^)]*\)|<a [^>]*>(.*?)</a>", r"\1\2", text)
    shown = [f"$${known[label]} \\tag{{{n}}}$$" for n, label in enumerate(labels, 1)]
    return "\n\n".join([text.strip(), *shown])


def heading(label, texts):
    """The title of a section."""
    return re.search(rf"^\({label}\)=\n#+ (.*)$", "\n".join(texts), re.MULTILINE)[1]


def write(folder=OUT):
    """Write all of them; return how many there are."""
    shutil.rmtree(folder, ignore_errors=True)
    found = [one for chapter in CHAPTERS for one in assignments(chapter)]
    for one in found:
        files = {
            f"students/{one.label}.ipynb": json.dumps(one.student, indent=1, ensure_ascii=False),
            f"solutions/{one.label}.ipynb": json.dumps(one.solution, indent=1, ensure_ascii=False),
            f"tests/{one.label}/{one.label}.py": one.test,
        }
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text + "\n" * (not text.endswith("\n")), encoding="utf-8")
    return len(found)


if __name__ == "__main__":
    where = Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
    print(f"{write(where)} assignments are in {where}: students, solutions, tests.")
