"""Ask and tell: the same search as `search_steps`, in any order, over any number of sessions."""

import copy
import json
import pickle
import signal
import threading
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from itertools import islice

import numpy as np
import pytest

from gameai_book.ntbea.contest.rivals import random_games
from gameai_lib.ntbea import (
    LandscapeModel,
    SearchSpace,
    Settings,
    Tuner,
    TupleRegression,
    marginal,
    search_steps,
    tune,
)
from gameai_lib.ntbea.game.problems import Problem, grid, max_m, one_max
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


@pytest.mark.parametrize("settings", [Settings(), Settings(n_neighbours=5, k=2.0)])
def test_one_at_a_time_it_is_the_search_of_the_paper(settings):
    tuner = play(new(3, settings=settings, rule="ntbea"), 60)
    model = LandscapeModel(PROBLEM.space)
    steps = search_steps(PROBLEM.evaluate, model, np.random.default_rng(3), settings)
    points = [step.point for step in islice(steps, 60)]
    np.testing.assert_array_equal(tuner.model.points, points)
    np.testing.assert_array_equal(tuner.model.fitness, model.fitness)


@pytest.mark.parametrize("rule", RULES)
def test_it_asks_and_is_told_by_name(rule):
    tuner = new(space=SPACE, rule=rule)
    for _ in range(40):
        values = tuner.ask()
        assert SPACE.values_of(SPACE.point_of(values)) == values
        tuner.tell(values, values["speed"] + 3 * values["shield"] + (values["map"] == "b"))
    best = tuner.best()
    assert best.values == {"speed": 4, "shield": True, "map": "b"}
    assert best.expected == pytest.approx(8, abs=0.5)
    assert best.model is tuner.model
    assert (best.point == SPACE.point_of(best.values)).all()


@pytest.mark.parametrize("rule", RULES)
def test_what_is_being_played_is_not_asked_again(rule):
    tuner = play(new(rule=rule), 5)
    asked = [tuner.ask() for _ in range(20)]
    assert len({tuple(values.values()) for values in asked}) == 20
    assert tuner.asked == asked
    for values in asked[::-1]:
        tuner.tell(values, 1.0)
    assert tuner.asked == []
    assert tuner.model.n_evaluations == 25


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n_told", [0, 1])
@pytest.mark.parametrize("n_values", [[5], [2, 3], [4, 2, 3], [40, 40]])
def test_only_where_every_point_is_being_played_one_is_asked_twice(rule, n_told, n_values):
    space = SearchSpace({f"x{i}": range(n) for i, n in enumerate(n_values)})
    n_asked = min(space.size, 120)
    for seed in range(8):
        tuner = new(seed, space=space, rule=rule)
        for _ in range(n_told):
            tuner.tell(tuner.ask(), 1.0)
        asked = {tuple(tuner.ask().values()) for _ in range(n_asked)}
        assert len(asked) == n_asked
    if n_asked == space.size:
        assert tuple(tuner.ask().values()) in asked
        assert len(tuner.asked) == n_asked + 1


def game(values, seed):
    return PROBLEM.evaluate(PROBLEM.space.point_of(values), np.random.default_rng(seed))


@pytest.mark.parametrize("rule", RULES)
def test_an_executor_plays_several_at_a_time(rule):
    tuner, playing = new(rule=rule), {}
    with ThreadPoolExecutor(3) as executor:
        for n in range(40):
            values = tuner.ask()
            playing[executor.submit(game, values, n)] = values
            if len(playing) == 3 or n == 39:
                for future in wait(playing, return_when=FIRST_COMPLETED).done:
                    tuner.tell(playing.pop(future), future.result())
    assert tuner.model.n_evaluations + len(playing) == 40
    assert len(tuner.asked) == len(playing)


@pytest.mark.parametrize("rule", RULES)
def test_the_order_of_asking_and_telling_is_all_that_matters(rule):
    tuners = [new(rule=rule), new(rule=rule)]
    for tuner in tuners:
        order, playing = np.random.default_rng(2), []
        for n in range(40):
            while len(playing) < 3:
                playing.append(tuner.ask())
            values = playing.pop(order.integers(3))
            tuner.tell(values, game(values, n))
    same(*tuners)


def test_threads_may_ask_and_tell_at_once():
    tuner = new()

    def player(seed):
        rng = np.random.default_rng(seed)
        for _ in range(100):
            values = tuner.ask()
            tuner.tell(values, PROBLEM.evaluate(PROBLEM.space.point_of(values), rng))

    threads = [threading.Thread(target=player, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert tuner.model.n_evaluations == 400
    assert tuner.asked == []


def test_a_failed_game_is_given_up():
    tuner = new()
    first, second = tuner.ask(), tuner.ask()
    tuner.give_up(first)
    assert tuner.asked == [second]
    with pytest.raises(ValueError, match="was not asked, or told already"):
        tuner.give_up(first)
    assert tuner.model.n_evaluations == 0


def test_results_from_elsewhere_may_be_told():
    tuner = new()
    tuner.tell({"x0": 1, "x1": 2, "x2": 3, "x3": 0}, 4.0)
    assert tuner.model.points.tolist() == [[1, 2, 3, 0]]
    play(tuner, 3)
    steps = search_steps(PROBLEM.evaluate, tuner.model, np.random.default_rng(9))
    other = new(9, model=tuner.model, rule="ntbea")
    asked = other.ask_point()
    np.testing.assert_array_equal(asked, next(steps).point)  # it goes on from the last point


# Saved and loaded


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n", [0, 1, 24, 45])
def test_stopped_saved_and_loaded_it_goes_on_as_if_nothing_had_happened(tmp_path, rule, n):
    used = {"sizes": (1, 2), "settings": Settings(n_neighbours=7)} if rule == "ntbea" else {}
    tuner = play(new(rule=rule, **used), n)
    waiting = tuner.ask()
    tuner.save(tmp_path / "tuner.npz")
    loaded = Tuner.load(tmp_path / "tuner.npz")
    assert loaded.asked == [waiting]
    assert (loaded.rule, loaded.settings, loaded.space) == (rule, tuner.settings, tuner.space)
    assert loaded.model.sizes == tuner.model.sizes
    for one in (tuner, loaded):
        one.tell(waiting, 2.0)
        play(one, 15)
        children = one.rng.spawn(2)
        one.tell(one.ask(), children[1].random())
    same(tuner, loaded)


@pytest.mark.parametrize("bits", ["PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"])
def test_every_generator_of_numpy_is_saved(tmp_path, bits):
    rng = np.random.Generator(getattr(np.random, bits)([5, 2**70]))
    rng.spawn(3), rng.random(3), rng.integers(5, dtype=np.uint32)
    tuner = play(Tuner(PROBLEM.space, rng), 4)
    tuner.save(tmp_path / "t")
    same(play(Tuner.load(tmp_path / "t"), 5), play(tuner, 5))


def test_a_generator_without_a_seed_is_not_saved(tmp_path):
    rng = np.random.Generator(np.random.RandomState(1)._bit_generator)
    with pytest.raises(TypeError, match=r"if it is one of numpy's own with a seed, got Generator"):
        Tuner(PROBLEM.space, rng).save(tmp_path / "t")
    assert list(tmp_path.iterdir()) == []


def test_the_file_is_one_of_a_model_too_but_not_the_other_way_round(tmp_path):
    tuner = play(new(), 9)
    tuner.save(tmp_path / "t")
    model = LandscapeModel.load(tmp_path / "t")
    np.testing.assert_array_equal(model.points, tuner.model.points)
    model.save(tmp_path / "m")
    with pytest.raises(ValueError, match="m does not hold a tuner"):
        Tuner.load(tmp_path / "m")


def test_a_flipped_byte_is_noticed_or_harmless(tmp_path):
    path, rng = tmp_path / "t", np.random.default_rng(1)
    tuner = play(new(), 9)
    tuner.ask()
    tuner.save(path)
    good, refused = path.read_bytes(), []
    for _ in range(300):
        bad = bytearray(good)
        bad[rng.integers(len(bad))] ^= 1 << int(rng.integers(8))
        path.write_bytes(bad)
        try:
            loaded = Tuner.load(path)
        except ValueError as error:
            refused.append(str(error))
        else:
            assert (loaded.model.points == tuner.model.points).all()
            assert loaded.asked == tuner.asked
    assert len(refused) > 100
    assert {said.split(";")[0] for said in refused} == {f"{path} does not hold a tuner"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rule", "best"),
        ("rule", None),
        ("settings", [0, 0.5, True, None, 0.3]),
        ("settings", [5, 0.5]),
        ("asked", [[0, 0, 0, 4]]),
        ("asked", 3),
        ("rng", {}),
        ("rng", {"state": {"bit_generator": "RandomState"}, "seed": {"entropy": 1}}),
        ("rng", {"state": {"bit_generator": "PCG64"}, "seed": {"entropy": 1}}),
        ("rng", {"state": {"bit_generator": "PCG64"}, "seed": {"entropy": -1}}),
        ("epsilon", "x"),
    ],
)
def test_contents_that_make_no_tuner_are_refused(tmp_path, name, value):
    path = tmp_path / "t"
    play(new(rule="ntbea"), 3).save(path)
    with np.load(path) as file:
        arrays = dict(file)
    about = json.loads(str(arrays["about"])) | {name: value}
    with open(path, "wb") as file:
        np.savez(file, **arrays | {"about": json.dumps(about)})
    with pytest.raises(ValueError, match="t does not hold a tuner"):
        Tuner.load(path)


def test_a_file_that_cannot_be_opened_is_an_error_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        Tuner.load(tmp_path / "none")
    with pytest.raises(TypeError, match="path must be the path of a file, got 3"):
        Tuner.load(3)


def test_saving_that_fails_leaves_the_file_there_was(tmp_path, monkeypatch):
    tuner = play(new(), 3)
    tuner.save(tmp_path / "t")
    before = (tmp_path / "t").read_bytes()
    play(tuner, 3)

    def full(file, **arrays):
        file.write(b"half of it")
        raise OSError("no space left on device")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(OSError, match="no space left"):
        tuner.save(tmp_path / "t")
    assert (tmp_path / "t").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["t"]


# Interrupts


@pytest.fixture
def interruptible():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt_in(monkeypatch, owner, name):
    """Let an interrupt arrive when `owner.name` is called."""
    was = getattr(owner, name)

    def interrupted(*args, **options):
        signal.raise_signal(signal.SIGINT)
        return was(*args, **options)

    monkeypatch.setattr(owner, name, interrupted)


@pytest.mark.parametrize(
    ("rule", "owner", "name"),
    [("ntbea", tuner_module, "scored_neighbours"), ("thompson", TupleProcess, "best")],
)
@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_while_it_chooses_comes_when_the_choice_is_noted(
    monkeypatch, rule, owner, name
):
    tuner, other = (play(new(rule=rule), 12) for _ in range(2))
    with monkeypatch.context() as patch:
        interrupt_in(patch, owner, name)
        with pytest.raises(KeyboardInterrupt):
            tuner.ask()
    assert tuner.asked == [other.ask()]
    same(tuner, other)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_in_a_fit_leaves_the_tuner_as_it_was(monkeypatch):
    tuner, other = (play(new(rule="thompson"), 12) for _ in range(2))
    with monkeypatch.context() as patch:
        interrupt_in(patch, tuner_module, "TupleProcess")
        with pytest.raises(KeyboardInterrupt):
            tuner.ask()
    assert tuner.asked == []
    same(play(tuner, 10), play(other, 10))


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_while_it_learns_comes_when_all_is_learned(monkeypatch):
    tuner, other = (play(new(), 12) for _ in range(2))
    values = tuner.ask()
    assert other.ask() == values
    with monkeypatch.context() as patch:
        interrupt_in(patch, tuner.model, "add")
        with pytest.raises(KeyboardInterrupt):
            tuner.tell(values, 3.0)
    other.tell(values, 3.0)
    assert tuner.asked == []
    same(play(tuner, 10), play(other, 10))


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
    fitted = [tuner_module.n_behind_fit(n) for n in range(10, 3000)]
    assert all(0.8 * n - 1 < m <= n for n, m in enumerate(fitted, 10))
    assert fitted == sorted(fitted)
    assert len(set(fitted)) < 30
    learned = [tuner_module.n_behind_process(n) for n in range(10, 3000)]
    assert learned[:190] == list(range(10, 200))
    assert len(set(learned)) < 400


def test_a_space_of_very_many_values_is_searched_by_bounds():
    wide = SearchSpace({"a": range(500), "b": range(3)})
    one, other = (play(new(space=wide, rule=rule), 15, problem_of(wide)) for rule in RULES)
    same(one, other)
    assert one.best().point.tolist() == other.best().point.tolist()


def problem_of(space):
    return Problem("sum", space, lambda points: points.sum(axis=1) / 100, sigma=1.0)


def test_thompson_sampling_beats_random_search():
    problem = one_max()
    ours, random = [], []
    for seed in range(20):
        tuner = play(new(seed, problem.space, rule="thompson"), 100, problem)
        ours.append(problem.true_value(tuner.best().point))
        rng = np.random.default_rng(seed)
        points, fitness = random_games(problem.space, problem.evaluate, 100, rng)
        random.append(problem.true_value(points[fitness.argmax()]))
    assert np.mean(ours) > np.mean(random) + 0.2


# Bad input


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"space": 3}, TypeError, "space must be of type SearchSpace or Mapping, got 3"),
        ({"space": {"a": 1}}, ValueError, "parameter 'a' needs a list of values, got 1"),
        ({"space": grid(1, 1)}, ValueError, "the space has one point only"),
        ({"rng": -7}, TypeError, "rng must be a numpy.random.Generator, or a whole .*, got -7"),
        ({"settings": {"k": 1}}, TypeError, "settings must be of type Settings, got {'k': 1}"),
        ({"settings": Settings(mutation=2.0)}, ValueError, "got 2.0"),
        ({"rule": "UCB"}, ValueError, r"one of \['thompson', 'ntbea', 'ucb'\], got 'UCB'"),
        ({"rule": None}, ValueError, "got None"),
        ({"sizes": (0,), "rule": "ntbea"}, ValueError, "n-tuples of size 0 do not exist"),
        ({"model": "m.npz"}, TypeError, "model must be of type LandscapeModel, got 'm.npz'"),
        ({"model": LandscapeModel(grid(2, 2))}, ValueError, "the model has parameters"),
    ],
)
def test_bad_arguments_are_refused(options, error, message):
    arguments = {"space": PROBLEM.space, "rng": np.random.default_rng(1)} | options
    with pytest.raises(error, match=message):
        Tuner(**arguments)


@pytest.mark.parametrize(
    ("values", "fitness", "message"),
    [
        ({"speed": 1}, 1.0, r"no value for 'shield' in {'speed': 1}"),
        ({"speed": 3, "shield": True, "map": "a"}, 1.0, "speed=3 is not one of"),
        ({"speed": 1, "shield": 1, "map": "a"}, 1.0, "shield=1 is not one of"),
        ({"speed": 1, "shield": True, "map": "a"}, float("nan"), "got fitness nan"),
        ({"speed": 1, "shield": True, "map": "a"}, "1", "got fitness '1', which is not a number"),
        ({"speed": 1, "shield": True, "map": "a"}, None, "got fitness None"),
        ({"speed": 1, "shield": True, "map": "a"}, 1e300, "beyond 1e"),
    ],
)
def test_what_cannot_be_told_changes_nothing(values, fitness, message):
    tuner, other = (new(space=SPACE) for _ in range(2))
    for one in (tuner, other):
        one.ask()
    with pytest.raises(ValueError, match=message):
        tuner.tell(values, fitness)
    assert tuner.model.n_evaluations == 0
    same(tuner, other)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"settings": Settings(k=0)}, "k=0 is for NTBEA; rule='thompson' does not use it: leave"),
        ({"settings": Settings(k_scale=0.0)}, "k_scale=0.0 is for NTBEA"),
        ({"settings": Settings(n_neighbours=5)}, "n_neighbours=5 is for NTBEA"),
        ({"settings": Settings(mutation=0.1)}, "mutation=0.1 is for NTBEA"),
        ({"settings": Settings(flip_once=False)}, "flip_once=False is for NTBEA"),
        ({"sizes": (1, 2)}, r"sizes=\(1, 2\) is for NTBEA"),
        (
            {"sizes": (1,), "rule": "ntbea", "model": LandscapeModel(PROBLEM.space)},
            "of a new model",
        ),
        ({"settings": Settings(k=1, k_scale=0.5), "rule": "ntbea"}, "k or k_scale, not both"),
    ],
)
def test_a_setting_that_the_rule_does_not_use_is_refused(options, said):
    """``Settings(k=0)`` and ``Settings(k=100)`` played the same points without a word."""
    with pytest.raises(ValueError, match=said):
        new(**options)
    with pytest.raises(ValueError, match=said):
        tune(PROBLEM.evaluate, PROBLEM.space, 5, 1, **options)


def test_a_setting_that_the_rule_uses_is_not_refused():
    given = Settings(n_neighbours=5, k=1.0)
    wide = SearchSpace({"a": range(500)})  # in which NTBEA takes the place of the draws
    for tuner in (new(settings=given, rule="ucb"), new(space=wide, settings=given, sizes=(1,))):
        assert (tuner.settings.n_neighbours, tuner.settings.k) == (5, 1.0)
        new(space=tuner.space, settings=tuner.settings, rule="ntbea")
    learned = LandscapeModel(PROBLEM.space, (1, 2))
    assert new(model=learned).model is learned


def test_both_doors_have_the_same_default_and_ucb_is_another_name_of_ntbea():
    def evaluate(values, rng):
        return PROBLEM.evaluate(PROBLEM.space.point_of(values), rng)

    seen = {}
    for options in ({}, {"rule": "thompson"}, {"rule": "ntbea"}, {"rule": "ucb"}):
        tuner = play(new(5, **options), 30)
        tuned = tune(evaluate, PROBLEM.space, 30, np.random.default_rng(5), named=True, **options)
        assert tuned.model.points.tolist() == tuner.model.points.tolist()
        seen[options.get("rule")] = tuner.rule, tuner.model.points.tolist()
    assert seen[None] == seen["thompson"] != seen["ntbea"] == seen["ucb"]
    assert seen["ntbea"][0] == "ntbea"


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_goes_on_as_the_tuner_does(rule, copied):
    tuner = play(new(rule=rule), 30)
    waiting = tuner.ask()
    other = copied(tuner)
    for one in (tuner, other):
        one.tell(waiting, 1.0)
        play(one, 15)
    same(tuner, other)
    play(other, 1)
    assert tuner.model.n_evaluations + 1 == other.model.n_evaluations


def test_a_dict_is_a_space():
    by_name = {"speed": (1, 2.5, 4), "shield": (False, True), "map": ("a", "b", "c")}
    assert new(space=by_name).space == SPACE == LandscapeModel(by_name).space
    tuned = tune(lambda v, rng: v["speed"], by_name, 20, 1, named=True)
    assert tuned.values["speed"] == 4
    assert new(space=by_name, model=tuned.model).model is tuned.model


def test_without_a_result_there_is_no_best():
    with pytest.raises(ValueError, match="the model has learned nothing yet"):
        new().best()


def test_what_was_computed_again_is_told_back():
    space = SearchSpace({"a": np.linspace(0, 1, 11), "b": (1, 2)})
    tuner = new(space=space)
    tuner.tell({"a": 0.3, "b": 2}, 1.0)  # linspace has .30000000000000004
    tuner.tell({"a": 1, "b": 1.0}, 2.0)
    assert tuner.model.points.tolist() == [[3, 1], [10, 0]]
    for wrong in (0.31, "0.3", True, float("nan")):
        with pytest.raises(ValueError, match="is not one of"):
            tuner.tell({"a": wrong, "b": 1}, 1.0)


def test_each_says_what_it_is_in_a_line():
    tuner = play(new(), 12)
    tuner.ask()
    assert repr(tuner) == "Tuner(4 parameters, 256 points, thompson: 12 told, 1 asked)"
    assert repr(TupleRegression(tuner.model)).startswith("TupleRegression(12 evaluations of ")
    by_name = tuner.model.table([PROBLEM.space.names[0]])
    assert str(by_name) == str(tuner.model.table([0]))
    with pytest.raises(ValueError, match="no parameter 'no such' among"):
        tuner.model.table(["no such"])


def test_what_is_minimized_is_the_negative_maximized(tmp_path):
    best = play(new(), 40)
    least = new(minimize=True)
    for n in range(40):
        values = least.ask()
        least.tell(values, -PROBLEM.evaluate(PROBLEM.space.point_of(values), least.rng))
        if n == 20:
            least.save(tmp_path / "tuner")
            least = Tuner.load(tmp_path / "tuner")
    same(best, least)
    assert least.best().values == best.best().values
    assert least.best().expected == -best.best().expected
    with pytest.raises(ValueError, match="learned with minimize=True, got False"):
        new(model=least.model)
    assert ", negated; " in repr(least.model)
    told, negated = (marginal(TupleRegression(t.model), [1]).mean for t in (least, best))
    assert told == pytest.approx(-negated)


def test_what_few_evaluations_cannot_tell_is_not_told():
    tuner = new()
    stds = [play(tuner, 1).best().std for _ in range(6)]
    assert np.isnan(stds).tolist() == [True] * 4 + [False] * 2


def test_a_space_of_any_values_is_saved_and_loaded(tmp_path):
    plain = SearchSpace({"ai": (None, ("mcts", (1, 2))), "n": (1, 2.5)})
    for space, given in ((plain, None), (plain, plain), (CATEGORIES, CATEGORIES)):
        tuner = new(space=space)
        tuner.tell(tuner.ask(), 1.0)
        tuner.ask()
        tuner.save(tmp_path / "tuner")
        same(tuner, Tuner.load(tmp_path / "tuner", given))
    with pytest.raises(ValueError, match=r"pass `space`: .* '<built-in function len>'"):
        Tuner.load(tmp_path / "tuner")
    other = SearchSpace({"ai": (None, 7), "map": CATEGORIES.values[1]})
    for load in (Tuner.load, LandscapeModel.load):
        with pytest.raises(ValueError, match=r"the file has parameters .*, not \['ai', 'n'\]"):
            load(tmp_path / "tuner", plain)
        with pytest.raises(ValueError, match=r"the file has ai in .*, not in \[None, 7\]"):
            load(tmp_path / "tuner", other)


def test_a_file_in_a_folder_that_is_not_there_is_named(tmp_path):
    path = tmp_path / "missing" / "tuner"
    with pytest.raises(FileNotFoundError) as caught:
        new().save(path)
    assert caught.value.filename == str(path)
