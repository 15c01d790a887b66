"""Every figure of the chapter draws at every kind of value, and says what it shows."""

import subprocess
import sys

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

from gameai_lib.btmm.game import connect6, league, models, patterns, reversi, selfplay
from gameai_lib.btmm.model.fit import fit
from gameai_lib.btmm.records import sgf
from gameai_lib.btmm.show import figures


@pytest.fixture(scope="module")
def positions():
    return connect6.replay(sgf.parse_sgf(sgf.SOURCE_GAME, "connect6").records())


@pytest.fixture(scope="module")
def model():
    return models.load_model("connect6 empty")


def drawn(figure, **values):
    """Draw one frame; return its alt text and the axes."""
    fig = Figure()
    with mpl.rc_context():
        figure["draw"](fig, **values)
    alt = figure["alt"]
    assert figure["name"]
    return (alt(**values) if callable(alt) else alt), fig.axes


def test_the_source_s_game_is_legal_and_has_its_turns(positions):
    assert positions.n_positions == 40
    assert connect6.square_of(180) == "j10"


def test_where(positions, model):
    figure = figures.where(positions, 20, model)
    for show in ("the position", "what the weights say", "the move played"):
        alt, _ = drawn(figure, show=show)
    assert alt.endswith("Played was l12.")
    cells, chance = figures.chances(positions, 20, model)
    assert chance.sum() == pytest.approx(1)
    assert cells.size == 361 - 21
    assert "l12" in figures.say_best(cells, chance)


def test_surrogates():
    for figure in (figures.median([1, 2, 3, 4, 10], 5.0, 4), figures.duel(3, 1, 0.2, 4)):
        said = [drawn(figure, step=k)[0] for k in range(4)]
        assert len(set(said)) == 4
    assert "3.6861" in drawn(figures.median([1, 2, 3, 4, 10], 5.0, 4), step=0)[0]


def test_oscillation_says_who_falls():
    figure = figures.oscillation()
    assert "falls 7 times" in drawn(figure, members=3, rule="all at once")[0]
    for rule in ("one group at a time", "damped"):
        assert "falls 0 times" in drawn(figure, members=3, rule=rule)[0]


def test_season_and_squares():
    season, _ = league.invented_season(np.random.default_rng(7))
    alt, axes = drawn(figures.season(season), prior=1.0)
    assert "Ashford" in alt
    assert len(axes[0].patches) == 9
    rows = [row for row in models.read_table("squares") if row["n_games"] == 400]
    alt, axes = drawn(figures.squares(rows))
    assert alt.split(", ")[-1].startswith("b2 -")
    widths = [path.vertices[:, 0] for path in axes[1].collections[0].get_paths()]
    errors = [row["joint"] for row in sorted(rows, key=lambda row: -row["elo"])]
    np.testing.assert_allclose([np.ptp(x) / 2 for x in widths], errors)
    board, bars = axes
    assert len(bars.patches) == 9
    assert len(board.texts) == 60  # all but the four in the middle
    assert board.texts[0].get_text() == board.texts[-1].get_text()  # a1 and h8


def test_pictures_of_patterns(positions, model):
    alt, axes = drawn(figures.apart(positions, 20, model), move=1)
    assert "l12" in alt
    assert len(axes) == 4
    strongest, _ = drawn(figures.gallery(model), line="row", end="strongest")
    weakest, _ = drawn(figures.gallery(model), line="row", end="weakest")
    assert strongest != weakest


def test_heat_maps(positions, model):
    assert (
        "played was l12, their number 1"
        in drawn(figures.through_game(positions, model), stone=21)[0]
    )
    shown = figures.edges(positions, {"empty": model})
    assert drawn(shown, stone=21, edge="empty")[0].startswith("Off the board read as empty.")


def test_curves():
    curves = models.read_table("curves")
    figure = figures.learning(curves, "connect6", "empty")
    alt, _ = drawn(figure, features="4x6", games=300, prior=1.0)
    assert "after 20 sweeps" in alt
    figure = figures.prior_curve(curves, 500, "+ lines 9")
    values = [float(drawn(figure, prior=v)[0].split()[-4]) for v in (0.0, 1.0, 10.0)]
    assert values[0] < values[1] < values[2]


def test_race_and_calibration():
    games = selfplay.play_reversi(20, np.random.default_rng(1), patterns.square_classes())
    features = patterns.FeatureSet("", (patterns.Square(), patterns.Flips()))
    data = features.encode(reversi.replay(games).unforced())
    alt, _ = drawn(figures.race(data, 30), method="plain, one group at a time")
    assert "nats left after 30 passes" in alt
    alt, _ = drawn(figures.calibrated({"these": data}, fit(data).gamma), games="these")
    assert alt.count("% predicted") == 10


def test_models_and_tables():
    with pytest.raises(ValueError, match="no model 'chess'"):
        models.load_model("chess")
    rows = models.read_table("results")
    assert {type(row["test"]) for row in rows} == {float}
    assert {type(row["n_games"]) for row in rows} == {int}


def test_algorithms_do_not_load_matplotlib():
    code = (
        "import sys; from gameai_lib.btmm.game import league, models, selfplay; "
        "from gameai_lib.btmm.model import scores, shards, surrogate; "
        "from gameai_lib.btmm.records import archives, sgf; assert 'matplotlib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
