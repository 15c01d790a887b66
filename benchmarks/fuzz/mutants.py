"""Damaged copies of good inputs, and values that nobody should pass."""

import copy
import json
import math

import numpy as np

# What breaks readers: long numbers, no numbers, quotes and brackets, other encodings.
TOKENS = (
    b"\x00", b"\xff" * 8, b'"', b"'", b"[", b"]", b"{", b"}", b"(", b";", b",", b":", b"\\", b"\n",
    b"\r\n", b"\t", b" ", b"-1", b"1e400", b"NaN", b"Infinity", b"null", b"true", b"9" * 400,
    b"0x10", b"1.5", b"\xef\xbb\xbf", b"\xc3\x28", b"\xe2\x80\xa8", "١".encode(), b"[" * 20_000,
    b"(" * 20_000, b'{"a":' * 20_000, b"a" * 200_000,
)  # fmt: skip
EXTREMES = (0, 1, -1, 127, 128, 255, 256, 2**15, 2**16 - 1, 2**31 - 1, -(2**31), 2**32, 2**62)


def damaged(data: bytes, rng) -> bytes:
    """Return `data` after one to four small accidents: flips, cuts, insertions, repetitions."""
    data = bytearray(data)
    for _ in range(int(rng.integers(1, 5))):
        _ACCIDENTS[rng.integers(len(_ACCIDENTS))](data, rng)
    return bytes(data)


def _flip(data, rng):
    if data:
        data[rng.integers(len(data))] ^= 1 << int(rng.integers(8))


def _overwrite(data, rng):
    if data:
        data[rng.integers(len(data))] = int(rng.integers(256))


def _overwrite_number(data, rng):
    # Most headers of binary files start with counts; a damaged count asks for memory.
    at = int(rng.integers(min(len(data), 64) + 1))
    number = int(rng.choice(EXTREMES)) & 0xFFFFFFFF
    data[at : at + 4] = number.to_bytes(4, "little")


def _truncate(data, rng):
    del data[rng.integers(len(data) + 1) :]


def _slice(data, rng):
    start = int(rng.integers(len(data) + 1))
    return start, start + int(rng.integers(1, 65))


def _delete(data, rng):
    start, end = _slice(data, rng)
    del data[start:end]


def _repeat(data, rng):
    start, end = _slice(data, rng)
    data[end:end] = data[start:end] * int(rng.integers(1, 4))


def _insert_token(data, rng):
    at = int(rng.integers(len(data) + 1))
    data[at:at] = TOKENS[rng.integers(len(TOKENS))]


def _insert_noise(data, rng):
    at = int(rng.integers(len(data) + 1))
    data[at:at] = rng.bytes(int(rng.integers(1, 17)))


def _replace_digit(data, rng):
    digits = [i for i, byte in enumerate(data[:100_000]) if 48 <= byte <= 57]
    if digits:
        data[digits[rng.integers(len(digits))]] = int(rng.integers(48, 58))


_ACCIDENTS = (
    _flip, _overwrite, _overwrite_number, _truncate, _delete, _repeat, _insert_token,
    _insert_noise, _replace_digit, _replace_digit,
)  # fmt: skip

_JSON_JUNK = (
    None, True, False, 0, -1, 1, 2.7, 1e308, math.inf, math.nan, 10**30, "", "x", "21", "9" * 5000,
    [], [[]], [1, [2]], {}, {"a": 1}, "\x00", "\ud83d\ude00",
)  # fmt: skip


def damaged_json(value, rng) -> str:
    """Return the text of a JSON value in which one to three parts have another type or are gone."""
    value = json.loads(json.dumps(value))
    for _ in range(int(rng.integers(1, 4))):
        value = _damage_node(value, rng)
    text = json.dumps(value)
    if rng.random() < 0.03:
        depth = int(rng.choice([50, 900, 100_000]))
        text = "[" * depth + text + "]" * depth
    return text


def _damage_node(value, rng):
    # Walk down a random way; what stands at its end is replaced, removed or repeated.
    if isinstance(value, list | dict) and value and rng.random() < 0.85:
        keys = list(value) if isinstance(value, dict) else range(len(value))
        key = keys[rng.integers(len(keys))]
        if rng.random() < 0.1:
            del value[key]
        elif rng.random() < 0.05 and isinstance(value, list):
            value.insert(key, value[key])
        else:
            value[key] = _damage_node(value[key], rng)
        return value
    if isinstance(value, int | float) and rng.random() < 0.4:
        return value + int(rng.choice([-1, 1, 100, -100]))
    return copy.deepcopy(_JSON_JUNK[rng.integers(len(_JSON_JUNK))])


class Odd:
    """An object that is nothing in particular."""

    def __repr__(self):
        return "<odd>"


_JUNK = (
    None, True, False, 0, 1, -1, 2, 3, 7, 0.5, 1.0, 1.5, 2.5, -0.0, math.nan, math.inf, -math.inf,
    1e-320, 1e200, 1e308, 2**31, 2**32 + 1, 2**53 + 1, 2**62, 2**63, 2**64, -(2**63), 10**400,
    1j, "", "9", "no", "x" * 5000, b"1", [], [[]], [1, [2, 3]], (), (1, 2), [None], ["a"], {},
    {"a": 1}, {1}, range(5), range(10**12), Odd(), Odd, len, ...,
)  # fmt: skip


def junk(rng):
    """A value of a wrong type or an extreme size."""
    if rng.random() < 0.75:
        return _JUNK[rng.integers(len(_JUNK))]
    shape = [(), (0,), (1,), (3,), (2, 3), (0, 3), (3, 0), (2, 2, 2), (25,), (5, 25)]
    dtypes = ["f8", "i8", "u1", "?", "i2", "f4", "c16", "U1", "O", "M8[s]"]
    array = np.zeros(shape[rng.integers(len(shape))], dtypes[rng.integers(len(dtypes))])
    if array.dtype.kind in "fi" and array.size and rng.random() < 0.7:
        extremes = [1, -1, 2, 100] if array.dtype.itemsize < 8 else [-1, 1, 2**40, 2**62]
        array.flat[rng.integers(array.size)] = extremes[rng.integers(4)]
        if array.dtype.kind == "f" and rng.random() < 0.5:
            array.flat[rng.integers(array.size)] = [math.nan, math.inf, 3e38, 0.5][rng.integers(4)]
    return array


_NEAR_NUMBERS = (
    lambda x: x + 1, lambda x: x - 1, lambda x: -x, lambda x: x + 0.5, float, str, bool,
    lambda x: [x], np.array, np.float32, lambda x: x * 10**6, lambda x: np.array([x]),
)  # fmt: skip


def near(value, rng):
    """A value close to a good one: another type, shape, sign or size."""
    if isinstance(value, bool):
        return [int(value), str(value), np.bool_(value), float(value)][rng.integers(4)]
    if isinstance(value, int | float | np.number):
        try:
            return _NEAR_NUMBERS[rng.integers(len(_NEAR_NUMBERS))](value)
        except (OverflowError, ValueError):  # too large for that
            return junk(rng)
    if isinstance(value, np.ndarray):
        return _near_array(value, rng)
    if isinstance(value, list | tuple) and len(value):
        changed = list(value)
        at = int(rng.integers(len(changed)))
        changed[at] = near(changed[at], rng) if rng.random() < 0.5 else junk(rng)
        ways = [changed, changed[:-1], changed * 2, tuple(changed), iter(changed), value[0]]
        return ways[rng.integers(len(ways))]
    if isinstance(value, dict) and value:
        key = list(value)[rng.integers(len(value))]
        return value | {key: near(value[key], rng)}
    if isinstance(value, str):
        return [value + "x", value[:-1], value.upper(), "", value.encode(), value * 50][
            rng.integers(6)
        ]
    return junk(rng)


def _near_array(array, rng):
    def cell(value):
        changed = array.astype(np.result_type(array.dtype, np.asarray(value).dtype))
        if changed.size:
            changed.flat[rng.integers(changed.size)] = value
        return changed

    numbers = array.dtype.kind in "iuf"
    ways = [
        lambda: array[..., :-1] if array.ndim else array[()],
        lambda: array[None],
        lambda: array[:0] if array.ndim else array,
        lambda: array.T,
        lambda: array.tolist(),
        lambda: array.astype(object),
        lambda: array.astype(bool) if numbers else array.astype(int),
        lambda: array.astype(float) if array.dtype.kind in "iub" else array,
        lambda: np.asfortranarray(array)[::-1] if array.ndim else array,
        lambda: cell(-1) if array.dtype.kind in "if" else array,
        lambda: cell(math.nan) if numbers else array,
        lambda: cell(0.5) if numbers else array,
        lambda: cell(2**62) if array.dtype.kind in "if" else array,
        lambda: np.concatenate([array, array]) if array.ndim else array,
    ]
    return ways[rng.integers(len(ways))]()


def spoiled(arguments: dict, rng) -> dict:
    """A copy of keyword arguments in which one or two are junk, or close to good."""
    arguments = dict(arguments)
    for _ in range(1 + int(rng.random() < 0.25)):
        name = list(arguments)[rng.integers(len(arguments))]
        good = arguments[name]
        try:
            arguments[name] = near(good, rng) if rng.random() < 0.5 else junk(rng)
        except (TypeError, ValueError, OverflowError):  # it is junk already, and has no neighbour
            arguments[name] = junk(rng)
    return arguments
