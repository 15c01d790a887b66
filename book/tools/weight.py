"""What a page asks of its reader: ``python -m book.tools.weight`` prints it for all notebooks.

Words are those that show when the page is opened: paragraphs, captions, questions, tables; not
code, formulas, folds and answers. A lesson has a second line for its first half, which ends with
the section "Half-way". With ``--pixels`` a headless Chromium measures heights at 1280 and 390
pixels, questions open.
"""

import argparse
import re
from pathlib import Path
from typing import NamedTuple

from bs4 import BeautifulSoup

BOOK = Path(__file__).parents[2] / "_build" / "html" / "book"
CODE = "script, style, svg, pre, button, select, .math, .headerlink, .cell_input, .board-data"
FOLDED = "details, output, .dropdown, .toggle, .ask-score-box"
WIDTHS = (1280, 390)
HALF_WAY = re.compile("Half-way")

WORDS_PER_MINUTE, MINUTES_PER_THING, MINUTES_PER_GAME = 200, 1.5, 5
# In which half of a lesson a game is played to its end.
PLAYED_IN = {"nrpa": 1, "hanabi": 2, "btmm": 2, "together": 2}


class Weight(NamedTuple):
    """What one page, or its first half, weighs."""

    minutes: float
    words: int
    unfolded: int  #: words with folds and answers open
    things: int  #: to touch: figures, boards, cells to change, questions
    live: int  #: of these, boards: they are played with Python
    exercises: int
    tables: int


#: What the first half of a lesson and the whole may weigh.
FIRST_HALF = Weight(30, 1_900, 3_040, 11, 11, 0, 1)
LESSON = Weight(55, 3_600, 5_760, 22, 22, 0, 2)
LESSON_PIXELS = 20_000  # at 1280
LESSON_BYTES = 3_000_000
FEWEST_LIVE = 4


def bytes_of(page):
    """Bytes of one built page with its pictures, frames and recorded runs."""
    content = page.read_bytes()
    beside = set(re.findall(rb"_static/beside/([\w.]+)", content))
    files = [page, *(page.parents[1] / "_static" / "beside" / name.decode() for name in beside)]
    return sum(file.stat().st_size for file in files)


def weight_of(page, first_half=False):
    """The weight of one built page.

    Parameters
    ----------
    page : Path
    first_half : bool
        Whether to weigh what comes before the end of the section "Half-way" alone.

    Raises
    ------
    ValueError
        If a first half is asked for, and the page has no such section.
    """
    article = BeautifulSoup(page.read_bytes(), "html.parser").select_one("article")
    if first_half:
        _cut(article, page)

    def count(selector):
        return len(article.select(selector))

    n_exercises, live = count("div.try[data-exercise]"), count("figure.board")
    cells = count("div.try") - n_exercises
    things = live + count("figure.explorable") + count("form.ask") + cells
    tables, words = count("table"), []
    for unseen in (CODE, FOLDED):
        for part in article.select(unseen):
            part.decompose()
        words.append(len(article.get_text(" ").split()))
    unfolded, shown = words
    minutes = shown / WORDS_PER_MINUTE + things * MINUTES_PER_THING
    if PLAYED_IN.get(page.stem, 3) <= (1 if first_half else 2):
        minutes += MINUTES_PER_GAME
    return Weight(minutes, shown, unfolded, things, live, n_exercises, tables)


def _cut(article, page):
    """Take all that follows the section "Half-way" out of an article."""
    headings = [h for h in article.select("h2, h3") if HALF_WAY.search(h.get_text())]
    if not headings:
        raise ValueError(f'{page.name} has no section whose heading begins with "Half-way"')
    here = headings[0].find_parent("section")
    while here is not article:
        for later in list(here.next_siblings):
            later.extract()
        here = here.parent


def heights(browser, pages):
    """Heights of pages in pixels at `WIDTHS`, as a reader opens them first.

    Parameters
    ----------
    browser : Playwright's
    pages : list of Path

    Returns
    -------
    dict of Path to list of int
    """
    found = {page: [] for page in pages}
    for page in pages:
        for width in WIDTHS:
            tab = browser.new_page(viewport={"width": width, "height": 900})
            tab.goto(page.as_uri())
            tab.evaluate("document.fonts.ready")
            article = "document.querySelector('article').scrollHeight"
            found[page].append(tab.evaluate(article))
            tab.close()
    return found


def main():
    """Print a line for every page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", help="such as hanabi; all notebooks if none is named")
    parser.add_argument("--pixels", action="store_true", help="measure heights as well")
    options = parser.parse_args()
    sources = Path(__file__).parents[1].glob("*.ipynb")
    names = options.pages or sorted(path.stem for path in sources)
    pages = [BOOK / f"{name}.html" for name in names]
    tall = {page: [] for page in pages}
    if options.pixels:
        from tests.support.chromium import launched

        with launched() as browser:
            tall = heights(browser, pages)
    titles = [*Weight._fields, "bytes", *(f"px {width}" for width in WIDTHS if options.pixels)]
    print(f"{'':18}" + "".join(f"{title:>11}" for title in titles))
    for page in pages:
        rest = (bytes_of(page), *tall[page])
        print(f"{page.stem:18}" + "".join(f"{n:11,.0f}" for n in (*weight_of(page), *rest)))
        if (page.parent / f"{page.stem}_workshop.html").exists():
            first = weight_of(page, first_half=True)
            print(f"{'  first half':18}" + "".join(f"{n:11,.0f}" for n in first))


if __name__ == "__main__":
    main()
