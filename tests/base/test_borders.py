"""What may import what: rooms stay apart, and pictures are loaded only when drawn."""

import ast
import graphlib
import importlib
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import gameai_lib

LIBRARY = Path(__file__).parents[2] / "gameai_lib"
# The sub-rooms of each room: what stands in one imports only what stands before it.
ORDER = {
    "hanabi": ("game", "belief", "players", "errors", "results", "board", "show"),
    "ntbea": ("game", "search", "contest", "errors", "results", "board", "show"),
    "btmm": ("game", "records", "model", "errors", "results", "board", "show"),
    "nrpa": ("problem", "game", "search", "tours", "errors", "results", "board", "show"),
}
ROOMS = sorted(ORDER)
# The frame, likewise.
FRAME = ("base", "touch", "touch.figure", "touch.ask", "touch.board", "touch.cell", "page")
# What the design promises at each front door.
PROMISED = {
    "hanabi": {"State", "V1Settings", "exact_belief", "v0_belief", "v1_belief", "bad_belief"},
    "ntbea": {"Tuner", "tune", "SearchSpace", "LandscapeModel"},
    "btmm": {
        "rate", "fit", "predict_proba", "Competitions",
        "read_wthor", "read_sgf", "read_connect6", "read_football",
    },
    "nrpa": {"NRPA", "NMCS", "Problem", "Rules", "adapt", "restarts", "try_out"},
}  # fmt: skip
DRAWS = ("widgets", "figure", "ask", "page")  # modules and folders that may import matplotlib


def name_of(path):
    """The dotted name of the module at `path`."""
    return ".".join(path.relative_to(LIBRARY.parent).with_suffix("").parts)


FILES = sorted(LIBRARY.rglob("*.py"))
MODULES = [
    name_of(p)
    for p in FILES
    if "show" not in p.parts and not {p.stem, *p.relative_to(LIBRARY).parts[1:-1]} & {*DRAWS}
]


def imported(path):
    """Names of the modules that the file at `path` imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_do_not_import_each_other(room):
    others = {f"gameai_lib.{other}" for other in ROOMS if other != room}
    for path in (LIBRARY / room).rglob("*.py"):
        crossed = {".".join(name.split(".")[:2]) for name in imported(path)} & others
        assert not crossed, f"{path.name} imports {crossed}"


def test_every_room_is_known_here():
    folders = {path.parent.name for path in LIBRARY.glob("*/__init__.py")}
    assert folders - {name.split(".")[0] for name in FRAME} == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_its_sub_rooms_and_a_front_door(room):
    folders = {p.name for p in (LIBRARY / room).iterdir() if (p / "__init__.py").exists()}
    assert folders == set(ORDER[room])
    # At the top stand the front door, and what more than one sub-room needs.
    top = {p.stem for p in (LIBRARY / room).glob("*.py") if not p.stem.startswith("_")}
    assert not top
    for folder in folders:
        tree = ast.parse((LIBRARY / room / folder / "__init__.py").read_text(encoding="utf-8"))
        assert ast.get_docstring(tree)
        assert len(tree.body) == 1, f"{room}/{folder}/__init__.py holds more than its docstring"


SUB_ROOMS = [(room, at) for room in ROOMS for at in range(len(ORDER[room]))]


@pytest.mark.parametrize(("room", "at"), SUB_ROOMS, ids=lambda v: v if isinstance(v, str) else "")
def test_a_sub_room_imports_only_what_stands_before_it(room, at):
    name = ORDER[room][at]
    later = {*ORDER[room][at + 1 :]} | ({"board"} if name == "show" else set())
    for path in (LIBRARY / room / name).rglob("*.py"):
        for imports in imported(path):
            _, _, below = imports.partition(f"gameai_lib.{room}.")
            assert below.split(".")[0] not in later, f"{path.name} imports {imports}"


@pytest.mark.parametrize("at", range(len(FRAME)), ids=FRAME)
def test_the_frame_stands_on_what_is_below_it_and_on_no_room(at):
    folder = LIBRARY.joinpath(*FRAME[at].split("."))
    later = tuple(f"gameai_lib.{name}" for name in (*FRAME[at + 1 :], *ROOMS))
    for path in folder.glob("*.py"):
        wrong = [name for name in imported(path) if name.startswith(later)]
        assert not wrong, f"{path.name} imports {wrong}"


def test_no_module_imports_itself_by_a_detour():
    names = {name_of(path): path for path in FILES}
    names |= {name.removesuffix(".__init__"): path for name, path in names.items()}
    # What is imported from a module may be a function: then it is the module that counts.
    graph = {
        name: {one for one in imported(path) if one in names} - {name}
        for name, path in names.items()
        if not name.endswith("__init__")
    }
    order = graphlib.TopologicalSorter(graph)
    order.prepare()  # raises with the circle, lazy imports included


@pytest.mark.parametrize("room", ROOMS)
def test_a_front_door_has_functions_and_classes_and_what_was_promised(room):
    door = importlib.import_module(f"gameai_lib.{room}")
    assert set(door.__all__) >= PROMISED[room]
    assert len(door.__doc__.splitlines()) >= 6, "a front door tells the way through its room"
    for name in door.__all__:
        assert not inspect.ismodule(getattr(door, name)), f"{name} is a module"


def test_nothing_but_what_is_shown_loads_matplotlib_or_ipywidgets():
    code = (
        f"import importlib, sys\nfor m in {MODULES}: importlib.import_module(m)\n"
        "print(sorted({'matplotlib', 'ipywidgets', 'PIL'} & set(sys.modules)))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert answer.stderr == ""
    assert answer.stdout.strip() == "[]"


def test_views_do_not_load_ipywidgets():
    views = [name_of(path) for path in FILES if "show" in path.parts]
    code = (
        f"import importlib, sys\nfor m in {views}: importlib.import_module(m)\n"
        "print('ipywidgets' in sys.modules, 'matplotlib.pyplot' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert answer.stdout.strip() == "False False"


SAME_WITHOUT_NUMBA = {
    "hanabi": """
from gameai_lib.hanabi import State, exact_belief, v1_belief
state = State.new(2, np.random.default_rng(7))
for _ in range(3):
    state = state.apply(state.legal_moves()[-1])
print(v1_belief(*state.public()).sum(axis=0).tolist())
print(exact_belief(*state.view(0)).sum(axis=0).round(12).tolist())
""",
    "ntbea": """
from gameai_lib.ntbea import tune
from gameai_lib.ntbea.game import planet_wars, space_battle
from gameai_lib.ntbea.game.problems import five_bit_traps
problem = five_bit_traps()
tuned = tune(problem.evaluate, problem.space, 40, np.random.default_rng(3))
print(tuned.point, tuned.model.points.tolist(), tuned.model.fitness.tolist())
rng = np.random.default_rng(4)
print(planet_wars.play(planet_wars.OPPONENT, planet_wars.OPPONENT, rng, n_model_calls=20).score)
rules = space_battle.Rules(6, 2, 10, 5, 4, 20)
planner = space_battle.Planner(hold=2, length=3, n_plans=3)
print(space_battle.play(rules, planner, planner, rng).ships.tolist())
""",
    "btmm": """
from gameai_lib.btmm import fit, from_positions
from gameai_lib.btmm.game import connect6, patterns, reversi, selfplay
rng = np.random.default_rng(5)
for games, rules, length in (
    (selfplay.play_reversi(1, rng, patterns.square_classes()), reversi, 3),
    (selfplay.play_connect6(1, rng), connect6, 6),
):
    features = patterns.FeatureSet("lines", tuple(patterns.lines(length, edge="own state")))
    data = from_positions(rules.replay(games).unforced().take(slice(0, 12)), features)
    print(games.moves.tolist(), fit(data, max_passes=3).gamma.round(10).tolist())
""",
    "nrpa": """
from gameai_lib.nrpa import NMCS, NRPA, bundled_board, bundled_tsptw, morpion, samegame, tsptw
for problem in (morpion("5D"), samegame(bundled_board()), tsptw(bundled_tsptw("medium"))):
    search = NRPA(problem, np.random.default_rng(6), level=2, n_iterations=3)
    nested = NMCS(problem, np.random.default_rng(8), level=1)
    nested.advance(12)
    for best in (search.run(), nested.best):
        print(problem.name, best.score, best.choices.tolist())
""",
}


@pytest.mark.slow
@pytest.mark.parametrize("room", SAME_WITHOUT_NUMBA)
def test_runs_without_numba_and_gives_the_same(room):
    answers = []
    for hide in ('sys.modules["numba"] = None', "pass"):
        code = f"import sys\n{hide}\nimport numpy as np\n" + SAME_WITHOUT_NUMBA[room]
        answers.append(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True))
    assert answers[0].stderr.count("pip install 'gameai_lib[fast]'") == 1  # said once
    assert answers[1].stderr == ""
    assert answers[0].stdout == answers[1].stdout != ""


def test_rooms_are_attributes_of_the_library_and_its_help_names_them():
    code = (
        "import gameai_lib, sys\nprint('gameai_lib.btmm' in sys.modules)\n"
        "print(gameai_lib.btmm.rate.__module__, 'nrpa' in dir(gameai_lib))\ngameai_lib.chess"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert answer.stdout == "False\ngameai_lib.btmm.model.players.rating True\n"
    assert answer.stderr.endswith("module 'gameai_lib' has no attribute 'chess'\n")
    assert all(f"`gameai_lib.{room}`" in gameai_lib.__doc__ for room in ROOMS)


def test_runs_where_numba_is_told_not_to_compile():
    code = "from gameai_lib.nrpa import NRPA, leftmove; print(NRPA(leftmove(9), 1).run(5).score)"
    answers = [
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"NUMBA_DISABLE_JIT": off}, capture_output=True, text=True,
        )
        for off in ("1", "0")
    ]  # fmt: skip
    assert {answer.stderr for answer in answers} == {""}
    assert answers[0].stdout == answers[1].stdout != ""
