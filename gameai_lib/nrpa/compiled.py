"""Kernels of a problem, compiled once and kept on disk for the problems of this package.

Numba cannot keep closures on disk, but it keeps a plain function together with the closures
that it calls; hence the short wrappers. They know the source files they depend on, because
numba's cache looks only at the file of the wrapper itself.
"""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from gameai_lib._jit import njit
from gameai_lib.nrpa import leftmove, morpion, samegame, tsptw
from gameai_lib.nrpa.kernels import make_flat, make_nmcs, make_nrpa
from gameai_lib.nrpa.problem import Rules


class Kernels(NamedTuple):
    """The three searches for one problem."""

    nrpa: object
    nmcs: object
    flat: object


def _fingerprint():
    names = ("kernels", "leftmove", "morpion", "samegame", "tsptw")
    folder = Path(__file__).parent
    return crc32(b"".join((folder / f"{name}.py").read_bytes() for name in names))


_leftmove_nrpa = make_nrpa("leftmove", leftmove.RULES)
_leftmove_nmcs = make_nmcs("leftmove", leftmove.RULES)
_leftmove_flat = make_flat("leftmove", leftmove.RULES)
_morpion_nrpa = make_nrpa("morpion", morpion.RULES)
_morpion_nmcs = make_nmcs("morpion", morpion.RULES)
_morpion_flat = make_flat("morpion", morpion.RULES)
_samegame_nrpa = make_nrpa("samegame", samegame.RULES)
_samegame_nmcs = make_nmcs("samegame", samegame.RULES)
_samegame_flat = make_flat("samegame", samegame.RULES)
_tsptw_nrpa = make_nrpa("tsptw", tsptw.RULES)
_tsptw_nmcs = make_nmcs("tsptw", tsptw.RULES)
_tsptw_flat = make_flat("tsptw", tsptw.RULES)


def _built_in(stamp):
    # `stamp` is a closure variable, and those are part of the key of numba's cache.

    @njit(cache=True)
    def leftmove_nrpa(*arguments):
        return _leftmove_nrpa(*arguments), stamp

    @njit(cache=True)
    def leftmove_nmcs(*arguments):
        return _leftmove_nmcs(*arguments), stamp

    @njit(cache=True)
    def leftmove_flat(*arguments):
        return _leftmove_flat(*arguments), stamp

    @njit(cache=True)
    def morpion_nrpa(*arguments):
        return _morpion_nrpa(*arguments), stamp

    @njit(cache=True)
    def morpion_nmcs(*arguments):
        return _morpion_nmcs(*arguments), stamp

    @njit(cache=True)
    def morpion_flat(*arguments):
        return _morpion_flat(*arguments), stamp

    @njit(cache=True)
    def samegame_nrpa(*arguments):
        return _samegame_nrpa(*arguments), stamp

    @njit(cache=True)
    def samegame_nmcs(*arguments):
        return _samegame_nmcs(*arguments), stamp

    @njit(cache=True)
    def samegame_flat(*arguments):
        return _samegame_flat(*arguments), stamp

    @njit(cache=True)
    def tsptw_nrpa(*arguments):
        return _tsptw_nrpa(*arguments), stamp

    @njit(cache=True)
    def tsptw_nmcs(*arguments):
        return _tsptw_nmcs(*arguments), stamp

    @njit(cache=True)
    def tsptw_flat(*arguments):
        return _tsptw_flat(*arguments), stamp

    return {
        leftmove.RULES: Kernels(leftmove_nrpa, leftmove_nmcs, leftmove_flat),
        morpion.RULES: Kernels(morpion_nrpa, morpion_nmcs, morpion_flat),
        samegame.RULES: Kernels(samegame_nrpa, samegame_nmcs, samegame_flat),
        tsptw.RULES: Kernels(tsptw_nrpa, tsptw_nmcs, tsptw_flat),
    }


_BUILT_IN = _built_in(_fingerprint())


def kernels_of(rules: Rules) -> Kernels:
    """Searches for `rules`; they leave their results in the arrays they are given.

    A problem of this package starts within a second once it has been compiled on a machine;
    other rules are compiled once in each process.
    """
    return _BUILT_IN.get(rules) or _compile(rules)


@lru_cache(maxsize=64)
def _compile(rules):
    return Kernels(*(make("own", rules) for make in (make_nrpa, make_nmcs, make_flat)))
