"""The three packages of this checkout, and their wheels."""

import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.built_pages import ROOT

#: Each with its project's folder, and that of its modules.
PACKAGES = {
    "gameai_lib": (ROOT, ROOT / "gameai_lib"),
    "gameai_book": (ROOT / "book" / "gameai_book",) * 2,
    "touchbook": (ROOT / "book" / "touchbook",) * 2,
}
MADE = shutil.ignore_patterns("__pycache__", "build", "*.egg-info", ".*")


def build_wheel(name, folder):
    """Build the wheel of a package in a copy, without what earlier builds have left; its path."""
    project, modules = PACKAGES[name]
    scratch = Path(folder) / f"{name}-sources"
    if project == modules:
        shutil.copytree(project, scratch, ignore=MADE)
    else:
        shutil.copytree(modules, scratch / name, ignore=MADE)
        for part in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(project / part, scratch)
    code = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
    command = [sys.executable, "-c", code, Path(folder).absolute()]
    subprocess.run(command, cwd=scratch, check=True, stdout=subprocess.DEVNULL)
    (wheel,) = Path(folder).glob(f"{name}-*.whl")
    return wheel
