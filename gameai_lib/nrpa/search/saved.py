"""A search in a file: its arrays, its parameters and the state of its random numbers.

The problem is not in it, for rules are functions; but the file knows its sizes and its numbers, and
by its rules the best game has to come back.
"""

import hashlib
import json

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.files import write_whole
from gameai_lib.base.generators import generator_of, state_of
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.walk import playout_of

FORMAT = 4  # changes with the records that the searches live in


def write(search, path) -> None:
    """Write a search to one file, whole or not at all."""
    about = {
        "format": FORMAT,
        "search": type(search).__name__,
        "parameters": search._parameters(),
        "problem": _identity(search.problem),
        "rng": state_of(search._rng),
    }
    content = dict(_leaves(search._arrays)) | {"about": json.dumps(about)}
    write_whole(checks.file_path(path), lambda file: np.savez(file, **content))


def read(kind, path, problem):
    """The search of class `kind` on this problem that `write` wrote; see `Search.load`."""
    checks.kind("problem", problem, Problem)
    with open(checks.file_path(path), "rb") as file:
        try:
            with np.load(file) as arrays:
                stored = dict(arrays)
            about = json.loads(str(stored.pop("about")))
            other = _what_is_other(about, kind, problem)
            search = None if other else _restore(kind, problem, about, stored)
        # A flipped byte comes out of zip, numpy or JSON as almost any kind of error.
        except Exception as error:
            raise ValueError(f"{path} does not hold a search, or is damaged") from error
    if other:
        raise ValueError(f"{path}: {other}")
    _replay_best(search, path)
    return search


def _what_is_other(about, kind, problem):
    """Why a file holds another search, in words; nothing if it does not."""
    if about["format"] != FORMAT:
        return f"saved in format {short(about['format'])}, and read is format {FORMAT}"
    if about["search"] != kind.__name__:
        return f"a search of {short(about['search'])}, not {kind.__name__}"
    for part, here in _identity(problem).items():
        saved = about["problem"][part]
        if saved != here:
            differs = f"its {part} was {short(saved)}, and is {short(here)}"
            return f"a search of another problem than {problem.name}: {differs}"
    return ""


def _identity(problem):
    """What tells a problem from another, but for its rules."""
    parts = problem.ints, problem.floats, *([] if problem.bias is None else [problem.bias])
    digest = hashlib.sha256(repr([part.tolist() for part in parts]).encode()).hexdigest()
    sizes = {size: getattr(problem, size) for size in ("n_codes", "max_plies", "max_legal")}
    return sizes | {"data": digest}


def _restore(kind, problem, about, stored):
    search = kind(problem, generator_of(about["rng"]), **about["parameters"])
    for name, array in _leaves(search._arrays):
        if (stored[name].dtype, stored[name].shape) != (array.dtype, array.shape):
            raise ValueError(f"{name} is {stored[name].dtype} {stored[name].shape}")
        array[...] = stored[name]
    return search


def _leaves(record, before=""):
    """Every array of a record, by its name with those of the records that it is in."""
    for name, value in record._asdict().items():
        if isinstance(value, np.ndarray):
            yield before + name, value
        elif isinstance(value, tuple):
            yield from _leaves(value, f"{before}{name}.")


def _replay_best(search, path):
    score, choices = search._best_game()
    if score == -np.inf:
        return
    try:
        again = playout_of(search.problem, choices).score
    except ValueError as error:
        again = error
    if again != score:
        raise ValueError(f"{path}: its best game scored {score}, and now: {again}")
