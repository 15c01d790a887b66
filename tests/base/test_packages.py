"""Three packages: what each wheel brings and weighs; whatever checks one of them checks all."""

import re
import shutil
import subprocess
import tomllib
import zipfile
from email import message_from_bytes

import pytest
import yaml

from tests.support.built_pages import ROOT
from tests.support.packages import PACKAGES, build_wheel

MOST_BYTES = {"gameai_lib": 600_000, "gameai_book": 1_200_000, "touchbook": 400_000}
ENDINGS = {
    "gameai_lib": {".py", ".typed", ".txt"},  # the texts are bundled instances
    "gameai_book": {".py", ".csv", ".json", ".npz", ".wasm"},
    "touchbook": {".py", ".typed", ".js", ".css", ".txt"},
}
NEEDED = {
    "gameai_lib": {"numpy", "threadpoolctl"},
    "gameai_book": {"gameai_lib", "touchbook"},
    "touchbook": {"numpy"},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PACKAGES)
def test_a_wheel_brings_its_package_and_nothing_else(name, tmp_path):
    wheel = build_wheel(name, tmp_path)
    assert wheel.stat().st_size <= MOST_BYTES[name]
    modules = PACKAGES[name][1]
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (about,) = (one for one in names if one.endswith("METADATA"))
        needs = message_from_bytes(archive.read(about)).get_all("Requires-Dist")
    assert any(one.endswith("licenses/LICENSE") for one in names)
    inside = {one.partition("/")[2] for one in names if one.startswith(f"{name}/")}
    assert len(inside) + sum(".dist-info/" in one for one in names) == len(names)
    assert {f".{one.rpartition('.')[2]}" for one in inside} == ENDINGS[name]
    there = {path.relative_to(modules).as_posix() for path in modules.rglob("*") if path.is_file()}
    made = re.compile(r".*(__pycache__|egg-info).*|build/.*|[A-Z]+(\.md)?|pyproject\.toml")
    assert inside == {one for one in there if not made.fullmatch(one)}
    always = [need for need in needs if "extra ==" not in need]
    assert {re.match(r"[\w-]+", need)[0].replace("-", "_") for need in always} == NEEDED[name]


def test_groups_of_dependencies_are_what_is_required():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    grouped = [need for group in project["dependency-groups"].values() for need in group]
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").replace('"', "'").splitlines()
    required = [line.partition("#")[0].strip() for line in lines]
    assert sorted(grouped) == sorted(filter(None, required))


@pytest.mark.parametrize("name", PACKAGES)
def test_an_index_shows_where_the_sources_are_if_the_book_does(name):
    book = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    sources = book["repository"]["url"]
    path = PACKAGES[name][0] / "pyproject.toml"
    project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
    assert project["urls"].get("Source", "") == sources
    assert project["keywords"]
    assert "Programming Language :: Python :: 3.11" in project["classifiers"]


A_PATH = re.compile(r"(?<![\w/.])(?:book|gameai_lib|tests|benchmarks)/[\w./-]*\w|\$PWD/([\w/]+)")


def test_folders_that_a_recipe_names_are_there():
    spoken_of = "Makefile Dockerfile CONTRIBUTING.md README.md _config.yml .binder/start"
    for file in [*spoken_of.split(), ".binder/postBuild"]:
        text = (ROOT / file).read_text(encoding="utf-8").replace("$(CURDIR)/", " ")
        named = {found[1] or found[0] for found in A_PATH.finditer(text)} - {"tests/hanabi-ex-2"}
        assert [path for path in sorted(named) if not (ROOT / path).exists()] == [], file


@pytest.mark.skipif(shutil.which("make") is None, reason="no make here")
@pytest.mark.parametrize(
    ("target", "does", "edited"),
    [
        *(("book", "book.tools.execute", edited) for edited in (
            "book/gameai_book/btmm/data/nine.csv", "book/touchbook/board/board.js",
            "gameai_lib/btmm/model/mm.py")),
        ("install", "pip install", "book/touchbook/pyproject.toml"),
        ("book", "", None),
    ],
)  # fmt: skip
def test_make_notices_an_edit(target, does, edited, tmp_path):
    for stamp in ("install", "executed", "book"):
        (tmp_path / stamp).touch()
    command = ["make", "-n", "-o", "_build/pyodide", f"STAMPS={tmp_path}", target]
    command += [f"--what-if={edited}"] if edited else []
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for step in ("book.tools.execute", "pip install"):
        assert (step in said) == (step == does)
