"""Files of models and tuners: the arrays of all evaluations, and the rest as JSON."""

import contextlib
import json
import math

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.files import write_whole
from gameai_lib.ntbea.game.space import SearchSpace, space_of


class SpaceError(ValueError):
    """A file or model has another space than the one given, or values only its writer knows."""


def write_model(path, model, **more):
    """Write a model, and `more` about it that JSON can hold, whole or not at all."""
    about = {
        "parameters": _packed_space(model.space),
        "sizes": model.sizes,
        "epsilon": model.epsilon,
        "failed": [*model._failed.items()],
    } | more
    arrays = {"about": json.dumps(about), "points": model.points, "fitness": model.fitness}
    arrays["std"] = model.std
    write_whole(checks.file_path(path), lambda file: np.savez(file, **arrays))


@contextlib.contextmanager
def reading(path, what):
    """Open a file, of which all that is wrong in it is a ValueError: it does not hold `what`."""
    with open(checks.file_path(path), "rb") as file:
        try:
            yield file
        except SpaceError:
            raise
        # A flipped byte comes out of zip, numpy or JSON as almost any kind of error.
        except Exception as error:
            raise ValueError(f"{path} does not hold {what}") from error


def read_model(file, space, make):
    """Return the model in a file, from ``make(space, sizes, epsilon)``, and all said about it."""
    with np.load(file) as arrays:
        about = json.loads(str(arrays["about"]))
        points, fitness, std = (arrays[name] for name in ("points", "fitness", "std"))
    space = _unpacked_space(about["parameters"], space)
    model = make(space, tuple(about["sizes"]), about["epsilon"])
    for point, value, deviation in zip(points, fitness, std.tolist(), strict=True):
        model.add(point, value, None if math.isnan(deviation) else deviation)
    for point, why in about["failed"]:
        model._failed[tuple(space.check_point(point).tolist())] = checks.kind("why", why, str)
    return model, about


def refuse_other(what, has, wanted):
    """Raise a `SpaceError` if lists of [name, values] differ; it names what only one has."""
    if has != wanted:
        differ = [parameter for parameter in has if parameter not in wanted]
        raise SpaceError(f"{what} has {short(differ or has)}, which {short(wanted)} is not")


def _packed_space(space):
    """Return the parameters as JSON can hold them; what it can't hold stands as its `repr`."""
    pairs = zip(space.names, space.values, strict=True)
    return [[name, [_pack(value) for value in values]] for name, values in pairs]


def _pack(value):
    if value is None or type(value) in (bool, int, float, str):
        return value
    if type(value) is tuple:
        return {"tuple": [_pack(part) for part in value]}
    return {"repr": repr(value)}


def _unpacked_space(parameters, space):
    if space is None:
        return SearchSpace({name: [_unpack(v) for v in values] for name, values in parameters})
    space = space_of(space)
    refuse_other("the file", parameters, _packed_space(space))
    return space


def _unpack(value):
    if not isinstance(value, dict):
        return value
    if "tuple" in value:
        return tuple(_unpack(part) for part in value["tuple"])
    raise SpaceError(f"pass `space`: the file knows a value only as {short(value['repr'])}")
