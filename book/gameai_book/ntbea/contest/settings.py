"""One setting of the search at a time: which values are compared.

``python -m gameai_book.ntbea.measure.contest settings 200`` plays the searches; every other setting
stays at its default.
"""

from gameai_lib.ntbea import Settings

BUDGET = 288  # evaluations of each search


def _set(**options):
    return {"settings": Settings(**options)}


# {setting: {value: options of `search_once`}}. With 50 neighbours p hardly matters, hence 8.
SETTINGS = {
    "k, in ranges": {v: _set(k_scale=v) for v in (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)},
    "neighbours": {v: _set(n_neighbours=v) for v in (1, 3, 10, 30, 70)},
    "p": {v: _set(mutation=v, n_neighbours=8) for v in (0.0, 0.1, 0.2, 0.4, 0.7, 1.0)},
    "flip_once": {v: _set(flip_once=v) for v in (True, False)},
    "epsilon": {v: {"epsilon": v} for v in (0.01, 0.1, 0.5, 2.0, 10.0)},
    "tuples": {
        "1": {"sizes": (1,)},
        "2": {"sizes": (2,)},
        "d": {"sizes": ("d",)},
        "1 2": {"sizes": (1, 2)},
        "1 2 d": {"sizes": (1, 2, "d")},
    },
}


def label(setting, value):
    """What the result file calls a value of a setting."""
    return f"{setting}: {value}"
