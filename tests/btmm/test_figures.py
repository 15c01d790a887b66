"""Every figure of the chapter draws at every kind of value, and says what it shows."""

from itertools import combinations

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from gameai_book.btmm import figures, league, views
from gameai_book.btmm.results import models, tables
from gameai_lib.btmm.game import connect6, patterns
from gameai_lib.btmm.game.positions import BLACK
from gameai_lib.btmm.model import elo
from gameai_lib.btmm.model.build import from_pairs
from gameai_lib.btmm.model.fit import fit
from gameai_lib.btmm.records import sgf


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


def test_updates_fall_or_do_not_and_no_line_is_hidden():
    figure = figures.oscillation()
    for rule in figures.RULES:
        falls = "falls 7 times" if rule == "all at once" else "It never falls."
        alt, [ax] = drawn(figure, members=3, rule=rule)
        assert falls in alt
        # Of lines that coincide, the later ones are thinner.
        lines = [line for line in ax.lines if len(line.get_xdata()) > 3]
        assert lines[0].get_label() == rule
        assert (np.diff([line.get_linewidth() for line in lines]) < 0).all()


def test_heat_maps_have_the_stones_of_the_board(positions, model):
    alt, [ax] = drawn(figures.edges(positions, {"empty": model}), stone=21, edge="empty")
    assert alt.startswith("Off the board read as empty.")
    assert "The move played was l12, their number 1" in alt
    board, stones = positions.boards[20].reshape(19, 19), ax.collections[1]
    assert len(stones.get_offsets()) == np.count_nonzero(board) == 21
    columns, rows = stones.get_offsets().astype(int).T
    dark = stones.get_facecolor()[:, 0] < 0.5
    np.testing.assert_array_equal(board[rows, columns] == BLACK, dark)


def test_bars_of_a_season_and_of_squares():
    season, _ = league.invented_season(np.random.default_rng(7))
    alt, [ax] = drawn(figures.season(season, league.endless_seasons()), prior=10.0)
    assert "Ashford +79 ± 62 (circle +187)" in alt
    assert ax.lines[0].get_xdata()[0] == pytest.approx(187.4, abs=0.1)
    rows = tables.read_table("squares")
    alt, [board, ax] = drawn(figures.squares(rows))
    assert alt.split(", ")[-1].startswith("b2 -")
    whiskers = [np.ptp(path.vertices[:, 0]) / 2 for path in ax.collections[1].get_paths()]
    rows = sorted(rows, key=lambda row: -row["elo"])
    np.testing.assert_allclose(whiskers, [row["joint"] for row in rows])
    assert len(board.texts) == 60  # all but the four in the middle
    assert board.texts[0].get_text() == board.texts[-1].get_text()  # a1 and h8


@pytest.mark.parametrize("line", ["row", "falling"])
def test_pictures_of_patterns_have_their_stones_and_stay_in_their_places(model, line):
    """No board or title of one pattern reaches into the next."""
    figure, fig = figures.gallery(model), Figure(figsize=(5, 6), layout="constrained")
    figure["draw"](fig, line=line, end="strongest")
    said = figure["alt"](line, "strongest")
    assert said != figure["alt"](line, "weakest")
    fig.canvas.draw()
    [ax] = fig.axes
    cells, stones = ax.collections
    assert len(stones.get_offsets()) == said.count("●") + said.count("○")
    corners = np.reshape([path.vertices[:4] for path in cells.get_paths()], (6, -1, 2))
    titles = [text.get_window_extent() for text in ax.texts]
    boxes = [Bbox(title) for title in titles]
    for points in corners:
        places = ax.transData.transform(points)
        boxes.append(Bbox([places.min(axis=0), places.max(axis=0)]))
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
    assert Bbox.union([*boxes, Bbox([[0, 0], [500, 600]])]).bounds == (0, 0, 500, 600)


def test_ticks_of_a_logarithmic_axis():
    ax = Figure().subplots()
    ax.set_yscale("log")
    ax.set_ylim(2e-8, 2)
    views.draw_log_ticks(ax.yaxis)
    texts = ax.yaxis.get_major_formatter().format_ticks(ax.yaxis.get_majorticklocs())
    assert texts == ["10⁻⁶", "10⁻⁴", "10⁻²", "10⁰"]
    assert ax.get_ylim() == (2e-8, 2)


def test_curves():
    curves = tables.read_table("curves")
    figure = figures.learning(curves, "connect6", "empty")
    alt, _ = drawn(figure, features="4x6", games=300, prior=1.0)
    assert "after 20 sweeps" in alt
    figure = figures.prior_curve(curves, 500, "+ lines 9")
    said = [drawn(figure, prior=v)[0].split(" and ")[1] for v in (0.0, 0.1, 1.0, 10.0)]
    values = [float(words.split()[0]) for words in said]
    assert sorted(values) == values
    for k, sweep, best in (0, 0, -2.029), (1, 1, -1.665), (3, 20, -1.606):  # first a blind guess
        assert said[k].endswith(f"best at sweep {sweep}, with {best}.")


def test_how_many_of_the_strongest_patterns_complete_or_stop_a_six():
    say = figures.gallery(models.load_model("connect6 own state"))["alt"]
    for way in patterns.DIRECTIONS:
        sixes, stops = [], []
        for part in say(way, "strongest").split(": ")[1].split("; "):
            line, _, who, *_ = part.split()
            own, other = "●○" if who == "Black," else "○●"
            sixes.append(6 * own in line.replace("×", own))
            # The move stands among four stones of the other side or more.
            stops.append(line.count(other) >= 4 and f"{own}×{own}" not in line)
        if way in ("row", "column"):
            assert (sixes, stops) == ([True] * 3 + [False] * 3, [False] * 3 + [True] * 3)
        else:
            assert sum(sixes) == 1
            assert sum(stops) >= 3


def test_what_the_chapter_says_of_the_models_guesses(positions):
    """Turns with a stone among the first choice, the first three and the first five."""
    model, hits = models.load_model("connect6 own state"), np.zeros(3, int)
    for i in range(0, 40, 2):
        cells, chance = figures.chances(positions, i, model)
        both = [int(positions.take([k]).moves[positions.chosen[k]]) for k in (i, i + 1)]
        rank = min(1 + (chance > chance[cells == cell]).sum() for cell in both)
        hits += rank <= np.array([1, 3, 5])
    assert hits.tolist() == [6, 13, 16]


def test_what_the_folded_answers_of_the_chapter_say(positions):
    """Numbers that only appear once a reader has changed a cell."""
    teams = [[0, 1, 2], [3, 1], [0, 4, 5, 6]]
    stronger = np.array([10, 2, 3, 4, 5, 6, 7.0])
    assert 100 * elo.team_win_probability(teams, stronger) == pytest.approx(2.77, abs=0.005)
    for n, v, chance in ((5, 1, 0.90), (50, 1, 0.98), (5, 10, 0.66)):
        gamma = fit(from_pairs([0] * n, [1] * n), prior=v).gamma
        assert gamma[0] / gamma.sum() == pytest.approx(chance, abs=0.005)
    outer = {}
    for edge in patterns.EDGES:
        say = figures.edges(positions, {edge: models.load_model(f"connect6 {edge}")})["alt"]
        said = [say(stone, edge).split(" get ")[1].split(" %")[0] for stone in (2, 12)]
        outer[edge] = [*map(float, said)]
    assert outer == {"empty": [26.7, 3.4], "opponent": [17.5, 11.9], "own state": [1.6, 0.3]}
