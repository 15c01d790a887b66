"""The tables of the long runs, as ``gameai_book.nrpa.measure.tables`` wrote them."""

import json
from functools import cache
from pathlib import Path

import numpy as np

from gameai_lib.base import checks
from gameai_lib.nrpa.game.files import load_game
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.problem.walk import Playout

DATA = Path(__file__).parents[1] / "data"
LATE_COST = 1e6  # of a city that is reached late
UNSEEN = "SolomonPotvinBengio"  # the tours on which no setting was chosen

# The faults that change results, in the order of the source's text, and their names in the files.
FAULTS = {
    "list too short": "4 last move never played",
    "codes by position": "8 state-keyed codes",
    "codes by place": "9 place-keyed codes",
    "shared policy": "1 shared policy",
    "strict comparison": "6 strict comparison",
    "last normaliser": "2 last normaliser",
}
NO_FAULT, FOUR = "Rosin's algorithm", "1, 2, 4 and 6 together"


def read_table(name: str) -> dict:
    """One result file, for example ``faults`` or ``methods``.

    Raises
    ------
    ValueError
        If there is no such file.
    """
    checks.one_of("name", name, sorted(path.stem for path in DATA.glob("*.json")))
    return json.loads(_text(name))


@cache
def _text(name):
    return (DATA / f"{name}.json").read_text()


def best_morpion_game(variant: str = "5D") -> tuple[Playout, dict]:
    """The best game of our level-3 searches in a Morpion variant, replayed by the referee."""
    return load_game(DATA / f"morpion_{variant}_best.json", morpion(variant))


def mean_errors(runs) -> tuple[list[float], list[float]]:
    """Mean of each row of scores, and its standard error."""
    rows = [np.asarray(scores, float) for scores in runs]
    errors = [row.std(ddof=1) / row.size**0.5 for row in rows]
    return [float(row.mean()) for row in rows], [float(error) for error in errors]


def n_runs(*rows) -> str:
    """How many runs rows of scores are of: "30", or "30 and 6" where they are of unequal length."""
    return " and ".join(map(str, dict.fromkeys(map(len, rows))))


def fault_scores(name: str = "faults") -> dict:
    """Scores without a fault, with each, and with four, in the order of the source's text."""
    stored = read_table(name)["scores"]
    names = {"none": NO_FAULT} | FAULTS | {"four of them": FOUR}
    return {shown: stored[key] for shown, key in names.items() if key in stored}


def one_setting(folder: str) -> dict[str, np.ndarray]:
    """How far `best_tour` was above the best known cost in 10 CPU-seconds, by tour and seed.

    Per cent; infinite where a window is violated. Tours without a known cost are left out.

    Parameters
    ----------
    folder : str
        ``AFG`` or ``Dumas``, on which the setting was chosen, or ``SolomonPotvinBengio``.
    """
    rows = {name: row for name, row in read_table("tours")[folder].items() if row["known"]}
    return {
        name: np.array(
            [_gap(row["known"], late * LATE_COST + cost) for cost, late, *_ in row["runs"]]
        )
        for name, row in rows.items()
    }


def _gap(known, cost):
    if cost >= LATE_COST:
        return np.inf
    # Best known costs are printed with two digits.
    return 100 * (cost / known - 1) if cost > known + 0.0051 else 0.0


@cache
def yardstick(game: str) -> dict:
    """Scores by player, lowest first: ``random``, ``level 1`` to ``level 3``; ``n_iterations``.

    `game` is a variant of Morpion, or SameGame's ``bundled`` or ``lesson`` board.
    """
    scores = read_table("yardsticks")[game]
    return {k: sorted(v) if isinstance(v, list) else v for k, v in scores.items()}


def best_known(board: str = "bundled") -> float:
    """Points of the best game that our searches found on a board of SameGame."""
    longest = read_table("samegame")["bundled"].values() if board == "bundled" else []
    return max(*longest, *yardstick(board)["level 3"])


def beside_peers() -> dict[str, list]:
    """Columns of a table: our search and other programs' taking turns on Morpion 5D.

    The median of their playouts per CPU-second, the mean of their lines with its standard error,
    and the median, with both quartiles, of our rate over theirs, seed by seed.
    """
    stored = read_table("peers")
    n_playouts = stored["n_iterations"] ** stored["level"]
    lines, seconds = np.moveaxis(np.array(list(stored["runs"].values())), 2, 0)
    ratios = np.percentile(seconds / seconds[0], [25, 50, 75], axis=1).T
    return {
        "program": list(stored["runs"]),
        "runs": [len(runs) for runs in stored["runs"].values()],
        "playouts/s": [f"{n_playouts / middle:,.0f}" for middle in np.median(seconds, 1)],
        "lines": [f"{m:.1f} ± {e:.1f}" for m, e in zip(*mean_errors(lines), strict=True)],
        "ours / its": [f"{m:.2f} ({low:.2f}–{high:.2f})" for low, m, high in ratios],
    }
