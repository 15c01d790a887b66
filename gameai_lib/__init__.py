"""Four game-AI algorithms, fast and tested: the library behind the book.

Each has a room, whose front door has all that one needs to begin:

- `gameai_lib.hanabi`: the game, agents, and beliefs about hidden cards;
- `gameai_lib.ntbea`: `tune` a game with few noisy evaluations, or ask and tell by `Tuner`;
- `gameai_lib.btmm`: `rate` players, `fit` strengths of whatever competes, read game records;
- `gameai_lib.nrpa`: search a puzzle by `NRPA`, `NMCS` and others, a puzzle of your own as well.

What joins two rooms, such as NRPA at Hanabi's table, stands in `gameai_lib.together`.
``help(gameai_lib.btmm)`` tells the way through a room. `gameai_lib.tables` shows results as tables,
of text or in a notebook; `gameai_lib.ntbea.plot`, which needs matplotlib, draws what was learned.

Random numbers come from a `numpy.random.Generator` that you pass, or a seed: same seed, same
result. Searches are compiled where numba is: ``pip install 'gameai_lib[fast]'``.
"""

import importlib
import pkgutil

__version__ = "0.1.0"

_DOORS = {module.name for module in pkgutil.iter_modules(__path__)} - {"base"}


def __getattr__(name):
    """Load a room when it is first asked for."""
    if name in _DOORS:
        return importlib.import_module(f"gameai_lib.{name}")
    raise AttributeError(f"module 'gameai_lib' has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), *_DOORS])
