"""What the Sphinx extension does while a book is built; first, where its Python comes from."""

import hashlib
import json
import zipfile
from types import SimpleNamespace

import pytest
import yaml

pytest.importorskip("sphinx")

from docutils import nodes
from jupyter_book.config import get_final_config
from sphinx.errors import ExtensionError

from tests.support.built_pages import ROOT
from touchbook.page import python as page_python
from touchbook.page.python import DIGESTS, PUBLIC, VERSION, digest_of, find_python, pack
from touchbook.page.sphinxext import _keep_percent, _keep_together, _set_theme

NUMPY = "numpy-2.4.6-cp314-cp314-pyemscripten_2026_0_wasm32.whl"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder that looks like Pyodide's."""
    for name in DIGESTS:
        (tmp_path / name).write_text(name)
    lock = {"info": {"python": "3.14.2"}}
    (tmp_path / "pyodide-lock.json").write_text(json.dumps(lock))
    (tmp_path / NUMPY).write_bytes(b"1234")
    digests = {name: digest_of(tmp_path / name) for name in DIGESTS}
    monkeypatch.setattr(page_python, "DIGESTS", digests)
    return tmp_path


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """What a page of this book unpacks."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["sphinx"]["config"]
    names = ["touchbook", *config["touchbook_packages"]]
    archive = tmp_path_factory.mktemp("packages") / "packages.zip"
    return pack(names, archive, config["touchbook_leave_out"])


def test_python_comes_from_the_folder_that_is_named_or_from_the_public_address(folder, packages):
    config = find_python(str(folder)).config(packages)
    assert config["numpy"] == f"pyodide/{NUMPY}"
    assert [name for name, value in config.items() if "//" in str(value)] == ["public"]
    assert config["digests"][NUMPY] == hashlib.sha256(b"1234").hexdigest()
    sizes = sum(path.stat().st_size for path in folder.iterdir())
    assert config["bytes"] == sizes + packages.stat().st_size
    assert "from this site" in config["cost"]
    for nothing in (None, ""):
        config = find_python(nothing).config(packages)
        assert (config["index"], "//" in config["packages"]) == (PUBLIC, False)
        assert "from cdn.jsdelivr.net" in config["cost"]


def test_a_missing_file_another_version_and_another_numpy_are_refused(folder):
    for name in DIGESTS:
        (folder / name).rename(folder / "away")
        with pytest.raises(ExtensionError, match=name):
            find_python(folder)
        (folder / "away").rename(folder / name)
    (folder / NUMPY).rename(folder / NUMPY.replace("cp314", "cp313"))
    with pytest.raises(ExtensionError, match="one numpy for cp314"):
        find_python(folder)
    (folder / "pyodide.mjs").write_text("another")
    with pytest.raises(ExtensionError, match=f"pyodide.mjs is not of Pyodide {VERSION}"):
        find_python(folder)


def test_the_packages_are_the_checkout_and_light_enough(packages):
    with zipfile.ZipFile(packages) as archive:
        for path in ("touchbook/cell/runner.py", "gameai_book/nrpa/data/alpha.json"):
            assert archive.read(path) == (ROOT / "book" / path).read_bytes()
    assert packages.stat().st_size < 1_500_000


def test_a_package_or_a_module_is_packed_as_it_is_imported(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "alone.py").write_text("ONE = 1\n")
    for name in ("__init__.py", "data/two.csv", "__pycache__/x.pyc", "several.egg-info/PKG-INFO"):
        (tmp_path / "several" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "several" / name).touch()
    paths = [pack(["alone", "several"], tmp_path / name) for name in ("a.zip", "b.zip")]
    assert paths[0].read_bytes() == paths[1].read_bytes()
    with zipfile.ZipFile(paths[0]) as archive:
        assert archive.namelist() == ["alone.py", "several/__init__.py", "several/data/two.csv"]
    with pytest.raises(ExtensionError, match="there is no package 'gone'"):
        pack(["gone"], tmp_path / "c.zip")


def test_the_editor_was_bundled_from_its_sources():
    folder = ROOT / "book" / "tools" / "editor"
    sources = [(folder / name).read_bytes() for name in ("editor.mjs", "package-lock.json")]
    digest = hashlib.sha256(b"".join(sources)).hexdigest()
    bundle = (ROOT / "book" / "touchbook" / "cell" / "editor.js").read_text(encoding="utf-8")
    assert f"from {digest[:16]} */" in bundle.partition("\n")[0], "type make editor"


def test_what_ends_a_formula_and_a_percent_sign_stay_on_its_line():
    formula = r'<span class="math notranslate nohighlight">\(x\)</span>'
    for behind, kept in ((".", "."), (").", ")."), ("-th root", "-th")):
        context = {"body": f"take {formula}{behind} And {formula} is"}
        _keep_together(None, "hanabi", "page.html", context, None)
        held = f'<span class="together">{formula}{kept}</span>'
        assert context["body"] == f"take {held}{behind.removeprefix(kept)} And {formula} is"
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
