"""Stored results of long runs, as the chapter and the boards read them."""
