"""Writes ``book/gameai_book/data/kernels.wasm`` and the list of what is in it."""

import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
import warnings
from hashlib import sha256
from pathlib import Path

if sys.argv[1:]:  # in a process of its own, which compiles for this machine
    from book.tools.kernels import workload
    from book.tools.kernels.record import kernel_at, record_calls

    with record_calls() as calls:
        workload.all_of_it()
    found = {place: call.signature for place, call in calls.items() if kernel_at(place[0])}
    Path(sys.argv[1]).write_bytes(pickle.dumps(found))
    sys.exit()

with tempfile.TemporaryDirectory() as scratch:
    started, path = time.perf_counter(), f"{scratch}/calls"
    subprocess.run([sys.executable, "-m", "book.tools.kernels", path], check=True)
    print(f"recorded after {time.perf_counter() - started:.0f} s")
    os.environ["NUMBA_CACHE_DIR"] = scratch  # nothing that was compiled for this machine

    from book.tools.kernels import webassembly
    from book.tools.kernels.record import kernel_at, stamp_of
    from gameai_book.kernels import LIST, MODULE

    webassembly.leave_unoptimised()
    warnings.simplefilter("ignore")  # what is not optimised cannot be kept
    machine = webassembly.target_machine()
    listed, kernels = {}, []
    for (place, kinds), signature in sorted(pickle.loads(Path(path).read_bytes()).items()):
        kernel = kernel_at(place).compiled
        kernel.compile(signature)
        compiled = kernel.overloads[signature]
        name = "k" + sha256(f"{place}|{kinds}".encode()).hexdigest()[:8]
        entry = webassembly.Entry(name, compiled, signature)
        kernels.append((entry, compiled))
        shape = webassembly.describe_result(compiled.signature.return_type)
        listed.setdefault(place, {})[kinds] = [name, shape, entry.n_words]
    print(f"{len(kernels)} kernels compiled after {time.perf_counter() - started:.0f} s")
    module = webassembly.optimise(kernels, machine)
    exported = [entry.name for entry, _ in kernels]
    content = webassembly.link(module, machine, exported, scratch)
    about = {"made of": stamp_of(listed), "kernels": listed}
    print(f"{len(content):,} bytes after {time.perf_counter() - started:.0f} s")
    MODULE.write_bytes(content)
    LIST.write_text(json.dumps(about, indent=1) + "\n")
