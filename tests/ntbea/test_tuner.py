"""Ask and tell: the same search as `search_steps`, in any order, over any number of sessions."""

import signal
from itertools import islice

import numpy as np
import pytest

from gameai_lib.ntbea import (
    LandscapeModel,
    Problem,
    SearchSpace,
    Settings,
    Tuner,
    search_steps,
    tune,
)
from gameai_lib.ntbea.game.problems import max_m
from gameai_lib.ntbea.search import tuner as tuner_module
from gameai_lib.ntbea.search.process import TupleProcess
from tests.ntbea.test_space import CATEGORIES

PROBLEM = max_m(4, 4, sigma=1.0)
SPACE = SearchSpace({"speed": (1, 2.5, 4), "shield": (False, True), "map": ("a", "b", "c")})
RULES = ("ntbea", "thompson")


def new(seed=1, space=PROBLEM.space, **options):
    return Tuner(space, np.random.default_rng(seed), **options)


def play(tuner, n, problem=PROBLEM):
    """Play `n` games one after another; the games draw from the tuner's own generator."""
    for _ in range(n):
        values = tuner.ask()
        tuner.tell(values, problem.evaluate(problem.space.point_of(values), tuner.rng))
    return tuner


def same(one, other):
    np.testing.assert_array_equal(one.model.points, other.model.points)
    np.testing.assert_array_equal(one.model.fitness, other.model.fitness)
    assert one.asked == other.asked
    assert one.rng.random() == other.rng.random()


def test_one_at_a_time_it_is_the_search_of_the_paper():
    settings = Settings(n_neighbours=5, k=2.0)
    tuner = play(new(3, settings=settings, rule="ntbea"), 60)
    model = LandscapeModel(PROBLEM.space)
    steps = search_steps(PROBLEM.evaluate, model, np.random.default_rng(3), settings)
    points = [step.point for step in islice(steps, 60)]
    np.testing.assert_array_equal(tuner.model.points, points)
    np.testing.assert_array_equal(tuner.model.fitness, model.fitness)
    other = new(9, model=model, rule="ntbea")  # it goes on from the last point of a model
    steps = search_steps(PROBLEM.evaluate, tuner.model, np.random.default_rng(9))
    np.testing.assert_array_equal(other.ask_point(), next(steps).point)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n_told", [0, 5])
@pytest.mark.parametrize("n_values", [[5], [4, 2, 3], [40, 40]])
def test_only_where_every_point_is_being_played_one_is_asked_twice(rule, n_told, n_values):
    tuner = new(space=SearchSpace({f"x{i}": range(n) for i, n in enumerate(n_values)}), rule=rule)
    for _ in range(n_told):
        tuner.tell(tuner.ask(), 1.0)
    asked = [tuner.ask() for _ in range(min(tuner.space.size, 60))]
    assert len({tuple(values.values()) for values in asked}) == len(asked)
    assert tuner.asked == asked
    if len(asked) == tuner.space.size:
        assert tuner.ask() in asked
    for values in tuner.asked[::-1]:
        tuner.tell(values, 1.0)
    assert tuner.asked == []


# Saved and loaded


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n", [0, 24])
def test_stopped_saved_and_loaded_it_goes_on_as_if_nothing_had_happened(tmp_path, rule, n):
    used = {"settings": Settings(n_neighbours=7)} if rule == "ntbea" else {}
    used |= {"valid": is_low, "model": LandscapeModel(PROBLEM.space, (1, 2))}
    tuner, path = new(rule=rule, **used), tmp_path / "tuner.npz"
    play(tuner, n)
    tuner.give_up(tuner.ask(), "no server")
    tuner.rng.spawn(3)
    waiting = tuner.ask()
    tuner.save(path)
    loaded = Tuner.load(path, valid=is_low)
    assert loaded.asked == [waiting]
    assert loaded.model.failed == tuner.model.failed
    assert (loaded.rule, loaded.settings) == (rule, tuner.settings)
    assert loaded.model.sizes == tuner.model.sizes
    for one in (loaded, tuner):
        one.tell(waiting, 2.0)
        play(one, 15)
        one.tell(one.ask(), one.rng.spawn(1)[0].random())
    same(loaded, tuner)


def is_low(values):
    return sum(values.values()) < 11


def test_what_is_no_file_of_a_tuner_is_refused_and_a_failed_save_leaves_the_old(tmp_path):
    tuner, path = play(new(valid=is_low), 4), tmp_path / "tuner.npz"
    tuner.save(path)
    with pytest.raises(ValueError, match=r"pass `valid`: the tuner of .*tuner.npz has one"):
        Tuner.load(path)
    tuner.rng = np.random.Generator(np.random.RandomState(1)._bit_generator)
    with pytest.raises(TypeError, match=r"one of numpy's own with a seed, got Generator"):
        tuner.save(path)
    assert [file.name for file in tmp_path.iterdir()] == ["tuner.npz"]
    LandscapeModel.load(path).save(path)
    with pytest.raises(ValueError, match=r"tuner\.npz does not hold a tuner"):
        Tuner.load(path)


# Interrupts


@pytest.mark.parametrize(
    ("rule", "owner", "name", "n_asked"),
    [
        ("ntbea", tuner_module, "scored_neighbours", 1),
        ("thompson", TupleProcess, "best", 1),
        ("thompson", tuner_module, "TupleProcess", 0),  # a fit
    ],
)
def test_an_interrupt_comes_when_a_choice_is_noted_or_all_is_learned(
    monkeypatch, interruptible, rule, owner, name, n_asked
):
    tuner, other = (play(new(rule=rule), 12) for _ in range(2))

    def interrupt(owner, name, call, *given):
        was = getattr(owner, name)

        def interrupted(*args, **options):
            signal.raise_signal(signal.SIGINT)
            return was(*args, **options)

        monkeypatch.setattr(owner, name, interrupted)
        with pytest.raises(KeyboardInterrupt):
            call(*given)
        monkeypatch.undo()

    interrupt(owner, name, tuner.ask)
    assert tuner.asked == [other.ask() for _ in range(n_asked)]
    values = tuner.ask()
    assert other.ask() == values
    interrupt(tuner.model, "add", tuner.tell, values, 3.0)
    other.tell(values, 3.0)
    same(play(tuner, 5), play(other, 5))


# Thompson sampling


def test_a_choice_is_the_best_of_a_draw():
    """The points asked are those of the process of these games, drawn by the same generator."""
    tuner, rng = play(new(rule="thompson"), 30), np.random.default_rng(7)
    fitted = TupleProcess(tuner.space, tuner.model.points[:27], tuner.model.fitness[:27])
    process = TupleProcess(tuner.space, tuner.model.points, tuner.model.fitness, fitted)
    tuner.rng = np.random.default_rng(7)
    for _ in range(20):
        asked = tuner.ask()
        assert list(asked.values()) == process.best(rng).tolist()
        tuner._asked.clear()


def test_the_first_games_show_every_value():
    for seed in range(10):
        points = play(new(seed, rule="thompson"), 10).model.points
        assert all(len(set(values)) == 4 for values in points.T.tolist())


def test_weights_are_fitted_again_at_every_quarter_more():
    for n_behind, exact, most in (
        (tuner_module.n_behind_fit, 10, 30),
        (tuner_module.n_behind_process, 200, 400),
    ):
        behind = [n_behind(n) for n in range(10, 3000)]
        assert all(0.8 * n - 1 < m <= n for n, m in enumerate(behind, 10))
        assert behind == sorted(behind)
        assert behind[: exact - 10] == list(range(10, exact))
        assert len(set(behind)) < most


def test_a_space_of_very_many_values_is_searched_by_bounds():
    wide = SearchSpace({"a": range(500), "b": range(3)})
    problem = Problem("sum", wide, lambda points: points.sum(axis=1) / 100, sigma=1.0)
    one, other = (play(new(space=wide, rule=rule), 15, problem) for rule in RULES)
    same(one, other)
    assert one.best().point.tolist() == other.best().point.tolist()
    given = new(space=wide, settings=Settings(n_neighbours=5, k=1.0))
    assert (given.settings.n_neighbours, given.settings.k) == (5, 1.0)


# What is given


def test_both_doors_have_the_same_default():
    seen = {}
    for options in ({}, {"rule": "thompson"}, {"rule": "ntbea"}):
        tuner = play(new(5, **options), 30)
        tuned = tune(PROBLEM.evaluate, PROBLEM.space, 30, np.random.default_rng(5), **options)
        assert tuned.model.points.tolist() == tuner.model.points.tolist()
        seen[options.get("rule")] = tuner.model.points.tolist()
    assert seen[None] == seen["thompson"] != seen["ntbea"]


def test_each_says_what_it_is_in_a_line_and_what_few_evaluations_cannot_tell_it_does_not():
    tuner = new()
    stds = [play(tuner, 1).best().std for _ in range(6)]
    assert np.isnan(stds).tolist() == [True] * 4 + [False] * 2
    tuner.ask()
    assert repr(tuner) == "Tuner(256 points, thompson: 6 told, 1 asked, 0 failed)"


def test_a_space_of_any_values_is_saved_and_loaded(tmp_path):
    plain, path = SearchSpace({"ai": (None, ("mcts", (1, 2))), "n": (1, 2.5)}), tmp_path / "model"
    for space, given in ((plain, None), (plain, plain), (CATEGORIES, CATEGORIES)):
        tuner = new(space=space)
        tuner.tell(tuner.ask(), 1.0)
        tuner.ask()
        tuner.save(path)
        same(tuner, Tuner.load(path, given))
    other = SearchSpace({"ai": (None, 7), "map": CATEGORIES.values[1]})
    for load in (Tuner.load, LandscapeModel.load):
        with pytest.raises(ValueError, match=r"pass `space`: .* '<built-in function len>'"):
            load(path)
        for wrong in (plain, other):
            with pytest.raises(ValueError, match=r"the file has \[\['ai', .*, which .* is not"):
                load(path, wrong)
