"""Fail unless every page named in the table of contents exists as HTML.

Run after a build: ``python -m tests.support.built_pages``.
"""

import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
SITE = ROOT / "_build" / "html"


def named_pages():
    """Paths, without ending, of the pages in `_toc.yml`."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    chapters = [chapter for part in toc["parts"] for chapter in part["chapters"]]
    pages = [page for chapter in chapters for page in (chapter, *chapter.get("sections", ()))]
    return [toc["root"], *(page["file"] for page in pages)]


def missing_pages(site=SITE):
    """Those that are not in the built `site`."""
    return [page for page in named_pages() if not (site / f"{page}.html").is_file()]


if __name__ == "__main__":
    if missing_pages():
        sys.exit(f"pages that were not built: {missing_pages()}")
