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
import time, numpy as np
from gameai_lib.ntbea import SearchSpace, tune
space = SearchSpace([("a", range(10)), ("b", range(10))])
tune(lambda point, rng: time.sleep(0.02) or 0.0, space, 5000, np.random.default_rng(1))
""",
    "NRPA": """
import numpy as np
from gameai_lib.nrpa import NRPA, morpion
search = NRPA(morpion("5D"), np.random.default_rng(1), level=5, n_iterations=100)
search.run()
""",
    "fit": """
import numpy as np
from gameai_lib.btmm import fit, from_choices
rng = np.random.default_rng(1)
sets = [rng.permutation(400)[:10] for _ in range(40_000)]
fit(from_choices(sets, [0] * len(sets)), method="damped", max_passes=10**6, tol=0)
""",
}


def without_silence():
    """The environment of a reader, who has not asked for silence."""
    return {name: value for name, value in os.environ.items() if name not in SILENT}


def shown_in_kernel(code, *, interrupt_when=None):
    """What a kernel sends while it runs `code`; it is interrupted once a bar says so."""
    manager, client = start_new_kernel(env=without_silence())
    try:
        client.execute(code)
        contents, deadline = [], time.monotonic() + 90
        while time.monotonic() < deadline:
            try:
                message = client.get_iopub_msg(timeout=1)
            except queue.Empty:
                continue
            contents.append(str(message["content"]))
            if interrupt_when and interrupt_when in contents[-1]:
                manager.interrupt_kernel()
                interrupt_when = None
            if message["content"].get("execution_state") == "idle" and len(contents) > 2:
                return contents
        raise AssertionError(f"still running: {contents[-3:]}")
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


@pytest.mark.slow
@pytest.mark.parametrize("what", LONG)
def test_a_long_computation_shows_a_bar_and_can_be_interrupted(what):
    contents = shown_in_kernel(LONG[what], interrupt_when=f"{what}:")
    assert any("FloatProgressModel" in c for c in contents)  # the widget of a bar
    assert any("Interrupt" in c and "ename" in c for c in contents)


@pytest.mark.slow
def test_an_interrupted_search_goes_on():
    code = LONG["NRPA"].replace(
        "search.run()",
        "try:\n    search.run()\nexcept KeyboardInterrupt:\n"
        "    before = search.n_playouts\n    search.run(500)\n"
        "    print('went on', search.n_playouts - before)",
    )
    contents = shown_in_kernel(code, interrupt_when="NRPA:")
    assert any("went on 500" in c for c in contents)


def bar_code(seconds):
    """A script that takes this long, with a bar."""
    return (
        "import time\nfrom gameai_lib.base import progress\nprogress.DELAY = 0.2\n"
        f"with progress.Bar('work', 10, 'parts') as bar:\n"
        f"    for i in range(10):\n        time.sleep({seconds} / 10)\n        bar(i + 1, 'good')\n"
    )


@pytest.mark.parametrize(("seconds", "appears"), [(1.5, True), (0.05, False)])
def test_a_bar_appears_in_a_terminal_once_its_time_has_come(seconds, appears):
    pty, termios = pytest.importorskip("pty"), pytest.importorskip("termios")
    reader, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, 80))
    subprocess.run(
        [sys.executable, "-c", bar_code(seconds)], stderr=terminal, check=True,
        env=without_silence(),
    )  # fmt: skip
    os.set_blocking(reader, False)
    try:
        text = os.read(reader, 10_000).decode()
    except (BlockingIOError, OSError):
        text = ""
    os.close(terminal)
    os.close(reader)
    assert ("work" in text and "good" in text) == appears


def test_nothing_is_written_into_a_file_nor_without_tqdm_nor_where_silence_is_asked_for():
    hidden = "import sys; sys.modules['tqdm'] = sys.modules['tqdm.auto'] = None\n"
    for code, extra in [(bar_code(0.5), {}), (hidden + bar_code(0.5), {}),
                        (bar_code(0.5), {"TQDM_DISABLE": "1"})]:  # fmt: skip
        answer = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, env=without_silence() | extra
        )
        assert (answer.returncode, answer.stdout, answer.stderr) == (0, b"", b"")
