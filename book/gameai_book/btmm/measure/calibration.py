"""Chances of the chapter's weights beside how often they came true, on real games.

Run as ``python -m gameai_book.btmm.measure.calibration`` with GAMEAI_DATA set; writes
``calibration.csv`` into ``book/gameai_book/btmm/data``: one line a bin of predicted chances, for
the weights of Connect-6 with a state of its own for the edge (of ``models``), on the test games of
``results`` and on as many of those they learned from. It takes ten seconds.
"""

import csv
import io
import os
import sys

import numpy as np

from gameai_book.btmm.measure.results import OUT, evenly
from gameai_book.btmm.results import models
from gameai_lib.base.files import write_whole
from gameai_lib.btmm.game import connect6
from gameai_lib.btmm.game.positions import split_games
from gameai_lib.btmm.model.build import from_positions
from gameai_lib.btmm.model.scores import calibration, score
from gameai_lib.btmm.records.archives import read_folder


def main():
    """Find the bins and write the file."""
    if "GAMEAI_DATA" not in os.environ:
        sys.exit("GAMEAI_DATA is not set: no game records to predict")
    games = read_folder(os.environ["GAMEAI_DATA"], "connect6")
    training, test = map(games.take, split_games(games.n_games, np.random.default_rng(0)))
    model = models.load_model("connect6 own state")
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(("split", "games", "predicted", "observed", "n_teams"))
    for name, chosen in ("test", test), ("training", evenly(training, test.n_games)):
        data = from_positions(connect6.replay(chosen).unforced(), model.features)
        print(name, data.n_competitions, "positions", score(data, model.gamma))
        for predicted, observed, n_teams in zip(*calibration(data, model.gamma), strict=True):
            rows.writerow((0, name, f"{predicted:.6f}", f"{observed:.6f}", int(n_teams)))
    write_whole(OUT / "calibration.csv", text.getvalue())


if __name__ == "__main__":
    main()
