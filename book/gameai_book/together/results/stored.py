"""Where the stored tables of the chapter lie; each is named as the script of ``measure`` is."""

import json
from pathlib import Path


def path_of(name):
    """The file of a table, for example of ``ladder``."""
    return Path(__file__).parents[1] / "data" / f"{name}.json"


def read(name):
    """Seed and parts of a table: each part is a list of rows, which are dicts."""
    return json.loads(path_of(name).read_text("utf-8"))
