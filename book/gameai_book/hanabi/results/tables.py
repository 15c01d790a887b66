"""The chapter's tables of results, each from what has been measured or stored."""

import numpy as np

from gameai_book.hanabi import accuracy, printed
from gameai_book.hanabi.results.scores import (
    stored_beliefs,
    stored_other_programs,
    stored_player_scores,
)
from gameai_lib.hanabi import V1Settings, exact_belief, v0_belief, v1_result
from gameai_lib.tables import Column, table

BANDS = tuple(f"{a}–{b}" if a != b else f"{a}" for a, b in accuracy.DECK_BANDS)
PLAIN, FIXED = (V1Settings(damping=w, n_iterations=1000, tolerance=1e-6) for w in (1, 0.2))


def _table(forms, rows, caption=""):
    """A table of rows; `forms` has the name of each column and how its numbers are written."""
    columns = zip(forms.items(), zip(*rows, strict=True), strict=True)
    return table({name: Column(of, form) for (name, form), of in columns}, caption=caption)


def star_slope(n_slots):
    """Where V1 rests in a star, and the slope of a plain step there: two floats.

    If each slot gives the shared card the probability p, a plain step makes of it
    ``(1 - (n - 1) p) / (2 - (n - 1) p)``.
    """
    others = n_slots - 1
    p = (n_slots + 1 - np.sqrt((n_slots + 1) ** 2 - 4 * others)) / (2 * others)
    return float(p), float(-others / (2 - others * p) ** 2)


def star_slopes():
    """Table: how much damping a star of so many slots needs."""
    forms = {"slots": "", "V1 rests": ".3f", "exact": ".3f", "slope": ".2f", "w below": ".3f"}
    stars = [(n, *star_slope(n)) for n in (4, 8, 12, 16, 20)]
    return _table(
        forms,
        [(n, p, 1 / (n + 1), slope, 2 / (1 - slope)) for n, p, slope in stars],
        "Stars of so many slots. V1 comes to rest if w is below the number in the last column.",
    )


def at_rest(states, counting):
    """Table, by deck: which iteration rests, and how often ten plain steps rule out the truth."""
    errors = accuracy.belief_errors(counting["plain V1"], counting["exact"], states.truth)
    known, n_deck = (states.candidates, states.hint_mask), states.n_deck
    plain, adapted = v1_result(*known, settings=PLAIN), v1_result(*known)
    shares = plain.converged, adapted.converged, errors.n_zero > 0
    by_deck = [accuracy.mean_by_deck(share, n_deck) for share in shares]
    n_states = [((a <= n_deck) & (n_deck <= b)).sum() for a, b in accuracy.DECK_BANDS]
    forms = dict.fromkeys(("plain rests", "adapted rests", "plain zeros"), ".1%")
    return _table(
        {"deck": "", "positions": ""} | forms,
        zip(BANDS, n_states, *by_deck, strict=True),
        "Shares of the positions of thirty games of two, by cards in the deck. V1 has come "
        "to rest if one of 1,000 steps changes no cell by more than 0.000001. “Plain zeros” are "
        "positions in which ten plain steps give probability 0 to a card that really lies there.",
    )


def larger_tables(games_by_players):
    """Table, by number of players: how near each belief comes late in the game.

    `games_by_players` maps 2, 3, ... to lists of games.
    """
    rows = []
    for n_players, games in games_by_players.items():
        late = accuracy.public_states([[f for f in g if f.state.n_deck <= 12] for g in games])
        known = late.candidates, late.hint_mask
        exact = exact_belief(*known)
        fixed, adapted = v1_result(*known, settings=FIXED), v1_result(*known)
        worst = [
            accuracy.belief_errors(b, exact, late.truth).tv_worst.mean()
            for b in (v0_belief(*known), fixed.belief, adapted.belief)
        ]
        rows.append([n_players, len(late.n_deck), fixed.converged.mean(), *worst])
    forms = {"players": "", "positions": "", "0.2 rests": ".1%"}
    return _table(
        forms | dict.fromkeys(("V0", "w 0.2", "adapted"), ".3f"),
        rows,
        "Positions with at most 12 cards in the deck. The third column says how "
        "often V1 with w = 0.2 comes to rest. The others give the distance to the exact belief in "
        "the worst slot, for V0 and for V1 with w = 0.2 and with an adapted w.",
    )


def nll_by_deck(errors, n_deck, names):
    """Table: negative log-likelihood of the true card, by deck and over all."""
    rows = [[*accuracy.mean_by_deck(errors[n].nll, n_deck), errors[n].nll.mean()] for n in names]
    columns = zip((*BANDS, "all"), zip(*rows, strict=True), strict=True)
    zeros = {name: int(errors[name].n_zero.sum()) for name in names}
    said = ", ".join(f"{n} ({name})" for name, n in zeros.items() if n) or "none"
    return table(
        {"belief": list(names)} | {name: Column(nll, ".3f", best="low") for name, nll in columns},
        caption="Negative log-likelihood in nats per card, by cards in the deck. True cards that "
        f"got 0: {said}.",
    )


def counting_scores():
    """Table: what V1 and the exact belief add to each list of rules, two players."""
    cells = [c for c in stored_player_scores()["agents"] if c.belief != "none"]
    V0, V1, exact = ([c for c in cells if c.belief == b] for b in ("V0", "V1", "exact"))
    return table(
        {
            "program": [c.agent for c in V0],
            "V0": _means(V0, best="high"),
            "V1 adds": _gains(V1),
            "exact adds": _gains(exact),
        },
        caption=f"Two players, points of 25, {cells[0].n_games:,} games each.",
    )


def same_names():
    """Table: programs of the same names elsewhere, and IGGI with what they do otherwise."""
    stored, others = stored_player_scores(), stored_other_programs()
    cells = [c for c in stored["agents"] if c.belief == "V0" and (c.agent, "authors") in others]
    cells[1:1] = stored["variants"][1:]
    columns = {"program": [c.agent for c in cells], "here": _means(cells)}
    for by, name in ("authors", "its authors"), ("others", "made again"):
        rows = [others.get((c.agent, by)) for c in cells]
        means, errors = (
            [None if row is None else float(row[key]) for row in rows]
            for key in ("mean", "standard_error")
        )
        columns[name] = Column(means, ".2f", errors=errors)
    n_games = [f"{stored[part][-1].n_games:,}" for part in ("agents", "variants")]
    lost = [f"{c.n_lost}" for c in stored["variants"]]
    return table(
        columns,
        caption=f"Two players, mean points of {n_games[0]} games here, and of {n_games[1]} where "
        f"IGGI is changed. With any move at last IGGI loses {lost[1]} of them, and {lost[3]} if it "
        "counts no cards, either. As it was made again it lost "
        f"{others['IGGI', 'others']['n_lost']} of 1,000.",
    )


def listeners():
    """Table: what L is worth to a player who knows no convention."""
    cells = stored_player_scores()["listeners"]
    return table(
        {
            "belief": [c.belief for c in cells],
            "mean score": _means(cells),
            "adds to V0": _gains(cells),
            "games lost": [c.n_lost for c in cells],
        },
        caption=f"The Listener with its partner, {cells[0].n_games:,} games a line.",
    )


def more_players():
    """Table: the same programs among three to five players."""
    cells = stored_player_scores()["tables"]
    by_size = {n: [c for c in cells if c.n_players == n] for n in (3, 4, 5)}
    columns = {"program": [c.agent for c in by_size[3] if c.belief == "V0"]}
    for n, of in by_size.items():
        means = [c.mean for c in of if c.belief == "V0"]
        columns[f"V0, {n}"] = Column(means, ".1f", best="high")
    for n, of in by_size.items():
        gains = [c.gain for c in of if c.belief == "exact"]
        columns[f"adds, {n}"] = Column(gains, "+.2f")
    return table(
        columns,
        caption="Mean points with V0 among 3, 4 and 5 players, and what the exact belief adds; "
        f"{cells[0].n_games:,} games each. Standard errors are at most "
        f"{max(c.standard_error for c in cells):.2f} for the means and "
        f"{max(c.gain_standard_error for c in cells):.2f} for what is added.",
    )


def ruled_out():
    """Table: late positions in which a belief says 0 to a possible card, or more to no card."""
    forms = {"players": "", "games of": "", "belief": "", "possible at 0": ""}
    keys = "players", "agent", "belief", "possible_at_0", "least_share", "impossible_at_most"
    return _table(
        forms | {"least share": ".2g", "most to no card": ".1g"},
        [[cell[key] for key in keys] for cell in stored_beliefs()["cells"]],
        "Positions with at most 12 cards in the deck. “Possible at 0” counts positions in "
        "which a possible card has a probability below 1e-12. “Least share” is the smallest "
        "probability of a possible card, as a share of the exact one. The last column is the "
        "largest probability of an impossible card.",
    )


def beliefs():
    """Table: how surprised each belief is by the true cards, how far off it is, and its time."""
    rows = stored_beliefs()["positions"]
    few, many = ([row for row in rows if row["players"] == n] for n in (2, 5))
    columns = {"belief": [row["belief"] for row in few]}
    columns |= {
        f"{name}, {n}": Column([row[key][0] for row in of], ".3f")
        for name, key in (("NLL", "nll"), ("distance", "distance"))
        for n, of in ((2, few), (5, many))
    }
    return table(
        columns | {"µs, 5": Column([row["micros"] for row in many], ",.0f")},
        caption="Two and five players of the Convention: NLL in nats a card, distance to exact (of "
        "those with L, to exact with L), and microseconds a position; "
        f"{few[0]['n_games']} and {many[0]['n_games']} games.",
    )


def memory():
    """Table: scores if a hint is remembered for so many moves."""
    cells = stored_player_scores()["memory"]
    spans = {None: "for ever", 20: "20 moves", 10: "10 moves", 5: "5 moves", 1: "1 move"}
    columns = {"program": [c.agent for c in cells if c.span is None]}
    for span, name in spans.items():
        means = [c.mean for c in cells if c.span == span]
        columns[name] = Column(means, ".1f", best="high")
    *lost, last = (str(c.n_lost) for c in cells if c.agent == "Convention")
    return table(
        columns,
        caption=f"Mean points if a hint is remembered for so long; {cells[0].n_games:,} games "
        f"each. Standard errors are at most {max(c.standard_error for c in cells):.2f}. The "
        f"Convention loses {', '.join(lost)} and {last} of its games.",
    )


def source_errors():
    """Table: what each error of the source that changes a result costs in its case."""
    rows = []
    for e in printed.ERRORS:
        distances = (printed.distance(version, e.case) for version in (e.printed, e.right))
        rows.append([f"{e.number} {e.name}", e.case.name, e.after, *distances])
    forms = {"slip": "", "case": "", "after": "", "printed": ".3f", "right": ".3f"}
    return _table(forms, rows, "The mean distance to the exact belief.")


def positions(cases):
    """Table: the positions of the chapter."""
    rows = [(case.name, *_state_in_words(case), case.about) for case in cases]
    return _table(dict.fromkeys(("position", "C", "hints, L", "what it shows"), ""), rows)


def _state_in_words(case):
    counts = "".join(map(str, case.candidates))
    if len(counts) == 25:
        return " ".join(counts[i : i + 5] for i in range(0, 25, 5)), f"{len(case.hint_mask)} slots"
    hints = " ".join("".join(map(str, row.astype(int))) for row in case.hint_mask)
    if case.likelihood is None:
        return counts, hints
    L = ("\N{NO-BREAK SPACE}".join(f"{x:g}" for x in row) for row in case.likelihood)
    return counts, f"{hints}, L {'; '.join(L)}"


def _means(cells, **options):
    means = [c.mean for c in cells]
    return Column(means, ".2f", errors=[c.standard_error for c in cells], **options)


def _gains(cells):
    gains = [None if c.belief == "V0" else c.gain for c in cells]
    return Column(gains, "+.3f", errors=[c.gain_standard_error for c in cells])
