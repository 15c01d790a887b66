"""Slides of the lessons, made of their built pages: ``python -m book.tools.slides``.

Into `_build/html/slides`, beside the book: for each section its heading, the sentences that the
lesson has in bold and its first formula, then its questions, figures and boards, each with a link
that opens it in the lesson. reveal.js shows them; they ask no other host for anything.
"""

import json
import shutil
from pathlib import Path
from string import Template
from urllib.parse import quote

from bs4 import BeautifulSoup

from book.tools.chapters import CHAPTERS

BOOK = Path(__file__).parents[1]
SITE = BOOK.parent / "_build" / "html"
HERE = BOOK / "tools" / "slides"
REVEAL = HERE / "node_modules" / "reveal.js"  # `npm ci` puts it there
PARTS = ("LICENSE", "dist/reset.css", "dist/reveal.css", "dist/reveal.js", "dist/theme/white.css")
FONT = "dist/theme/fonts/source-sans-pro"
SHOWN = "form.ask, figure.explorable, figure.board"
ELSEWHERE = "details, table, aside, form, figure, .dropdown, .cell"
MOST_SENTENCES = 4


def slides(page):
    """The slides of a built page, as HTML.

    Parameters
    ----------
    page : Path
    """
    soup = BeautifulSoup(page.read_bytes(), "html.parser")
    lesson = soup.select_one("article section")
    for link in lesson.select("a.headerlink"):
        link.decompose()
    for link in lesson.select("a[href]"):
        href = link["href"]
        if "//" not in href:
            link["href"] = f"../book/{page.name if href.startswith('#') else ''}{href}"
    sections = [part.extract() for part in lesson.find_all("section", recursive=False)]
    stacks = [stack(part, page.name) for part in (lesson, *sections)]
    template = Template((HERE / "slides.html").read_text(encoding="utf-8"))
    return template.substitute(title=lesson.h1.get_text().strip(), slides="".join(stacks))


def stack(section, page):
    """A section, whose slides lie below each other; nothing if it has nothing to show."""
    heading = section.find(["h1", "h2"])
    sentences = [strong.decode_contents() for strong in section.select("p strong, li strong")
                 if says_something(strong)]  # fmt: skip
    formula = section.select_one("div.math[id^=equation-]")
    below = [slide_of(thing, page) for thing in section.select(SHOWN)]
    said = "".join(f"<p>{one[0].upper()}{one[1:]}</p>" for one in sentences[:MOST_SENTENCES])
    said += f"<div>{formula.decode_contents()}</div>" if formula else ""
    if not (said or below):
        return ""
    link = f'<a href="../book/{page}#{section["id"]}">{heading.decode_contents()}</a>'
    title = f"<{heading.name}>{link}</{heading.name}>"
    if said:
        below = [said, *below]
    parts = "".join(f"<section>{slide}</section>\n" for slide in [title + below[0], *below[1:]])
    return f"<section>{parts}</section>\n"


def says_something(strong):
    """Whether words in bold are a sentence of the text."""
    text = strong.get_text()
    is_text = not strong.find_parent(lambda parent: parent.css.match(ELSEWHERE))
    return is_text and text.endswith((".", "?", "!")) and len(text.split()) > 5


def slide_of(thing, page):
    """A question, a figure as it opens or a board as it opens, and a link to it."""
    ident = thing["id"]
    if thing.name == "form":
        title, choices = "Question", thing.select("input[type=radio] + span")
        offered = "".join(f"<li>{choice.decode_contents()}</li>" for choice in choices)
        body = f"<p>{thing.legend.decode_contents()}</p>" + f"<ul>{offered}</ul>" * bool(offered)
    elif "board" in thing["class"]:
        title, body = thing["aria-label"], f'<figure class="board">{thing.svg}</figure>'
    else:
        title, ident = thing.figcaption.strong.decode_contents(), ident + setting(thing)
        body = f"{thing.img}"
    return (
        f"<h3>{title}</h3>{body}"
        f'<p class="open"><a href="../book/{page}#{ident}">Open it in the lesson</a></p>'
    )


def setting(figure):
    """What a link to a figure's default ends with."""
    settings = []
    for control in figure.select("[data-name]"):
        texts = json.loads(control["data-texts"])
        chosen = [option.has_attr("selected") for option in control.select("option")]
        ticked = int(control.has_attr("checked"))
        if chosen:
            at = chosen.index(True) if True in chosen else 0
        else:
            at = int(control["value"]) if control.get("type") == "range" else ticked
        settings.append(f"{control['data-name']}={quote(texts[at])}")
    return "?" + "&amp;".join(settings) if settings else ""


def write(site=SITE, reveal=REVEAL):
    """Write the slides of all lessons beside the built book, and what shows them."""
    folder = site / "slides"
    shutil.rmtree(folder, ignore_errors=True)
    for part in PARTS:
        (folder / "reveal" / part).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(reveal / part, folder / "reveal" / part)
    shutil.copytree(reveal / FONT, folder / "reveal" / FONT)
    for name in CHAPTERS:
        html = slides(site / "book" / f"{name}.html")
        (folder / f"{name}.html").write_text(html, encoding="utf-8")


if __name__ == "__main__":
    write()
    print(f"Slides: {', '.join(f'{SITE}/slides/{name}.html' for name in CHAPTERS)}")
