"""The types that public functions name; shapes stand in their docstrings."""

import os
from typing import TYPE_CHECKING

import numpy as np

FilePath = str | os.PathLike[str]
Seed = int | np.random.Generator  # draws random numbers, or makes a generator that does

if TYPE_CHECKING:
    from numpy.typing import ArrayLike as ArrayLike
    from numpy.typing import NDArray as NDArray
else:

    def _name_type(name):
        """A type that `help` and the API page show by its name; numpy's own fill ten lines."""
        return type(name, (), {"__module__": "builtins"})  # of which no module is shown

    class NDArray:
        def __class_getitem__(cls, kind):
            return _name_type(f"NDArray[{getattr(kind, '__name__', kind)}]")

    ArrayLike = _name_type("ArrayLike")

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
