"""A lesson keeps what it promises: half an hour that is whole in itself, and a second."""

import pytest

from book.tools import weight
from book.tools.chapters import CHAPTERS
from book.tools.weight import BOOK, weight_of

pytestmark = pytest.mark.usefixtures("built_site")


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_lesson_is_light_loaded_soon_and_has_enough_to_play(name):
    page = BOOK / f"{name}.html"
    for first_half, most in ((True, weight.FIRST_HALF), (False, weight.LESSON)):
        has = weight_of(page, first_half)
        limits = zip(has._fields, has, most, strict=True)
        assert not {what: (n, limit) for what, n, limit in limits if n > limit}, first_half
    assert weight.bytes_of(page) <= weight.LESSON_BYTES
    assert weight_of(page).live >= weight.FEWEST_LIVE
