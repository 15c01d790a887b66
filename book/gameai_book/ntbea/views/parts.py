"""What the chapter's pictures are made of: the library's bars, error bars and keys, and places."""

from matplotlib.transforms import ScaledTranslation, blended_transform_factory

from gameai_lib.ntbea._drawing import (
    BLUE,
    GREEN,
    GREY,
    LETTERS,
    ORANGE,
    PALE,
    draw_bars,
    draw_errors,
    draw_key,
    points_from,
)

__all__ = [
    "BLUE", "GREEN", "GREY", "LETTERS", "ORANGE", "PALE", "draw_bars", "draw_errors", "draw_key",
    "points_below", "points_from", "points_left",
]  # fmt: skip


def points_left(ax, points):
    """A move to the left by a number of points."""
    return ScaledTranslation(-points / 72, 0, ax.get_figure(root=True).dpi_scale_trans)


def points_below(ax):
    """The transform of places on the x axis, and of points above the axes' lower edge."""
    return blended_transform_factory(ax.transData, points_from(ax, (0, 0)))
