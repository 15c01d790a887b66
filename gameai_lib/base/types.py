"""The types that public functions name; shapes stand in their docstrings."""

import os
from typing import TYPE_CHECKING, Union

import numpy as np

FilePath = str | os.PathLike[str]
Seed = int | np.random.Generator  # draws random numbers, or makes a generator that does

if TYPE_CHECKING:
    from numpy.typing import ArrayLike as ArrayLike
    from numpy.typing import NDArray as NDArray
else:

    class _Named:
        """A type that `help` and the API page show by its name; numpy's own fill ten lines."""

        def __init__(self, name):
            self.__name__ = name

        def __repr__(self):
            return self.__name__

        def __getitem__(self, kind):
            return _Named(f"{self}[{getattr(kind, '__name__', kind)}]")

        def __or__(self, other):
            return Union[self, other]  # noqa: UP007

        def __ror__(self, other):
            return Union[other, self]  # noqa: UP007

        def __call__(self):  # `typing` takes what can be called for a type
            raise TypeError(f"{self} is the name of a type, and makes nothing")

    ArrayLike, NDArray = _Named("ArrayLike"), _Named("NDArray")

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
