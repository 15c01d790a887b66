"""Python in the built page: which cells a reader can change, and where their Python comes from.

Part of `touchbook.page.sphinxext`. Pyodide and numpy are copied from the folder that the
environment variable ``PYODIDE`` names; without one, pages ask Pyodide's public address, and
only after their reader's click.
"""

import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from docutils import nodes
from sphinx.errors import ExtensionError

from touchbook.cell.needs import tries
from touchbook.script import data_element

VERSION = "314.0.7"  # of Pyodide: CPython 3.14
PUBLIC = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"
PUBLIC_BYTES = 16_000_000  # Pyodide and numpy
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip",
         "pyodide-lock.json")  # fmt: skip


class Python(NamedTuple):
    """Where a page finds its Python."""

    folder: Path | None  #: Pyodide's, of which this site gets a copy
    numpy: str  #: name of its wheel there, or of the package at the public address
    n_bytes: int

    def config(self, wheel):
        """What the page's script is told; addresses are relative to it."""
        address, place = "pyodide/", "this site"
        if self.folder is None:
            address, place = PUBLIC, PUBLIC.split("/")[2]
        n_bytes = self.n_bytes + wheel.stat().st_size
        numpy = address + self.numpy if self.folder else self.numpy
        return {
            "index": address,
            "numpy": numpy,
            "wheel": f"pyodide/{wheel.name}?{crc32(wheel.read_bytes()):08x}",
            "version": VERSION,
            "bytes": n_bytes,
            "cost": f"The first run loads Python from {place}: {n_bytes / 1e6:.0f} MB, once; "
            "it takes some seconds.",
        }


def find_python(folder):
    """The Python in a folder, or at the public address if `folder` is empty.

    Raises
    ------
    ExtensionError
        If something is missing there, or has another version; the message names it.
    """
    if not folder:
        return Python(None, "numpy", PUBLIC_BYTES)
    folder = Path(folder)
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise ExtensionError(f"PYODIDE={folder} holds no {', '.join(missing)}")
    if f'"{VERSION}"' not in (folder / "pyodide.mjs").read_text(encoding="utf-8"):
        raise ExtensionError(f"PYODIDE={folder} is not Pyodide {VERSION}, which this book needs")
    info = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    tag = "cp" + "".join(info["python"].split(".")[:2])
    wheels = sorted(folder.glob(f"numpy-*-{tag}-{tag}-*wasm32.whl"))
    if len(wheels) != 1:
        names = [wheel.name for wheel in wheels]
        raise ExtensionError(f"PYODIDE={folder} must hold one numpy for {tag}, holds {names}")
    n_bytes = sum((folder / name).stat().st_size for name in (*FILES, wheels[0].name))
    return Python(folder, wheels[0].name, n_bytes)


def build_wheel(root, folder):
    """Build the wheel of the checkout at `root` into `folder`; returns its path.

    Raises
    ------
    ExtensionError
        If it cannot be built.
    """
    with tempfile.TemporaryDirectory() as scratch:
        # In the checkout itself setuptools would mix in what an earlier build left.
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(root / name, scratch)
        without = shutil.ignore_patterns("__pycache__", "editor.js")
        shutil.copytree(root / "gameai_lib", Path(scratch, "gameai_lib"), ignore=without)
        pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
        command = [*pip, "--no-deps", "--no-build-isolation", "-w", folder, scratch]
        # The same bytes from the same files.
        made = subprocess.run(
            command, env=os.environ | {"SOURCE_DATE_EPOCH": "1577836800"}, capture_output=True
        )
    wheels = sorted(Path(folder).glob("gameai_lib-*.whl"))
    if made.returncode or len(wheels) != 1:
        raise ExtensionError(f"no wheel of {root}: {made.stderr.decode()[-500:]}")
    return wheels[0]


def setup(app):
    """Register with Sphinx."""
    app.connect("builder-inited", _prepare)
    app.connect("doctree-read", _mark_cells)
    app.connect("html-page-context", _name_python)
    app.connect("build-finished", _copy_python)


def _prepare(app):
    app.gameai_python = find_python(os.environ.get("PYODIDE"))
    app.gameai_scratch = tempfile.TemporaryDirectory()
    app.gameai_wheel = build_wheel(Path(app.srcdir), app.gameai_scratch.name)


def _copy_python(app, error):
    if error is None:
        target = Path(app.outdir) / "_static" / "pyodide"
        target.mkdir(parents=True, exist_ok=True)
        python = app.gameai_python
        for name in (*FILES, python.numpy) if python.folder else ():
            shutil.copyfile(python.folder / name, target / name)
        shutil.copy(app.gameai_wheel, target)
    app.gameai_scratch.cleanup()


def _mark_cells(app, doctree):
    """Put what the page's script needs around the cells that a reader can change."""
    path = Path(app.env.doc2path(app.env.docname))
    if path.suffix != ".ipynb":
        return
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    containers = {
        node["cell_index"]: node
        for node in doctree.findall(nodes.container)
        if "cell_index" in node
    }
    for one in tries(cells):
        container = containers[one.at]
        _wrap(container, one)
        if one.is_exercise:
            # What an unchanged starter and its check say is not for the page.
            for output in list(container.findall(_is_output)):
                output.parent.remove(output)
            check = containers[one.check_at]
            check.parent.remove(check)


def _is_output(node):
    return isinstance(node, nodes.container) and "cell_output" in node.get("classes", ())


def _wrap(container, one):
    data = {
        "name": one.name, "title": one.title, "code": one.code,
        "preparation": one.preparation, "check": one.check, "solution": one.solution,
    }  # fmt: skip
    kind = "exercise" if one.is_exercise else "cell"
    name = html.escape(one.name)
    begin = f'<div class="try" id="try-{name}" data-{kind}="{name}" data-state="idle">'
    output = '<pre class="try-output" role="log" aria-label="Output"></pre>'
    end = f"{data_element(data, 'try-data')}{output}</div>"
    at = container.parent.index(container)
    container.parent.insert(at + 1, nodes.raw("", end, format="html"))
    container.parent.insert(at, nodes.raw("", begin, format="html"))


def _name_python(app, pagename, _template, context, _doctree):
    """Tell a page with such cells where its Python is."""
    body = context.get("body", "")
    if re.search(r'<div class="try" |<figure class="board" ', body):
        config = app.gameai_python.config(app.gameai_wheel)
        context["body"] = body + data_element(config, "page-python")
