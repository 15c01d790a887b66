"""Progress bars of long computations, in a terminal and in a kernel, and interrupts there."""

import os
import queue
import subprocess
import sys
import time

import pytest
from jupyter_client.manager import start_new_kernel

from gameai_lib.base.progress import SILENT

LONG = {
    "tune": """
import time
from gameai_lib.ntbea import SearchSpace, tune
space = SearchSpace([("a", range(10)), ("b", range(10))])
tune(lambda point, rng: time.sleep(0.02) or 0.0, space, 5000, 1)
""",
    "NRPA": """
from gameai_lib.nrpa import NRPA, morpion
search = NRPA(morpion("5D"), 1, level=5, n_iterations=100)
try:
    search.run()
except KeyboardInterrupt:
    before = search.n_playouts
    search.run(500)
    print("went on", search.n_playouts - before)
    raise
""",
    "fit": """
import numpy as np
from gameai_lib.btmm import fit, from_choices
rng = np.random.default_rng(1)
sets = [rng.permutation(400)[:10] for _ in range(10_000)]
fit(from_choices(sets, [0] * len(sets)), method="damped", max_passes=10**6, tol=0)
""",
}


def without_silence():
    """The environment of a reader, who has not asked for silence."""
    return {name: value for name, value in os.environ.items() if name not in SILENT}


@pytest.fixture(scope="module")
def client():
    """The client of a kernel, and what interrupts it."""
    manager, client = start_new_kernel(env=without_silence())
    yield client, manager.interrupt_kernel
    client.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.mark.slow
@pytest.mark.parametrize("what", LONG)
def test_a_long_computation_shows_a_bar_and_can_be_interrupted_and_a_search_goes_on(what, client):
    client, interrupt = client
    begun = client.execute(LONG[what])
    said, deadline, is_interrupted = "", time.monotonic() + 90, False
    while time.monotonic() < deadline:
        try:
            message = client.get_iopub_msg(timeout=1)
        except queue.Empty:
            continue
        if message["parent_header"].get("msg_id") != begun:
            continue
        said += str(message["content"])
        if not is_interrupted and f"{what}:" in said:
            is_interrupted = True
            interrupt()
        if message["content"].get("execution_state") == "idle":
            break
    assert "FloatProgressModel" in said  # the widget of a bar
    assert "'ename': 'Interrupt" in said or "'ename': 'KeyboardInterrupt" in said
    assert ("went on 500" in said) == (what == "NRPA")


BAR = """
import time
from gameai_lib.base import progress
progress.DELAY = 0.2
with progress.Bar("work", 10, "parts") as bar:
    for i in range(10):
        time.sleep({} / 10)
        bar(i + 1, "good")
"""


@pytest.mark.slow
@pytest.mark.parametrize(("seconds", "appears"), [(1.5, True), (0.05, False)])
def test_a_bar_appears_in_a_terminal_once_its_time_has_come(seconds, appears):
    pty, termios = pytest.importorskip("pty"), pytest.importorskip("termios")
    reader, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, 80))
    code = BAR.format(seconds) + "    print(getattr(bar._bar, 'n', None))"
    pipes = {"stdout": subprocess.PIPE, "stderr": terminal}
    done = subprocess.run([sys.executable, "-c", code], **pipes, check=True, env=without_silence())
    assert done.stdout == (b"10\n" if appears else b"None\n")
    os.set_blocking(reader, False)
    try:
        text = os.read(reader, 10_000).decode()
    except (BlockingIOError, OSError):
        text = ""
    os.close(terminal)
    os.close(reader)
    assert ("work" in text and "good" in text) == appears


HIDDEN = "import sys; sys.modules['tqdm'] = sys.modules['tqdm.auto'] = None"


@pytest.mark.slow
@pytest.mark.parametrize(("hidden", "asked"), [("", {}), (HIDDEN, {}), ("", {"TQDM_DISABLE": "1"})])
def test_nothing_is_written_into_a_file_nor_without_tqdm_nor_where_silence_is_asked(hidden, asked):
    command = [sys.executable, "-c", hidden + BAR.format(0.5)]
    answer = subprocess.run(command, capture_output=True, env=without_silence() | asked)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, b"", b"")
