"""Parts of pictures that all rooms draw: many at once, as one collection."""

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.ticker import FixedFormatter, FixedLocator

#: Colours of things that are white or black in themselves: stones, cards, letters on a colour. In
#: the dark a page turns black and white round (`dark.js`), but not these.
IVORY, EBONY = "#FDF6E3", "#101820"


def shades(hue, paper="#FFFFFF"):
    """A colour map from paper to a hue: the larger, the less like the paper, in the dark, too."""
    return LinearSegmentedColormap.from_list(f"{paper} to {hue}", [paper, hue])


def ink_on(share):
    """The colours of letters on `shades` of blue; `share`, an array, is 1 where it is pure."""
    return np.where(np.asarray(share) > 0.9, "white", "black")


def draw_boxes(ax, left, bottom, width, height, *, autolim=False, **style):
    """Rectangles as one PolyCollection; the axes' limits stay as they are unless `autolim`.

    Places and sizes are numbers or arrays (n,), as ``ax.bar`` takes them; `style` is that of the
    collection. Each path has five corners, the lower left one first.
    """
    left, bottom, width, height = np.broadcast_arrays(*np.atleast_1d(left, bottom, width, height))
    x = np.stack([left, left + width, left + width, left], axis=-1)
    y = np.stack([bottom, bottom, bottom + height, bottom + height], axis=-1)
    boxes = PolyCollection(np.stack([x, y], axis=-1), **style)
    return ax.add_collection(boxes, autolim=autolim)


def name_ticks(axis, places, texts):
    """Put named ticks on an axis as its ``set_ticks`` does, which makes each at once."""
    axis.set_major_locator(FixedLocator(list(places)))
    axis.set_major_formatter(FixedFormatter([str(text) for text in texts]))
