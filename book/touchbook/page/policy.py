"""The content security policy of each built page: what it may run, show and ask for.

Part of `touchbook.page.sphinxext`. A page runs scripts of its own site, and of what stands in it
only those whose hashes it names: a text that gets into a page by a mistake of ours runs nothing.
The policy stands in the page itself, and so holds on every server, and for pages from a folder.
"""

import base64
import hashlib
import html
import re
from collections.abc import Iterable
from pathlib import Path

_CHARSET = '<meta charset="utf-8" />'
_META = '<meta http-equiv="Content-Security-Policy" content="{}" />'
_OLD = re.compile(r"\n\s*" + re.escape(_META).replace(r"\{\}", '[^"]*'))
_SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script>", re.DOTALL)
_HANDLER = re.compile(r'\son[a-z]+="([^"]*)"')
# Styles stand in attributes of what the theme and the boards draw, and cannot run anything. What is
# not named here is a page of the book that a browser fetches beforehand, as Firefox does.
_POLICY = (
    "default-src 'self'; object-src 'none'; frame-src 'none'; worker-src 'self'; "
    "script-src 'self' 'unsafe-hashes' {}; connect-src 'self'; font-src 'self' data:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; base-uri 'none'; "
    "form-action 'none'"
)


def setup(app):
    """Register with Sphinx."""
    app.connect("build-finished", _write, priority=950)  # after all that changes pages


def _write(app, error):
    if error is not None or app.builder.format != "html":
        return
    pages = {path: path.read_text(encoding="utf-8") for path in Path(app.outdir).rglob("*.html")}
    # The page of the search looks into all others.
    handlers = {text for page in pages.values() for text in handlers_of(page)}
    for path, page in pages.items():
        if (restricted := restrict(page, handlers)) != page:
            path.write_text(restricted, encoding="utf-8")


def handlers_of(page: str) -> list[str]:
    """What the attributes of a page run, such as that of a button of the theme."""
    return [html.unescape(text) for text in _HANDLER.findall(_SCRIPT.sub("", page))]


def restrict(page: str, handlers: Iterable[str]) -> str:
    """A page with its policy, in the place of an older one; what is no page stays as it is."""
    page = _OLD.sub("", page)
    scripts = (text for about, text in _SCRIPT.findall(page) if _runs(about))
    hashes = " ".join(sorted({_hash_of(text) for text in (*scripts, *handlers)}))
    meta = _META.format(_POLICY.format(hashes))
    return page.replace(_CHARSET, f"{_CHARSET}\n    {meta}", 1)


def _runs(about):
    """Whether a script stands in the page and is no data."""
    return "src=" not in about and "json" not in about


def _hash_of(text):
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
