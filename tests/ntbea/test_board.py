"""The boards of three arms and of the hidden landscape, played by touches and counted again."""

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


@pytest.mark.parametrize(("n_pulls", "k"), [(30, 0.5), (5, 0.0), (60, 10.0)])
def test_a_game_of_arms(n_pulls, k):
    board = touched(ArmsBoard(n_pulls=n_pulls, k=k, seed=1), *["show-bounds"] * (k > 0))
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
def test_bounds_shown_are_those_of_the_bandit(k):
    board, n = touched(ArmsBoard(seed=2, k=k), "show-bounds"), [0, 0, 0]

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
    assert board.rivals["UCB1"].tolist() == board.n.tolist() == n
    assert board.wins_of(board.n)[0] == board.won.sum()


def test_the_end_is_reckoned_from_chances_and_rewards():
    board = pulled(ArmsBoard(seed=4), "ABC" * 10)
    best, worth = int(board.chances.argmax()), 10 * board.chances.sum()
    always = board.rivals[f"always {ARMS[best]}"]
    assert always.tolist() == [30 * (arm == best) for arm in range(3)]
    of_best = board.rewards[best].sum(), pytest.approx(30 * max(board.chances))
    assert board.wins_of(always) == of_best
    words = texts(board)
    table = words[words.index("worth") :]

    def row(name, n):
        return table[table.index(name) : table.index(name) + n]

    cost = f"{30 * max(board.chances) - worth:.1f}"
    assert row("you", 5) == ["you", str(board.won.sum()), "10, 10, 10", f"{worth:.1f}", cost]
    assert row("all alike", 5) == ["all alike", "–", "10 each", f"{worth:.1f}", cost]
    assert row("UCB1, k = 0.5", 2)[1] == str(board.wins_of(board.rivals["UCB1"])[0])
    assert row(f"always {ARMS[best]}", 5)[4] == "0.0"
    assert {f"truth {chance:.2f}" for chance in board.chances} <= set(words)


def strip(board, name):
    """The pulls in order as the picture shows them: letters, and whether each is bold and full."""
    found = list(ET.fromstring(board.svg()).iter())
    first = [e.text for e in found].index(name) + 1
    pairs = found[first : first + 2 * board.n_pulls]
    bold = ["bold" in letter.get("class") for letter in pairs[::2]]
    assert [dot.get("r") == "5" for dot in pairs[1::2]] == bold
    assert all(0 < float(letter.get("x")) < 400 for letter in pairs[::2])
    return "".join(letter.text for letter in pairs[::2]), bold


@pytest.mark.parametrize("n_pulls", [30, 47])
def test_the_end_shows_pulls_in_order(n_pulls):
    board, results = ArmsBoard(n_pulls=n_pulls, seed=3), []
    order = ("CABBA" + "ACB" * 9 + "C" * n_pulls)[:n_pulls]
    for arm in order:
        n = board.won.sum()
        results.append(bool(pulled(board, arm).won.sum() > n))
    assert strip(board, "you") == (order, results)
    letters, won = strip(board, "UCB1")
    assert [letters.count(arm) for arm in ARMS] == board.rivals["UCB1"].tolist()
    assert sum(won) == board.wins_of(board.rivals["UCB1"])[0]
    changed = len(order.rstrip(order[-1])) + 1
    assert f"You last changed the arm at pull {changed}, and UCB1 " in board.say()
    at = int(re.search(r"UCB1 last changed the arm at pull (\d+)", board.say())[1])
    assert set(letters[at - 1 :]) == {letters[-1]} != {letters[at - 2]}
    assert "You never changed the arm, " in pulled(ArmsBoard(), "A" * 30).say()


def test_what_the_chapter_says_of_ucb1():
    """In about a quarter of games most pulls go to a wrong arm, in a tenth chance does as well."""
    wrong, idle, n_games = 0, 0, 400
    for seed in range(n_games):
        board = pulled(ArmsBoard(seed=seed), "A" * 30)
        n = board.rivals["UCB1"]
        assert n.min() > 0
        wrong += n.argmax() != board.chances.argmax()
        idle += board.wins_of(n)[1] < 30 * board.chances.mean() + 1e-9
    assert 0.2 < wrong / n_games < 0.3
    assert 0.07 < idle / n_games < 0.16


# A hidden landscape


@pytest.mark.parametrize("disguised", [False, True])
def test_a_game_of_the_landscape(disguised):
    board = LandscapeBoard(disguised=disguised, n_games=20, seed=3)
    touched(board, *["show-all", "show-marginals"] * disguised)
    session = play_on(board, at_random(disguised))
    board = session.board
    assert board.named == board.point_of(board.choice)
    assert sum(1 for name in board.log if name.startswith("name-")) == 1
    for name in ("buy-11111", "buy5-11111", "name-11111"):
        assert "is over" in touch(session, name)["wrong"]
    assert not session.answer({"do": "look"})["buttons"]
    board.shown = frozenset()
    check_session(session)


@pytest.mark.parametrize("seed", [None, 0, 1])
def test_parameters_reach_every_point_once(seed):
    board = LandscapeBoard(disguised=seed is not None, seed=seed or 0)
    choices = list(itertools.product(*(range(len(values)) for values in board.columns)))
    points = [board.point_of(d) for d in choices]
    assert sorted(points) == [tuple(p) for p in AGENT_SPACE.all_points()]
    assert [board.choice_of(point) for point in points] == choices
    assert (points == choices) == (seed is None)


def test_every_value_is_a_target_and_turns_its_parameter():
    session = Session(LandscapeBoard(seed=1))
    for name in targets(session.board.svg()):
        buttons = touch(session, name)["buttons"]
        assert session.board.choice[LandscapeBoard.letters.index(name[0])] == int(name[1]) - 1
        digits = "".join(str(column + 1) for column in session.board.choice)
        assert buttons == [(f"buy-{digits}", "Buy a game"), (f"buy5-{digits}", "Buy 5 games")]
    assert session.board.choice == tuple(n - 1 for n in AGENT_SPACE.n_values)
    assert session.board.log == ()
    assert (labels(session.board)["E2"], labels(session.board)["B2"]) == (
        "length 10", "flip_one yes",
    )  # fmt: skip


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
        touched(board, *[f"buy5-{digits}"] * 20)
        n += board.settings()[0][1]
    p = chances.max()
    assert abs(n / 1000 - p) < 4 * np.sqrt(p * (1 - p) / 1000)


def test_five_games_at_once_are_five_games():
    one = touched(LandscapeBoard(seed=7), "buy5-42216", "buy-41111")
    other = touched(LandscapeBoard(seed=7), *["buy-42216"] * 5, "buy-41111")
    assert one.bought == other.bought
    assert len(one.bought) == 6
    almost = touched(LandscapeBoard(seed=7, n_games=13), *["buy5-42216"] * 3)
    assert (len(almost.bought), almost.latest) == (13, 3)
    assert almost.bought[:5] == one.bought[:5]
    with pytest.raises(WrongTouch, match="All 13 games are bought"):
        almost.touch("buy-11111")
    assert [words for _, words in almost.buttons()] == ["Name this agent: the end"]


def test_what_is_shown_of_games_is_counted_by_hand():
    session = play_on(LandscapeBoard(seed=5), at_random(5), most=60)
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


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("A5", "'A5' cannot be touched"),
        ("E0", "'E0' cannot be touched"),
        ("A²", "'A²' cannot be touched"),
        ("A11", "'A11' cannot be touched"),
        ("buy-11117", "a value of each"),
        ("set-1111x", "a value of each"),
        ("buy-١١١١١", "a value of each"),
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
    board = touched(LandscapeBoard(seed=1), "buy5-42212", "show-all", "show-marginals", "A1")
    before = board.svg(), board.say(), board.buttons()
    for module in (landscape, landscape_picture):
        for name in ("true_chances", "best_point"):
            monkeypatch.setattr(module, name, lambda: 1 / 0)
    assert (board.svg(), board.say(), board.buttons()) == before
    assert not board.thinks


def test_after_the_end_any_setting_tells_its_chance():
    board = touched(LandscapeBoard(seed=1), "buy-42212", "name-42212")
    assert "wins 64% of its games: it is the best of all 288, n_mutated 3" in board.say()
    assert "the values above: 64%, number 1 of 288" in texts(board)
    assert labels(board)["set-42212"].endswith("64% true")
    truth = load_table(DATA / "planet_wars.csv", AGENT_SPACE).mean.reshape(AGENT_SPACE.n_values)
    for column in range(6):
        mean = (truth[..., column].mean() + 1) / 2
        assert labels(board)[f"E{column + 1}"].endswith(f", {mean:.0%}")
    board.touch("A1")
    chance, rank = board.chance((0, 1, 1, 0, 1)), board.rank((0, 1, 1, 0, 1))
    assert f"the values above: {chance:.0%}, number {rank} of 288" in texts(board)
    assert f"{chance:.0%}, number {rank}." in board.say()
    assert board.named == (3, 1, 1, 0, 1)
    board.n_runs = 2
    for recommended, said in (
        ((board.named, (0, 1, 1, 0, 1)), "You beat 1 of them and are level with 1."),
        (((0, 1, 1, 0, 1),) * 2, "You beat 2 of them."),
        ((board.named,) * 2, "You beat 0 of them and are level with 2."),
    ):
        board.recommended = {"NTBEA": recommended}
        assert said in board.say()


def test_what_the_chapter_says_of_the_landscape():
    """Half of the settings win fewer than one game in ten."""
    chances = [LandscapeBoard().chance(point) for point in np.ndindex(*AGENT_SPACE.n_values)]
    assert 0.5 < np.mean(np.array(chances) < 0.1) < 0.53


def test_marginals_are_the_ones_that_the_model_of_single_parameters_has():
    board = LandscapeBoard(seed=2, n_games=60)
    touched(board, *[f"buy5-{d}" for d in ("42211", "42212")] * 5, "show-marginals")
    model = LandscapeModel(AGENT_SPACE, (1,))
    for point, fitness in board.bought:
        model.add(point, fitness)
    for (row, column), [(said, share, _)] in landscape_picture._bars(board).items():
        n, mean = model.arms((row,)).n[column], model.arms((row,)).mean[column]
        assert said == "–" if not n else said.endswith(f"/{n}")
        assert share == (pytest.approx((mean + 1) / 2) if n else 0.0)


def test_what_was_bought_at_last_is_said_and_its_tile_puts_the_parameters_back():
    board = touched(LandscapeBoard(seed=3), "buy-11111", "buy5-42212")
    won = [fitness for _, fitness in board.bought[1:]].count(1.0)
    assert won not in (0, 5)
    assert f"last 5: {won} won" in texts(board)
    assert board.say().startswith(f"{won} of 5 games with 3 yes yes 1 10 were won.")
    word = "won" if touched(board, "buy-42212").bought[-1][1] == 1.0 else "lost"
    assert f"last game {word}" in texts(board)
    assert f"The game with 3 yes yes 1 10 was {word}." in board.say()
    assert "no game bought yet" in touched(board, "A1", "C1").say()
    assert touched(board, "set-42212").choice == (3, 1, 1, 0, 1)


def test_the_chosen_setting_is_in_the_list():
    board = LandscapeBoard(seed=1)
    names = [f"{a}{b}1{c}1" for a in (1, 2) for b in (1, 2) for c in (1, 2, 3)]
    touched(board, *[f"buy-{name}" for name in names])
    listed = [name for name in targets(board.svg()) if name.startswith("set-")]
    order = [f"set-{board.digits(board.choice_of(p))}" for p, _, _ in board.settings()]
    for name in order:
        board.touch(name)
        listed = [shown for shown in targets(board.svg()) if shown.startswith("set-")]
        assert listed == order[:8] + [name] * (name not in order[:8])
    assert "best 8 means of 12 agents; last: the values above" in texts(board)
    board.touch("E6")
    assert "best 8 means of 12 agents" in texts(board)


def test_readers_of_the_disguised_find_their_settings_again():
    board = touched(LandscapeBoard(disguised=True, seed=4), "buy5-21221", "name-21221")
    assert "The agent you named, 2 1 2 2 1, wins" in board.say()
    shown = labels(board)
    for row, letter in enumerate(LandscapeBoard.letters):
        for column in range(len(board.columns[row])):
            value = f"{board.parameter(row)} {board.value(row, column)}"
            label = shown[f"{letter}{column + 1}"]
            assert label.startswith(f"{value}, in disguise {letter} {column + 1}, ")
    assert ", in disguise 2 1 2 2 1, " in shown["set-21221"]
    at = texts(board).index("2 1 2 2 1")
    assert texts(board)[at + 3] == f"= {board.spell(board.choice)}"
    assert "disguise" not in "".join(
        labels(touched(LandscapeBoard(), "buy-11111", "name-11111")).values()
    )


def test_rivals_find_what_the_library_finds(monkeypatch):
    monkeypatch.setattr(LandscapeBoard, "n_runs", 3)
    board = LandscapeBoard(seed=6, n_games=23)
    assert list(board.think()) == []
    touched(board, "buy-11111", "name-11111")
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
    whole = Session(touched(LandscapeBoard(seed=8, n_games=10), "buy-11111", "name-11111"))
    parts = Session(touched(LandscapeBoard(seed=8, n_games=10), "buy-11111", "name-11111"))
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
