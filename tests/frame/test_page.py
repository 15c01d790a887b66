"""What the Sphinx extension does while a book is built; first, where its Python comes from."""

import hashlib
import json
import subprocess
import sys
import zipfile
from types import SimpleNamespace

import pytest
import yaml

pytest.importorskip("sphinx")

from docutils import nodes
from jupyter_book.config import get_final_config
from sphinx.errors import ExtensionError

from tests.support.built_pages import ROOT
from touchbook.page.python import FILES, PUBLIC, VERSION, build_wheel, find_python
from touchbook.page.sphinxext import _keep_percent, _keep_together, _set_theme

NUMPY = "numpy-2.4.6-cp314-cp314-pyemscripten_2026_0_wasm32.whl"


@pytest.fixture
def folder(tmp_path):
    """A folder that looks like Pyodide's."""
    for name in FILES:
        (tmp_path / name).write_text(f'version = "{VERSION}"')
    lock = {"info": {"python": "3.14.2"}}
    (tmp_path / "pyodide-lock.json").write_text(json.dumps(lock))
    (tmp_path / NUMPY).write_bytes(b"1234")
    return tmp_path


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The checkout's wheel."""
    return build_wheel(ROOT, tmp_path_factory.mktemp("wheel"))


def test_python_comes_from_the_folder_that_is_named(folder, wheel):
    python = find_python(str(folder))
    config = python.config(wheel)
    assert config["numpy"] == f"pyodide/{NUMPY}"
    assert not any("//" in str(value) for value in config.values())
    sizes = sum(path.stat().st_size for path in folder.iterdir())
    assert config["bytes"] == sizes + wheel.stat().st_size
    assert "from this site" in config["cost"]


def test_without_a_folder_it_comes_from_the_public_address_which_is_named(wheel):
    for nothing in (None, ""):
        config = find_python(nothing).config(wheel)
        assert config["index"] == PUBLIC
        assert "from cdn.jsdelivr.net" in config["cost"]
        assert "//" not in config["wheel"]  # the library is this site's own


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(folder, name):
    (folder / name).unlink()
    with pytest.raises(ExtensionError, match=name):
        find_python(folder)


def test_another_version_and_another_numpy_are_refused(folder):
    (folder / NUMPY).rename(folder / NUMPY.replace("cp314", "cp313"))
    with pytest.raises(ExtensionError, match="one numpy for cp314"):
        find_python(folder)
    (folder / "pyodide.mjs").write_text('version = "0.28.0"')
    with pytest.raises(ExtensionError, match=f"not Pyodide {VERSION}"):
        find_python(folder)


def test_the_wheel_is_the_checkout(wheel):
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("gameai_lib/")}
        for path in ("book/touchbook/cell/runner.py", "book/gameai_book/nrpa/data/alpha.json"):
            assert archive.read(path) == (ROOT / path).read_bytes()
    files = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "gameai_lib").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.name != "editor.js"
    }
    assert packed == files
    assert wheel.stat().st_size < 1_400_000


def test_what_a_page_imports_of_it_needs_numpy_alone(wheel):
    code = (
        "import sys\n"
        "from tests.support.run_tries import Refused\nsys.meta_path.insert(0, Refused())\n"
        f"sys.path.insert(0, {str(wheel)!r})\n"
        "import gameai_lib, touchbook.cell.runner, touchbook.exercises\n"
        "import gameai_lib.hanabi, gameai_lib.ntbea, gameai_lib.btmm, gameai_lib.nrpa\n"
        "print(gameai_lib.__file__)"
    )
    # In the page, where no numba can be installed, nothing is said of that.
    quiet = [sys.executable, "-W", "ignore:numba is not installed", "-c", code]
    done = subprocess.run(quiet, cwd=ROOT, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.startswith(str(wheel))


def test_the_editor_was_bundled_from_its_sources():
    sources = [
        ROOT / "book" / "tools" / "editor" / name for name in ("editor.mjs", "package-lock.json")
    ]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    bundle = (ROOT / "book" / "touchbook" / "cell" / "editor.js").read_text(encoding="utf-8")
    assert f"from {digest[:16]} */" in bundle.partition("\n")[0], "type make editor"


@pytest.mark.parametrize(("behind", "kept"), [(".", "."), (").", ")."), ("-th root", "-th")])
def test_what_ends_a_formula_stays_on_its_line(behind, kept):
    formula = r'<span class="math notranslate nohighlight">\(x\)</span>'
    context = {"body": f"take {formula}{behind} And {formula} is"}
    _keep_together(None, "hanabi", "page.html", context, None)
    held = f'<span class="together">{formula}{kept}</span>'
    assert context["body"] == f"take {held}{behind.removeprefix(kept)} And {formula} is"


def test_a_percent_sign_stays_beside_its_number():
    words = nodes.paragraph("", "from 53 to 25 %. ", nodes.literal(text="5 %"))
    _keep_percent(None, words)
    assert words.astext() == "from 53 to 25\N{NO-BREAK SPACE}%. 5 %"


@pytest.mark.parametrize("address", ["", "https://github.com/owner/touch"])
def test_buttons_for_binder_and_colab_come_with_the_address_of_the_sources(address):
    written = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    written["repository"]["url"] = address
    final, _ = get_final_config(user_yaml=written, cli_config={"latex_individualpages": False})
    config = SimpleNamespace(**final)
    _set_theme(None, config)
    assert bool(config.html_theme_options.get("launch_buttons")) == bool(address)
    assert config.html_theme_options["show_navbar_depth"] == 2
