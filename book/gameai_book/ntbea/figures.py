"""The explorables of the chapter on NTBEA: what each draws, and says in words.

Every function takes what it shows and returns the arguments ``draw``, ``alt`` and ``name``
of `touchbook.widgets.explore`; the chapter adds the controls::

    explore(**figures.fooled(games), n=range(1, 401))
"""

from functools import cache
from itertools import islice

import numpy as np

from gameai_book.ntbea import printed
from gameai_book.ntbea.bandits import chance_to_pick_better, pull_arms
from gameai_book.ntbea.contest.settings import SETTINGS
from gameai_book.ntbea.contest.whys import leaders
from gameai_book.ntbea.results.contest import BUDGETS, FAMILIES
from gameai_book.ntbea.views import contests, models
from gameai_book.ntbea.views import games as scenes
from gameai_book.ntbea.views.parts import GREEN
from gameai_lib.ntbea.game import planet_wars, space_battle
from gameai_lib.ntbea.game.space_battle import FAR_SIGHTED, FEW_RULES, NEAR_SIGHTED, Rules

_NTBEA = "NTBEA, model mean"  # as published, among the entrants of the contest


def by_hand(games):
    """One battle and five stored results, of `games`, by rules; a control for each of them."""
    results = games.reshape(*FEW_RULES.n_values, -1)[..., :5]

    def draw(fig, **values):
        rules = Rules(thrust=1, **values)
        field, row = fig.subplots(1, 2, width_ratios=(1, 1.3))
        battle = space_battle.play(rules, FAR_SIGHTED, NEAR_SIGHTED, np.random.default_rng(18))
        scenes.draw_battle(field, battle, 60, rules.ship_radius, follow=True)
        scenes.draw_results(row, results[tuple(FEW_RULES.point_of(values))])

    def alt(**values):
        five = results[tuple(FEW_RULES.point_of(values))]
        rules = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in values.items())
        return (
            f"With {rules}, the far-sighted pilot wins {(five == 1).sum()} of five "
            f"games and loses {(five == 0).sum()}: a mean result of {five.mean():.1f}."
        )

    return {"draw": draw, "alt": alt, "name": "by-hand"}


def fooled(games):
    """The rules that look best after a few games of each, and their worth; control ``n``."""
    means = games.mean(axis=1)

    def draw(fig, n):
        scenes.draw_first_games(fig.subplots(), games, n)

    def alt(n):
        seen = games[:, :n].mean(axis=1)
        pick = seen.argmax()
        better = (means > means[pick]).sum()
        return (
            f"After {n} games each, the best set looks like {seen[pick]:.2f} and is worth "
            f"{means[pick]:.2f}. Sets that are better: {better}."
        )

    return {"draw": draw, "alt": alt, "name": "fooled"}


def noise(n_games, chances):
    """The chance to keep the better of two, by gap and number of games; so are the controls."""

    @cache
    def chance(gap, games):
        return chance_to_pick_better(0.5 + gap, 0.5, games)

    def draw(fig, gap, games):
        curves = chances | {gap: [chance(gap, n) for n in n_games]}
        scenes.draw_chances(fig.subplots(), n_games, curves, gap, (games, chance(gap, games)))

    def alt(gap, games):
        return (
            f"Win rates 0.50 and {0.5 + gap:.2f}: after {games} games each the better one is "
            f"kept with chance {chance(gap, games):.3f}."
        )

    return {"draw": draw, "alt": alt, "name": "noise"}


def bandit(pull, rates, names):
    """Mean and bonus of each arm before a pull; controls ``k`` and ``pulls``, up to 299.

    ``pull(arm, rng)`` gives a result; `rates` are the true means, `names` those of the arms.
    """

    @cache
    def pulls_with(k):
        return list(islice(pull_arms(pull, len(rates), k, np.random.default_rng(7)), 300))

    def draw(fig, k, pulls):
        models.draw_bandit(fig.subplots(), pulls_with(k)[pulls], rates, names)

    def alt(k, pulls):
        before = pulls_with(k)[pulls]
        return (
            f"k = {k}, after {pulls} pulls: arms were pulled {', '.join(map(str, before.n))} "
            f"times; next is {names[before.arm]}."
        )

    return {"draw": draw, "alt": alt, "name": "bandit"}


def planets(agents):
    """A game of Planet Wars of some `Agent`, by name; controls ``agent`` and ``tick``."""
    games = {
        name: planet_wars.play(agent, planet_wars.OPPONENT, np.random.default_rng(5))
        for name, agent in agents.items()
    }

    def draw(fig, agent, tick):
        scenes.draw_planets(fig.subplots(), games[agent], min(tick, len(games[agent].ships) - 1))

    def alt(agent, tick):
        frames = games[agent].ships
        ships = frames[min(tick, len(frames) - 1)]
        over = " (the game is over)" if tick >= len(frames) else ""
        return (
            f"The {agent} of the 288 agents against the opponent, tick {tick}{over}: it holds "
            f"{(ships > 0).sum()} planets, the opponent {(ships < 0).sum()}; "
            f"lead on planets {ships.sum():+.1f}."
        )

    return {"draw": draw, "alt": alt, "name": "planets"}


def two_tuples(shown, words, lengths):
    """What models know of two parameters, and the truth; control ``view``.

    `shown` maps views to a mean for each of two `words`, and of the `lengths` of a plan.
    """

    def draw(fig, view):
        ax, words_of = fig.subplots(), (words, lengths)
        models.draw_grid(ax, shown[view], view, fmt="{:+.2f}", words=words_of)
        ax.text(len(lengths) / 2 - 0.5, 1.86, "length of a plan", ha="center", va="top")
        ax.set(xlim=(-1.4, len(lengths) - 0.5), ylim=(2.15, -0.95))

    def alt(view):
        row, column = np.unravel_index(shown[view].argmax(), shown[view].shape)
        best = f"largest with {words[row]} and length {lengths[column]}"
        rows = [", ".join(f"{number:+.2f}" for number in numbers) for numbers in shown[view]]
        said = "; ".join(f"{name} {numbers}" for name, numbers in zip(words, rows, strict=True))
        return f"{view}: {best}. By length: {said}."

    return {"draw": draw, "alt": alt, "name": "two-tuples"}


def grid_steps(truth, frames):
    """A search of two dimensions, step by step; control ``n``, evaluations.

    `truth` has the true value of each point; `frames` hold for each evaluation its `Step`, the
    `Arms` of both dimensions and of the pair, the bound of each point, and what is recommended.
    """

    def draw(fig, n):
        step, arms, bound, _ = frames[n - 1]
        ax, mark = fig.subplots(), step.point
        models.draw_grid(ax, truth, "truth", mark=mark, limits=(0, 1))
        models.draw_margins(ax, arms, f"mean after {n}", left=6, mark=mark)
        models.draw_grid(ax, bound, f"UCB, k = {step.k:.1f}", top=7, mark=mark, hue=GREEN)

    def alt(n):
        step, arms, _, best = frames[n - 1]
        return (
            f"Evaluation {n} at {step.point.tolist()} gave {step.fitness:.0f}; "
            f"{int((arms[2].n > 0).sum())} of {truth.size} points have been seen; "
            f"recommended is {best}."
        )

    return {"draw": draw, "alt": alt, "name": "grid-steps"}


def settings(cells, problems):
    """What searches recommend as one setting changes; controls ``problem`` and ``setting``."""
    best = {problem.name: problem.best for problem in problems}

    def draw(fig, problem, setting):
        values, shown = SETTINGS[setting], cells[problem][setting]
        contests.draw_turned(fig.subplots(), values, shown, best[problem], xlabel=setting)

    def alt(problem, setting):
        pairs = zip(SETTINGS[setting], cells[problem][setting], strict=True)
        said = "; ".join(f"{value} gives {cell.mean:.2f}" for value, cell in pairs)
        return f"{problem}, {setting}: {said}."

    return {"draw": draw, "alt": alt, "name": "settings"}


def race(cells):
    """All entrants of the contest's group "families", ranked; controls ``problem``, ``budget``."""

    def entrants(problem, budget):
        here = {e: c for (p, b, e), c in cells.items() if (p, b) == (problem, budget)}
        return here | {"tune": here["tune"]._replace(total=0.0, squares=0.0)}

    def draw(fig, problem, budget):
        fig.set_layout_engine("none")  # as much room for the names at every setting
        foot = 0.55 / fig.get_figheight()  # inches, for the numbers and what they are
        ax = fig.add_axes((0.49, foot, 0.48, 0.99 - foot))
        contests.draw_contest(ax, entrants(problem, budget), cells[problem, budget, "tune"].mean)

    def alt(problem, budget):
        here, tuned = entrants(problem, budget), cells[problem, budget, "tune"]
        first = leaders(here)
        said = f"{first[0]} is first" if len(first) == 1 else f"{len(first)} are first, tied,"
        return (
            f"{problem}, {budget} games: {said} with {here[first[0]].mean:+.3f}; tune goes "
            f"{tuned.mean:.3f} ± {tuned.standard_error:.3f} of the way."
        )

    return {"draw": draw, "alt": alt, "name": "race"}


_ADDED = {"pairs": "1 2", "d-tuple": "1 2 d", "5 games a visit": "5 looks"}


def added(cells, families):
    """What parts of NTBEA add on some families, with 100 games: the contest's group "parts"."""
    shown = {(f, name): cells[f, 100, part] for f in families for name, part in _ADDED.items()}

    def draw(fig):
        contests.draw_differences(fig.subplots(), shown, xlabel="◂ it costs     it helps ▸")

    said = "; ".join(
        f"{family}: "
        + ", ".join(f"{name} {round(100 * shown[family, name].mean):+d}" for name in _ADDED)
        for family in families
    )
    return {"draw": draw, "alt": f"Gains after 100 games: {said}.", "name": "added"}


def duel(cells):
    """How much further NTBEA gets than `tune`: the contest's group "families"."""
    means = {f: np.mean([cells[f, b, _NTBEA].mean for b in BUDGETS]) for f in FAMILIES}
    ranked = sorted(FAMILIES, key=means.get, reverse=True)
    shown = {(f, f"{b} games"): cells[f, b, _NTBEA] for f in ranked for b in BUDGETS}

    def draw(fig):
        words = "◂ tune is further     NTBEA is further ▸"
        contests.draw_differences(fig.subplots(), shown, xlabel=words)

    def n_cases(sign, n_errors):
        return sum(sign * c.mean > n_errors * c.standard_error for c in shown.values())

    alt = (
        f"Of {len(shown)} cases NTBEA gets further than tune in {n_cases(1, 0)}, and tune gets "
        f"further in {n_cases(-1, 0)}. By more than two standard errors NTBEA gets further in "
        f"{n_cases(1, 2)} cases, and tune in {n_cases(-1, 2)}."
    )
    return {"draw": draw, "alt": alt, "name": "duel"}


def clip(evolved):
    """A battle under each of some `Rules`, by name; controls ``rules`` and ``tick``."""
    battles = {
        name: space_battle.play(rules, FAR_SIGHTED, NEAR_SIGHTED, np.random.default_rng(21))
        for name, rules in evolved.items()
    }

    def draw(fig, rules, tick):
        scenes.draw_battle(fig.subplots(), battles[rules], tick, evolved[rules].ship_radius)

    def alt(rules, tick):
        far, near = battles[rules].points[tick]
        made = f"Rules made for the {rules}-sighted pilot"
        return f"{made}, tick {tick}: far {far:.0f}, near {near:.0f}."

    return {"draw": draw, "alt": alt, "name": "clip"}


def source_error(problem):
    """What a search with one of the source's errors plays; controls ``error`` and ``version``.

    The problem has two dimensions; the version is "printed" or "right".
    """

    @cache
    def run(error, version):
        return printed.fault_runs(problem, error, version)[1]

    def draw(fig, error, version):
        played, shown = np.zeros(problem.space.n_values), run(error, version)
        np.add.at(played, tuple(shown.points.T), 1)
        look = {"mark": shown.recommended, "fmt": "{:.0f}", "limits": (0, 6)}
        models.draw_grid(fig.subplots(), played, f"{error}: {version}", **look)

    def alt(error, version):
        shown = run(error, version)
        best = shown.recommended
        twice = {0: "never", 1: "once"}.get(shown.n_again, f"{shown.n_again} times")
        return (
            f"{error}, {version}: different points in {len(shown.points)} games: "
            f"{shown.n_points}, {twice} the same twice in a row; recommended is "
            f"{best.tolist()}, worth {problem.true_value(best)}."
        )

    return {"draw": draw, "alt": alt, "name": "source-error"}
