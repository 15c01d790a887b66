"""What is thrown at the doors of the room: files, problems, rules that misbehave, arguments."""

import json
import sys
import tempfile
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st

from gameai_lib.base import checks
from gameai_lib.nrpa import NMCS, NRPA, Problem, RulesError, restarts, try_out
from gameai_lib.nrpa.game import files, instances, leftmove, morpion, samegame, tsptw
from gameai_lib.nrpa.game.samegame_referee import judge_samegame
from gameai_lib.nrpa.problem import registry
from gameai_lib.nrpa.problem.walk import Playout, choices_of, playout_of
from gameai_lib.nrpa.search.flat import FlatMonteCarlo, flat_monte_carlo
from gameai_lib.nrpa.search.policy import adapt, move_probabilities
from gameai_lib.nrpa.tours.local_search import improved
from tests.nrpa.wild import DIALS, MAX_PLIES, N_CODES, wild
from tests.support.doors import damaged, damaged_json, door, spoiled

SEARCHES = {"NRPA": NRPA, "NMCS": NMCS, "flat": FlatMonteCarlo}
SMALL = leftmove.leftmove(4)
compiles = pytest.mark.skipif(sys.platform == "emscripten", reason="takes long without numba")


# Files

CONTENTS = {
    "tsptw": b"2\n0 3.5\n4 0\n0 20 # depot\n1 9\n",
    "board": b"\n".join([b"0 1 2 3 4 " * 3] * 15),
    "cells": b"0 0\n14 3\n",
    "morpion": b'{"variant": "5D", "moves": [{"x": 2, "y": 0, "dir": "H", "pos": 0},'
               b' {"x": 7, "y": 9, "dir": "H", "pos": 4}]}',
    "game": b'{"problem": "LeftMove 4", "score": 2.0, "about": {"seed": 3},'
            b' "choices": [0, 1, 0, 1], "codes": [0, 3, 4, 7]}',
}  # fmt: skip


@st.composite
def spoiled_file(draw, kind):
    """A damaged file of a kind."""
    content = CONTENTS[kind]
    if content.startswith(b"{") and draw(st.booleans()):
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
    np.testing.assert_array_equal(again.distance, instance.distance)
    np.testing.assert_array_equal(again.windows, instance.windows)
    problem = tsptw.tsptw(instance)
    registry.judge(problem, flat_monte_carlo(problem, 0, 1)[0])


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
    assert len(choices_of(morpion.morpion(variant), codes)) == len(codes)


def load_game(content):
    """A game that is accepted has the score that it claims."""
    playout, _ = read(lambda path: files.load_game(path, SMALL), content)
    assert playout_of(SMALL, playout.choices).score == playout.score


READERS = {
    "tsptw": tour, "board": lay_out, "cells": tell_cells, "morpion": draw_lines, "game": load_game,
}  # fmt: skip


@pytest.mark.parametrize("kind", READERS)
def test_files_come_back_or_are_refused(kind):
    door(spoiled_file(kind), 3)(READERS[kind])()


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
    search = SEARCHES[name](problem, seed)
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


# Arguments


def save_and_load(problem, score, choices, codes, about):
    """A saved game comes back, or leaves no file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "f")
        try:
            files.save_game(path, problem, Playout(score, choices, codes), about=about)
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


def search(kind, n_playouts, **options):
    """The referee accepts the best game, and a limit is one."""
    search = kind(SMALL, **options)
    n_playouts = 10 if n_playouts is None else n_playouts  # it may go on for ever
    best = search.run(n_playouts)
    assert search.n_playouts <= n_playouts
    if best.score > -np.inf:
        registry.judge(SMALL, best)
    assert search.policy is None or np.isfinite(search.policy).all()


@cache
def calls():
    """Functions with good arguments; what they return is checked above, or here."""
    small, board = instances.bundled_tsptw("small"), instances.bundled_board()
    grouped, tour = samegame.samegame(board), tsptw.tsptw(small)
    one, visited, removed = (flat_monte_carlo(p, 0, 1)[0] for p in (SMALL, tour, grouped))
    drawn = [morpion.line_of(morpion.code_of(2, 0, "H"), "5D")]
    cells = samegame.samegame_cells(grouped, removed.choices)[:3]
    run = {"rng": 0, "n_playouts": 30}
    good = {"name": "good", "rules": leftmove.RULES, "ints": np.array([4, 0, 0])}
    good |= {"floats": np.zeros(0), "n_codes": 8, "max_plies": 4, "max_legal": 2}
    return [
        (lambda **parts: try_out(Problem(**parts), 0, 1), good | {"bias": np.zeros(8)}),
        (adapted, {"policy": np.zeros(5), "legal": [[0, 1], [2, 4]], "choices": [1, 0],
                   "alpha": 1.0, "clip": 300.0}),
        (lambda **given: np.testing.assert_allclose(move_probabilities(**given).sum(), 1),
         {"policy": np.arange(4.0), "codes": [0, 2, 3]}),
        (playout_of, {"problem": SMALL, "choices": one.choices}),
        (choices_of, {"problem": SMALL, "moves": one.codes}),
        *((lambda problem, **parts: registry.judge(problem, Playout(**parts)),
           {"problem": problem, **playout._asdict()})
          for problem, playout in ((SMALL, one), (tour, visited))),
        (morpion.judge_morpion, {"variant": "5D", "lines": drawn}),
        (judge_samegame, {"board": board, "cells": cells}),
        (tsptw.tsptw, {"instance": small, "distance_bias": 1.0, "window_bias": 2.0,
                       "look_ahead": True}),
        (improved, {"instance": small, "tour": [3, 5, 6, 8, 2, 7, 1, 4]}),
        (tsptw.Instance, {"name": "x", "distance": np.array(small.distance),
                          "windows": np.array(small.windows)}),
        (samegame.samegame, {"board": board, "name": "x", "tabu": True}),
        (save_and_load, {"problem": SMALL, **one._asdict(), "about": {"seed": 3, "n": [1]}}),
        (partial(search, NRPA),
         run | {"level": 2, "n_iterations": 4, "alpha": 1.0, "n_playouts_per_adapt": 1,
                "max_repeats": 2, "clip": 5.0}),
        (partial(search, NMCS), run | {"level": 2}),
        (partial(search, FlatMonteCarlo), run | {"policy": np.zeros(8)}),
        (lambda **given: [run for run, _ in zip(restarts(**given), range(3), strict=False)],
         {"problem": SMALL, "rng": 0, "n_runs": 2, "n_playouts": 3, "level": 1, "n_iterations": 3,
          "executor": None}),
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
