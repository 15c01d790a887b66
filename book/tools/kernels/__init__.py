"""Compile the pages' kernels to one WebAssembly module: ``python -m book.tools.kernels``."""
