"""What search engines and messengers are told of a page: description, picture, structured data.

The address of the built book is `html_baseurl`; without one there is neither a sitemap nor a
picture, whose addresses would have to be whole.
"""

import json
import re
from datetime import UTC, datetime
from html import escape, unescape
from pathlib import Path

from docutils import nodes

MOST_LETTERS = 200  # of a description; search engines cut what is longer


def setup(app):
    """Register with Sphinx."""
    app.add_config_value("preview_picture", "", "html")
    app.connect("html-page-context", describe)
    app.connect("build-finished", write_sitemap)


def describe(app, pagename, _template, context, doctree):
    """Add the tags of one page to its head."""
    about = description(doctree)
    if not about:
        return
    site, title = app.config.html_title, plain(context["title"])
    address = context.get("pageurl") or ""
    data = {
        "@context": "https://schema.org",
        "@type": "LearningResource",
        "name": title,
        "description": about,
        "inLanguage": "en",
        "isAccessibleForFree": True,
        "isPartOf": {"@type": "Book", "name": site, "author": app.config.author},
    }
    tags = {"og:type": "article", "og:site_name": site, "og:title": title, "og:description": about}
    if address:
        data["url"] = tags["og:url"] = address
        if app.config.preview_picture:
            tags["og:image"] = f"{app.config.html_baseurl.rstrip('/')}/_static/{_picture(app).name}"
    lines = [f'<meta name="description" content="{escape(about)}">']
    lines += (f'<meta property="{key}" content="{escape(text)}">' for key, text in tags.items())
    written = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    lines.append(f'<script type="application/ld+json">{written}</script>')
    context["metatags"] = context.get("metatags", "") + "\n".join(lines)


def description(doctree):
    """The first sentences of a page, up to `MOST_LETTERS`; nothing for a page without text."""
    if doctree is None:
        return ""
    for paragraph in doctree.findall(nodes.paragraph):
        words = " ".join(paragraph.astext().split())
        if len(words) > 40 and isinstance(paragraph.parent, nodes.section):
            kept = words[:MOST_LETTERS]
            return kept if kept == words else kept.rpartition(" ")[0] + " …"
    return ""


def plain(title):
    """A page's title without markup."""
    return unescape(re.sub("<[^>]+>", "", title)).strip()


def _picture(app):
    return Path(app.srcdir) / app.config.preview_picture


def write_sitemap(app, error):
    """Write the addresses of all pages, and the picture beside them."""
    if error or not app.config.html_baseurl or app.builder.name != "html":
        return
    base, today = app.config.html_baseurl.rstrip("/"), datetime.now(UTC).date()
    entries = "".join(
        f"<url><loc>{escape(base)}/{app.builder.get_target_uri(name)}</loc>"
        f"<lastmod>{today}</lastmod></url>"
        for name in sorted(app.env.found_docs)
    )
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    folder = Path(app.outdir)
    text = f'{head}<urlset xmlns="{space}">{entries}</urlset>\n'
    (folder / "sitemap.xml").write_text(text, encoding="utf-8")
    (folder / "robots.txt").write_text(
        f"User-agent: *\nAllow: /\nSitemap: {base}/sitemap.xml\n", encoding="utf-8"
    )
    if app.config.preview_picture:
        target = folder / "_static" / _picture(app).name
        target.write_bytes(_picture(app).read_bytes())
