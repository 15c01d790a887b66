"""Runs a cell that a reader changed, where there is no kernel: in the page's Python.

Answers are JSON texts, so that nothing but text leaves the interpreter.
"""

import ast
import builtins
import contextlib
import io
import json
import linecache
import sys
import traceback

from touchbook import exercises
from touchbook.board.play import Play
from touchbook.board.session import adopt

FILE = "your code"
LONGEST = 4000  # characters of one error, or of the value of a last line


def run(code, preparation="", check="", label=""):
    """Run a cell after what it needs, and after it the check of the exercise of this label.

    What is printed goes to ``sys.stdout``, and so does the value of a last line. The answer is
    JSON: ``state`` is ``"idle"`` after a cell, ``"passed"`` or ``"failed"`` after a check,
    ``"error"`` after an exception; then ``error`` says what and where. ``board`` is the HTML of a
    board, if the last line gives one.
    """
    names = {"__name__": "__main__"}
    state, error, board = "idle", "", None
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(preparation, "<what it needs>", "exec"), names)
    except BaseException as fault:
        error = f"What the cell needs could not be prepared: {_last_line(fault)}"
    if not error:
        error, board = _run_cell(code, names)
    if not error and check:
        exercises.verdicts.pop(label, None)
        error, _ = _run_cell(check, names, "<check>")
        state = "failed" if exercises.verdicts.get(label, "not checked") else "passed"
    said = {"state": "error" if error else state, "error": error}
    return json.dumps(said | ({"board": board} if board else {}))


def _run_cell(code, names, file=FILE):
    """Run one cell in `names`; returns what went wrong, in words, and the HTML of a board."""
    board = None
    linecache.cache[file] = len(code), None, code.splitlines(True), file
    try:
        tree = ast.parse(code, file)
        last = tree.body[-1] if tree.body else None
        is_shown = isinstance(last, ast.Expr) and not code.rstrip().endswith(";")
        body = tree.body[:-1] if is_shown else tree.body
        exec(compile(ast.Module(body, tree.type_ignores), file, "exec"), names)
        if is_shown:
            value = eval(compile(ast.Expression(last.value), file, "eval"), names)
            if isinstance(value, Play):
                adopt(value.name, value.session)
                board = value.html()
            elif value is not None:
                builtins.print(_cut(repr(value)))
    except BaseException as fault:  # also what `exit()` raises
        return _cut(_words(fault, file)), None
    finally:
        sys.stdout.flush()
    return "", board


def _words(fault, file):
    """The traceback of `fault`, from the reader's own line on."""
    steps = traceback.extract_tb(fault.__traceback__)
    own = [i for i, step in enumerate(steps) if step.filename == file]
    kept = traceback.StackSummary.from_list(steps[own[0] :] if own else [])
    text = "".join(kept.format() + traceback.format_exception_only(fault)).rstrip()
    if isinstance(fault, ModuleNotFoundError):
        text += "\nIn the page there are Python's own modules, numpy and the book's packages."
    return text


def _last_line(fault):
    return _cut(traceback.format_exception_only(fault)[-1].strip())


def _cut(text):
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} … ({len(text):,} characters)"
