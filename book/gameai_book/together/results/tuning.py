"""What tuning the rule list brought, measured by ``measure.tuning``."""

from gameai_book.together.results.stored import read


def stored_tuning():
    """Seed and parts of the script: by the name of each, a list of dicts."""
    stored = read("tuning")
    return stored.pop("seed"), stored
