"""Fail unless every page named in the table of contents exists as HTML.

Run after a build: ``python -m tests.support.built_pages``.
"""

import os
import sys
from pathlib import Path

from book.tools.chapters import ROOT, named_pages

SITE = Path(os.environ.get("SITE") or ROOT / "_build" / "html")  # another build: `make future`


def missing_pages(site=SITE):
    """Those that are not in the built `site`."""
    return [page for page in named_pages() if not (site / f"{page}.html").is_file()]


if __name__ == "__main__":
    if missing_pages():
        sys.exit(f"pages that were not built: {missing_pages()}")
