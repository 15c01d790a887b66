"""The boards of three arms and of the hidden landscape, played by touches and counted again."""

import itertools
import re
import xml.etree.ElementTree as ET
from itertools import islice

import numpy as np
import pytest

from gameai_book.ntbea.boards import landscape, landscape_picture
from gameai_book.ntbea.boards.arms import ARMS, CHANCES, ArmsBoard
from gameai_book.ntbea.boards.landscape import LandscapeBoard, Rival
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


@pytest.mark.parametrize("n_pulls", [30, 47])
def test_the_end_tells_what_pulls_were_worth_and_shows_them_in_order(n_pulls):
    board, results = ArmsBoard(n_pulls=n_pulls, seed=3), []
    order = ("CABBA" + "ACB" * 9 + "C" * n_pulls)[:n_pulls]
    for arm in order:
        n = board.won.sum()
        results.append(bool(pulled(board, arm).won.sum() > n))
    ucb1, best = board.rivals["UCB1"], int(board.chances.argmax())
    always = board.rivals[f"always {ARMS[best]}"]
    assert always.tolist() == [n_pulls * (arm == best) for arm in range(3)]
    most = n_pulls * board.chances[best]
    assert board.wins_of(always) == (board.rewards[best].sum(), pytest.approx(most))
    words, pictured = texts(board), list(ET.fromstring(board.svg()).iter())
    assert {f"truth {chance:.2f}" for chance in board.chances} <= set(words)
    table = words[words.index("worth") :]
    pulls = [order.count(arm) for arm in ARMS]
    alike, worth = n_pulls * board.chances.mean(), pulls @ board.chances
    for row in (
        ["you", f"{sum(results)}", "{}, {}, {}".format(*pulls), f"{worth:.1f}"],
        ["all alike", "–", f"{n_pulls / 3:.3g} each", f"{alike:.1f}", f"{most - alike:.1f}"],
        ["UCB1, k = 0.5", str(board.wins_of(ucb1)[0])],
        [f"always {ARMS[best]}", *table[table.index(f"always {ARMS[best]}") + 1 :][:3], "0.0"],
    ):
        at = table.index(row[0])
        assert table[at : at + len(row)] == row

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
    changed = len(order.rstrip(order[-1])) + 1
    assert f"You last changed the arm at pull {changed}, and UCB1 " in board.say()
    at = int(re.search(r"UCB1 last changed the arm at pull (\d+)", board.say())[1])
    assert set(letters[at - 1 :]) == {letters[-1]} != {letters[at - 2]}
    assert "You never changed the arm, " in pulled(ArmsBoard(), "A" * 30).say()


def test_what_the_chapter_says_of_ucb1():
    """In about a quarter of games most pulls go to a wrong arm, in a tenth chance does as well."""
    wrong, idle, n_games = 0, 0, 300
    for seed in range(n_games):
        board = pulled(ArmsBoard(seed=seed), "A" * 30)
        n = board.rivals["UCB1"]
        assert n.min() > 0
        wrong += n.argmax() != board.chances.argmax()
        idle += board.wins_of(n)[1] < 30 * board.chances.mean() + 1e-9
    assert 0.2 < wrong / n_games < 0.3
    assert 0.07 < idle / n_games < 0.16


# A hidden landscape


def test_a_game_of_the_landscape():
    session = play_on(LandscapeBoard(seed=3), at_random(0))
    board = session.board
    assert board.named == board.point_of(board.choice)
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
        digits = "".join(str(column + 1) for column in session.board.choice)
        assert buttons == [(f"buy-{digits}", "Buy a game"), (f"buy5-{digits}", "Buy 5 games")]
    assert session.board.choice == tuple(len(values) - 1 for values in session.board.columns)
    assert session.board.log == ()


def test_every_agent_is_there_once_and_wins_by_the_chance_of_the_table():
    table = load_table(DATA / "planet_wars.csv", AGENT_SPACE)
    chances = (table.wins + table.draws / 2) / table.n_games
    assert 0.5 < np.mean(chances < 0.1) < 0.53  # "half win fewer than one game in ten"
    board = LandscapeBoard(seed=1)
    choices = list(itertools.product(*(range(len(values)) for values in board.columns)))
    points = [board.point_of(choice) for choice in choices]
    assert sorted(points) == [tuple(point) for point in AGENT_SPACE.all_points()] != points
    assert [board.choice_of(point) for point in points] == choices
    for point, chance in zip(AGENT_SPACE.all_points(), chances, strict=True):
        assert board.chance(tuple(point)) == pytest.approx(chance, abs=1e-12)
        assert board.rank(tuple(point)) == 1 + int((chances > chance + 1e-12).sum())
    point, n = tuple(AGENT_SPACE.all_points()[chances.argmax()].tolist()), 0
    for seed in range(20):
        board = LandscapeBoard(seed=seed)
        touched(board, *[f"buy5-{board.digits(board.choice_of(point))}"] * 10)
        n += board.settings()[0][1]
    p = chances.max()
    assert abs(n / 1000 - p) < 4 * np.sqrt(p * (1 - p) / 1000)


def test_what_is_bought_is_said_and_five_games_at_once_are_five_games():
    board = LandscapeBoard(seed=3)
    digits = board.digits(board.choice_of((3, 1, 1, 0, 1)))
    touched(board, "buy-11111", f"buy5-{digits}")
    won = [fitness for _, fitness in board.bought[1:]].count(1.0)
    assert won not in (0, 5)
    assert f"last 5: {won} won" in texts(board)
    assert board.say().startswith(f"{won} of 5 games with {' '.join(digits)} were won.")
    word = "won" if touched(board, f"buy-{digits}").bought[-1][1] == 1.0 else "lost"
    assert f"last game {word}" in texts(board)
    assert f"The game with {' '.join(digits)} was {word}." in board.say()
    assert "no game bought yet" in touched(board, "A2", "B2", "C2", "D2", "E2").say()
    assert board.digits(touched(board, f"set-{digits}").choice) == digits
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
    found, order = labels(touched(board, *(f"show-{view}" for view in hidden))), []
    for row, letter in enumerate(LandscapeBoard.letters):
        for column, value in enumerate(board.columns[row]):
            games = [f for point, f in board.bought if point[board.rows[row]] == value]
            tally = f"{games.count(1.0)}/{len(games)}" if games else "–"
            assert found.pop(f"{letter}{column + 1}").endswith(f", {tally}")
    assert len(found) == len({point for point, _ in board.bought})
    for name, label in found.items():
        point = board.point_of([int(digit) - 1 for digit in name.removeprefix("set-")])
        games = [f for p, f in board.bought if p == point]
        assert label.endswith(f", won {games.count(1.0)} of {len(games)}")
        order.append((games.count(1.0) / len(games), games.count(1.0), -len(games)))
        listed = targets(touched(board, name).svg())
        shown = [*found][:8]
        assert [n for n in listed if "set" in n] == shown + [name] * (name not in shown)
    assert order == sorted(order, reverse=True)  # of equal means more wins, then fewer losses
    assert f"games left: {50 - len(board.bought)} of 50" in texts(board)


def test_wrong_touches():
    board = LandscapeBoard(seed=1)
    for words, names in {
        "cannot be touched": ("A9", "E0", "A²", "A11"),
        "a value of each": ("buy-11117", "set-1111x", "buy-١١١١١"),
        "Buy a game first": ("name-11111",),
    }.items():
        for name in names:
            with pytest.raises(WrongTouch, match=words):
                board.touch(name)
    assert board.choice == (0,) * 5


def test_names_and_truths_are_hidden_until_the_end(monkeypatch):
    board = touched(LandscapeBoard(seed=4), "buy5-11111", "show-all", "show-marginals", "A1")
    before = board.svg(), board.say(), board.buttons()
    assert not [name for name in AGENT_SPACE.names if name in "".join(map(str, before))]
    with monkeypatch.context() as patched:
        for module in (landscape, landscape_picture):
            for name in ("true_chances", "best_agent"):
                patched.setattr(module, name, lambda: 1 / 0)
        assert (board.svg(), board.say(), board.buttons()) == before
    assert not board.thinks
    touched(board, "name-11111", "show-marginals")
    assert "The agent you named, 1 1 1 1 1, wins" in board.say()
    truth = load_table(DATA / "planet_wars.csv", AGENT_SPACE).mean.reshape(AGENT_SPACE.n_values)
    for row, (dim, letter) in enumerate(zip(board.rows, board.letters, strict=True)):
        assert AGENT_SPACE.names[dim] in board.svg()
        for column, at in enumerate(board.columns[row]):
            value = str(AGENT_SPACE.values[dim][at])
            value = value.replace("True", "yes").replace("False", "no")
            mean = (truth.take(at, axis=dim).mean() + 1) / 2
            label = labels(board)[f"{letter}{column + 1}"]
            disguise = f"in disguise {letter} {column + 1}"
            assert label == f"{AGENT_SPACE.names[dim]} {value}, {disguise}, {mean:.0%}"
    assert ", in disguise 1 1 1 1 1, " in labels(board)["set-11111"]
    assert texts(board)[texts(board).index("1 1 1 1 1") + 3] == f"= {board.spell(board.choice)}"


def test_after_the_end_any_setting_tells_its_chance():
    board = LandscapeBoard(seed=1)
    digits = board.digits(board.choice_of((3, 1, 1, 0, 1)))
    touched(board, f"buy-{digits}", f"name-{digits}")
    assert "wins 64% of its games: it is the best of all 288, " in board.say()
    assert "the values above: 64%, number 1 of 288" in texts(board)
    assert labels(board)[f"set-{digits}"].endswith("64% true")
    row, other = board.rows.index(0), (0, 1, 1, 0, 1)
    board.touch(f"{board.letters[row]}{board.columns[row].index(0) + 1}")
    chance, rank = board.chance(other), board.rank(other)
    assert f"the values above: {chance:.0%}, number {rank} of 288" in texts(board)
    assert f"{chance:.0%}, number {rank}." in board.say()
    assert board.named == (3, 1, 1, 0, 1)
    board.n_runs = 2
    for named, said in (
        ((board.named, other), "You beat 1 of them and are level with 1."),
        ((other, other), "You beat 2 of them."),
        ((board.named, board.named), "You beat 0 of them and are level with 2."),
    ):
        board.runs = dict.fromkeys(board.runs, tuple(Rival(point, 1, 1) for point in named))
        assert said in board.say()


def test_rivals_find_what_the_library_finds_also_if_they_are_stopped(monkeypatch):
    monkeypatch.setattr(LandscapeBoard, "n_runs", 2)
    monkeypatch.setattr(LandscapeBoard, "n_games", 23)
    board = LandscapeBoard(seed=6)
    assert list(board.think()) == []
    session = Session(touched(board, "buy-11111", "name-11111"))
    assert session.answer({"do": "look"})["thinks"]
    for _ in range(7):  # into the second run
        session.answer({"do": "think"})
    touch(session, "A2")  # looks at another setting, and ends the thought
    assert len(session.board.runs["NTBEA"]) == 1
    assert "so far is in the picture" in session.board.say()
    done = [session.answer({"do": "think"})["done"]]
    while session.answer({"do": "look"})["thinking"]:
        done.append(session.answer({"do": "think"})["done"])
    assert done == [0.5 + n / 46 for n in range(0, 23, 5)] + [None]
    board, problem = session.board, planet_wars_table()
    assert not board.thinks
    assert list(board.think()) == []
    for run in range(2):
        model, rng = LandscapeModel(AGENT_SPACE), np.random.default_rng([board._luck, 1, run])
        list(islice(search_steps(problem.evaluate, model, rng), 23))
        rng = np.random.default_rng([board._luck, 2, run])
        points, fitness = random_games(problem, 23, rng)
        found = best_marginals(AGENT_SPACE, points, fitness, rng)
        ends = {"NTBEA": (model.points, best_sampled(model)), "random": (points, found)}
        for name, (tried, named) in ends.items():
            n_named = int((tried == named).all(axis=1).sum())
            n_tried = len(np.unique(tried, axis=0))
            assert board.runs[name][run] == (tuple(named.tolist()), n_tried, n_named)
    words, said = texts(board), board.say().splitlines()
    at, yours = words.index("agents") + 3, board.chance(board.named)
    assert words[at : at + 5] == ["you", "1", "1", "1", f"{yours:.0%}"]
    for k, name in enumerate(("NTBEA", "random"), 1):
        true = board.chances_of(name)
        counts = [run[1:] for run in board.runs[name]]
        means = [f"{mean:.1f}" for mean in np.mean(counts, axis=0)]
        cells = [f"{name}, mean", "23", *means, f"{true.mean():.0%}"]
        assert words[at + 5 * k : at + 5 * k + 5] == cells
        assert f"{true.mean():.0%} in the mean of 2 runs" in said[k + 1]
        assert f"from {true.min():.0%} to {true.max():.0%}" in said[k + 1]
        assert f"You beat {(true < yours).sum()} of them" in said[k + 1]
        assert any(re.search(rf"2 runs: mean {true.mean():.0%}$", text) for text in words)
