"""Bradley-Terry models and minorize-maximize: strengths from results, patterns from games.

The way through the room:

- players by name, alone or in teams: `rate` their games, wins, draws and losses, into a `Rating`:
  a table of Elo with joint errors, differences, chances, ranks, a bootstrap; with `features`, such
  as how much longer an answer is, and `anchors`, whose Elo is known; `overturn` finds the few
  results that decide who is first, `find_cycles` asks whether results go in circles, and
  `rate_history` rates in time;
- anything else that competes: put it into `Competitions`, with `from_pairs`, `from_choices` or
  `from_teams`, or much of it at once as flat arrays, then `fit`, and `predict_proba` for new ones;
  `contrast`, `covariance` and `standard_errors` say how sure that is, and `score` how good;
- real games: `read_wthor`, `read_sgf`, `read_connect6` and `read_football` give one game at a
  time; ``records()`` of the first three are what the rules in `gameai_lib.btmm.game` replay,
  and `from_positions` makes competitions of moves out of that, by features of
  `gameai_lib.btmm.game.patterns`;
- the methods themselves, and data on disk, lie in `model`.

What makes players take a weapon, 0 an axe or 1 a bow, with armour, 2 cloth or 3 mail? Fifty
choices, each of them what lay there and which of it was taken:

>>> from gameai_lib.btmm import contrast, fit, from_choices, predict_proba, score, standard_errors
>>> offers = [
...     ([[0, 2], [1, 3]], 1),
...     ([[0, 3], [1, 2], [1, 3]], 2),
...     ([[0, 3], [1, 2]], 0),
...     ([[0, 2], [1, 2]], 1),
...     ([[1, 3], [0, 3], [0, 2]], 1),
... ]
>>> data = from_choices(offers * 10)
>>> got = fit(data)
>>> print(got.table(["axe", "bow", "cloth", "mail"], errors=standard_errors(data, got)))
feature      gamma      Elo   s.e.       wins
mail         6.692    330.2    275         40
bow          1.369     54.6    179         30
axe         0.7307    -54.5    179         20
cloth       0.1494   -330.2    275         10

How much a bow is worth alone, the data hardly know; how much more than an axe, they do:

>>> print("{:.0f} Elo, s.e. {:.0f}".format(*contrast(data, got, 1, 0)))
109 Elo, s.e. 64
>>> predict_proba(got, [[[0, 2], [0, 3], [1, 2]]])[0].round(2)
array([0.02, 0.94, 0.04])
>>> round(-score(data, got).mean_log_evidence, 2)  # log loss, nats a choice
0.4
"""

from gameai_lib.btmm.game.positions import RecordError
from gameai_lib.btmm.model.build import from_choices, from_pairs, from_positions, from_teams
from gameai_lib.btmm.model.competitions import CompetitionError, Competitions
from gameai_lib.btmm.model.covariance import contrast, covariance, standard_errors
from gameai_lib.btmm.model.existence import NoMaximumError
from gameai_lib.btmm.model.fit import Fit, fit, predict_proba
from gameai_lib.btmm.model.players.cycles import find_cycles
from gameai_lib.btmm.model.players.history import History, rate_history
from gameai_lib.btmm.model.players.influence import influence, overturn
from gameai_lib.btmm.model.players.rate import rate
from gameai_lib.btmm.model.players.rating import Rating
from gameai_lib.btmm.model.scores import score
from gameai_lib.btmm.records.connect6 import read_connect6
from gameai_lib.btmm.records.football import read_football
from gameai_lib.btmm.records.sgf import read_sgf
from gameai_lib.btmm.records.wthor import read_wthor

__all__ = [
    "CompetitionError",
    "Competitions",
    "Fit",
    "History",
    "NoMaximumError",
    "Rating",
    "RecordError",
    "contrast",
    "covariance",
    "find_cycles",
    "fit",
    "from_choices",
    "from_pairs",
    "from_positions",
    "from_teams",
    "influence",
    "overturn",
    "predict_proba",
    "rate",
    "rate_history",
    "read_connect6",
    "read_football",
    "read_sgf",
    "read_wthor",
    "score",
    "standard_errors",
]
