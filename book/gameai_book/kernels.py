"""The library's kernels in a page, compiled beforehand by `make kernels`.

The worker of a page imports this before any room, so that each kernel is found when it is made.
"""

from pathlib import Path

from gameai_lib.base import runtime
from touchbook.page import wasm

DATA = Path(__file__).parent / "data"
MODULE, LIST = DATA / "kernels.wasm", DATA / "kernels.json"

if wasm.load(MODULE, LIST):
    runtime.register(wasm.compiled_kernel)
