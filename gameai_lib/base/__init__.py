"""What every room stands on: checks, arrays, files, interrupts, compiled kernels, progress."""
