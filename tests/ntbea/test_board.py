"""The boards of three arms and of the hidden landscape, played by touches and counted again."""

import xml.etree.ElementTree as ET
from itertools import islice

import numpy as np
import pytest

from gameai_book.ntbea.boards.arms import ARMS, CHANCES, ArmsBoard
from gameai_book.ntbea.boards.landscape import LandscapeBoard
from gameai_book.ntbea.boards.landscape_picture import digits_of
from gameai_book.ntbea.contest.rivals import best_marginals, random_games
from gameai_book.ntbea.results.tables import DATA, load_table
from gameai_lib.ntbea.game.planet_wars import AGENT_SPACE
from gameai_lib.ntbea.game.problems import Problem
from gameai_lib.ntbea.game.space import SearchSpace
from gameai_lib.ntbea.search.bandits import pull_arms
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.recommend import best_sampled
from gameai_lib.ntbea.search.steps import search_steps
from tests.support.board_checks import check_session, play_on, targets, touch
from touchbook.boards import Session, WrongTouch


def labels(board):
    """What a screen reader says of each target, by touch."""
    found = ET.fromstring(board.svg()).iter()
    return {e.get("data-touch"): e.get("aria-label") for e in found if e.get("data-touch")}


def texts(board):
    return [e.text for e in ET.fromstring(board.svg()).iter() if e.text]


def touched(board, *names):
    for name in names:
        board.touch(name)
    return board


def pulled(board, arms):
    return touched(board, *(f"pull-{arm}" for arm in arms))


def at_random(seed):
    """A player who touches anything until the game is over, and names when games are spent."""
    rng = np.random.default_rng(seed)

    def choose(session, names):
        board = session.board
        if isinstance(board, LandscapeBoard):
            is_over = board.named is not None
            if len(board.bought) < board.n_games:
                names = [name for name in names if not name.startswith("name")]
        else:
            is_over = board.over
        return None if is_over else str(rng.choice(names))

    return choose


# Three arms


@pytest.mark.parametrize("n_pulls", [5, 60])
def test_a_game_of_arms(n_pulls):
    board = touched(ArmsBoard(n_pulls=n_pulls, seed=1), *["show-bounds"] * (n_pulls > 5))
    session = play_on(board, at_random(9))
    board = session.board
    assert board.n.sum() == len(board.log) == n_pulls
    assert targets(board.svg()) == ["pull-A", "pull-B", "pull-C"]
    assert all(label.endswith("; no pulls are left") for label in labels(board).values())
    assert f"All {n_pulls} pulls are spent" in touch(session, "pull-B")["wrong"]
    assert session.answer({"do": "undo"})["wrong"]
    board.shown = frozenset()  # views are not part of a saved game
    check_session(session)


def test_arms_win_as_often_as_their_chances_say_in_any_order():
    one, other = pulled(ArmsBoard(seed=5), "AABBBCCCC"), pulled(ArmsBoard(seed=5), "CBACBACBC")
    assert one.n.tolist() == other.n.tolist() == [2, 3, 4]
    assert one.won.tolist() == other.won.tolist()
    boards = [ArmsBoard(n_pulls=60, seed=seed) for seed in range(200)]
    assert {int(board.chances.argmax()) for board in boards} == {0, 1, 2}
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
    assert f"won: {sum(map(sum, results.values()))}" in texts(board)
    before = touched(board, "show-bounds").svg(), board.say()
    board.chances = board.chances[::-1]
    assert (board.svg(), board.say()) == before


@pytest.mark.parametrize("k", [0.0, 0.5])
def test_bounds_shown_are_those_of_the_bandit(monkeypatch, k):
    monkeypatch.setattr(ArmsBoard, "k", k)
    board, n = touched(ArmsBoard(seed=2), "show-bounds"), [0, 0, 0]

    def play(arm, _):
        n[arm] += 1
        return float(board.rewards[arm, n[arm] - 1])

    # The reader pulls what UCB1 pulls, by the generator that the board gives its UCB1.
    for pull in islice(pull_arms(play, 3, k, np.random.default_rng([2, 29])), 30):
        mean, bonus, following = board.bounds()
        np.testing.assert_array_equal((mean, bonus), (pull.mean, pull.bonus))
        bound = pull.mean + pull.bonus
        assert bound.max() <= board.highest  # gauges keep their scale
        assert following == [a for a, b in zip(ARMS, bound, strict=True) if max(bound) - b < 1e-6]
        assert ARMS[pull.arm] in following
        words = texts(board)
        assert all(f"bound {b:.2f}" in words for b in bound)
        mark = {1: "UCB1 next", 2: "UCB1: tie", 3: "UCB1: any"}[len(following)]
        assert [w for w in words if w.startswith("UCB1")] == [mark] * len(following)
        assert f"would pull {' or '.join(following)}: " in board.say()
        pulled(board, ARMS[pull.arm])
    assert board.n_of_ucb1.tolist() == board.n.tolist() == n
    assert board.wins_of(board.n)[0] == board.won.sum()


@pytest.mark.parametrize("n_pulls", [30, 47])
def test_the_end_tells_what_pulls_were_worth_and_shows_them_in_order(n_pulls):
    board, results = ArmsBoard(n_pulls=n_pulls, seed=3), []
    order = ("CABBA" + "ACB" * 9 + "C" * n_pulls)[:n_pulls]
    for arm in order:
        n = board.won.sum()
        results.append(bool(pulled(board, arm).won.sum() > n))
    ucb1, pictured = board.n_of_ucb1, list(ET.fromstring(board.svg()).iter())
    assert {f"truth {chance:.2f}" for chance in board.chances} <= set(texts(board))
    pulls, most = np.array([order.count(arm) for arm in ARMS]), n_pulls * board.chances.max()
    assert board.say().startswith(
        f"You won {sum(results)} of {n_pulls} pulls, and UCB1 won {board.wins_of(ucb1)[0]}."
    )
    costs = [f"{most - n @ board.chances:.1f}" for n in (pulls, ucb1)]
    assert "cost you {} wins, and it cost UCB1 {}.".format(*costs) in board.say()

    def strip(name):
        """The pulls as pictured: letters, and whether each is bold and its dot is full."""
        first = [e.text for e in pictured].index(name) + 1
        pairs = pictured[first : first + 2 * n_pulls]
        bold = ["bold" in letter.get("class") for letter in pairs[::2]]
        assert [dot.get("r") == "5" for dot in pairs[1::2]] == bold
        assert all(0 < float(letter.get("x")) < 400 for letter in pairs[::2])
        return "".join(letter.text for letter in pairs[::2]), bold

    assert strip("you") == (order, results)
    letters, won = strip("UCB1")
    assert [letters.count(arm) for arm in ARMS] == ucb1.tolist()
    assert sum(won) == board.wins_of(ucb1)[0]


def test_what_the_chapter_says_of_ucb1():
    """In about a quarter of games most pulls go to a wrong arm, in a tenth chance does as well."""
    wrong, idle, n_games = 0, 0, 300
    for seed in range(n_games):
        board = pulled(ArmsBoard(seed=seed), "A" * 30)
        n = board.n_of_ucb1
        assert n.min() > 0
        wrong += n.argmax() != board.chances.argmax()
        idle += board.wins_of(n)[1] < 30 * board.chances.mean() + 1e-9
    assert 0.2 < wrong / n_games < 0.3
    assert 0.07 < idle / n_games < 0.16


# A hidden landscape


def test_a_game_of_the_landscape():
    session = play_on(LandscapeBoard(seed=3), at_random(0))
    board = session.board
    assert board.named == board.choice
    assert sum(name.startswith("name-") for name in board.log) == 1
    for name in ("buy-11111", "buy5-11111", "name-11111"):
        assert "is over" in touch(session, name)["wrong"]
    assert not session.answer({"do": "look"})["buttons"]
    board.shown = frozenset()
    check_session(session)


def test_every_value_is_a_target_and_turns_its_parameter():
    session = Session(LandscapeBoard(seed=1))
    for name in targets(session.board.svg()):
        buttons = touch(session, name)["buttons"]
        assert session.board.choice[LandscapeBoard.letters.index(name[0])] == int(name[1]) - 1
        digits = digits_of(session.board.choice)
        assert buttons == [(f"buy-{digits}", "Buy a game"), (f"buy5-{digits}", "Buy 5 games")]
    assert session.board.choice == tuple(n - 1 for n in session.board.chances.shape)
    assert session.board.log == ()


def test_every_agent_is_there_once_and_wins_by_the_chance_of_the_table():
    table = load_table(DATA / "planet_wars.csv", AGENT_SPACE)
    chances = (table.wins + table.draws / 2) / np.sum(table, axis=0)
    assert 0.5 < np.mean(chances < 0.1) < 0.53  # "half win fewer than one game in ten"
    boards = [LandscapeBoard(seed=seed) for seed in range(20)]
    assert len({board.chances.shape for board in boards}) > 5
    n = 0
    for board in boards:
        np.testing.assert_allclose(np.sort(board.chances, axis=None), np.sort(chances))
        best = np.unravel_index(board.chances.argmax(), board.chances.shape)
        touched(board, *[f"buy5-{digits_of(best)}"] * 10)
        n += board.agents()[0][1]
    p = chances.max()
    assert abs(n / 1000 - p) < 4 * np.sqrt(p * (1 - p) / 1000)
    # Each parameter is a parameter of the table: the means of its values are the same.
    table = chances.reshape(AGENT_SPACE.n_values)
    means = [
        sorted(np.moveaxis(of, d, 0).reshape(of.shape[d], -1).mean(axis=1).round(9).tolist())
        for of in (table, boards[0].chances)
        for d in range(5)
    ]
    assert sorted(means[:5]) == sorted(means[5:])


def test_what_is_bought_is_said_and_five_games_at_once_are_five_games():
    board = LandscapeBoard(seed=3)
    digits = digits_of(np.argwhere((board.chances > 0.4) & (board.chances < 0.6))[0])
    touched(board, "buy-11111", f"buy5-{digits}")
    won = sum(won for _, won in board.bought[1:])
    assert won not in (0, 5)
    assert board.say().startswith(f"{won} of 5 games with {' '.join(digits)} won.")
    won = int(touched(board, f"buy-{digits}").bought[-1][1])
    assert f"{won} of 1 game with {' '.join(digits)} won." in board.say()
    assert "no game bought yet" in touched(board, "A2", "B2", "C2", "D2", "E2").say()
    assert digits_of(touched(board, f"set-{digits}").choice) == digits
    one = touched(LandscapeBoard(seed=3), "buy-11111", *[f"buy-{digits}"] * 6)
    assert one.bought == board.bought
    touched(one, *[f"buy-{digits}"] * 40, "buy5-11111")
    assert (len(one.bought), one.latest) == (50, 3)
    with pytest.raises(WrongTouch, match="All 50 games are bought"):
        one.touch("buy-11111")
    assert [words for _, words in one.buttons()] == ["Name this agent: the end"]


def test_what_is_shown_of_games_is_counted_by_hand():
    board = play_on(LandscapeBoard(seed=5), at_random(5), most=60).board
    assert len(board.bought) > 10
    hidden = board.views.keys() - board.shown
    found = labels(touched(board, *(f"show-{view}" for view in hidden)))
    for d, letter in enumerate(LandscapeBoard.letters):
        for at in range(board.chances.shape[d]):
            games = [won for agent, won in board.bought if agent[d] == at]
            tally = f"{sum(games)}/{len(games)}" if games else "–"
            assert found.pop(f"{letter}{at + 1}").endswith(f", {tally}")
    for name, label in found.items():
        agent = tuple(int(digit) - 1 for digit in name.removeprefix("set-"))
        games = [won for one, won in board.bought if one == agent]
        assert label.endswith(f", won {sum(games)} of {len(games)}")
    shown = [f"set-{digits_of(agent)}" for agent, *_ in board.agents()[:8]]
    for agent, *_ in board.agents():
        listed = targets(touched(board, name := f"set-{digits_of(agent)}").svg())
        assert [n for n in listed if "set" in n] == shown + [name] * (name not in shown)
    assert f"games left: {50 - len(board.bought)} of 50" in texts(board)
    # Of equal means more wins, then fewer losses.
    board.bought = *[("d", False)] * 2, ("a", True), *[("b", True)] * 2, ("c", False)
    assert [agent for agent, *_ in board.agents()] == [*"bacd"]


def test_wrong_touches():
    board = LandscapeBoard(seed=1)
    for words, names in {
        "cannot be touched": ("A9", "E0", "A²", "A11"),
        "a value of each": ("buy-11117", "set-1111x", "buy-١١١١١", "set-1111"),
        "Buy a game first": ("name-11111",),
    }.items():
        for name in names:
            with pytest.raises(WrongTouch, match=words):
                board.touch(name)
    assert board.choice == (0,) * 5


def test_truths_are_hidden_until_the_end():
    board = touched(LandscapeBoard(seed=4), "buy5-11111", "show-marginals", "A1")
    before, chances = (board.svg(), board.say(), board.buttons()), board.chances
    board.chances = chances[::-1]
    assert (board.svg(), board.say(), board.buttons()) == before
    board.chances = chances
    assert not board.thinks
    touched(board, "name-11111", "show-marginals")
    for d, letter in enumerate(board.letters):
        for at in range(chances.shape[d]):
            mean = chances.take(at, axis=d).mean()
            assert labels(board)[f"{letter}{at + 1}"] == f"parameter {letter} {at + 1}, {mean:.0%}"
    for agent in ((0,) * 5, (1,) * 5, tuple(n - 1 for n in chances.shape)):
        touched(board, f"set-{digits_of(agent)}")
        rank = 1 + int((chances > chances[agent]).sum())
        assert f"{chances[agent]:.0%}, number {rank}" in board.say().replace(
            " of its games: ", ", "
        )
    assert board.named == (0,) * 5
    assert f"{chances[0, 0, 0, 0, 0]:.0%} true" in labels(board)["set-11111"]


def test_rivals_find_what_the_library_finds_also_if_they_are_stopped(monkeypatch):
    monkeypatch.setattr(LandscapeBoard, "n_runs", 3)
    monkeypatch.setattr(LandscapeBoard, "n_games", 23)
    board = LandscapeBoard(seed=6)
    assert list(board.think()) == []
    session = Session(touched(board, "buy-11111", "name-11111"))
    assert session.answer({"do": "look"})["thinks"]
    session.answer({"do": "think"})
    touch(session, "A2")  # looks at another setting, and ends the thought
    assert len(session.board.runs["NTBEA"]) == 1
    assert "so far is in the picture" in session.board.say()
    while (state := session.answer({"do": "think"}))["thinking"]:
        pass
    board, shape = session.board, session.board.chances.shape
    assert not state["thinks"]
    space = SearchSpace({letter: range(n) for letter, n in zip("ABCDE", shape, strict=True)})
    values = 2 * board.chances - 1
    problem = Problem("", space, lambda x: values[tuple(x.T)], outcomes=(-1, 1))
    for run in range(3):
        model, rng = LandscapeModel(space), np.random.default_rng([board._luck, 1, run])
        list(islice(search_steps(problem.evaluate, model, rng), 23))
        rng = np.random.default_rng([board._luck, 2, run])
        found = best_marginals(space, *random_games(problem, 23, rng), rng)
        assert board.runs["NTBEA"][run] == tuple(best_sampled(model).tolist())
        assert board.runs["random"][run] == tuple(found.tolist())
    words, said = texts(board), board.say().splitlines()
    for k, name in enumerate(("NTBEA", "random"), 2):
        true = board.chances_of(name)
        assert f"{true.mean():.0%} in the mean of 3 runs" in said[k]
        assert f"from {true.min():.0%} to {true.max():.0%}" in said[k]
        assert f"You beat {(true < board.chances[board.named]).sum()} of them" in said[k]
        assert any(text.endswith(f"3 runs: mean {true.mean():.0%}") for text in words)
