"""Runs inputs in processes of their own and says what became of each.

Processes are forked from one that has imported the room, so that an input costs little; the
one that dies, hangs or asks for too much memory is replaced, and its input is a fault.
"""

import dis
import faulthandler
import os
import select
import signal
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np

import gameai_book
import gameai_lib
import touchbook
from benchmarks.fuzz import Fault

OURS = tuple(str(Path(p.__file__).parent) for p in (gameai_lib, gameai_book, touchbook))
LONGEST_MESSAGE = 500  # an error names a value; it does not print a file
FIRST_INPUT_SECONDS = 120.0  # more for the first input: it may have to compile
NAMED, ACCEPTED, FAULT, BEGUN = b"n", b"a", b"f", b"s"


class Result(NamedTuple):
    """What became of the inputs of one target."""

    target: str
    n_named: int  # refused with an error that the library raised on purpose
    n_accepted: int  # accepted, with a right result
    faults: list  # (seed, what happened) of the others
    seconds: float

    @property
    def n_inputs(self):
        """Inputs tried."""
        return self.n_named + self.n_accepted + len(self.faults)


def input_of(target, seed):
    """The input number `seed` of a target; always the same."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return target.make(np.random.default_rng([crc32(target.name.encode()), seed]))


def short(value, length=200):
    """The `repr` of a value, cut in the middle."""
    try:
        text = repr(value)
    except Exception as error:
        text = f"<{type(value).__name__}, whose repr raises {type(error).__name__}>"
    return text if len(text) <= length else f"{text[: length // 2]} … {text[-length // 2 :]}"


def is_named(error):
    """Whether a ``raise`` statement of the library made `error`, with a message of fit length."""
    never = AssertionError | MemoryError | RecursionError | NotImplementedError
    if isinstance(error, never) or not 0 < len(str(error)) <= LONGEST_MESSAGE:
        return False
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None:
        return False
    code = last.tb_frame.f_code
    raised = code.co_code[last.tb_lasti] == dis.opmap["RAISE_VARARGS"]
    return raised and code.co_filename.startswith(OURS)


def judge(target, seed):
    """Run one input here; return NAMED or ACCEPTED, or FAULT and what happened."""
    thing = input_of(target, seed)
    try:
        target.run(thing)
    except Fault as error:
        return FAULT, f"wrong result: {error}; input {short(thing)}"
    except (Exception, KeyboardInterrupt, SystemExit) as error:
        if is_named(error):
            return NAMED, ""
        return FAULT, f"{type(error).__name__}: {short(str(error))}; input {short(thing)}"
    return ACCEPTED, ""


def run_target(target, seeds):
    """Try the inputs `seeds`, a range, of one target; return a `Result`."""
    began = time.monotonic()
    counts, faults = {NAMED: 0, ACCEPTED: 0}, []
    left = list(seeds)
    while left:
        left = _run_until_death(target, left, counts, faults)
    return Result(target.name, counts[NAMED], counts[ACCEPTED], faults, time.monotonic() - began)


def _run_until_death(target, seeds, counts, faults):
    """Let one process try `seeds`; return those that are left when it has ended."""
    reader, writer = os.pipe()
    # A crash leaves its stack here.
    with tempfile.TemporaryFile() as last_words:
        child = _fork()
        if child == 0:
            os.close(reader)
            _work(target, seeds, writer, last_words)
        os.close(writer)
        try:
            done, end = _listen(target, reader, counts, faults)
        finally:
            os.close(reader)
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
        if done < len(seeds):
            last_words.seek(0)
            lines = last_words.read().decode(errors="replace").splitlines()
            where = next(
                (line.strip() for line in lines if any(place in line for place in OURS)), ""
            )
            code = os.waitstatus_to_exitcode(status)
            what = end or (signal.Signals(-code).name if code < 0 else f"exit {code}")
            text = f"{what} {where}; input {short(input_of(target, seeds[done]))}"
            faults.append((seeds[done], text))
    return seeds[done + 1 :]


def _fork():
    """Fork without a tracer: coverage's lock may be held by a thread that the child has not."""
    trace = sys.gettrace()
    sys.settrace(None)
    child = os.fork()
    if child:
        sys.settrace(trace)
    return child


def _listen(target, reader, counts, faults):
    """Count what a process reports; return inputs done, and "hang" if it went silent."""
    done, pending, seed = 0, b"", None
    while True:
        patience = target.seconds if done else FIRST_INPUT_SECONDS
        ready, _, _ = select.select([reader], [], [], patience)
        if not ready:
            return done, f"hang: more than {patience} s"
        part = os.read(reader, 1 << 16)
        if not part:
            return done, ""
        *lines, pending = (pending + part).split(b"\n")
        for line in lines:
            kind, text = line[:1], line[1:].decode(errors="replace")
            if kind == BEGUN:
                seed = int(text)
                continue
            done += 1
            if kind == FAULT:
                faults.append((seed, text))
            else:
                counts[kind] += 1


def _work(target, seeds, writer, last_words):
    """Body of the forked process; never returns."""
    code = 1
    try:
        faulthandler.enable(last_words)
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(quiet, stream)
        _limit_memory(target.megabytes)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        np.seterr(all="warn", under="ignore")
        for seed in seeds:
            os.write(writer, BEGUN + b"%d\n" % seed)
            with warnings.catch_warnings():
                # The library's own warnings name their cause; numpy's of NaN and overflow do not.
                warnings.simplefilter("ignore")
                warnings.simplefilter("error", RuntimeWarning)
                kind, what = judge(target, seed)
            text = what.replace("\n", " ").encode(errors="replace")[:2000]
            os.write(writer, kind + text + b"\n")
        code = 0
    finally:
        os._exit(code)


def _limit_memory(megabytes):
    import resource  # which a page's Python lacks: it judges without processes

    with open("/proc/self/statm") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    limit = now + int(megabytes * 2**20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def interrupted(call, seconds):
    """Run ``call()`` and press control-C from another process after `seconds`.

    Returns
    -------
    KeyboardInterrupt or None
        What `call` raised, or None if it had finished before.

    Raises
    ------
    Fault
        If the interrupt was swallowed.
    """
    victim = os.getpid()
    waiting, begin = os.pipe()
    helper = _fork()
    if helper == 0:
        # Not before the fork is over: what interrupts its hooks is swallowed.
        os.read(waiting, 1)
        time.sleep(seconds)
        os.kill(victim, signal.SIGINT)
        os._exit(0)
    finished = False
    try:
        os.write(begin, b"!")
        call()
        finished = True
        time.sleep(seconds + 1)
    except KeyboardInterrupt as error:
        return None if finished else error
    finally:
        _end(helper)
        os.close(waiting)
        os.close(begin)
    raise Fault("the interrupt was swallowed")


def _end(helper):
    # It may still be about to interrupt: not the next input.
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.kill(helper, signal.SIGKILL)
    os.waitpid(helper, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def is_possible():
    """Whether processes can be forked and limited here."""
    return sys.platform.startswith("linux")
