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


def test_a_first_half_ends_with_its_section(tmp_path):
    page = tmp_path / "nrpa.html"  # where a game is played to its end in the first half
    section = "<section><h2>{}</h2><p>{}</p></section>"
    later = section.format("Later", "six words that come much later<form class='ask'></form>")
    half = section.format("1.2. Half-way: what you can do", "two words<details>one</details>")
    page.write_text(f"<article><section><h1>NRPA</h1>{half}{later}</section>below</article>")
    first = weight_of(page, first_half=True)
    assert first.words == 9
    assert first.unfolded == 10
    assert first.minutes == 9 / 200 + weight.MINUTES_PER_GAME
    whole = weight_of(page)
    assert (whole.words, whole.things) == (9 + 8, 1)
    assert whole.minutes == 17 / 200 + 1.5 + weight.MINUTES_PER_GAME
    page.write_text("<article><section><h1>NRPA</h1></section></article>")
    with pytest.raises(ValueError, match="no section whose heading"):
        weight_of(page, first_half=True)
