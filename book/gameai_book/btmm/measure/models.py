"""Learn the strengths that the chapter shows from real games; write them as one small file.

Run as ``python -m gameai_book.btmm.measure.models`` with GAMEAI_DATA set; writes
``models.npz`` into ``book/gameai_book/btmm/data``: for each model the strengths, their
standard errors in nats and their wins, in single precision. No game record goes
into the file. The games of the test of ``results`` are left out.
"""

import numpy as np

from gameai_book.btmm.measure.shared import training_data
from gameai_book.btmm.results import models
from gameai_lib.base.files import write_whole
from gameai_lib.btmm.model.fit import fit


def main():
    """Fit all models and write the file."""
    stored = {}
    for name, features in models.FEATURES.items():
        game = "othello" if name == "reversi" else "connect6"
        got = fit(training_data(game, features)[0], max_passes=60)
        print(name, got.n_passes, got.mean_log_evidence[-1], got.converged, flush=True)
        stored[f"{name} gamma"] = got.gamma.astype(np.float32)
        stored[f"{name} error"] = got.standard_error.astype(np.float32)
        stored[f"{name} wins"] = got.wins.astype(np.float32)
    write_whole(models.STORED, lambda file: np.savez_compressed(file, **stored))


if __name__ == "__main__":
    main()
