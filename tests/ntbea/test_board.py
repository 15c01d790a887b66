"""Boards of ntbea, played by touches."""

import itertools
import re
import xml.etree.ElementTree as ET
from itertools import islice

import numpy as np
import pytest

from gameai_book.ntbea.boards import landscape, landscape_picture
from gameai_book.ntbea.boards.arms import ARMS, CHANCES, ArmsBoard
from gameai_book.ntbea.boards.landscape import LandscapeBoard
from gameai_book.ntbea.contest.rivals import best_marginals, random_games
from gameai_book.ntbea.results.tables import DATA, load_table, planet_wars_table
from gameai_lib.ntbea.game.planet_wars import AGENT_SPACE
from gameai_lib.ntbea.search.bandits import pull_arms
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.recommend import best_sampled
from gameai_lib.ntbea.search.steps import search_steps
from tests.support.board_checks import check_session, play_on, targets, touch
from touchbook.boards import Session, WrongTouch, board_class


def labels(board):
    """What a screen reader says of each target, by touch."""
    found = ET.fromstring(board.svg()).iter()
    return {e.get("data-touch"): e.get("aria-label") for e in found if e.get("data-touch")}


def texts(board):
    return [e.text for e in ET.fromstring(board.svg()).iter() if e.text]


def test_a_page_finds_them():
    assert board_class("gameai_book.ntbea.boards.arms:ArmsBoard") is ArmsBoard
    assert board_class("gameai_book.ntbea.boards.landscape:LandscapeBoard") is LandscapeBoard


# Three arms


def pulled(board, arms):
    for arm in arms:
        board.touch(f"pull-{arm}")
    return board


def at_random(seed):
    """A player of arms who pulls any until all pulls are spent."""
    rng = np.random.default_rng(seed)
    return lambda session, names: None if session.board.over else str(rng.choice(names))


@pytest.mark.parametrize("seed", range(4))
def test_whole_games_of_arms(seed):
    board = ArmsBoard(seed=seed)
    if seed % 2:
        board.touch("show-bounds")
    session = play_on(board, at_random(seed))
    board = session.board
    assert board.over
    assert board.n.sum() == len(board.log) == 30
    assert targets(board.svg()) == ["pull-A", "pull-B", "pull-C"]
    assert "pull" not in texts(board)
    assert all(label.endswith("; no pulls are left") for label in labels(board).values())
    answer = touch(session, "pull-B")
    assert "All 30 pulls are spent" in answer["wrong"]
    assert session.answer({"do": "undo"})["wrong"]
    board.shown = frozenset()  # views are not part of a saved game
    check_session(session)


def test_chances_are_different_and_of_the_list():
    drawn = [tuple(ArmsBoard(seed=seed).chances) for seed in range(60)]
    assert all(len(set(chances)) == 3 and set(chances) <= set(CHANCES) for chances in drawn)
    assert {chances.index(max(chances)) for chances in drawn} == {0, 1, 2}


def test_an_arm_has_its_results_whenever_it_is_pulled():
    one, other = pulled(ArmsBoard(seed=5), "AABBBCCCC"), pulled(ArmsBoard(seed=5), "CBACBACBC")
    assert one.n.tolist() == other.n.tolist() == [2, 3, 4]
    assert one.won.tolist() == other.won.tolist()
    assert pulled(ArmsBoard(seed=6), "AABBBCCCC").rewards.tolist() != one.rewards.tolist()


def test_arms_win_as_often_as_their_chances_say():
    boards = [ArmsBoard(n_pulls=60, seed=seed) for seed in range(200)]
    for chance in CHANCES:
        won = np.concatenate([b.rewards[b.chances == chance].ravel() for b in boards])
        assert abs(won.mean() - chance) < 4 * np.sqrt(chance * (1 - chance) / won.size)


def test_tallies_shown_are_those_counted_by_hand():
    board = pulled(ArmsBoard(seed=1), "ABCCABBBC")
    results = {arm: [] for arm in ARMS}
    again = ArmsBoard(seed=1)
    for arm in "ABCCABBBC":
        again.touch(f"pull-{arm}")
        results[arm].append(f"Arm {arm} won" in again.say())
    for arm, won in results.items():
        tally = f"won {sum(won)} of {len(won)}"
        assert labels(board)[f"pull-{arm}"] == f"pull arm {arm}, {tally} pulls"
        assert tally in texts(board)
        assert f"mean {np.mean(won):.2f}" in texts(board)
    assert f"won: {sum(map(sum, results.values()))}" in texts(board)
    assert not any("bound" in text for text in texts(board))


@pytest.mark.parametrize("k", [0.0, 0.5, 1.5])
def test_bounds_shown_are_those_of_the_bandit(k):
    board = ArmsBoard(seed=2, k=k)
    board.touch("show-bounds")
    n = [0, 0, 0]

    def play(arm, _):
        n[arm] += 1
        return float(board.rewards[arm, n[arm] - 1])

    # The reader pulls what UCB1 pulls, by the generator that the board gives its UCB1.
    rng = np.random.default_rng([2, 29])
    for pull in islice(pull_arms(play, 3, k, rng), 30):
        mean, bonus, following = board.bounds()
        np.testing.assert_array_equal(mean, pull.mean)
        np.testing.assert_array_equal(bonus, pull.bonus)
        bound = pull.mean + pull.bonus
        assert following == [a for a, b in zip(ARMS, bound, strict=True) if max(bound) - b < 1e-6]
        assert ARMS[pull.arm] in following
        words = texts(board)
        assert all(f"bound {b:.2f}" in words for b in pull.mean + pull.bonus)
        mark = {1: "UCB1 next", 2: "UCB1: tie", 3: "UCB1: any"}[len(following)]
        assert [w for w in words if w.startswith("UCB1")] == [mark] * len(following)
        assert f"would pull {' or '.join(following)}: " in board.say()
        board.touch(f"pull-{ARMS[pull.arm]}")
        assert (f"Arm {ARMS[pull.arm]} won" in board.say()) == (pull.result == 1.0) or board.over
    assert board.rivals["UCB1"].tolist() == board.n.tolist() == n
    assert board.wins_of(board.n)[0] == board.won.sum()


def test_the_end_is_reckoned_from_chances_and_rewards():
    board = pulled(ArmsBoard(seed=4), "ABC" * 10)
    assert board.wins_of(board.n)[1] == pytest.approx(10 * board.chances.sum())
    best = int(board.chances.argmax())
    always = board.rivals[f"always {ARMS[best]}"]
    assert always.tolist() == [30 * (arm == best) for arm in range(3)]
    assert board.wins_of(always) == (
        board.rewards[best].sum(),
        pytest.approx(30 * max(board.chances)),
    )
    words = texts(board)
    words = words[words.index("worth") :]  # of the table
    at = words.index("you")
    assert words[at : at + 4] == [
        "you", str(board.won.sum()), "10, 10, 10", f"{10 * board.chances.sum():.1f}"
    ]  # fmt: skip
    cost = f"{30 * max(board.chances) - 10 * board.chances.sum():.1f}"
    assert words[at + 4] == cost
    at = words.index("all alike")
    worth = f"{10 * board.chances.sum():.1f}"
    assert words[at : at + 5] == ["all alike", "–", "10 each", worth, cost]
    assert words[words.index("UCB1, k = 0.5") + 1] == str(board.wins_of(board.rivals["UCB1"])[0])
    assert words[words.index(f"always {ARMS[best]}") + 4] == "0.0"
    assert all(f"truth {chance:.2f}" in texts(board) for chance in board.chances)


def strips(board):
    """The pulls in order as the picture shows them: letters, and whether each is bold and full."""
    seen, found = {}, list(ET.fromstring(board.svg()).iter())
    at = {name: [e.text for e in found].index(name) for name in ("you", "UCB1")}
    for name, first in at.items():
        pairs = found[first + 1 : first + 1 + 2 * board.n_pulls]
        assert all(letter.text in ARMS for letter in pairs[::2])
        assert all(0 < float(letter.get("x")) < 400 for letter in pairs[::2])
        bold = ["bold" in letter.get("class") for letter in pairs[::2]]
        assert [dot.get("r") == "5" for dot in pairs[1::2]] == bold
        seen[name] = "".join(letter.text for letter in pairs[::2]), bold
    return seen


@pytest.mark.parametrize("n_pulls", [30, 47])
def test_the_end_shows_pulls_in_order(n_pulls):
    board, results = ArmsBoard(n_pulls=n_pulls, seed=3), []
    order = "CABBA" + "ACB" * 9 + "C" * n_pulls
    for arm in order[:n_pulls]:
        n = board.won.sum()
        board.touch(f"pull-{arm}")
        results.append(bool(board.won.sum() > n))
    shown = strips(board)
    assert shown["you"] == (order[:n_pulls], results)
    letters, won = shown["UCB1"]
    assert [letters.count(arm) for arm in ARMS] == board.rivals["UCB1"].tolist()
    assert sum(won) == board.wins_of(board.rivals["UCB1"])[0]
    stay = n_pulls - len(order[:n_pulls].rstrip(order[n_pulls - 1]))
    assert f"You last changed the arm at pull {n_pulls - stay + 1}, and UCB1 " in board.say()
    at = int(re.search(r"UCB1 last changed the arm at pull (\d+)", board.say())[1])
    assert set(letters[at - 1 :]) == {letters[-1]} != {letters[at - 2]}
    assert "You never changed the arm, " in pulled(ArmsBoard(), "A" * 30).say()


def test_gauges_keep_their_scale():
    def frames(board):
        found = ET.fromstring(board.svg()).iter()
        return [float(e.get("height")) for e in found if e.get("class") == "line" and e.get("rx")
                is None and e.get("width") == "34"]  # fmt: skip

    for seed in range(20):
        board, heights = ArmsBoard(seed=seed), []
        board.touch("show-bounds")
        for arm in np.random.default_rng(seed).choice(list(ARMS), 30, p=(0.9, 0.07, 0.03)):
            heights.append(frames(board))
            mean, bonus, _ = board.bounds()
            assert (mean + bonus).max() <= board.highest
            board.touch(f"pull-{arm}")
        assert heights == [heights[0]] * 30
        assert len(heights[0]) == 3


def test_no_chance_is_told_before_the_end():
    one = pulled(ArmsBoard(seed=4), "ABC" * 9)
    one.touch("show-bounds")
    two = ArmsBoard(seed=4)
    two.chances = two.chances[::-1]
    two.touch("show-bounds")
    pulled(two, "ABC" * 9)
    assert (one.svg(), one.say()) == (two.svg(), two.say())


def test_the_default_curiosity_comes_to_every_arm():
    for seed in range(100):
        assert pulled(ArmsBoard(seed=seed), "A" * 30).rivals["UCB1"].min() > 0


def test_ucb1_earns_more_than_chance_and_less_than_knowing():
    worth = []
    for seed in range(150):
        board = pulled(ArmsBoard(seed=seed), "A" * 30)
        ucb = board.wins_of(board.rivals["UCB1"])[1]
        worth.append((30 * board.chances.mean(), ucb, 30 * board.chances.max()))
    even, ucb, best = np.mean(worth, axis=0)
    assert even + 2 < ucb < best - 1


def test_what_the_chapter_says_of_ucb1():
    """In about a quarter of games most pulls go to a wrong arm, in a tenth chance does as well."""
    wrong, idle, n_games = 0, 0, 400
    for seed in range(n_games):
        board = pulled(ArmsBoard(seed=seed), "A" * 30)
        n = board.rivals["UCB1"]
        wrong += n.argmax() != board.chances.argmax()
        idle += board.wins_of(n)[1] < 30 * board.chances.mean() + 1e-9
    assert 0.2 < wrong / n_games < 0.3
    assert 0.07 < idle / n_games < 0.16


@pytest.mark.parametrize("name", ["pull-D", "pull-a", "A", "pull-AB", "pull-"])
def test_what_is_no_arm_is_refused(name):
    with pytest.raises(WrongTouch, match=name):
        ArmsBoard().touch(name)


@pytest.mark.parametrize(
    ("board", "options", "words"),
    [
        (ArmsBoard, {"n_pulls": 4}, "n_pulls must be from 5 to 60, got 4"),
        (ArmsBoard, {"n_pulls": 61}, "n_pulls"),
        (ArmsBoard, {"n_pulls": 7.0}, "n_pulls must be a whole number, got 7.0"),
        (ArmsBoard, {"k": -0.1}, "k must be"),
        (ArmsBoard, {"k": "0.3"}, "k must be a number, got '0.3'"),
        (LandscapeBoard, {"n_games": 9}, "n_games must be from 10 to 200, got 9"),
        (LandscapeBoard, {"n_games": True}, "n_games must be a whole number, got True"),
        (LandscapeBoard, {"disguised": 1}, "disguised must be True or False, got 1"),
    ],
)
def test_options_are_checked(board, options, words):
    with pytest.raises((TypeError, ValueError), match=words):
        board(**options)


def test_other_budgets_and_curiosities():
    for n_pulls, k in ((5, 0.0), (60, 10.0)):
        session = play_on(ArmsBoard(n_pulls=n_pulls, k=k, seed=1), at_random(9))
        assert session.board.n.sum() == n_pulls
        check_session(session)


# A hidden landscape


def bought(board, *names):
    for name in names:
        board.touch(name)
    return board


def shopper(seed):
    """Chooses values and buys at random, and names when the games are spent."""
    rng = np.random.default_rng(seed)

    def choose(session, names):
        board = session.board
        if board.named is not None:
            return None
        if len(board.bought) < board.n_games:
            names = [name for name in names if not name.startswith("name")]
        return str(rng.choice(names))

    return choose


@pytest.mark.parametrize("disguised", [False, True])
def test_whole_games_of_the_landscape(disguised):
    board = LandscapeBoard(disguised=disguised, n_games=20, seed=3)
    bought(board, *["show-all", "show-marginals"] * disguised)
    session = play_on(board, shopper(disguised))
    board = session.board
    assert len(board.bought) == 20
    assert board.named == board.point_of(board.choice)
    assert sum(1 for name in board.log if name.startswith("name-")) == 1
    for name in ("buy-11111", "buy5-11111", "name-11111"):
        assert "is over" in touch(session, name)["wrong"]
    assert not session.answer({"do": "look"})["buttons"]
    board.shown = frozenset()
    check_session(session)


@pytest.mark.parametrize("seed", [None, 0, 1, 2])
def test_parameters_reach_every_point_once(seed):
    board = LandscapeBoard(disguised=seed is not None, seed=seed or 0)
    choices = list(itertools.product(*(range(len(values)) for values in board.columns)))
    points = [board.point_of(d) for d in choices]
    assert sorted(points) == [tuple(p) for p in AGENT_SPACE.all_points()]
    assert [board.choice_of(point) for point in points] == choices
    assert (points == choices) == (seed is None)


def test_every_value_is_a_target_and_turns_its_parameter():
    session = Session(LandscapeBoard(seed=1))
    names = [
        f"{letter}{i + 1}"
        for letter, n in zip(LandscapeBoard.letters, AGENT_SPACE.n_values, strict=True)
        for i in range(n)
    ]
    assert targets(session.board.svg()) == names
    for name in names:
        answer = touch(session, name)
        assert session.board.choice[LandscapeBoard.letters.index(name[0])] == int(name[1]) - 1
        digits = "".join(str(column + 1) for column in session.board.choice)
        assert answer["buttons"] == [
            (f"buy-{digits}", "Buy a game"),
            (f"buy5-{digits}", "Buy 5 games"),
        ]
        assert not answer["can_undo"]
    assert session.board.log == ()
    assert labels(session.board)["E2"] == "length 10"
    assert labels(session.board)["B2"] == "flip_one yes"


def test_games_are_won_by_the_chance_of_the_table():
    table = load_table(DATA / "planet_wars.csv", AGENT_SPACE)
    chances = (table.wins + table.draws / 2) / table.n_games
    board = LandscapeBoard()
    for point, chance in zip(AGENT_SPACE.all_points(), chances, strict=True):
        assert board.chance(tuple(point)) == pytest.approx(chance, abs=1e-12)
        assert board.rank(tuple(point)) == 1 + int((chances > chance + 1e-12).sum())
    point, n = AGENT_SPACE.all_points()[chances.argmax()], 0
    for seed in range(10):
        board = LandscapeBoard(n_games=100, seed=seed)
        digits = board.digits(board.choice_of(tuple(point.tolist())))
        bought(board, *[f"buy5-{digits}"] * 20)
        n += board.settings()[0][1]
    p = chances.max()
    assert abs(n / 1000 - p) < 4 * np.sqrt(p * (1 - p) / 1000)


def test_five_games_at_once_are_five_games():
    one = bought(LandscapeBoard(seed=7), "buy5-42216", "buy-41111")
    other = bought(LandscapeBoard(seed=7), *["buy-42216"] * 5, "buy-41111")
    assert one.bought == other.bought
    assert len(one.bought) == 6
    almost = bought(LandscapeBoard(seed=7, n_games=13), *["buy5-42216"] * 3)
    assert (len(almost.bought), almost.latest) == (13, 3)
    assert almost.bought[:5] == one.bought[:5]
    with pytest.raises(WrongTouch, match="All 13 games are bought"):
        almost.touch("buy-11111")
    assert [words for _, words in almost.buttons()] == ["Name this agent: the end"]


def test_what_is_shown_of_games_is_counted_by_hand():
    session = play_on(LandscapeBoard(seed=5), shopper(5), most=60)
    board = session.board
    for view in LandscapeBoard.views.keys() - board.shown:
        board.touch(f"show-{view}")
    assert len(board.bought) > 10
    shown = labels(board)
    for row, letter in enumerate(LandscapeBoard.letters):
        for column, value in enumerate(AGENT_SPACE.values[row]):
            games = [f for point, f in board.bought if AGENT_SPACE.values[row][point[row]] == value]
            tally = f"{games.count(1.0)}/{len(games)}" if games else "–"
            assert shown[f"{letter}{column + 1}"].endswith(f", {tally}")
    listed = {name: label for name, label in shown.items() if name.startswith("set-")}
    assert len(listed) == len({point for point, _ in board.bought})
    means = []
    for name, label in listed.items():
        point = tuple(int(digit) - 1 for digit in name[4:])
        games = [f for p, f in board.bought if p == point]
        assert label.endswith(f", won {games.count(1.0)} of {len(games)}")
        means.append((games.count(1.0) / len(games), games.count(1.0), -len(games)))
    assert means == sorted(means, reverse=True)
    assert f"games left: {50 - len(board.bought)} of 50" in texts(board)


def test_of_equal_means_more_wins_and_then_fewer_losses_are_first():
    board = LandscapeBoard()
    a, b, c = (0, 0, 0, 0, 0), (1, 0, 0, 0, 0), (2, 0, 0, 0, 0)
    board.bought = tuple(
        (p, f) for p, f in zip((a, b, b, b, b, c), (1, -1, 1, 1, -1, 1), strict=True)
    )
    assert board.settings() == [(a, 1, 1), (c, 1, 1), (b, 2, 4)]
    board.bought = tuple(
        (p, f) for p, f in zip((a, b, b, c, c, c), (-1, 1, 1, -1, -1, -1), strict=True)
    )
    assert board.settings() == [(b, 2, 2), (a, 0, 1), (c, 0, 3)]


def test_what_was_bought_at_last_is_said():
    board = bought(LandscapeBoard(seed=3), "buy-11111", "buy5-42212")
    won = [fitness for _, fitness in board.bought[1:]].count(1.0)
    assert won not in (0, 5)
    assert f"last 5: {won} won" in texts(board)
    assert board.say().startswith(f"{won} of 5 games with 3 yes yes 1 10 were won.")
    assert f"won {won} of 5 games." in board.say()
    for _ in range(6):
        board.touch("buy-42212")
        word = "won" if board.bought[-1][1] == 1.0 else "lost"
        assert f"last game {word}" in texts(board)
        assert f"The game with 3 yes yes 1 10 was {word}." in board.say()
    assert {fitness for _, fitness in board.bought[6:]} == {-1.0, 1.0}


def test_equal_settings_are_level(monkeypatch):
    monkeypatch.setattr(LandscapeBoard, "n_runs", 2)
    board = bought(LandscapeBoard(seed=1), "buy-22212", "name-22212")
    chances = {point: board.chance(point) for point in itertools.product(range(2), repeat=5)}
    named, low = board.named, min(chances, key=chances.get)
    board.recommended = {"NTBEA": (named, low)}
    assert "You beat 1 of them and are level with 1." in board.say()
    board.recommended = {"NTBEA": (low, low)}
    assert "You beat 2 of them." in board.say()
    board.recommended = {"NTBEA": ((3, 1, 1, 0, 1), (3, 1, 1, 0, 1))}
    assert "You beat 0 of them." in board.say()


def test_marginals_are_the_ones_that_the_model_of_single_parameters_has():
    board = bought(
        LandscapeBoard(seed=2, n_games=60), *[f"buy5-{d}" for d in ("42211", "42212")] * 5
    )
    model = LandscapeModel(AGENT_SPACE, (1,))
    for point, fitness in board.bought:
        model.add(point, fitness)
    board.touch("show-marginals")
    for (row, column), [(said, share, _)] in landscape_picture._bars(board).items():
        arms = model.arms((row,))
        assert said == "–" if not arms.n[column] else said.endswith(f"/{arms.n[column]}")
        assert share == (pytest.approx((arms.mean[column] + 1) / 2) if arms.n[column] else 0.0)


def test_a_tile_puts_the_parameters_back():
    board = bought(LandscapeBoard(seed=2), "buy-31125", "A1", "C2")
    assert board.choice == (0, 0, 1, 1, 4)
    assert "no game bought yet" in board.say()
    board.touch("set-31125")
    assert board.choice == (2, 0, 0, 1, 4)
    assert board.log == ("buy-31125",)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("A5", "'A5' cannot be touched"),
        ("B3", "'B3' cannot be touched"),
        ("E0", "'E0' cannot be touched"),
        ("F1", "'F1' cannot be touched"),
        ("A²", "'A²' cannot be touched"),
        ("A11", "'A11' cannot be touched"),
        ("buy-1111", "a value of each"),
        ("buy-11117", "a value of each"),
        ("buy-01111", "a value of each"),
        ("set-1111x", "a value of each"),
        ("buy-١١١١١", "a value of each"),
        ("buy", "a value of each"),
        ("name-11111", "Buy a game first"),
    ],
)
def test_wrong_touches(name, words):
    board = LandscapeBoard(seed=1)
    with pytest.raises(WrongTouch, match=words):
        board.touch(name)
    assert board.choice == (0,) * 5 or name.startswith("name")


def test_names_are_hidden_until_the_end_and_only_before_the_first_game():
    session = Session(LandscapeBoard(seed=11))
    assert session.answer({"do": "look"})["selects"][0][2] == "named"
    answer = touch(session, "disguised")
    assert answer["selects"][0][2] == "disguised"
    assert "disguised: true" in answer["text"]
    touch(session, "buy5-11111")
    for name in ("named", "disguised"):
        assert "before the first game" in touch(session, name)["wrong"]
    answer = touch(session, "show-all")
    assert not answer["selects"]
    for name in AGENT_SPACE.names:
        assert name not in answer["svg"] + answer["say"]
    answer = touch(session, "name-11111")
    for row, name in enumerate(AGENT_SPACE.names):
        assert name in answer["svg"]
        assert name in answer["say"]
        values = {
            str(v).replace("True", "yes").replace("False", "no") for v in AGENT_SPACE.values[row]
        }
        letter = LandscapeBoard.letters[session.board.rows.index(row)]
        said = {label.split(",")[0] for n, label in labels(session.board).items() if n[0] == letter}
        assert said == {f"{name} {value}" for value in values}
    assert session.answer({"do": "new"})["selects"][0][2] == "disguised"


def test_nothing_true_is_told_before_the_end(monkeypatch):
    board = bought(LandscapeBoard(seed=1), "buy5-42212", "show-all", "show-marginals", "A1")
    before = board.svg(), board.say(), board.buttons()
    for module in (landscape, landscape_picture):
        for name in ("true_chances", "best_point"):
            monkeypatch.setattr(module, name, lambda: 1 / 0)
    assert (board.svg(), board.say(), board.buttons()) == before
    assert not board.thinks


def test_after_the_end_any_setting_tells_its_chance():
    board = bought(LandscapeBoard(seed=1), "buy-42212", "name-42212")
    assert "wins 64% of its games: it is the best of all 288, n_mutated 3" in board.say()
    assert "the values above: 64%, number 1 of 288" in texts(board)
    board.touch("A1")
    point = (0, 1, 1, 0, 1)
    assert (
        f"the values above: {board.chance(point):.0%}, number {board.rank(point)} of 288"
        in texts(board)
    )
    assert f"{board.chance(point):.0%}, number {board.rank(point)}." in board.say()
    assert board.named == (3, 1, 1, 0, 1)


def test_what_the_chapter_says_of_the_landscape():
    """Half of the settings win fewer than one game in ten."""
    chances = [LandscapeBoard().chance(point) for point in np.ndindex(*AGENT_SPACE.n_values)]
    assert 0.5 < np.mean(np.array(chances) < 0.1) < 0.53


def test_the_chosen_setting_is_in_the_list():
    board = LandscapeBoard(seed=1)
    names = [f"{a}{b}1{c}1" for a in (1, 2) for b in (1, 2) for c in (1, 2, 3)]
    bought(board, *[f"buy-{name}" for name in names])
    listed = [name for name in targets(board.svg()) if name.startswith("set-")]
    order = [f"set-{board.digits(board.choice_of(p))}" for p, _, _ in board.settings()]
    for name in order:
        board.touch(name)
        listed = [shown for shown in targets(board.svg()) if shown.startswith("set-")]
        assert listed == order[:8] + [name] * (name not in order[:8])
    assert "best 8 means of 12 agents; last: the values above" in texts(board)
    board.touch("E6")
    assert "best 8 means of 12 agents" in texts(board)


def test_one_game_is_no_games():
    board = bought(LandscapeBoard(n_games=10), *["buy-11111"] * 9)
    assert board.say().endswith("\n1 game is left.")
    assert "won 0 of 1 game." in bought(LandscapeBoard(), "buy-11111").say()


def test_readers_of_the_disguised_find_their_settings_again():
    board = bought(LandscapeBoard(disguised=True, seed=4), "buy5-21221", "name-21221")
    assert "The agent you named, 2 1 2 2 1, wins" in board.say()
    shown = labels(board)
    for row, letter in enumerate(LandscapeBoard.letters):
        for column in range(len(board.columns[row])):
            value = f"{board.parameter(row)} {board.value(row, column)}"
            label = shown[f"{letter}{column + 1}"]
            assert label.startswith(f"{value}, in disguise {letter} {column + 1}, ")
    assert ", in disguise 2 1 2 2 1, " in shown["set-21221"]
    at = texts(board).index("2 1 2 2 1")
    assert texts(board)[at + 3] == f"= {board.spelled(board.choice)}"
    assert "disguise" not in "".join(
        labels(bought(LandscapeBoard(), "buy-11111", "name-11111")).values()
    )


def test_true_marginals_are_means_of_the_table():
    truth = load_table(DATA / "planet_wars.csv", AGENT_SPACE).mean.reshape(AGENT_SPACE.n_values)
    board = bought(LandscapeBoard(seed=1), "buy-42212", "name-42212")
    for column in range(6):
        mean = (truth[..., column].mean() + 1) / 2
        assert labels(board)[f"E{column + 1}"].endswith(f", {mean:.0%}")
    assert labels(board)["set-42212"].endswith("64% true")


def test_rivals_find_what_the_library_finds(monkeypatch):
    monkeypatch.setattr(LandscapeBoard, "n_runs", 3)
    board = LandscapeBoard(seed=6, n_games=23)
    assert list(board.think()) == []
    bought(board, "buy-11111", "name-11111")
    session = Session(board)
    assert session.answer({"do": "look"})["thinks"]
    done = [session.answer({"do": "think"})["done"]]
    while session.answer({"do": "look"})["thinking"]:
        done.append(session.answer({"do": "think"})["done"])
    assert done.pop() is None
    assert done == sorted(done)
    assert done[0] == 0
    assert done[-1] < 1
    problem = planet_wars_table()
    for run in range(3):
        model = LandscapeModel(AGENT_SPACE)
        rng = np.random.default_rng([board._luck, 1, run])
        list(islice(search_steps(problem.evaluate, model, rng), 23))
        assert session.board.recommended["NTBEA"][run] == tuple(best_sampled(model))
        rng = np.random.default_rng([board._luck, 2, run])
        points, fitness = random_games(AGENT_SPACE, problem.evaluate, 23, rng)
        found = best_marginals(AGENT_SPACE, points, fitness, rng)
        assert session.board.recommended["random"][run] == tuple(found)
        for name, tried, named in (
            ("NTBEA", model.points, best_sampled(model)),
            ("random", points, found),
        ):
            n_named = int((tried == named).all(axis=1).sum())
            assert session.board.spent[name][run] == (len(np.unique(tried, axis=0)), n_named)
    words = texts(session.board)
    at = words.index("agents")
    assert words[at + 3 : at + 8] == ["you", "1", "1", "1", f"{board.chance((0,) * 5):.0%}"]
    for name, cells in (("NTBEA", words[at + 8 : at + 13]), ("random", words[at + 13 : at + 18])):
        tried, games = np.mean(session.board.spent[name], axis=0)
        true = np.mean([board.chance(p) for p in session.board.recommended[name]])
        assert cells == [f"{name}, mean", "23", f"{tried:.1f}", f"{games:.1f}", f"{true:.0%}"]
    yours = board.chance((0, 0, 0, 0, 0))
    said = session.board.say().splitlines()
    for line, name in zip(said[1:], ("NTBEA", "random"), strict=True):
        true = np.array([board.chance(p) for p in session.board.recommended[name]])
        assert f"{true.mean():.0%} in the mean of 3 runs" in line
        assert f"from {true.min():.0%} to {true.max():.0%}" in line
        assert f"You beat {(true < yours).sum()} of them" in line
        assert ("level with" in line) == bool((true == yours).any())
        assert any(re.search(rf"3 runs: mean {true.mean():.0%}$", t) for t in texts(session.board))


def test_thinking_that_was_stopped_goes_on(monkeypatch):
    monkeypatch.setattr(LandscapeBoard, "n_runs", 2)
    whole = Session(bought(LandscapeBoard(seed=8, n_games=10), "buy-11111", "name-11111"))
    parts = Session(bought(LandscapeBoard(seed=8, n_games=10), "buy-11111", "name-11111"))
    while whole.answer({"do": "think"})["thinking"]:
        pass
    for _ in range(3):
        parts.answer({"do": "think"})
    touch(parts, "A2")  # looks at another setting, and ends the thought
    assert len(parts.board.recommended["NTBEA"]) == 1
    assert parts.board.thinks
    assert "so far is in the picture" in parts.board.say()
    assert not parts.answer({"do": "look"})["thinking"]
    while parts.answer({"do": "think"})["thinking"]:
        pass
    assert parts.board.recommended == whole.board.recommended
    assert not parts.answer({"do": "look"})["thinks"]
    assert list(parts.board.think()) == []
