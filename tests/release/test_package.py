"""The built packages in empty environments: `make package` runs this; it takes minutes.

Each extra of the library is installed from its wheel alone, and the examples of the README print
there what they say; then all three packages in one command. The lock, on which Binder and the
container stand, is installed in the same way.
"""

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.book.test_readme import EXAMPLES
from tests.support.built_pages import ROOT
from tests.support.packages import PACKAGES

DIST = os.environ.get("DIST")
pytestmark = pytest.mark.skipif(not DIST, reason="`make package` builds and tries the package")

# What an extra is for, beside the examples.
FOR = {
    "": "from gameai_lib.base.jit import COMPILED\nassert not COMPILED",
    "fast": "from gameai_lib.base.jit import COMPILED\nassert COMPILED",
    "plot": """
from matplotlib.figure import Figure
from gameai_lib.ntbea import SearchSpace, TupleRegression, Tuner
from gameai_lib.ntbea import plot
space = SearchSpace({"speed": (1, 2, 3, 4), "lives": (1, 3, 5)})
tuner = Tuner(space, 1)
for _ in range(30):
    values = tuner.ask()
    tuner.tell(values, values["speed"])
figure = Figure()
plot.draw_marginals(figure, TupleRegression(tuner.model))
assert figure.axes
""",
    "progress": "import tqdm",
    "distributed": """
from concurrent.futures import Executor
from dask.distributed import Client
assert issubclass(Client, object)
""",
}


BOOK = """
from gameai_book.nrpa.boards.morpion import MorpionBoard
from touchbook.widgets import explore, play
assert "Morpion" in play(MorpionBoard).html()
shown = explore(lambda fig, k: fig.subplots().plot([0, k]), name="line", alt=lambda k: f"to {k}",
                k=[1, 2])
assert "to 2" in shown.set(k=2)
"""


@pytest.fixture
def installed(tmp_path):
    """Makes an environment with nothing but what is named; returns its Python."""

    def install(*what):
        subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
        python = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
        command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what]
        subprocess.run(command, check=True)
        return python

    return install


def wheel(name="gameai_lib"):
    """The one wheel of a package that was built."""
    (found,) = Path(DIST).glob(f"{name}-*.whl")
    return found


def printed(python, code, folder):
    """What a program prints, away from the checkout."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "NUMBA"))}
    answer = subprocess.run(
        [python, "-W", "ignore", "-c", code],
        cwd=folder, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


@pytest.mark.parametrize("extra", FOR)
def test_an_extra_in_an_empty_environment(extra, installed, tmp_path):
    python = installed(f"{wheel()}[{extra}]" if extra else str(wheel()))
    assert printed(python, FOR[extra], tmp_path) == ""
    where = printed(python, "import gameai_lib; print(gameai_lib.__file__)", tmp_path)
    assert Path(where.strip()).is_relative_to(tmp_path)
    for other in ("gameai_book", "touchbook"):
        look = f"from importlib.util import find_spec; print(find_spec({other!r}))"
        assert printed(python, look, tmp_path) == "None\n"
    for code, says in EXAMPLES:
        assert printed(python, code, tmp_path) == says


def test_the_book_and_its_frame_are_installed_in_one_command(installed, tmp_path):
    assert printed(installed(*map(str, map(wheel, PACKAGES))), BOOK, tmp_path) == ""


def test_what_binder_and_the_container_install(installed, tmp_path):
    python = installed("--no-deps", "-r", str(ROOT / "requirements.lock"))
    command = [python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, *map(wheel, PACKAGES)], check=True)
    assert printed(python, "import jupyterlab", tmp_path) == ""
    subprocess.run([python, "-m", "pip", "check", "--quiet"], check=True)


def test_the_sources_hold_the_library_and_nothing_of_the_book():
    (sdist,) = Path(DIST).glob("gameai_lib-*.tar.gz")
    with tarfile.open(sdist) as archive:
        inner = {name.partition("/")[2] for name in archive.getnames()}
    assert {"README.md", "LICENSE", "pyproject.toml", "gameai_lib/__init__.py"} <= inner
    assert not [name for name in inner if name.startswith(("book/", "_build"))]
