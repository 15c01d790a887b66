"""What a page carries is put beside it, so that its text is there first, on any line.

Frames of figures, recorded runs of boards and other numbers of questions become scripts, which a
page can load from a folder, too; pictures become files that a browser loads as they come near.
`beside.js` fetches them.
"""

import base64
import hashlib
import json
import re
from pathlib import Path

# Frames have no class. Python writes "<" in these scripts as \u003c.
_CARRIED = re.compile(
    r'<script type="application/json"( class="(?:board-recorded|ask-variants)")?>([^<]+)<'
)
_PICTURE = re.compile(r'src="data:image/(\w+);base64,([^"]+)"')


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", put_beside)


def put_beside(app, _pagename, _template, context, _doctree):
    """Take the heavy parts out of the body of one page."""

    def write_beside(content, kind):
        name = f"{hashlib.sha256(content).hexdigest()[:16]}.{kind}"
        path = Path(app.outdir) / "_static" / "beside" / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return context["pathto"](f"_static/beside/{name}", 1)

    def script(found):
        kind, data = found.groups("")
        text = f"document.currentScript.carried = {_short(data)};\n"
        address = write_beside(text.encode(), "js")
        return f'<script type="application/json"{kind} data-beside="{address}"><'

    def picture(found):
        kind, data = found.groups()
        return f'loading="lazy" src="{write_beside(base64.b64decode(data), kind)}"'

    if "body" in context:
        context["body"] = _PICTURE.sub(picture, _CARRIED.sub(script, context["body"]))


def _short(data):
    """The same JSON without spaces, and with each "<" as itself, which a file need not hide."""
    return json.dumps(json.loads(data), ensure_ascii=False, separators=(",", ":"))
