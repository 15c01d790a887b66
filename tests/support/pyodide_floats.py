"""Stands where hypothesis has a compiled part, of which there is none for WebAssembly.

Copied over `hypothesis._native.internal` in the archive that `pyodide_units` serves. The names
and what they do are hypothesis' own.
"""

import math
import struct

# Formats of `struct`: a float of that many bits, and an integer of as many.
FORMATS = {16: ("<e", "<H"), 32: ("<f", "<I"), 64: ("<d", "<Q")}
# By bits, the smallest number that has all its digits.
SMALLEST = {16: 2.0**-14, 32: 2.0**-126, 64: 2.0**-1022}


def width_smallest_normals(width):
    """The smallest positive number that has all its digits."""
    return SMALLEST[width]


def float_to_int(value, width=64):
    """The bits of a float, as an integer."""
    as_float, as_int = FORMATS[width]
    return struct.unpack(as_int, struct.pack(as_float, value))[0]


def int_to_float(value, width=64):
    """The float with these bits."""
    as_float, as_int = FORMATS[width]
    return struct.unpack(as_float, struct.pack(as_int, value))[0]


def float_of(x, width):
    """`x` rounded to a float of `width` bits."""
    as_float, _ = FORMATS[width]
    return struct.unpack(as_float, struct.pack(as_float, x))[0]


def is_negative(x):
    """Whether the sign is set, also that of zero."""
    return math.copysign(1, x) < 0


def next_up(value, width=64):
    """The next larger float; +0 follows -0."""
    if math.isnan(value) or value == math.inf:
        return value
    if value == 0 and is_negative(value):
        return 0.0
    return int_to_float(float_to_int(value, width) + (-1 if is_negative(value) else 1), width)


def next_down(value, width=64):
    """The next smaller float; -0 follows +0."""
    return -next_up(-value, width)


def next_up_normal(value, width, *, allow_subnormal):
    """As `next_up`, but past the numbers that lack digits unless they are allowed."""
    value = next_up(value, width)
    smallest = SMALLEST[width]
    if allow_subnormal or not 0 < abs(value) < smallest:
        return value
    return smallest if value > 0 else -0.0


def next_down_normal(value, width, *, allow_subnormal):
    """As `next_down`, but past the numbers that lack digits unless they are allowed."""
    return -next_up_normal(-value, width, allow_subnormal=allow_subnormal)


def count_between_floats(x, y, width=64):
    """How many floats lie between `x` and `y`, both counted; -0 and +0 are two."""
    if is_negative(x) != is_negative(y):
        return count_between_floats(x, -0.0, width) + count_between_floats(0.0, y, width)
    return abs(float_to_int(y, width) - float_to_int(x, width)) + 1


def cathetus(_h, _a):
    """For complex numbers, which no test asks for."""
    raise NotImplementedError
