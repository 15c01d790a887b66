"""The explorables of the toys: nine games, on which each search and each fault can be followed.

Every function takes what it shows and returns the arguments ``draw``, ``alt`` and ``name``
of `touchbook.widgets.explore`; the chapter adds the controls.
"""

import numpy as np

from gameai_book.nrpa import views
from gameai_book.nrpa.printed.cases import FAULT_CASES, worked_fault
from gameai_book.nrpa.toy_games import MOVES, NINE
from gameai_lib.nrpa.search.policy import move_probabilities
from gameai_lib.nrpa.search.steps import NMCSStep, NRPAStep


def _words(game):
    return " ".join(MOVES[k] for k in game.choices)


def _points(game):
    return "1 point" if game.score == 1 else f"{game.score:g} points"


def nine_nrpa(run: list[NRPAStep]) -> dict:
    """NRPA of level 2 on the nine games; argument `step`."""

    def title(step):
        now = run[step]
        if now.kind == "copy":
            return "level 1 gets a copy of level 2's policy"
        best = _words(now.bests[now.level - 1])
        if now.kind == "playout":
            return f"level 1 plays {_words(now.game)}: {_points(now.game)}; its best is {best}"
        if now.level == 1:
            return f"level 1 adapts towards its best, {best}"
        return f"the copy is gone; level 2 adapts towards {best}"

    def is_gone(now):
        return now.kind == "adapt" and now.level == 2

    def chances(step, level):
        weights = run[step].policies[level - 1].reshape(2, 3)
        return [move_probabilities(row) for row in weights]

    def draw(fig, step):
        now = run[step]
        for level, ax in zip((2, 1), fig.subplots(1, 2), strict=True):
            colour, shown, state = views.LEVEL_COLOURS[level - 1], {}, ""
            if level == 1 and is_gone(now):
                state = ", thrown away"
            else:
                shown["rows"], shown["columns"] = chances(step, level)
                if best := now.bests[level - 1]:
                    shown["ringed"] = best.choices
                if level == 1 and now.kind == "playout":
                    shown["framed"] = [now.game.choices]
            views.draw_games(ax, NINE, MOVES, colour=colour, **shown)
            ax.set_title(f"level {level}{state}", color=colour)
        fig.suptitle(title(step))

    def alt(step):
        first = [" ".join(f"{p:.2f}" for p in chances(step, level)[0]) for level in (2, 1)]
        lower = "thrown away" if is_gone(run[step]) else first[1]
        return (
            f"Step {step}: {title(step)}. First moves a, b, c: level 2 {first[0]}, level 1 {lower}."
        )

    return {"draw": draw, "alt": alt, "name": "nine-nrpa"}


def nine_nmcs(runs: dict[int, list[NMCSStep]]) -> dict:
    """NMCS of level 1 on the nine games, its steps by seed; arguments `seed` and `step`.

    Step 0 is the start, where nothing is tried yet.
    """

    def title(seed, step):
        if not step:
            return "nothing is tried yet"
        now = runs[seed][step - 1]
        if now.kind == "play":
            return f"{MOVES[now.played[-1]]} is played, as in the best game, {_words(now.best)}"
        return f"tries {MOVES[now.tried]}: the game {_words(now.game)}, {_points(now.game)}"

    def draw(fig, seed, step):
        shown = {}
        if step:
            now = runs[seed][step - 1]
            framed = [now.game.choices] if now.kind == "try" else []
            shown = {"played": now.played, "framed": framed, "ringed": now.best.choices}
        ax = fig.subplots()
        views.draw_games(ax, NINE, MOVES, colour=views.LEVEL_COLOURS[0], **shown)
        ax.set_title(title(seed, step))

    def alt(seed, step):
        best = ""
        if step:
            game = runs[seed][step - 1].best
            best = f"; best so far {_words(game)}, {_points(game)}"
        return f"Seed {seed}, step {step}: {title(seed, step)}{best}."

    return {"draw": draw, "alt": alt, "name": "nine-nmcs"}


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

    return {"draw": draw, "alt": alt, "name": "fault-cases"}
