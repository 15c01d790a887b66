"""The source's errors, each on a small case that shows it."""
