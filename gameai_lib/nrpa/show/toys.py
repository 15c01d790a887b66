"""The explorables of the toys: nine games, on which each search and each fault can be followed.

Every function returns the `draw`, `alt` and `name` that `gameai_lib.widgets.explore` takes.
"""

import numpy as np

from gameai_lib.nrpa.game.oracles import printed_choice
from gameai_lib.nrpa.game.toys import NINE, nine_games
from gameai_lib.nrpa.problem.walk import playout_of, replay
from gameai_lib.nrpa.search.policy import NO_FAULTS, Faults, adapt, move_probabilities
from gameai_lib.nrpa.search.steps import nmcs_steps, nrpa_steps
from gameai_lib.nrpa.show import views

MOVES = "abc"


def _words(game):
    return " ".join(MOVES[k] for k in game.choices)


def _points(game):
    return f"{game.score:g} point" + "s" * (game.score != 1)


def nine_nrpa(seeds, n_iterations: int = 3) -> dict:
    """NRPA of level 2 on the nine games; arguments `seed` and `step`; also ``n_steps``."""
    problem = nine_games()
    runs = {
        s: list(nrpa_steps(problem, np.random.default_rng(s), n_iterations=n_iterations))
        for s in seeds
    }

    def said(seed, step):
        now = runs[seed][step]
        if now.kind == "copy":
            return "level 1 gets a copy of level 2's policy"
        best = _words(now.bests[now.level - 1])
        if now.kind == "playout":
            return f"level 1 plays {_words(now.game)}: {_points(now.game)}; its best is {best}"
        if now.level == 1:
            return f"level 1 adapts towards its best, {best}"
        return f"the copy is gone; level 2 adapts towards {best}"

    def chances(seed, step, level):
        weights = runs[seed][step].policies[level - 1].reshape(2, 3)
        return [move_probabilities(row) for row in weights]

    def draw(fig, seed, step):
        now = runs[seed][step]
        gone = now.kind == "adapt" and now.level == 2
        for level, ax in zip((2, 1), fig.subplots(1, 2), strict=True):
            best = now.bests[level - 1]
            shown = {"rows": None, "columns": None}
            if level == 2 or not gone:
                shown = dict(zip(shown, chances(seed, step, level), strict=True))
            if level == 1 and now.kind == "playout":
                shown["framed"] = [now.game.choices]
            if best is not None and (level == 2 or not gone):
                shown["ringed"] = best.choices
            colour = views.LEVEL_COLOURS[level - 1]
            views.draw_games(ax, NINE, MOVES, colour=colour, **shown)
            ax.set_title(f"level {level}" + ", thrown away" * (level == 1 and gone), color=colour)
        fig.suptitle(said(seed, step))

    def alt(seed, step):
        first = [" ".join(f"{p:.2f}" for p in chances(seed, step, level)[0]) for level in (2, 1)]
        return (
            f"Seed {seed}, step {step}: {said(seed, step)}. First moves a, b, c: level 2 "
            f"{first[0]}, level 1 {first[1]}."
        )

    n_steps = len(runs[seeds[0]])
    return {"name": "nine-nrpa", "draw": draw, "alt": alt, "n_steps": n_steps}


def nine_nmcs(seeds) -> dict:
    """NMCS of level 1 on the nine games; arguments `seed` and `step`; also ``n_steps``."""
    problem = nine_games()
    runs = {s: list(nmcs_steps(problem, np.random.default_rng(s))) for s in seeds}

    def said(seed, step):
        if not step:
            return "nothing is tried yet"
        now = runs[seed][step - 1]
        if now.kind == "play":
            return f"{MOVES[now.played[-1]]} is played, as in the best game, {_words(now.best)}"
        return f"tries {MOVES[now.tried]}: the game {_words(now.game)}, {_points(now.game)}"

    def draw(fig, seed, step):
        now = runs[seed][step - 1] if step else None
        ax = fig.subplots()
        shown = {"colour": views.LEVEL_COLOURS[0], "played": now.played if now else ()}
        if now is not None:
            shown["framed"] = [now.game.choices] if now.kind == "try" else []
            shown["ringed"] = now.best.choices
        views.draw_games(ax, NINE, MOVES, **shown)
        ax.set_title(said(seed, step))

    def alt(seed, step):
        best = ""
        if step:
            game = runs[seed][step - 1].best
            best = f"; best so far {_words(game)}, {_points(game)}"
        return f"Seed {seed}, step {step}: {said(seed, step)}{best}."

    n_steps = len(runs[seeds[0]])
    return {"name": "nine-nmcs", "draw": draw, "alt": alt, "n_steps": n_steps}


FAULT_CASES = {  # in the order of the source's text
    "list too short": "three equal moves: how often each is played",
    "codes by position": "one step to a b: second moves after c",
    "codes by place": "one step to a b: first moves",
    "no guard": "one step, α = 100, towards twenty times a",
    "greater or equal": "three equal moves: played where u = 0",
    "shared policy": "level 2's first move, after one search below",
    "one level off": "playouts of a search with N = 3",
    "strict comparison": "first a, then c scores 5: after both",
    "last normaliser": "b played: after two steps",
}


def worked_fault(fault: str, version: str) -> dict[str, float]:
    """The worked case of a fault, printed or right: a value, most often a probability, by name.

    A probability is nan where the printed program divides infinity by infinity.
    """
    printed = version == "printed"
    if fault == "one level off":
        return {f"level {n}": _n_playouts(n + printed) for n in (1, 2)}
    if fault == "greater or equal":
        picked = printed_choice(np.zeros(3), 0.0, lower=printed)
        return {name: float(picked == k) for k, name in enumerate(("no move", *MOVES), -1)}
    return dict(zip(MOVES, _worked_probabilities(fault, printed), strict=True))


def _n_playouts(level):
    steps = nrpa_steps(nine_games(), np.random.default_rng(0), level=level)
    return sum(step.kind == "playout" for step in steps)


def _worked_probabilities(fault, printed):
    if fault == "shared policy":
        faults = Faults(shared_policy=printed)
        steps = nrpa_steps(nine_games(), np.random.default_rng(0), faults=faults)
        step = next(step for step in steps if step.kind == "adapt" and step.level == 2)
        return move_probabilities(step.policies[1], [0, 1, 2])
    if fault == "no guard":
        if not printed:
            return move_probabilities(adapt(np.zeros(3), [[0, 1, 2]] * 20, [0] * 20, alpha=100.0))
        with np.errstate(over="ignore", invalid="ignore"):
            exps = np.exp(100.0 * 20 * (np.array([1, 0, 0]) - 1 / 3))
            return exps / exps.sum()
    if fault == "last normaliser":
        weights, faults = np.zeros(3), Faults(last_normaliser=True) if printed else NO_FAULTS
        for _ in range(2):
            weights = adapt(weights, [[0, 1, 2]], [1], faults=faults)
        return move_probabilities(weights)
    if fault == "list too short":
        u = (np.arange(600) + 0.5) / 600
        picks = [printed_choice(np.zeros(3), x, short=printed) for x in u]
        return np.bincount(picks, minlength=3) / u.size
    if fault == "strict comparison":
        weights = adapt(np.zeros(3), [[0, 1, 2]], [0])
        return move_probabilities(adapt(weights, [[0, 1, 2]], [0 if printed else 2]))
    codes = "ply" if not printed else "path" if fault == "codes by position" else "move"
    problem = nine_games(codes)
    game = playout_of(problem, [0, 1])
    legal = [ply.legal for ply in replay(problem, game.choices) if ply.choice >= 0]
    policy = adapt(np.zeros(problem.n_codes), legal, game.choices)
    plies = list(replay(problem, [2, 1]))
    return move_probabilities(policy, plies[1 if fault == "codes by position" else 0].legal)


def fault_cases() -> dict:
    """Each fault on a case that fits on paper; arguments `fault` and `version`."""

    def draw(fig, fault, version):
        case = worked_fault(fault, version)
        ax = fig.subplots()
        is_count = fault == "one level off"
        scale = {"ylabel": "playouts" if is_count else "probability"}
        scale["ylim"] = (0, 30 if is_count else 1.1)
        views.draw_bars(ax, list(case), list(case.values()), **scale)
        if np.isnan(list(case.values())).any():
            ax.text(0, 0.05, "infinity / infinity", rotation=90, ha="center", va="bottom")
        ax.set_title(f"{version}: {FAULT_CASES[fault]}", fontsize=12)

    def alt(fault, version):
        case = worked_fault(fault, version).items()
        values = ", ".join(f"{name} {value:.3f}".removesuffix(".000") for name, value in case)
        return f"Fault {fault}, {version}; {FAULT_CASES[fault]}: {values}."

    return {"name": "fault-cases", "draw": draw, "alt": alt}
