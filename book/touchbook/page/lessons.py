"""What the first page says of the lessons: titles, and what can be answered, touched and passed.

A lesson is a page with a place whose name ends on ``half-way``, which divides it into its halves.
Its exercises stand in its workshop, the page of its name and ``_workshop``.
"""

import json
import re
from pathlib import Path

from touchbook.page.found import plain

_HALF_WAY = re.compile(r'id="[\w-]*half-way"')
_ASKED = re.compile(r'<form class="ask" id="ask-([\w-]+)"')
_TOUCHED = re.compile(r'<figure class="board" id="board-([\w-]+)"')
_EXERCISE = re.compile(r'<div class="try" id="try-([\w-]+)" data-exercise=')


def setup(app):
    """Register with Sphinx."""
    app.touchbook_pages = {}
    app.connect("html-page-context", _note)
    app.connect("build-finished", _write)


def _note(app, pagename, _template, context, _doctree):
    if "body" in context:
        app.touchbook_pages[pagename] = plain(context["title"]), context["body"]


def lessons_of(pages):
    """The lessons among pages, {name: (title, body)}, as ``page/progress.js`` reads them."""
    for name, (title, body) in pages.items():
        if not (place := _HALF_WAY.search(body)):
            continue
        # The summary's own questions belong to the first half, up to the heading after it.
        own = body.find("<h2", place.start())
        middle = body.find("<h2", own + 1)
        halves = (body, "") if middle < 0 else (body[:middle], body[middle:])
        _, workshop = pages.get(f"{name}_workshop", ("", ""))
        page = name.rpartition("/")[2]
        yield {
            "page": page,
            "title": title,
            "halves": [
                {"asked": _ASKED.findall(half), "touched": _TOUCHED.findall(half)}
                for half in halves
            ],
            "exercises": {"page": f"{page}_workshop", "names": _EXERCISE.findall(workshop)},
        }


def _write(app, error):
    if error is None:
        text = json.dumps([*lessons_of(app.touchbook_pages)], ensure_ascii=False)
        path = Path(app.outdir) / "_static" / "lessons.js"
        path.write_text(f"document.currentScript.carried = {text};\n", encoding="utf-8")
