"""The pages and the chapters of the book, as its table of contents lists them."""

from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]


def named_pages():
    """Paths, without ending, of the pages in `_toc.yml`."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    chapters = [chapter for part in toc["parts"] for chapter in part["chapters"]]
    pages = [page for chapter in chapters for page in (chapter, *chapter.get("sections", ()))]
    return [toc["root"], *(page["file"] for page in pages)]


#: Names of all pages, the first page first.
PAGES = tuple(Path(page).name for page in named_pages())
#: Names of the lessons that have a workshop, in their order.
CHAPTERS = tuple(name for name in PAGES if f"{name}_workshop" in PAGES)
