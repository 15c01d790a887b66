"""What a page asks of its reader: ``python -m book.tools.weight`` prints it for all notebooks.

Words are those that show when the page is opened: paragraphs, captions, questions, tables; not
code, formulas, folds and answers. With ``--pixels`` a headless Chromium measures heights at 1280
and 390 pixels, questions open.
"""

import argparse
import re
import sys
from pathlib import Path
from typing import NamedTuple

from bs4 import BeautifulSoup

BOOK = Path(__file__).parents[2] / "_build" / "html" / "book"
UNSEEN = (
    "script, style, svg, pre, button, details, select, output, .math, .headerlink, .cell_input, "
    ".dropdown, .toggle, .ask-score-box, .board-data"
)
WIDTHS = (1280, 390)


class Weight(NamedTuple):
    """What one page weighs."""

    words: int
    bytes: int  #: with its pictures, frames and recorded runs
    figures: int  #: pictures and boards
    live: int  #: of these, boards: they are played with Python
    questions: int
    cells: int  #: to change, exercises not counted
    exercises: int
    tables: int
    bars: int  #: folds of code that pictures, questions and tables are made with


LESSON = Weight(
    words=4_200, bytes=3_000_000, figures=10, live=10, questions=10, cells=6, exercises=0,
    tables=5, bars=sys.maxsize,
)  # fmt: skip
LESSON_PIXELS = 24_000  # at 1280
FEWEST_LIVE = 4


def weight_of(page):
    """The weight of one built page.

    Parameters
    ----------
    page : Path
    """
    content = page.read_bytes()
    beside = set(re.findall(rb"_static/beside/([\w.]+)", content))
    files = [page, *(page.parents[1] / "_static" / "beside" / name.decode() for name in beside)]
    article = BeautifulSoup(content, "html.parser").select_one("article")

    def count(selector):
        return len(article.select(selector))

    n_exercises = count("div.try[data-exercise]")
    counts = {
        "figures": count("figure.explorable") + count("figure.board"),
        "live": count("figure.board"),
        "questions": count("form.ask"),
        "cells": count("div.try") - n_exercises,
        "exercises": n_exercises,
        "tables": count("table"),
        "bars": count(".tag_hide-input details.hide"),
    }
    for part in article.select(UNSEEN):
        part.decompose()
    n_bytes = sum(file.stat().st_size for file in files)
    return Weight(words=len(article.get_text(" ").split()), bytes=n_bytes, **counts)


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
    titles = [*Weight._fields, *(f"px {width}" for width in WIDTHS if options.pixels)]
    print(f"{'':18}" + "".join(f"{title:>11}" for title in titles))
    for page in pages:
        print(f"{page.stem:18}" + "".join(f"{n:11,}" for n in (*weight_of(page), *tall[page])))


if __name__ == "__main__":
    main()
