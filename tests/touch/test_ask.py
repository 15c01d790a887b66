"""Predictions: what is asked, how it is judged, and what a kernel shows of it."""

import json

import numpy as np
import pytest
from bs4 import BeautifulSoup

from gameai_lib.touch.ask import prediction
from gameai_lib.touch.ask.kinds import marked, plain, shown
from gameai_lib.touch.figure.live import AskFace
from gameai_lib.touch.figure.parts import name_ticks
from gameai_lib.widgets import BOOK_BUILD, ExplorableError, ask, explore, picture, score


@pytest.fixture(autouse=True)
def new_kernel(monkeypatch):
    """No prediction was shown yet."""
    monkeypatch.setattr(prediction, "_asked", {})
    monkeypatch.setattr(prediction, "_built", {})


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


def line(fig):
    """One axes from 0 to 10 each way."""
    fig.subplots().set(xlim=(0, 10), ylim=(0, 10), xlabel="pull", ylabel="$y$")


def point(**options):
    """A point on `line`."""
    return ask(**{
        "question": "Where is it?", "answer": (2, 7), "tolerance": (2, 1), "because": "So.",
        "picture": line, "alt": "Empty axes.", "size": (3, 2), **options,
    })  # fmt: skip


def parsed(html):
    """HTML as a tree."""
    return BeautifulSoup(html, "html.parser")


def truth(soup):
    """What the page's script is told."""
    return json.loads(soup.form["data-truth"])


def test_the_form_holds_the_question_the_choices_and_a_folded_answer():
    soup = parsed(likely(covers=["turn", "other"]).html())
    assert soup.legend.decode_contents() == "Is an <em>a</em> in slot 1 &lt;likely&gt;?"
    assert [label.text.strip() for label in soup.select("label")] == [
        "more", "less & less", "equal"
    ]  # fmt: skip
    assert [i["value"] for i in soup.select("input[type=radio][name=likely]")] == ["0", "1", "2"]
    assert soup.select_one("details.ask-answer:not([open]) summary").text == "Answer"
    assert soup.select_one(".ask-truth").text == "The answer: less & less. It is 0.2 < 0.5."
    assert {b["data-action"] for b in soup.select("button")} == {"commit", "skip"}
    assert truth(soup)["covers"] == ["turn", "other"]
    assert truth(soup)["answer"] == 1


def test_nothing_that_is_written_becomes_html():
    nasty = '</form><script>alert("1")</script>'
    soup = parsed(likely(question=nasty, because=nasty, choices=[nasty, "b"], answer=nasty).html())
    assert soup.find("script") is None
    assert soup.legend.text == nasty
    assert soup.select_one("label").text.strip() == nasty
    assert parsed(number(unit="<b>'\"").html()).find("b") is None


@pytest.mark.parametrize(
    ("text", "html", "words"),
    [
        ("an *a* and *b c*.", "an <em>a</em> and <em>b c</em>.", "an a and b c."),
        ("2*3*4", "2*3*4", "2*3*4"),
        ("2 * 3 * 4", "2 * 3 * 4", "2 * 3 * 4"),
        ("**", "**", "**"),
        ("*<*", "<em>&lt;</em>", "<"),
    ],
)
def test_italics(text, html, words):
    assert marked(text) == html
    assert plain(text) == words


@pytest.mark.parametrize(
    ("value", "tolerance", "text"),
    [
        (3.0, 0.5, "3"), (1234567.0, 100, "1234567"), (-2.5, 0.1, "−2.5"), (1 / 3, 0.05, "0.333"),
        (1 / 3, 0.5, "0.33"), (1 / 3, 0, "0.333333"), (-0.001, 1, "0"), (1e20, 1, "1e+20"),
        (1e-5 / 3, 1e-6, "0.0000033"), (1234.5678, 100, "1235"), (99.96, 1, "100"),
    ],
)  # fmt: skip
def test_numbers_have_the_digits_that_matter(value, tolerance, text):
    assert shown(value, tolerance) == text


@pytest.mark.parametrize(
    ("answer", "tolerance", "words"),
    [(22, 0.5, "22 cards."), (22, 3, "22 cards, give or take 3."), (3.0, 0.1, "give or take 0.1")],
)
def test_a_count_is_exact_unless_the_question_lets_it_be_near(answer, tolerance, words):
    form = ask("How many?", answer=answer, tolerance=tolerance, unit="cards", because="So.").html()
    assert words in parsed(form).select_one(".ask-truth").text


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("0.4", 0.4), ("30 %", 0.3), ("1/4", 0.25), ("−.2 cards", -0.2), ("0,25", 0.25), (5, 5),
        ("1e3", 1000), ("+3", 3), ("2,5000", 2.5), (np.float64(2.5), 2.5),
    ],
)  # fmt: skip
def test_numbers_that_can_be_said(said, value):
    assert number().kind.read(said) == pytest.approx(value)


@pytest.mark.parametrize("said", ["", "x", "1,500", "1/0", "1 2", "nan", "inf", "٣", "1e999", "%"])
def test_what_is_no_number_is_named_and_changes_nothing(said):
    asked = number()
    with pytest.raises(ValueError, match=r"is no number|must be"):
        asked.commit(said)
    assert asked.status == "open"


@pytest.mark.parametrize(
    ("answer", "tolerance", "said", "is_right"),
    [
        (0.3, 0.1, 0.4, True), (0.3, 0.1, 0.2, True), (0.3, 0.1, 0.401, False), (5, 0, 5, True),
        (5, 0, 5.0001, False), (1 / 3, 0, 0.333333, True), (-0.3, 0.1, -0.4, True),
        (1e9, 0, 1e9 + 1, True), (100, 5, 94.99, False),
    ],
)  # fmt: skip
def test_a_tolerance_holds_to_its_edge(answer, tolerance, said, is_right):
    asked = number(answer=answer, tolerance=tolerance)
    asked.commit(said)
    assert asked.status == ("right" if is_right else "wrong")


@pytest.mark.parametrize(
    ("said", "is_right"), [((4, 7), True), ((2, 6), True), ((3.5, 7.8), False), ((2, 7), True)]
)
def test_a_point_is_right_inside_the_ellipse(said, is_right):
    asked = point()
    asked.commit(said)
    assert asked.status == ("right" if is_right else "wrong")


def board(fig):
    """A board of three by three, whose places have names."""
    ax = fig.subplots()
    ax.set(xlim=(-0.5, 2.5), ylim=(-0.5, 2.5))
    name_ticks(ax.xaxis, range(3), "abc")
    name_ticks(ax.yaxis, range(3), [1, 2, 3])


def test_a_point_is_told_by_the_names_of_the_axes():
    asked = point(picture=board, answer=(1, 2), tolerance=(0.5, 0.5))
    soup = parsed(asked.html())
    assert truth(soup)["axes"][0]["names"] == [[0, "a"], [1, "b"], [2, "c"]]
    assert "The answer: b3" in soup.details.text
    field = AskFace(asked).field
    assert [text for text, _ in field.box.children[1].options] == ["a", "b", "c"]
    field.box.children[1].value, field.box.children[2].value = 1, 2
    asked.commit(field.read())
    assert "You said: b3." in asked.verdict_html()


def test_a_point_knows_where_the_axes_lie_on_the_picture():
    soup = parsed(point().html())
    assert soup.img["alt"] == "Empty axes."
    x, y = truth(soup)["axes"]
    assert (x["label"], y["label"]) == ("pull", "y")  # no formula is read aloud
    assert x["limits"] == y["limits"] == [0, 10]
    assert 0 < x["at"][0] < 0.4 < 0.9 < x["at"][1] <= 1
    assert 0 <= y["at"][1] < 0.1 < 0.6 < y["at"][0] < 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"picture": lambda fig: fig.subplots(1, 2)}, "on one axes with linear scales"),
        ({"picture": lambda fig: fig.subplots().semilogx([1, 10], [1, 2])}, "linear scales"),
        ({"answer": (2, 70)}, r"\(2.0, 70.0\) is not on the picture"),
        ({"answer": 5}, "answer: a point has two numbers, got 5"),
        ({"tolerance": (0, 1)}, "tolerance must be more than 0"),
        ({"alt": None}, "a figure needs alt text, got None"),
        ({"picture": 5}, "drawn by a function, got 5"),
        ({"unit": "m"}, "a point has no unit, got 'm'"),
    ],
)
def test_points_that_cannot_be_asked_for(options, message):
    with pytest.raises(ValueError, match=message):
        point(**options).html()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"question": " "}, "question must be text, got ' '"),
        ({"because": None}, "because must be text, got None"),
        ({"answer": "never"}, "answer must be one of .* got 'never'"),
        ({"choices": "ab"}, "choices must be a list of texts, got 'ab'"),
        ({"choices": ["a", "a"], "answer": "a"}, r"different choices, got \['a', 'a'\]"),
        ({"choices": ["a"], "answer": "a"}, r"two or more different choices, got \['a'\]"),
        ({"tolerance": 1}, "choices have no tolerance"),
        ({"name": "a b"}, "name: up to 60 letters, digits and hyphens, .* got 'a b'"),
        ({"covers": "fig-turn"}, "covers: .* without fig-, got 'fig-turn'"),
        ({"covers": {"a": 1}}, "covers must be names of figures"),
    ],
)
def test_questions_that_cannot_be_asked(options, message):
    with pytest.raises(ValueError, match=message):
        likely(**options)


def test_numbers_that_cannot_be_asked_for():
    with pytest.raises(TypeError, match="tolerance must be a number, got None"):
        number(tolerance=None)
    with pytest.raises(ValueError, match=r"answer must be a number|answer must be"):
        number(answer=float("nan"))
    with pytest.raises(TypeError, match="answer must be a number, got 'x'"):
        number(answer="x")


def test_a_question_without_a_name_is_named_after_its_words():
    assert number().name == "how-many-cards"
    assert number(question="½ > ⅓?").name == "ask"
    assert number(question="3 or 4?").name == "ask-3-or-4"


def test_the_key_changes_with_what_is_asked_and_with_nothing_else():
    assert likely().key == likely(because="Other words.", covers="turn").key
    others = [
        likely(question="Other?"), likely(answer="equal"),
        likely(choices=["less & less", "b"]), number(), number(tolerance=0.2),
    ]  # fmt: skip
    assert len({likely().key, *(other.key for other in others)}) == 6
    assert number(answer=0.3 + 1e-12).key == number().key  # machines differ in last digits


def test_what_was_committed_stays():
    asked = likely()
    asked.commit("*more*")
    assert (asked.status, asked.said) == ("wrong", "*more*")
    for again in (lambda: asked.commit("equal"), asked.skip):
        with pytest.raises(ExplorableError, match=r"likely was answered: '\*more\*'"):
            again()
    with pytest.raises(ValueError, match=r"your answer must be one of .* got 'no'"):
        likely().commit("no")


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
    """What is sent for it, without its text."""
    bundle = thing._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "application/vnd.jupyter.widget-view+json"}
    return thing


def all_text(widget):
    """All texts of a widget and what is in it."""
    parts = [getattr(widget, "value", ""), getattr(widget, "description", "")]
    return " ".join(map(str, parts)) + "".join(map(all_text, getattr(widget, "children", ())))


@pytest.mark.parametrize("make", [likely, number, point])
def test_before_the_answer_nothing_of_it_is_sent(make):
    asked = shown_in_kernel(make(because="Since xyzzy."))
    assert "xyzzy" not in all_text(asked.face.box)
    assert 'class="ask-ring"' not in all_text(asked.face.box)
    asked.skip()
    assert "Since xyzzy." in all_text(asked.face.box)
    assert "You passed." in all_text(asked.face.box)
    assert "Commit" not in all_text(asked.face.box)


@pytest.mark.parametrize("make", [likely, number, point])
def test_a_commit_without_an_answer_says_so_and_changes_nothing(make):
    asked = shown_in_kernel(make())
    asked.face.commit.click()
    assert asked.status == "open"
    assert 'role="alert"' in asked.face.message.value


def test_a_choice_is_made_and_held_against_the_reader():
    asked = shown_in_kernel(likely())
    asked.face.field.box.value = "*more*"
    asked.face.commit.click()
    assert asked.status == "wrong"
    text = parsed(asked.face.answer.value).text
    assert text == "✗ Wrong. You said: more.The answer: less & less. It is 0.2 < 0.5."
    assert asked.face.field.box.disabled


def test_a_number_is_written():
    asked = shown_in_kernel(number())
    field = asked.face.field.box.children[0]
    field.value = "many"
    asked.face.commit.click()
    assert "is no number" in asked.face.message.value
    field.value = "1/4 cards"
    asked.face.commit.click()
    assert asked.status == "right"
    assert "You said: 0.25 cards." in parsed(asked.face.answer.value).text


def test_a_point_is_set_with_two_sliders():
    asked = shown_in_kernel(point())
    stack, x, y = asked.face.field.box.children
    x.value, y.value = 3, 7
    assert "ask-cross" in all_text(stack)
    asked.face.commit.click()
    assert asked.status == "right"
    assert "ask-ring" in all_text(stack)
    assert x.disabled


def test_an_answer_elsewhere_leaves_a_choice_that_is_not_committed():
    first, second = shown_in_kernel(likely()), shown_in_kernel(number())
    first.face.field.box.value = "equal"
    second.skip()
    assert first.face.field.box.value == "equal"


def test_a_cell_that_is_run_again_keeps_its_answer_but_not_that_of_another_question():
    shown_in_kernel(likely()).commit("equal")
    again = shown_in_kernel(likely())
    assert (again.status, again.face.field.box.value) == ("wrong", "equal")
    other = shown_in_kernel(likely(question="Something else?"))
    assert other.status == "open"


def turn(fig, k):
    """A figure with a slider."""
    fig.subplots().plot([0, k])


def explorable():
    """The figure that predictions cover."""
    return explore(turn, alt=lambda k: f"Up to {k}.", size=(2, 1), k=[1, 2])


def is_covered(box):
    """Whether a panel lies over the figure."""
    return "Look anyway" in all_text(box) and "explorable-live" not in all_text(box)


def test_a_figure_is_covered_until_all_its_predictions_are_done():
    first, second = (shown_in_kernel(make(covers="turn")) for make in (likely, number))
    figure = shown_in_kernel(explorable())
    assert is_covered(figure.widget)
    assert 'href="#ask-likely"' in all_text(figure.widget)
    assert 'id="fig-turn"' in all_text(figure.widget)
    first.commit("equal")
    assert is_covered(figure.widget)
    assert 'href="#ask-likely"' not in all_text(figure.widget)
    second.skip()
    assert not is_covered(figure.widget)
    assert not is_covered(shown_in_kernel(explorable()).widget)


def test_a_covered_figure_can_be_moved_by_a_program():
    shown_in_kernel(likely(covers="turn"))
    figure = shown_in_kernel(explorable())
    assert "Up to 2." in figure.set(k=2)
    assert is_covered(figure.widget)


def test_look_anyway_passes():
    asked = shown_in_kernel(likely(covers="turn"))
    figure = shown_in_kernel(explorable())
    figure.widget.children[0].children[1].click()
    assert asked.status == "passed"
    assert not is_covered(figure.widget)


def test_a_figure_that_stands_before_its_question_is_covered_too():
    figure = shown_in_kernel(explorable())
    shown_in_kernel(likely(covers="turn"))
    assert is_covered(figure.widget)


def test_a_picture_without_controls_is_covered(monkeypatch):
    boxes = []
    from gameai_lib import widgets

    plain_box = widgets.coverable
    monkeypatch.setattr(
        widgets, "coverable", lambda *args: boxes.append(plain_box(*args)) or boxes[-1]
    )
    still = picture(lambda fig: turn(fig, 1), name="still", alt="A line.", size=(2, 1))
    shown_in_kernel(still)
    asked = shown_in_kernel(likely(covers="still"))
    shown_in_kernel(still)
    assert [is_covered(box) for box in boxes] == [False, True]
    asked.skip()
    assert not is_covered(boxes[1])


def test_the_score_counts_and_starts_over():
    asked = [shown_in_kernel(likely(covers="turn")), shown_in_kernel(number())]
    asked.append(shown_in_kernel(point()))
    figure, counted = shown_in_kernel(explorable()), shown_in_kernel(score())
    asked[0].commit("less & less")
    asked[1].skip()
    words = parsed(counted.face.words.value)
    assert words.p.text == "You predicted 1 of 3 right (1 passed, 1 still open)."
    assert [a["href"] for a in words.select("a")] == ["#ask-where-is-it"]
    counted.face.again.click()
    assert {p.status for p in asked} == {"open"}
    assert asked[0].face.field.box.value is None
    assert is_covered(figure.widget)
    assert "You predicted 0 of 3 right (0 passed, 3 still open)." in counted.face.words.value
