"""What may import what: rooms stay apart, the library knows no book, and the frame no game."""

import ast
import functools
import graphlib
import importlib
import inspect
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
    "bandits", "toy_games", "contest", "league", "duels", "selfplay", "surrogate", "cases",
    "printed", "accuracy", "results", "boards", "views", "toys", "figures", "measure", "searches",
    "questions",
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


@functools.cache
def files_of(folder):
    """The modules below a folder, but for what an installer has made there."""
    made = {"build", "__pycache__"}
    return [path for path in sorted(folder.rglob("*.py")) if not made & {*path.parts}]


def name_of(path):
    """The dotted name of the module at `path`."""
    root = ROOT / "book" if path.is_relative_to(ROOT / "book") else ROOT
    name = ".".join(path.relative_to(root).with_suffix("").parts)
    return name.removesuffix(".__init__")


@functools.cache
def imported(path, *, at_the_top=False):
    """Names of the modules that the file at `path` imports, anywhere in it or when it is."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = []
    for node in tree.body if at_the_top else ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return names


def tops(path, **options):
    """The packages that a file imports."""
    return {name.partition(".")[0] for name in imported(path, **options)}


ALL = [path for folder in (LIBRARY, EXHIBITS, FRAME) for path in files_of(folder)]


def test_each_package_imports_only_what_is_installed_below_it():
    foreign = {
        LIBRARY: {"gameai_book", "touchbook", *(PICTURES - {"matplotlib"})},
        EXHIBITS: set(),
        FRAME: {"gameai_lib", "gameai_book", "numba"},
    }
    for folder, names in foreign.items():
        for path in files_of(folder):
            assert not tops(path) & {*names, "book", "benchmarks", "tests"}, path
    for path in files_of(LIBRARY):
        assert not tops(path, at_the_top=True) & PICTURES, path
        assert path.stem == "plot" or "matplotlib" not in tops(path), path
    texts = [*files_of(FRAME), *(path for path in FRAME.rglob("*.js") if path.name != "editor.js")]
    assert not [path for path in texts if "gameai" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("name", PACKAGES)
def test_each_package_lists_its_parts_and_has_the_version_of_the_library(name):
    project = tomllib.loads((PACKAGES[name] / "pyproject.toml").read_text(encoding="utf-8"))
    folder = LIBRARY if name == "gameai_lib" else PACKAGES[name]
    there = {name_of(path) for path in files_of(folder) if path.name == "__init__.py"}
    assert project["tool"]["setuptools"]["packages"] == sorted(there)
    assert project["project"].get("version", gameai_lib.__version__) == gameai_lib.__version__


def test_every_room_is_known_here():
    folders = {path.parent.name for path in LIBRARY.glob("*/__init__.py")}
    assert folders == {*ROOMS, "base", "together"}


def test_a_file_knows_one_room_but_where_rooms_meet():
    for path in ALL:
        ours = [n for n in imported(path) if n.startswith(("gameai_lib.", "gameai_book."))]
        named = {*path.relative_to(ROOT).parts, *(name.split(".")[1] for name in ours)}
        assert "together" in path.parts or len(named & {*ROOMS, "together"}) <= 1, path
    for package in (LIBRARY, EXHIBITS):
        assert len(ast.parse((package / "together" / "__init__.py").read_text("utf-8")).body) == 1


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_its_sub_rooms_and_a_front_door(room):
    folders = {p.parent.name for p in (LIBRARY / room).glob("*/__init__.py")}
    # At the top stand the front door, what a user draws, and what more than one sub-room needs.
    top = {p.stem for p in (LIBRARY / room).glob("[!_]*.py")}
    assert top <= {"plot"}
    assert folders | top == set(ORDER[room])
    for path in (LIBRARY / room).glob("*/__init__.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert ast.get_docstring(tree)
        assert len(tree.body) == 1, f"{path} holds more than its docstring"
    door = importlib.import_module(f"gameai_lib.{room}")
    assert set(door.__all__) >= PROMISED[room]
    assert len(door.__doc__.splitlines()) >= 6, "a front door tells the way through its room"
    assert f"`gameai_lib.{room}`" in gameai_lib.__doc__


@pytest.mark.parametrize("room", ROOMS)
def test_what_a_door_exports_says_what_it_is_and_no_module_hides_it(room):
    door = importlib.import_module(f"gameai_lib.{room}")
    things = {name: getattr(door, name) for name in door.__all__ if not name.isupper()}
    for name, thing in things.items():
        assert inspect.isfunction(thing) or inspect.isclass(thing), name
        assert thing.__module__.startswith(f"gameai_lib.{room}."), name
        assert len(thing.__doc__.split()) > 2, name
        assert not thing.__doc__.startswith(f"{name}("), "that is what a class gets by itself"
    assert not {path.stem for path in (LIBRARY / room).iterdir()} & {*things}


@pytest.mark.parametrize(
    ("folder", "order"),
    [
        *((LIBRARY / room, ORDER[room]) for room in ROOMS),
        *((EXHIBITS / room, CHAPTER_ORDER) for room in ROOMS),
        (FRAME, FRAME_ORDER),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_part_has_a_known_name_and_imports_only_what_stands_before_it(folder, order):
    parts = {p.stem for p in folder.iterdir() if (p / "__init__.py").exists()}
    if folder != FRAME:
        assert parts | {p.stem for p in folder.glob("[!_]*.py")} <= {*order}
    for at, part in enumerate(order):
        one = folder / f"{part}.py"
        for path in [one] if one.exists() else files_of(folder / part):
            for name in imported(path):
                _, ours, below = name.partition(f"{name_of(folder)}.")
                later = ours and below.split(".")[0] in order[at + 1 :]
                assert not later, f"{path} imports {name}"


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


SHOWN = [p for p in files_of(EXHIBITS) if {p.stem, p.parent.name} & {"views", "figures"}]
NEEDS_OPTUNA = "gameai_lib.ntbea.search.sampler"
LOADED = f"""
import importlib, sys
import gameai_lib
loaded = lambda names: print(sorted(names & set(sys.modules)))
loaded({{"gameai_lib.btmm"}})
print(gameai_lib.btmm.rate.__module__, "nrpa" in dir(gameai_lib))
for room in {ROOMS}: getattr(gameai_lib, room)
loaded({{"numba", "scipy", "pandas", "dask", "gameai_book", *{PICTURES}}})
for name in {[*filter(NEEDS_OPTUNA.__ne__, map(name_of, files_of(LIBRARY)))]}:
    importlib.import_module(name)
loaded({PICTURES})
for name in {[*map(name_of, SHOWN)]}: importlib.import_module(name)
loaded({{"ipywidgets", "matplotlib.pyplot"}})
gameai_lib.chess
"""


def test_rooms_are_loaded_when_they_are_asked_for_and_what_takes_long_when_it_is_needed():
    command = [sys.executable, "-c", LOADED]
    answer = subprocess.run(command, capture_output=True, text=True)
    assert answer.stdout.splitlines() == [
        "[]", "gameai_lib.btmm.model.players.rate True", "[]", "[]", "[]",
    ]  # fmt: skip
    assert answer.stderr.splitlines()[-1].endswith("'gameai_lib' has no attribute 'chess'")
