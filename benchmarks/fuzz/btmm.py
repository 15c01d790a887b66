"""Bradley-Terry: records of games, competitions, fits, patterns, boards and shards."""

import contextlib
import functools
import json
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from benchmarks.fuzz import Fault, Target
from benchmarks.fuzz.harness import interrupted
from benchmarks.fuzz.mutants import damaged, damaged_json, junk, near
from benchmarks.fuzz.mutants import spoiled as spoiled_once
from gameai_book.btmm import selfplay
from gameai_book.btmm.results import models, tables
from gameai_lib.btmm.game import connect6, patterns, positions, reversi
from gameai_lib.btmm.model import (
    build,
    competitions,
    covariance,
    elo,
    existence,
    mm,
    scores,
    shards,
)
from gameai_lib.btmm.model.fit import METHODS, Fit, fit, load, predict_proba
from gameai_lib.btmm.model.players.rating import Rating, rate
from gameai_lib.btmm.records import connect6 as csv_of_connect6
from gameai_lib.btmm.records import football, sgf, wthor
from tests.btmm.random_games import reversi_games


def targets():
    """What this room is tried with."""
    return [
        Target("wthor", _wthor, _read_wthor, weight=6),
        Target("connect6 csv", _connect6_csv, _read_connect6, weight=6),
        Target("football bytes", _football_bytes, _read_football, weight=4),
        Target("football json", _football_json, _read_football, weight=4),
        Target("sgf", _sgf, _read_sgf, weight=6),
        Target("shard", _shard, _read_shard, weight=3),
        Target("shard after its check", _shard, _tally_changed, weight=1),
        Target("saved fit", _saved, _load, weight=2),
        Target("saved rating", _saved_rating, _load_rating, weight=2),
        Target("competitions", _some_arrays, _competitions, weight=5),
        Target("changed afterwards", _some_arrays, _aliased, weight=1),
        Target("pairs", _pairs, _from_pairs, weight=3),
        Target("choices", _choices, _from_choices, weight=3),
        Target("teams", _teams, _from_teams, weight=3),
        Target("random results", _results, _existence, weight=2),
        Target("fit", _fit_options, _fit, weight=3),
        Target("strengths", _strengths, _with_strengths, weight=3),
        Target("ratings", _rate_options, _rate, weight=4),
        Target("random league", _random_league, _rate_random, weight=2),
        Target("chances", _chance_options, _predict, weight=2),
        Target("covariance", _covariance_options, _covariance, weight=2),
        Target("records", _some_records, _records, weight=4),
        Target("positions", _some_positions, _from_positions, weight=3),
        Target("shape", lambda rng: spoiled(SHAPE, rng), _shape, weight=3),
        Target("boards", _board_calls, _call, weight=4),
        Target("patterns", _pattern_calls, _call, weight=3),
        Target("numbers", _number_calls, _call, weight=4),
        Target(
            "interrupted fit", lambda rng: float(rng.uniform(0, 0.02)), _interrupted, weight=0.05
        ),
    ]


def spoiled(good, rng):
    """Like that of `mutants`, also where its second accident does not fit its first."""
    try:
        return spoiled_once(good, rng)
    except (ValueError, TypeError, OverflowError, Warning):
        return good | {list(good)[rng.integers(len(good))]: junk(rng)}


@functools.cache
def games(game):
    """Three small games of the library's own."""
    rng = np.random.default_rng(1)
    if game == "reversi":
        return reversi_games(3, rng)
    return selfplay.play_connect6(3, rng, max_stones=60)


@functools.cache
def real(folder, pattern):
    """The first file of real records, or None."""
    found = sorted((Path(os.environ.get("GAMEAI_DATA", "none")) / folder).glob(pattern))
    return found[0].read_bytes() if found else None


def in_file(content, read, name="input"):
    """Return ``read(path)`` of a file with this content."""
    with tempfile.TemporaryDirectory(dir=_folder()) as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        return read(path)


@functools.cache
def _folder():
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


# Readers: what is accepted is written and read again.


@functools.cache
def wthor_bytes(own):
    """A small archive: the first games of a real one, or the library's own."""
    whole = real("othello", "*.wtb")
    if whole is not None and not own:
        return whole[:4] + (4).to_bytes(4, "little") + whole[8 : 16 + 4 * 68]
    return written_wthor(games("reversi"))


def written_wthor(some):
    """Return records as the bytes of an archive."""
    header, rows = np.zeros(1, wthor.WTHOR_HEADER), np.zeros(some.n_games, wthor.WTHOR_GAME)
    header["n_games"], header["side"] = some.n_games, 8
    rows["score"] = np.maximum(reversi.verdicts(some)[1], 0)
    for g in range(some.n_games):
        cells = some.game(g)
        rows["moves"][g, : cells.size] = 10 * (cells // 8 + 1) + cells % 8 + 1
    return header.tobytes() + rows.tobytes()


def _wthor(rng):
    return damaged(wthor_bytes(bool(rng.random() < 0.5)), rng)


def _read_wthor(content):
    n_games = int.from_bytes(content[4:8], "little")
    kept, n_skipped = in_file(content, lambda path: _all(wthor.read_wthor(path, skip_damaged=True)))
    if kept.n_games + n_skipped != n_games:
        raise Fault(f"{n_games} games, {n_skipped} counted as damaged")
    _same_records(kept, in_file(written_wthor(kept), lambda path: _all(wthor.read_wthor(path))))
    _same_records(kept, in_file(content, lambda path: _all(wthor.read_wthor(path))))


def _all(stream):
    return stream.records(), stream.n_skipped


def _same_records(some, read):
    again, n_skipped = read
    if not all(np.array_equal(a, b) for a, b in zip(some, again, strict=True)):
        raise Fault("not the same after writing and reading again")
    if n_skipped:
        raise Fault(f"{n_skipped} damaged games after writing")


@functools.cache
def csv_bytes(own):
    """A small CSV of Connect-6 games."""
    whole = real("connect6", "*.csv")
    if whole is not None and not own:
        return b"\n".join(whole.splitlines()[:4]) + b"\n"
    return written_csv(games("connect6"))


def written_csv(some):
    """Return records as the bytes of a CSV."""
    lines = ["game_id,moves,winner"]
    for g, winner in enumerate(connect6.winner_of(some)):
        squares = ",".join(connect6.square_of(int(cell)) for cell in some.game(g))
        lines.append(f'{g},"{squares}",{("", "black", "white")[winner]}')
    return "\n".join(lines).encode() + b"\n"


def _connect6_csv(rng):
    return damaged(csv_bytes(bool(rng.random() < 0.5)), rng)


def _read_connect6(content):
    read = csv_of_connect6.read_connect6
    kept, n_skipped = in_file(content, lambda path: _all(read(path, skip_damaged=True)))
    n_lines = sum(bool(line.strip()) for line in content.split(b"\n")[1:])
    if kept.n_games + n_skipped != n_lines:
        raise Fault(f"{n_lines} lines, {n_skipped} counted as damaged")
    _same_records(kept, in_file(written_csv(kept), lambda path: _all(read(path))))
    in_file(content, lambda path: _all(read(path)))


@functools.cache
def season():
    """A small season as JSON reads it."""
    whole = real("football", "*.json")
    if whole is not None:
        known = json.loads(whole)
        return known | {"matches": known["matches"][:3]}
    match = {"team1": "A", "team2": "B", "score": {"ht": [1, 0], "ft": [2, 1]}}
    return {"name": "own", "matches": [match, match | {"score": {"ft": [0, 0]}}, {"round": 1}]}


def _football_bytes(rng):
    return damaged(json.dumps(season()).encode(), rng)


def _football_json(rng):
    return damaged_json(season(), rng).encode("utf-8", "surrogatepass")


def _read_football(content):
    matches = in_file(content, lambda path: list(football.read_football(path)))
    given = [
        match["score"]["ft"] + [match["team1"], match["team2"]]
        for match in json.loads(content.decode("utf-8-sig"))["matches"]
        if (match.get("score") or {}).get("ft") is not None
    ]
    if [[m.home_goals, m.away_goals, m.home, m.away] for m in matches] != given:
        raise Fault(f"{matches}")
    if any(type(goals) is not int or goals < 0 for match in matches for goals in match[2:]):
        raise Fault(f"{matches}")


def _sgf(rng):
    game = ("reversi", "connect6")[rng.integers(2)]
    some = games(game)
    texts = [sgf.sgf_text(some.game(g), game) for g in range(2)]
    texts[0] = texts[0].replace(";B", "C[a \\] (comment)];B", 1).replace(";W", "\n;W", 1)
    if game == "connect6" and rng.random() < 0.5:
        texts[1] = sgf.SOURCE_GAME
    return game, damaged("\n".join(texts).encode(), rng)


def _read_sgf(given):
    game, content = given
    kept, _ = in_file(content, lambda path: _all(sgf.read_sgf(path, game, skip_damaged=True)))
    text = "".join(sgf.sgf_text(kept.game(g), game) for g in range(kept.n_games))
    if text:
        _same_records(kept, _all(sgf.parse_sgf(text, game)))
    in_file(content, lambda path: _all(sgf.read_sgf(path, game)))


# Files of the library's own.


@functools.cache
def small():
    """Competitions of every kind of oddity: absent members, halves, races of one."""
    rows = [[[0, 3], [1], [2, 4]], [[1, 3], [0, 4]], [[2], [0, 3]], [[0]], [[1], [2], [0, 4], []]]
    return build.from_teams(rows * 2, [0, 1, 0, 0, 2, 1, 0, 1, 0, 3], [1, 0.5, 2, 1, 1] * 2)


@functools.cache
def small_fit():
    """A fit to `small`."""
    return fit(small())


def _written(write, name):
    with tempfile.TemporaryDirectory(dir=_folder()) as folder:
        write(Path(folder) / name)
        return (Path(folder) / name).read_bytes()


@functools.cache
def shard_bytes():
    """A shard of `small`."""
    return _written(lambda path: shards.write_shard(path, small()), "a.btmm")


def _shard(rng):
    return damaged(shard_bytes(), rng)


def _read_shard(content):
    got = in_file(content, shards.read_shard)
    again = _written(lambda path: shards.write_shard(path, got), "b.btmm")
    if in_file(again, shards.read_shard).wins().tolist() != got.wins().tolist():
        raise Fault("not the same after writing and reading again")
    _consistent(got)


def _tally_changed(content):
    def change(path):
        with ThreadPoolExecutor(1) as pool:
            data = shards.Shards([path], pool)
            path.write_bytes(content)
            data.tally(np.ones(data.n_features))

    with tempfile.TemporaryDirectory(dir=_folder()) as folder:
        path = Path(folder) / "a.btmm"
        path.write_bytes(shard_bytes())
        change(path)
    if content != shard_bytes():
        raise Fault("a changed shard was tallied")


@functools.cache
def saved_bytes():
    """A saved fit."""
    return _written(small_fit().save, "fit.npz")


def _saved(rng):
    return damaged(saved_bytes(), rng)


def _load(content):
    got = in_file(content, load, "fit.npz")
    if not isinstance(got, Fit):
        raise Fault(f"{got}")
    got.table(top=2)


@functools.cache
def rating_bytes():
    """A saved rating."""
    some = [("a", "b", 1), ("b", "c", 0.5), ("c", "a", 0), ("b", "a", 1)]
    return _written(rate(some, home_advantage=True, prior=1.0).save, "rating.npz")


def _saved_rating(rng):
    return damaged(rating_bytes(), rng)


def _load_rating(content):
    got = in_file(content, Rating.load, "rating.npz")
    got.table(top=2, level=0.9)
    again = in_file(_written(got.save, "rating.npz"), Rating.load, "rating.npz")
    if again.table() != got.table():
        raise Fault("another rating comes back")


# Competitions: what is accepted agrees with sums in plain Python.


def _consistent(data):
    gamma = 0.5 + np.arange(data.n_features) / data.n_features
    chance = data.probabilities(gamma)
    offsets = data.offsets.astype(np.intp)  # of 32 bits in a page
    sums = np.add.reduceat(chance, offsets[:-1])
    if not np.allclose(sums, 1):
        raise Fault(f"chances add up to {sums}")
    weight = np.repeat(data.weight, np.diff(offsets))
    wanted = np.zeros(data.n_features + 1)
    won = wanted.copy()
    for column in data.features.T:
        np.add.at(wanted, column, weight * chance)  # -1 is the last, the spare one
        np.add.at(won, column[offsets[:-1] + data.winner], data.weight)
    if not np.allclose(data.tally(gamma).expected, wanted[:-1]):
        raise Fault("expected wins differ from plain Python")
    if not np.allclose(data.wins(), won[:-1]):
        raise Fault("wins differ from plain Python")


ARRAYS = {
    "offsets": np.array([0, 2, 4]),
    "features": np.array([[0, 2], [1, -1], [0, 3], [1, 2]], np.int32),
    "winner": np.array([0, 1]),
    "weight": np.array([1.0, 0.5]),
    "group": np.array([0, 0, 1, 1], np.int32),
}


def _some_arrays(rng):
    return spoiled(ARRAYS, rng)


def _competitions(arrays):
    data = competitions.Competitions(**arrays)
    _consistent(data)
    fit(data, max_passes=5)


def _aliased(arrays):
    data = competitions.Competitions(**arrays)
    before = data.tally(np.ones(data.n_features))
    changed = {name: np.array(array) for name, array in arrays.items()}
    data = competitions.Competitions(**changed)
    for array in changed.values():
        array.fill(10**6 if array.dtype.kind in "iuf" else 1)
    after = data.tally(np.ones(data.n_features))
    if not np.array_equal(before.expected, after.expected):
        raise Fault("data changed with the caller's arrays")


def _pairs(rng):
    good = {"winners": [0, 0, 1, 2], "losers": [1, 2, 2, 0], "n_players": 3, "weight": [1, 2, 1, 1]}
    return spoiled(good, rng)


def _from_pairs(given):
    data = build.from_pairs(**given)
    if data.n_competitions != len(list(given["losers"])):
        raise Fault(f"{data.n_competitions} duels")
    _consistent(data)
    fit(data, max_passes=4)


def _choices(rng):
    good = {"items": np.array([[0, 1, 2], [2, 0, 1]]), "winner": [0, 2], "n_items": 3}
    return spoiled(good, rng)


def _from_choices(given):
    _consistent(build.from_choices(**given))


def _teams(rng):
    good = {
        "competitions": [[[0, 1, 2], [3, 1], [0, 4, 5, 6]], [[0], [1, 3]]],
        "winners": [0, 1],
        "weight": [1.0, 0.5],
    }
    return spoiled(good, rng)


def _from_teams(given):
    data = build.from_teams(**given)
    _consistent(data)
    fit(data, max_passes=4)


def _results(rng):
    n = int(rng.integers(2, 7))
    pairs = np.array([rng.permutation(n)[:2] for _ in range(rng.integers(1, 20))])
    return pairs, list(METHODS)[rng.integers(len(METHODS))]


def _existence(given):
    pairs, method = given
    data = build.from_pairs(pairs[:, 0], pairs[:, 1])
    n = data.n_features
    chain = np.eye(n, dtype=int)
    chain[pairs[:, 0], pairs[:, 1]] = 1
    for _ in range(n):
        chain = np.minimum(chain @ chain, 1)
    seen = np.unique(pairs)
    exists = bool(chain[np.ix_(seen, seen)].all())
    try:
        got = fit(data, method, prior=0.0, tol=1e-13, max_passes=5000)
    except existence.NoMaximumError:
        if exists:
            raise Fault("a maximum was denied") from None
        return
    if not exists:
        raise Fault("a maximum was found where there is none")
    if got.converged and np.abs(got.wins - got.expected).max() > 1e-2:
        raise Fault(f"slope {got.wins - got.expected}")


def _fit_options(rng):
    good = {
        "data": small(),
        "method": "cyclic",
        "prior": 1.0,
        "max_passes": 9,
        "tol": 1e-9,
        "start": np.ones(small().n_features),
        "watch": None,
    }
    given = spoiled(good, rng)
    # Nine million passes are what was asked for, and no hang.
    long = isinstance(given["max_passes"], int) and given["max_passes"] > 10_000
    if callable(given["watch"]):
        given["watch"] = lambda step: step
    return given | {"max_passes": 9} if long else given


def _fit(options):
    got = fit(**options)
    if not np.isfinite(got.gamma).all() or got.n_passes > options["max_passes"]:
        raise Fault(f"{got.n_passes} passes, {got.gamma}")
    if options["method"] == "cyclic" and (np.diff(got.objective) < -1e-9).any():
        raise Fault(f"the objective fell: {got.objective}")


def _strengths(rng):
    gamma = np.ones(small().n_features)
    use = ("tally", "information", "probabilities", "score", "calibration", "matrix", "column")
    which = use[rng.integers(len(use))]
    value = near(gamma, rng) if rng.random() < 0.5 else junk(rng)
    return which, value


def _with_strengths(given):
    which, value = given
    data, n = small(), np.ones(small().n_features)
    {
        "tally": data.tally,
        "information": data.information,
        "probabilities": data.probabilities,
        "matrix": data.information_matrix,
        "score": lambda gamma: scores.score(data, gamma),
        "calibration": lambda gamma: scores.calibration(data, gamma),
        "column": lambda column: data.tally(n, column),
    }[which](value)


def _covariance_options(rng):
    good = {"data": small(), "got": small_fit(), "features": [0, 2], "kind": "sampling"}
    return spoiled(good, rng)


def _covariance(options):
    joint = covariance.covariance(**options)
    if not np.allclose(joint, joint.T) or (np.diag(joint) < 0).any():
        raise Fault(f"{joint}")
    covariance.difference_errors(joint)


LEAGUE = [("A", "B", 1), ("B", "C", 0.5), ("C", "A", 1), ("B", "A", 1), ("C", "B", 0)]


def _rate_options(rng):
    if rng.random() < 0.5:
        row = list(spoiled({"first": "A", "second": "B", "result": 0.5}, rng).values())
        return {"results": [*LEAGUE, row], "prior": 1.0}
    good = {"results": LEAGUE, "ties": "rao-kupper", "home_advantage": True, "prior": 1.0}
    return spoiled(good, rng)


def _rate(options):
    got = rate(**options)
    if not (np.isfinite(got.elo).all() and np.isfinite(got.covariance).all()):
        raise Fault(f"{got}")
    first, second = got.names[:2]
    outcome = got.probabilities(first, second)
    if not np.isclose(sum(outcome), 1) or got.difference(first, second).error < 0:
        raise Fault(f"{outcome}, {got.difference(first, second)}")
    got.table()
    if not (np.diff(got.ranks()) >= 0).all() or not np.nanmin(got.win_matrix()) >= 0:
        raise Fault(f"{got.ranks()}, {got.win_matrix()}")
    with contextlib.suppress(existence.NoMaximumError):
        if not np.isfinite(got.bootstrap(2, 0)).all():
            raise Fault(f"{got.bootstrap(2, 0)}")


def _random_league(rng):
    n = int(rng.integers(2, 6))
    pairs = [rng.permutation(n)[:2] for _ in range(rng.integers(1, 20))]
    results = [(f"P{i}", f"P{j}", [1, 0.5, 0][rng.integers(3)]) for i, j in pairs]
    ties = ("davidson", "rao-kupper")[rng.integers(2)]
    prior = float(rng.choice([0.0, 1e-3, 1.0, 100.0]))
    return {
        "results": results,
        "ties": ties,
        "home_advantage": bool(rng.integers(2)),
        "prior": prior,
    }


def _rate_random(options):
    try:
        _rate(options)
    except existence.NoMaximumError:
        if options["prior"] > 0 and any(result != 0.5 for _, _, result in options["results"]):
            raise Fault("a maximum was denied in spite of a prior") from None


def _chance_options(rng):
    good = {"strengths": [1.0, 2.0, 3.0], "competitions": [[[0, 1], [2]], [[0], [1], [2]]]}
    return spoiled(good, rng)


def _predict(given):
    for chances in predict_proba(**given):
        if not np.isclose(chances.sum(), 1):
            raise Fault(f"{chances}")


# Boards, records, positions, patterns.


def _some_records(rng):
    game = ("reversi", "connect6")[rng.integers(2)]
    some = games(game).take([0])
    good = {"moves": some.moves, "offsets": some.offsets}
    if rng.random() < 0.1:
        return game, junk(rng)
    return game, positions.Records(**spoiled(good, rng))


def _records(given):
    game, some = given
    rules = sgf.RULES[game]
    status = rules.first_illegal(some)
    replayed = rules.replay(some)
    if (status >= 0).any() or not (np.diff(replayed.offsets) > replayed.chosen).all():
        raise Fault("an illegal game was replayed")


@functools.cache
def replayed():
    """Positions of one game."""
    return reversi.replay(games("reversi").take([0]))


LINES = patterns.FeatureSet(
    "small", (patterns.Square(2), patterns.Flips(), *patterns.lines(3, edge="own state"))
)


def _some_positions(rng):
    if rng.random() < 0.05:
        return junk(rng)
    return positions.Positions(**spoiled(replayed()._asdict(), rng))


def _from_positions(some):
    data = build.from_positions(some, LINES)
    if data.n_competitions != some.chosen.size:
        raise Fault("a position was lost")
    _consistent(data)


SHAPE = {
    "name": "row",
    "cells": ((0, -1), (0, 1), (0, 2)),
    "edge": "empty",
    "by_player": True,
}


def _shape(options):
    shape = patterns.Shape(**options)
    feature = shape.encode(replayed())
    if feature.min() < 0 or feature.max() >= shape.size:
        raise Fault(f"features to {feature.max()} of {shape.size}")
    shape.describe(int(feature[0]))


def _choose(calls, rng):
    name = list(calls)[rng.integers(len(calls))]
    function, good = calls[name]
    return function, spoiled(good, rng)


def _call(given):
    function, arguments = given
    function(*arguments.values())


BOARD = reversi.start_board()
STONES = np.zeros(361, np.int8)
STONES[[180, 181]] = 1, 2


def _board_calls(rng):
    return _choose(
        {
            "reversi legal": (reversi.legal_moves, {"board": BOARD, "colour": 1}),
            "reversi played": (reversi.played, {"board": BOARD, "colour": 1, "cell": 19}),
            "reversi next": (reversi.next_to_move, {"board": BOARD, "colour": 1}),
            "reversi winner": (reversi.winner_of, {"board": BOARD}),
            "reversi cell": (reversi.cell_of, {"square": "f5"}),
            "reversi square": (reversi.square_of, {"cell": 3}),
            "connect6 legal": (connect6.legal_moves, {"board": STONES}),
            "connect6 six": (connect6.six_at, {"board": STONES, "cell": 180}),
            "connect6 cell": (connect6.cell_of, {"square": "j10"}),
            "connect6 square": (connect6.square_of, {"cell": 3}),
            "connect6 winner": (connect6.winner_of, {"records": games("connect6")}),
            "connect6 mover": (connect6.mover, {"ply": 3}),
            "records": (positions.records, {"games": [[1, 2], [3]]}),
            "take": (games("reversi").take, {"rows": [0, 1]}),
            "sgf": (sgf.sgf_text, {"cells": [37], "game": "reversi"}),
            "parse": (_parsed, {"text": "(;B[f5])", "game": "reversi"}),
        },
        rng,
    )


def _pattern_calls(rng):
    row = patterns.line("row", 4)
    return _choose(
        {
            "line": (patterns.line, {"direction": "row", "length": 5}),
            "lines": (patterns.lines, {"lengths": (4, 5, 4, 5)}),
            "square": (patterns.Square, {"n_stages": 3}),
            "set": (patterns.FeatureSet, {"name": "set", "groups": (row,)}),
            "decode": (row.decode, {"feature": 5}),
            "describe": (row.describe, {"feature": 5}),
            "flips": (patterns.Flips().describe, {"feature": 5}),
            "stage": (patterns.Square(2).describe, {"feature": 5}),
            "locate": (LINES.locate, {"feature": 5}),
            "teams": (LINES.teams, {"positions": replayed()}),
            "take": (replayed().take, {"rows": [0, 1]}),
            "model": (models.load_model, {"name": "reversi"}),
            "table": (tables.read_table, {"name": "squares", "split": 0}),
        },
        rng,
    )


def _parsed(text, game):
    return sgf.parse_sgf(text, game).records()


def _split(n_games, rng, every):
    if isinstance(n_games, int) and n_games > 1000:
        return  # forty million games take their time
    positions.split_games(n_games, rng, every)


def _no_file(path):
    with contextlib.suppress(OSError):  # it names the file
        list(football.read_football(path))


def _first(steps):
    return next(steps)


def _number_calls(rng):
    return _choose(
        {
            "elo": (elo.elo_from_gamma, {"gamma": 2.0}),
            "gamma": (elo.gamma_from_elo, {"elo": 80.0}),
            "win": (elo.win_probability, {"gamma": 2.0, "opponents": [1.0, 2.0]}),
            "team": (
                elo.team_win_probability,
                {"teams": [[0, 1], [2]], "gamma": [1.0, 2.0, 3.0], "winner": 1},
            ),
            "score": (
                scores.score,
                {"data": small(), "gamma": np.ones(small().n_features), "n_ranks": 3},
            ),
            "rule": (
                lambda *a: _first(mm.batch(*a)),
                {"data": small(), "prior": mm.Prior(1.0), "gamma": np.ones(small().n_features)},
            ),
            "prior": (
                lambda prior: _first(mm.cyclic(small(), mm.Prior(prior), np.ones(5))),
                {"prior": 1.0},
            ),
            "split": (
                _split,
                {"n_games": 40, "rng": np.random.default_rng(0), "every": 20},
            ),
            "read": (_no_file, {"path": "no file at all"}),
        },
        rng,
    )


@functools.cache
def _long():
    rng = np.random.default_rng(0)
    return build.from_choices(rng.integers(50, size=(3000, 1)) + np.arange(0, 250, 50), [0] * 3000)


def _interrupted(seconds):
    data = _long()
    before = data.tally(np.ones(data.n_features)).expected
    interrupted(lambda: fit(data, "cyclic", tol=0, max_passes=100_000), seconds)
    if not np.array_equal(before, data.tally(np.ones(data.n_features)).expected):
        raise Fault("an interrupt changed the data")
