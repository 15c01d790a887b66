"""What the scripts share: real games, split and replayed, and tables that are written whole."""

import argparse
import csv
import io
import os
import sys
from pathlib import Path

import numpy as np

from gameai_lib.base.files import write_whole
from gameai_lib.btmm.game import connect6, reversi
from gameai_lib.btmm.game.positions import join_games
from gameai_lib.btmm.model.build import from_positions
from gameai_lib.btmm.model.competitions import Competitions
from gameai_lib.btmm.records.connect6 import read_connect6
from gameai_lib.btmm.records.wthor import read_wthor

OUT = Path(__file__).parents[1] / "data"
RULES = {"connect6": connect6, "othello": reversi}
READERS = {"othello": ("*.wtb", read_wthor), "connect6": ("*.csv", read_connect6)}


def run(*parts):
    """Call each part, or the one that ``--only`` names."""
    named = {part.__name__: part for part in parts}
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", choices=named)
    only = parser.parse_args().only
    for part in [named[only]] if only else parts:
        part()


def read_folder(folder, game):
    """Return the `Records` of all files of ``"othello"`` or ``"connect6"`` under `folder`."""
    pattern, read = READERS[game]
    paths = sorted((Path(folder) / game).glob(pattern))
    return join_games(one.moves for path in paths for one in read(path))


def split_records(game, seed=0):
    """Return (training, test) `Records` of an archive in GAMEAI_DATA; one game in 20 is a test."""
    if "GAMEAI_DATA" not in os.environ:
        sys.exit("GAMEAI_DATA is not set: there are no game records")
    games = read_folder(os.environ["GAMEAI_DATA"], game)
    return tuple(map(games.take, split_games(games.n_games, np.random.default_rng(seed))))


def split_games(n_games, rng, every=20):
    """Return (train, test) masks over games: one game of `every`, drawn at random, is a test."""
    test = np.zeros(n_games, bool)
    test[rng.permutation(n_games)[: n_games // every]] = True
    return ~test, test


def evenly(records, n_games):
    """Return `n_games` of `records`, spread over all of them, or all if there are no more."""
    n_games = min(n_games, records.n_games)
    return records.take(np.arange(n_games) * records.n_games // n_games)


def choices(game, records, features):
    """Return (competitions, game of each) of the moves of `records`."""
    positions = RULES[game].replay(records).unforced()
    return from_positions(positions, features), positions.game


def training_data(game, features, n_most=20_000):
    """Return the competitions of up to `n_most` training games, evenly chosen."""
    training = evenly(split_records(game)[0], n_most)
    parts = [choices(game, some, features)[0] for some in training.chunks(500)]
    sizes = np.concatenate([np.diff(part.offsets) for part in parts])
    teams, winner, weight = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("features", "winner", "weight")
    )
    return Competitions(np.append(0, np.cumsum(sizes)), teams, winner, weight, parts[0].group)


def write_table(name, header, rows, folder=OUT):
    """Write ``name.csv`` anew, whole or not at all."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    write_whole(folder / f"{name}.csv", text.getvalue())
