"""What the lesson says in words and numbers, from its cells, boards and stored results."""

import json
from itertools import islice

import numpy as np
import pytest

from gameai_book.btmm import figures
from gameai_book.btmm.boards.arena import ArenaBoard
from gameai_book.btmm.boards.connect6 import END, LESSON, LOOKED_AT, TRAP, Connect6Board
from gameai_book.btmm.boards.league import LeagueBoard
from gameai_book.btmm.boards.line import kind
from gameai_book.btmm.results import models, tables
from gameai_book.btmm.surrogate import pairs_log_likelihood
from gameai_lib.btmm import fit, from_pairs
from gameai_lib.btmm.game import connect6
from gameai_lib.btmm.game.positions import BLACK, WHITE
from gameai_lib.btmm.model import mm
from gameai_lib.btmm.records import sgf
from tests.support.built_pages import ROOT
from touchbook.boards import Session


def cells_of(page):
    """The cells of a notebook by their names, as text."""
    cells = json.loads((ROOT / "book" / f"{page}.ipynb").read_text(encoding="utf-8"))["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in cells}


@pytest.fixture(scope="module")
def words():
    """The lesson as one text."""
    return "\n".join(cells_of("btmm").values())


@pytest.fixture(scope="module")
def positions():
    return connect6.replay(sgf.parse_sgf(sgf.SOURCE_GAME, "connect6").records())


def test_the_cell_of_the_update_is_the_librarys(words, capsys):
    found = {"np": np}
    exec(cells_of("btmm")["74a1f784"], found)
    b = found["b"]
    won, lost = np.nonzero(b)
    data = from_pairs(won, lost, weight=b[won, lost])
    *steps, last = islice(mm.batch(data, mm.Prior(0.0), np.ones(3)), 9)
    np.testing.assert_allclose(found["gamma"], last.gamma, rtol=1e-12)
    for step, line in zip(steps, capsys.readouterr().out.splitlines(), strict=True):
        assert line.startswith(f"ln L = {step.log_likelihood:.4f}; ")
    best = fit(data, prior=0.0, tol=1e-14).gamma
    np.testing.assert_allclose(best / best[2], [4, 2, 1], rtol=1e-6)
    assert f"−{-float(pairs_log_likelihood(b, best)):.4f}" in words


def test_the_chapter_s_seat_is_recorded_to_the_win(words):
    """White's two fours, of which Black stops one, and the six."""
    states = Session(Connect6Board(**LESSON)).record()
    assert len(states) == 1 + 2 + len(LOOKED_AT)
    assert "In your place the program plays: l12 53 %" in states["show-chances"]["say"]
    assert "l12: 0.674 × 1.12 × 0.679 × 50.7 = 26, a chance of 53 %" in states["aim-l12"]["say"]
    assert " × 19.3 = " in states["aim-n9"]["say"]
    assert "k10: 0.441 × " in states["aim-k10"]["say"]
    assert all(strength in words for strength in ("50.7", "19.3", "0.44"))
    # Row ..○×●●.., column ●○○×...., rising ○●●×...., falling ....×○○○, as the chapter prints them.
    for colour, n in ("white", 1 + 2 + 1 + 3), ("black", 2 + 1 + 2):
        shown = [states[log]["svg"].count(f'class="{colour}"') for log in ("", "aim-l12")]
        assert shown[1] - shown[0] == n
    states = Session(Connect6Board(**END)).record()
    assert len(states) == 1 + 2 * len(TRAP)
    won_by = " ".join(f"aim-{point} {point}" for point in TRAP)
    won = states[won_by]
    assert "White has six in a row, you win" in won["say"]
    # No line knows that a six ends the game: it has the number of the first four.
    assert " × 50.7 = " in states[won_by.rpartition(" ")[0]]["say"]
    assert "4 of your 4 moves would have been the program's first choice" in won["say"]


def test_the_strengths_that_the_chapter_names(words):
    text = words + "\n".join(cells_of("btmm_workshop").values())

    def gamma(line, mover=BLACK):
        row = kind("row", mover)
        return row.gamma[row.code([".XO#".index(cell) for cell in line.replace("+", "")])]

    four, three, two, none = (gamma(f"...+{line}") for line in ("OOOO", "OOO.", "OO..", "...."))
    edge, five = round(gamma("##.+OOOO"), -1), round(gamma("..O+OOOO"), -1)
    theirs, own = gamma("...+OOOO", WHITE), gamma("...+XXXX", WHITE)
    for sentence in (
        f"Four white stones beside the cross have a strength of {four:.0f}. Three have "
        f"{three:.0f}, two have {two:.0f}, and an empty line has {none:.1f}.",
        f"`##.×○○○○`, four white stones near an edge, with a strength of {edge:,.0f}.",
        f"`..○×○○○○`, with {five:,.0f}.",
        f"`...×●●●●`, has a strength of {theirs:.0f}, and its own, `...×○○○○`, {own:.0f}",
    ):
        assert sentence in text


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
    for edge, said, error in (("own state", 58, 0.5), ("opponent", 0.6, 0.05)):
        cells, chance = figures.chances(positions, 11, models.load_model(f"connect6 {edge}"))
        [value] = 100 * chance[cells == connect6.cell_of("n12")]
        assert value == pytest.approx(said, abs=error)
    assert "n12, which stops a four, falls from 58 to 0.6 %" in words


def test_a_club_gains_by_a_match_in_which_it_does_not_play():
    board, workshop = LeagueBoard(), "\n".join(cells_of("btmm_workshop").values())

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


def test_what_a_history_gains_is_as_the_workshop_says():
    text = "\n".join(cells_of("btmm_workshop").values())
    both = {}
    for name in ("premier", "leagues"):
        for row in tables.read_table(f"seasons_{name}"):
            both[name, row["method"].partition(",")[0], row["case"]] = row
    premier, leagues = "Premier League", "five leagues 2022-23"
    alike = both["premier", "all games alike", premier]["log_loss"]
    drifts = [r for r in tables.read_table("seasons_premier") if r["method"].startswith("history")]
    assert max(alike - row["log_loss"] for row in drifts) < 2e-5
    assert f"gains nothing: it has {alike:.3f} nats" in text
    methods = ("all games alike", "history", "Elo")
    losses = [f"{both['leagues', method, leagues]['log_loss']:.3f}" for method in methods]
    told = "all games alike have {} nats, a history {} and Elo {}".format(*losses)
    n_games = both["leagues", "Elo", leagues]["n_games"]
    assert f"For {n_games:,} games of five leagues, after eight seasons, {told}" in text
    far = tables.seasons()
    assert far["history"].values[-1] + 0.02 < far["all games alike"].values[-1]
    rows = {(row["case"], row["method"]): row for row in tables.read_table("seasons_simulated")}
    for walk in (10, 20, 40):
        chosen, elo = rows[walk, "history, drift chosen"], rows[walk, "Elo"]
        assert abs(chosen["above"] - elo["above"]) < chosen["above_error"]


def test_the_arena_is_as_undecided_as_the_workshop_says():
    text, rating = "\n".join(cells_of("btmm_workshop").values()), ArenaBoard().rating()
    lead, error = rating.difference("Alder", "Birch")
    assert f"Alder leads by {lead:.0f} Elo points, with a standard error of {error:.0f}" in text
    assert f"twelve invented models and {rating.n_games:.0f} votes" in text
