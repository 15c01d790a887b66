"""A page of the built book by itself: nothing in it leads to what its package does not have."""

from urllib.parse import urldefrag, urljoin

from bs4 import BeautifulSoup

SCRIPT = "_static/scorm.js"
# The theme's ways to other pages, and to the search and the sources of the book; and of its two
# buttons for the page's contents the one that nobody sees: its script heeds the first alone.
WAYS = """#pst-primary-sidebar, #pst-primary-sidebar-modal, .primary-toggle, #pst-search-dialog,
#pst-header .secondary-toggle,
.search-button, .search-button__button, .prev-next-footer, .prev-next-area, #searchbox,
li:has(> .btn-download-source-button), script[src*=searchtools], script[src*=language_data],
script[src*=searchindex], link:is([rel=prev], [rel=next], [rel=index], [rel=search],
[rel=section])"""


def title(page):
    """The title of a page, without that of the book."""
    return page.title.get_text().rpartition(" — ")[0].strip()


def pack_page(html, name, names):
    """A built page as its package has it, a ``bs4.BeautifulSoup``.

    Parameters
    ----------
    html : bytes
    name : str
        Of the page in the built book, such as ``"book/hanabi.html"``.
    names : list of str
        Of all pages of the package.
    """
    page = BeautifulSoup(html, "html.parser")
    for way in page.select(WAYS):
        way.decompose()
    canonical = page.select_one("link[rel=canonical]")
    book = canonical["href"].removesuffix(name) if canonical else ""
    for link in page.select("a[href]"):
        settle(link, name, names, book)
    # Both are deferred: this one runs first, so that the page finds what it has restored.
    touch = page.select_one("script[data-storage]")
    touch.insert_before(page.new_tag("script", defer="", src=f"../{SCRIPT}"))
    return page


def settle(link, name, names, book):
    """Let a link lead somewhere, or leave its words alone.

    A platform plays one page at a time, and counts what happens in its window for that page. So
    another page opens in a window of its own, which cannot find the platform.

    Parameters
    ----------
    link : bs4.Tag
    name : str
        Of the page that it stands in.
    names : list of str
        Of all pages of the package.
    book : str
        The public address of the book; nothing while there is none.
    """
    address = link["href"]
    target, fragment = urldefrag(urljoin(name, address))
    if address.startswith("#") or target == name:
        link["href"] = f"#{fragment}"
        return
    is_inside = ":" not in target and target not in names
    if is_inside and not book:
        link.unwrap()
        return
    link["href"] = f"{book}{target}#{fragment}".removesuffix("#") if is_inside else address
    link["target"], link["rel"] = "_blank", "noopener"
