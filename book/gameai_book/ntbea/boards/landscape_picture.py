"""The hidden landscape as SVG: games, parameters, agents that were bought, and what is true."""

import numpy as np

from gameai_book.ntbea.boards.parts import game_mark, left_text, right_text
from touchbook.board import svg

_LISTED = 8  # settings that are shown
_WIDE, _ROW = 46, 32  # boxes of the values
_BOXES = 116  # where they begin
_TILE = 30  # settings that were bought


def picture(board):
    """Draw a `LandscapeBoard`."""
    parts, top = [], 0
    for part in (_games, _parameters, _truth, _list):
        shapes, height = part(board, top)
        parts += shapes
        top += height
    return svg.picture(400, top, *parts, label="Parameters and games")


def spell(agent):
    """The values of an agent as they stand in the boxes."""
    return " ".join(digits_of(agent))


def digits_of(agent):
    """An agent as it stands in the names of touches."""
    return "".join(str(at + 1) for at in agent)


def _games(board, top):
    """Every game of the budget as a mark."""
    n, foot = board.n_games, top + 42 + 14 * -(-board.n_games // 25)
    left = n - len(board.bought)
    shapes = [left_text(8, top + 16, f"games left: {left} of {n}", 15, "ink bold")]
    for i, won in enumerate([*(won for _, won in board.bought), *(None,) * left]):
        shapes.append(game_mark(14 + 15.5 * (i % 25), top + 38 + 14 * (i // 25), won))
    words = "a mark for each game; filled: won, hollow: lost"
    return [*shapes, left_text(8, foot, words, 13, "muted")], foot + 18 - top


def _bars(board, d, at):
    """What stands below a value: words, a share and its class."""
    bars = []
    if "marginals" in board.shown:
        won = [won for agent, won in board.bought if agent[d] == at]
        words = f"{sum(won)}/{len(won)}" if won else "–"
        bars.append((words, sum(won) / max(1, len(won)), "mark"))
    if board.named is not None:
        true = float(board.chances.take(at, axis=d).mean())
        bars.append((f"{true:.0%}", true, "good"))
    return bars


def _parameters(board, top):
    """A row of boxes for each parameter, one for each of its values; at the end, what is true."""
    bars = {
        (d, at): _bars(board, d, at) for d, n in enumerate(board.chances.shape) for at in range(n)
    }
    longest = max((bar[1] for below in bars.values() for bar in below), default=0) or 1
    high, shapes = _ROW + 22 * len(bars[0, 0]), []
    for (d, at), below in bars.items():
        y = top + (high + 5) * d
        if at == 0:
            shapes.append(left_text(8, y + _ROW / 2, f"parameter {board.letters[d]}", 14))
        shares = [(words, share / longest, look) for words, share, look in below]
        shapes.append(_value(board, d, at, y, shares))
    return shapes, (high + 5) * len(board.letters) + 6


def _value(board, d, at, y, bars):
    """The box of one value, a target, with its bars below."""
    x, wide, high = _BOXES + _WIDE * at, _WIDE - 3, _ROW + 22 * len(bars)
    chosen, name = board.choice[d] == at, f"{board.letters[d]}{at + 1}"
    box = [svg.rect(x, y, wide, high, "soft" if chosen else "paper edge", rx=4)]
    if chosen:
        box.append(svg.rect(x, y, wide, high, "ring", rx=4))
    look, label = "ink bold" if chosen else "ink", f"parameter {board.letters[d]} {at + 1}"
    box.append(svg.text(x + wide / 2, y + _ROW / 2, at + 1, 15, look))
    for i, (said, share, look) in enumerate(bars):
        foot = y + _ROW + 22 * i
        box.append(svg.text(x + wide / 2, foot + 4, said, 13))
        box.append(svg.rect(x + 4, foot + 13, (_WIDE - 11) * share, 5, look))
        label += f", {said}"
    return svg.target(name, label, *box, pressed=chosen)


def _truth(board, top):
    """All settings and all recommendations by their true chance; empty before the end."""
    if board.named is None:
        return [], 0
    yours, end = board.chances[board.named], np.ceil(10 * board.chances.max()) / 10
    rows = [(f"the {board.chances.size} agents, by their true chance", board.chances.ravel())]
    for name, words in (("NTBEA", "NTBEA"), ("random", "random games, best means")):
        if board.runs[name]:
            runs = board.chances_of(name)
            rows.append((f"{words}, {len(runs)} runs: mean {runs.mean():.0%}", runs))

    def x(chance):
        return 20 + 360 * chance / end

    shapes = [svg.text(x(yours), top + 8, f"you {yours:.0%}", 14, "ink bold")]
    for i, (words, chances) in enumerate(rows):
        foot = top + 72 + 62 * i
        shapes.append(right_text(380, foot - 46, words, 13))
        shapes.append(svg.line(20, foot, 380, foot, "line"))
        if i == 0:
            shapes += [svg.line(x(c), foot, x(c), foot - 20, "thin") for c in chances]
        else:
            shapes += _stacks(x, foot, chances, f"c{i} edge")
        shapes.append(svg.line(x(yours), foot, x(yours), foot - 37, "stroke", stroke_width=2))
    shapes += [
        svg.text(x(c), foot + 12, f"{c:.0%}", 13, "muted") for c in np.arange(0, end + 0.01, 0.1)
    ]
    return shapes, foot + 30 - top


def _list(board, top):
    """Agents that were bought, the best mean first, and the one that is chosen in any case."""
    agents, ended = board.agents(), board.named is not None
    if not agents:
        return [], 0
    high, listed, words = _TILE + 18 * ended, agents[:_LISTED], "bought, best mean first"
    if len(agents) > _LISTED:
        listed = listed + [one for one in agents[_LISTED:] if one[0] == board.choice]
        words = f"best {_LISTED} means of {len(agents)} agents"
        words += "; last: the values above" if len(listed) > _LISTED else ""
    shapes = [left_text(8, top + 12, words, 13, "muted")]
    for i, (agent, won, n) in enumerate(listed):
        x, y = 8 + 193 * (i % 2), top + 24 + (high + 4) * (i // 2)
        label = f"go back to {spell(agent)}, won {won} of {n}"
        tile = [
            svg.rect(x, y, 190, high, "soft", rx=4),
            left_text(x + 8, y + 15, spell(agent), 13),
            right_text(x + 182, y + 15, f"{won}/{n}", 13, "ink bold"),
        ]
        if ended:
            said = f"{won / n:.0%} seen, {board.chances[agent]:.0%} true"
            tile.append(right_text(x + 182, y + high - 15, said, 13, "good bold"))
            label += f", {said}"
        if agent == board.choice:
            tile.append(svg.rect(x, y, 190, high, "ring", rx=4))
        shapes.append(svg.target("set-" + digits_of(agent), label, *tile))
    return shapes, 28 + (high + 4) * -(-len(listed) // 2)


def _stacks(x, foot, values, class_):
    """A disc for every value, equal ones upon each other."""
    return [
        svg.circle(x(value), foot - 5 - min(8, 30 / n) * j, 4, class_)
        for value, n in zip(*np.unique(values, return_counts=True), strict=True)
        for j in range(n)
    ]
