"""Packages for a learning platform hold what their pages need, and lead to nothing else."""

import re
from urllib.parse import urldefrag, urljoin
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup

from book.tools.chapters import CHAPTERS
from book.tools.scorm.packing import contents

PAGE = """<head><title>{title} — Book</title>{canonical}<link rel="next" href="z.html">
<link rel="stylesheet" href="../_static/a.css?v=1"><script data-storage="s" defer
src="../_static/touch.js"></script></head><article id="here"><h1>{title}</h1>
<a href="{other}#x">other</a><a href="glossary.html#bb">BB</a><a href="#here">here</a><a href="https://b.invalid/">b</a>
<script data-beside="../_static/beside/{title}.js"></script></article>"""
CP = "{http://www.imsproject.org/xsd/imscp_rootv1p1p2}"
ADLCP = "{http://www.adlnet.org/xsd/adlcp_rootv1p2}"
# Of each page its title, and another one that it links to.
TITLES = {
    "hanabi": ("A&B", "hanabi_workshop"), "hanabi_workshop": ("W", "hanabi"),
    "glossary": ("G", "hanabi"),
}  # fmt: skip
FILES = {
    "a.css": '@import "c.css"', "c.css": "url(b.woff)", "b.woff": "", "touch.js": '"editor.js"',
    "editor.js": "", "other.js": "", "beside/A&B.js": "", "beside/W.js": "", "beside/G.js": "",
}  # fmt: skip


@pytest.fixture
def site(tmp_path):
    """A built book with one chapter and another page."""

    def write(canonical=""):
        files = {f"_static/{name}": text for name, text in FILES.items()}
        for name, (title, other) in TITLES.items():
            link = f'<link rel="canonical" href="{canonical}book/{name}.html">' if canonical else ""
            text = PAGE.format(title=title, other=f"{other}.html", canonical=link)
            files[f"book/{name}.html"] = text
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        return contents("hanabi", tmp_path)

    return write


def check_manifest(files):
    """What SCORM 1.2 asks of a manifest; returns the titles of its items."""
    root = ElementTree.fromstring(files["imsmanifest.xml"])
    every = [*root.iter()]
    assert root.tag == f"{CP}manifest"
    assert [one.tag for one in root] == [f"{CP}{one}" for one in
                                         ("metadata", "organizations", "resources")]  # fmt: skip
    assert [one.text for one in root[0]] == ["ADL SCORM", "1.2"]
    identifiers = [one.get("identifier") for one in every if one.get("identifier")]
    assert len(identifiers) == len({*identifiers})
    assert all(re.fullmatch(r"[A-Za-z_][\w.-]*", one) for one in identifiers)
    assert root[1].get("default") == root[1][0].get("identifier")
    resources = {one.get("identifier"): one for one in root[2]}
    items = [*root.iter(f"{CP}item")]
    for item in items:
        resource = resources[item.get("identifierref")]
        assert resource.get(f"{ADLCP}scormtype") == "sco"
        assert resource[0].get("href") == resource.get("href")
    assert all(one.get("identifierref") in resources for one in root.iter(f"{CP}dependency"))
    assert all(one.get("type") == "webcontent" for one in resources.values())
    listed = [one.get("href") for one in root.iter(f"{CP}file")]
    assert sorted(listed) == sorted({*files} - {"imsmanifest.xml"})
    return [item[0].text for item in items]


def check_links(files):
    """Every address in a page leads into the package or to another host."""
    for name in (name for name in files if name.endswith(".html")):
        soup = BeautifulSoup(files[name], "html.parser")
        for kind in ("href", "src", "data-beside", "action", "srcset", "poster"):
            for address in (one[kind] for one in soup.select(f"[{kind}]")):
                target, fragment = urldefrag(urljoin(name, address).partition("?")[0])
                assert target in files or ":" in target, (name, address)
                if address.startswith("#") and fragment:
                    assert soup.find(id=fragment) or "?" in address, (name, address)


def test_a_package_is_whole_and_holds_no_more(site):
    files = site()
    assert check_manifest(files) == ["A&B", "W"]
    check_links(files)
    assert sorted({*files} - {"imsmanifest.xml"}) == [
        "_static/a.css", "_static/b.woff", "_static/beside/A&B.js", "_static/beside/W.js",
        "_static/c.css", "_static/editor.js", "_static/scorm.js", "_static/touch.js",
        "book/hanabi.html", "book/hanabi_workshop.html",
    ]  # fmt: skip
    page = BeautifulSoup(files["book/hanabi.html"], "html.parser")
    assert [(link.text, link.get("target")) for link in page.select("a")] == [
        ("other", "_blank"), ("here", None), ("b", "_blank"),
    ]  # fmt: skip
    assert "BB" in page.article.text
    assert [one["src"][11:] for one in page.select("head script")] == ["scorm.js", "touch.js"]


def test_links_out_of_a_package_lead_to_the_public_address(site):
    files = site("https://book.invalid/")
    page = BeautifulSoup(files["book/hanabi.html"], "html.parser")
    links = [link["href"] for link in page.select("a")]
    assert "https://book.invalid/book/glossary.html#bb" in links
    assert "hanabi_workshop.html#x" in links


@pytest.mark.usefixtures("built_site")
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_packages_of_the_book_are_whole(chapter):
    files = contents(chapter)
    assert len(check_manifest(files)) == 2
    check_links(files)
    assert not [name for name in files if name.endswith(("searchindex.js", ".map", ".mjs"))]
