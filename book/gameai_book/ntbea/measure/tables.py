"""Play the games behind the result tables of the NTBEA chapter.

``python -m gameai_book.ntbea.measure.tables planet_wars 1000`` brings every point to 1000 games; a
run that was stopped goes on where its file ends. ``... space_battle 400`` plays 400 games
under each of the few rules of the chapter's opening and keeps every result.
"""

import argparse
import csv
import io
import time

import numpy as np

from gameai_book.ntbea.results import tables
from gameai_lib.base.files import write_whole
from gameai_lib.ntbea.game import planet_wars, space_battle

GAMES_PER_ROUND = 50


def play_round(n_before):
    """Return wins, draws and losses, (3, 288), of `GAMES_PER_ROUND` more games of every agent.

    Every agent and every number of games before has its own seed, so that the table does not
    depend on where a run was stopped.
    """
    counts = np.zeros((3, planet_wars.AGENT_SPACE.size), np.int64)
    for index, point in enumerate(planet_wars.AGENT_SPACE.all_points()):
        rng = np.random.default_rng([2026, n_before, index])
        results = np.array([planet_wars.evaluate(point, rng) for _ in range(GAMES_PER_ROUND)])
        counts[:, index] = (results > 0).sum(), (results == 0).sum(), (results < 0).sum()
    return counts


def extend_planet_wars(n_games):
    """Bring every agent to at least `n_games` games."""
    path, space = tables.DATA / "planet_wars.csv", planet_wars.AGENT_SPACE
    counts = np.array(tables.load_table(path, space))
    while (before := int(counts.sum(axis=0).min())) < n_games:
        start = time.process_time()
        counts += play_round(before)
        save(path, space, tables.COUNTS, counts.T.tolist())
        seconds = time.process_time() - start
        print(f"{before + GAMES_PER_ROUND} games an agent, {seconds:.0f} s", flush=True)


def few_rules(n_games):
    """Return the results of `n_games` under each of `space_battle.FEW_RULES`, (size, n_games).

    Game g has the same seed under all rules.
    """
    space = space_battle.FEW_RULES
    return np.array(
        [
            [space_battle.result(rules, np.random.default_rng([1, g])) for g in range(n_games)]
            for point in space.all_points()
            for rules in [space_battle.Rules(thrust=1, **space.values_of(point))]
        ]
    )


def save_games(path, space, games):
    """Write the results of single games, (size, n_games) of 1, 0 and -1, a letter each."""
    letters = {result: letter for letter, result in tables.RESULTS.items()}
    save(path, space, ("results",), [["".join(map(letters.get, row))] for row in games.tolist()])


def save(path, space, columns, cells):
    """Write a row a point of `space`: its values, and its `cells`, lists, in the `columns`."""
    points = [[*space.values_of(point).values()] for point in space.all_points()]
    rows = [values + own for values, own in zip(points, cells, strict=True)]
    write_csv(path, space.names + columns, rows)


def write_csv(path, header, rows):
    """Write a CSV file, whole or not at all."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    write_whole(path, text.getvalue())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=("planet_wars", "space_battle"))
    parser.add_argument("n_games", type=int)
    arguments = parser.parse_args()
    if arguments.name == "space_battle":
        games = few_rules(arguments.n_games)
        save_games(tables.DATA / "space_battle.csv", space_battle.FEW_RULES, games)
    else:
        extend_planet_wars(arguments.n_games)
