"""The unit tests that need numpy alone, in Pyodide: another Python, 32 bits, no numba.

``PYODIDE=<folder> python -m tests.support.pyodide_units`` runs them in headless Chromium and prints
what became of them; names of test files as arguments choose some. The folder holds
``pyodide.mjs`` with what it asks for, and a wheel of numpy. All that the page asks for comes
from this machine: pytest is that of the running Python.
"""

import contextlib
import io
import json
import os
import pickle
import sys
import time
import zipfile
from collections import Counter
from http.server import BaseHTTPRequestHandler
from importlib.metadata import distribution
from pathlib import Path
from typing import NamedTuple

from tests.support.chromium import launched
from tests.support.serving import answering

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"

# Why something does not run there.
BOOK = "is about the book, not the library"
BROWSER = "drives a browser"
JUPYTER = "needs Jupyter"
LONG = "takes long without compiled kernels"
MATPLOTLIB = "needs matplotlib"
NUMBA = "is about compiled kernels"
PROCESSES = "starts processes"
PLAYED = "is played in the built pages, where a second one in this Python must agree"
SCIPY = "compares with SciPy"
THREADS = "starts threads"

DEEP = "ends Pyodide: the browser's stack is smaller than Python takes it for"

# What of these folders, of these files, or of their tests does not run there, and why; in
# brackets stands a part of a test's parameters. A new file runs, unless it is entered here.
FOLDERS = {"book": BOOK, "browser": BROWSER, "release": PROCESSES}
LEFT_OUT = {
    "base/test_borders": PROCESSES,
    "base/test_clusters": PROCESSES,
    "base/test_examples": LONG,
    "base/test_interrupts": {
        "test_an_ignored_interrupt_stays_ignored_and_other_threads_are_left_alone": THREADS,
    },
    "base/test_jit": NUMBA,
    "base/test_kept": NUMBA,
    "base/test_packages": PROCESSES,
    "base/test_private": {"test_a_pool_is_like_another": PROCESSES},
    "base/test_progress": JUPYTER,
    "base/test_types": {
        "test_every_name_at_the_door_is_typed[widgets]": MATPLOTLIB,
        "test_help_names_types_and_does_not_write_them_out[widgets]": MATPLOTLIB,
    },
    "btmm/test_board": PLAYED,
    "btmm/test_covariance": {
        "test_conjugate_gradients_give_the_dense_inverse": THREADS,
        "test_sampling_errors_are_those_of_a_bootstrap": LONG,
    },
    "btmm/test_existence": {
        "test_a_long_chain_is_seen_in_no_time": LONG,
        "test_duels_against_linear_programming": SCIPY,
        "test_teams_against_linear_programming": SCIPY,
        "test_groups_that_grow_together_are_seen": SCIPY,
        "test_refused_whatever_the_method_and_named": THREADS,
    },
    "btmm/test_figures": MATPLOTLIB,
    "btmm/test_fit": {
        "test_against_scipy": SCIPY,
        "test_against_choix": SCIPY,
    },
    "btmm/test_front": {
        "test_no_name_is_hidden_by_a_module_even_when_all_are_loaded": PROCESSES,
    },
    "btmm/test_rating": {
        "test_recovery": LONG,
        "test_against_a_general_optimiser_and_a_numerical_hessian": SCIPY,
        "test_a_maximum_is_found_if_and_only_if_there_is_one": SCIPY,
    },
    "btmm/test_lesson": BOOK,
    "btmm/test_moves_board": PLAYED,
    "btmm/test_questions": BOOK,
    "btmm/test_readers": {
        "test_football_files_are_named_in_short[nested too deeply]": DEEP,
    },
    "btmm/test_league_board": PLAYED,
    "btmm/test_scale": PROCESSES,
    "btmm/test_shards": PROCESSES,
    "btmm/test_sides": {
        "test_a_maximum_of_teams_is_found_if_and_only_if_there_is_one": SCIPY,
        "test_teams_and_weights_against_a_general_optimiser": SCIPY,
    },
    "btmm/test_triangle_board": PLAYED,
    "frame/test_beside": BOOK,
    "frame/test_found": BOOK,
    "frame/test_page": BOOK,
    "fuzz/test_fuzz": PROCESSES,
    "hanabi/test_board": PLAYED,
    "hanabi/test_convention": {
        "test_the_batch_decides_as_the_agent": LONG,
    },
    "hanabi/test_beliefs_table": {
        "test_distances_are_measured_again": LONG,
        "test_games_are_played_again": LONG,
    },
    "hanabi/test_bethe": {
        "test_a_graph_without_circles_is_exact": LONG,
        "test_v1_starves_a_card_that_is_possible_and_bp_does_not": LONG,
    },
    "hanabi/test_exact": {
        "test_numbers_of_deals_that_no_float_holds_are_an_error": LONG,
        "test_twenty_slots_of_which_no_two_are_alike_against_samples": LONG,
    },
    "hanabi/test_face_down": {
        "test_a_move_tells_the_same_where_the_own_hand_is_not_written[3]": LONG,
    },
    "hanabi/test_figures": MATPLOTLIB,
    "hanabi/test_front": {
        "test_the_likelihood_of_one_action_is_that_of_the_game": LONG,
    },
    "hanabi/test_lesson": BOOK,
    "hanabi/test_likelihood": {
        "test_one_step_of_a_game_is_the_exact_likelihood_after_the_open_part_of_the_move": LONG,
    },
    "hanabi/test_policy": {
        "test_without_errors_all_is_as_before[4]": LONG,
    },
    "hanabi/test_promises_board": PLAYED,
    "hanabi/test_questions": BOOK,
    "hanabi/test_scores": {
        "test_stored_games_are_played_again": LONG,
        "test_stored_scores_are_played_again": LONG,
    },
    "hanabi/test_silence_board": PLAYED,
    "hanabi/test_views": MATPLOTLIB,
    "nrpa/test_board": PLAYED,
    "nrpa/test_compiled": NUMBA,
    "nrpa/test_continued": {
        "test_games_from_there_are_games_of_the_whole": LONG,
    },
    "nrpa/test_figures": MATPLOTLIB,
    "nrpa/test_files": {
        "test_no_morpion_record[recursion]": DEEP,
    },
    "nrpa/test_front": {
        "test_the_door_opens_without_matplotlib": PROCESSES,
    },
    "nrpa/test_morpion": {
        "test_a_game_after_a_reset_is_the_same_as_on_fresh_arrays[T]": LONG,
    },
    "nrpa/test_nrpa": {
        "test_stopping_changes_nothing[shared]": LONG,
        "test_variants_play_as_the_plain_recursion[Morpion]": LONG,
    },
    "nrpa/test_oracles": LONG,
    "nrpa/test_lesson": LONG,
    "nrpa/test_questions": LONG,
    "nrpa/test_race_board": PLAYED,
    "nrpa/test_restarts": PROCESSES,
    "nrpa/test_rules": {
        "test_a_loop_without_end_can_be_interrupted_in_its_first_game": PROCESSES,
        "test_an_interrupt_comes_soon": THREADS,
    },
    "nrpa/test_tables": {
        "test_relatives_come_back": LONG,
        "test_the_other_step_sizes_come_back": LONG,
        "test_small_searches_of_the_grid_come_back": LONG,
        "test_stored_scores_of_faults_come_back": LONG,
        "test_stored_scores_of_step_sizes_come_back": LONG,
        "test_stored_scores_of_place_keyed_codes_come_back": LONG,
    },
    "nrpa/test_trees": PLAYED,
    "nrpa/test_watch_board": PLAYED,
    "nrpa/test_tours": {
        "test_control_c_in_a_tour": THREADS,
    },
    "ntbea/test_board": PLAYED,
    "ntbea/test_contest": {
        "test_a_smaller_contest_agrees_with_the_file": LONG,
    },
    "ntbea/test_failures": {
        "test_what_is_not_valid_is_neither_asked_nor_recommended[space1": LONG,
        "test_regions_that_fail_are_left": LONG,
        "test_where_almost_nothing_is_valid_an_error_says_so": LONG,
        "test_a_worker_sends_no_error_but_why_it_failed": PROCESSES,
    },
    "ntbea/test_figures": MATPLOTLIB,
    "ntbea/test_lesson": BOOK,
    "ntbea/test_mend_board": PLAYED,
    "ntbea/test_questions": BOOK,
    "ntbea/test_recommend": {
        "test_a_part_of_many_points_says_the_weights": LONG,
        "test_many_points_say_what_few_do": LONG,
    },
    "ntbea/test_steps": {
        "test_an_evaluation_error_comes_out_of_a_worker_process": PROCESSES,
        "test_batches_do_not_depend_on_the_executor": PROCESSES,
        "test_a_batch_holds_the_best_neighbours_once_each": THREADS,
        "test_a_failing_batch_keeps_what_was_learned": THREADS,
        "test_batches_stop_after_exactly_the_agreed_number_of_calls": THREADS,
        "test_the_parent_of_the_next_batch_is_the_first_of_the_batch": THREADS,
        "test_batches_go_on_with_a_full_batch_around_the_last_point": THREADS,
        "test_the_default_population_is_large_enough_for_the_batch": THREADS,
    },
    "ntbea/test_tuner": {
        "test_thompson_sampling_beats_random_search": LONG,
        "test_an_executor_plays_several_at_a_time": THREADS,
        "test_threads_may_ask_and_tell_at_once": THREADS,
    },
    "ntbea/test_tuning": {
        "test_a_huge_result_costs_no_evaluation": LONG,
        "test_expected_value_and_spread_are_honest": LONG,
        "test_it_beats_a_single_look_at_many_points": LONG,
        "test_a_process_pool_runs_a_named_evaluator": PROCESSES,
        "test_several_at_a_time_depend_neither_on_the_executor_nor_on_its_timing": THREADS,
    },
    "ntbea/test_tuner_board": PLAYED,
    "ntbea/test_tuples_board": PLAYED,
    "ntbea/test_views": MATPLOTLIB,
    "frame/test_ask": MATPLOTLIB,
    "frame/test_cells": BOOK,
    "frame/test_live": MATPLOTLIB,
    "frame/test_play": JUPYTER,
    "frame/test_script": BOOK,
    "frame/test_widgets": JUPYTER,
}
FILES = {
    name: FOLDERS.get(name.split("/")[0]) or LEFT_OUT.get(name, {})
    for path in sorted(TESTS.rglob("test_*.py"))
    for name in [path.relative_to(TESTS).with_suffix("").as_posix()]
}

PACKAGES = ("pytest", "pluggy", "iniconfig", "packaging", "pygments", "hypothesis",
            "sortedcontainers")  # fmt: skip
COMPILED = (".so", ".pyd")
TYPES = {
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".json": "application/json",
    ".zip": "application/zip",
}
PAGE = """<!doctype html><title>Unit tests</title><link rel="icon" href="data:,"><script>
const events = [];
const worker = new Worker("./worker.mjs", {type: "module"});
worker.onmessage = ({data}) => events.push(data);
worker.onerror = ({message}) => events.push(JSON.stringify({kind: "error", words: message}));
</script>"""


class Report(NamedTuple):
    """What became of the tests."""

    about: dict  # the Python that ran them: `python`, `bits`, `numpy`, `platform`
    tests: list  # of dict: `test`, `outcome` (passed, failed, skipped), `seconds`, `words`
    n_left_out: int  # tests of these files that were not tried
    missed: dict  # calls of kernels that ran as Python, by name and kinds of arguments
    seconds: float  # from the start of the worker
    asked: list  # addresses that the page and its worker asked for
    address: str  # of the server

    def counts(self):
        """Number of tests by outcome."""
        return Counter(test["outcome"] for test in self.tests)

    def failures(self):
        """The failed tests."""
        return [test for test in self.tests if test["outcome"] == "failed"]


def running(files=FILES):
    """Names of the test files that run, at least in part."""
    return [name for name, left_out in files.items() if not isinstance(left_out, str)]


def archive(files):
    """A zip of pairs of a name and a path or text."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files:
            if isinstance(content, Path):
                archive.write(content, name)
            else:
                archive.writestr(name, content)
    return packed.getvalue()


def checkout():
    """Files of the library, its tests and its benchmarks, and how its kernels were recorded."""
    for folder in (
        "gameai_lib",
        "tests",
        "benchmarks",
        "book/gameai_book",
        "book/touchbook",
        "book/tools/kernels",
    ):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and not {"__pycache__", "node_modules"} & set(path.parts):
                yield path.relative_to(ROOT).as_posix(), path
    yield "pyproject.toml", ROOT / "pyproject.toml"


def packages():
    """Files of pytest and hypothesis as they are installed here."""
    for name in PACKAGES:
        installed = distribution(name)
        compiled = False
        for path in installed.files:
            compiled |= path.suffix in COMPILED
            unwanted = path.suffix in (".pyc", *COMPILED) or path.name == "entry_points.txt"
            if not unwanted and path.parts[0] != "..":
                yield path.as_posix(), Path(path.locate())
        if compiled:
            if name != "hypothesis":
                raise RuntimeError(f"{name} {installed.version} has a compiled part")
            native = "hypothesis/_native"
            yield f"{native}/__init__.py", f"__version__ = {installed.version!r}\n"
            yield f"{native}/internal/__init__.py", ""
            for module in ("cathetus", "floats"):
                yield f"{native}/internal/{module}.py", TESTS / "support" / "pyodide_floats.py"


def numbas_calls():
    """What numba's kernels did with the arguments of a page, for `tests/base/test_kernels.py`."""
    from book.tools.kernels.record import kernel_at, recorded
    from book.tools.kernels.workload import all_of_it

    with recorded() as calls:
        all_of_it()
    return pickle.dumps({k: call[1:] for k, call in calls.items() if kernel_at(k[0])})


@contextlib.contextmanager
def served(files):
    """Serve a dict of contents (bytes, or a path) by path; gives the address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            content = files.get(self.path)
            if content is None:
                self.send_error(404)
                return
            content = content.read_bytes() if isinstance(content, Path) else content
            self.send_response(200)
            self.send_header("Content-Type", TYPES.get(Path(self.path).suffix, "text/html"))
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_args):
            """Say nothing."""

    with answering(Handler) as address:
        yield f"{address}/"


def run(browser, folder, files=FILES, max_seconds=300, tell=lambda event: None):
    """Run the tests of `files` in the Pyodide of `folder`.

    Parameters
    ----------
    browser : playwright Browser
    folder : pathlib.Path
        With ``pyodide.mjs`` and a wheel of numpy.
    files : dict
        As `FILES`.
    max_seconds : float
        How long to wait for the next word of it: a busy machine may need long for them all.
    tell : callable
        Is handed each event, a dict, as it comes.

    Returns
    -------
    Report

    Raises
    ------
    RuntimeError
        If Pyodide or pytest gave up, with their words.
    TimeoutError
        Names the test that never came to an end.
    """
    wheels = sorted(folder.glob("numpy-*.whl"))
    if not wheels:
        raise FileNotFoundError(f"no wheel of numpy in {folder}")
    contents = {f"/pyodide/{path.name}": path for path in folder.iterdir()}
    contents |= {
        "/": PAGE.encode(),
        "/worker.mjs": TESTS / "support" / "pyodide_worker.mjs",
        "/checkout.zip": archive([*checkout(), ("calls.pickle", numbas_calls())]),
        "/packages.zip": archive(packages()),
    }
    order = {
        "numpy": wheels[-1].name,
        "files": {f"tests/{name}.py": list(files[name]) for name in running(files)},
    }
    tests, asked, about, at = [], [], {}, "the start of Pyodide"
    with served(contents) as address, browser.new_page() as page:
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address)
        started = heard = time.monotonic()
        page.evaluate("order => worker.postMessage(JSON.stringify(order))", order)
        while True:
            for event in map(json.loads, page.evaluate("events.splice(0)")):
                heard = time.monotonic()
                tell(event)
                kind = event.pop("kind")
                if kind == "begin":
                    about = event
                elif kind == "start":
                    at = event["test"]
                elif kind == "test":
                    tests.append(event)
                elif kind == "end":
                    seconds = time.monotonic() - started
                    return Report(
                        about, tests, **event, seconds=seconds, asked=asked, address=address
                    )
                else:
                    raise RuntimeError(event["words"])
            if time.monotonic() - heard > max_seconds:
                raise TimeoutError(f"nothing was heard for {max_seconds} s, at {at}")
            page.wait_for_timeout(200)


def written(report, files=FILES):
    """The report as text."""
    about, counts = report.about, report.counts()
    lines = [
        f"Python {about['python']} ({about['platform']}, {about['bits']} bits), "
        f"numpy {about['numpy']}: {counts['passed']} passed, {counts['failed']} failed, "
        f"{counts['skipped']} skipped, {report.n_left_out} left out; {report.seconds:.0f} s",
        "",
    ]
    for test in report.failures():
        lines += [f"FAILED {test['test']}", test["words"], ""]
    for name in running(files):
        own = [test for test in report.tests if test["test"].split("::")[0] == f"tests/{name}.py"]
        outcomes = Counter(test["outcome"] for test in own)
        said = ", ".join(f"{n} {outcome}" for outcome, n in outcomes.items()) or "nothing ran"
        lines.append(f"{name:28} {said}; {sum(test['seconds'] for test in own):.1f} s")
        lines += [f"    without {test}: {why}" for test, why in files[name].items()]
        lines += [
            f"    skipped {test['test'].split('::')[-1]}: {test['words']}"
            for test in own
            if test["outcome"] == "skipped"
        ]
    lines += ["", "Not run:"]
    lines += [f"{name:28} {why}" for name, why in files.items() if isinstance(why, str)]
    lines += ["", "Ran as Python:", *(f"{n:7} {what}" for what, n in report.missed.items())]
    lines += ["", "Longest:"]
    longest = sorted(report.tests, key=lambda test: -test["seconds"])[:15]
    lines += [f"{test['seconds']:7.1f} s  {test['test']}" for test in longest]
    return "\n".join(lines)


def main(names):
    """Print what becomes of the tests; those of the files `names`, if there are any."""
    if not os.environ.get("PYODIDE"):
        sys.exit("PYODIDE names no folder")
    names = [name.removeprefix("tests/").removesuffix(".py") for name in names]
    files = {name: FILES[name] for name in names} or FILES

    def tell(event):
        if event["kind"] == "test":
            print({"passed": ".", "failed": "F", "skipped": "s"}[event["outcome"]], end="")
            sys.stdout.flush()

    with launched() as browser:
        report = run(browser, Path(os.environ["PYODIDE"]), files, 3600, tell)
    print("\n" + written(report, files))
    return bool(report.failures())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
