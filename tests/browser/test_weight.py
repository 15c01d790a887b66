"""A lesson stays a lesson: half an hour, not three."""

import pytest

from book.weight import BOOK, FEWEST_LIVE, LESSON, LESSON_PIXELS, heights, weight_of
from tests.support.built_pages import ROOT
from tests.support.chromium import CHROMIUM

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


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium installed")
def test_lessons_are_short(browser):
    tall = heights(browser, [BOOK / f"{name}.html" for name in LESSONS])
    assert {page.stem: px[0] for page, px in tall.items() if px[0] > LESSON_PIXELS} == {}
