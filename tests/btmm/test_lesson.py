"""What the lesson says in words and numbers, from its cells, boards and stored results."""

import json
from itertools import islice

import numpy as np
import pytest

from gameai_book.btmm import figures
from gameai_book.btmm.boards.connect6 import END, LOOKED_AT, Connect6Board
from gameai_book.btmm.boards.league import LeagueBoard
from gameai_book.btmm.boards.line import in_print
from gameai_book.btmm.results import models, tables
from gameai_book.btmm.surrogate import pairs_log_likelihood
from gameai_lib.btmm import fit, from_pairs
from gameai_lib.btmm.game import connect6, patterns
from gameai_lib.btmm.game.positions import WHITE
from gameai_lib.btmm.model import mm
from gameai_lib.btmm.records import sgf
from tests.support.built_pages import ROOT


@pytest.fixture(scope="module")
def lesson():
    """The cells of the lesson by their names, as text."""
    cells = json.loads((ROOT / "book" / "btmm.ipynb").read_text(encoding="utf-8"))["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in cells}


@pytest.fixture(scope="module")
def words(lesson):
    """All paragraphs of the lesson as one text."""
    return "\n".join(lesson.values())


@pytest.fixture(scope="module")
def workshop():
    """The text of the workshop."""
    cells = json.loads((ROOT / "book" / "btmm_workshop.ipynb").read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells)


def test_the_cell_of_the_update_is_the_librarys(lesson, capsys):
    found = {"np": np}
    exec(lesson["74a1f784"], found)
    b = found["b"]
    won, lost = np.nonzero(b)
    data = from_pairs(won, lost, weight=b[won, lost])
    *steps, last = islice(mm.batch(data, mm.Prior(0.0), np.ones(3)), 9)
    np.testing.assert_allclose(found["gamma"], last.gamma, rtol=1e-12)
    shown = capsys.readouterr().out.splitlines()
    for step, line in zip(steps, shown, strict=True):
        assert line.startswith(f"ln L = {step.log_likelihood:.4f}; ")


def test_the_likeliest_of_three_players(words):
    def ratio(b):
        won, lost = np.nonzero(b)
        rated = fit(from_pairs(won, lost, weight=b[won, lost]), prior=0.0, tol=1e-14)
        return rated.gamma / rated.gamma[2], float(pairs_log_likelihood(b, rated.gamma))

    b = np.array([[0, 4, 4], [2, 0, 2], [1, 1, 0]])
    gamma, log_likelihood = ratio(b)
    np.testing.assert_allclose(gamma, [4, 2, 1], rtol=1e-6)
    assert f"{log_likelihood:.4f}".replace("-", "−") in words
    assert b.sum(axis=1).tolist() == [8, 4, 2]
    b[0, 2] = 9
    gamma, _ = ratio(b)
    assert abs(gamma[0] / gamma[1] - 2) > 0.1


@pytest.fixture(scope="module")
def positions():
    return connect6.replay(sgf.parse_sgf(sgf.SOURCE_GAME, "connect6").records())


def lines(point):
    """Lines of a move in the lesson's position, and their strengths."""
    model = models.load_model("connect6 own state")
    record = sgf.parse_sgf(sgf.SOURCE_GAME, "connect6").records()
    position = connect6.replay(record).take([20])
    [team] = model.features.teams(position)[position.moves == connect6.cell_of(point)]
    texts = [model.features.describe(f).split(": ")[1].split()[0] for f in team]
    return dict(zip(patterns.DIRECTIONS, zip(texts, model.gamma[team], strict=True), strict=True))


def test_the_three_points_of_the_first_screen(words):
    assert LOOKED_AT == ("l12", "n9", "k10")
    for point, way, value in (
        ("l12", "falling", 50.7),
        ("n9", "falling", 19.3),
        ("k10", "row", 0.44),
    ):
        text, gamma = lines(point)[way]
        assert text.replace("*", "X").count("XXXX") == 1
        assert float(f"{gamma:.3g}" if value > 1 else f"{gamma:.2g}") == value
        assert str(value) in words


def test_no_line_knows_that_a_six_ends_the_game():
    """The stone that wins has the very line of the first four, and its number."""
    board = Connect6Board(**END)
    for point in ("l12", "l13", "k13"):
        board.touch(point)
    board.touch("aim-j14")
    assert "50.7" in board.say()
    assert in_print(lines("l12")["falling"][0], WHITE) == "....×○○○"
    model = models.load_model("connect6 own state")
    cells, _, teams = board.look()
    [team] = teams[cells == connect6.cell_of("j14")]
    assert model.features.describe(int(team[3])) == "falling 8: ....*XXX white"
    assert f"{model.gamma[team[3]]:.1f}" == "50.7"
    board.touch("j14")
    assert "you win" in board.say()


@pytest.mark.slow
def test_how_often_both_fours_are_stopped(words):
    fours = {"k13", "j14"}, {"l14", "l15"}
    for temperature, times in ((1.0, "32 times at 1"), (0.25, "149 times at ¼")):
        n_stopped = 0
        for seed in range(200):
            board = Connect6Board(colour="white", opening=21, temperature=temperature, seed=seed)
            board.touch("l12")
            board.touch("l13")
            reply = {connect6.square_of(cell) for cell in board.moves[-2:]}
            n_stopped += all(reply & four for four in fours)
        assert times.startswith(f"{n_stopped} times")
        assert times in words


def test_the_edge_in_the_middle_of_the_board(positions, words):
    for edge, said in (("own state", 58), ("opponent", 0.6)):
        cells, chance = figures.chances(positions, 11, models.load_model(f"connect6 {edge}"))
        value = 100 * chance[cells == connect6.cell_of("n12")][0]
        assert float(f"{value:.0f}" if value > 1 else f"{value:.1f}") == said
    assert "n12, which stops a four, falls from 58 to 0.6 %" in words


def test_a_club_gains_by_a_match_in_which_it_does_not_play(workshop):
    board = LeagueBoard()

    def elo():
        return {player.name[0]: player.elo for player in board.rating()[0].players}

    before = elo()
    board.touch("home-2-3")
    after = elo()
    assert [round(after[club] - before[club]) for club in "DA"] == [70, 16]
    assert "D rises by 70 Elo points, and A, who beat D twice, rises by 16." in workshop
    board.touch("home-2-3")
    assert elo()["A"] < after["A"]


def test_results_that_the_lesson_quotes(words):
    rows = [row for row in tables.read_table("results") if row["game"] == "connect6"]

    def result(features, edge, n_games=7082, prior=1.0):
        wanted = {"features": features, "edge": edge, "n_games": n_games, "prior": prior}
        [row] = [row for row in rows if wanted.items() <= row.items()]
        return row

    assert f"{100 * result('4x8', 'own state')['test_top1']:.0f} % of the positions" in words
    for features in ("4x8", "4x9"):
        assert f"{result(features, 'own state')['test']:.2f}".replace("-", "−") in words
    bare = {name: result(name, "empty", prior=0.0)["test"] for name in ("4x6", "4x7", "4x8")}
    assert f"4×8 ends at −{-bare['4x8']:.2f} nats" in words
    assert f"4×6, which ends at −{-bare['4x6']:.2f}" in words
    assert abs(bare["4x8"] - bare["4x7"]) < 0.01
    for n_games in (300, 1000, 7082):
        tests = {name: result(name, "empty", n_games)["test"] for name in bare}
        assert max(tests, key=tests.get) == "4x8"
    found = tables.calibrations(tables.read_table("calibration"))["test"]
    predicted, observed = 100 * found.predicted[-1], 100 * found.observed[-1]
    assert f"about {predicted:.0f} %, and only {observed:.0f} % of these" in words
    model = models.load_model("connect6 own state")
    assert f"has its own numbers, {model.gamma.size:,} in all" in words
