"""Explorables: their two faces show the same, and bad use is refused with a reason."""

import base64
import html
import io
import itertools
import json
import subprocess
import sys

import ipywidgets
import numpy as np
import pytest
from PIL import Image

from tests.frame.test_ask import parsed
from touchbook import BOOK_BUILD
from touchbook.figure import explorable as explorables
from touchbook.figure.drawing import DPI
from touchbook.figure.markup import Picture
from touchbook.widgets import Control, ExplorableError, explore, picture


def bar(fig, k, flip=False, word="a"):
    """A bar of height `k`: every combination of values looks different."""
    ax = fig.subplots()
    ax.bar(word, -k if flip else k)
    ax.set_ylim(-5, 5)


def words(k, flip=False, word="a"):
    """What `bar` shows."""
    return f"Bar {word} of height {-k if flip else k}, flipped: {flip}."


def three():
    """An explorable with a slider, a check box and a choice."""
    return explore(
        bar, alt=words, size=(2, 1), k=Control([1, 2, 3], default=2, play=True),
        flip=[False, True], word=["a", "b"],
    )  # fmt: skip


def pixels(frame):
    """The colours of a drawn frame, (height, width, 3)."""
    return np.asarray(Image.open(io.BytesIO(frame.data)).convert("RGB")).astype(int)


def data_of(soup):
    """The frames that a built figure carries."""
    return json.loads(soup.find("script").string)


def test_a_built_figure_has_labelled_controls_and_a_frame_for_every_combination():
    soup = parsed(three().html())
    data = data_of(soup)
    alts = [alt for _, alt in data["frames"]]
    wanted = itertools.product([1, 2, 3], [False, True], ["a", "b"])
    assert alts == [words(*values).replace("-", "−") for values in wanted]
    default = words(2, False, "a")
    assert soup.img["alt"] == soup.select_one("[aria-live]").text == default
    assert soup.img["src"] == data["pictures"][data["frames"][alts.index(default)][0]]
    slider, box = soup.find("input", type="range"), soup.find("input", type="checkbox")
    assert (slider["value"], json.loads(slider["data-texts"])) == ("1", ["1", "2", "3"])
    assert [option.text for option in soup.select("option")] == ["a", "b"]
    for control in (slider, box, soup.select_one("select")):
        assert soup.find("label", attrs={"for": control["id"]}).text
    assert soup.find("button")["data-plays"] == slider["id"]


def test_every_process_draws_the_same_and_frames_that_share_a_layout_those_drawn_alone(monkeypatch):
    explorable = explore(bar, alt=words, size=(2, 1), k=[1, 3], flip=[False, True])
    frames = explorable.frames()
    assert frames[0] == explorable.render(k=1, flip=False)
    monkeypatch.setattr(explorables, "RUN", 1)  # by forked workers where there are two cores
    alone = explorable.frames()
    for shared, one in zip(frames, alone, strict=True):
        assert shared.alt == one.alt
        # Letters stand up to a pixel elsewhere; the bar does not.
        assert np.abs(pixels(shared) - pixels(one)).mean() < 4
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert explorable.frames() == alone


def test_live_controls_redraw_the_picture_of_the_book_but_for_its_shades():
    explorable = three()
    for k, flip, word in [(2, False, "a"), (3, True, "b"), (1, False, "b"), (3, False, "a")]:
        built = pixels(explorable.render(k=k, flip=flip, word=word))
        shown = explorable.set(k=k, flip=flip, word=word)
        source = parsed(shown).img["src"].removeprefix("data:image/png;base64,")
        live = pixels(Picture("png", base64.b64decode(source), ""))
        assert built.shape == live.shape
        assert np.abs(built - live).mean() < 4
    assert html.escape(words(3)) in shown
    controls, picture = explorable.widget.children
    assert picture.state["html"] == shown
    slider, box, choice, play = controls.children
    assert isinstance(box, ipywidgets.Checkbox)
    assert isinstance(choice, ipywidgets.Dropdown)
    play.value = 0
    assert slider.value == 1


def test_the_book_refuses_words_that_a_phone_cannot_show(monkeypatch, tmp_path):
    def small(fig):
        fig.text(0.5, 0.5, "tiny", fontsize=12)

    fits, wide = (picture(small, alt="a word", size=(width, 1)) for width in (5.4, 5.6))
    assert "<img" in wide.html()  # whoever makes a page of their own decides
    monkeypatch.setenv(BOOK_BUILD, str(tmp_path / "log"))
    assert "<img" in fits.html()
    with pytest.raises(ExplorableError, match=r"'tiny' is 10\.7 pixels high .* 12\.4 points"):
        wide.html()


def test_equal_pictures_are_stored_once_and_may_not_be_too_heavy(monkeypatch):
    same = explore(lambda fig, k: fig.subplots(), alt="{k}".format, name="same", k=[1, 2, 3])
    assert len(data_of(parsed(same.html()))["pictures"]) == 1
    monkeypatch.setattr(explorables, "MAX_BYTES", 100)
    with pytest.raises(ExplorableError, match=r"same: 3 frames weigh .* at most 0.0001 MB: drop"):
        same.html()


def bar_of_one(fig):
    """A bar without controls."""
    bar(fig, 1)


def test_a_thin_line_keeps_its_colour_beside_many_shades():
    def shades(fig):
        ax = fig.subplots()
        ax.imshow(np.linspace(0, 1, 256)[None], cmap="Blues", aspect="auto")
        ax.axvline(30, color="#D55E00", linewidth=2)

    still = picture(shades, alt="Shades of blue and a thin orange line.", title="Shades.")
    image = pixels(still.render())
    away = np.abs(image - (0xD5, 0x5E, 0x00)).max(axis=2)
    assert (away <= 8).sum() > 0.5 * image.shape[0]


def test_a_place_is_shown_its_face_of_a_picture_with_controls_or_without(monkeypatch, tmp_path):
    still = picture(bar_of_one, alt="A bar.", title="Fig < 1", size=(3, 2))
    assert pixels(still.render()).shape == (2 * DPI, 3 * DPI, 3)
    moved = explore(bar, alt=words, size=(2, 1), k=[1, 2])
    assert words(1) in repr(moved)
    for shown in (still, moved):
        live = shown._repr_mimebundle_()
        assert set(live) == {"text/plain", "application/vnd.jupyter.widget-view+json"}
        with monkeypatch.context() as patch:
            patch.setenv(BOOK_BUILD, str(tmp_path / "log"))
            built = shown._repr_mimebundle_()
        assert set(built) == {"text/plain", "text/html"}
        assert live["text/plain"] == built["text/plain"] == repr(shown)
    soup = parsed(still.html())
    assert (soup.img["alt"], soup.figure["id"]) == ("A bar.", "fig-bar-of-one")
    assert soup.strong.text == "Fig < 1"


def test_text_is_safe_in_html():
    nasty = explore(
        lambda fig, word: bar(fig, 1), alt=lambda word: f"</script><b>{word}", name="nasty",
        size=(2, 1), word=["<i>", '"&'],
    )  # fmt: skip
    soup = parsed(nasty.html())
    assert soup.find("b") is None
    assert [option.text for option in soup.select("option")] == ["<i>", '"&']
    assert soup.img["alt"] == "</script><b><i>"
    assert data_of(soup)["frames"][1][1] == '</script><b>"&'


def no_figure(fig, k):
    """Draws nothing."""


def still(**options):
    """What a picture with these options says."""
    return repr(picture(**{"draw": bar_of_one, "alt": "A bar.", **options}))


def moved(**options):
    """The frames of an explorable with these options."""
    return explore(**{"draw": no_figure, "alt": str, "k": [1, 2], **options}).frames()


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        (still, {"name": "a b"}, "the name of a figure is its address"),
        (still, {"title": None}, "a title is text, got None"),
        (still, {"size": (3, 1e9)}, r"0\.1 to 30 inches"),
        (still, {"alt": ""}, "a figure needs alt text"),
        (still, {"alt": lambda: None}, r"no alt text at \{\}, got None"),
        (still, {"alt": lambda: 1 / 0}, r"bar-of-one: drawing failed at \{\}: ZeroDiv"),
        (still, {"draw": 5}, "drawn by a function, got 5"),
        (still, {"draw": lambda fig: None}, "give the figure a name"),
        (moved, {"a b": [1, 2]}, "'a b' names no argument"),
        (moved, {c: [1, 2] for c in "abcde"}, "one to 5 controls"),
        (moved, {"k": range(31), "f": [0, 1]}, r"62 frames \(31 k × 2 f\), at most 60: drop"),
        (moved, {"alt": "A bar."}, "alt must be a function"),
        (moved, {"alt": lambda k: "A."}, r"same alt text at \{'k': 1\} and \{'k': 2\}"),
        (moved, {"k": [1]}, "control 'k' needs two or more"),
        (Control, {"values": [1, 2], "default": True}, r"True is not one of \[1, 2\]"),
        (Control, {"values": [1, 2], "play": "yes"}, "play is True or False, got 'yes'"),
        (Control, {"values": [False, True], "play": True}, "is a check box: only a slider"),
        (Control, {"values": [1, 2], "live": [1, 3]}, r"without \[2\]"),
        (Control, {"values": ["a", "b"], "live": ["a", "b"]}, "live values of a slider"),
        (Control, {"values": [1, 2], "live": range(10**9)}, "more than 1000 values"),
        (Control, {"values": [True, 1]}, r"two or more different values, got \[True, 1\]"),
        (Control, {"values": "abc"}, "needs a list of values, got 'abc'"),
        (Control, {"values": [float("nan"), 1]}, "nan is not a word, boolean or finite number"),
    ],
)
def test_figures_and_controls_that_are_refused(make, options, message):
    with pytest.raises(ExplorableError, match=message):
        make(**options)


def test_a_view_that_raises_says_at_which_values():
    def broken(fig, k):
        return 1 / (k - 3)

    figure = explore(broken, alt=lambda k: f"step {k}", k=[1, 2, 3])
    for draw in (figure.frames, lambda: figure.set(k=3)):
        with pytest.raises(ExplorableError, match=r"broken: .*\{'k': 3\}: ZeroDivisionError"):
            draw()
    assert 'role="alert"' in figure.widget.children[-1].state["html"]


def test_moving_to_what_is_not_there_moves_nothing():
    explorable = three()
    before = explorable.set(k=1)
    for values, message in (
        ({"k": 2, "b": 1}, "bar has no control 'b', only k, flip, word"),
        ({"flip": True, "k": 9}, r"control 'k': 9 is not one of \[1, 2, 3\]"),
        ({"k": True}, "control 'k': True is not one of"),
    ):
        with pytest.raises(ExplorableError, match=message):
            explorable.set(**values)
    assert explorable.set() == before
    assert explorable.set(k=np.int64(3)) != before


def test_without_what_draws_the_error_says_what_to_install_and_boards_can_be_played():
    code = (
        "import sys\nsys.modules |= dict.fromkeys(('ipywidgets', 'matplotlib', 'anywidget'))\n"
        "from touchbook.widgets import explore, play\n"
        "board = play('tests.support.sticks:Sticks')\nboard.html()\n"
        "for show in (lambda: explore(print, alt=str, k=[1, 2]), lambda: board.widget):\n"
        "    try:\n        show()\n    except ImportError as error:\n        print(error)"
    )
    assert printed_by(code) == [
        "pictures and controls need matplotlib: pip install 'touchbook[widgets]'",
        "what a reader touches in a notebook needs anywidget: pip install 'touchbook[widgets]'",
    ]


NOTEBOOK = """
import json
from functools import partial
from touchbook.figure.bound import bind
from touchbook.widgets import explore
height, unit = 5, 'cm'
def half(k): return height * k if k < 2 else half(k - 1)
def draw(fig, k): print(half(k), unit, [height for _ in 'a'], (lambda: unit)())
figure = explore(draw, alt=lambda k: f'{half(k)} {k} {unit}', k=[1, 2])
figure.set(k=1)
height, unit = None, None
def half(k): raise ValueError
print(figure.set(k=2).count('5 2 cm'))
# What assigns names of the notebook, or stands in a module, is left alone.
count, step = 0, 1
def add(n):
    global count
    count += n * step
bind(add)(1)
print(count, bind(json.dumps) is json.dumps, bind(5))
def times(n, *, factor=2): return n * factor * step
held = bind(partial(times, 3))
step = 100
print(held(), held(factor=1), bind(times).__name__)
"""


def printed_by(code):
    """The lines that a program prints."""
    return subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.splitlines()


def test_a_figure_keeps_what_its_functions_read_in_the_notebook():
    drawn = ["5 cm [5] cm"]
    assert printed_by(NOTEBOOK) == [*drawn * 2, "2", "1 True 5", "6 3 times"]


def test_words_of_a_figure_have_the_minus_sign_of_the_book():
    same = "and +0.3, rc_201-1, 3-4, a-1, 2.-5, --5, - 5"
    still = picture(bar_of_one, alt=f"a mean of -0.5, (-1, -.2) {same}", size=(2, 1))
    assert still.render().alt == f"a mean of −0.5, (−1, −.2) {same}"
    assert "a mean of -0.5, (-1, -.2)" in repr(still)
