"""NRPA: files, problems, rules that misbehave, searches and their arguments, interrupts."""

import io
import json
import os
import tempfile
import warnings
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.fuzz import Fault, Target
from benchmarks.fuzz.harness import interrupted
from benchmarks.fuzz.mutants import damaged, damaged_json, junk, spoiled
from gameai_book.nrpa.printed.codes import place_keyed, state_keyed
from gameai_book.nrpa.printed.program import Faults
from gameai_book.nrpa.results import tables
from gameai_lib.base import checks
from gameai_lib.nrpa.game import (
    continued,
    files,
    instances,
    leftmove,
    morpion,
    samegame,
    samegame_referee,
    toys,
    tsptw,
)
from gameai_lib.nrpa.problem import registry
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.rules import Rules, RulesError
from gameai_lib.nrpa.problem.tryout import try_out
from gameai_lib.nrpa.problem.walk import Playout, choices_of, playout_of, replay
from gameai_lib.nrpa.search.flat import FlatMonteCarlo, flat_monte_carlo
from gameai_lib.nrpa.search.nmcs import NMCS, repeat_nmcs
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.search.policy import adapt, move_probabilities
from gameai_lib.nrpa.search.restarts import restarts
from gameai_lib.nrpa.search.trace import root_codes, root_trace
from gameai_lib.nrpa.tours.best_tour import best_tour
from gameai_lib.nrpa.tours.local_search import improved

SEARCHES = {"NRPA": NRPA, "NMCS": NMCS, "flat": FlatMonteCarlo}
SMALL = leftmove.leftmove(4)


def targets():
    """What the room is tried with; what it needs compiled is compiled here, before the fork."""
    good = np.zeros(N_DIALS)
    good[LENGTH] = PLIES
    for problem in (SMALL, wild(good)):
        for search in SEARCHES.values():
            search(problem, np.random.default_rng(0)).advance(2)
    best_tour(instances.bundled_tsptw("small"), 0, n_playouts=1)
    return [
        Target("read tsptw", lambda rng: mutant("tsptw", rng), read_tsptw, weight=4),
        Target("read board", lambda rng: mutant("board", rng), read_board, weight=2),
        Target("read cells", lambda rng: mutant("cells", rng), read_cells, weight=2),
        Target("read morpion", lambda rng: mutant("morpion", rng), read_morpion, weight=3),
        Target("load game", lambda rng: mutant("game", rng), load_game, weight=4),
        Target("load search", saved_search, load_search, weight=3),
        Target("problem", lambda rng: wrong(PROBLEM, rng), make_problem, weight=2),
        Target("wild rules", dials, run_wild, weight=8),
        Target("wild rules, plain", dials, try_wild, weight=4),
        Target("wild returns", wild_returns, try_returns, weight=2),
        Target("functions", call, run_call, weight=12),
        Target("searches", search_options, run_search, weight=4),
        Target("interrupts", lambda rng: (pick(rng, [*SEARCHES]), rng.random()), interrupt,
               weight=0.01),
    ]  # fmt: skip


def wrong(arguments, rng):
    """Arguments of which one or two are spoiled; numpy's casts on the way are not at issue."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return spoiled(arguments, rng)
        except (ValueError, TypeError, OverflowError):  # there is no such neighbour
            return arguments | {name: junk(rng) for name in list(arguments)[:1]}


def pick(rng, values):
    """One of a list."""
    return values[rng.integers(len(values))]


# Files


@cache
def saved_searches():
    """Searches on `SMALL`, as bytes of their files."""
    contents = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, kind in SEARCHES.items():
            search = kind(SMALL, np.random.default_rng(1))
            search.advance(5)
            search.save(Path(folder, name))
            contents[name] = Path(folder, name).read_bytes()
    return contents


def saved_search(rng):
    """The name of a search, and its file with damaged bytes, JSON or arrays."""
    name = pick(rng, [*SEARCHES])
    content = saved_searches()[name]
    if rng.random() < 0.3:
        return name, damaged(content, rng)
    with np.load(io.BytesIO(content)) as stored:
        arrays = dict(stored)
    file = io.BytesIO()
    try:
        if rng.random() < 0.6:
            arrays["about"] = damaged_json(json.loads(str(arrays["about"])), rng)
        else:
            arrays = wrong(arrays, rng)
        np.savez(file, **arrays)
    except Exception:  # not every junk is an array
        return name, content
    return name, file.getvalue()


def load_search(named):
    """What is accepted goes on, and comes back once more."""
    name, content = named
    search = read(lambda path: SEARCHES[name].load(path, SMALL), content)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        search.save(Path(folder, "f"))
        again = SEARCHES[name].load(Path(folder, "f"), SMALL)
    for one in (search, again):
        one.advance(4)
    if again.best.choices.tolist() != search.best.choices.tolist():
        raise Fault("another search comes back")


@cache
def originals(kind):
    """Contents of good files of one kind, the public ones where they are."""
    own = {
        "tsptw": [instances.DATA / f"tsptw_{name}.txt" for name in ("small", "medium")],
        "board": [instances.DATA / "samegame_board.txt"],
        "cells": [],
        "morpion": [],
        "game": [*instances.DATA.glob("morpion_*_best.json")],
    }[kind]
    public = {
        "tsptw": ["tsptw/*/*.t*"],
        "board": ["samegame/board_*.txt"],
        "cells": ["samegame/solution_*.txt"],
        "morpion": ["morpion/*.json"],
        "game": [],
    }[kind]
    if "GAMEAI_DATA" in os.environ:
        own += [path for name in public for path in Path(os.environ["GAMEAI_DATA"]).glob(name)]
    small = {
        "tsptw": [b"2\n0 3.5\n4 0\n0 20 # depot\n1 9\n"],
        "board": [b"\n".join([b" ".join([b"0 1 2 3 4"] * 3)] * 15)],
        "cells": [b"0 0\n14 3\n"],
        "morpion": [
            b'{"variant": "5D", "moves": [{"x": 2, "y": 0, "dir": "H", "pos": 0},'
            b' {"x": 2, "y": 1, "dir": "V", "pos": 1}]}'
        ],
        "game": [
            b'{"problem": "LeftMove 4", "score": 2.0, "about": {"seed": 3},'
            b' "choices": [0, 1, 0, 1], "codes": [0, 3, 4, 7]}'
        ],
    }[kind]
    return small + [path.read_bytes() for path in own if path.stat().st_size < 20_000]


def mutant(kind, rng):
    """A damaged file, as bytes; most are of the small one, which costs little."""
    contents = originals(kind)
    content = contents[0] if rng.random() < 0.6 else pick(rng, contents)
    if kind in ("morpion", "game") and rng.random() < 0.6:
        try:
            return damaged_json(json.loads(content), rng).encode(errors="surrogatepass")
        except (ValueError, IndexError, RecursionError):  # a junk list that has been damaged
            return damaged(content, rng)
    return damaged(content, rng)


def read(reader, content):
    """Give a file of this content to a reader."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        path = Path(folder, "f")
        path.write_bytes(content)
        return reader(path)


def lines(*tables):
    """Rows of numbers, as text."""
    rows = [" ".join(map(repr, row)) for table in tables for row in np.asarray(table).tolist()]
    return "\n".join(rows).encode()


def read_tsptw(content):
    """What is accepted is the same when it is written and read again, and can be toured."""
    instance = read(files.read_tsptw, content)
    n = len(instance.windows)
    again = read(files.read_tsptw, lines([[n]], instance.distance, instance.windows))
    for name in ("distance", "windows"):
        if not np.array_equal(getattr(again, name), getattr(instance, name)):
            raise Fault(f"{name} changed on the way")
    if n < 30:
        problem = tsptw.tsptw(instance)
        choices, walk = [], replay_first(problem)
        registry.judge(problem, playout_of(problem, [*choices, *walk]))


def replay_first(problem):
    """Choices of a game that always takes the first move."""
    choices = []
    while next(iter([*replay(problem, choices)][-1:])).legal.size:
        choices.append(0)
    return choices


def read_board(content):
    """The same again after writing."""
    board = read(files.read_board, content)
    if not np.array_equal(read(files.read_board, lines(board)), board):
        raise Fault("the board changed on the way")
    position = samegame.samegame(board).ints
    if (samegame.board_of(position) >= 0).sum() != board.size:
        raise Fault("cells are lost")


def read_cells(content):
    """The same again after writing."""
    cells = read(files.read_cells, content)
    if not np.array_equal(read(files.read_cells, lines(cells)), cells):
        raise Fault("the cells changed on the way")


def read_morpion(content):
    """A record that is accepted is a game that the compiled rules play."""
    variant, codes = read(files.read_morpion, content)
    if variant not in json.loads(content)["variant"]:
        raise Fault(f"another variant: {variant}")
    if len(choices_of(morpion.morpion(variant), codes)) != len(codes):
        raise Fault("moves are lost")


def load_game(content):
    """A game that is accepted has the score that it claims."""
    problem = SMALL if b"LeftMove" in content else morpion.morpion("5D")
    playout, _ = read(lambda path: files.load_game(path, problem), content)
    if playout_of(problem, playout.choices).score != playout.score:
        raise Fault(f"accepted with a false score: {playout}")


# Rules. One compilation serves all: what they do stands in the floats, one dial each.

(KIND, AT_PLY, N_LEGAL, CODE_A, CODE_B, FROM, WHERE, VALUE, SCORE, LENGTH) = range(10)
N_DIALS = 10
CODES, PLIES, LEGAL = 12, 5, 3


def _reset(ints, floats):
    if floats[KIND] != 1:
        ints[0] = 0
        ints[1] = 0
    if floats[KIND] == 2:
        ints[int(floats[WHERE])] = int(floats[VALUE])
    if floats[KIND] == 3:
        floats[int(floats[WHERE])] = floats[VALUE]


def _legal(ints, floats, codes, start):
    if ints[0] >= floats[LENGTH]:
        return 0
    n = 3
    for i in range(n):
        codes[start + i] = (3 * ints[0] + i) % 12
    if ints[0] == floats[AT_PLY]:
        if floats[KIND] == 4:
            codes[start + int(floats[FROM])] = int(floats[CODE_A])
            codes[int(floats[FROM])] = int(floats[CODE_B])
        if floats[KIND] == 5:
            n = int(floats[N_LEGAL])
        if floats[KIND] == 6:
            for i in range(int(floats[N_LEGAL])):
                codes[start + i] = i
            n = int(floats[N_LEGAL])
        if floats[KIND] == 7:
            ints[int(floats[WHERE])] = int(floats[VALUE])
    return n


def _play(ints, floats, k, code):
    if floats[KIND] == 8 and ints[0] == floats[AT_PLY]:
        ints[int(floats[WHERE])] = int(floats[VALUE])
    if floats[KIND] == 9 and ints[0] == floats[AT_PLY]:
        floats[int(floats[WHERE])] = floats[VALUE]
    ints[0] += 1
    ints[1] += code


def _score(ints, floats):
    if floats[KIND] == 10:
        return floats[SCORE]
    if floats[KIND] == 11:
        return floats[int(floats[WHERE])]
    if floats[KIND] == 12:
        return 1.0 / (ints[1] - floats[VALUE])
    return 1.0 * ints[1]


RULES = Rules(_reset, _legal, _play, _score)
NUMBERS = (
    0,
    0,
    1,
    1,
    2,
    3,
    4,
    5,
    6,
    11,
    12,
    13,
    -1,
    -2,
    -6,
    100,
    2**31,
    -(2**31),
    2**32 + 1,
    2**52,
)


def wild(floats):
    """A game with a dial for each thing that rules can do wrong."""
    return Problem("wild", RULES, [0, 0, 0, 0], floats, CODES, PLIES, LEGAL)


def dials(rng):
    """Dials at random, and the search to try."""
    floats = np.array([pick(rng, NUMBERS) for _ in range(N_DIALS)], float)
    floats[KIND] = rng.integers(13)
    floats[AT_PLY] = rng.integers(6)
    if rng.random() < 0.8:
        floats[LENGTH] = 5
    if rng.random() < 0.3:
        floats[SCORE] = pick(rng, [np.nan, np.inf, -np.inf, 1e308, -1e-320])
    return floats, pick(rng, [*SEARCHES]), int(rng.integers(1 << 30))


def run_wild(thing):
    """The search names the fault, or its best game is one that plain Python plays too."""
    floats, name, seed = thing
    problem = wild(floats)
    search = SEARCHES[name](problem, np.random.default_rng(seed))
    try:
        search.run(20)
    except RulesError as error:
        if search.best.score > -np.inf and not np.isfinite(search.best.score):
            raise Fault(f"best is {search.best}") from error
        raise
    best = search.best
    if not search.n_playouts:  # no legal move at all
        return
    if not np.isfinite(best.score):
        raise Fault(f"a score of {best.score} was accepted")
    if not (best.codes >= 0).all() or not (best.codes < CODES).all() or best.codes.size > PLIES:
        raise Fault(f"{best}")
    again = playout_of(problem, best.choices)
    if again.score != best.score or not np.array_equal(again.codes, best.codes):
        raise Fault(f"{best} comes back as {again}")


def try_wild(thing):
    """`try_out` names the fault, or the same games score the same when compiled."""
    floats, _, seed = thing
    mean = try_out(wild(floats), np.random.default_rng(seed), 3)
    if not np.isfinite(mean):
        raise Fault(f"a mean of {mean} was accepted")


def wild_returns(rng):
    """What the four functions return, or raise, where they should do otherwise."""
    return {rule: junk(rng) for rule in Rules._fields if rng.random() < 0.4}, junk(rng)


def try_returns(thing):
    """Plain Python rules that return junk, write junk codes or raise."""
    returned, code = thing

    def result(rule, good):
        value = returned.get(rule, good)
        if isinstance(value, type):
            raise value
        return value

    def reset(ints, floats):
        ints[0] = 0
        return result("reset", None)

    def legal(ints, floats, codes, start):
        if ints[0] == 0:
            codes[start] = code if "legal" in returned else 1
            return 1
        return result("legal", 0)

    def play(ints, floats, k, code):
        ints[0] = 1
        return result("play", None)

    def score(ints, floats):
        return result("score", 1.0)

    problem = Problem("returns", Rules(reset, legal, play, score), [0], [], CODES, PLIES, LEGAL)
    if not np.isfinite(try_out(problem, np.random.default_rng(0), 1)):
        raise Fault("accepted")


PROBLEM = {
    "name": "good", "rules": leftmove.RULES, "ints": np.array([4, 0, 0]), "floats": np.zeros(0),
    "n_codes": 8, "max_plies": 4, "max_legal": 2, "bias": np.zeros(8),
}  # fmt: skip


def make_problem(arguments):
    """Rules of this package with other arrays and sizes, played in plain Python."""
    problem = Problem(**arguments)
    if not problem.checked:
        raise Fault("trusted")
    plain = [getattr(rule, "py_func", rule) for rule in problem.rules]
    if all(callable(rule) for rule in plain):
        try_out(problem, np.random.default_rng(0), 1)


# Functions


def rng_of(seed):
    """A generator as an argument; each call has its own."""
    return np.random.default_rng(seed)


@cache
def calls():
    """Functions with good arguments."""
    small = instances.bundled_tsptw("small")
    board = instances.bundled_board()
    grouped = samegame.samegame(board)
    position = grouped.ints
    one = flat_monte_carlo(SMALL, rng_of(0), 1)[0]
    tour_problem = tsptw.tsptw(small)
    visited = flat_monte_carlo(tour_problem, rng_of(0), 1)[0]
    removed = flat_monte_carlo(grouped, rng_of(0), 1)[0]
    cells = samegame.samegame_cells(grouped, removed.choices)
    lines_drawn = [morpion.line_of(morpion.code_of(2, 0, "H"), "5D")]
    distance, windows = np.array(small.distance), np.array(small.windows)
    return [
        (adapt, {"policy": np.zeros(5), "legal": [[0, 1], [2, 4]], "choices": [1, 0],
                 "alpha": 1.0, "clip": 300.0}),
        (move_probabilities, {"policy": np.arange(4.0), "codes": [0, 2, 3]}),
        (toys.points_game, {"points": np.ones((3, 2, 2)), "codes": "last",
                            "noise": 0.5, "seed": 1}),
        (playout_of, {"problem": SMALL, "choices": one.choices}),
        (consume_replay, {"problem": SMALL, "choices": [0, 1, 0, 1]}),
        (choices_of, {"problem": SMALL, "moves": one.codes}),
        (try_out, {"problem": SMALL, "rng": rng_of(1), "n_games": 1}),
        (registry.judge, {"problem": SMALL, "playout": one}),
        (judge_parts, {"problem": SMALL, **one._asdict()}),
        (judge_parts, {"problem": tour_problem, **visited._asdict()}),
        (leftmove.judge_leftmove, {"n_plies": 4, "codes": [0, 3, 4, 7]}),
        (morpion.judge_morpion, {"variant": "5D", "lines": lines_drawn}),
        (samegame_referee.judge_samegame, {"board": board, "cells": cells[:3]}),
        (continued.continued, {"problem": grouped, "choices": removed.choices[:3]}),
        (samegame.samegame_cells, {"problem": grouped, "choices": removed.choices[:3]}),
        (files.samegame_choices, {"problem": grouped, "cells": cells[:3]}),
        (tsptw.evaluate, {"instance": small, "tour": list(range(1, 9))}),
        (tsptw.tsptw, {"instance": small, "distance_bias": 1.0, "window_bias": 2.0,
                       "look_ahead": True}),
        (improved, {"instance": small, "tour": [3, 5, 6, 8, 2, 7, 1, 4]}),
        (best_tour, {"instance": small, "rng": rng_of(0), "n_playouts": 900}),
        (tsptw.tour_of, {"codes": visited.codes, "n_cities": 9}),
        (tsptw.instance_of, {"problem": tour_problem}),
        (tsptw.Instance, {"name": "x", "distance": distance, "windows": windows}),
        (samegame.samegame, {"board": board, "name": "x", "tabu": True}),
        (samegame.board_of, {"ints": position}),
        (samegame.group_at, {"ints": position, "column": 3, "row": 2}),
        (morpion.morpion, {"variant": "5D"}),
        (morpion.variant_of, {"problem": SMALL}),
        (morpion.line_of, {"code": 700, "variant": "4D"}),
        (morpion.code_of, {"x": 3, "y": 2, "direction": "DN"}),
        (morpion.start_points, {"variant": "5D"}),
        (leftmove.leftmove, {"n_plies": 6}),
        (instances.random_board, {"rng": rng_of(0)}),
        (instances.bundled_tsptw, {"name": "small"}),
        (instances.bundled_places, {"name": "small"}),
        (tables.read_table, {"name": "alpha"}),
        (tables.best_morpion_game, {"variant": "5D"}),
        (state_keyed, {"problem": SMALL}),
        (place_keyed, {"problem": SMALL}),
        (root_codes, {"problem": SMALL}),
        (short_trace, {"level": 1, "every": 3}),
        (save_and_load, {"problem": SMALL, **one._asdict(), "about": {"seed": 3, "n": [1]}}),
        (repeat_nmcs, {"problem": SMALL, "rng": rng_of(0), "n_playouts": 20, "level": 1}),
        (flat_monte_carlo,
         {"problem": SMALL, "rng": rng_of(0), "n_playouts": 5, "policy": np.zeros(8)}),
        (some_restarts, {"problem": SMALL, "rng": rng_of(0), "n_runs": 2, "n_playouts": 3,
                         "level": 1, "n_iterations": 3, "executor": None}),
        (Faults, {"strict": False, "drop_last": True}),
    ]  # fmt: skip


def consume_replay(problem, choices):
    """All plies of a replay."""
    return list(replay(problem, choices))


def judge_parts(problem, score, choices, codes):
    """The referee, given the parts of a playout."""
    return registry.judge(problem, Playout(score, choices, codes))


def short_trace(level, every):
    """The first frames of a trace."""
    return root_trace(NRPA(SMALL, rng_of(0), level=level, n_iterations=4), every)


def save_and_load(problem, score, choices, codes, about):
    """A saved game comes back, or leaves no file."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        path = Path(folder, "f")
        if not isinstance(about, dict) or not all(type(key) is str for key in about):
            about = {"value": about}
        about = {f"about_{key}": value for key, value in about.items()}
        try:
            files.save_game(path, problem, Playout(score, choices, codes), **about)
        except (TypeError, ValueError):
            if path.exists():
                raise Fault("a refused game left a file") from None
            raise
        playout, _ = files.load_game(path, problem)
        if playout.score != float(score) or playout.choices.tolist() != [*map(int, choices)]:
            raise Fault(f"{playout} came back")


def some_restarts(**arguments):
    """At most three runs."""
    return [run for run, _ in zip(restarts(**arguments), range(3), strict=False)]


def call(rng):
    """A function, and its arguments with one or two of them spoiled."""
    function, arguments = pick(rng, calls())
    arguments = wrong(arguments, rng)
    for name in ("n_playouts", "n_games", "n_runs"):
        if is_long(arguments.get(name)):
            arguments[name] = 10
    return function, arguments


def is_long(number):
    """Whether a number of playouts is a fair order that takes long."""
    return isinstance(number, int | float | np.number) and 10**4 < number <= checks.ENDLESS


def run_call(thing):
    """Accepted arguments give an answer without NaN."""
    function, arguments = thing
    answer = function(**arguments)
    if function is move_probabilities and not abs(answer.sum() - 1) < 1e-9:
        raise Fault(f"probabilities add up to {answer.sum()}")
    if function is adapt and not (
        np.isfinite(answer).all() and abs(answer).max(initial=0) <= 300 and answer.ndim == 1
    ):
        raise Fault(f"weights {answer}")
    if function is tsptw.evaluate and not np.isfinite(answer.cost):
        raise Fault(f"{answer}")


OPTIONS = {
    "NRPA": {"problem": SMALL, "rng": None, "level": 2, "n_iterations": 4, "alpha": 1.0,
             "n_playouts_per_adapt": 1, "max_repeats": 2, "clip": 5.0},
    "NMCS": {"problem": SMALL, "rng": None, "level": 2},
    "flat": {"problem": SMALL, "rng": None, "policy": np.zeros(8)},
}  # fmt: skip
RUN = {"n_playouts": 30, "every": 7, "report": None}


def search_options(rng):
    """A search, its options and those of `run`; some of one or the other spoiled."""
    name = pick(rng, [*SEARCHES])
    options = OPTIONS[name] | {"rng": rng_of(int(rng.integers(1 << 30)))}
    if rng.random() < 0.7:
        return name, wrong(options, rng), RUN
    return name, options, wrong(RUN, rng)


def run_search(thing):
    """What runs finds a game that the referee accepts, and stays in its limits."""
    name, options, run = thing
    search = SEARCHES[name](**options)
    # A search may be told to go on for ever, and what a report raises is its own.
    if run["n_playouts"] is None or is_long(run["n_playouts"]) or callable(run["report"]):
        run = RUN
    best = search.run(**run)
    if search.n_playouts > run["n_playouts"]:
        raise Fault(f"{search.n_playouts} playouts")
    if best.score > -np.inf:
        registry.judge(search.problem, best)
        if not np.isfinite(best.score):
            raise Fault(f"{best}")
    if search.policy is not None and not np.isfinite(search.policy).all():
        raise Fault("the policy is not finite")


def interrupt(thing):
    """A search that is interrupted goes on as if it had not been."""
    name, when = thing
    options = OPTIONS[name] | {"problem": leftmove.leftmove(30), "rng": rng_of(3)}
    options |= {"level": 4} if name != "flat" else {"policy": None}
    options |= {"n_iterations": 100} if name == "NRPA" else {}
    search = SEARCHES[name](**options)

    def play():
        while True:
            search.advance(1)

    interrupted(play, 0.02 * when)
    whole = SEARCHES[name](**options | {"rng": rng_of(3)})
    whole.advance(search.n_playouts)
    for one in (whole, search):
        one.advance(20)
    if whole.best.choices.tolist() != search.best.choices.tolist():
        raise Fault("another game after an interrupt")
