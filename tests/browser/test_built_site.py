"""Links and pages of the built book, read as files."""

import functools
import json
import re
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from bs4 import BeautifulSoup
from fontTools.ttLib import TTFont

from book.tools.chapters import named_pages
from tests.support.built_pages import ROOT, SITE
from touchbook.boards import Session, board_class

pytestmark = pytest.mark.usefixtures("built_site")


@functools.cache
def read(page):
    """The parsed page."""
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


@functools.cache
def anchors(page):
    """All places in a page that a link can name."""
    return {tag["id"] for tag in read(page).find_all(id=True)}


def broken_links(soup, page):
    """Links of what stands at `page` that lead nowhere in the book; settings must exist, too."""
    broken = []
    for link in soup.select("a[href]"):
        parts = urlsplit(link["href"])
        if parts.scheme or parts.netloc:
            continue
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        target = target / "index.html" if target.is_dir() else target
        anchor, _, query = unquote(parts.fragment).partition("?")
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link["href"])
        elif query:
            wish = dict(parse_qsl(query, strict_parsing=True))
            begins(read(target).find(id=anchor), wish)
    return broken


@pytest.mark.parametrize("name", [*named_pages(), "genindex", "search"])
def test_internal_links_anchors_settings_of_figures_and_games_of_boards_resolve(name):
    page = SITE / f"{name}.html"
    assert broken_links(read(page), page) == []
    policy = read(page).select_one("meta[http-equiv=Content-Security-Policy]")["content"]
    assert "script-src 'self' 'unsafe-hashes' 'sha256-" in policy
    if (ROOT / f"{name}.ipynb").exists():
        assert read(page).select_one("a.btn-download-source-button")["href"].endswith(".ipynb")


CARRIED = "script[type='application/json']:is(:not([class]), .board-recorded, .ask-variants)"


def test_frames_runs_and_pictures_stand_beside_their_page():
    pages = [read(SITE / f"{name}.html") for name in named_pages()]
    carried = [script for page in pages for script in page.select(f"article {CARRIED}")]
    assert len(carried) > 50
    for script in carried:
        text = (SITE / "book" / script["data-beside"]).read_text(encoding="utf-8")
        begin, _, data = text.partition(" = ")
        assert (script.string, begin) == (None, "document.currentScript.carried")
        json.loads(data.rstrip(";\n"))
    pictures = [img for page in pages for img in page.select("article img[src*=beside]")]
    assert {img.get("loading") for img in pictures} == {"lazy"}
    assert not [img for page in pages for img in page.select("article img[src^='data:']")]


def begins(thing, wish):
    """A figure has the settings that a link says, a board begins with its seed or its game."""
    if thing["id"].startswith("fig-"):
        for key, value in wish.items():
            control = thing.find(attrs={"data-name": key})
            assert f'"{value}"' in control["data-texts"], wish
        return
    data = json.loads(thing.select_one("script.board-data").string)
    session = Session(board_class(data["board"])(**data["options"]))
    game = {"do": "load", "text": wish["game"]} if "game" in wish else {"do": "new"}
    seed = {"seed": int(wish["seed"])} if "seed" in wish else {}
    assert session.answer(game | seed)["wrong"] == "", wish


def test_the_font_of_formulas_has_all_their_signs():
    font = TTFont(SITE / "_static" / "latin-modern-math.woff").getBestCmap()
    formulas = [
        formula for name in named_pages() for formula in read(SITE / f"{name}.html")("math")
    ]
    assert len(formulas) > 500
    needed = {sign for formula in formulas for sign in formula.get_text() if not sign.isspace()}
    # Names of one letter are set in italics, letters of their own; h stands apart from the others.
    needed |= set(map(chr, {*range(0x1D434, 0x1D468), 0x210E} - {0x1D455}))
    assert {sign for sign in needed if ord(sign) not in font} == set()


def documented(kind):
    """(what it documents, one entry) of the API page's lists of one kind."""
    for fields in read(SITE / "book" / "api.html").select("dl.field-list"):
        name = fields.find_parent("dd").find_previous_sibling("dt").get("id")
        heads, bodies = (fields.find_all(tag, recursive=False) for tag in ("dt", "dd"))
        for head, body in zip(heads, bodies, strict=True):
            if head.get_text().startswith(kind):
                for entry in body.find_all("li") or [body]:
                    yield name, " ".join(entry.get_text(" ", strip=True).split())


def test_attributes_on_the_api_page_have_types_where_types_stand():
    # An attribute whose description has a colon in its first sentence is torn there.
    a_type = re.compile(r"\(.*\) (int|float|bool)\w*( array)?( or float)?|[A-Z]\w+")
    torn = [entry for entry in documented("Type") if not a_type.fullmatch(entry[1])]
    assert not torn, torn


@pytest.mark.parametrize(
    ("kind", "names"), [("Variables", r"\w+"), ("Parameters", r"\*{0,2}\w+(, \*{0,2}\w+)*")]
)
def test_lists_on_the_api_page_are_whole(kind, names):
    entries = list(documented(kind))
    assert len(entries) > 10
    # "a, b : int" among attributes becomes "b ( a , )".
    whole = re.compile(rf"{names}( \((?!( ?\w+ ?,)+ ?\)).*\))?( –.*)?", re.DOTALL)
    torn = [entry for entry in entries if not whole.fullmatch(entry[1])]
    assert not torn, torn
