"""Slides come from the lessons alone, ask no other host for anything, and their links lead."""

import re

import pytest
from bs4 import BeautifulSoup

from book.tools.chapters import CHAPTERS
from book.tools.slides import HERE, slides
from tests.browser.test_built_site import broken_links
from tests.support.built_pages import SITE

LESSON = """<article><section id="a"><h1>A<a class="headerlink" href="#a">#</a></h1>
<p><strong>What is it that we ask first?</strong></p>
<section id="b"><h2>B</h2><p>It is <strong>important</strong>. See <a href="c.html#d">D</a>.</p>
<p><strong>see <a href="#b">B</a> for all that is true.</strong></p>
<details><strong>This is the answer that nobody may see.</strong></details>
<div class="math" id="equation-e">\\[x\\]</div><div class="math" id="equation-f">\\[y\\]</div>
<form class="ask" id="ask-q"><legend>Which?</legend><label><input type="radio"> <span>one</span>
</label><details><p>one</p></details></form>
<figure class="explorable" id="fig-v"><input type="range" value="1" data-name="k"
data-texts='["1", "2 &amp; 3"]'><input type="checkbox" checked data-name="l"
data-texts='["no", "yes"]'><img alt="As words." src="data:,">
<figcaption><strong>Title.</strong></figcaption></figure></section>
<section id="z"><h2>Z</h2><p>Nothing to show.</p></section></section></article>"""


def test_what_a_section_shows(tmp_path):
    page = tmp_path / "lesson.html"
    page.write_text(LESSON, encoding="utf-8")
    deck = BeautifulSoup(slides(page), "html.parser").select_one(".slides")
    stacks = [stack.find_all("section") for stack in deck.find_all("section", recursive=False)]
    assert [len(stack) for stack in stacks] == [1, 3]
    words, question, figure = stacks[1]
    assert words.h2.a["href"] == "../book/lesson.html#b"
    assert (
        words.p.decode_contents()
        == 'See <a href="../book/lesson.html#b">B</a> for all that is true.'
    )
    assert "\\[x\\]" in words.text
    assert "\\[y\\]" not in words.text
    assert [one.text for one in question.select("li")] == ["one"]
    assert question.text.count("one") == 1  # not the answer
    assert figure.img["alt"] == "As words."
    assert figure.select_one(".open a")["href"] == "../book/lesson.html#fig-v?k=2%20%26%203&l=yes"
    assert "nobody may see" not in deck.text


def test_nothing_comes_from_another_host():
    frame = (HERE / "slides.html").read_text(encoding="utf-8")
    shown = re.findall(r'(?:src|href)="([^"]*)"', frame)
    assert shown
    assert not [address for address in shown if "//" in address]


@pytest.mark.usefixtures("built_site")
@pytest.mark.parametrize("name", CHAPTERS)
def test_links_of_the_slides_lead_into_the_book(name):
    page = SITE / "slides" / f"{name}.html"
    deck = BeautifulSoup(slides(SITE / "book" / page.name), "html.parser").select_one(".slides")
    assert len(deck.select("a[href]")) > 20
    assert broken_links(deck, page) == []
    for picture in deck.select("[src]"):
        assert (page.parent / picture["src"]).resolve().exists(), picture["src"]
    assert all(picture["alt"] for picture in deck.select("img"))
