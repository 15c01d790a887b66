"""The explorables of the chapter on Bradley-Terry: what each draws, and says in words.

The chapter adds the controls: ``explore(**figures.race(data, 120), method=["all at once"])``.
"""

from functools import lru_cache
from itertools import islice

import numpy as np
from matplotlib.ticker import MultipleLocator

from gameai_book.btmm import league, printed, surrogate, views
from gameai_book.btmm.boards.bench import format_strength
from gameai_book.btmm.boards.line import KNOWN, MOVERS, in_print
from gameai_lib.btmm.game import connect6
from gameai_lib.btmm.game.patterns import OFF_BOARD, SQUARE_CLASSES, square_classes
from gameai_lib.btmm.game.positions import COLOURS
from gameai_lib.btmm.model import mm
from gameai_lib.btmm.model.build import from_positions
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.fit import fit
from touchbook.figure.markup import typeset

RULES = {"one group at a time": mm.cyclic, "all at once": mm.batch, "damped": mm.damped}
HOME = "playing at home"
DEEPEST = -40.0  # ln L that a picture still shows
SETS = {"training games": views.TRAINING, "test games": views.TEST}


def chances(positions, i, model):
    """Return (cells, probability) of the legal moves of position `i` under `model`."""
    one = positions.take([i])
    return one.moves, from_positions(one, model.features).probabilities(model.gamma)


def oscillation(n_passes=16):
    """ln L per pass for a team of several against one; controls ``members`` and ``rule``."""

    @lru_cache
    def trace(members, rule):
        return surrogate.climb(RULES[rule], members, n_passes)

    best = 9 * np.log(0.9) + np.log(0.1)

    def draw(fig, members, rule):
        traces = {name: trace(members, name) for name in RULES}
        # The chosen rule first: the others lie on it, thinner. Two lines more for the names.
        traces = {rule: traces[rule]} | traces
        style = {"xlabel": "update\n\n\n", "ylabel": "ln L", "colours": views.RULES}
        ax = views.draw_traces(fig.subplots(), traces, **style)
        order = sorted(ax.lines, key=lambda line: [*RULES].index(line.get_label()))
        views.draw_key_below(ax, order, -0.13)
        lowest = max(min(map(min, traces.values())), DEEPEST)
        margin = 0.05 * (best - lowest)
        ax.set_ylim(lowest - margin * (lowest > DEEPEST), best + margin)
        ax.axhline(best, color="grey", linewidth=1, linestyle=":")
        beside = {"transform": ax.get_yaxis_transform(), "va": "center", "color": "grey"}
        ax.text(1.02, best, "best", **beside)
        ax.set_title(f"{members} in the team, {rule}", loc="left")

    def alt(members, rule):
        values = trace(members, rule)
        n_falls = int((np.diff(values) < -1e-9).sum())
        falls = {0: "never falls", 1: "falls once"}.get(n_falls, f"falls {n_falls} times")
        return (
            f"{members} in the team, {rule}: ln L starts at {values[0]:.3f} and ends at "
            f"{values[-1]:.3f} after {n_passes - 1} updates. It {falls}. The best value is "
            f"{best:.3f}." + f" The picture ends at {DEEPEST:g}." * (min(values) < DEEPEST)
        )

    return {"draw": draw, "alt": alt, "name": "oscillation"}


def season(matches, truth):
    """Ratings of a league and of playing at home; control ``prior``.

    `truth` is a `League` of the same clubs: what it would be rated is marked.
    """
    model = league.league(matches)
    n_clubs = len(model.clubs)

    def elo_of(got):
        # Clubs with equal results are level: the last bits must not put them in order.
        return np.round(ELO_PER_NAT * np.log(league.centre(got.gamma, n_clubs)), 6)

    @lru_cache
    def rated(prior):
        got = fit(model.competitions, prior=prior, tol=1e-12)
        return elo_of(got), ELO_PER_NAT * got.standard_error

    known = elo_of(fit(truth.competitions, prior=0.0, tol=1e-12))
    unbounded = rated(0.0)
    widest = 1.05 * float((np.abs(unbounded[0]) + unbounded[1]).max())

    def draw(fig, prior):
        elo, error = rated(prior)
        order = np.argsort(-elo[:n_clubs], kind="stable")
        names = [*(model.clubs[k] for k in order), "at home"]
        order = np.append(order, n_clubs)
        style = {"other": n_clubs, "truth": known[order]}
        ax = views.draw_bars(fig.subplots(), names, elo[order], error[order], **style)
        ax.set_xlim(-widest, widest)

    def alt(prior):
        elo, error = rated(prior)
        names, clubs = [*model.clubs, HOME], elo[:n_clubs]
        parts = ", ".join(
            f"{names[k]} {elo[k]:+.0f} ± {error[k]:.0f} (circle {known[k]:+.0f})"
            for k in (int(np.argmax(clubs)), int(np.argmin(clubs)), n_clubs)
        )
        return f"With v = {prior:g}, in Elo: {parts}."

    return {"draw": draw, "alt": alt, "name": "season"}


def gallery(model):
    """The six strongest and weakest patterns of a line; controls ``line`` and ``end``.

    Lines that leave the board are left out.
    """
    groups, starts = model.features.groups, model.features.starts
    names = [shape.name.split()[0] for shape in groups]

    @lru_cache
    def chosen(line, end):
        k = names.index(line)
        known = starts[k] + np.flatnonzero(model.wins[starts[k] : starts[k + 1]] >= KNOWN)
        whole = [OFF_BOARD not in groups[k].decode(f - starts[k])[0] for f in known]
        ranked = known[whole][np.argsort(-model.gamma[known[whole]])]
        return ranked[:6] if end == "strongest" else ranked[::-1][:6]

    def draw(fig, line, end):
        shown = []
        for feature in chosen(line, end).tolist():
            shape, number = model.features.locate(feature)
            states, player = shape.decode(number)
            title = f"{_gamma(model, feature)}\n{COLOURS[player]} to move"
            shown.append(views.Pattern(states, player, title))
        views.draw_patterns(fig.subplots(), shape.cells, shown)

    def alt(line, end):
        parts = []
        for feature in chosen(line, end).tolist():
            cells, colour = model.features.describe(feature).split(": ")[1].split()
            shown = in_print(cells, MOVERS[colour])
            parts.append(f"{shown} for {colour.capitalize()}, {_gamma(model, feature)}")
        return f"The {end} {line} patterns with {KNOWN} wins or more: {'; '.join(parts)}."

    return {"draw": draw, "alt": alt, "name": "gallery"}


def _gamma(model, feature):
    return f"γ {format_strength(model.gamma[feature])} ×÷ {np.exp(model.error[feature]):.2f}"


def squares(rows):
    """The classes of Reversi squares by strength, with joint errors; no control.

    `rows` is the table "squares" of `gameai_book.btmm.results.tables`, for one number of games.
    """
    rows = sorted(rows, key=lambda row: -row["elo"])
    names = [row["square"] for row in rows]
    elo, error = (np.array([row[name] for row in rows]) for name in ("elo", "joint"))
    of_class = np.full(10, np.nan)  # the four squares in the middle are taken from the start
    of_class[[SQUARE_CLASSES.index(name) for name in names]] = elo

    def draw(fig):
        board, bars = fig.subplots(2, 1, height_ratios=(1.5, 1))
        views.draw_squares(board, of_class[square_classes()])
        ax = views.draw_bars(bars, names, elo, error)
        ax.set_ylabel("class")

    parts = ", ".join(
        f"{name} {value:+.0f} ± {e:.0f}" for name, value, e in zip(names, elo, error, strict=True)
    )
    alt = f"Elo of the Reversi squares: {parts}."
    return {"draw": draw, "alt": alt, "name": "squares"}


def calibrated(found, learned_from):
    """Predicted chances against what was played; control ``games``, a name in `found`.

    `found` holds a `Calibration` for each name; those in `learned_from` are of training games.
    """

    def draw(fig, games):
        colour = views.TRAINING if games in learned_from else views.TEST
        views.draw_calibration(fig.subplots(), found[games], colour=colour)

    def alt(games):
        predicted, observed = 100 * found[games].predicted, 100 * found[games].observed
        near = [int(np.argmin(np.abs(np.log(predicted / p)))) for p in (0.55, 4.4, 17, 70)]
        bins = "; ".join(
            f"of moves that were given {predicted[k]:.2g} %, {observed[k]:.2g} % were played"
            for k in dict.fromkeys(near)
        )
        return f"{games[0].upper()}{games[1:]}: {bins}."

    return {"draw": draw, "alt": alt, "name": "calibrated"}


def edges(positions, models):
    """Heat maps under different codings of the edge; controls ``stone`` and ``edge``.

    `stone` is the number of stones on the board.
    """

    def draw(fig, stone, edge):
        i, ax = stone - 1, fig.subplots()
        cells, chance = chances(positions, i, models[edge])
        played = int(cells[positions.chosen[i]])
        views.draw_heat(ax, positions.boards[i], cells, chance, played=played)
        ax.set_title(f"{COLOURS[positions.to_move[i]].capitalize()} to move", loc="left")

    def alt(stone, edge):
        i = stone - 1
        cells, chance = chances(positions, i, models[edge])
        names, percents = list(map(connect6.square_of, cells.tolist())), 100 * chance
        row, column = np.divmod(cells, connect6.SIDE)
        inside = (np.abs(row - 9) < 8) & (np.abs(column - 9) < 8)
        best = ", ".join(f"{names[k]} {percents[k]:.0f} %" for k in np.argsort(-chance)[:3])
        played = positions.chosen[i]
        rank = int((chance > chance[played]).sum()) + 1
        return (
            f"Off the board read as {edge}. The two outer rings of the board get "
            f"{percents[~inside].sum():.1f} %. After {positions.ply[i]} stones the weights "
            f"give {best}. The move played was {names[played]}, their number {rank} with "
            f"{percents[played]:.1f} %."
        )

    return {"draw": draw, "alt": alt, "name": "edges"}


def learning(rows, game, edge):
    """Log-evidence per sweep; controls ``features``, ``games``, ``prior``."""

    def read(features, games, prior):
        of = {"game": game, "edge": edge, "features": features, "n_games": games, "prior": prior}
        return f"{features}, {games:,} games, v = {prior:g}", *_sweeps(rows, of)

    return _by_sweep("learning", read, (-6, -2), 0.5)


def prior_curve(rows, games, features):
    """Othello on few games: log-evidence per sweep by prior; control ``prior``."""

    def read(prior):
        of = {"game": "othello", "features": features, "n_games": games, "prior": prior}
        return f"v = {prior:g}", *_sweeps(rows, of)

    return _by_sweep("prior", read, (-2.7, -1.3), 0.2)


def _sweeps(rows, setting):
    """Log-evidence per sweep of the rows of a setting, on training and on test games."""
    found = [row for row in rows if setting.items() <= row.items()]
    return [row["train"] for row in found], [row["test"] for row in found]


def _by_sweep(name, read, limits, spacing):
    """The figure of what is read: words, log-evidence on training games and on test games."""
    read = lru_cache(read)

    def draw(fig, **setting):
        _, *sweeps = read(**setting)
        traces = dict(zip(SETS, sweeps, strict=True))
        # Two lines more for the names: the curves may be anywhere in the axes.
        ax = views.draw_traces(fig.subplots(), traces, xlabel="sweep\n\n", colours=SETS)
        views.draw_key_below(ax, list(ax.lines), -0.06)
        ax.set_ylim(limits)
        ax.yaxis.set_major_locator(MultipleLocator(spacing))

    def alt(**setting):
        said, train, test = read(**setting)
        best = int(np.argmax(test))
        return (
            f"{said}: after {len(train) - 1} sweeps the value is {train[-1]:.3f} nats "
            f"on training games and {test[-1]:.3f} on test games. Test games were best at sweep "
            f"{best}, with {test[best]:.3f}."
        )

    return {"draw": draw, "alt": alt, "name": name}


def race(data, n_passes):
    """Distance from the optimum per pass; control ``method``."""
    best = fit(data, tol=1e-13, max_passes=1500).objective[-1]
    gaps = {"accelerated": best - fit(data, tol=0, max_passes=n_passes).objective}
    for name, rule in RULES.items():
        steps = islice(rule(data, mm.Prior(1.0), np.ones(data.n_features)), n_passes)
        objective = np.array([step.objective for step in steps]) / data.total_weight
        gaps[name] = best - objective

    def draw(fig, method):
        shown = {"accelerated": gaps["accelerated"], method: gaps[method]}
        shown = {name: np.where(gap > 1e-9, gap, np.nan) for name, gap in shown.items()}
        shown = {method: shown[method]} | shown  # the other one lies on it, thinner
        style = {"ylabel": "nats below the optimum", "key": (0.3, 1)}
        style["colours"] = {"accelerated": views.FUNCTION} | views.RULES
        ax = views.draw_traces(fig.subplots(), shown, **style)
        ax.axhline(1e-6, color="grey", linewidth=1, linestyle=":")
        ax.set_yscale("log")
        views.draw_log_ticks(ax.yaxis)

    def alt(method):
        reached, text = gaps[method] < 1e-4, "never below 0.0001 nats"
        if reached.any():
            text = f"below 0.0001 nats after {int(np.argmax(reached))} passes"
        return f"{method}: {text}, with {gaps[method][-1]:.1e} nats left after {n_passes} passes."

    return {"draw": draw, "alt": alt, "name": "race"}


def errors(rows):
    """The source's errors, each on its case; controls ``error`` and ``version`` of `printed`."""
    bars = printed.bars(rows)
    values = lru_cache(lambda error, version: bars[error].values(version))
    climb = lru_cache(printed.climb)

    def draw(fig, error, version):
        ax = fig.subplots()
        ax.set_title(f"{error}: {version}", loc="left")
        if error in bars:
            both = [values(error, one) for one in printed.VERSIONS]
            _draw_case(ax, bars[error], both, version)
        else:
            rule = "all at once" if version == printed.PRINTED else "one group at a time"
            style = {"xlabel": "update", "ylabel": "ln L", "colours": views.RULES}
            views.draw_traces(ax, {rule: climb(version)}, **style)
            ax.set_ylim(min(climb(printed.PRINTED)) - 1, -2)

    def alt(error, version):
        if error not in bars:
            on_the_way, falls = climb(version), np.diff(climb(version)) < -1e-9
            end = f"ends at {on_the_way[-1]:.3f}"
            return f"{error}, {version}: ln L falls {falls.sum()} times, {end}."
        case = bars[error]
        parts = ", ".join(f"{name} {v:{case.form}}" for name, v in values(error, version).items())
        taken = f"; taken: {case.taken(version)}" if case.taken else ""
        return f"{error}, {version}: {case.label}: {parts}{taken}."

    return {"draw": draw, "alt": alt, "name": "slips"}


def _draw_case(ax, case, both, version):
    """Bars of one version, on a scale that has room for `both`."""
    found = both[printed.VERSIONS.index(version)]
    names, values = list(found), np.array([*found.values()])
    taken = names.index(case.taken(version)) if case.taken else None
    views.draw_bars(ax, names, values, np.zeros(len(names)), label=case.label, other=taken)
    ends = [end for found in both for end in found.values()]
    ax.set_xlim(min(min(ends) * 1.25, 0), max(max(ends) * 1.25, 0))
    for row, value in enumerate(values):
        side = "left" if value >= 0 else "right"
        ax.text(value, row, typeset(f" {value:{case.form}} "), ha=side, va="center")
