"""Football seasons in openfootball's JSON."""

import json
from typing import NamedTuple

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.types import FilePath
from gameai_lib.btmm.game.positions import RecordError
from gameai_lib.btmm.records.games import Games


class Match(NamedTuple):
    """One football match: names of the home and the away side, their goals, and its date."""

    home: str
    away: str
    home_goals: int
    away_goals: int
    date: str = ""  #: as in the file, such as "2018-08-10"; empty if it has none

    @property
    def result(self) -> float:
        """1 if the home side won, 0.5 for a draw, 0 if the away side won."""
        return 0.5 + 0.5 * (
            (self.home_goals > self.away_goals) - (self.home_goals < self.away_goals)
        )


def read_football(path: FilePath, skip_damaged: bool = False) -> Games[Match]:
    """Return the matches of a season, one `Match` at a time, as `Games`.

    Matches without a score, which were not played yet, are left out and not counted. A
    `RecordError` when a match is asked for: if the file is not JSON, always; if a match lacks a
    side or has a wrong score unless `skip_damaged`.
    """
    return Games(_find_games(checks.file_path(path)), skip_damaged)


def _find_games(path):
    for i, match in enumerate(_season(path), start=1):
        try:
            found = _match(match, f"{path.name}: match {i}")
        except RecordError as error:
            found = error
        if found is not None:
            yield found


def _season(path):
    """Return the list of matches as JSON knows it."""
    try:
        season = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        text = short(str(error))
        raise RecordError(f"{path.name}: not a season of matches: {text}") from error
    matches = season.get("matches") if isinstance(season, dict) else None
    if not isinstance(matches, list):
        raise RecordError(f"{path.name}: not a season of matches: matches is {short(matches)}")
    return matches


def _match(match, name):
    """Return the `Match`, or None for one without a score."""
    if not isinstance(match, dict):
        raise RecordError(f"{name} is damaged: {short(match)}")
    score = match.get("score")
    if not isinstance(score, (dict, type(None))):
        raise RecordError(f"{name} is damaged: score {short(score)}")
    goals = None if score is None else score.get("ft")
    if goals is None:
        return None
    sides = [match.get("team1"), match.get("team2")]
    for side in sides:
        if not isinstance(side, str) or not side.strip():
            raise RecordError(f"{name} is damaged: a side called {short(side)}")
    if sides[0] == sides[1]:
        raise RecordError(f"{name} is damaged: {short(sides[0])} meets itself")
    if not isinstance(goals, list) or len(goals) != 2 or not all(map(_is_goals, goals)):
        raise RecordError(f"{name} is damaged: full time {short(goals)}")
    return Match(*sides, *goals, str(match.get("date") or ""))


def _is_goals(value):
    return type(value) is int and 0 <= value <= 999
