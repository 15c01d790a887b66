"""What the chapter shows of strengths that were learned from real games; three files.

Run as ``python -m gameai_book.btmm.measure.learned [--only models|nine|calibration]`` with
GAMEAI_DATA set; writes into ``book/gameai_book/btmm/data``. No game record goes into the files, and
the test games of ``results`` are left out of what was learned from.
"""

import numpy as np

from gameai_book.btmm.measure.shared import (
    choices,
    evenly,
    run,
    split_records,
    training_data,
    write_table,
)
from gameai_book.btmm.results.models import FEATURES, STORED, load_model
from gameai_lib.base.files import write_whole
from gameai_lib.btmm.game import connect6, patterns
from gameai_lib.btmm.model import scores
from gameai_lib.btmm.model.fit import fit
from gameai_lib.btmm.records import sgf


def _fit_training(game, features):
    got = fit(training_data(game, features), max_passes=60)
    print(features.name, got.n_passes, got.mean_log_evidence[-1], got.converged, flush=True)
    return got


def models():
    """Strengths of each model, their standard errors in nats and their wins, single precision."""
    stored = {}
    for name, features in FEATURES.items():
        got = _fit_training("othello" if name == "reversi" else "connect6", features)
        for part, values in ("gamma", got.gamma), ("error", got.standard_error), ("wins", got.wins):
            stored[f"{name} {part}"] = values.astype(np.float32)
    write_whole(STORED, lambda file: np.savez_compressed(file, **stored))


def nine():
    """Strengths of the lines of nine of every move after 21 stones of the source's game.

    These lines see four cells on both sides of the move. It takes two minutes.
    """
    features = patterns.FeatureSet("4x9", tuple(patterns.lines(9, edge="own state")))
    got, rows = _fit_training("connect6", features), []
    record = sgf.parse_sgf(sgf.SOURCE_GAME, "connect6").records()
    position = connect6.replay(record).take([20])
    gammas = got.gamma[features.teams(position)]
    for cell, team in zip(position.moves.tolist(), gammas, strict=True):
        rows.append([21, connect6.square_of(cell), *(f"{g:.5g}" for g in team)])
    write_table("nine", ("stones", "point", *patterns.DIRECTIONS), rows)


def calibration():
    """Chances of Connect-6's weights, in bins, beside how often they came true.

    On the test games and on as many of those learned from; it takes ten seconds.
    """
    training, test = split_records("connect6")
    model, rows = load_model("connect6 own state"), []
    for name, chosen in ("test", test), ("training", evenly(training, test.n_games)):
        data, _ = choices("connect6", chosen, model.features)
        print(name, data.n_competitions, "positions", scores.score(data, model.gamma))
        bins = zip(*scores.calibration(data, model.gamma), strict=True)
        for predicted, observed, n_teams in bins:
            rows.append((0, name, f"{predicted:.6f}", f"{observed:.6f}", int(n_teams)))
    write_table("calibration", ("split", "games", "predicted", "observed", "n_teams"), rows)


if __name__ == "__main__":
    run(models, nine, calibration)
