"""What the text of the lesson says in numbers, computed again."""

import json
from pathlib import Path

import numpy as np
import pytest

from gameai_book.ntbea import questions
from gameai_book.ntbea.boards.mend import MendBoard
from gameai_book.ntbea.boards.tuples import TuplesBoard
from gameai_book.ntbea.results.contest import BUDGETS, FAMILIES, load_contest
from gameai_book.ntbea.results.tables import DATA, load_games
from gameai_lib.ntbea import LandscapeModel
from gameai_lib.ntbea.game.problems import grid
from gameai_lib.ntbea.game.space_battle import FEW_RULES

LESSON = Path(__file__).parents[2] / "book" / "ntbea.ipynb"
CELLS = json.loads(LESSON.read_text(encoding="utf-8"))["cells"]
TEXT = " ".join("".join(c["source"]) for c in CELLS if c["cell_type"] == "markdown")


def test_four_combinations_of_speed_and_size():
    games = (load_games(DATA / "space_battle.csv", FEW_RULES) + 1) / 2
    pair = games.mean(axis=1).reshape(FEW_RULES.n_values).mean(axis=(1, 2, 3))
    for speed, (small, large) in zip(("slow", "fast"), pair, strict=True):
        assert f"| **{speed} ship** | {small:.2f} | {large:.2f} |" in TEXT
    assert pair.argmax() == 1


def test_the_truth_beside_the_estimate():
    board = TuplesBoard()
    estimates, truths, games = board.all_points()
    here = int(np.ravel_multi_index(board.point, FEW_RULES.n_values))
    best = int(truths.argmax())
    assert f"an estimate of {estimates[here]:.2f}. In truth this point is worth only " in TEXT
    assert f"is worth only {truths[here]:.2f}. The best point is worth " in TEXT
    assert f"worth {truths[best]:.2f}, but its estimate was {estimates[best]:.2f}: nobody" in TEXT
    assert games[best] == 0
    small = [fitness for point, fitness in board.played if point[4] == 0]
    assert (small, "both games with a small ship had been lost" in TEXT) == ([0, 0], True)
    assert np.unravel_index(best, FEW_RULES.n_values)[::4] == (1, 0)
    assert "the best of all 32 points has a fast and small ship" in TEXT
    n_above = int((estimates > truths).sum())
    assert f"{n_above} of the 32 estimates lie above the truth" in TEXT


def test_fast_missiles_were_in_good_company():
    board = TuplesBoard()
    company = [point for point, _ in board.played if point[2] == 1]
    (n,), (mean,) = (getattr(board.model.arms((2,)), what)[1:] for what in ("n", "mean"))
    assert (len(company), n) == (9, 9)
    assert f"a mean of {mean:.2f} from nine games" in TEXT
    large, expensive = (sum(point[d] for point in company) for d in (4, 1))
    assert (large, expensive, "Eight of these games had a large ship and seven had" in TEXT) == (
        8, 7, True,
    )  # fmt: skip
    results = load_games(DATA / "space_battle.csv", FEW_RULES)
    truth = ((results + 1) / 2).mean(axis=1).reshape(FEW_RULES.n_values)
    assert f"the truth is {truth[:, :, 1].mean():.2f}, but the arm lends its {mean:.2f}" in TEXT


def test_the_smallest_case():
    model = LandscapeModel(grid(2, 2), (1, 2))
    for point, result in (((0, 0), 0.0), ((0, 1), 1.0), ((1, 0), 0.5)):
        model.add(point, result)
    (new, wide), (old, narrow) = (model.mean_and_explore(x) for x in ((1, 1), (0, 1)))
    assert f"the estimate of (1, 1) is {new:.2f}" in TEXT
    assert f"a larger estimate of {old:.2f}" in TEXT
    assert f"more games: its explore term is {narrow:.3f}, and that of (1, 1) is {wide:.3f}" in TEXT
    bounds = new + 0.3 * wide, old + 0.3 * narrow
    assert "bound of (1, 1) is {:.2f}, just above the {:.2f} of (0, 1)".format(*bounds) in TEXT


def test_an_unlucky_search_comes_back(capsys):
    (code,) = ("".join(c["source"]) for c in CELLS if c.get("id") == "b7bd01eb")
    for k, back, best in ((0.3, 19, "(1, 0)"), (1, 9, "(1, 1)")):
        exec(code.replace("= 4, 0.3,", f"= 5, {k},"), {"np": np})
        said = capsys.readouterr().out
        games = [line.split(":")[0].split(" at ")[1] for line in said.splitlines()[:-1]]
        assert games.index("(1, 1)", 3) == back - 1
        assert said.endswith(f"recommended: {best}\n")
    assert "comes back to (1, 1) in game 19" in TEXT
    assert "it comes back in game 9" in TEXT


@pytest.mark.slow
def test_the_mended_game():
    board = MendBoard()
    for _ in board.think():
        pass
    first, fifty, last = (board.looks[i] for i in (0, 2, -1))
    assert (first.n_games, fifty.n_games, last.n_games) == (10, 50, 200)
    asked = questions.few_or_many()
    for look in (first, last):
        assert f"{look.n_games} games it recommends" in asked["question"]
        assert f"with an estimate of {look.estimate:.2f}. " in asked["question"]
        assert f"a mean of {look.worth:.2f}." in asked["because"]
    assert len({point for point, _ in board.played[:10]}) == 10  # none was played twice
    assert f"After fifty games the fresh games have a mean of {fifty.worth:.2f}, and in" in TEXT
    assert f"in the end it is {last.worth:.2f}: the far-sighted pilot wins" in TEXT
    assert f"wins {last.fresh.count(1)} games of forty" in TEXT
    assert f"more than the estimate of {last.estimate:.2f}, since" in TEXT
    tallies = dict(zip(FEW_RULES.names, board.tally(), strict=True))
    assert tallies["missile_cost"][0].argmax() == 7  # of eight prices the highest
    assert tallies["ship_radius"][0].argmax() == 0
    (cell,) = ("".join(c["source"]) for c in CELLS if c.get("id") == "l-ends")
    values = last.point
    assert values == (3, 7, 0, 3, 0)
    assert '"missile_speed": 1, "cooldown": 4' in cell


def test_nearly_half_of_the_cases_are_on_each_side():
    cells = load_contest("families")
    duel = {(f, b): cells[f, b, "NTBEA, model mean"] for f in FAMILIES for b in BUDGETS}
    assert sum(cell.mean > 0 for cell in duel.values()) == len(duel) / 2
    theirs = [case for case, c in duel.items() if c.mean < -2 * c.standard_error]
    assert f"`tune` is ahead in {len(theirs)} cases. Ten of them have twenty dials" in TEXT
    smooth = [f for f, _ in theirs if f.endswith("ials") or f.startswith("Hills")]
    assert len(smooth) == 10
