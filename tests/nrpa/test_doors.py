"""What is thrown at the doors of the room: files, problems, rules that misbehave, arguments."""

import io
import json
import os
import sys
import tempfile
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st

from gameai_book.nrpa.results import tables
from gameai_lib.base import checks
from gameai_lib.nrpa import NMCS, NRPA, Problem, Rules, RulesError, best_tour, restarts, try_out
from gameai_lib.nrpa.game import files, instances, leftmove, morpion, samegame, toys, tsptw
from gameai_lib.nrpa.game.continued import continued
from gameai_lib.nrpa.game.samegame_referee import judge_samegame
from gameai_lib.nrpa.problem import registry
from gameai_lib.nrpa.problem.walk import Playout, choices_of, playout_of, replay
from gameai_lib.nrpa.search.flat import FlatMonteCarlo, flat_monte_carlo
from gameai_lib.nrpa.search.policy import adapt, move_probabilities
from gameai_lib.nrpa.search.trace import root_codes, root_trace
from gameai_lib.nrpa.tours.local_search import improved
from tests.nrpa.wild import DIALS, MAX_PLIES, N_CODES, wild
from tests.support.doors import damaged, damaged_json, door, spoiled

SEARCHES = {"NRPA": NRPA, "NMCS": NMCS, "flat": FlatMonteCarlo}
SMALL = leftmove.leftmove(4)
compiles = pytest.mark.skipif(sys.platform == "emscripten", reason="takes long without numba")


def rng_of(seed):
    return np.random.default_rng(seed)


# Files

OWN = {
    "tsptw": (b"2\n0 3.5\n4 0\n0 20 # depot\n1 9\n", "tsptw_*.txt", "tsptw/*/*.t*"),
    "board": (b"\n".join([b"0 1 2 3 4 " * 3] * 15), "samegame_board.txt", "samegame/board_*.txt"),
    "cells": (b"0 0\n14 3\n", "", "samegame/solution_*.txt"),
    "morpion": (
        b'{"variant": "5D", "moves": [{"x": 2, "y": 0, "dir": "H", "pos": 0},'
        b' {"x": 2, "y": 1, "dir": "V", "pos": 1}]}', "", "morpion/*.json"),
    "game": (
        b'{"problem": "LeftMove 4", "score": 2.0, "about": {"seed": 3},'
        b' "choices": [0, 1, 0, 1], "codes": [0, 3, 4, 7]}', "", "../nrpa/data/morpion_*.json"),
}  # fmt: skip


@st.composite
def spoiled_file(draw, kind):
    """A damaged file; most are of the small one, and the others are public ones."""
    small, bundled, public = OWN[kind]
    paths = sorted(instances.DATA.glob(bundled)) if bundled else []
    if kind == "game":
        paths = sorted(Path(tables.__file__).parents[1].glob("data/morpion_*_best.json"))
    elif "GAMEAI_DATA" in os.environ:
        paths += sorted(Path(os.environ["GAMEAI_DATA"]).glob(public))
    contents = [p.read_bytes() for p in paths if p.stat().st_size < 20_000]
    content = draw(st.sampled_from([small] * (len(contents) + 1) + contents))
    if small.startswith(b"{") and draw(st.booleans()):
        return draw(damaged_json(json.loads(content))).encode(errors="surrogatepass")
    return draw(damaged(content))


def read(reader, content):
    """What a reader makes of a file of this content."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "f")
        path.write_bytes(content)
        return reader(path)


def lines(*numbers):
    rows = [" ".join(map(repr, row)) for table in numbers for row in np.asarray(table).tolist()]
    return "\n".join(rows).encode()


def tour(content):
    """An instance comes back, and can be toured."""
    instance = read(files.read_tsptw, content)
    n = len(instance.windows)
    again = read(files.read_tsptw, lines([[n]], instance.distance, instance.windows))
    for name in ("distance", "windows"):
        np.testing.assert_array_equal(getattr(again, name), getattr(instance, name))
    if n < 30:
        problem, choices = tsptw.tsptw(instance), []
        while list(replay(problem, choices))[-1].legal.size:
            choices.append(0)
        registry.judge(problem, playout_of(problem, choices))


def lay_out(content):
    """A board comes back, with all its cells."""
    board = read(files.read_board, content)
    np.testing.assert_array_equal(read(files.read_board, lines(board)), board)
    assert (samegame.board_of(samegame.samegame(board).ints) >= 0).sum() == board.size


def tell_cells(content):
    """They come back."""
    cells = read(files.read_cells, content)
    np.testing.assert_array_equal(read(files.read_cells, lines(cells)), cells)


def draw_lines(content):
    """A record that is accepted is a game of the compiled rules."""
    variant, codes = read(files.read_morpion, content)
    assert variant in json.loads(content)["variant"]
    assert len(choices_of(morpion.morpion(variant), codes)) == len(codes)


def load_game(content):
    """A game that is accepted has the score that it claims."""
    problem = SMALL if b"LeftMove" in content else morpion.morpion("5D")
    playout, _ = read(lambda path: files.load_game(path, problem), content)
    assert playout_of(problem, playout.choices).score == playout.score


READERS = {
    "tsptw": tour, "board": lay_out, "cells": tell_cells, "morpion": draw_lines, "game": load_game,
}  # fmt: skip


@pytest.mark.parametrize("kind", READERS)
def test_files_come_back_or_are_refused(kind):
    door(spoiled_file(kind), 3)(READERS[kind])()


@cache
def saved_searches():
    contents = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, kind in SEARCHES.items():
            search = kind(SMALL, rng_of(1))
            search.advance(5)
            search.save(Path(folder, name))
            contents[name] = Path(folder, name).read_bytes()
    return contents


@st.composite
def saved_search(draw):
    """The name of a search, and its file with damaged bytes or JSON."""
    name = draw(st.sampled_from([*SEARCHES]))
    content = saved_searches()[name]
    if draw(st.booleans()):
        return name, draw(damaged(content))
    with np.load(io.BytesIO(content)) as stored:
        arrays = dict(stored)
    arrays["about"] = draw(damaged_json(json.loads(str(arrays["about"]))))
    file = io.BytesIO()
    try:
        np.savez(file, **arrays)
    except Exception:  # not every junk is an array
        return name, content
    return name, file.getvalue()


@door(saved_search(), 3)
def test_a_loaded_search_goes_on_and_comes_back_once_more(named):
    name, content = named
    search = read(lambda path: SEARCHES[name].load(path, SMALL), content)
    with tempfile.TemporaryDirectory() as folder:
        search.save(Path(folder, "f"))
        again = SEARCHES[name].load(Path(folder, "f"), SMALL)
    for one in (search, again):
        one.advance(4)
    assert again.best.choices.tolist() == search.best.choices.tolist()


# Rules

NUMBERS = (0, 1, 2, 3, 4, 5, 6, 11, 19, 20, 21, -1, -2, -6, 100, 2**31, -(2**31), 2**32 + 1, 2**52)
ODD = np.nan, np.inf, -np.inf, 1e308, -1e-320
DIALLED = {dial: NUMBERS for dial in DIALS} | {
    "who": range(5), "deed": range(11), "value": NUMBERS + ODD, "since": range(7),
    "at_least": (0, 0, 0, 20, 54), "length": (MAX_PLIES, MAX_PLIES, 0, 3, 7),
}  # fmt: skip
dials = st.fixed_dictionaries({dial: st.sampled_from(v) for dial, v in DIALLED.items()})


@pytest.mark.slow
@compiles
@door(st.tuples(dials, st.sampled_from([*SEARCHES]), st.integers(0, 999)), 8, megabytes=2048)
def test_a_search_names_the_fault_or_finds_a_game_of_plain_python(thing):
    dials, name, seed = thing
    problem = wild(**dials)
    search = SEARCHES[name](problem, rng_of(seed))
    try:
        search.run(20)
    except RulesError:
        assert search.best.score == -np.inf or np.isfinite(search.best.score)
        raise
    best = search.best
    assert np.isfinite(best.score)
    assert best.codes.size <= MAX_PLIES
    assert ((best.codes >= 0) & (best.codes < N_CODES)).all()
    again = playout_of(problem, best.choices)
    assert again.score == best.score
    np.testing.assert_array_equal(again.codes, best.codes)


@door(st.tuples(dials, st.integers(0, 999)), 4)
def test_trying_out_names_the_fault(thing):
    dials, seed = thing
    assert np.isfinite(try_out(wild(**dials), rng_of(seed), 3))


@door(spoiled({"reset": None, "code": 1, "n": 1, "end": 0, "play": None, "score": 1.0}), 2)
def test_plain_rules_may_return_write_and_raise_what_they_will(said):
    said_by_reset, code, n, end, said_by_play, value = said.values()

    def reset(ints, floats):
        ints[0] = 0
        return said_by_reset

    def legal(ints, floats, codes, start):
        if ints[0] > 0:
            return end
        codes[start] = code
        return n

    def play(ints, floats, k, code):
        ints[0] = 1
        if said_by_play is not None:
            raise said_by_play

    def score(ints, floats):
        return value

    problem = Problem("returns", Rules(reset, legal, play, score), [0], [], 12, 5, 3)
    assert np.isfinite(try_out(problem, 0, 1))


@door(spoiled({
    "name": "good", "rules": leftmove.RULES, "ints": np.array([4, 0, 0]), "floats": np.zeros(0),
    "n_codes": 8, "max_plies": 4, "max_legal": 2, "bias": np.zeros(8),
}), 2)  # fmt: skip
def test_a_problem_with_wrong_arrays_and_sizes_is_not_trusted(arguments):
    problem = Problem(**arguments)
    assert problem.checked
    plain = [getattr(rule, "py_func", rule) for rule in problem.rules]
    if all(callable(rule) for rule in plain):
        try_out(problem, rng_of(0), 1)


# Arguments


def save_and_load(problem, score, choices, codes, about):
    """A saved game comes back, or leaves no file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "f")
        if not isinstance(about, dict) or not all(type(key) is str for key in about):
            about = {"value": about}
        about = {f"about_{key}": value for key, value in about.items()}
        try:
            files.save_game(path, problem, Playout(score, choices, codes), **about)
        except (TypeError, ValueError):
            assert not path.exists()
            raise
        playout, _ = files.load_game(path, problem)
        assert playout.score == float(score)
        assert playout.choices.tolist() == [*map(int, choices)]


def adapted(**given):
    """Weights stay in their bounds."""
    policy = adapt(**given)
    assert policy.ndim == 1
    assert (abs(policy) <= 300).all()


def search(kind, n_playouts, every, **options):
    """The referee accepts the best game, and a limit is one."""
    search = kind(SMALL, **options)
    n_playouts = 10 if n_playouts is None else n_playouts  # it may go on for ever
    best = search.run(n_playouts, every=every)
    assert search.n_playouts <= n_playouts
    if best.score > -np.inf:
        registry.judge(SMALL, best)
    assert search.policy is None or np.isfinite(search.policy).all()


@cache
def calls():
    """Functions with good arguments; what they return is checked above, or here."""
    small, board = instances.bundled_tsptw("small"), instances.bundled_board()
    grouped, tour = samegame.samegame(board), tsptw.tsptw(small)
    one, visited, removed = (flat_monte_carlo(p, rng_of(0), 1)[0] for p in (SMALL, tour, grouped))
    cells = samegame.samegame_cells(grouped, removed.choices)[:3]
    drawn, start = [morpion.line_of(morpion.code_of(2, 0, "H"), "5D")], grouped.ints
    given, run = {"problem": SMALL, "rng": 0}, {"rng": 0, "n_playouts": 30, "every": 7}
    return [
        (adapted, {"policy": np.zeros(5), "legal": [[0, 1], [2, 4]], "choices": [1, 0],
                   "alpha": 1.0, "clip": 300.0}),
        (lambda **given: np.testing.assert_allclose(move_probabilities(**given).sum(), 1),
         {"policy": np.arange(4.0), "codes": [0, 2, 3]}),
        (toys.points_game,
         {"points": np.ones((3, 2, 2)), "codes": "last", "noise": 0.5, "seed": 1}),
        (playout_of, {"problem": SMALL, "choices": one.choices}),
        (lambda **given: [*replay(**given)], {"problem": SMALL, "choices": [0, 1, 0, 1]}),
        (choices_of, {"problem": SMALL, "moves": one.codes}),
        (try_out, {"problem": SMALL, "rng": 1, "n_games": 1}),
        (registry.judge, {"problem": SMALL, "playout": one}),
        *((lambda problem, **parts: registry.judge(problem, Playout(**parts)),
           {"problem": problem, **playout._asdict()})
          for problem, playout in ((SMALL, one), (tour, visited))),
        (leftmove.judge_leftmove, {"n_plies": 4, "codes": [0, 3, 4, 7]}),
        (morpion.judge_morpion, {"variant": "5D", "lines": drawn}),
        (judge_samegame, {"board": board, "cells": cells}),
        (continued, {"problem": grouped, "choices": removed.choices[:3]}),
        (samegame.samegame_cells, {"problem": grouped, "choices": removed.choices[:3]}),
        (tsptw.evaluate, {"instance": small, "tour": list(range(1, 9))}),
        (tsptw.tsptw, {"instance": small, "distance_bias": 1.0, "window_bias": 2.0,
                       "look_ahead": True}),
        (improved, {"instance": small, "tour": [3, 5, 6, 8, 2, 7, 1, 4]}),
        (best_tour, {"instance": small, "rng": 0, "n_playouts": 900}),
        (tsptw.tour_of, {"codes": visited.codes, "n_cities": 9}),
        (tsptw.instance_of, {"problem": tour}),
        (tsptw.Instance, {"name": "x", "distance": np.array(small.distance),
                          "windows": np.array(small.windows)}),
        (samegame.samegame, {"board": board, "name": "x", "tabu": True}),
        (samegame.board_of, {"ints": start}),
        (morpion.morpion, {"variant": "5D"}),
        (morpion.variant_of, {"problem": SMALL}),
        (morpion.line_of, {"code": 700, "variant": "4D"}),
        (morpion.code_of, {"x": 3, "y": 2, "direction": "DN"}),
        (morpion.start_points, {"variant": "5D"}),
        (leftmove.leftmove, {"n_plies": 6}),
        (instances.random_board, {"rng": 0}),
        (instances.bundled_tsptw, {"name": "small"}),
        (instances.bundled_places, {"name": "small"}),
        (root_codes, {"problem": SMALL}),
        (lambda level, every: root_trace(NRPA(SMALL, 0, level=level, n_iterations=4), every),
         {"level": 1, "every": 3}),
        (save_and_load, {"problem": SMALL, **one._asdict(), "about": {"seed": 3, "n": [1]}}),
        (partial(search, NRPA),
         run | {"level": 2, "n_iterations": 4, "alpha": 1.0, "n_playouts_per_adapt": 1,
                "max_repeats": 2, "clip": 5.0}),
        (partial(search, NMCS), run | {"level": 2}),
        (partial(search, FlatMonteCarlo), run | {"policy": np.zeros(8)}),
        (flat_monte_carlo, given | {"n_playouts": 5, "policy": np.zeros(8)}),
        (lambda **given: [run for run, _ in zip(restarts(**given), range(3), strict=False)],
         given | {"n_runs": 2, "n_playouts": 3, "level": 1, "n_iterations": 3, "executor": None}),
    ]  # fmt: skip


def is_long(number):
    """Whether a number of playouts is a fair order that takes long."""
    return isinstance(number, int | float | np.number) and 10**4 < number <= checks.ENDLESS


@st.composite
def call(draw):
    """The number of a function, and its arguments with some of them spoiled."""
    n = draw(st.integers(0, len(calls()) - 1))
    arguments = draw(spoiled(calls()[n][1]))
    long = {name for name in ("n_playouts", "n_games", "n_runs") if is_long(arguments.get(name))}
    return n, arguments | dict.fromkeys(long, 10)


@door(call(), 12, megabytes=2048)
def test_functions_are_given_wrong_arguments(thing):
    n, arguments = thing
    calls()[n][0](**arguments)
