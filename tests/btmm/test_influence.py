"""Which results decide: by refits of all games, one and two at a time, and by hand."""

from itertools import combinations

import numpy as np
import pytest

from gameai_lib.btmm import NoMaximumError, influence, overturn, rate
from tests.btmm.direct import games_of

TURNED = {1: 0, 0: 1, 0.5: 0.5}


def change(games, rows, turn):
    """The games without some rows, or with their results turned."""
    first = {k: (*games[k][:2], TURNED[games[k][2]]) for k in rows} if turn else {}
    return [first.get(k, game) for k, game in enumerate(games) if turn or k not in rows]


def plain(game):
    """A game, however its sides are written."""
    return (
        *((side,) if isinstance(side, str) else tuple(sorted(side)) for side in game[:2]),
        game[2],
    )


@pytest.mark.parametrize("turn", [False, True])
@pytest.mark.parametrize(
    ("sizes", "home", "anchors"),
    [((1,), True, {}), ((1,), True, {"ann": 9.0}), ((2,), False, {}), ((1, (1, 2)), True, {})],
)
def test_one_newton_step_is_near_all_refits(sizes, home, anchors, turn):
    games = [game for game in games_of(sizes, 60, 3) for _ in range(4)]
    options = {"home_advantage": home, "prior": 0.5, "anchors": anchors}
    rating = rate(games, **options)
    before = rating.difference("ann", "eve").elo
    found = {plain(game): elo for game, elo in influence(rating, "ann", "eve", turn=turn)}
    assert len(found) == len({plain(game) for game in games})
    exact = {}
    for k in range(0, len(games), 4):
        one = rate(change(games, [k], turn), **options)
        exact[plain(games[k])] = one.difference("ann", "eve").elo - before
    difference = [abs(found[game] - exact[game]) for game in exact]
    assert max(difference) < 0.06 * max(map(abs, exact.values()))


def least_change(games, turn, most=2):
    """How few games, and which of them, put another one first; by all refits."""
    first = rate(games, prior=0.1).players[0].name
    for n in range(1, most + 1):
        found = []
        for rows in combinations(range(len(games)), n):
            rating = rate(change(games, rows, turn), prior=0.1)
            if rating.players[0].name != first:
                found.append(sorted(map(str, (plain(games[k]) for k in rows))))
        if found:
            return n, found
    return most + 1, []


@pytest.mark.parametrize("turn", [False, True])
def test_as_few_games_as_all_single_and_pair_drops_say(turn):
    counts = []
    for seed in range(12):
        games = games_of((1,), 24, seed)
        n, all_of_them = least_change(games, turn)
        found = overturn(rate(games, prior=0.1), turn=turn)
        counts.append(n)
        assert found.changed
        assert len(found.games) == n or n == 3 <= len(found.games)
        if n < 3:
            assert sorted(map(str, map(plain, found.games))) in all_of_them
    assert {1, 2} <= set(counts)


def test_it_is_rated_without_the_games_and_any_pair_can_be_asked():
    games = games_of((1,), 60, 5)
    rating = rate(games, home_advantage=True)
    order = [player.name for player in rating.players]
    found = overturn(rating, order[1], order[3])
    rest = [plain(game) for game in games]
    for game in found.games:
        rest.remove(plain(game))
    expected = rate(rest, home_advantage=True)
    assert found.changed
    assert [plain(games[k]) for k in found.rows] == [plain(game) for game in found.games]
    assert len(set(found.rows)) == len(found.rows)
    assert found.rating.n_games == len(rest)
    assert found.rating.difference(*order[:2]) == pytest.approx(expected.difference(*order[:2]))
    assert found.rating.difference(order[3], order[1]).elo > 0
    few = overturn(rating, order[0], order[4], most=1)
    assert not few.changed
    assert len(few.games) == 1


@pytest.mark.parametrize("turn", [False, True])
def test_the_rows_of_games_with_features_are_those_that_were_given(turn):
    rng, games = np.random.default_rng(1), games_of((1,), 60, 8)
    words, weight = rng.integers(-9, 10, 60), np.ones(60)
    weight[:5] = 0  # these do not count
    options = {"prior": 1e-4, "features": {"words": words}, "weight": weight}
    found = overturn(rate(games, **options), turn=turn)
    assert found.changed
    if not turn:
        weight[found.rows] = 0
    rating = rate(change(games, found.rows, turn) if turn else games, **options)
    assert len(found.rows) > 1
    np.testing.assert_allclose(found.rating.elo, rating.elo, atol=1e-4)


def test_a_game_without_which_there_is_no_maximum_stays():
    # Bob's only win against anybody decides whether there are strengths at all.
    games = [("Ann", "Bob", 1)] * 3 + [("Bob", "Ann", 1)] + [("Ann", "Cy", r) for r in (1, 1, 0, 0)]
    with pytest.raises(NoMaximumError):
        rate(games[:3] + games[4:])
    found = overturn(rate(games), "Cy", "Bob")
    assert ("Bob", "Ann", 1) not in found.games


ERRORS = [
    ({"first": "zoe"}, "'zoe' is not one of two rated players"),
    ({"first": "ann", "second": "ann"}, "'ann' is not one of two"),
    ({"first": "ann", "second": "eve"}, "'eve' is above 'ann' already"),
    ({"most": 0}, "most must be at least 1"),
]


@pytest.mark.parametrize(("arguments", "words"), ERRORS)
def test_the_door(arguments, words):
    with pytest.raises(ValueError, match=words):
        overturn(rate([("eve", "ann", 1), ("cy", "eve", 0.5)], prior=1), **arguments)
    assert np.isfinite(influence(rate([("eve", "ann", 1)], prior=1), "ann", "eve")[0][1])
