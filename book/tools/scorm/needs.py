"""Which files of the built book a page needs: what it names, and what these name in turn."""

import json
import re
from urllib.parse import urljoin, urlsplit

NAMING = ("src", "data-beside", "href")
IN_STYLE = re.compile(r"""(?:url\(|@import )["']?([^"')]+)""")
IN_SCRIPT = re.compile(r"""["'`]([\w-]+\.js)["'`]""")  # what lies beside a script


def needs(page, name, site):
    """The names of files that a page needs, without its own.

    Parameters
    ----------
    page : bs4.BeautifulSoup
    name : str
        Of the page in the built book, such as ``"book/hanabi.html"``.
    site : Path
        Of the built book.
    """
    found, waiting = set(), {*named_in_page(page, name, site)}
    while waiting:
        one = waiting.pop()
        if one not in found and (site / one).is_file() and not one.endswith(".html"):
            found.add(one)
            waiting |= {*named_in_file(one, site)}
    return found


def named_in_page(page, name, site):
    """Files that a page names in its head, its text, and as the place of its Python."""
    for kind in NAMING:
        yield from (path(name, one[kind]) for one in page.select(f"[{kind}]:not(a)"))
    python = page.select_one("script.page-python")
    if python:
        config = json.loads(python.string)
        yield path("_static/", config["packages"])
        folder = site / path("_static/", config["index"])
        yield from (one.relative_to(site).as_posix() for one in folder.glob("*"))


def named_in_file(name, site):
    """Files that a style or a script names, and the licence of a script."""
    kind = name.rpartition(".")[2]
    if kind in ("css", "js"):
        text = (site / name).read_text(encoding="utf-8")
        found = (IN_STYLE if kind == "css" else IN_SCRIPT).findall(text)
        yield from (path(name, address) for address in found)
        yield f"{name}.LICENSE.txt"


def path(name, address):
    """What an address in the file `name` leads to; nothing if that lies outside of the book."""
    parts = urlsplit(urljoin(name, address))
    return "" if parts.scheme or parts.netloc else parts.path
