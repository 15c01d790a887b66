"""What lines of nine cells make of the chapter's position; write it as one small table.

Run as ``python -m gameai_book.btmm.measure.nine`` with GAMEAI_DATA set; writes ``nine.csv`` into
``book/gameai_book/btmm/data``: the strengths of the four lines of every legal move of the source's
game after 21 and after 22 stones, learned from the games of ``models`` with lines that see
four cells on both sides of the move. It takes two minutes.
"""

from gameai_book.btmm.measure.shared import training_data, write_table
from gameai_lib.btmm.game import connect6, patterns
from gameai_lib.btmm.model.fit import fit
from gameai_lib.btmm.records import sgf

STONES = 21, 22
HEAD = ("stones", "point", *patterns.DIRECTIONS)


def main():
    """Fit the lines of nine and write the table."""
    features = patterns.FeatureSet("4x9", tuple(patterns.lines(9, edge="own state")))
    got = fit(training_data("connect6", features)[0], max_passes=60)
    print(got.n_passes, got.mean_log_evidence[-1], got.converged, flush=True)
    positions = connect6.replay(sgf.parse_sgf(sgf.SOURCE_GAME, "connect6").records())
    rows = []
    for n in STONES:
        position = positions.take([n - 1])
        gammas = got.gamma[features.teams(position)]
        for cell, team in zip(position.moves.tolist(), gammas, strict=True):
            rows.append([n, connect6.square_of(cell), *(f"{g:.5g}" for g in team)])
    write_table("nine", HEAD, rows)


if __name__ == "__main__":
    main()
