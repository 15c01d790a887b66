"""The built book as one zip that opens from a folder: ``python -m book.tools.zipped``.

Whoever unpacks it opens ``index.html``: text, figures, questions and recorded boards need nothing
else. Python runs in pages that are served only, which ``python3 read.py`` beside it does.
"""

import io
import zipfile
from pathlib import Path

from gameai_lib.base.files import write_whole

ROOT = Path(__file__).parents[2]
SITE = ROOT / "_build" / "html"
NAME = "game-ai-you-can-touch"
TARGET = ROOT / "_build" / f"{NAME}.zip"
PACKED = {".whl", ".webp", ".png", ".woff2", ".woff", ".zip"}  # would not become smaller
READ = '''\
"""Read the book with Python in its pages: ``python3 read.py``."""

import functools
import http.server
import pathlib
import webbrowser

folder = pathlib.Path(__file__).parent
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
    address = f"http://127.0.0.1:{server.server_port}/"
    print(f"The book is at {address} until you press control-C.", flush=True)
    webbrowser.open_new_tab(address)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
'''


def zip_site(site=SITE):
    """The pages of `site` and what they need, as the bytes of a zip."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{NAME}/read.py", READ)
        for path in sorted(path for path in site.rglob("*") if path.is_file()):
            kind = zipfile.ZIP_STORED if path.suffix in PACKED else None
            archive.write(path, f"{NAME}/{path.relative_to(site).as_posix()}", kind)
    return buffer.getvalue()


if __name__ == "__main__":
    content = zip_site()
    write_whole(TARGET, lambda file: file.write(content))
    print(f"{TARGET.relative_to(ROOT)}: {len(content) / 1e6:.1f} MB; unpack it, open index.html")
