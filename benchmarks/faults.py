"""Faults put into the sources, one at a time: which of them do the tests of their room catch?

``python -m benchmarks.faults faults.csv`` draws a hundred by a seed and writes a row for each: the
file, the line, what it becomes, and the first test that fails. ``--again faults.csv`` tries the
faults of such a file once more, after the tests have changed. Each is tried in a copy of the
checkout, so that a run can be interrupted and goes on where it stopped.
"""

import argparse
import ast
import copy
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
ROOMS = ("hanabi", "ntbea", "btmm", "nrpa", "together")
SECONDS = 900  # after which a test that hangs has caught its fault
NO_TEST_FAILED = {0, 4, 5}  # pytest's codes: all passed, the one named is gone, none was chosen
KERNEL = re.compile(r"^ *@.*(?:kernel|jit)", re.MULTILINE)
FAILED = r"^\s*(?:FAILED|ERROR|FAIL)\s+(\S+)"
COLUMNS = ("file", "line", "old", "new", "caught by", "why not")
LEFT_BEHIND = shutil.ignore_patterns(
    ".*", "_build", "build", "dist", "__pycache__", "node_modules", "*.egg-info"
)
SWAPPED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.Lt: ast.LtE,
    ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.And: ast.Or, ast.Or: ast.And, ast.FloorDiv: ast.Mod, ast.Mod: ast.FloorDiv,
}  # fmt: skip
SCRIPT_SWAPS = {
    " + ": " - ", " - ": " + ", " < ": " <= ", " > ": " >= ", " === ": " !== ", " !== ": " === ",
    " && ": " || ", " || ": " && ", "true": "false", "false": "true",
}  # fmt: skip


def sources():
    """The files in which faults are drawn, as paths below the checkout."""
    packages = ROOT / "gameai_lib", ROOT / "book" / "gameai_book", ROOT / "book" / "touchbook"
    for package in packages:
        for path in sorted([*package.rglob("*.py"), *package.rglob("*.js")]):
            parts = path.relative_to(package).parts
            if "measure" not in parts and "build" not in parts and path.name != "editor.js":
                yield path.relative_to(ROOT).as_posix()


def faults_of(text, is_script):
    """What can go wrong in a source: numbers of lines, and the lines that stand there instead."""
    lines = text.splitlines()
    if is_script:
        for at, line in enumerate(lines, 1):
            if line.strip().startswith(("//", "*", "/*", "import")):
                continue
            yield from (
                (at, line, line.replace(a, b, 1)) for a, b in SCRIPT_SWAPS.items() if a in line
            )
        return
    for node in ast.walk(ast.parse(text)):
        for wrong in wrong_texts(node):
            at = node.lineno
            if node.end_lineno == at:
                line = lines[at - 1]
                start = len(line.encode()[: node.col_offset].decode())
                end = len(line.encode()[: node.end_col_offset].decode())
                yield at, line, line[:start] + wrong + line[end:]


def wrong_texts(node):
    """The texts of a node of the syntax tree with one thing wrong."""
    wrong = copy.deepcopy(node)
    if isinstance(node, ast.BinOp | ast.BoolOp) and type(node.op) in SWAPPED:
        wrong.op = SWAPPED[type(node.op)]()
        yield f"({ast.unparse(wrong)})"
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
        wrong.ops[0] = SWAPPED[type(node.ops[0])]()
        yield f"({ast.unparse(wrong)})"
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield repr(node.value + 1)
    elif isinstance(node, ast.Call) and len(node.args) >= 2:
        wrong.args[:2] = wrong.args[1::-1]
        yield ast.unparse(wrong)
    elif isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield "pass"


def draw_faults(n_faults, rng):
    """Faults drawn at random from all there are, as rows."""
    every = [
        (file, *fault)
        for file in sources()
        for fault in faults_of((ROOT / file).read_text("utf-8"), file.endswith(".js"))
    ]
    chosen = rng.choice(len(every), n_faults, replace=False)
    return [dict(zip(COLUMNS, every[k], strict=False)) for k in sorted(chosen)]


def commands_for(row, checkout):
    """Commands that run tests until one fails: those that name the module come first."""
    file, before = row["file"], row.get("caught by", "").partition("@")[0]
    if file.endswith(".js"):
        yield ["npm", "--prefix", "tests/js", "run", "--silent", "test", "--", "--bail", "1"]
        return
    pytest = [sys.executable, "-m", "pytest", "-q", "-x"]
    if "::" in before:
        yield [*pytest, before]
    parts = {"base", "frame"} if "touchbook" in file else {"base"}
    parts |= {room for room in ROOMS if f"/{room}/" in file}
    parts |= {"book"} & {*Path(file).parts}  # of all chapters: boards, questions, sheets
    tests = [f"tests/{part}" for part in sorted(parts - {"base"} or parts)]
    name = re.compile(rf"\b{Path(file).stem}\b")
    every = [path for part in tests for path in sorted((checkout / part).glob("test_*.py"))]
    near = [str(path) for path in every if name.search(path.read_text("utf-8"))]
    if near:
        yield [*pytest, "-m", "not browser and not slow", *near]
    for marks in "not browser and not slow", "not browser and slow":
        yield [*pytest, "-n", "2", "-m", marks, *tests]


def find_test(row, checkout):
    """The first test that fails with this fault; empty if none does."""
    path = checkout / row["file"]
    text = path.read_text("utf-8") if path.exists() else ""
    lines = text.splitlines(keepends=True)
    found = [k for k, line in enumerate(lines) if line.rstrip("\n") == row["old"]]
    if not found:
        return "the line is gone"
    at = min(found, key=lambda k: abs(k + 1 - int(row["line"])))
    path.write_text("".join([*lines[:at], row["new"] + "\n", *lines[at + 1 :]]), "utf-8")
    path_of_ours = f"{checkout}{os.pathsep}{checkout / 'book'}"
    environments = [os.environ | {"PYTHONPATH": path_of_ours, "NO_COLOR": "1"}]
    if not KERNEL.search(text):  # compiled ones in other files are mostly good, and soon there
        numbas = {k: v for k, v in environments[0].items() if k != "NUMBA_CACHE_LOCATOR_CLASSES"}
        environments.insert(0, numbas)
    try:
        for environment, command in product(environments, commands_for(row, checkout)):
            done = subprocess.run(
                command, cwd=checkout, env=environment, timeout=SECONDS, capture_output=True,
                text=True,
            )  # fmt: skip
            if done.returncode not in NO_TEST_FAILED:
                failed = re.search(FAILED, done.stdout + done.stderr, re.MULTILINE)
                return failed[1] if failed else "the start"
        return ""
    except subprocess.TimeoutExpired:
        return "a test that hangs"
    finally:
        path.write_text(text, "utf-8")


def copy_to(checkout):
    """Copy the sources, with what checks the scripts."""
    shutil.copytree(ROOT, checkout, ignore=LEFT_BEHIND)
    modules = Path("tests", "js", "node_modules")
    (checkout / modules).symlink_to(ROOT / modules)
    subprocess.run([sys.executable, "-m", "tests.support.js_fixtures"], cwd=checkout, check=True)


def main():
    """Try the faults that the file does not hold yet, and say how many were caught."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--again", type=Path, help="try the faults of this file")
    parser.add_argument("--faults", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rows = draw_faults(options.faults, np.random.default_rng(options.seed))
    if options.again:
        rows = list(csv.DictReader(options.again.read_text("utf-8").splitlines()))
    there = options.file.read_text("utf-8").splitlines() if options.file.exists() else []
    done = list(csv.DictReader(there))
    with tempfile.TemporaryDirectory() as folder, options.file.open("a", newline="") as file:
        checkout = Path(folder) / "checkout"
        copy_to(checkout)
        writer = csv.DictWriter(file, COLUMNS)
        if not there:
            writer.writeheader()
        for row in rows[len(done) :]:
            done.append(row | {"caught by": find_test(row, checkout)})
            writer.writerow(done[-1])
            file.flush()
            print(*done[-1].values(), sep=" | ", flush=True)
    print(f"{sum(bool(row['caught by']) for row in done)} of {len(done)} faults are caught")


if __name__ == "__main__":
    main()
