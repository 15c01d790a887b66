"""What is put beside a page comes back as it was, and the page is what it was without it."""

import base64
import json
import re
from types import SimpleNamespace

from touchbook.page.beside import put_beside

PICTURE = b"webp" * 40
DATA = {"pictures": ["data:image/webp;base64,AAAA"] * 99, "frames": [[0, "a < b, \u20ac"]]}


def body_of(data):
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    source = f"data:image/webp;base64,{base64.b64encode(PICTURE).decode()}"
    return (
        f'<figure><img alt="x" src="{source}"><script type="application/json">{text}</script>'
        '<script type="application/json" class="board-data">{"name": "a"}</script></figure>'
        f'<div class="try"><script type="application/json" class="try-data">{text}</script></div>'
    )


def test_heavy_parts_become_files_once(tmp_path):
    app = SimpleNamespace(outdir=tmp_path)
    put_beside(app, "search", "search.html", {}, None)  # a page without a body is left alone
    context = {"body": 2 * body_of(DATA), "pathto": lambda name, _resource: f"../{name}"}
    put_beside(app, "book/page", "page.html", context, None)
    body = context["body"]
    # What a cell or a board needs to begin stays.
    assert body.count('class="board-data">{"name": "a"}</script>') == 2
    assert body.count('class="try-data">{"pictures"') == 2
    scripts = re.findall(r'<script type="application/json" data-beside="\.\./([^"]+)"></', body)
    pictures = re.findall(r'<img alt="x" loading="lazy" src="\.\./([^"]+)">', body)
    assert len(scripts) == len(pictures) == 2
    assert {path.name for path in (tmp_path / "_static" / "beside").iterdir()} == {
        name.rpartition("/")[2] for name in scripts + pictures
    }
    assert (tmp_path / pictures[0]).read_bytes() == PICTURE
    text = (tmp_path / scripts[0]).read_text(encoding="utf-8")
    start, _, data = text.partition(" = ")
    assert start == "document.currentScript.carried"
    assert json.loads(data.rstrip(";\n")) == DATA
