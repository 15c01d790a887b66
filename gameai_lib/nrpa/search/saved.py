"""A search in a file: its arrays, its parameters and the state of its random numbers.

The problem is not in it, for rules are functions; but the file knows another one from the right.
"""

import hashlib
import json
import sys
import zipfile

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.files import write_whole
from gameai_lib.base.generators import generator_of, state_of
from gameai_lib.nrpa.problem.content import stamp_of
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.walk import playout_of

FORMAT = 3  # changes with the records that the searches live in
SIZES = "n_codes", "max_plies", "max_legal"
PYTHON = [*sys.version_info[:2]]


def write(search, path) -> None:
    """Write a search to one file, whole or not at all."""
    arrays = dict(_leaves(search._arrays))
    about = {
        "format": FORMAT,
        "search": type(search).__name__,
        "parameters": search._parameters(),
        "problem": _identity(search.problem),
        "rng": state_of(search._rng),
        "arrays": _digest(arrays),
    }
    arrays["about"] = json.dumps(about)
    write_whole(checks.file_path(path), lambda file: np.savez(file, **arrays))


def read(kind, path, problem):
    """The search of class `kind` on this problem that `write` wrote; see `Search.load`."""
    checks.kind("problem", problem, Problem)
    with open(checks.file_path(path), "rb") as file:
        try:
            about, stored = _content(file)
            saved, name = about["format"], about["search"]
        # A flipped byte comes out of zip, numpy or JSON as almost any kind of error.
        except Exception as error:
            raise ValueError(f"{path} does not hold a search, or is damaged") from error
    if saved != FORMAT:
        raise ValueError(f"{path}: saved in format {short(saved)}, and read is format {FORMAT}")
    if name != kind.__name__:
        raise ValueError(f"{path}: a search of {short(name)}, not {kind.__name__}")
    differs = _difference(about.get("problem"), problem)
    if differs:
        raise ValueError(f"{path}: a search of another problem than {problem.name}: {differs}")
    try:
        # Compiled code does not ask whether an index in an array leads out of another.
        if _digest(stored) != about["arrays"]:
            raise ValueError("an array has changed")
        search = kind._again(problem, generator_of(about["rng"]), about["parameters"])
        for name, array in _leaves(search._arrays):
            if (stored[name].dtype, stored[name].shape) != (array.dtype, array.shape):
                raise ValueError(f"{name} is {stored[name].dtype} {stored[name].shape}")
            array[...] = stored[name]
    except Exception as error:
        raise ValueError(f"{path} does not hold a search, or is damaged") from error
    if about["problem"]["python"] != PYTHON or about["problem"]["rules"] is None:
        _replay_best(search, path)
    return search


def _content(file):
    # `write` packs nothing: a file that grows on reading is damaged.
    with zipfile.ZipFile(file) as members:
        if any(m.compress_type != zipfile.ZIP_STORED for m in members.infolist()):
            raise ValueError("its arrays are packed")
    file.seek(0)
    with np.load(file) as arrays:
        stored = dict(arrays)
    return json.loads(str(stored.pop("about"))), stored


def _leaves(record, before=""):
    """Every array of a record, by its name with those of the records that it is in."""
    for name, value in record._asdict().items():
        if isinstance(value, np.ndarray):
            yield before + name, value
        elif isinstance(value, tuple):
            yield from _leaves(value, f"{before}{name}.")


def _digest(arrays):
    digest = hashlib.sha256()
    for name in sorted(arrays):
        digest.update(name.encode() + np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()


def _identity(problem):
    """What tells a problem from another; its rules only for the Python that compiled them."""
    parts = problem.ints, problem.floats, *([] if problem.bias is None else [problem.bias])
    digest = hashlib.sha256(repr([part.tolist() for part in parts]).encode())
    sizes = {size: getattr(problem, size) for size in SIZES}
    about = {"data": digest.hexdigest(), "rules": stamp_of(problem.rules), "python": PYTHON}
    return {"name": problem.name} | sizes | about


def _difference(saved, problem):
    """What differs, in words; nothing where it is the same problem."""
    here = _identity(problem)
    if not isinstance(saved, dict) or saved.keys() != here.keys():
        return "the file does not say of which"
    for size in SIZES:
        if saved[size] != here[size]:
            return f"{size} was {short(saved[size])}, and is {here[size]}"
    if saved["data"] != here["data"]:
        return f"the numbers of {short(saved['name'])} were others"
    if saved["python"] == PYTHON and saved["rules"] != here["rules"]:
        return f"the rules of {short(saved['name'])} were others"
    return ""


def _replay_best(search, path):
    """Where rules cannot be compared, the best game at least has to come back."""
    score, choices = search._best_game()
    if score == -np.inf:
        return
    try:
        again = playout_of(search.problem, choices).score
    except ValueError as error:
        again = error
    if again != score:
        raise ValueError(f"{path}: its best game scored {score}, and now: {again}")
