"""The book on paper: sheets are numbered on, nothing to touch is left, answers come last."""

import io
import itertools
import unicodedata

import pytest
from bs4 import BeautifulSoup
from pypdf import PdfReader

from book.tools.chapters import CHAPTERS
from book.tools.paper.__main__ import INSIDE, book, order
from tests.support.built_pages import SITE

ADDRESS = "https://example.org/touch"

pytestmark = pytest.mark.usefixtures("built_site")


@pytest.fixture(scope="module")
def paper(browser, address):
    """A chapter and the bibliography as one PDF: the texts of its sheets, its pages, and itself."""
    content, pages = book(browser, address, ["btmm", "bibliography"], ADDRESS)
    sheets = PdfReader(io.BytesIO(content)).pages
    texts = [unicodedata.normalize("NFKC", sheet.extract_text()) for sheet in sheets]
    return texts, pages, content


def test_sheets_are_numbered_on_and_the_contents_say_where_each_page_begins(paper):
    texts, pages, _ = paper
    n_front = len(texts) - sum(page.n_sheets for page in pages)
    for number, text in enumerate(texts[n_front:], 1):
        assert str(number) in text.split()
    assert pages[0].title in texts[n_front + 1]  # with its dash
    contents = " ".join(" ".join(texts[:n_front]).split())
    assert "Game AI you can touch" in contents
    assert f"{pages[1].title} {pages[0].n_sheets + 1}" in contents.replace(" .", "")
    titles = [title for _, title, _ in pages[0].sections]
    assert {*titles} >= {"Moves are teams", "Answers to the questions"}
    for _, title, at in pages[0].sections:
        assert f"{title} {at + 1}" in contents.replace(" .", "")


def test_links_lead_to_their_sheets(paper):
    texts, pages, content = paper
    reader = PdfReader(io.BytesIO(content))
    n_front = len(texts) - sum(page.n_sheets for page in pages)
    numbers = {sheet.indirect_reference.idnum: i for i, sheet in enumerate(reader.pages)}
    leads = [
        [numbers[link["/Dest"][0].idnum] for link in links_of(sheet) if "/Dest" in link]
        for sheet in reader.pages
    ]
    for link in itertools.chain(*map(links_of, reader.pages)):
        assert not str(link.get("/A", {}).get("/URI", "")).startswith(INSIDE)
    # Those of the contents, in order: to each page, and to each of its sections.
    contents = [to for sheet in leads[:n_front] for to in sheet]
    first = n_front
    for page in pages:
        assert contents.pop(0) == first
        for _, title, at in page.sections:
            assert contents.pop(0) == first + at
            assert title in " ".join(texts[first + at].split())
        first += page.n_sheets
    assert contents == []
    # Citations lead from the chapter into the bibliography.
    last = len(texts) - pages[-1].n_sheets
    assert sum(to >= last for sheet in leads[n_front:last] for to in sheet) >= 3


def links_of(sheet):
    return [note.get_object() for note in sheet.get("/Annots", ())]


def test_questions_are_answered_at_the_end_and_boards_say_where_they_are_played(paper):
    texts, _, _ = paper
    text = " ".join(" ".join(texts).split())
    asked, _, answered = text.rpartition("Answers to the questions")
    page = BeautifulSoup((SITE / "book" / "btmm.html").read_bytes(), "html.parser")
    n_questions = len(page.select("form.ask"))
    for i in range(1, n_questions + 1):
        assert f"Question {i}." in asked
    assert answered.count("The answer:") == n_questions
    for words in ("The answer:", "Show code", "Commit", "Show me instead"):
        assert words not in asked
    squeezed = text.replace(" ", "")
    for board in page.select("figure.board"):  # where they are played
        assert f"{ADDRESS}/book/btmm.html#{board['id']}" in squeezed


def test_lessons_come_before_workshops_and_all_chapters_are_there():
    workshops = [f"{name}_workshop" for name in CHAPTERS]
    assert order()[: 1 + 2 * len(CHAPTERS)] == ["index", *CHAPTERS, *workshops]
