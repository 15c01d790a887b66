"""Ask for settings, play them anywhere, tell what came of it: tuning in the reader's own loop.

Two rules choose what to play: Thompson sampling (1933) on a `TupleProcess`, and the upper
confidence bound of NTBEA, Lucas, Liu and Perez-Liebana (2018).
"""

import math
import threading
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, Self

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.generators import generator_of, state_of
from gameai_lib.base.interrupts import held
from gameai_lib.base.types import ArrayLike, FilePath, Ints, Seed
from gameai_lib.ntbea.game.space import Space, n_equal, space_of
from gameai_lib.ntbea.search.allowed import Allowed, judging, with_failures
from gameai_lib.ntbea.search.files import (
    SpaceError,
    read_model,
    reading,
    refuse_other,
    write_model,
)
from gameai_lib.ntbea.search.landscape import LandscapeModel, fitness_of
from gameai_lib.ntbea.search.process import MOST_VALUES, TupleProcess
from gameai_lib.ntbea.search.regression import TupleRegression
from gameai_lib.ntbea.search.steps import (
    DEFAULTS,
    Settings,
    complete_settings,
    noisy_bounds,
    score_points,
    scored_neighbours,
)

Rule = Literal["thompson", "ntbea"]
Valid = Callable[[dict[str, Any]], bool]
FEW = 5  # evaluations, below which how much they differ is not known
N_RANDOM = 10  # evaluations before the first draw


class Tuned(NamedTuple):
    """What tuning recommends and all it learned.

    What is expected of a recommendation is too good, on average by half of its `std`, with NTBEA
    by four fifths: it was chosen because it looked best. Play fresh games before you report it.
    """

    point: np.ndarray  #: (n_dims,) int, the recommendation
    expected: float  #: its fitness as the regression expects it
    std: float  #: standard deviation of that expectation, nan below five evaluations
    model: LandscapeModel  #: of every evaluation

    @property
    def values(self) -> dict[str, Any]:
        """The recommendation by name, a dict from parameter to value."""
        return self.model.space.values_of(self.point)


class Tuner:
    """Thompson sampling by ask and tell, for games played elsewhere; NTBEA by its `rule`.

    The default is not NTBEA. After ten random points it draws from a `TupleProcess` a landscape
    that may be the true one, and asks for the best point of that (Thompson 1933).
    ``rule="ntbea"`` asks for the neighbour of the last point with the highest upper confidence
    bound, as `search_steps` does; so do both rules where there are more than 400 values in all.
    Thompson sampling is ahead with many parameters and on hills, and behind where parameters
    interact strongly (``gameai_book.ntbea.measure.contest``).

    `ask` as often as there are games to play at a time, `tell` in any order, from any thread. What
    is being played is asked again only where nothing else is left. Each call is made whole or not
    at all, whatever interrupts it. Where games are dear, `save` after each `tell`.

    Parameters
    ----------
    space : SearchSpace or mapping of str to sequence
    rng : numpy.random.Generator
        A game may draw from ``tuner.rng``, too.
    settings : Settings
        Of NTBEA; to give what the rule does not use is an error.
    rule : {"thompson", "ntbea"}
        What is asked next.
    model : LandscapeModel, optional
        An earlier model of the same space to go on from, or a new one with n-tuples of other sizes.
    valid : callable, optional
        ``valid(values)`` says of a dict from name to value whether it may be asked and
        recommended at all. It is called often.

    Attributes
    ----------
    settings : Settings
        With NTBEA, the defaults that depend on the space are filled in.
    model : LandscapeModel
        All that was told. What failed stands in its `failed`.

    Examples
    --------
    >>> tuner = Tuner({"speed": (1, 2, 4), "shield": (False, True)}, rng=1)
    >>> for _ in range(30):
    ...     values = tuner.ask()
    ...     tuner.tell(values, values["speed"] - 3 * values["shield"])
    >>> tuner.best().values
    {'speed': 4, 'shield': False}
    """

    def __init__(
        self,
        space: Space,
        rng: Seed,
        settings: Settings = DEFAULTS,
        *,
        rule: Rule = "thompson",
        model: LandscapeModel | None = None,
        valid: Valid | None = None,
    ) -> None:
        space = space_of(space)
        self.rule: Rule = checks.one_of("rule", rule, ("thompson", "ntbea"))
        self._by_bounds = rule == "ntbea" or space.n_values.sum() > MOST_VALUES
        complete = complete_settings(settings, space)
        self.settings = complete if self._by_bounds else settings
        if not self._by_bounds and settings != DEFAULTS:
            given = f"settings={short(settings)}"
            raise ValueError(f"{given} are for NTBEA: leave them out, or pass rule='ntbea'")
        model = LandscapeModel(space) if model is None else model
        checks.kind("model", model, LandscapeModel)
        parameters = ([*zip(s.names, s.values, strict=True)] for s in (model.space, space))
        refuse_other("the model", *parameters)
        self.space, self.model, self.rng = space, model, checks.generator(rng)
        self._allowed = Allowed(model, valid)
        self._asked: list[tuple[int, ...]] = []
        self._fitted = self._current = (0, None)  # evaluations behind a process, and it
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        told, failed = self.model.n_evaluations, len(self.model._failed)
        done = f"{told} told, {len(self._asked)} asked, {failed} failed"
        return f"Tuner({self.space.size} points, {self.rule}: {done})"

    @property
    def asked(self) -> list[dict[str, Any]]:
        """What was asked and not told yet, a list of dicts in order. After `load`, play these."""
        with self._lock:
            return [self.space.values_of(point) for point in self._asked]

    def ask(self) -> dict[str, Any]:
        """Return what to play next, a dict from parameter name to value.

        ValueError, if no combination is found that is valid and has not failed.
        """
        return self.space.values_of(self.ask_point())

    def ask_point(self) -> Ints:
        """`ask` for a point, (n_dims,) int."""
        with self._lock:
            process = self._process()  # before any number is drawn: an interrupt may end a fit
            with held():
                point = self._choose(process)
                self._asked.append(tuple(point.tolist()))
        return point

    def tell(self, values: Mapping[str, Any], fitness: float, std: float | None = None) -> None:
        """Learn one result of `values`, asked before or not: larger is better.

        True and False count as 1 and 0. `std`, above 0, is how noisy this result is, where you
        know: the mean of k games has that of one game over sqrt(k), and then counts as k games.
        """
        self.tell_point(self.space.point_of(values), fitness, std)

    def tell_point(self, point: ArrayLike, fitness: float, std: float | None = None) -> None:
        """`tell` of a point, (n_dims,) int."""
        fitness = fitness_of(fitness)
        with self._lock, held():
            self.model.add(point, fitness, std)
            told = tuple(self.model._last_point().tolist())
            self.model._failed.pop(told, None)
            if told in self._asked:
                self._asked.remove(told)

    def give_up(self, values: Mapping[str, Any], reason: object = "") -> None:
        """Remember that `values`, which were asked, fail: not to be asked again or recommended.

        The model learns nothing of it; `reason`, words or an exception, stands in ``model.failed``.
        A result that is told of them later takes it back. Once something has failed, `best`
        recommends only what was told.
        """
        point = tuple(self.space.point_of(values).tolist())
        why = reason if isinstance(reason, str) else short(reason, 200)
        with self._lock, held():
            if point not in self._asked:
                raise ValueError(f"{short(values)} was not asked, or told already")
            self._asked.remove(point)
            self.model._failed[point] = why

    def best(self) -> Tuned:
        """Return the `Tuned` that a `TupleProcess` recommends now.

        Of more than 400 values in all it is a `TupleRegression`, in O(n^3) time. ValueError, if no
        result was told of a combination that is valid and has not failed.
        """
        with self._lock:
            model = self.model
            told, is_allowed = self._allowed.to_recommend()
            if self.space.n_values.sum() <= MOST_VALUES:
                learned = model.points, model.fitness
                process = TupleProcess(self.space, *learned, std=model.std)
                point = process.best(is_allowed=is_allowed)
                if not is_allowed(point):
                    point = max(told, key=lambda point: process.expected(point)[0])
                mean, std = process.expected(point)
            else:
                regression = TupleRegression(model)
                point = regression._best_from(told, is_allowed=is_allowed)
                mean, std = float(regression.mean(point)), float(regression.std(point))
            std = std if model.n_evaluations >= FEW else math.nan
            return Tuned(point, mean, std, model)

    def save(self, path: FilePath) -> None:
        """Write the tuner to one file, whole or not at all; `load` and its model's `load` read it.

        `rng` must be one of numpy's own generators with a seed.
        """
        with self._lock:
            has_valid = self._allowed.valid is not None
            how = {"rule": self.rule, "settings": self.settings, "valid": has_valid}
            write_model(path, self.model, **how, asked=self._asked, rng=state_of(self.rng))

    @classmethod
    def load(
        cls, path: FilePath, space: Space | None = None, *, valid: Valid | None = None
    ) -> Self:
        """Return the tuner that `save` wrote: it asks what the saved one would have asked.

        `space` and errors are as for `LandscapeModel.load`. The file does not hold `valid`: a
        tuner that had one needs it again, else a ValueError is raised.
        """
        with reading(path, "a tuner") as file:
            model, about = read_model(file, space, LandscapeModel)
            how = {"rule": about["rule"], "settings": Settings._make(about["settings"])}
            tuner = cls(model.space, generator_of(about["rng"]), **how, model=model)
            asked = map(model.space.check_point, about["asked"])
            tuner._asked = [tuple(point.tolist()) for point in asked]
            if about["valid"] and valid is None:
                raise SpaceError(f"pass `valid`: the tuner of {path} has one")
        tuner._allowed = Allowed(model, valid)
        return tuner

    def _choose(self, process):
        """Return the next point: one that is allowed and not being played, if there is any."""
        model = judging(self.model) if self._by_bounds else self.model
        points, worth = self._candidates(model, process)
        free = self._allowed.among(points, self._asked)
        if not free.any():
            points = self._allowed.others(self._asked, self.rng)
            free, worth = np.ones(len(points), bool), self.rng.random(len(points))
            if self._by_bounds:
                worth = noisy_bounds(score_points(model, points, self.settings), self.rng)
        return points[free][np.argmax(worth[free])].copy()

    def _candidates(self, model, process):
        """Return what the rule chooses from, (n, n_dims) points, and what they are worth."""
        if not model.n_evaluations:
            return self.space.random_points(1, self.rng), np.zeros(1)
        if self._by_bounds:
            parent = self.model._last_point()
            choice = scored_neighbours(model, parent, self.rng, self.settings)
            return choice.points, noisy_bounds(choice, self.rng)
        if process is not None:
            return process.best(self.rng, self._allowed)[None], np.zeros(1)
        # The random point whose values were played least.
        points = self.space.random_points(2 * N_RANDOM, self.rng)
        return points, -n_equal(points, model.points).sum(axis=1, dtype=float)

    def _process(self):
        """Return the process to draw from, or None where none is needed."""
        n = self.model.n_evaluations
        if self._by_bounds or n < N_RANDOM:
            return None
        n_fitted, n_learned = n_behind_fit(n), n_behind_process(n)
        state = n_learned, tuple(self.model._failed)
        if self._current[0] != state:
            if self._fitted[0] != n_fitted:
                all_of = self.model.points, self.model.fitness, self.model.std
                points, fitness, std = (part[:n_fitted] for part in all_of)
                self._fitted = n_fitted, TupleProcess(self.space, points, fitness, std=std)
            points, fitness, std = with_failures(self.model, n_learned)
            process = TupleProcess(self.space, points, fitness, self._fitted[1], std)
            self._current = state, process
        return self._current[1]


def n_behind_fit(n):
    """Of how many of n evaluations weights are fitted: again when there are a quarter more."""
    return _last_of(n, lambda m: m // 4)


def n_behind_process(n):
    """How many of n evaluations a process has learned: all of the first 200, then a few less."""
    return _last_of(n, lambda m: min(m // 10, m**3 // 4_000_000))


def _last_of(n, more):
    """Return the last number up to n of those from `N_RANDOM` on, each ``more(m)`` above m.

    It depends on n alone, so that a search goes on from a model as it would have.
    """
    known = N_RANDOM
    while (later := known + max(1, more(known))) <= n:
        known = later
    return known
