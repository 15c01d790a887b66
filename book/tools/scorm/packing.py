"""The package of one chapter: its two pages, what they need, and the manifest that lists all of it.

Learning platforms play each page as a unit of its own, with its own score, because a lesson and
its workshop are set at different times: one in class, the other at home.
"""

import io
import zipfile
from pathlib import Path

from book.tools.chapters import ROOT
from book.tools.scorm.manifest import manifest
from book.tools.scorm.needs import needs
from book.tools.scorm.page import SCRIPT, pack_page, title
from book.tools.zipped import PACKED

SITE = ROOT / "_build" / "html"
TARGET = ROOT / "_build" / "scorm"
HERE = Path(__file__).parent
WORKER = "_static/worker.js"


def contents(chapter, site=SITE):
    """The files of a chapter's package: what they hold, by their names.

    Parameters
    ----------
    chapter : str
    site : Path
        Of the built book.
    """
    names = [f"book/{chapter}.html", f"book/{chapter}_workshop.html"]
    pages = {name: pack_page((site / name).read_bytes(), name, names) for name in names}
    needed = {need for name, page in pages.items() for need in needs(page, name, site)}
    files = {name: (site / name).read_bytes() for name in sorted(needed)}
    files = served_anywhere(files | {SCRIPT: (HERE / "scorm.js").read_bytes()})
    titles = {name: title(page) for name, page in pages.items()}
    return {
        "imsmanifest.xml": manifest(chapter, titles, files).encode(),
        **{name: str(page).encode() for name, page in pages.items()},
        **files,
    }


def served_anywhere(files):
    """The same files, so that their Python runs where a server does not know the kind of each.

    Moodle, for one, knows neither ``.mjs`` nor ``.wasm``: a browser takes the first for no module,
    and does not compile the second while it arrives.
    """
    if not any(name.endswith(".mjs") for name in files):
        return files  # Python comes from its public address
    files = files | {WORKER: (HERE / "wasm.js").read_bytes() + files[WORKER]}
    for name in [name for name in files if name == WORKER or name.endswith(".mjs")]:
        files[name.replace(".mjs", ".js")] = files.pop(name).replace(b".mjs", b".js")
    return files


def zip_files(files):
    """Files, by their names, as the bytes of a zip."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            kind = zipfile.ZIP_STORED if Path(name).suffix in PACKED else zipfile.ZIP_DEFLATED
            archive.writestr(name, content, kind)
    return buffer.getvalue()
