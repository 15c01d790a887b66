"""A search that is saved and loaded goes on as if it had not been interrupted."""

import json
from dataclasses import replace

import numpy as np
import pytest

from gameai_lib.nrpa import NMCS, NRPA, FlatMonteCarlo, RulesError, bundled_tsptw, leftmove, tsptw
from gameai_lib.nrpa.search import saved
from tests.nrpa.games import one_move
from tests.nrpa.wild import faulty


def no_score(ints, floats):
    return -1.0


TOUR = tsptw(bundled_tsptw("small"), 4.0)
VARIANTS = {"n_iterations": 7, "alpha": 0.5, "n_playouts_per_adapt": 2, "max_repeats": 3}
SEARCHES = {
    "NRPA": (NRPA, np.random.PCG64, {"level": 3, "n_iterations": 5}),
    "NRPA variants": (NRPA, np.random.MT19937, {"level": 2, "clip": 3.0, **VARIANTS}),
    "NMCS": (NMCS, np.random.Philox, {"level": 3}),
    "flat": (FlatMonteCarlo, np.random.SFC64, {"policy": np.linspace(0, 1, TOUR.n_codes)}),
}


def state(search):
    arrays = {name: array.tolist() for name, array in saved._leaves(search._arrays)}
    return arrays, search.n_playouts, search.finished, search._rng.bit_generator.random_raw(3)


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("when", [0, 1, 33])
def test_a_loaded_search_goes_on_as_the_live_one(name, when, tmp_path):
    (kind, bits, settings), path = SEARCHES[name], tmp_path / "search.npz"
    whole, search = (kind(TOUR, np.random.Generator(bits(3)), **settings) for _ in range(2))
    whole.advance(when + 30)
    search.advance(when)
    search.save(path)
    loaded = kind.load(path, TOUR)
    assert repr(loaded) == repr(search)
    for one in (loaded, search):
        one.advance(when + 30 - one.n_playouts)
        assert list(one.best.choices) == list(whole.best.choices)
    states = [str(state(one)) for one in (whole, search, loaded)]
    assert states[0] == states[1] == states[2]


@pytest.fixture
def path(tmp_path):
    search = NRPA(leftmove(9), np.random.default_rng(0), level=2, n_iterations=5)
    search.advance(7)
    search.save(tmp_path / "search.npz")
    return tmp_path / "search.npz"


@pytest.mark.parametrize(
    ("kind", "problem", "message"),
    [
        (NRPA, leftmove(8), "search.npz: .* than LeftMove 8: its n_codes was 18, and is 16"),
        (NRPA, replace(leftmove(9), bias=np.ones(18)), "its data was"),
        (NRPA, replace(leftmove(9), ints=[9, 0, 1]), "its data was"),
        (NRPA, replace(leftmove(9), rules=leftmove(9).rules._replace(score=no_score)),
         r"search.npz: its best game scored .*, and now: -1"),
        (NMCS, leftmove(9), "search.npz: a search of 'NRPA', not NMCS"),
    ],
)  # fmt: skip
def test_another_search_is_refused(path, kind, problem, message):
    with pytest.raises(ValueError, match=message):
        kind.load(path, problem)


def test_damaged_files_are_refused(path):
    assert NRPA.load(str(path), replace(leftmove(9), name="mine")).n_playouts == 7
    whole = path.read_bytes()
    for damaged in (b"", b"{}", whole[: len(whole) // 2], whole[:-30], whole[:900] + whole[930:]):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"search.npz does not hold a search, or is damaged"):
            NRPA.load(path, leftmove(9))


@pytest.mark.parametrize("change", [{"format": 1}, {"problem": 3}, {"rng": {}}, {"W": np.zeros(1)}])
def test_other_contents_are_refused(path, change):
    with np.load(path) as arrays:
        stored = dict(arrays)
    if "W" not in change:
        change = {"about": json.dumps(json.loads(str(stored["about"])) | change)}
    np.savez(path, **stored | change)
    with pytest.raises(ValueError, match=r"search.npz:? (saved in format 1|does not hold a)"):
        NRPA.load(path, leftmove(9))


def test_what_cannot_be_saved(tmp_path):
    search = NRPA(faulty("NaN"), 0, level=1)
    with pytest.raises(RulesError):
        search.run()
    with pytest.raises(RulesError, match="faulty: NaN: score returns nan"):
        search.save(tmp_path / "search")

    class Mine(np.random.PCG64):
        pass

    with pytest.raises(TypeError, match="rng can be saved if it is one of numpy's own"):
        NRPA(one_move(), np.random.Generator(Mine(0))).save(tmp_path / "search")
    with pytest.raises(FileNotFoundError):
        NRPA(one_move(), 0).save(tmp_path / "missing" / "search")
    assert not [*tmp_path.iterdir()]
