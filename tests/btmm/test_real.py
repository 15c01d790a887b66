"""The spec's figures on real records, where GAMEAI_DATA names their folder."""

import os
from pathlib import Path

import numpy as np
import pytest

from gameai_book.btmm import league
from gameai_book.btmm.measure import results, shared
from gameai_book.btmm.results import tables
from gameai_lib.btmm import from_positions, rate, read_football, read_wthor
from gameai_lib.btmm.game import patterns, reversi
from gameai_lib.btmm.model.elo import elo_from_gamma
from gameai_lib.btmm.model.fit import fit
from gameai_lib.btmm.model.scores import score

FOLDER = Path(os.environ.get("GAMEAI_DATA", "unset"))
needs_data = pytest.mark.skipif(
    "GAMEAI_DATA" not in os.environ, reason="GAMEAI_DATA names no folder of game records"
)


@needs_data
def test_premier_league_with_draws():
    path = FOLDER / "football" / "premier_league_2018-19.json"
    got = rate(read_football(path), home_advantage=True)
    assert got.home_advantage.elo == pytest.approx(87.6, abs=0.05)
    assert got.tie == pytest.approx(0.615, abs=5e-4)
    # City were champions by a point; Liverpool lost fewer and drew more.
    assert {p.name for p in got.players[:2]} == {"Manchester City", "Liverpool FC"}
    assert got.players[-1].name == "Huddersfield Town"
    assert got.scores.sum() == 2 * 380


@pytest.mark.slow
@needs_data
def test_othello_2016():
    games = read_wthor(FOLDER / "othello" / "WTH_2016.wtb").records()
    assert games.n_games == 2013
    positions = reversi.replay(games).unforced()
    assert positions.n_positions == 115_182
    assert positions.moves.size == 988_744
    data = from_positions(positions, patterns.FeatureSet("square", (patterns.Square(),)))
    level = score(data, np.ones(data.n_features)).mean_log_evidence
    assert level == pytest.approx(-2.0293060, abs=1e-7)
    got = fit(data, tol=1e-14)
    scores = score(data, got.gamma)
    assert scores.mean_log_evidence == pytest.approx(-1.8829614, abs=1e-7)
    assert scores.top[0] == pytest.approx(0.26704, abs=1e-5)
    order = [patterns.SQUARE_CLASSES[i] for i in np.argsort(-got.gamma)]
    # c4 is d3's class; c3, a1 and b4 follow, X-squares come last.
    assert order[0] == "d3"
    assert order[-1] == "b2"


@needs_data
def test_premier_league_2018():
    season = read_football(FOLDER / "football" / "premier_league_2018-19.json")
    got = league.league(list(season))
    result = fit(got.competitions, prior=0.0, tol=1e-15)
    gamma = league.centre(result.gamma, 20)
    assert result.mean_log_evidence[-1] * result.total_weight == pytest.approx(
        -206.399314, abs=1e-6
    )
    assert gamma[20] == pytest.approx(1.455986, abs=1e-6)
    ratings = dict(zip(got.clubs, elo_from_gamma(gamma[:20]), strict=True))
    assert ratings["Liverpool FC"] == pytest.approx(378.91, abs=0.005)
    assert ratings["Manchester City"] == pytest.approx(358.08, abs=0.005)
    assert ratings["Huddersfield Town"] == pytest.approx(-301.84, abs=0.005)


@pytest.mark.slow
@needs_data
@pytest.mark.parametrize(("game", "name"), [("connect6", "4x6"), ("othello", "+ lines 9")])
def test_the_result_file_is_what_a_fit_gives(game, name):
    wanted = {"game": game, "features": name, "split": 0, "prior": 1.0}
    rows = [row for row in tables.read_table("results") if wanted.items() <= row.items()]
    row = min(rows, key=lambda row: row["n_games"])
    sets = [*results.connect6_sets(), results.othello_set("+ lines 9")]
    features = next(features for known, _, features in sets if known == name)
    training, test = shared.split_records(game)
    both = shared.evenly(training, row["n_games"]), test
    data = [shared.choices(game, games, features)[0] for games in both]
    again, _ = results.fit_and_grade(*data, 1.0)
    for column, value in zip(results.RESULTS[len(results.KEY) :], again, strict=True):
        assert float(value) == pytest.approx(row[column], abs=2e-6)
