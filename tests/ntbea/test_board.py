"""The boards of three arms and of the hidden landscape, played by touches and counted again."""

import xml.etree.ElementTree as ET
from itertools import islice

import numpy as np
import pytest

from gameai_book.ntbea.bandits import pull_arms
from gameai_book.ntbea.boards.arms import ARMS, CHANCES, ArmsBoard
from gameai_book.ntbea.boards.landscape import LandscapeBoard
from gameai_book.ntbea.boards.landscape_picture import digits_of
from gameai_book.ntbea.boards.parts import true_chances
from gameai_book.ntbea.contest.rivals import best_marginals, random_games
from gameai_lib.ntbea import LandscapeModel, Problem, SearchSpace, best_sampled, search_steps
from tests.support.board_checks import check_session, play_on, touch, touch_all
from touchbook.boards import Session, WrongTouch


def labels(board):
    """What a screen reader says of each target, by touch."""
    found = ET.fromstring(board.svg()).iter()
    return {e.get("data-touch"): e.get("aria-label") for e in found if e.get("data-touch")}


def texts(board):
    return [e.text for e in ET.fromstring(board.svg()).iter() if e.text]


def pulled(board, arms):
    return touch_all(board, *(f"pull-{arm}" for arm in arms))


# Three arms


def test_a_game_of_arms():
    pulls = iter("AABCB" * 6)
    session = play_on(ArmsBoard(seed=1), lambda *_: next((f"pull-{arm}" for arm in pulls), None))
    board = session.board
    assert all(label.endswith("; no pulls are left") for label in labels(board).values())
    assert "All 30 pulls are spent" in touch(session, "pull-B")["wrong"]
    assert session.answer({"do": "undo"})["wrong"]
    check_session(session)


def test_arms_win_as_often_as_their_chances_say():
    boards = [ArmsBoard(n_pulls=60, seed=seed) for seed in range(200)]
    assert all(len(set(board.chances)) == 3 for board in boards)
    for chance in CHANCES:
        won = np.concatenate([b.rewards[b.chances == chance].ravel() for b in boards])
        assert abs(won.mean() - chance) < 4 * np.sqrt(chance * (1 - chance) / won.size)


def test_tallies_are_counted_by_hand_and_tell_no_chance():
    board, results = ArmsBoard(seed=1), {arm: [] for arm in ARMS}
    for arm in "ABCCABBBC":
        results[arm].append(f"Arm {arm} won" in pulled(board, arm).say())
    for arm, won in results.items():
        tally = f"won {sum(won)} of {len(won)}"
        assert labels(board)[f"pull-{arm}"] == f"pull arm {arm}, {tally} pulls"
        assert {tally, f"mean {np.mean(won):.2f}"} <= set(texts(board))
    before = touch_all(board, "show-bounds").svg(), board.say()
    board.chances = board.chances[::-1]
    assert (board.svg(), board.say()) == before


@pytest.mark.parametrize("k", [0.0, 0.5])
def test_bounds_shown_are_those_of_the_bandit(monkeypatch, k):
    monkeypatch.setattr(ArmsBoard, "k", k)
    board, results = touch_all(ArmsBoard(seed=2), "show-bounds"), None
    results = [iter(row.tolist()) for row in board.rewards]
    # The reader pulls what UCB1 pulls, by the generator that the board gives its UCB1.
    pulls = pull_arms(lambda arm, _: next(results[arm]), 3, k, np.random.default_rng([2, 29]))
    for pull in islice(pulls, 30):
        mean, bonus, following = board.bounds()
        np.testing.assert_array_equal((mean, bonus), (pull.mean, pull.bonus))
        bound = pull.mean + pull.bonus
        assert bound.max() <= board.highest  # gauges keep their scale
        assert following == [a for a, b in zip(ARMS, bound, strict=True) if max(bound) - b < 1e-6]
        assert {f"bound {b:.2f}" for b in bound} <= set(texts(board))
        assert f"would pull {' or '.join(following)}: " in board.say()
        pulled(board, ARMS[pull.arm])
    assert board.n_of_ucb1.tolist() == board.n.tolist()
    assert board.wins_of(board.n)[0] == board.won.sum()


def test_the_end_tells_what_pulls_were_worth_and_shows_them_in_order():
    board, order, results = ArmsBoard(n_pulls=47, seed=3), "CABBA" + "ACB" * 9 + "C" * 15, []
    for arm in order:
        before = board.won.sum()
        results.append(bool(pulled(board, arm).won.sum() > before))
    n, most = np.array([order.count(arm) for arm in ARMS]), 47 * board.chances.max()
    won = f"You won {sum(results)} of 47 pulls, and UCB1 won {board.wins_of(board.n_of_ucb1)[0]}."
    costs = [f"{most - pulls @ board.chances:.1f}" for pulls in (n, board.n_of_ucb1)]
    assert board.say().startswith(won)
    assert "cost you {} wins, and it cost UCB1 {}.".format(*costs) in board.say()
    shown = list(ET.fromstring(board.svg()).iter())
    assert {f"truth {chance:.2f}" for chance in board.chances} <= {e.text for e in shown}
    for name, own, wins in (("you", order, results), ("UCB1", board.order, None)):
        first = [e.text for e in shown].index(name) + 1
        letters, dots = shown[first : first + 94 : 2], shown[first + 1 : first + 94 : 2]
        assert "".join(letter.text for letter in letters) == own
        bold = ["bold" in letter.get("class") for letter in letters]
        assert [dot.get("r") == "5" for dot in dots] == bold
        assert wins is None or bold == wins
        n = np.array([own.count(arm) for arm in ARMS])
        assert sum(bold) == board.wins_of(n)[0]


# A hidden landscape


def test_a_game_of_the_landscape():
    names = iter(["A2", "buy5-21111", "B2", "buy-22111", "name-22111", "C1"])
    session = play_on(LandscapeBoard(seed=3), lambda *_: next(names, None))
    for name in ("buy-11111", "buy5-11111", "name-11111"):
        assert "is over" in touch(session, name)["wrong"]
    assert not session.answer({"do": "look"})["buttons"]
    check_session(session)


def test_every_agent_is_there_once_and_wins_by_its_chance():
    chances, won = true_chances(), 0
    for seed in range(20):
        board = LandscapeBoard(seed=seed)
        best = np.unravel_index(board.chances.argmax(), board.chances.shape)
        won += touch_all(board, *[f"buy5-{digits_of(best)}"] * 10).agents()[0][1]
        # Each parameter is one of the table's: the means of its values are the same.
        assert parameters(board.chances) == parameters(chances)
    p = chances.max()
    assert abs(won / 1000 - p) < 4 * np.sqrt(p * (1 - p) / 1000)


def parameters(chances):
    """The chances of each parameter's values, and of all agents, in no order."""
    rows = [np.moveaxis(chances, d, 0).reshape(chances.shape[d], -1) for d in range(5)]
    means = sorted(sorted(row.mean(axis=1).round(9).tolist()) for row in rows)
    return means, sorted(chances.ravel().tolist())


def test_what_is_bought_is_said_and_five_games_at_once_are_five_games():
    board = LandscapeBoard(seed=3)
    digits = digits_of(np.argwhere((board.chances > 0.4) & (board.chances < 0.6))[0])
    touch_all(board, "buy-11111", f"buy5-{digits}")
    won = sum(won for _, won in board.bought[1:])
    assert board.say().startswith(f"{won} of 5 games with {' '.join(digits)} won.")
    one = touch_all(LandscapeBoard(seed=3), "buy-11111", *[f"buy-{digits}"] * 5)
    assert one.bought == board.bought
    assert "no game bought yet" in touch_all(board, "A2", "B2", "C2", "D2", "E2").say()
    assert board.choice == (1,) * 5
    touch_all(one, *[f"buy-{digits}"] * 41, "buy5-11111")
    assert (len(one.bought), one.latest) == (50, 3)
    with pytest.raises(WrongTouch, match="All 50 games are bought"):
        one.touch("buy-11111")
    assert [words for _, words in one.buttons()] == ["Name this agent: the end"]


def test_what_is_shown_of_games_is_counted_by_hand():
    board, rng = touch_all(LandscapeBoard(seed=5), "show-marginals"), np.random.default_rng(5)
    for _ in range(15):
        touch_all(board, f"buy-{digits_of(rng.integers(0, board.chances.shape))}")
    found = labels(board)
    for d, letter in enumerate(LandscapeBoard.letters):
        for at in range(board.chances.shape[d]):
            games = [won for agent, won in board.bought if agent[d] == at]
            tally = f"{sum(games)}/{len(games)}" if games else "–"
            assert found.pop(f"{letter}{at + 1}").endswith(f", {tally}")
    for agent, won, n in board.agents():
        name = f"set-{digits_of(agent)}"
        assert labels(touch_all(board, name))[name].endswith(f", won {won} of {n}")
    # Of equal means more wins, then fewer losses.
    board.bought = *[("d", False)] * 2, ("a", True), *[("b", True)] * 2, ("c", False)
    assert [agent for agent, *_ in board.agents()] == [*"bacd"]


def test_truths_are_hidden_until_the_end():
    board = touch_all(LandscapeBoard(seed=4), "buy5-11111", "show-marginals", "A1")
    before, chances = (board.svg(), board.say(), board.buttons()), board.chances
    board.chances = chances[::-1]
    assert (board.svg(), board.say(), board.buttons()) == before
    board.chances = chances
    touch_all(board, "name-11111", "show-marginals")
    for at, mean in enumerate(chances.mean(axis=(1, 2, 3, 4))):
        assert labels(board)[f"A{at + 1}"] == f"parameter A {at + 1}, {mean:.0%}"
    last = tuple(n - 1 for n in chances.shape)
    rank = 1 + int((chances > chances[last]).sum())
    said = touch_all(board, f"set-{digits_of(last)}").say()
    assert f"it wins {chances[last]:.0%}, number {rank}." in said
    assert f"{chances[0, 0, 0, 0, 0]:.0%} true" in labels(board)["set-11111"]


def test_rivals_find_what_the_library_finds_also_if_they_are_stopped(monkeypatch):
    monkeypatch.setattr(LandscapeBoard, "n_runs", 3)
    monkeypatch.setattr(LandscapeBoard, "n_games", 23)
    assert list(LandscapeBoard(seed=6).think()) == []
    session = Session(touch_all(LandscapeBoard(seed=6), "buy-11111", "name-11111"))
    session.answer({"do": "think"})
    touch(session, "A2")  # looks at another setting, and ends the thought
    assert len(session.board.runs["NTBEA"]) == 1
    assert "so far is in the picture" in session.board.say()
    while session.answer({"do": "think"})["thinking"]:
        pass
    board, values = session.board, 2 * session.board.chances - 1
    space = SearchSpace(dict(zip("ABCDE", map(range, values.shape), strict=True)))
    problem = Problem("", space, lambda x: values[tuple(x.T)], outcomes=(-1, 1))
    for run in range(3):
        model, rng = LandscapeModel(space), np.random.default_rng([board._luck, 1, run])
        list(islice(search_steps(problem.evaluate, model, rng), 23))
        rng = np.random.default_rng([board._luck, 2, run])
        found = best_marginals(space, *random_games(problem, 23, rng), rng)
        assert board.runs["NTBEA"][run] == tuple(best_sampled(model).tolist())
        assert board.runs["random"][run] == tuple(found.tolist())
    for said, name in zip(board.say().splitlines()[2:], ("NTBEA", "random"), strict=True):
        true = board.chances_of(name)
        assert f"{true.mean():.0%} in the mean of 3 runs, from {true.min():.0%}" in said
        assert f"You beat {(true < board.chances[board.named]).sum()} of them" in said
