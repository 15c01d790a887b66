"""Smart Game Format for Reversi and Connect-6: the main line of each game of a file.

Points are written as ``f5`` or as SGF's own two letters ``fe``, a Connect-6 turn
as one point or two (``W[i9k9]``, the source's table 1).
"""

import re
from pathlib import Path

import numpy as np

from gameai_lib.btmm import connect6, reversi
from gameai_lib.btmm.positions import BLACK, RecordError, records
from gameai_lib.btmm.readers import Archive

TOKEN = re.compile(r"[();]|([A-Za-z]+)\s*((?:\[(?:\\.|[^\]\\])*\]\s*)+)|\s+", re.DOTALL)
POINT = re.compile(r"[a-s][1-9][0-9]?|[a-s][a-s]")
PASSES = ("", "tt", "pass")
RULES = {"reversi": reversi, "connect6": connect6}


def read_sgf(path, game, skip_damaged=False):
    """Read an SGF file of ``"reversi"`` or ``"connect6"``.

    Raises
    ------
    RecordError
        If the file is not SGF, always; for an unknown point, a move out of
        turn or an illegal one unless `skip_damaged`.
    ValueError
        For another game.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise RecordError(f"{path.name}: not a text file: {error.reason}") from error
    return parse_sgf(text, game, path.name, skip_damaged)


def parse_sgf(text, game, name="text", skip_damaged=False):
    """Return the `Archive` of SGF text; `name` is what errors call it. See `read_sgf`."""
    if game not in RULES:
        raise ValueError(f"game must be one of {list(RULES)}, got {game!r}")
    games, n_skipped = [], 0
    for g, moves in enumerate(_main_lines(text, name)):
        try:
            games.append(_cells(moves, game, f"{name}: game {g}"))
        except RecordError:
            if not skip_damaged:
                raise
            n_skipped += 1
    return Archive(records(games), n_skipped)


def sgf_text(cells, game):
    """Return a game as SGF: one node a turn."""
    square_of = RULES[game].square_of
    turns = []
    for colour, cell in zip(_colours(cells, game), cells, strict=True):
        letter = "B" if colour == BLACK else "W"
        if game == "connect6" and turns and turns[-1][0] == letter:
            turns[-1][1] += square_of(int(cell))
        else:
            turns.append([letter, square_of(int(cell))])
    kind = {"reversi": "GM[2]SZ[8]", "connect6": "GM[40]SZ[19]"}[game]
    return f"(;{kind}FF[4]" + "".join(f";{c}[{s}]" for c, s in turns) + ")"


def _colours(cells, game):
    if game == "connect6":
        return [connect6.mover(ply) for ply in range(len(cells))]
    return reversi.replay(records([cells])).to_move.tolist()


def _main_lines(text, name):
    """Return, per game of the text, its (colour letter, value) pairs."""
    games, depth, on_main, at = [], 0, True, 0
    while at < len(text):
        token = TOKEN.match(text, at)
        if token is None or (depth == 0 and token[0].strip() not in ("", "(")):
            raise RecordError(f"{name}: game {len(games)}: not SGF at character {at}")
        if token[0] == "(":
            if depth == 0:
                games.append([])
                on_main = True
            depth += 1
        elif token[0] == ")":
            # The main line is the first branch: it ends where a bracket first closes.
            depth, on_main = depth - 1, False
        elif on_main and token[1] in ("B", "W"):
            games[-1].append((token[1], token[2].strip()[1:-1].strip()))
        at = token.end()
    if depth or not games:
        raise RecordError(f"{name}: {'a game is not closed' if depth else 'no game'}")
    return games


def _cells(moves, game, name):
    cells, letters = [], []
    for i, (letter, value) in enumerate(moves):
        if game == "reversi" and value.lower() in PASSES:
            continue
        points = POINT.findall(value)
        most = 2 if game == "connect6" else 1
        if "".join(points) != value or not 1 <= len(points) <= most:
            raise RecordError(f"{name}, move {i + 1}: unknown point {value!r}")
        for point in points:
            cells.append(_cell(point, game, f"{name}, move {i + 1}"))
            letters.append(letter)
    illegal = int(RULES[game].first_illegal(records([cells]))[0])
    if illegal >= 0:
        square = RULES[game].square_of(cells[illegal])
        raise RecordError(f"{name}, stone {illegal + 1}: {square} is illegal")
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
