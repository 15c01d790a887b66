"""Predictions: what is asked, and what a kernel knows of it; `tests/js` has how it is judged."""

import json

import pytest
from bs4 import BeautifulSoup

from tests.support.js_fixtures import named_axes, turn, upward_axes
from touchbook import BOOK_BUILD, cover
from touchbook.ask import answers, prediction
from touchbook.ask.kinds import format_number, plain, to_html
from touchbook.figure import explorable as still_figure
from touchbook.widgets import ExplorableError, ask, explore, picture, score


@pytest.fixture(autouse=True)
def new_kernel(monkeypatch):
    """No prediction was shown yet."""
    monkeypatch.setattr(cover, "announced", {})
    monkeypatch.setattr(prediction, "_built", {})
    monkeypatch.setattr(answers, "_keepers", {})


def likely(**options):
    """A choice of three."""
    return ask(**{
        "question": "Is an *a* in slot 1 <likely>?", "choices": ["*more*", "less & less", "equal"],
        "answer": "less & less", "because": "It *is* 0.2 < 0.5.", "name": "likely", **options,
    })  # fmt: skip


def number(**options):
    """A number."""
    return ask(**{
        "question": "How many cards?", "answer": 0.3, "tolerance": 0.1, "because": "So.",
        "unit": "cards", **options,
    })  # fmt: skip


def point(**options):
    """A point on a plot."""
    return ask(**{
        "question": "Where is it?", "answer": (2, 7), "tolerance": (2, 1), "because": "So.",
        "picture": upward_axes, "alt": "Empty axes.", "size": (3, 2), **options,
    })  # fmt: skip


def on_board(**options):
    """A point on a board, whose key is known once it is drawn."""
    return point(picture=named_axes("abc", [1, 2, 3]), answer=(1, 2), **options)


def parsed(html):
    """HTML as a tree."""
    return BeautifulSoup(html, "html.parser")


def truth(soup):
    """What the page's script is told."""
    return json.loads(soup.form["data-truth"])


def test_the_form_holds_the_question_the_choices_and_a_folded_answer():
    soup = parsed(likely(covers=["turn", "other"]).html())
    assert soup.legend.decode_contents() == "Is an <em>a</em> in slot 1 &lt;likely&gt;?"
    labels = [label.text.strip() for label in soup.select("label")]
    assert labels == ["more", "less & less", "equal"]
    assert [i["value"] for i in soup.select("input[type=radio][name=said]")] == ["0", "1", "2"]
    assert soup.select_one("details.ask-answer:not([open]) summary").text == "Answer"
    assert soup.select_one(".ask-truth").text == "The answer: less & less. It is 0.2 < 0.5."
    assert {b["data-action"] for b in soup.select("button")} == {"commit", "skip"}
    assert truth(soup)["covers"] == ["turn", "other"]
    assert truth(soup)["answer"] == 1


def test_nothing_that_is_written_becomes_html():
    nasty = '</form><script>alert("1")</script>'
    soup = parsed(likely(question=nasty, because=nasty, choices=[nasty, "b"], answer=nasty).html())
    assert soup.find("script") is None
    assert soup.legend.text == soup.select_one("label").text.strip() == nasty
    assert parsed(number(unit="<b>'\"").html()).find("b") is None


def test_italics():
    for text, html, words in (
        ("an *a* and *b c*.", "an <em>a</em> and <em>b c</em>.", "an a and b c."),
        ("*<*", "<em>&lt;</em>", "<"),
        *((text, text, text) for text in ("2*3*4", "2 * 3 * 4", "**")),
    ):
        assert (to_html(text), plain(text)) == (html, words)


def test_numbers_have_the_digits_that_matter():
    for value, tolerance, text in (
        (3.0, 0.5, "3"), (1234567.0, 100, "1234567"), (-2.5, 0.1, "−2.5"), (1 / 3, 0.05, "0.333"),
        (1 / 3, 0.5, "0.33"), (1 / 3, 0, "0.333333"), (-0.001, 1, "0"), (1e20, 1, "1e+20"),
        (1e-5 / 3, 1e-6, "0.0000033"), (1234.5678, 100, "1235"), (99.96, 1, "100"),
    ):  # fmt: skip
        assert format_number(value, tolerance) == text
    # A count is exact unless the question lets it be near.
    for tolerance, words in ((0.5, "22 cards."), (3, "22 cards (within 3 is right).")):
        soup = parsed(number(answer=22, tolerance=tolerance).html())
        assert words in soup.select_one(".ask-truth").text


def test_a_point_knows_where_the_axes_lie_and_the_names_of_their_places():
    soup = parsed(point().html())
    assert soup.img["alt"] == "Empty axes."
    x, y = truth(soup)["axes"]
    assert (x["label"], y["label"]) == ("pull", "y")  # no formula is read aloud
    assert x["limits"] == y["limits"] == [0, 10]
    assert 0 < x["at"][0] < 0.4 < 0.9 < x["at"][1] <= 1
    assert 0 <= y["at"][1] < 0.1 < 0.6 < y["at"][0] < 1
    soup = parsed(on_board(tolerance=(0.5, 0.5)).html())
    assert truth(soup)["axes"][0]["names"] == [[0, "a"], [1, "b"], [2, "c"]]
    assert "The answer: b3" in soup.details.text


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        (likely, {"question": " "}, "question must be text, got ' '"),
        (likely, {"answer": "never"}, "answer must be one of .* got 'never'"),
        (likely, {"choices": ["a", "a"], "answer": "a"}, r"different choices, got \['a', 'a'\]"),
        (likely, {"tolerance": 1}, "choices have no tolerance"),
        (likely, {"name": "a b"}, "name: up to 60 letters, digits and hyphens, .* got 'a b'"),
        (likely, {"covers": "fig-turn"}, "covers: .* without fig-, got 'fig-turn'"),
        (number, {"tolerance": None}, "tolerance must be a number, got None"),
        (number, {"answer": float("nan")}, "answer must be a finite number, got nan"),
        (point, {"picture": lambda fig: fig.subplots(1, 2)}, "on one axes with linear scales"),
        (point, {"answer": (2, 70)}, r"\(2.0, 70.0\) is not on the picture"),
        (point, {"answer": 5}, "answer: a point has two numbers, got 5"),
        (point, {"tolerance": (0, 1)}, "tolerance must be more than 0"),
        (point, {"unit": "m"}, "a point has no unit, got 'm'"),
    ],
)
def test_questions_that_cannot_be_asked(make, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make(**options).html()


def test_a_question_without_a_name_is_named_after_its_words():
    named = {"How many cards?": "how-many-cards", "½ > ⅓?": "ask", "3 or 4?": "ask-3-or-4"}
    assert {words: number(question=words).name for words in named} == named


def test_the_key_changes_with_what_is_asked_and_with_nothing_else():
    assert likely().key == likely(because="Other words.", covers="turn").key
    others = likely(question="Other?"), likely(answer="equal"), likely(choices=["less & less", "b"])
    keys = {one.key for one in (likely(), *others, number(), number(tolerance=0.2))}
    assert len(keys) == 6
    assert number(answer=0.3 + 1e-12).key == number().key  # machines differ in last digits


def test_two_predictions_of_a_page_have_two_names(monkeypatch, tmp_path):
    monkeypatch.setenv(BOOK_BUILD, str(tmp_path / "log"))
    bundle = likely()._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert bundle["text/plain"] == "Prediction: Is an *a* in slot 1 <likely>?"
    likely()._repr_mimebundle_()  # the same again
    with pytest.raises(ExplorableError, match=r"two predictions .* have the name likely"):
        likely(question="Other?")._repr_mimebundle_()
    assert 'class="ask-score"' in score()._repr_mimebundle_()["text/html"]


# In a kernel


def shown_in_kernel(thing):
    """It, once it was sent to a front end."""
    bundle = thing._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "application/vnd.jupyter.widget-view+json"}
    return thing


def give(asked, status, said=None):
    """Answer as the front end does, which judges."""
    given = {"key": asked.key, "status": status, "said": said}
    asked.widget.set_state({"state": {"text": json.dumps(given)}})


@pytest.mark.parametrize("make", [likely, number, on_board])
def test_a_kernel_shows_the_form_of_the_page_and_keeps_what_its_front_end_has_judged(make):
    asked = shown_in_kernel(make())
    assert asked.widget.setup == {"html": asked.html(), "hasVariants": False}
    assert asked.widget.state == {"text": "", "isTold": False}
    assert "export default" in asked.widget._esm
    assert (asked.status, asked.said) == ("open", None)
    give(asked, "wrong", 0)
    again = shown_in_kernel(make())  # the cell was run again
    assert (again.status, again.said) == ("wrong", 0)
    assert json.loads(again.widget.state["text"])["said"] == 0
    with pytest.raises(ExplorableError, match="was answered: wrong"):
        again.skip()
    assert shown_in_kernel(make(question="Else?", name=asked.name)).status == "open"


def explorable():
    """The figure that predictions cover."""
    return explore(turn, alt=lambda k: f"Up to {k}.", size=(2, 1), k=[1, 2])


def covering(box):
    """Names of the questions on the panel over a figure; none if it is not covered."""
    (first, *rest) = box.children
    if rest or "asks" not in getattr(first, "state", ()):
        return []
    assert first.setup["name"] in ("turn", "still")
    return [asked["name"] for asked in first.state["asks"]]


def test_a_figure_is_covered_until_all_its_predictions_are_done():
    figure = shown_in_kernel(explorable())  # it stands before its questions
    first, second = (shown_in_kernel(make(covers="turn")) for make in (likely, number))
    assert "Up to 2." in figure.set(k=2)  # a program can move it
    assert covering(figure.widget) == ["likely", "how-many-cards"]
    give(first, "wrong", 2)
    assert covering(figure.widget) == ["how-many-cards"]
    figure.widget.children[0]._handle_custom_msg({"do": "look"}, [])
    assert second.status == "passed"
    given = {"key": second.key, "status": "passed", "passed": True}
    assert json.loads(second.widget.state["text"]) == given
    assert covering(figure.widget) == []
    assert covering(shown_in_kernel(explorable()).widget) == []


def test_a_picture_without_controls_is_covered(monkeypatch):
    boxes = []
    make = still_figure.coverable
    monkeypatch.setattr(still_figure, "coverable", lambda *a: boxes.append(make(*a)) or boxes[0])
    asked = shown_in_kernel(likely(covers="still"))
    shown_in_kernel(picture(lambda fig: turn(fig, 1), name="still", alt="A.", size=(2, 1)))
    assert covering(boxes[0]) == ["likely"]
    asked.skip()
    assert covering(boxes[0]) == []


def test_a_reader_can_see_everything_and_have_questions_first_again():
    asked = [shown_in_kernel(make(covers="turn")) for make in (likely, number)]
    figure, counted = shown_in_kernel(explorable()), shown_in_kernel(score())
    figure.widget.children[0]._handle_custom_msg({"do": "everything"}, [])
    assert covering(figure.widget) == []
    assert [(p.status, p.widget.state["isTold"]) for p in asked] == [("open", True)] * 2
    assert counted.widget.state["isTold"]
    asked.append(shown_in_kernel(point(covers="turn")))
    assert asked[2].widget.state["isTold"]
    give(asked[0], "right", 1)
    asked[1].skip()
    assert [one["status"] for one in counted.widget.state["asks"]] == ["right", "passed", "open"]
    assert counted.widget.state["asks"][0]["html"].startswith("Is an <em>a</em> in slot 1 &lt;")
    counted.widget._handle_custom_msg({"do": "again"}, [])
    assert {p.status for p in asked} == {"open"}
    assert [p.widget.state for p in asked] == [{"text": "", "isTold": False}] * 3
    assert covering(figure.widget) == ["likely", "how-many-cards", "where-is-it"]
