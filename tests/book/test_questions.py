"""The questions of all chapters: well-formed, self-contained, and new each time they are asked."""

import re

import pytest

from gameai_lib.base import jit
from tests.support.asked import asked_by, variants
from touchbook.ask.prediction import Prediction
from touchbook.widgets import ask

POINTERS = re.compile(r"\b(above|below|section|lesson|(this|our) board|the (picture|cell))\b")
# Of facts: as many right answers as were measured. Others have four at least.
MEASURED = {
    "swings": 3,
    "listener": 3,
    "pairs_pay": 2,
    "edge": 3,
    "length": 2,
    "codes": 3,
    "bias": 2,
}
ROUGHLY = {"no_bonus", "again", "luck"}  # of these nobody can know more than about how much it is
SEARCHES = pytest.mark.skipif(not jit.COMPILED, reason="measures a hundred searches")
ASKED = [
    pytest.param(question, marks=SEARCHES if chapter == "nrpa" else (), id=f"{chapter} {name}")
    for chapter in ("hanabi", "ntbea", "btmm", "nrpa", "together")
    for name, question in asked_by(chapter).items()
]


@pytest.mark.parametrize("question", ASKED)
def test_each_variant_is_a_question_that_stands_alone(question):
    made = variants(question)
    assert made == variants(question)
    for asked in made:
        Prediction(**asked)
        assert asked["name"] == made[0]["name"]
        assert "?" in asked["question"]
        assert asked["because"].endswith((".", "?"))
        assert not POINTERS.search(asked["question"]), asked["question"]
        text = asked["question"] + asked["because"]
        assert not {"nan", "None", "e-"} & {*re.findall(r"[\w-]+", text)}
        assert not re.search(r"--|  |\+-", text)
        if "tolerance" in asked:
            least, share = (1.0, 2) if question.__name__ in ROUGHLY else (0.5, 4)
            assert asked["tolerance"] <= max(least, abs(asked["answer"]) / share)
    answers = {one.kind.truth for one in ask(question).variants()}
    assert len(answers) >= MEASURED.get(question.__name__, 4), answers
