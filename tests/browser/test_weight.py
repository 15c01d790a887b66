"""A lesson stays a lesson: half an hour, not three."""

import pytest

from book.tools.weight import BOOK, FEWEST_LIVE, LESSON, weight_of
from tests.support.built_pages import ROOT

LESSONS = sorted(
    path.stem.removesuffix("_workshop") for path in (ROOT / "book").glob("*_workshop.ipynb")
)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not BOOK.is_dir(), reason="the book is not built"),
]


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_is_light(name):
    weight = weight_of(BOOK / f"{name}.html")
    too_much = {
        what: (has, most)
        for what, has, most in zip(weight._fields, weight, LESSON, strict=True)
        if has > most
    }
    assert not too_much
    assert weight.live >= FEWEST_LIVE
