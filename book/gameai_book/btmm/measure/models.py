"""Learn the strengths that the chapter shows from real games; write them as one small file.

Run as ``python -m gameai_book.btmm.measure.models`` with GAMEAI_DATA set; writes
``models.npz`` into ``book/gameai_book/btmm/data``: for each model the strengths, their
standard errors in nats and their wins, in single precision. No game record goes
into the file. The games of the test of ``results`` are left out.
"""

import os
import sys

import numpy as np

from gameai_book.btmm.measure.results import OUT
from gameai_book.btmm.results import models
from gameai_lib.base.files import write_whole
from gameai_lib.btmm.game import connect6, reversi
from gameai_lib.btmm.game.positions import split_games
from gameai_lib.btmm.model.build import from_positions, joined
from gameai_lib.btmm.model.fit import fit
from gameai_lib.btmm.records.archives import read_folder


def training_data(game, rules, features, n_most=20_000):
    """Return (competitions, game of each) of up to `n_most` training games, evenly chosen."""
    games = read_folder(os.environ["GAMEAI_DATA"], game)
    training = games.take(split_games(games.n_games, np.random.default_rng(0))[0])
    n_games = min(n_most, training.n_games)
    training = training.take(np.arange(n_games) * training.n_games // n_games)
    parts, numbers = [], []
    for first, part in enumerate(training.chunks(500)):
        positions = rules.replay(part).unforced()
        parts.append(from_positions(positions, features))
        numbers.append(500 * first + positions.game)
    return joined(parts), np.concatenate(numbers)


def main():
    """Fit all models and write the file."""
    if "GAMEAI_DATA" not in os.environ:
        sys.exit("GAMEAI_DATA is not set: no game records to learn from")
    stored = {}
    for name, features in models.FEATURES.items():
        game, rules = ("othello", reversi) if name == "reversi" else ("connect6", connect6)
        got = fit(training_data(game, rules, features)[0], max_passes=60)
        print(name, got.n_passes, got.mean_log_evidence[-1], got.converged, flush=True)
        stored[f"{name} gamma"] = got.gamma.astype(np.float32)
        stored[f"{name} error"] = got.standard_error.astype(np.float32)
        stored[f"{name} wins"] = got.wins.astype(np.float32)
    write_whole(OUT / "models.npz", lambda file: np.savez_compressed(file, **stored))


if __name__ == "__main__":
    main()
