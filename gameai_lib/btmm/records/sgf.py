"""Smart Game Format for Reversi and Connect-6: the main line of each game of a file.

Points are written as ``f5`` or as SGF's own two letters ``fe``, a Connect-6 turn
as one point or two (``W[i9k9]``, the source's table 1).
"""

import re

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.types import FilePath
from gameai_lib.btmm.game import connect6, reversi
from gameai_lib.btmm.game.positions import BLACK, RecordError, records
from gameai_lib.btmm.records.games import Game, Games, legal_records

POINT = re.compile(r"[a-s][1-9][0-9]?|[a-s][a-s]")
PASSES = ("", "tt", "pass")
RULES = {"reversi": reversi, "connect6": connect6}
KINDS = {"reversi": ("2", ("8", "8:8")), "connect6": ("40", ("19", "19:19"))}
# Stones that are set instead of played, and whose turn it is then.
SETUP = ("AB", "AW", "AE", "PL")
# The players, and who won: B+4, W+R, 0 or Draw.
TEXT_KEYS = ("PB", "PW", "RE")
RESULTS = {"B+": 1.0, "W+": 0.0, "0": 0.5, "DR": 0.5}

# Without possessive quantifiers: those of Python 3.11.0 to 3.11.2 lose an open value.
VALUE = r"\[([^\\\]]*(?:\\.[^\\\]]*)*)\]\s*"
VALUES = re.compile(VALUE, re.DOTALL)
# A bracket, a semicolon, or a property with all of its values.
TOKEN = re.compile(rf"([();])\s*|([A-Za-z]+)\s*((?:{VALUE})*)", re.DOTALL)
# What is read of a game's properties, and those that cannot stand behind its first move.
KNOWN = ("B", "W", "GM", "SZ", *TEXT_KEYS, *SETUP)
HEADS = ("GM", "FF", "SZ")


def read_sgf(path: FilePath, game: str, skip_damaged: bool = False) -> Games[Game]:
    """Return the `Games` of an SGF file of ``"reversi"`` or ``"connect6"``, one at a time.

    A `RecordError` when a game is asked for: if the file is not SGF, always; for an unknown point,
    a move out of turn or an illegal one unless `skip_damaged`.
    """
    file = checks.file_path(path)
    return _games(lambda: _text_of(file), game, file.name, skip_damaged)


def parse_sgf(text: str, game: str) -> Games[Game]:
    """Return the `Games` of SGF text. See `read_sgf`."""
    checks.kind("text", text, str)
    return _games(lambda: text, game, "text", False)


def _games(read, game, name, skip_damaged):
    checks.one_of("game", game, RULES)
    return Games(_find_games(read, game, name), skip_damaged)


def _find_games(read, game, name):
    for number, pairs in enumerate(_main_lines(read(), name), start=1):
        try:
            yield _game(pairs, game, number, f"{name}: game {number}")
        except RecordError as error:
            yield error


def _game(pairs, game, number, name):
    moves = records([_cells(pairs, game, name)]).moves
    texts = {}
    for key, value in pairs:
        if key in TEXT_KEYS:
            texts.setdefault(key, re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL) or None)
    result = RESULTS.get((texts.get("RE") or "")[:2].upper())
    return Game(number, moves, texts.get("PB"), texts.get("PW"), result)


def _text_of(path):
    """Return the text of a file."""
    try:
        return path.read_bytes().decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        where = f"byte {error.start}: {error.reason}"
        raise RecordError(f"{path.name}: not a text file: {where}") from error


def _colours(cells, game):
    if game == "connect6":
        return [connect6.mover(ply) for ply in range(len(cells))]
    return reversi.replay(records([cells])).to_move.tolist()


def _main_lines(text, name):
    """Yield the (property, value) pairs on the main line of each game, in order."""
    depth, number, at = 0, 1, len(text) - len(text.lstrip())

    def refuse(what):
        line = 1 + text.count("\n", 0, at)
        return RecordError(f"{name}: game {number}, line {line}: {what}")

    while at < len(text):
        token = TOKEN.match(text, at)
        if token is None or (depth == 0 and token[1] != "("):
            raise refuse(f"not SGF: {short(text[at : at + 20])}")
        mark, key = token[1], token[2]
        if mark == "(" and depth == 0:
            pairs, on_main, has_moves = [], True, False
        if mark:
            depth += (mark == "(") - (mark == ")")
            in_node = mark == ";"
            on_main = on_main and mark != ")"  # the first branch, up to where a bracket closes
        else:
            wrong = _fault_of(token, in_node, depth > 1 or has_moves)
            if wrong:
                raise refuse(wrong)
            has_moves |= key in ("B", "W")
            if on_main and key in KNOWN:
                pairs += [(key, value.strip()) for value in VALUES.findall(token[3])]
        at = token.end()
        if depth == 0:
            yield pairs
            number += 1
    if depth or number == 1:
        raise RecordError(f"{name}: {f'game {number} is not closed' if depth else 'no game'}")


def _fault_of(token, in_node, is_late):
    """Say what is wrong with a property, or nothing."""
    key, values = token[2], token[3]
    if not key.isupper():
        # Old SGF wrote Black[f5]; such a record would read as an empty game.
        return f"property {short(key)} is not in capitals"
    if not in_node:
        return f"property {short(key)} stands before the first node"
    if is_late and key in HEADS:
        return f"{key} within a game: the game before it is not closed"
    return "" if values else f"property {short(key)} without a value"


def _check_kind(pairs, game, name):
    number, sizes = KINDS[game]
    for key, value in pairs:
        if key == "GM" and value != number:
            raise RecordError(f"{name}: GM[{short(value)[1:-1]}] is not {game}, GM[{number}]")
        if key == "SZ" and value not in sizes:
            raise RecordError(f"{name}: SZ[{short(value)[1:-1]}] is not the board of {game}")
        if key in SETUP:
            raise RecordError(f"{name}: {key} sets up a position: only games from the start")


def _cells(pairs, game, name):
    _check_kind(pairs, game, name)
    cells, letters = [], []
    moves = [pair for pair in pairs if pair[0] in ("B", "W")]
    for i, (letter, value) in enumerate(moves):
        if game == "reversi" and value.lower() in PASSES:
            continue
        points = POINT.findall(value[:9])
        most = 2 if game == "connect6" else 1
        if "".join(points) != value or not 1 <= len(points) <= most:
            raise RecordError(f"{name}, move {i + 1}: unknown point {short(value)}")
        for point in points:
            cells.append(_cell(point, game, f"{name}, move {i + 1}"))
            letters.append(letter)
    legal_records(cells, RULES[game], name)
    expected = np.where(np.array(_colours(cells, game)) == BLACK, "B", "W")
    wrong = np.flatnonzero(expected != np.array(letters, dtype="U1"))
    if wrong.size:
        raise RecordError(f"{name}, stone {wrong[0] + 1}: {letters[wrong[0]]} is out of turn")
    return cells


def _cell(point, game, name):
    rules = RULES[game]
    if point[1].isalpha():
        # SGF counts rows from the top: Reversi's first row, Connect-6's last.
        row = ord(point[1]) - ord("a")
        row = row if game == "reversi" else rules.SIDE - 1 - row
        point = f"{point[0]}{row + 1}"
    try:
        return rules.cell_of(point)
    except ValueError as error:
        raise RecordError(f"{name}: {error}") from error


# The game of the source's table 1, as the paper prints it, but for a misprinted turn number.
SOURCE_GAME = (
    "(;GM[40]SZ[19];B[j10];W[i9k9];B[l9k8];W[m10j8];B[h10i7];W[m11l10];B[m12n12];W[l11k12]"
    ";B[k11j13];W[n10o9];B[o10p8];W[l12m7];B[n8j14];W[k7m5];B[m6l6];W[l8n6];B[o11o5];W[j6i5]"
    ";B[m9h4];W[j5k5];B[j9l5])"
)
