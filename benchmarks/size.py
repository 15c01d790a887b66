"""How much there is to read: ``python -m benchmarks.size`` (``make size``), a row a room.

Beside the lines stands how many there should be at most, and why there are more.

Lines of statements, of docstrings and of comments are counted apart; blank lines are not. Of a
script comments are lines that begin as one.
"""

import ast
import io
import tokenize
from collections import Counter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
MADE = {"__pycache__", "build", "node_modules", ".ipynb_checkpoints"}
BUNDLES = {"editor.js", "temml.min.js"}
#: Of each part of the project, its folder, and the files in it that count.
PARTS = {
    "library": ("gameai_lib", "**/*.py"),
    "exhibits": ("book/gameai_book", "**/*.py"),
    "scripts that measure": ("book/gameai_book", "*/measure/*.py"),
    "frame": ("book/touchbook", "**/*.py"),
    "scripts of the frame": ("book/touchbook", "**/*.js"),
    "what builds the book": ("book/tools", "**/*.py"),
    "tests": ("tests", "**/*.py"),
    "tests of scripts": ("tests/js", "**/*.js"),
    "benchmarks": ("benchmarks", "**/*.py"),
}
BY_ROOM = {"library", "exhibits"}
#: Lines that a part was to have at most, and why it has more.
GOALS = {
    "library": (16_000, "Hanabi plays for people and in kernels, and partners think"),
    "library/btmm": (4_200, "results in shards, thousands of players, who has never lost"),
    "library/hanabi": (3_200, "a game for people and one for kernels; search; others' notation"),
    "library/nrpa": (3_700, "rules of your own, tried and explained; two referees"),
    "library/ntbea": (2_700, "evaluations elsewhere and failing, forbidden points, slices"),
    "exhibits": (12_500, "boards that explain each step in words; questions that come back"),
    "frame": (3_500, "questions that come back, answers kept beside a notebook"),
    "scripts of the frame": (2_200, "what comes back, where you were, one file to take along"),
    "tests": (20_000, "an oracle for each promise, and touches for each board"),
    "tests of scripts": (2_000, "one for each thing that a page promises a hand"),
}


class Size(NamedTuple):
    """Lines of some files."""

    files: int
    statements: int
    docstrings: int
    comments: int

    @property
    def lines(self) -> int:
        """All that is not blank."""
        return self.statements + self.docstrings + self.comments


def size_of(path: Path) -> Size:
    """The size of one file."""
    text = path.read_text(encoding="utf-8")
    lines = [line.strip() for line in text.splitlines()]
    if path.suffix == ".js":
        kinds = Counter("comment" if line.startswith(("//", "/*", "*")) else "code"
                        for line in lines if line)  # fmt: skip
        return Size(1, kinds["code"], 0, kinds["comment"])
    said = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(
            node
        ):
            said.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    comments = {
        token.start[0]
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT and lines[token.start[0] - 1].startswith("#")
    }
    filled = {number for number, line in enumerate(lines, 1) if line}
    return Size(1, len(filled - said - comments), len(filled & said), len(comments - said))


def total(sizes):
    """The sum of some sizes."""
    return (
        Size(*(sum(column) for column in zip(*sizes, strict=True))) if sizes else Size(0, 0, 0, 0)
    )


def sizes(part: str, root: Path = ROOT) -> dict[str, Size]:
    """By room, the sizes of a part of the project; what stands in no room is under ``""``."""
    folder, pattern = PARTS[part]
    found: dict[str, list[Size]] = {}
    for path in sorted((root / folder).glob(pattern)):
        inner = path.relative_to(root / folder)
        if MADE & {*inner.parts} or path.name in BUNDLES:
            continue
        if part == "exhibits" and "measure" in inner.parts:
            continue
        room = inner.parts[0] if part in BY_ROOM and len(inner.parts) > 1 else ""
        found.setdefault(room, []).append(size_of(path))
    return {room: total(listed) for room, listed in found.items()}


def main() -> None:
    """Print the table."""
    names = *Size._fields, "lines", "goal"
    print(f"{'':26}" + "".join(f"{name:>12}" for name in names) + "  why more")
    for part in PARTS:
        rooms = sizes(part)
        rows = {f"{part}/{room or 'at its top'}": size for room, size in rooms.items()}
        rows = {part: total(list(rooms.values()))} | (rows if part in BY_ROOM else {})
        for name, size in rows.items():
            goal, why = GOALS.get(name, (0, ""))
            room = name.removeprefix(part).replace("/", "  ") or part
            row = f"{room:26}" + "".join(f"{n:12,}" for n in (*size, size.lines))
            print(f"{row}{goal:12,}  {why * (size.lines > goal)}".rstrip() if goal else row)


if __name__ == "__main__":
    main()
