"""The face in a kernel: what is remembered, drawn ahead, laid out anew, and moved by links."""

import asyncio
import io

import numpy as np
import pytest
from matplotlib.ticker import LogLocator
from PIL import Image

from touchbook.figure import live
from touchbook.figure.drawing import Layout, quick_picture
from touchbook.figure.parts import name_ticks
from touchbook.widgets import Control, ExplorableError, explore, follow

SIZE = (4, 3)


def counting():
    """An explorable of two sliders, and the list of the settings that were drawn."""
    drawn = []

    def dots(fig, k, n):
        drawn.append((k, n))
        fig.subplots().plot(range(n), [k] * n, "o")

    words = "{n} dots at {k}.".format
    return explore(dots, alt=words, size=SIZE, k=range(5), n=[1, 2, 3]), drawn


def test_a_frame_seen_before_is_not_drawn_again_until_it_is_forgotten(monkeypatch):
    figure, drawn = counting()
    first = figure.set(k=1)
    figure.set(k=2)
    assert figure.set(k=1) == first
    assert drawn == [(0, 1), (1, 1), (2, 1)]
    monkeypatch.setattr(live, "MEMORY", 1)
    figure.set(k=3)
    figure.set(k=1)
    assert drawn[3:] == [(3, 1), (1, 1)]


def test_true_and_1_are_two_settings():
    def write(fig, k, flip):
        fig.text(0.5, 0.5, f"{k} {flip}")

    words = "{k} {flip}".format
    figure = explore(write, alt=words, size=SIZE, k=[0, 1, 1.5], flip=[False, True])
    assert len({figure.set(k=k, flip=f) for k in (0, 1) for f in (False, True)}) == 4


async def until(condition, seconds=30):
    """Leave the event loop to others until something holds."""
    end = asyncio.get_running_loop().time() + seconds
    while not condition():
        assert asyncio.get_running_loop().time() < end
        await asyncio.sleep(0.01)


def test_neighbours_are_drawn_while_nothing_else_happens_and_no_cell_runs(monkeypatch):
    monkeypatch.setattr(live, "PAUSE", 0.02)
    monkeypatch.setattr(live, "REST", 1000)
    figure, drawn = counting()

    async def reader():
        live._ahead.cell_ran()
        figure.set(k=1)
        await asyncio.sleep(0.3)
        assert drawn == [(0, 1), (1, 1)]
        monkeypatch.setattr(live, "REST", 0)
        figure.face.expect_reader()
        await until(lambda: len(drawn) == 5)
        await asyncio.sleep(0.1)

    asyncio.run(reader())
    assert drawn[2] == (2, 1)  # first where the reader is going
    assert set(drawn) == {(0, 1), (1, 1), (2, 1), (3, 1), (1, 2)}


def test_a_frame_that_fails_ahead_is_told_when_the_reader_arrives():
    tried = []

    def fragile(fig, k):
        tried.append(k)
        fig.text(0.5, 0.5, 1 / (2 - k))

    figure = explore(fragile, alt=lambda k: f"step {k}", size=SIZE, k=range(4))

    async def reader():
        figure.set(k=1)
        await until(lambda: 2 in tried)

    asyncio.run(reader())
    assert "step 1" in figure.face.picture.state["html"]
    with pytest.raises(ExplorableError, match="k': 2"):
        figure.set(k=2)


def test_live_values_are_finer_and_the_book_has_the_others():
    def write(fig, w):
        fig.text(0.5, 0.5, w)

    w = Control([0.1, 0.5], live=[0.1, 0.2, 0.3, 0.4, 0.5], default=0.5)
    figure = explore(write, alt="w = {w}".format, size=SIZE, w=w)
    assert "w = 0.3" in figure.set(w=0.3)
    assert len(figure.frames()) == 2
    assert len(figure.face.inputs["w"].options) == 5


def test_a_link_moves_a_figure_that_is_shown():
    figure, _ = counting()
    follow("fig-dots?k=2")  # not shown yet: nothing happens
    figure._repr_mimebundle_()
    follow("fig-dots?k=2&n=3&other=1&k=99")
    assert "3 dots at 2." in figure.face.picture.state["html"]


def pixels(draw, layout, **values):
    """The colours of a quick picture."""
    data = quick_picture(draw, SIZE, values, layout)
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


def lin(fig, top=5):
    """Two axes that share ticks, words in one of them."""
    left, right = fig.subplots(1, 2, sharey=True)
    left.plot([0, 1], [0, top])
    left.set(xlabel="x", ylabel="height", title="left")
    right.bar(["a", "b"], [1, top])
    right.text(0, 1, "gypsy", ha="right", va="top", color="red", fontsize=9)
    right.text(1, 1, "", ha="right")
    right.text(1, 2, "mono", family="monospace", color="white")


def log(fig, top=5):
    """Formulas as tick labels, and small ticks between them."""
    ax = fig.subplots()
    ax.loglog([1e-4, 10], [1, 10**top])
    ax.xaxis.set_minor_locator(LogLocator(subs=range(2, 10)))


def turned(fig, top=5):
    """What is not simple: turned labels, a grid, a box, two lines."""
    ax = fig.subplots()
    ax.plot([0, top])
    ax.grid(axis="y")
    ax.tick_params(axis="x", rotation=45)
    ax.text(0.5, 1, "in a\nbox", bbox={"facecolor": "white"})


def named(fig, top=5):
    """Ticks named without being made."""
    ax = fig.subplots()
    ax.imshow(np.eye(3) * top)
    name_ticks(ax.xaxis, range(3), ["one", "two", "three"])
    ax.set_axisbelow(True)


@pytest.mark.parametrize("view", [lin, log, turned, named])
def test_quick_ticks_and_texts_stand_where_matplotlib_puts_them(view):
    layout = Layout()
    usual = pixels(view, layout)  # the first is drawn by matplotlib alone
    quick = pixels(view, layout)
    assert usual.shape == quick.shape
    # Letters may stand half a pixel elsewhere, so squares of 12 pixels are compared.
    blurred = [np.asarray(Image.fromarray(p.astype("uint8")).reduce(12)).astype(int)
               for p in (usual, quick)]  # fmt: skip
    assert np.abs(blurred[0] - blurred[1]).max() < 40
    assert np.abs(usual - quick).mean() < 4


def moved(fig, far):
    """A text that reaches over the edge when it moves."""
    fig.subplots().text(0.98 if far else 0.5, 0.5, "a rather long remark")


@pytest.mark.parametrize(
    ("view", "before", "after"),
    [(lin, {"top": 5}, {"top": 50_000}), (moved, {"far": False}, {"far": True})],
)
def test_what_takes_more_room_is_laid_out_anew_and_never_cut(view, before, after):
    layout = Layout()
    pixels(view, layout, **before)
    wide = pixels(view, layout, **after)
    assert np.abs(wide - pixels(view, Layout(), **after)).mean() < 0.5
    for edge in (wide[0], wide[-1], wide[:, 0], wide[:, -1]) if view is lin else ():
        assert (edge == 255).all()


def test_axes_that_stand_where_they_were_put_need_no_layout():
    def placed(fig, far):
        fig.add_axes((0.2, 0.2, 0.5, 0.5)).plot([0, 10 * far])

    layout = Layout()  # a warning would be an error here
    first, other = (pixels(placed, layout, far=far) for far in (1, 5_000))
    assert not np.array_equal(first, other)
