"""Print the built book as one PDF through a headless Chromium: ``python -m book.tools.paper``.

Lessons come first, then workshops, then the reference. Figures stand at their default frame with
their words, boards as their first picture with the address where they are played, answers and
solutions at a chapter's end. The address is `baseurl` in ``_config.yml``; while there is none,
boards name their page alone.
"""

import html
import io
import json
import re
import sys
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import segno
import yaml
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, NameObject, NullObject

from book.tools.chapters import CHAPTERS, PAGES, ROOT
from gameai_lib.base.files import write_whole
from tests.support.chromium import launched
from tests.support.reader import ALL_HERE
from tests.support.serving import served

SITE = ROOT / "_build" / "html"
TARGET = ROOT / "_build" / "game-ai-you-can-touch.pdf"
MOST_BYTES = 30_000_000
HERE = Path(__file__).parent
STYLE, PREPARE = ((HERE / f"paper.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
# What is about the package, about what moves, for whoever teaches, needs fonts that not every
# machine has, or asks the questions of the lessons once more.
LEFT_OUT = re.compile("api|controls|teaching.*|fifth_chapter|abstracts|review")
EAGER = """() => { for (const image of document.images) image.loading = "eager"; }"""
# Where a frame has taken the place of a picture meanwhile, that is another to decode.
DRAWN = """async () => {
    await document.fonts.ready;
    for (const image of document.images) await image.decode().catch(() => image.decode());
}"""


WIDTH = 643  # pixels that A4 leaves between its margins, as `paper.css` has them
WIDE = """width => [...document.querySelectorAll("article *")]
    .filter((one) => one.getBoundingClientRect().right > width + 1)
    .map((one) => one.outerHTML.slice(0, 80))"""


INSIDE = "https://inside.invalid/"  # stands for the PDF in links from one page to another


class Printed(NamedTuple):
    """One page of the book on paper."""

    name: str
    title: str
    sections: list[tuple[str, str, int]]  #: id, title, and on which of these sheets, from 0
    content: bytes  #: a PDF
    n_sheets: int


def order():
    """Names of the book's pages as paper has them."""
    first, *names = PAGES
    workshops = [f"{name}_workshop" for name in CHAPTERS]
    rest = [n for n in names if n not in {*CHAPTERS, *workshops} and not LEFT_OUT.fullmatch(n)]
    return [first, *CHAPTERS, *workshops, *rest]


def linked_ids(names):
    """By name of a page, the ids in it to which the others link."""
    found = {name: set() for name in names}
    for name in names:
        text = (SITE / "book" / f"{name}.html").read_text(encoding="utf-8")
        for page, ident in re.findall(r'href="(\w+)\.html#([^"?]+)', text):
            found.get(page, set()).add(unquote(html.unescape(ident)))
    return {name: sorted(ids) for name, ids in found.items()}


def print_page(tab, site, name, first, address="", links=None):
    """Print a page of the book, its first sheet numbered `first`.

    Parameters
    ----------
    tab : Playwright's page
    site : str
        Address of a server for the built book.
    name : str
    first : int
    address : str
        Where readers find the book, or nothing.
    links : dict
        What is `wanted` of each page that is printed.

    Returns
    -------
    Printed

    Raises
    ------
    ValueError
        If something would be cut at the right margin.
    """
    tab.goto(f"{site}/book/{name}.html")
    tab.evaluate(EAGER)
    tab.wait_for_function(ALL_HERE)
    tab.evaluate(DRAWN)
    here = f"{address.rstrip('/')}/book/{name}.html" if address else f"{name}.html"
    boards = tab.locator("figure.board").evaluate_all("all => all.map((board) => board.id)")
    codes = {board: code_of(f"{here}#{board}") for board in boards} if address else {}
    links = links or {}
    inside = {"inside": INSIDE, "names": list(links), "wanted": links.get(name, [])}
    title, sections = tab.evaluate(PREPARE, {"address": here, "codes": codes} | inside)
    content, n_sheets = sheets(tab, title, first)
    places = _places(PdfReader(io.BytesIO(content)))
    sections = [(ident, words, places[ident][0]) for ident, words in sections]
    return Printed(name, title, sections, content, n_sheets)


def sheets(tab, title, first, numerals="decimal"):
    """Print what a tab shows: a PDF, and how many sheets it has."""
    head = json.dumps(title, ensure_ascii=False)
    style = STYLE.replace('"CHAPTER"', head).replace("NUMERALS", numerals)
    tab.add_style_tag(content=f"{style}\nhtml {{ counter-reset: page {first - 1}; }}")
    tab.evaluate(DRAWN)
    if wide := tab.evaluate(WIDE, WIDTH):
        raise ValueError(f"{title}: wider than the paper: {wide[:3]}")
    content = tab.pdf(prefer_css_page_size=True, print_background=True, outline=True, tagged=True)
    return content, len(PdfReader(io.BytesIO(content)).pages)


def code_of(address):
    """A QR code as SVG."""
    buffer = io.BytesIO()
    segno.make(address).save(buffer, kind="svg", xmldecl=False, svgns=False, omitsize=True)
    return buffer.getvalue().decode()


def front(tab, pages, config):
    """Print the title page and the contents, with the number of each page's first sheet."""
    logo = (ROOT / config["html"]["logo"]).read_text(encoding="utf-8")
    title, author = html.escape(config["title"]), html.escape(config["author"])
    lines, first = [], 1
    for page in pages:
        link = f'<a href="{INSIDE}{page.name}'
        lines.append(f'<li>{link}">{html.escape(page.title)}</a><span></span>{first}</li>')
        lines += (
            f'<li class="below">{link}#{html.escape(ident)}">{html.escape(section)}</a>'
            f"<span></span>{first + at}</li>"
            for ident, section, at in page.sections
        )
        first += page.n_sheets
    tab.goto("about:blank")
    tab.set_content(
        f'<html lang="en"><head><title>{title}</title></head><body>'
        f'<div class="paper-title">{logo}<h1>{title}</h1>'
        f"<p>{author}, {config['copyright']}</p></div>"
        f'<h1>Contents</h1><ul class="paper-contents">{"".join(lines)}</ul></body></html>'
    )
    return sheets(tab, "Contents", 1, "lower-roman")[0]


def book(chromium, site, names, address=""):
    """Print pages of the book behind a title page and contents; returns one PDF, and its pages."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    tab = chromium.new_page(viewport={"width": WIDTH, "height": 900}, color_scheme="light")
    tab.emulate_media(media="print")
    pages, first = [], 1
    links = linked_ids(names)
    for name in names:
        pages.append(print_page(tab, site, name, first, address, links))
        first += pages[-1].n_sheets
    head = front(tab, pages, config)
    tab.close()
    writer = join([("", head), *((page.name, page.content) for page in pages)])
    writer.add_metadata({"/Title": config["title"], "/Author": config["author"]})
    writer.compress_identical_objects()
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue(), pages


def join(parts):
    """One PDF of several, given with their names, in which links from one to another work.

    Raises
    ------
    KeyError
        If a link leads nowhere.
    """
    writer, places, spans = PdfWriter(), {}, []
    for name, content in parts:
        reader, first = PdfReader(io.BytesIO(content)), len(writer.pages)
        writer.append(reader, import_outline=bool(name))
        places[name, ""] = first, NullObject()
        for ident, (sheet, top) in _places(reader).items():
            places[name, ident] = first + sheet, top
        spans.append((name, range(first, len(writer.pages))))
    for name, span in spans:
        for note in (note for at in span for note in writer.pages[at].get("/Annots", ())):
            link = note.get_object()
            target = _target(link, name)
            if target is None:
                continue
            sheet, top = places[target]
            reference = writer.pages[sheet].indirect_reference
            place = [reference, NameObject("/XYZ"), NullObject(), top, NullObject()]
            link[NameObject("/Dest")] = ArrayObject(place)
            link.pop("/A", None)
    writer.root_object.pop("/Dests", None)  # the names of one page would hide those of another
    writer.root_object.pop("/Names", None)
    return writer


def _places(reader):
    """By id, the sheet of a place, counted from 0, and how high it is there."""
    return {
        unquote(ident.removeprefix("/")): (
            reader.get_destination_page_number(place), place.get("/Top", NullObject()),
        )
        for ident, place in reader.named_destinations.items()
    }  # fmt: skip


def _target(link, name):
    """The page and id to which an annotation of page `name` leads; None if it leads elsewhere."""
    action = link.get("/A", {})
    if address := action.get("/URI"):
        page, _, ident = address.removeprefix(INSIDE).partition("#")
        return (page, unquote(ident)) if address.startswith(INSIDE) else None
    place = link.get("/Dest") or action.get("/D")
    return None if place is None else (name, unquote(str(place).removeprefix("/")))


def main():
    """Write the PDF, and say how large it is."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    address = config["html"]["baseurl"]
    with served(SITE) as site, launched() as chromium:
        content, pages = book(chromium, site, sys.argv[1:] or order(), address)
    if len(content) > MOST_BYTES:
        sys.exit(f"the PDF has {len(content):,} bytes, {MOST_BYTES:,} at most are meant")
    write_whole(TARGET, lambda file: file.write(content))
    n_sheets = sum(page.n_sheets for page in pages)
    print(f"{TARGET.relative_to(ROOT)}: {n_sheets} sheets, {len(content) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
