"""Chances of the chapter's weights beside how often they came true, on real games.

Run as ``python -m gameai_book.btmm.measure.calibration`` with GAMEAI_DATA set; writes
``calibration.csv`` into ``book/gameai_book/btmm/data``: one line a bin of predicted chances, for
the weights of Connect-6 with a state of its own for the edge (of ``models``), on the test games of
``results`` and on as many of those they learned from. It takes ten seconds.
"""

from gameai_book.btmm.measure.shared import choices, evenly, split_records, write_table
from gameai_book.btmm.results import models
from gameai_lib.btmm.model.scores import calibration, score


def main():
    """Find the bins and write the file."""
    training, test = split_records("connect6")
    model, rows = models.load_model("connect6 own state"), []
    for name, chosen in ("test", test), ("training", evenly(training, test.n_games)):
        data, _ = choices("connect6", chosen, model.features)
        print(name, data.n_competitions, "positions", score(data, model.gamma))
        for predicted, observed, n_teams in zip(*calibration(data, model.gamma), strict=True):
            rows.append((0, name, f"{predicted:.6f}", f"{observed:.6f}", int(n_teams)))
    write_table("calibration", ("split", "games", "predicted", "observed", "n_teams"), rows)


if __name__ == "__main__":
    main()
