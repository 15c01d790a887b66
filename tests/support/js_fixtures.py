"""What Python hands to the scripts, for their unit tests: forms, figures, boards, cells.

``python -m tests.support.js_fixtures`` writes it to ``_build/js-fixtures.json``, so that
`tests/js` tests the scripts against the HTML of this checkout and against no copy of it.
"""

import itertools
import json
from types import ModuleType

from docutils import nodes

from tests.support.built_pages import ROOT
from tests.support.sticks import Sticks
from touchbook.board.play import Play
from touchbook.board.session import Session
from touchbook.cell.needs import tries
from touchbook.figure.parts import name_ticks
from touchbook.page import python
from touchbook.widgets import Control, ask, explore, picture, review, score

TARGET = ROOT / "_build" / "js-fixtures.json"


# Questions


def plain_axes(fig):
    """Ten units to the right and ten down, as pixels count."""
    fig.subplots().set(xlim=(0, 10), ylim=(10, 0), xlabel="pull", ylabel="mean")


def upward_axes(fig):
    """Ten units each way, upwards as in a plot."""
    fig.subplots().set(xlim=(0, 10), ylim=(0, 10), xlabel="pull", ylabel="$y$")


def named_axes(letters, numbers):
    """Draws three places by three, which have names."""

    def draw(fig):
        ax = fig.subplots()
        ax.set(xlim=(-0.5, 2.5), ylim=(-0.5, 2.5), xlabel="column", ylabel="row")
        name_ticks(ax.xaxis, range(3), letters)
        name_ticks(ax.yaxis, range(3), numbers)

    return draw


def on(draw, answer, tolerance, name):
    """A point on a picture."""
    return ask("Where is the best?", answer=answer, tolerance=tolerance, because="There.",
               picture=draw, alt="Empty axes.", size=(4, 3), name=name)  # fmt: skip


QUESTIONS = (
    ask("Is an *a* more or less likely than ½?", answer="less", because="It is 0.2.",
        choices=["*much* more", "less", "neither?"], name="likely", covers=["turn", "still"]),
    ask("How many cards?", answer=0.3, tolerance=0.1, unit="cards", because="Counted.",
        name="cards", covers="turn"),
    ask("Which share?", answer=-2.5, tolerance=0.5, because="So.", name="share"),
    on(plain_axes, (2, 7), (2, 1), "where"),
    on(upward_axes, (2, 7), (2, 1), "up"),
    on(named_axes("abc", [1, 2, 3]), (1, 2), (0.5, 0.5), "field"),
    on(named_axes(["low", "mid", "high"], [1, 2, 3]), (1, 2), (0.5, 0.5), "words"),
)  # fmt: skip


def doubled(rng=None):
    """A question that can be asked with other numbers."""
    n = 4 if rng is None else int(rng.integers(5, 40))
    return {"question": f"Twice {n}?", "answer": 2 * n, "because": f"{n} and {n}.",
            "tolerance": 0, "name": "doubled"}  # fmt: skip


def coin(rng=None):
    """Another one."""
    side = "heads" if rng is None or rng.random() < 0.5 else "tails"
    return {"question": f"Not {side}?", "answer": {"heads": "tails", "tails": "heads"}[side],
            "choices": ["heads", "tails"], "because": "The other.", "name": "coin"}  # fmt: skip


NIM = ModuleType("nim")
for _function in (doubled, coin):
    setattr(NIM, _function.__name__, _function)
    _function.__module__ = "nim"
LESSON = [ask(one) for one in (doubled, coin)]

# Answer, tolerance, what is said, whether it is right.
EDGES = (
    (0.3, 0.1, "0.4", True), (0.3, 0.1, "0.2", True), (0.3, 0.1, "0.401", False),
    (5, 0, "5", True), (5, 0, "5.0001", False), (1 / 3, 0, "0.333333", True),
    (1 / 3, 0, "1/3", True), (1 / 3, 0, "0.3333", False), (-0.3, 0.1, "-0.4", True),
    (1e9, 0, "1000000001", True), (1e9, 0, "1000000002", False), (100, 5, "94.99", False),
    (100, 5, "95", True), (100, 5, "105.01", False), (22, 0.5, "22.5", True),
)  # fmt: skip


def edges():
    """Numbers at the edge of what is right, with the data by which they are judged."""
    for answer, tolerance, said, is_right in EDGES:
        asked = ask("How many?", answer=answer, tolerance=tolerance, because="So.")
        _, data = asked.kind.field()
        yield {"data": data, "said": said, "isRight": is_right}


# Figures


def turn(fig, k):
    """A line that rises with the slider."""
    fig.subplots().plot([0, k])


def lines(fig, k, word, thick):
    """A line that differs in every frame."""
    fig.subplots().plot([0, k], linewidth=1 + thick, marker="+x"[word == "a+b & 50% off"])


def figure(explorable):
    """Its HTML, and the words of each frame by the positions of its controls."""
    controls = explorable.controls
    positions = itertools.product(*(range(len(c.values)) for c in controls.values()))
    return {
        "html": explorable.html(),
        "alts": {
            ",".join(map(str, at)): explorable.words(
                **{n: c.values[i] for (n, c), i in zip(controls.items(), at, strict=True)}
            )
            for at in positions
        },
    }


FIGURES = {
    "turn": explore(turn, alt=lambda k: f"Up to {k}.", title="Turns.", size=(4, 3),
                    k=Control([1, 2, 3, 4], label="Step", default=2, play=True)),
    "lines": explore(
        lines, alt=lambda k, word, thick: f"{word} to {k:g}, {'thick' if thick else 'thin'}",
        size=(2, 1), k=Control([0.5, 1.0, 2.0], label="rise"), thick=[False, True],
        word=Control(["plain", "a+b & 50% off"], play=True)),
}  # fmt: skip
STILL = picture(lambda fig: turn(fig, 1), name="still", alt="A line.", size=(4, 1))


# Boards


def board():
    """Its HTML, and how it answers one request after the other."""
    session = Session(Sticks())
    requests = (
        ("start", {"do": "look"}),
        ("counted", {"do": "touch", "name": "show-count"}),
        ("thinking", {"do": "think"}),
        ("thinkingOn", {"do": "think"}),
        ("thinkingLong", {"do": "think"}),
        ("thought", {"do": "think"}),
        ("taken", {"do": "touch", "name": "3"}),
        ("wild", {"do": "touch", "name": "wild"}),
        ("low", {"do": "touch", "name": "2"}),
        ("wrong", {"do": "touch", "name": "3"}),
        ("none", {"do": "touch", "name": "2"}),
        ("undone", {"do": "undo"}),
        ("unread", {"do": "load", "text": "x"}),
        ("fresh", {"do": "new"}),
    )
    return {
        "html": Play(Sticks).html(),
        "states": {name: session.answer(request) for name, request in requests},
    }


# Cells


def cells():
    """A cell to change and an exercise, as they stand in a page."""

    def code(source, *tags):
        return {"cell_type": "code", "id": tags[0], "source": source,
                "metadata": {"tags": list(tags)}}  # fmt: skip

    exercise = "```{exercise} Double *it*\n:label: ex-double\nWrite it.\n```"
    notebook = [
        code("a = 1", "plain"),
        code("print(a < 2)", "try"),
        {"cell_type": "markdown", "id": "t", "source": exercise, "metadata": {}},
        code("def double(x):\n    return a", "starter"),
        code("assert double(2) == 4", "check"),
        code("def double(x):\n    return 2 * x", "solution"),
    ]
    return {one.name: _in_page(one) for one in tries(notebook)}


def _in_page(one):
    around = nodes.container()
    cell = nodes.container()
    around += cell
    python._wrap(cell, one)
    begin, _, end = around.children
    # Between them stands what MyST-NB makes of the cell.
    built = '<div class="cell_output"><pre>True</pre></div>' if not one.is_exercise else ""
    code = f'<div class="cell"><div class="cell_input"><pre>code</pre></div>{built}</div>'
    return begin.astext() + code + end.astext()


def fixtures():
    """Everything, as JSON."""
    box = score().widget.setup["html"]
    return {
        "asks": {one.name: one.html() for one in QUESTIONS},
        "edges": list(edges()),
        "lesson": "".join(one.html(one.variants()) for one in LESSON),
        "review": review({"nim": ("Nim", NIM)}).html(),
        "score": box,
        "figures": {name: figure(one) for name, one in FIGURES.items()},
        "still": STILL.html(),
        "board": board(),
        "cells": cells(),
        "cover": {"name": "turn"},
    }


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(json.dumps(fixtures(), ensure_ascii=False, indent=1), encoding="utf-8")
