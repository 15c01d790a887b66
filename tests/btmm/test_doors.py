"""The doors of btmm: what they accept agrees with another way of counting, the rest is refused."""

import contextlib
import copy
import functools
import json
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st

from gameai_book.btmm import selfplay
from gameai_lib.btmm.game import connect6, patterns, positions, reversi
from gameai_lib.btmm.model import build, elo, existence, mm, scores, shards
from gameai_lib.btmm.model.competitions import Competitions
from gameai_lib.btmm.model.fit import fit, predict_proba
from gameai_lib.btmm.model.players.rate import rate
from gameai_lib.btmm.records import connect6 as csv_of_connect6
from gameai_lib.btmm.records import football, sgf, wthor
from tests.btmm.random_games import reversi_games, sgf_text, wthor_bytes
from tests.support.doors import damaged, damaged_json, door, junk, spoiled

# What numpy leaves open of a damaged file is closed by the collector.
pytestmark = pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)
LINES = patterns.FeatureSet(
    "small", (patterns.Square(2), patterns.Flips(), *patterns.lines(3, edge="own state"))
)
LEAGUE = [("A", "B", 1), ("B", "C", 0.5), ("C", "A", 1), ("B", "A", 1), ("C", "B", 0)]


@functools.cache
def games(game):
    """Two small games."""
    rng = np.random.default_rng(1)
    return reversi_games(2, rng) if game == "reversi" else selfplay.play_connect6(2, rng)


@functools.cache
def replayed():
    """Positions of one game."""
    return reversi.replay(games("reversi").take([0]))


@functools.cache
def small():
    """Competitions of every kind of oddity: absent members, halves, races of one."""
    rows = [[[0, 3], [1], [2, 4]], [[1, 3], [0, 4]], [[2], [0, 3]], [[0]], [[1], [2], [0, 4], []]]
    return build.from_teams(rows * 2, [0, 1, 0, 0, 2, 1, 0, 1, 0, 3], [1, 0.5, 2, 1, 1] * 2)


def in_file(content, read):
    """Return ``read(path)`` of a file with this content."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "input.npz"
        path.write_bytes(content)
        return read(path)


def written(write):
    """Return the bytes that ``write(path)`` writes."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "output.npz")
        return (Path(folder) / "output.npz").read_bytes()


# Readers: what is accepted is written and read again.


def csv_of(some):
    """Records as the bytes of a CSV."""
    lines = ["game_id,moves,winner"]
    for g, winner in enumerate(connect6.winner_of(some)):
        squares = ",".join(connect6.square_of(int(cell)) for cell in some.game(g))
        lines.append(f'{g},"{squares}",{("", "black", "white")[winner]}')
    return "\n".join(lines).encode() + b"\n"


# How the formats are read and written.
FORMATS = {
    "wthor": (wthor.read_wthor, wthor_bytes),
    "csv": (csv_of_connect6.read_connect6, csv_of),
    "reversi": (functools.partial(sgf.read_sgf, game="reversi"), sgf_text),
    "connect6": (functools.partial(sgf.read_sgf, game="connect6"), sgf_text),
}


def content_of(name, some):
    """Records as the bytes of a format."""
    write = FORMATS[name][1]
    return write(some, name).encode() if write is sgf_text else write(some)


@st.composite
def of_files(draw):
    name = draw(st.sampled_from(list(FORMATS)))
    content = content_of(name, games("reversi" if name in ("wthor", "reversi") else "connect6"))
    if FORMATS[name][1] is sgf_text:
        content = content.replace(b";B", b"C[a \\] (comment)];B", 1).replace(b";W", b"\n;W", 1)
    return name, draw(damaged(content))


@door(of_files(), share=4)
def test_games_come_back_from_their_files(given):
    name, content = given
    read = FORMATS[name][0]
    kept = in_file(content, lambda path: read(path, skip_damaged=True).records())
    if kept.n_games:
        again = in_file(content_of(name, kept), lambda path: read(path).records())
        np.testing.assert_array_equal(again.moves, kept.moves)
        np.testing.assert_array_equal(again.offsets, kept.offsets)
    strict = in_file(content, lambda path: read(path).records())
    np.testing.assert_array_equal(strict.moves, kept.moves)


MATCH = {"team1": "A", "team2": "B", "score": {"ht": [1, 0], "ft": [2, 1]}}
SEASON = {"name": "own", "matches": [MATCH, MATCH | {"score": {"ft": [0, 0]}}, {"round": 1}]}
SEASONS = damaged_json(SEASON).map(lambda text: text.encode("utf-8", "surrogatepass"))


@door(SEASONS | damaged(json.dumps(SEASON).encode()))
def test_matches_are_those_of_the_season(content):
    matches = in_file(content, lambda path: list(football.read_football(path)))
    assert all(type(goals) is int and goals >= 0 for match in matches for goals in match[2:4])
    assert [[m.home, m.away, m.home_goals, m.away_goals] for m in matches] == [
        [match["team1"], match["team2"], *match["score"]["ft"]]
        for match in json.loads(content.decode("utf-8-sig"))["matches"]
        if (match.get("score") or {}).get("ft") is not None
    ]


SHARD = st.deferred(
    lambda: damaged(written(functools.partial(shards.write_shard, competitions=small())))
)


@door(SHARD, share=2)
def test_shards_come_back(content):
    assert_consistent(in_file(content, shards.read_shard))


# Competitions: what is accepted agrees with sums in plain Python.


def assert_consistent(data):
    gamma = 0.5 + np.arange(data.n_features) / data.n_features
    chance, offsets = data.probabilities(gamma), data.offsets.astype(np.intp)
    np.testing.assert_allclose(np.add.reduceat(chance, offsets[:-1]), 1)
    weight = np.repeat(data.weight, np.diff(offsets))
    expected, won = np.zeros((2, data.n_features + 1))
    for column in data.features.T:
        np.add.at(expected, column, weight * chance)  # -1 is the last, the spare one
        np.add.at(won, column[offsets[:-1] + data.winner], data.weight)
    np.testing.assert_allclose(data.tally(gamma).expected, expected[:-1], atol=1e-8)
    np.testing.assert_allclose(data.wins(), won[:-1], atol=1e-8)
    fit(data, max_passes=4)


FIELDS = {
    "offsets": np.array([0, 2, 4]),
    "features": np.array([[0, 2], [1, -1], [0, 3], [1, 2]], np.int32),
    "winner": np.array([0, 1]),
    "weight": np.array([1.0, 0.5]),
    "group": np.array([0, 0, 1, 1], np.int32),
}


@door(spoiled(FIELDS), share=2)
def test_competitions_do_not_change_with_the_arrays_they_were_given(fields):
    fields = copy.deepcopy(fields)
    data = Competitions(**fields)
    assert_consistent(data)
    for array in fields.values():
        if isinstance(array, np.ndarray):
            array.fill(1)
    assert_consistent(data)


BUILDERS = (
    (build.from_pairs, [0, 0, 1, 2], [1, 2, 2, 0], 3, [1, 2, 1, 1]),
    (build.from_choices, np.array([[0, 1, 2], [2, 0, 1]]), [0, 2], 3),
    (build.from_teams, [[[0, 1, 2], [3, 1], [0, 4, 5, 6]], [[0], [1, 3]]], [0, 1], [1.0, 0.5]),
)


@st.composite
def of_builders(draw):
    function, *good = draw(st.sampled_from(BUILDERS))
    arguments = [*draw(spoiled(dict(enumerate(good)))).values()]
    assume("range(0, 1000000000000)" not in repr(arguments))  # it asks for all of the memory
    return function, arguments


@door(of_builders(), share=2)
def test_what_is_built_is_what_was_said(given):
    function, arguments = given
    data = function(*arguments)
    assert_consistent(data)
    if function is build.from_pairs:
        assert data.n_competitions == len(list(arguments[1]))


def or_junk(good):
    """Now and then something else than a record of arrays."""
    return st.integers(0, 19).flatmap(lambda n: good if n else junk())


POSITIONS = st.deferred(lambda: spoiled(replayed()._asdict()))


@door(or_junk(POSITIONS.map(lambda fields: positions.Positions(**fields))))
def test_every_position_is_a_choice(some):
    data = build.from_positions(some, LINES)
    assert data.n_competitions == some.chosen.size
    assert_consistent(data)


@st.composite
def of_records(draw):
    game = draw(st.sampled_from(("reversi", "connect6")))
    some = spoiled(games(game).take([0])._asdict()).map(lambda fields: positions.Records(**fields))
    return sgf.RULES[game], draw(or_junk(some))


@door(of_records())
def test_no_illegal_game_is_replayed(given):
    rules, some = given
    illegal, played = rules.first_illegal(some), rules.replay(some)
    assert (illegal < 0).all()
    assert (np.diff(played.offsets) > played.chosen).all()


# Fits and ratings.


@st.composite
def of_fits(draw):
    good = {"data": small(), "method": "cyclic", "prior": 1.0, "max_passes": 9, "tol": 1e-9}
    given = draw(spoiled(good | {"start": np.ones(5)}))
    # Nine million passes are what was asked for, and no hang.
    if isinstance(given["max_passes"], int):
        given["max_passes"] = min(given["max_passes"], 9)
    return given


@door(of_fits(), share=2)
def test_fits_are_finite_and_do_not_fall(options):
    got = fit(**options)
    assert np.isfinite(got.gamma).all()
    assert got.n_passes <= options["max_passes"]
    assert options["method"] != "cyclic" or (np.diff(got.objective) >= -1e-9).all()


@st.composite
def of_leagues(draw):
    """A league of which one row or option is odd."""
    row = draw(spoiled({"first": "A", "second": "B", "result": 0.5}))
    results = [*LEAGUE, tuple(row.values())] if draw(st.booleans()) else LEAGUE
    ties = draw(st.sampled_from(("davidson", "rao-kupper")))
    good = {"results": results, "ties": ties, "home_advantage": True, "prior": 1.0}
    if draw(st.booleans()):
        good |= {"features": {"x": np.arange(len(results)) - 2.5}, "anchors": {"A": 1500.0}}
    return good if results is not LEAGUE else draw(spoiled(good))


@door(of_leagues(), share=3)
def test_ratings_are_finite_and_their_chances_add_up(options):
    got = rate(**options)
    assert np.isfinite(got.elo).all()
    assert np.isfinite(got.covariance).all()
    first, second = got.names[:2]
    assert np.isclose(sum(got.probabilities(first, second)), 1)
    assert got.difference(first, second).error >= 0
    assert got.table()
    assert (np.diff(got.ranks()) >= 0).all()
    with contextlib.suppress(existence.NoMaximumError, ArithmeticError):
        assert np.isfinite(got.bootstrap(2, 0)).all()


NO_SQUARES = np.zeros((3, 42), np.int8)
REFUSED = [
    (lambda: connect6.winner_of(positions.records([[180], [361]])), "game 2, move 1: no cell"),
    (lambda: connect6.legal_moves(np.zeros(3, np.int8)), "a board has 361 cells, got 3"),
    (lambda: connect6.position(np.ones(361, np.int8)), "the board is full"),
    (lambda: reversi.position(np.zeros(64, np.int8), 1), "colour 1 cannot move"),
    (lambda: reversi.played(reversi.start_board(), 2, 0), "illegal move 0 for colour 2"),
    (lambda: LINES.teams(replayed()._replace(boards=NO_SQUARES)), "n from 1 to 181, got shape"),
    (lambda: predict_proba([1.0, 2.0], [[[0], [2]]]), "there are 2 strengths, no number 2"),
    (lambda: reversi.square_of(64), "cell must be from 0 to 63, got 64"),
    (lambda: connect6.square_of(361), "cell must be from 0 to 360, got 361"),
    (lambda: connect6.mover(-1), "ply must be at least 0, got -1"),
    (lambda: reversi.legal_moves(np.zeros(63, np.int8), 1), "a board has 64 cells, got 63"),
    (lambda: reversi.legal_moves(reversi.start_board(), 3), "colour must be from 1 to 2, got 3"),
    (lambda: connect6.six_at(np.zeros(361, np.int8), 361), "cell must be from 0 to 360, got 361"),
    (lambda: patterns.line("row", 20), "length of a line must be from 2 to 19, got 20"),
    (lambda: patterns.line("up", 4), "direction must be one of .*'up'"),
    (lambda: patterns.Square(61), "n_stages must be from 1 to 60, got 61"),
    (lambda: patterns.Flips().describe(10), "feature must be from 0 to 9, got 10"),
    (lambda: LINES.locate(LINES.n_features), f"got {LINES.n_features}"),
    (lambda: patterns.FeatureSet("s", ()), r"groups must be a tuple of features, got \(\)"),
    (lambda: games("reversi").take(2), "rows must pick some of 2, got 2"),
    (lambda: elo.team_win_probability([[0], [1]], [1, 2], 2), "winner must be from 0 to 1, got 2"),
    (lambda: scores.score(small(), np.ones(5), 0), "n_ranks must be from 1 to 1000, got 0"),
    (lambda: next(mm.cyclic(small(), mm.Prior(-1), np.ones(5))), "prior must be at least 0"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_other_doors_name_what_they_refuse(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()
