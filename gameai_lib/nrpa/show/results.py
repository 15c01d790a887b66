"""Tables of the long runs, as ``benchmarks.nrpa_tables`` wrote them."""

import json
from functools import cache
from pathlib import Path

from gameai_lib import _checks as checks
from gameai_lib.nrpa.game.files import load_game
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.search.walk import Playout

DATA = Path(__file__).parents[1] / "data"


def table(name: str) -> dict:
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
