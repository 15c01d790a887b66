"""What may import what: rooms stay apart, the library knows no book, and the frame no game."""

import ast
import graphlib
import importlib
import inspect
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import gameai_lib

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "gameai_lib"
EXHIBITS = ROOT / "book" / "gameai_book"
FRAME = ROOT / "book" / "touchbook"
PACKAGES = {"gameai_lib": ROOT, "gameai_book": EXHIBITS, "touchbook": FRAME}  # and their projects
# The sub-rooms of each room: what stands in one imports only what stands before it.
ORDER = {
    "hanabi": ("game", "belief", "players"),
    "ntbea": ("game", "search", "plot"),
    "btmm": ("game", "records", "model"),
    "nrpa": ("problem", "game", "search", "tours"),
}
ROOMS = sorted(ORDER)
# The parts of the frame, likewise; and those of a chapter, in which not every one has all.
FRAME_ORDER = ("checks", "script", "figure", "ask", "board", "cell", "page")
CHAPTER_ORDER = (
    "contest", "league", "selfplay", "surrogate", "printed", "results", "boards", "views", "toys",
    "figures", "measure", "searches", "questions",
)  # fmt: skip
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
PICTURES = {"matplotlib", "PIL", "ipywidgets", "anywidget", "IPython", "sphinx", "docutils"}


def files_of(folder):
    """The modules below a folder, but for what an installer has made there."""
    made = {"build", "__pycache__"}
    return [path for path in sorted(folder.rglob("*.py")) if not made & {*path.parts}]


def name_of(path):
    """The dotted name of the module at `path`."""
    root = ROOT / "book" if path.is_relative_to(ROOT / "book") else ROOT
    name = ".".join(path.relative_to(root).with_suffix("").parts)
    return name.removesuffix(".__init__")


def imported(path, *, at_the_top=False):
    """Names of the modules that the file at `path` imports, anywhere in it or when it is."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body if at_the_top else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def tops(path, **options):
    """The packages that a file imports."""
    return {name.partition(".")[0] for name in imported(path, **options)}


ALL = [path for folder in (LIBRARY, EXHIBITS, FRAME) for path in files_of(folder)]


# The three packages


def test_the_library_imports_neither_the_book_nor_what_draws_a_page():
    for path in files_of(LIBRARY):
        assert not tops(path) & {"gameai_book", "touchbook", "book", "benchmarks", "tests"}, path
        assert not tops(path) & (PICTURES - {"matplotlib"}), path
        assert not tops(path, at_the_top=True) & PICTURES, path
        if path.stem == "plot":
            continue
        assert "matplotlib" not in tops(path), path


def test_the_frame_imports_neither_the_library_nor_the_book():
    for path in files_of(FRAME):
        wrong = tops(path) & {"gameai_lib", "gameai_book", "book", "benchmarks", "tests", "numba"}
        assert not wrong, f"{path} imports {wrong}"
        assert "gameai" not in path.read_text(encoding="utf-8"), f"{path} names a book"
    scripts = [path for path in FRAME.rglob("*.js") if path.name != "editor.js"]
    assert not [path for path in scripts if "gameai" in path.read_text(encoding="utf-8")]


def test_the_exhibits_import_no_tests_and_nothing_that_is_not_installed():
    for path in files_of(EXHIBITS):
        assert not tops(path) & {"book", "benchmarks", "tests"}, path


@pytest.mark.parametrize("name", PACKAGES)
def test_each_package_lists_its_parts(name):
    project = tomllib.loads((PACKAGES[name] / "pyproject.toml").read_text(encoding="utf-8"))
    folder = LIBRARY if name == "gameai_lib" else PACKAGES[name]
    there = {name_of(path) for path in files_of(folder) if path.name == "__init__.py"}
    assert project["tool"]["setuptools"]["packages"] == sorted(there)


def test_all_three_have_one_version():
    for name in ("gameai_book", "touchbook"):
        text = (PACKAGES[name] / "pyproject.toml").read_text(encoding="utf-8")
        assert tomllib.loads(text)["project"]["version"] == gameai_lib.__version__


# The library


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_do_not_import_each_other(room):
    others = {f"gameai_lib.{other}" for other in ROOMS if other != room}
    for path in files_of(LIBRARY / room):
        crossed = {".".join(name.split(".")[:2]) for name in imported(path)} & others
        assert not crossed, f"{path.name} imports {crossed}"


def test_every_room_is_known_here():
    folders = {path.parent.name for path in LIBRARY.glob("*/__init__.py")}
    assert folders - {"base"} == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_its_sub_rooms_and_a_front_door(room):
    folders = {p.name for p in (LIBRARY / room).iterdir() if (p / "__init__.py").exists()}
    # At the top stand the front door, what a user draws, and what more than one sub-room needs.
    top = {p.stem for p in (LIBRARY / room).glob("*.py") if not p.stem.startswith("_")}
    assert top <= {"plot"}
    assert folders | top == set(ORDER[room])
    for folder in folders:
        tree = ast.parse((LIBRARY / room / folder / "__init__.py").read_text(encoding="utf-8"))
        assert ast.get_docstring(tree)
        assert len(tree.body) == 1, f"{room}/{folder}/__init__.py holds more than its docstring"


def only_before(folder, name, order):
    """Assert that the parts of a package import only what stands before them."""
    for at, part in enumerate(order):
        one = folder / f"{part}.py"
        for path in [one] if one.exists() else files_of(folder / part):
            for imports in imported(path):
                below = imports.removeprefix(f"{name}.") if imports.startswith(f"{name}.") else ""
                later = below.split(".")[0] in order[at + 1 :]
                assert not later, f"{path} imports {imports}"


@pytest.mark.parametrize("room", ROOMS)
def test_a_sub_room_imports_only_what_stands_before_it(room):
    only_before(LIBRARY / room, f"gameai_lib.{room}", ORDER[room])


# The book


@pytest.mark.parametrize("chapter", ROOMS)
def test_a_chapter_imports_no_other_and_no_other_room(chapter):
    others = {
        f"{package}.{other}"
        for package in ("gameai_lib", "gameai_book")
        for other in (*ROOMS, "together")
        if other != chapter
    }
    for path in files_of(EXHIBITS / chapter):
        crossed = {".".join(name.split(".")[:2]) for name in imported(path)} & others
        assert not crossed, f"{path} imports {crossed}"


def test_joins_between_rooms_stand_together():
    assert (EXHIBITS / "together" / "__init__.py").exists()
    for path in ALL:
        rooms = {
            name.split(".")[1]
            for name in imported(path)
            if name.startswith(("gameai_lib.", "gameai_book."))
        }
        assert "together" in path.parts or len(rooms & {*ROOMS}) <= 1, path


@pytest.mark.parametrize("chapter", ROOMS)
def test_a_part_of_a_chapter_has_a_known_name_and_imports_only_what_stands_before_it(chapter):
    folder = EXHIBITS / chapter
    parts = {p.stem for p in folder.iterdir() if (p / "__init__.py").exists()}
    parts |= {p.stem for p in folder.glob("*.py")} - {"__init__"}
    assert parts <= {*CHAPTER_ORDER}
    only_before(folder, f"gameai_book.{chapter}", CHAPTER_ORDER)


def test_the_parts_of_the_frame_import_only_what_stands_before_them():
    only_before(FRAME, "touchbook", FRAME_ORDER)


def test_no_module_imports_itself_by_a_detour():
    names = {name_of(path): path for path in ALL}
    # What is imported from a module may be a function: then it is the module that counts.
    graph = {
        name: {one for one in imported(path) if one in names} - {name}
        for name, path in names.items()
        if path.name != "__init__.py"
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


def answered(code):
    """What a program prints, and its complaints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_nothing_of_the_library_loads_what_draws():
    names = [name_of(path) for path in files_of(LIBRARY)]
    code = (
        f"import importlib, sys\nfor m in {names}: importlib.import_module(m)\n"
        f"print(sorted({PICTURES} & set(sys.modules)))"
    )
    answer = answered(code)
    assert answer.stderr == ""
    assert answer.stdout.strip() == "[]"


def test_views_and_figures_load_neither_widgets_nor_pyplot():
    views = [
        name_of(p) for p in files_of(EXHIBITS) if {p.stem, p.parent.name} & {"views", "figures"}
    ]
    code = (
        f"import importlib, sys\nfor m in {views}: importlib.import_module(m)\n"
        "print('ipywidgets' in sys.modules, 'matplotlib.pyplot' in sys.modules)"
    )
    assert answered(code).stdout.strip() == "False False"


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
from gameai_book.btmm import selfplay
from gameai_lib.btmm import fit, from_positions
from gameai_lib.btmm.game import connect6, patterns, reversi
from tests.btmm.random_games import reversi_games
rng = np.random.default_rng(5)
for games, rules, length in (
    (reversi_games(1, rng), reversi, 3),
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
