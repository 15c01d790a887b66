"""How well ratings predict later games: of all games alike, Elo's, and a whole history.

Run as ``python -m gameai_book.btmm.measure.seasons [--only PART]``; writes ``seasons_PART.csv``
into ``book/gameai_book/btmm/data``: a row a case and method, with its log loss in nats, and how
much more that is than the first method's, each with its standard error. ``simulated`` needs
nothing, ``premier`` needs GAMEAI_DATA, and ``leagues`` needs BIG_FIVE, a copy of
openfootball/football.json.
"""

import os
import sys
from pathlib import Path

import numpy as np

from gameai_book.btmm.measure.shared import run, write_table
from gameai_lib.btmm import rate, rate_history, read_football
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.players.ties import davidson

FIELDS = ("case", "method", "runs", "n_games", "log_loss", "error", "above", "above_error")
N_PLAYERS, N_ROUNDS, SPREAD = 16, 60, 200  # of simulated seasons; the spread in Elo
GRID = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)  # Elo points: K, and the drift of a round


def play_season(rng, drift):
    """Return games, their rounds, and the true ln gamma of both sides of each."""
    theta, games, rounds, truth = rng.normal(0, SPREAD, N_PLAYERS), [], [], []
    for day in range(N_ROUNDS):
        for i, j in rng.permutation(N_PLAYERS).reshape(-1, 2).tolist():
            won = rng.random() < 1 / (1 + 10 ** ((theta[j] - theta[i]) / 400))
            games.append((i, j, int(won)))
            rounds.append(day)
            truth.append(theta[[i, j]] / ELO_PER_NAT)
        theta += rng.normal(0, drift, N_PLAYERS)
    return games, np.array(rounds), np.array(truth)


def ratings_of_elo(games, k, home=0.0):
    """Return (n_games, 2) Elo of both sides before each game, and all ratings at last."""
    ratings, before = {}, []
    for first, second, points in games:
        a, b = ratings.get(first, 0.0), ratings.get(second, 0.0)
        before.append((a, b))
        gain = k * (points - 1 / (1 + 10 ** ((b - a - home) / 400)))
        ratings[first], ratings[second] = a + gain, b - gain
    return np.array(before), ratings


def losses(chances, games):
    """Return (n_games,) float: minus ln of the chance of what happened."""
    at = [{1: 0, 0.5: 1, 0: 2}[game[2]] for game in games]
    return -np.log(chances[np.arange(len(games)), at])


def by_round(games, rounds, of, predict):
    """Return the losses of the rounds `of`, each predicted from all games before it."""
    found = []
    for day in of:
        past, now = np.flatnonzero(rounds < day), np.flatnonzero(rounds == day)
        some = [games[k] for k in now]
        found.append(losses(predict([games[k] for k in past], rounds[past], some, day), some))
    return np.concatenate(found)


def alike(home):
    """Predict by a rating of all games."""

    def predict(past, _rounds, now, _day):
        rating = rate(past, prior=1, home_advantage=home)
        return rating.predict_proba(of_known(rating, now))

    return predict


def in_time(drift, home):
    """Predict by a whole history."""

    def predict(past, rounds, now, day):
        history = rate_history(past, rounds, drift=drift, home_advantage=home)
        return history.predict_proba(of_known(history, now), [day] * len(now))

    return predict


def of_known(rating, games):
    """Return the matches of games; who was not rated is somebody of whom nothing is known."""
    known = set(rating.names)
    return [[name if name in known else None for name in game[:2]] for game in games]


def rows_of(case, sizes, found):
    """Return a row for each method; `found` has (n,) losses by method, the first to compare."""
    reference, rows = next(iter(found.values())), []
    for method, loss in found.items():
        cells = [f(x) for x in (loss, loss - reference) for f in (np.mean, error_of)]
        rows.append([case, method, *sizes, *(f"{cell:.5f}" for cell in cells)])
    return rows


def error_of(values):
    """Return the standard error of the mean."""
    return values.std(ddof=1) / np.sqrt(values.size)


def simulated(n_seeds=20):
    """Seasons in which strengths walk so far in each round; the later half is predicted."""
    rows = []
    early, late = range(N_ROUNDS // 4, N_ROUNDS // 2), range(N_ROUNDS // 2, N_ROUNDS)
    for drift in (0.0, 10.0, 20.0, 40.0):
        found = {}
        for seed in range(n_seeds):
            games, rounds, truth = play_season(np.random.default_rng([seed, int(drift)]), drift)

            def elo(days, k, games=games, rounds=rounds):
                chosen = np.isin(rounds, days)
                d = (ratings_of_elo(games, k)[0] @ [1, -1])[chosen] / ELO_PER_NAT
                chances = np.exp(davidson(d, -np.inf)).T
                return losses(chances, [games[i] for i in np.flatnonzero(chosen)])

            def history(days, drift, games=games, rounds=rounds):
                return by_round(games, rounds, days, in_time(drift, False))

            k = min(GRID, key=lambda k: elo(early, k).mean())
            learned = min(GRID, key=lambda drift: history(early, drift).mean())
            chosen = np.isin(rounds, late)
            true = np.exp(davidson((truth @ [1, -1])[chosen], -np.inf)).T
            methods = {
                "truth": losses(true, [games[i] for i in np.flatnonzero(chosen)]),
                "all games alike": by_round(games, rounds, late, alike(False)),
                "Elo": elo(late, k),
                "history": history(late, max(drift, 0.1)),
                "history, drift chosen": history(late, learned),
            }
            for method, loss in methods.items():
                found.setdefault(method, []).append(loss.mean())
        n_games = n_seeds * int(chosen.sum())
        means = {method: np.array(values) for method, values in found.items()}
        rows += rows_of(f"{drift:g}", (n_seeds, n_games), means)
    write_table("seasons_simulated", FIELDS, rows)


def premier():
    """Later halves of the three seasons, each match day predicted from all before it."""
    if "GAMEAI_DATA" not in os.environ:
        sys.exit("GAMEAI_DATA is not set: there are no seasons")
    found = {}
    for path in sorted((Path(os.environ["GAMEAI_DATA"]) / "football").glob("*.json")):
        games, days = read_seasons([path])
        late = np.unique(days[days.size // 2 :])[1:]
        for method, predict in {
            "all games alike": alike(True),
            "frequencies": frequencies,
            "Elo": by_elo,
            **{f"history, drift {drift:g}": in_time(drift, True) for drift in (1.0, 2.0, 4.0, 8.0)},
        }.items():
            found.setdefault(method, []).append(by_round(games, days, late, predict))
    together = {method: np.concatenate(parts) for method, parts in found.items()}
    sizes = (3, together["frequencies"].size)
    write_table("seasons_premier", FIELDS, rows_of("Premier League", sizes, together))


def leagues():
    """The season 2022-23 of five leagues, predicted from eight seasons before it began.

    As in the benchmark of whole-history-rating 3.6: weeks for days, drift chosen on 2021-22.
    """
    if "BIG_FIVE" not in os.environ:
        sys.exit("BIG_FIVE is not set: there are no leagues")
    folder, seasons = Path(os.environ["BIG_FIVE"]), [f"20{y}-{y + 1}" for y in range(14, 24)]
    paths = [folder / s / f"{c}.1.json" for s in seasons for c in ("de", "en", "es", "fr", "it")]
    games, days = read_seasons(paths)
    begins = [read_seasons(paths[5 * k : 5 * k + 5])[1].min() for k in range(7, 10)]
    weeks = (days - days.min()) // 7

    def season(k, predict):
        """Losses of a season, all of it predicted at once from what was before."""
        past, now = (
            np.flatnonzero(which)
            for which in (days < begins[k], (days >= begins[k]) & (days < begins[k + 1]))
        )
        some = [games[i] for i in now]
        last = weeks[past].max()
        return losses(predict([games[i] for i in past], weeks[past], some, last), some)

    drift = min(GRID, key=lambda drift: season(0, in_time(drift, True)).mean())
    found = {
        "all games alike": season(1, alike(True)),
        "frequencies": season(1, frequencies),
        "Elo": season(1, by_elo),
        f"history, drift {drift:g}": season(1, in_time(drift, True)),
    }
    sizes = (1, found["frequencies"].size)
    write_table("seasons_leagues", FIELDS, rows_of("five leagues 2022-23", sizes, found))


def read_seasons(paths):
    """Return games and days since 1970 of files of openfootball, in order of time."""
    matches = sorted((m for path in paths for m in read_football(path)), key=lambda m: m.date)
    days = np.array([m.date for m in matches], "datetime64[D]").astype(int)
    return [(m.home, m.away, m.result) for m in matches], days


def frequencies(past, _rounds, now, _day):
    """Predict every game by the shares of wins, draws and losses so far."""
    points = np.array([game[2] for game in past])
    return np.tile([(points == p).mean() for p in (1, 0.5, 0)], (len(now), 1))


def by_elo(past, _rounds, now, _day):
    """Predict by Elo with K = 20; home advantage and draws are those of a rating of all games."""
    rating = rate(past, prior=1, home_advantage=True)
    _, last = ratings_of_elo(past, 20, rating.home_advantage.elo)
    d = np.array([last.get(first, 0.0) - last.get(second, 0.0) for first, second, _ in now])
    return np.exp(davidson(d / ELO_PER_NAT + rating.log_home, np.log(rating.tie))).T


if __name__ == "__main__":
    run(simulated, premier, leagues)
