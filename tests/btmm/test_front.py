"""The front door: what it offers, and what it does not load."""

import inspect
import subprocess
import sys

import numpy as np

import gameai_lib.btmm as front


# Each sub-room may import what stands before it, and board and show not each other.
def test_all_are_functions_and_classes_with_docstrings():
    assert front.__all__ == sorted(front.__all__)
    for name in front.__all__:
        value = getattr(front, name)
        assert inspect.isfunction(value) or inspect.isclass(value), name
        assert value.__doc__
        assert value.__module__.startswith("gameai_lib.btmm."), name


def test_no_name_is_hidden_by_a_module_even_when_all_are_loaded():
    code = (
        "import pkgutil, importlib, inspect, gameai_lib.btmm as front\n"
        "for found in pkgutil.walk_packages(front.__path__, front.__name__ + '.'):\n"
        "    importlib.import_module(found.name)\n"
        "assert not any(inspect.ismodule(getattr(front, name)) for name in front.__all__)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_way_for_teams(tmp_path):
    data = front.from_teams([[[0, 2], [1]], [[1, 2], [0]], [[0], [1, 2]], [[1], [0]]], [0, 0, 0, 0])
    got = front.fit(data)
    assert repr(data) == "Competitions(4, of 8 teams of 3 features in 2 groups)"
    assert repr(got).startswith("Fit(3 features, 4 competitions; mean log-evidence -0.")
    got.save(tmp_path / "a.npz")
    again = front.load(tmp_path / "a.npz")
    chances = front.predict_proba(again, data)
    assert [c.size for c in chances] == [2, 2, 2, 2]
    mean = np.mean([np.log(c[0]) for c in chances])
    assert np.isclose(front.score(data, got.gamma).mean_log_evidence, mean)
    joint = front.covariance(data, got)
    np.testing.assert_allclose(front.standard_errors(data, got) ** 2, np.diag(joint))
