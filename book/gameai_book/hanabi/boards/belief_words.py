"""Beliefs about the reader's hand in words."""

from gameai_book.hanabi.boards.knowledge import NAMES, READER, changes, fits, open_beliefs
from gameai_book.hanabi.boards.words import LEAST, chance, change, describe_known, join, percent


def tell(board):
    """Yield lines about the beliefs that are open, or how to open them."""
    if board.shown:
        yield from _beliefs(board)
    elif board.looked is not None:
        yield f"Open {board.views['beliefs']} to see what each belief knew then."
    elif board.chosen is not None:
        hints = describe_known(board.state.hint_mask[READER, board.chosen], "hints say ")
        where = board.views["beliefs"]
        yield f"Your slot {board.chosen}: {hints}. Open {where} to see its chances."


def _beliefs(board):
    beliefs, slot = board.beliefs, board.slot
    said = []
    for k in open_beliefs(board.shown):
        row = beliefs[k][slot]
        best = [int(f) for f in (-row).argsort(kind="stable")[:3] if row[f]]
        said.append(f"{NAMES[k]} {join(chance(f, row[f]) for f in best)}")
    hints = describe_known(board.position.hint_mask[READER, slot], "hints: ")
    yield f"Your slot {slot} ({hints}): {'; '.join(said)}."
    news = changes(beliefs) if "reasons" in board.shown else []
    if news:
        moved = [
            f"slot\N{NO-BREAK SPACE}{i} {percent(before)}\N{NO-BREAK SPACE}→ {percent(after)}"
            for i, (before, after) in enumerate(fits(beliefs, board.position.playable()))
            if abs(after - before) >= LEAST
        ]
        said = "Your partner's choice alone has told you something. "
        if moved:
            said += f"The chance to fit has changed: {join(moved)}. "
        most = max(news, key=lambda c: abs(c.after - c.before))
        yield f"{said}It tells most about slot {most.slot}: {change(most)}."
