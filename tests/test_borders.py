"""What may import what: rooms stay apart, and pictures are loaded only when drawn."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

LIBRARY = Path(__file__).parents[1] / "gameai_lib"
ROOMS = sorted(p.name for p in LIBRARY.iterdir() if (p / "__init__.py").exists())
MODULES = sorted(
    ".".join(p.relative_to(LIBRARY.parent).with_suffix("").parts)
    for p in LIBRARY.rglob("*.py")
    if p.name not in ("views.py", "figures.py", "widgets.py", "sphinxext.py")
)


def imported(path):
    """Names of the modules that the file at `path` imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_do_not_import_each_other(room):
    others = {f"gameai_lib.{other}" for other in ROOMS if other != room}
    for path in (LIBRARY / room).rglob("*.py"):
        crossed = {".".join(name.split(".")[:2]) for name in imported(path)} & others
        assert not crossed, f"{path.name} imports {crossed}"


def test_nothing_but_views_and_widgets_loads_matplotlib_or_ipywidgets():
    code = (
        f"import importlib, sys\nfor m in {MODULES}: importlib.import_module(m)\n"
        "print(sorted({'matplotlib', 'ipywidgets', 'PIL'} & set(sys.modules)))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert answer.stderr == ""
    assert answer.stdout.strip() == "[]"


def test_views_do_not_load_ipywidgets():
    views = [f"gameai_lib.{room}.views" for room in ROOMS if (LIBRARY / room / "views.py").exists()]
    code = (
        f"import importlib, sys\nfor m in {views}: importlib.import_module(m)\n"
        "print('ipywidgets' in sys.modules, 'matplotlib.pyplot' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert answer.stdout.strip() == "False False"


def test_runs_without_numba_and_gives_the_same():
    code = """
import sys
if {hide}: sys.modules["numba"] = None
import numpy as np
from gameai_lib.hanabi import State, exact_belief, v1_belief
state = State.new(2, np.random.default_rng(7))
for _ in range(3):
    state = state.apply(state.legal_moves()[-1])
print(v1_belief(*state.public()).sum(axis=0).tolist())
print(exact_belief(*state.view(0)).sum(axis=0).round(12).tolist())
"""
    answers = [
        subprocess.run(
            [sys.executable, "-c", code.format(hide=hide)], capture_output=True, text=True
        )
        for hide in (True, False)
    ]
    assert answers[0].stderr == ""
    assert answers[0].stdout == answers[1].stdout != ""
