"""Packages for a learning platform hold what their pages need, and lead to nothing else."""

import re
from urllib.parse import urldefrag, urljoin
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup

from book.tools.chapters import CHAPTERS
from book.tools.scorm.manifest import manifest
from book.tools.scorm.packing import contents
from book.tools.scorm.page import pack_page

PAGE = """<head><title>A</title>{canonical}<link rel="next" href="z.html">
<script data-storage="s" src="../_static/touch.js"></script></head>
<a href="hanabi_workshop.html#x">other</a>
<a href="glossary.html#bb">BB</a><a href="#here">here</a><a href="https://b.invalid/">b</a>"""
CP = "{http://www.imsproject.org/xsd/imscp_rootv1p1p2}"
ADLCP = "{http://www.adlnet.org/xsd/adlcp_rootv1p2}"


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


@pytest.mark.parametrize("public", ["", "https://book.invalid/"])
def test_links_out_of_a_package_lead_to_the_public_address_if_there_is_one(public):
    canonical = f'<link rel="canonical" href="{public}book/hanabi.html">' if public else ""
    names = ["book/hanabi.html", "book/hanabi_workshop.html"]
    page = pack_page(PAGE.format(canonical=canonical).encode(), names[0], names)
    links = [(link.text, link["href"], link.get("target")) for link in page.select("a")]
    glossary = [("BB", f"{public}book/glossary.html#bb", "_blank")] if public else []
    assert links == [
        ("other", "hanabi_workshop.html#x", "_blank"), *glossary, ("here", "#here", None),
        ("b", "https://b.invalid/", "_blank"),
    ]  # fmt: skip
    assert "BB" in page.text
    assert page.select_one("link[rel=next]") is None
    assert [one["src"][11:] for one in page.select("head script")] == ["scorm.js", "touch.js"]


def test_titles_are_text():
    files = {"book/a.html": b"", "book/b.html": b""}
    titles = {"book/a.html": "A&B", "book/b.html": "<W>"}
    files["imsmanifest.xml"] = manifest("a", titles, []).encode()
    assert check_manifest(files) == ["A&B", "<W>"]


@pytest.mark.usefixtures("built_site")
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_packages_of_the_book_are_whole(chapter):
    files = contents(chapter)
    assert len(check_manifest(files)) == 2
    check_links(files)
    assert not [name for name in files if name.endswith(("searchindex.js", ".map", ".mjs"))]
    texts = b"".join(content for name, content in files.items() if not name.endswith(".xml"))
    for name in files:  # all is named by something else
        if "/pyodide/" not in name and not name.endswith((".xml", ".html", ".LICENSE.txt")):
            assert name.rpartition("/")[2].encode() in texts, name
