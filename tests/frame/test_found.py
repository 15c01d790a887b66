"""What a page says of itself to search engines and messengers, in a small book of its own."""

import json
import re

import pytest
from bs4 import BeautifulSoup
from sphinx.application import Sphinx

ADDRESS = "https://example.org/touch/"
TEXT = "Random games that learn\n=======================\n\nBelow are 81 blocks; {more}.\n"
CONF = (
    "extensions = ['touchbook.page.found']\nhtml_title = 'Touch'\nauthor = 'We'\n"
    "preview_picture = 'seen.png'\nhtml_baseurl = {address!r}\n"
)


@pytest.fixture(params=["", ADDRESS], ids=["without an address", "with one"])
def site(request, tmp_path):
    """The built page as a tree, its folder, and the address that it was given."""
    long = 'a "group" of them brings points & more <b> ' * 9
    (tmp_path / "index.rst").write_text(TEXT.format(more=long), encoding="utf-8")
    (tmp_path / "conf.py").write_text(CONF.format(address=request.param), encoding="utf-8")
    (tmp_path / "seen.png").write_bytes(b"\x89PNG")
    out = tmp_path / "html"
    app = Sphinx(tmp_path, tmp_path, out, tmp_path / "trees", "html", status=None, warning=None)
    app.build()
    return BeautifulSoup((out / "index.html").read_bytes(), "html.parser"), out, request.param


def test_a_page_is_described_and_a_sitemap_names_it_once_the_address_is_known(site):
    page, out, address = site
    about = page.find("meta", {"name": "description"})["content"]
    assert about.startswith("Below are 81 blocks; a “group” of them brings points & more <b>")
    assert about.endswith(" …")
    assert len(about) <= 202
    data = json.loads(page.find("script", type="application/ld+json").string)
    assert (data["name"], data["description"]) == ("Random games that learn", about)
    tags = {tag["property"]: tag["content"] for tag in page.find_all("meta", property=True)}
    assert tags["og:title"] == data["name"]
    assert tags.get("og:url") == data.get("url") == (f"{address}index.html" if address else None)
    assert ("og:image" in tags) == bool(address)
    assert (out / "sitemap.xml").exists() == bool(address)
    if address:
        found = re.findall("<loc>(.*?)</loc>", (out / "sitemap.xml").read_text("utf-8"))
        assert found == [f"{address}index.html"]
        assert f"{address}sitemap.xml" in (out / "robots.txt").read_text("utf-8")
        assert (out / "_static" / "seen.png").exists()
