"""The types that public functions name; shapes stand in their docstrings."""

import os

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
FilePath = str | os.PathLike[str]
Seed = int | np.random.Generator  # draws random numbers, or makes a generator that does
