"""Compile the kernels that the pages use to one WebAssembly module: ``python -m book.kernels``."""
