"""The state of a random number generator, as JSON can hold it."""

import json

import numpy as np

from gameai_lib.base import checks

BIT_GENERATORS = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")


def state_of(rng):
    """Return what makes the same generator again, as JSON can hold it."""
    bits, seed = rng.bit_generator, rng.bit_generator.seed_seq
    if type(bits).__name__ not in BIT_GENERATORS or type(seed) is not np.random.SeedSequence:
        raise TypeError(f"rng can be saved if it is one of numpy's own with a seed, got {rng!r}")
    state = {"state": bits.state, "seed": seed.state}
    return json.loads(json.dumps(state, default=lambda value: value.tolist()))


def generator_of(about):
    """Return the generator that `state_of` describes."""
    name = checks.one_of("bit_generator", about["state"]["bit_generator"], BIT_GENERATORS)
    seed = {key: value for key, value in about["seed"].items() if key != "pool"}
    bits = getattr(np.random, name)(np.random.SeedSequence(**seed))
    bits.state = {key: _with_arrays(value) for key, value in about["state"].items()}
    return np.random.Generator(bits)


def _with_arrays(value):
    """Return the state of a bit generator with arrays in place of lists."""
    if isinstance(value, dict):
        return {k: np.array(v, np.uint64) if isinstance(v, list) else v for k, v in value.items()}
    return np.array(value, np.uint64) if isinstance(value, list) else value
