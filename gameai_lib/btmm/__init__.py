"""Bradley-Terry models and minorize-maximize: strengths from results, patterns from games.

The way through the room:

- players by name: `rate` their games, wins, draws and losses, into a `Rating`: a table of Elo
  with joint errors, differences, chances;
- anything else that competes: put it into `Competitions`, best with `from_pairs`,
  `from_choices` or `from_teams`, then `fit`, and `predict_proba` for new ones; `covariance`
  and `standard_errors` say how sure that is, and `score` how good;
- real games: `read_wthor`, `read_sgf`, `read_connect6` and `read_football` give one game at a
  time; ``records()`` of the first three are what the rules in `gameai_lib.btmm.game` replay,
  and `from_positions` makes competitions of moves out of that, by features of
  `gameai_lib.btmm.game.patterns`;
- the methods themselves, data on disk and pictures lie in `model` and `show`.
"""

from gameai_lib.btmm.game.positions import RecordError
from gameai_lib.btmm.model.build import from_choices, from_pairs, from_positions, from_teams
from gameai_lib.btmm.model.competitions import CompetitionError, Competitions
from gameai_lib.btmm.model.covariance import contrast, covariance, standard_errors
from gameai_lib.btmm.model.existence import NoMaximumError
from gameai_lib.btmm.model.fit import Fit, fit, load, predict_proba
from gameai_lib.btmm.model.players.rating import Rating, rate
from gameai_lib.btmm.model.scores import score
from gameai_lib.btmm.records.connect6 import read_connect6
from gameai_lib.btmm.records.football import read_football
from gameai_lib.btmm.records.sgf import read_sgf
from gameai_lib.btmm.records.wthor import read_wthor

__all__ = [
    "CompetitionError",
    "Competitions",
    "Fit",
    "NoMaximumError",
    "Rating",
    "RecordError",
    "contrast",
    "covariance",
    "fit",
    "from_choices",
    "from_pairs",
    "from_positions",
    "from_teams",
    "load",
    "predict_proba",
    "rate",
    "read_connect6",
    "read_football",
    "read_sgf",
    "read_wthor",
    "score",
    "standard_errors",
]
