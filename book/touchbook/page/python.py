"""Python in the built page: which cells a reader can change, and where their Python comes from.

Part of `touchbook.page.sphinxext`. Pyodide and numpy are copied from the folder that the
environment variable ``PYODIDE`` names; without one, pages ask Pyodide's public address, and
only after their reader's click. With them come the frame itself and what the setting
``touchbook_packages`` names, without folders of the names in ``touchbook_leave_out``;
``touchbook_start`` names a module that is imported before the rest.
"""

import hashlib
import html
import json
import os
import re
import shutil
import tempfile
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from sphinx.errors import ExtensionError

from touchbook.cell.needs import tries
from touchbook.script import data_element

VERSION = "314.0.7"  # of Pyodide: CPython 3.14
PUBLIC = f"https://cdn.jsdelivr.net/npm/pyodide@{VERSION}/"
PUBLIC_PACKAGES = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"
PUBLIC_BYTES = 16_000_000  # Pyodide and numpy
# SHA-256 of Pyodide's files, as npm has them: a page runs no others. What the lock names, Pyodide
# compares with the digests in the lock.
DIGESTS = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}

# Of a package's folder, what the Python of a page does not ask for: what was made there, scripts,
# styles, and what is for whoever builds the package.
UNWANTED = re.compile(
    r"__pycache__|build|.*\.egg-info|\..*|.*\.(js|css|toml|md)|LICENSE|.*licence.*"
)


class Python(NamedTuple):
    """Where a page finds its Python."""

    folder: Path | None  #: Pyodide's, of which this site gets a copy
    numpy: str  #: name of its wheel there, or of the package at the public address
    n_bytes: int

    def config(self, packages, start=""):
        """What the page's script is told; addresses are relative to it."""
        address, place = "pyodide/", "this site"
        if self.folder is None:
            address, place = PUBLIC, PUBLIC.split("/")[2]
        digests = DIGESTS | {packages.name: digest_of(packages)}
        if self.folder:
            digests[self.numpy] = digest_of(self.folder / self.numpy)
        n_bytes = self.n_bytes + packages.stat().st_size
        numpy = address + self.numpy if self.folder else self.numpy
        return {
            "index": address,
            "numpy": numpy,
            "packages": f"pyodide/{packages.name}?{digests[packages.name][:8]}",
            "public": PUBLIC_PACKAGES,
            "digests": digests,
            "start": start,
            "version": VERSION,
            "bytes": n_bytes,
            "cost": f"The first run loads Python from {place}: {n_bytes / 1e6:.0f} MB, once; "
            "it takes some seconds.",
        }


def find_python(folder):
    """The Python in a folder, or at the public address if `folder` is empty."""
    if not folder:
        return Python(None, "numpy", PUBLIC_BYTES)
    folder = Path(folder)
    missing = [name for name in DIGESTS if not (folder / name).is_file()]
    if missing:
        raise ExtensionError(f"PYODIDE={folder} holds no {', '.join(missing)}")
    other = [name for name, digest in DIGESTS.items() if digest_of(folder / name) != digest]
    if other:
        raise ExtensionError(f"PYODIDE={folder}: {', '.join(other)} is not of Pyodide {VERSION}")
    info = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    tag = "cp" + "".join(info["python"].split(".")[:2])
    wheels = sorted(folder.glob(f"numpy-*-{tag}-{tag}-*wasm32.whl"))
    if len(wheels) != 1:
        names = [wheel.name for wheel in wheels]
        raise ExtensionError(f"PYODIDE={folder} must hold one numpy for {tag}, holds {names}")
    n_bytes = sum((folder / name).stat().st_size for name in (*DIGESTS, wheels[0].name))
    return Python(folder, wheels[0].name, n_bytes)


def digest_of(path):
    """SHA-256 of a file, in hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def pack(names, target, leave_out=()):
    """Write the files of packages into one archive, which a page unpacks; returns its path.

    They are those that are imported here by these names, such as a checkout's own, without folders
    that no page needs. The same files give the same bytes.
    """
    with zipfile.ZipFile(target, "w") as archive:
        for name in names:
            for inner, path in sorted(_files_of(name, {*leave_out})):
                info = zipfile.ZipInfo(inner)  # always of the same date
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, path.read_bytes())
    return target


def _files_of(name, leave_out):
    """Pairs of a name in the archive and a path, of all that a page may read of a package."""
    spec = find_spec(name)
    if spec is None:
        raise ExtensionError(f"touchbook_packages: there is no package {name!r} to import")
    if not spec.submodule_search_locations:
        yield f"{name}.py", Path(spec.origin)
        return
    folder = Path(spec.submodule_search_locations[0])
    for path in folder.rglob("*"):
        inner = path.relative_to(folder)
        unwanted = (part in leave_out or UNWANTED.fullmatch(part) for part in inner.parts)
        if path.is_file() and not any(unwanted):
            yield f"{name}/{inner.as_posix()}", path


def setup(app):
    """Register with Sphinx."""
    app.add_config_value("touchbook_packages", [], "html")
    app.add_config_value("touchbook_leave_out", [], "html")
    app.add_config_value("touchbook_start", "", "html")
    app.connect("builder-inited", _prepare)
    app.connect("doctree-read", _mark_cells)
    app.connect("html-page-context", _name_python)
    app.connect("build-finished", _copy_python)


def _prepare(app):
    app.touchbook_python = find_python(os.environ.get("PYODIDE"))
    app.touchbook_scratch = tempfile.TemporaryDirectory()
    names = ["touchbook", *app.config.touchbook_packages]
    archive = Path(app.touchbook_scratch.name, "packages.zip")
    app.touchbook_archive = pack(names, archive, app.config.touchbook_leave_out)


def _copy_python(app, error):
    if error is None:
        target = Path(app.outdir) / "_static" / "pyodide"
        target.mkdir(parents=True, exist_ok=True)
        python = app.touchbook_python
        for name in (*DIGESTS, python.numpy) if python.folder else ():
            shutil.copyfile(python.folder / name, target / name)
        shutil.copy(app.touchbook_archive, target)
    app.touchbook_scratch.cleanup()


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
        config = app.touchbook_python.config(app.touchbook_archive, app.config.touchbook_start)
        context["body"] = body + data_element(config, "page-python")
