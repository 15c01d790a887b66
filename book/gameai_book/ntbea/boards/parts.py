"""What the chapter's boards share: words, tables, marks of games, and numbers to choose from."""

from functools import cache

from gameai_book.ntbea.results.tables import planet_wars_table
from touchbook.board import svg

KS = 0, 0.1, 0.3, 1, 3  # weights of exploration to choose from
# Of the dials of the ships' game, as the boards call them.
RULE_NAMES = "top speed", "missile cost", "missile speed", "cooldown", "ship radius"


def left_text(x, y, words, size, class_="ink"):
    """Words that begin at a point."""
    return svg.text(x, y, words, size, class_, anchor="start")


def right_text(x, y, words, size, class_="ink"):
    """Words that end at a point."""
    return svg.text(x, y, words, size, class_, anchor="end")


def game_mark(x, y, result, r=5, class_="c0"):
    """One game: filled if won, grey if drawn (½), hollow if lost, a dot (None) if not played."""
    if result is None:
        return svg.circle(x, y, 1.5, "muted")
    if result == 0.5:
        return svg.circle(x, y, r, "soft edge")
    return (
        svg.circle(x, y, r, class_) if result > 0 else svg.circle(x, y, r - 1, "stroke-muted line")
    )


def choices(prefix, values, now):
    """Touches and words of numbers to choose from, and the touch of the one that holds."""
    words = sorted({f"{value:g}" for value in (*values, now)}, key=float)
    return [(f"{prefix}-{word}", word) for word in words], f"{prefix}-{now:g}"


def number_chosen(name, prefix, values):
    """The number that a touch of a list chooses; None for any other touch."""
    return {f"{prefix}-{value:g}": value for value in values}.get(name)


@cache
def true_chances():
    """Chance to win of each agent of Planet Wars, an axis a parameter; read only."""
    problem = planet_wars_table()
    lost, won = problem.outcomes
    values = problem.true_values(problem.space.all_points())
    chances = ((values - lost) / (won - lost)).reshape(problem.space.n_values)
    chances.setflags(write=False)
    return chances


def value_words(value):
    """A value of a parameter in words."""
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def games_words(n):
    """A number of games in words."""
    return f"{n} game{'s' * (n != 1)}"
