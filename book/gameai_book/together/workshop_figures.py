"""The figures of the chapter's workshop: what each draws, and says in words.

Every function takes what it shows and returns the arguments ``draw``, ``alt`` and ``name`` of
`touchbook.widgets.explore`, or of `picture` where there is no control.
"""

import numpy as np

from gameai_book.btmm.views import draw_bars
from gameai_book.nrpa.views import draw_runs
from gameai_book.together import workshop_views as views

SAME, OTHER = "the same deals", "other deals"
N_LOOK = 100  # deals of a decision


def paired(deals, rng):
    """Points of two moves, deal by deal; controls ``against``, a move's name, and ``on``.

    `deals` are the `Deals` of a search, whose first move is compared with the others; for `OTHER`
    deals, `rng` puts those of the first move into another order.
    """
    names = [str(move) for move in deals.moves]
    apart = rng.permutation(len(deals.points))

    def pair(against, on):
        first = deals.points[:, 0] if on == SAME else deals.points[apart, 0]
        return first, deals.points[:, names.index(against)]

    def draw(fig, against, on):
        views.draw_joint(fig.subplots(), *pair(against, on), (names[0], against))

    def alt(against, on):
        first, other = pair(against, on)
        difference = other - first
        error = difference.std(ddof=1) / N_LOOK**0.5
        return (
            f"On {on}: if it {against}, the game ends with {difference.mean():+.2f} points "
            f"compared with {names[0]}; the difference has a standard deviation of "
            f"{difference.std(ddof=1):.2f}, so {N_LOOK} deals leave an error of {error:.2f}. "
            f"Correlation {np.corrcoef(first, other)[0, 1]:.2f}."
        ).replace("-", "−")

    return {"draw": draw, "alt": alt, "name": "paired"}


def choices(found):
    """What a decision gains by the deals it looks at; `found` are rows by rule."""
    series = {
        rule: np.transpose([(row.gain, row.standard_error) for row in rows])
        for rule, rows in found.items()
    }
    n_deals = [row.n_deals for row in next(iter(found.values()))]

    def draw(fig):
        views.draw_gains(fig.subplots(), n_deals, series)

    def alt():
        said = "; ".join(
            f"{rule} {rows[0].gain:.3f} after {rows[0].n_deals} deals and {rows[-1].gain:.3f} "
            f"after {rows[-1].n_deals}"
            for rule, rows in found.items()
        )
        return f"Points a move over the Convention's: {said}.".replace("-", "−")

    return {"draw": draw, "alt": alt, "name": "choices"}


def accepted(n_deck, shares):
    """Shares of drawn hands that agree with every move of the partner; no control.

    Both are of the turns of some games, (n_turns,) each.
    """
    means = {int(n): float(shares[n_deck == n].mean()) for n in np.unique(n_deck)[::-1]}

    def draw(fig):
        views.draw_accepted(fig.subplots(), n_deck, shares, means)

    def alt():
        few = np.sort(shares)[len(shares) // 10]
        said = ", ".join(f"{100 * means[n]:.0f} % with {n} cards in the deck" for n in (30, 20, 10))
        return (
            f"Of the hands that the hints allow, so many agree on average: {said}. At a tenth of "
            f"the turns fewer than {100 * few:.1f} % do."
        )

    return {"draw": draw, "alt": alt, "name": "accepted"}


def believed(found):
    """Chances that a card is playable beside what was there; control ``belief``, a name in `found`.

    `found` are `Calibration`s by name.
    """

    def draw(fig, belief):
        row = found[belief]
        some = np.array(row.n) > 0
        predicted, seen, errors, n = (
            np.array(of, float)[some]
            for of in (row.predicted, row.seen, row.standard_errors, row.n)
        )
        labels = {"xlabel": "predicted: playable", "ylabel": "share that was playable"}
        sizes = 12 + 400 * n / n.sum()
        views.draw_shares(fig.subplots(), predicted, seen, errors, sizes=sizes, **labels)

    def alt(belief):
        row = found[belief]
        told = "; ".join(
            f"of cards that were given {100 * row.predicted[k]:.0f} %, {100 * row.seen[k]:.0f} % "
            "were playable"
            for k in (2, 3, 4)
        )
        said, was = row.means
        return (
            f"{belief}: {told}. Over all cards {100 * said:.1f} % were predicted, and "
            f"{100 * was:.1f} % were there. The surprise is {row.nats:.2f} nats a card."
        )

    return {"draw": draw, "alt": alt, "name": "believed"}


def tuners(rows, convention):
    """What lists score that tuners return; control ``games``, the number a run may play.

    `rows` are of the part "methods" of the stored tuning, `convention` the Convention's mean.
    """

    def chosen(games):
        return [row for row in rows if row["budget"] == games]

    def draw(fig, games):
        some = chosen(games)
        labels = [row["agent"].replace(", ", ",\n").replace(" search", "\nsearch") for row in some]
        runs, look = [row["scores"] for row in some], {"ylabel": "points", "ylim": (20.6, 22.4)}
        best = int(np.argmax([row["mean"] for row in some]))
        ax = draw_runs(fig.subplots(), labels, runs, chosen=best, **look)
        ax.axhline(convention, color="black", linestyle=":", linewidth=1)

    def alt(games):
        said = "; ".join(
            f"{row['agent']} {row['mean']:.2f} ± {row['standard_error']:.2f}"
            for row in chosen(games)
        )
        return (
            f"Mean points of the lists after {games:,} games: {said}. Convention: {convention:.2f}."
        )

    return {"draw": draw, "alt": alt, "name": "tuners"}


def dials(ablations, importance):
    """Each dial's share in the model, and what its value is worth in the tuned list; no control.

    Both are parts of the stored tuning. What a value is worth is the least loss by another value.
    """
    names = [row["dial"] for row in importance]
    deviation = np.array([row["deviation"] for row in importance])
    rows = [max((r for r in ablations if r["dial"] == n), key=lambda r: r["gain"]) for n in names]
    worth = -np.array([row["gain"] for row in rows])
    errors = np.array([row["gain_standard_error"] for row in rows])
    order = np.argsort(-deviation)

    def draw(fig):
        left, right = fig.subplots(1, 2, sharey=True)
        some = [names[k] for k in order]
        draw_bars(left, some, deviation[order], 0, label="spread in the model")
        draw_bars(right, some, worth[order], errors[order], label="loss without it")

    def alt():
        said = ", ".join(f"{names[k]} {deviation[k]:.2f} and {worth[k]:.2f}" for k in order[:5])
        return (
            "How many points a dial moves in the model, and how many the tuned list loses by the "
            f"dial's second-best value: {said}."
        )

    return {"draw": draw, "alt": alt, "name": "dials"}


def shares(partners):
    """Shares of decks that pairs win, beside what the strengths say; no control."""
    pairs = np.triu_indices(len(partners.strength))
    expected, seen = partners.expected[pairs], partners.share[pairs]
    errors = partners.residual_error[pairs]

    def draw(fig):
        labels = {"xlabel": "share that the strengths say", "ylabel": "share of decks won"}
        views.draw_shares(fig.subplots(), expected, seen, errors, **labels)

    def alt():
        far = np.abs(seen - expected) > 0.1
        correlation = np.corrcoef(expected, seen)[0, 1]
        return (
            f"Of {len(seen)} pairs, {far.sum()} win at least a tenth of their comparisons more "
            f"or less than their strengths say. Correlation {correlation:.2f}."
        )

    return {"draw": draw, "alt": alt, "name": "shares"}
