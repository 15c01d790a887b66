"""The questions of the chapter: with a generator the same question comes with fresh numbers.

Each function returns what `touchbook.widgets.ask` takes: the lesson's own numbers without `rng`,
others with it. Every answer is computed.
"""

from itertools import pairwise

import numpy as np

from gameai_book.btmm import surrogate
from gameai_book.btmm.boards.line import MOVERS, kind
from gameai_book.btmm.results import tables
from gameai_lib.btmm.game.patterns import EDGES, OPPONENT, OWN
from gameai_lib.btmm.model import mm
from gameai_lib.btmm.model.elo import team_win_probability, win_probability

STEPS = (0.05, 0.3), (0.02, 0.05), (0.01, 0.02)  # how much ln L rises from update to update
TEAMS = {"A": (1, 2, 3), "B": (2, 4), "C": (1, 5, 6, 7)}  # of the source's equation (3)


def shared(rng=None):
    """What becomes of a team if a player of it, or of another, becomes stronger."""
    player, times = 1, 10
    if rng is not None:
        player = int(rng.choice(rng.permutation([[1, 1], [2, 3], [4, 5]])[0]))
        times = int(rng.choice([5, 10, 20]))
    strength = np.arange(1.0, 8)  # of the players 1 to 7
    members = [[k - 1 for k in team] for team in TEAMS.values()]
    before = team_win_probability(members, strength, winner=0)
    strength[player - 1] *= times
    after = team_win_probability(members, strength, winner=0)
    choices = [
        "It falls.",
        "It rises by less than a tenth.",
        "It becomes two to six times as large.",
        "It becomes more than six times as large.",
    ]
    stronger = [name for name, team in TEAMS.items() if player in team]
    only = f"Only the product of {stronger[0]} becomes {times} times as large. "
    both = f"The products of {' and '.join(stronger)} both become {times} times as large. "
    k = int(np.digitize(after / before, [1, 1.1, 6]))
    why = [
        f"{stronger[0]} takes a larger share of the hat, so less is left for A.",
        "C had nearly all tickets before, and still has them. Only B loses.",
        *["C, which had nearly all tickets before, stays as it was."] * 2,
    ][k]
    return {
        "question": "Players 1, 2 and 3 are team A, players 2 and 4 are team B, and players 1, 5, "
        "6 and 7 are team C. The strength of a player is the player's number, and a team is as "
        f"strong as the product of its members. Now player {player} becomes {times} times as "
        "strong. What becomes of A's chance to win?",
        "choices": choices,
        "answer": choices[k],
        "because": f"{only if len(stronger) == 1 else both}{why} A's chance goes from "
        f"{100 * before:.2f} to {100 * after:.2f} %.",
        "name": "shared-member",
    }


def expected(rng=None):
    """How many wins the model expects of a pattern at first."""
    first, second = (4, 3, 1), (5, 1, 1)  # legal moves, those with the pattern, times so many games
    if rng is not None:
        first, second = (
            (n, int(rng.integers(1, n)), int(rng.integers(1, 4)))
            for n in rng.integers(2, 7, size=2).tolist()
        )
    hoped = [with_it * times for _, with_it, times in (first, second)]
    (n, a, s), (m, c, t) = first, second
    return {
        "question": f"A pattern is on {a} of the {n} legal moves of one position, which was met in "
        f"{n * s} games. It is on {c} of the {m} legal moves of another, which was met in {m * t} "
        "games. All strengths are still 1. How many wins does the model expect of the pattern?",
        "answer": sum(hoped),
        "tolerance": 0.05,
        "because": f"All moves of a position are equally likely at first. So the model expects "
        f"{n * s} × {a}/{n} = {hoped[0]} wins in the first position and {m * t} × {c}/{m} = "
        f"{hoped[1]} in the second. If the pattern has won more often than {sum(hoped)} times, the "
        "update makes it stronger.",
        "name": "expected-wins",
    }


def which_step(rng=None):
    """At which number of stones a line becomes much stronger, or so many times as strong."""
    direction, mover, side, times = "row", "black", OPPONENT, None
    if rng is not None:
        times = int(rng.choice([2, 10, 50, 500]))
        direction = str(rng.choice(["row", "column", "rising"]))
        mover, side = str(rng.choice([*MOVERS])), int(rng.choice([OWN, OPPONENT]))
    lines = kind(direction, MOVERS[mover])
    gamma = [
        float(lines.gamma[lines.code((0,) * 3 + (side,) * n + (0,) * (4 - n))]) for n in range(5)
    ]
    other = "white" if mover == "black" else "black"
    does = f"stops a run of {other}" if side == OPPONENT else f"goes on with a run of {mover}"
    places = {"row": "a row", "column": "a column", "rising": "a rising line"}
    names = ["none", "one", "two", "three", "four"]
    choices = [f"from {a} to {b}" for a, b in pairwise(names)]
    k = int(np.argmax(np.divide(gamma[1:], gamma[:-1])))
    asked = "grow by the largest factor"
    why = " Four stones need only two more for a six, and two stones are one turn."
    if times is not None:
        k = int(np.argmax(np.array(gamma[1:]) > times * gamma[0]))
        asked = f"become more than {times} times as strong as without any stone"
        why = ""
    values = ", ".join(f"{g:.2g}" if g < 100 else f"{g:.0f}" for g in gamma)
    return {
        "question": "In Connect-6 six stones in a row win, and a side places two stones a turn. "
        f"Take a move of {mover.capitalize()} that {does} stones beside it in {places[direction]}. "
        "In a table that was learned from games, the strength of this line grows with the run. At "
        f"which step does it {asked}?",
        "choices": choices,
        "answer": choices[k],
        "because": f"The strengths with none to four stones are {values}.{why}",
        "name": "which-step",
    }


def update(rng=None):
    """Whether one update makes a player stronger."""
    old, won, games = 2, 6, 10
    if rng is not None:
        old = int(rng.integers(1, 5))
        games = (old + 1) * int(rng.integers(2, 5))
        won = games * old // (old + 1) + int(rng.integers(-1, 2))
    hoped = games * win_probability(float(old), 1.0)
    new = old * won / hoped
    choices = ["It becomes larger.", "It becomes smaller.", f"It stays at {old}."]
    k = 2 if np.isclose(new, old) else int(new < old)
    return {
        "question": f"A player of strength {old} has won {won} of {games} games against a player "
        "of strength 1. What does one MM update do to the strength?",
        "choices": choices,
        "answer": choices[k],
        "because": f"The model expects {hoped:.3g} wins of {games}, and there were {won}. The old "
        f"strength times wins over wins expected is {new:.3g}.",
        "name": "test-update",
    }


def every(rng=None):
    """What one more pattern does to the chance of a move."""
    strengths, more, who = (6, 3, 1), 5, 0
    if rng is not None:
        strengths = tuple(sorted(rng.choice(np.arange(1, 10), 3, replace=False).tolist())[::-1])
        more, who = int(rng.integers(2, 8)), int(rng.integers(3))
    gets = np.array([[1, 1, 1], [1, 0, 0], [0, 1, 1]], bool)[who]
    gain = ["all three moves get", "the first move alone gets", "the other two moves get"][who]
    before = np.array(strengths, float)
    after = before * np.where(gets, more, 1)
    old, new = (100 * float(s[0] / s.sum()) for s in (before, after))
    why = [
        "Every product is multiplied alike, and only ratios count.",
        "Its product grows, and the products of the others stay.",
        "Its product stays, and the products of the others grow.",
    ][who]
    became = f"{old:.0f} % before and after" if who == 0 else f"{old:.0f} % and is {new:.0f} % now"
    return {
        "question": "The three legal moves of a position have the strengths "
        f"{strengths[0]}, {strengths[1]} and {strengths[2]}. Now {gain} one more pattern of "
        f"strength {more}. What is then the chance of the first move, in per cent?",
        "answer": new,
        "tolerance": 2,
        "unit": "%",
        "because": f"{why} The chance was {became}.",
        "name": "test-every",
    }


def chain(rng=None):
    """What values of ln L after each update say of a program."""
    start, rises = -8.31, (0.07, -0.02, 0.03)
    if rng is not None:
        start = -round(float(rng.uniform(5, 20)), 2)
        first, second, third = (round(rng.uniform(*within), 2) for within in STEPS)
        fallen = int(rng.integers(4))  # 3: none of them
        rises = [-r if n == fallen else r for n, r in enumerate((first, second, third))]
        if fallen == 3 and rng.random() < 0.5:
            rises[2] = 0.0
    values = np.cumsum([start, *rises])
    shown = ", ".join(f"{v:.2f}" for v in values).replace("-", "−")
    choices = [
        *(f"The {which} update has a mistake." for which in ("first", "second", "third")),
        "It is still climbing.",
        "It has arrived, as far as two decimals show.",
    ]
    k = int(np.argmin(rises)) if min(rises) < 0 else 3 if rises[2] > 0 else 4
    mistake = (
        "An MM update can never lower ln L, and this one does. It does not matter how long the "
        "step is, or how high the next one climbs."
    )
    why = {
        3: "Each value is above the one before, as it must be with MM, and the last step still "
        f"gained {rises[2]:.2f}.",
        4: "No value is below the one before, as it must be with MM, and the last update has "
        "changed nothing that can be seen.",
    }.get(k, mistake)
    return {
        "question": "A program rates chess players with MM. It prints ln L before its first update "
        f"and after each of three: {shown}. What do you conclude?",
        "choices": choices,
        "answer": choices[k],
        "because": why,
        "name": "test-chain",
    }


def all_at_once(rng=None):
    """What the likelihood does if all members of a team are updated at once."""
    n_members, n_won = 3, 1
    if rng is not None:
        n_members = int(rng.choice([1, 2, rng.integers(3, 6)]))
        n_won = int(rng.choice([1 if n_members == 2 else rng.integers(1, 4), 5], p=[0.75, 0.25]))
    gains = np.diff(surrogate.climb(mm.batch, n_members, 200, n_won))
    falls = gains < -1e-9
    choices = [
        "It stays as it is.",
        "It rises at every update.",
        "It falls at first, and then it rises to the top.",
        "It goes up and down without end.",
    ]
    k = 3 if falls[-20:].any() else 2 if falls.any() else int((gains > 1e-9).any())
    n = falls.sum()
    often = "never falls" if n == 0 else f"falls at {n} of {falls.size} updates"
    whole = f"Each of the {n_members} members corrects the whole error of the team alone. "
    why = [
        "The team is expected to win five games, and wins five. So it is right from the start.",
        "There is only one member, so the error is corrected once.",
        whole + "The team swings past the top, but less far each time, and comes to rest.",
        whole + "Together they go so far past the top that the swing never dies out.",
    ][k]
    members = "one member" if n_members == 1 else f"{n_members} members"
    once = "It is" if n_members == 1 else "All of them are"
    return {
        "question": f"A team of {members} plays ten games against an opponent of strength 1, and "
        f"wins {n_won}. All strengths begin at 1. {once} multiplied by wins over wins expected, "
        "at the same time, again and again. What does ln L do?",
        "choices": choices,
        "answer": choices[k],
        "because": f"It {often}. {why}",
        "name": "all-at-once",
    }


def virtual(rng=None):
    """Who is rated higher with one virtual win and one virtual loss, or without them."""
    a, b, v = (3, 0), (30, 3), 1  # wins and losses; virtual wins, and as many losses
    if rng is not None:
        lost, more, v = int(rng.integers(1, 4)), int(rng.integers(-1, 2)), int(rng.random() < 0.8)
        a = int(rng.integers(2, 6)), 0
        b = (a[0] + 1) * (lost + 1) - 1 + 2 * more, lost
    choices = ["A, without a limit", "A, with a finite strength", "B", "They are rated the same."]
    k, given = 0, "No virtual games are added."
    because = (
        f"B has the strength {b[0]}/{b[1]}. The stronger A is, the likelier are {a[0]} wins of "
        f"{a[0]}, and there is no loss to hold its strength back."
    )
    if v:
        one, other = ((won + 1) / (lost + 1) for won, lost in (a, b))
        k = 3 if one == other else 1 + int(other > one)
        given = (
            "Each of the two is also given one virtual win and one virtual loss against strength 1."
        )
        because = (
            f"With the virtual games A has {a[0] + 1} wins and 1 loss, so its strength is "
            f"{one:.3g}. B has {b[0] + 1} wins and {b[1] + 1} losses, and its strength is "
            f"{other:.3g}. Without virtual games A would be infinitely strong."
        )
    return {
        "question": f"A has won all of {a[0]} games, and B has won {b[0]} of {sum(b)}. All their "
        f"opponents have the strength 1. {given} Who is rated higher?",
        "choices": choices,
        "answer": choices[k],
        "because": because,
        "name": "virtual-games",
    }


PRIORS = ("no virtual games", "one virtual win and loss each")


def _connect6(n_games, prior, **setting):
    """Rows of the results on Connect-6 with these values."""
    setting |= {"game": "connect6", "n_games": n_games, "prior": float(prior)}
    return [row for row in tables.read_table("results") if setting.items() <= row.items()]


def edge(rng=None):
    """Which reading of the edge predicts other games best, or worst."""
    n_games, v, best = 7082, 1, False
    if rng is not None:
        v, best = int(rng.integers(2)), bool(rng.integers(2))
        n_games = int(rng.choice([300, 1000] if v == 0 else [300, 1000, 7082]))
    rows = _connect6(n_games, v, features="4x8")
    nats = {row["edge"]: row["test"] for row in rows}
    answer = (max if best else min)(nats, key=nats.get)
    why = {
        "opponent": "An edge that is read as stones looks like a threat that nobody answers.",
        "own state": "Only a state of its own tells an edge from an empty cell and from a stone.",
        "empty": "A state of its own makes more patterns. Without virtual games the rare ones do "
        "harm.",
    }
    listed = ", ".join(f"{name} {nats[name]:.2f}" for name in EDGES)
    return {
        "question": "A table of lines can read a cell off the board as *empty*, as a stone of the "
        "*opponent*, or as a state of its own. Its strengths were learned from "
        f"{n_games:,} games of Connect-6 with {PRIORS[v]}. Which reading predicts other games "
        f"{'best' if best else 'worst'}?",
        "choices": list(EDGES),
        "answer": answer,
        "because": f"{why[answer]} The mean log-evidence on other games is, in nats: {listed}.",
        "name": "worst-edge",
    }


def length(rng=None):
    """Whether lines of six cells or of eight predict better."""
    n_games, v = 1000, 0
    if rng is not None:
        n_games, v = int(rng.choice([300, 1000, 7082])), int(rng.integers(2))
    found = {row["features"]: row for row in _connect6(n_games, v, edge="empty")}
    six, eight = found["4x6"], found["4x8"]
    choices = ["Those of six cells", "Those of eight cells"]
    is_longer = eight["test"] > six["test"]
    why = (
        "Lines of eight see more, and here that counts for more than what they learn by heart."
        if is_longer
        else "Many long patterns were never chosen in so few games, and count as impossible."
    )
    return {
        "question": "Patterns are lines of six cells, of which there are 1,944, or of eight cells, "
        "of which there are 17,496; cells off the board count as empty. Their strengths are "
        f"learned from {n_games:,} games of Connect-6 with {PRIORS[v]}. Which lines predict other "
        "games better?",
        "choices": choices,
        "answer": choices[is_longer],
        "because": f"{why} On other games lines of six have {six['test']:.2f} nats and lines of "
        f"eight {eight['test']:.2f}. On the games that they learned from they have "
        f"{six['train']:.2f} and {eight['train']:.2f}.",
        "name": "six-or-eight",
    }
