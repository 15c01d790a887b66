"""Ask for settings, play them anywhere, tell what came of it: tuning in the reader's own loop.

Two rules choose what to play: the upper confidence bound of NTBEA, Lucas, Liu and
Perez-Liebana (2018), and Thompson sampling (1933) on a `TupleProcess`.
"""

import math
import threading
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Self

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.generators import generator_of, state_of
from gameai_lib.base.interrupts import held
from gameai_lib.base.types import ArrayLike, FilePath, Ints, Seed
from gameai_lib.ntbea._checks import fitness_of
from gameai_lib.ntbea.game.space import SearchSpace, SpaceError, check_same
from gameai_lib.ntbea.search._systems import n_equal
from gameai_lib.ntbea.search.landscape import LandscapeModel, Sizes
from gameai_lib.ntbea.search.process import MOST_VALUES, TupleProcess
from gameai_lib.ntbea.search.recommend import TupleRegression
from gameai_lib.ntbea.search.steps import (
    DEFAULTS,
    Settings,
    completed,
    noisy_bounds,
    scored,
    scored_neighbours,
)
from gameai_lib.ntbea.search.tuples import checked_sizes

Rule = Literal["ucb", "thompson"]
RULES = ("ucb", "thompson")
FEW = 5  # evaluations, below which how much they differ is not known
N_RANDOM = 10  # evaluations before the first draw


class Tuned(NamedTuple):
    """What tuning recommends and all it learned."""

    point: np.ndarray  #: (n_dims,) int, the recommendation
    expected: float  #: its fitness as the regression expects it, in the sign it was told
    std: float  #: standard deviation of that expectation, nan below five evaluations
    model: LandscapeModel  #: of every evaluation

    @property
    def values(self) -> dict[str, Any]:
        """The recommendation by name, a dict from parameter to value."""
        return self.model.space.values_of(self.point)


class Tuner:
    """NTBEA by ask and tell: the caller plays, where and when it likes.

    `ask` as often as there are games to play at a time, `tell` in any order. What was asked and
    not told, `asked`, is not asked a second time as long as there is something else. An
    interrupt or a failing game costs that game: whatever was told is kept, and each call is
    made whole or not at all. Calls may come from several threads.

    Parameters
    ----------
    space : SearchSpace
        The space to search.
    rng : numpy.random.Generator
        Source of every random number. A game that draws from ``tuner.rng`` goes on after `load`
        as it would have gone on.
    settings : Settings
        How many neighbours are drawn and how, and how far "ucb" explores.
    rule : {"ucb", "thompson"}
        What is asked next: of the neighbours the one of the highest upper confidence bound, as in
        `search_steps`, or after ten random points the best of the whole space in a draw from a
        `TupleProcess`, as `tune` does. On the whole both are level; the latter is ahead with many
        parameters and on hills, and behind where parameters interact strongly
        (``benchmarks.ntbea_contest``). A draw takes some milliseconds, more with more
        games; in a space of more than 400 values in all "ucb" takes its place.
    sizes : tuple of int or "d"
        Sizes of the n-tuples of a new model; those that the space does not have are left out.
        A `TupleProcess` always has 1, 2 and "d".
    model : LandscapeModel, optional
        An earlier model of the same space to go on from.
    minimize : bool
        Whether smaller is better of what is told. The model then learns its negative.

    Attributes
    ----------
    space, rng, rule
        As given.
    settings : Settings
        As given, with the defaults that depend on the space filled in.
    model : LandscapeModel
        All that was told.

    Raises
    ------
    ValueError
        If a setting, the rule or a size is out of range, the space has one point only, or the
        model has another space.
    TypeError
        If an argument is of another kind.

    Examples
    --------
    >>> space = SearchSpace({"speed": (1, 2, 4), "shield": (False, True)})
    >>> tuner = Tuner(space, np.random.default_rng(1))
    >>> for _ in range(30):
    ...     values = tuner.ask()
    ...     tuner.tell(values, values["speed"] - 3 * values["shield"])
    >>> tuner.best().values
    {'speed': 4, 'shield': False}
    """

    def __init__(
        self,
        space: SearchSpace,
        rng: Seed,
        settings: Settings = DEFAULTS,
        *,
        rule: Rule = "ucb",
        sizes: Sizes = (1, 2, "d"),
        model: LandscapeModel | None = None,
        minimize: bool = False,
    ) -> None:
        checks.kind("space", space, SearchSpace)
        if model is None:
            sizes = _existing(checked_sizes(sizes), space.n_dims)
            model = LandscapeModel(space, sizes, minimize=minimize)
        checks.kind("model", model, LandscapeModel)
        check_same("the model", model.space, space)
        if checks.flag("minimize", minimize) != model.minimize:
            raise ValueError(f"the model learned with minimize={model.minimize}, got {minimize}")
        self.space, self.model = space, model
        self.settings = completed(settings, space)
        self.rng = checks.generator(rng)
        self.rule = checks.one_of("rule", rule, RULES)
        self._is_small = int(space.n_values.sum()) <= MOST_VALUES
        self._asked: list[tuple[int, ...]] = []
        self._last = model.points[-1] if model.n_evaluations else None
        self._fitted = self._current = (0, None)  # evaluations behind a process, and it
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return (
            f"Tuner({self.space.n_dims} parameters, {self.space.size} points, {self.rule}: "
            f"{self.model.n_evaluations} told, {len(self._asked)} asked)"
        )

    @property
    def asked(self) -> list[dict[str, Any]]:
        """What was asked and not told yet, a list of dicts in order: after `load`, play these."""
        with self._lock:
            return [self.space.values_of(point) for point in self._asked]

    def ask(self) -> dict[str, Any]:
        """Return what to play next, a dict from parameter name to value.

        Raises
        ------
        ValueError
            If no neighbour can be found.
        """
        return self.space.values_of(self.ask_point())

    @property
    def minimize(self) -> bool:
        """Whether smaller is better of what is told, as given."""
        return self.model.minimize

    def tell(self, values: Mapping[str, Any], fitness: float) -> None:
        """Learn one result: larger is better.

        Parameters
        ----------
        values : mapping of str to value
            What was played, asked before or not. Told often, ``best().values`` become surer.
        fitness : float
            What came of it; True and False count as 1 and 0.

        Raises
        ------
        ValueError, TypeError
            If a name or value is not in the space, or the fitness is not a finite number of a
            size up to 1e250. Nothing has been learned then.
        """
        self.tell_point(self.space.point_of(values), fitness)

    def give_up(self, values: Mapping[str, Any]) -> None:
        """Forget that `values` were asked: their game failed and will not be told.

        Raises
        ------
        ValueError
            If they are not among those `asked`.
        """
        point = tuple(self.space.point_of(values).tolist())
        with self._lock:
            if point not in self._asked:
                raise ValueError(f"{short(values)} was not asked, or told already")
            self._asked.remove(point)

    def best(self) -> Tuned:
        """Return the `Tuned` that a `TupleProcess` recommends now.

        In a space of more than 400 values in all it is a `TupleRegression`, in O(n^3) time.

        Raises
        ------
        ValueError
            If nothing was told.
        """
        with self._lock:
            model = self.model
            if self._is_small:
                if not model.n_evaluations:
                    raise ValueError("the model has learned nothing yet")
                process = TupleProcess(self.space, model.points, model.fitness)
                point = process.best()
                mean, std = process.expected(point)
            else:
                regression = TupleRegression(model)
                point = regression.best()
                mean, std = float(regression.mean(point)), float(regression.std(point))
        if self.model.n_evaluations < FEW:
            std = math.nan
        return Tuned(point, -mean if self.minimize else mean, std, self.model)

    def ask_point(self) -> Ints:
        """`ask` for a point, (n_dims,) int."""
        with self._lock:
            # Before any number is drawn: an interrupt may end a fit.
            process = self._process()
            with held():
                point = self._choose(process)
                self._asked.append(tuple(point.tolist()))
        return point

    def tell_point(self, point: ArrayLike, fitness: float) -> None:
        """`tell` of a point, (n_dims,) int."""
        fitness = fitness_of(fitness)
        with self._lock, held():
            self.model.add(
                point, -fitness if self.minimize else fitness
            )  # refuses what is not a point or not a number
            self._last = np.array(point, np.int64)
            asked = tuple(self._last.tolist())
            if asked in self._asked:
                self._asked.remove(asked)

    def _choose(self, process):
        """Return the next point: a random one until something was told, then what the rule says."""
        if self._last is None:
            point = self.space.random_points(1, self.rng)
            return point[0] if self._is_free(point)[0] else self.rng.choice(self._others(point))
        by_bounds = self.rule == "ucb" or not self._is_small
        if by_bounds:
            choice = scored_neighbours(self.model, self._last, self.rng, self.settings)
            found = choice[0]
            worth = noisy_bounds(choice, self.rng)
        elif process is None:  # the random point whose values were played least
            found = self.space.random_points(2 * N_RANDOM, self.rng)
            worth = -n_equal(found, self.model.points).sum(axis=1, dtype=float)
        else:
            found = process.best(self.rng)[None]
            worth = np.zeros(1)
        free = self._is_free(found)
        if not free.any():
            found = self._others(found)
            worth = self.rng.random(len(found))
            if by_bounds:
                worth = noisy_bounds(scored(self.model, found, self.settings), self.rng)
            free = np.ones(len(found), bool)
        return found[free][np.argmax(worth[free])].copy()

    def _is_free(self, points):
        """Say of each point, (n_points, n_dims), whether it is not being played."""
        if not self._asked:
            return np.ones(len(points), bool)
        asked = set(self._asked)
        return np.array([tuple(point) not in asked for point in points.tolist()])

    def _others(self, points):
        """Return points of the whole space that are free, or `points` where there are none."""
        space = self.space
        if space.size > max(1000, 2 * len(self._asked)):
            while True:  # more than half of the space is free
                found = space.random_points(100, self.rng)
                if (free := self._is_free(found)).any():
                    return found[free]
        found = space.all_points()
        free = self._is_free(found)
        return found[free] if free.any() else points

    def _process(self):
        """Return the process to draw from, or None where none is needed."""
        n = self.model.n_evaluations
        if self.rule == "ucb" or not self._is_small or n < N_RANDOM:
            return None
        n_fitted, n_learned = (
            _n_known(n, lambda m: m // 4),
            _n_known(n, lambda m: min(m // 10, m**3 // 4_000_000)),
        )
        if self._current[0] != n_learned:
            points, fitness = self.model.points, self.model.fitness
            if self._fitted[0] != n_fitted:
                first = points[:n_fitted], fitness[:n_fitted]
                self._fitted = n_fitted, TupleProcess(self.space, *first)
            process = TupleProcess(
                self.space, points[:n_learned], fitness[:n_learned], self._fitted[1]
            )
            self._current = n_learned, process
        return self._current[1]

    def save(self, path: FilePath) -> None:
        """Write the tuner to one file, whole or not at all; `load` reads it.

        The file holds the model, what was asked, and the state of `rng`: the search goes on as
        if it had not been interrupted. `LandscapeModel.load` reads it, too.

        Raises
        ------
        TypeError
            If `rng` is not one of numpy's own generators with a seed.
        """
        with self._lock:
            self.model._write(
                path,
                rule=self.rule,
                settings=self.settings,
                asked=self._asked,
                rng=state_of(self.rng),
            )

    @classmethod
    def load(cls, path: FilePath, space: SearchSpace | None = None) -> Self:
        """Return the tuner that `save` wrote, with an `rng` of its own.

        Parameters
        ----------
        path : path-like
        space : SearchSpace, optional
            As for `LandscapeModel.load`.

        Raises
        ------
        ValueError
            If the file was not written by `save`, is damaged, has another space than the one
            given, or needs one.
        OSError
            If the file cannot be opened.
        """
        with open(checks.file_path(path), "rb") as file:
            try:
                model, about = LandscapeModel._read(file, space)
                settings, rng = Settings._make(about["settings"]), generator_of(about["rng"])
                how = {"rule": about["rule"], "minimize": model.minimize}
                tuner = cls(model.space, rng, settings, model=model, **how)
                asked = [model.space.check_point(point).tolist() for point in about["asked"]]
                tuner._asked = [tuple(point) for point in asked]
                return tuner
            except SpaceError:
                raise
            # As in `LandscapeModel.load`.
            except Exception as error:
                what = "does not hold a tuner; a model alone is read by `LandscapeModel.load`"
                raise ValueError(f"{path} {what}") from error


def _existing(sizes, n_dims):
    """Leave out sizes of n-tuples that a small space does not have."""
    return tuple(s for s in sizes if not (s != "d" and s > n_dims))


def _n_known(n, more):
    """Of how many of n evaluations something was made that is made anew after ``more(m)`` others.

    It depends on n alone, so that a search that was saved goes on as it would have.
    """
    known = N_RANDOM
    while (later := known + max(1, more(known))) <= n:
        known = later
    return known
