"""Build the book on the newest Sphinx, MyST-NB, theme and extensions: ``make future``.

Jupyter Book 1 holds all of them at versions of 2024. Its command makes of `_config.yml` what Sphinx
reads; what builds the pages is installed beside `.venv`, and takes the rest from there. The pages
are then compared with those of `make book`.
"""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

from bs4 import BeautifulSoup

from book.tools.chapters import ROOT, named_pages

BUILT, FUTURE = ROOT / "_build" / "html", ROOT / "_build" / "future"
NEWEST = (
    "sphinx", "myst-nb", "sphinx-book-theme", "sphinx-exercise", "sphinx-external-toc",
    "sphinx-comments", "sphinx-copybutton", "sphinx-togglebutton", "sphinx-design",
    "sphinxcontrib-bibtex",
)  # fmt: skip
# Their extensions are asked for; what they would ask for is older.
AS_THEY_ARE = "jupyter-book<2", "sphinx-jupyterbook-latex", "sphinx-multitoc-numbering"
# What a reader can look at or touch.
THINGS = {
    "figures": "figure", "controls": "[data-name]", "questions": "form.ask",
    "boards": "figure.board", "cells": "div.cell", "formulas": "math", "pictures": "img",
}  # fmt: skip


def install(folder=FUTURE / "venv"):
    """Install the newest packages into `folder`; return the Python there."""
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    pip = [str(python), "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    paths = sysconfig.get_paths(vars={"base": str(folder), "platbase": str(folder)})
    later = Path(paths["purelib"], "later.pth")
    later.unlink(missing_ok=True)
    subprocess.run([*pip, "--upgrade", *NEWEST], check=True)
    subprocess.run([*pip, "--no-deps", *AS_THEY_ARE], check=True)
    here = sysconfig.get_paths()["purelib"]  # its own .pth files count, for what stands in the book
    later.write_text(f"import site; site.addsitedir({here!r})\n", encoding="utf-8")
    return python


def build(python, site=FUTURE / "html"):
    """Build the pages into `site` with a Python, by Jupyter Book's own settings for Sphinx."""
    settings = ROOT / "conf.py"  # its paths are relative to where it stands
    command = str(Path(sys.executable).with_name("jupyter-book"))
    subprocess.run([command, "config", "sphinx", str(ROOT)], check=True, stdout=subprocess.DEVNULL)
    sphinx = [str(python), "-m", "sphinx", "-W", "-n", "--keep-going", "-E", "-q"]
    try:
        subprocess.run([*sphinx, str(ROOT), str(site)], check=True, cwd=ROOT)
    finally:
        settings.unlink()


def look(page):
    """What a built page says, and how much of each kind of thing it has."""
    article = BeautifulSoup(page.read_bytes(), "html.parser").select_one("article")
    letters = "".join(article.get_text().split())  # Sphinx sets other spaces in signatures
    return {"words": letters} | {name: len(article.select(kind)) for name, kind in THINGS.items()}


def differences(sites=(BUILT, FUTURE / "html")):
    """What differs between the pages of two sites, a line each."""
    for name in named_pages():
        here, there = (look(site / f"{name}.html") for site in sites)
        yield from (f"{name}: other {what}" for what in here if here[what] != there[what])


if __name__ == "__main__":
    build(install())
    for line in (found := [*differences()]):
        print(line)
    print(f"{len(named_pages())} pages were compared with those of make book.")
    sys.exit(len(found) > 0)
