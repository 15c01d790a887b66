"""What tuning the rule list brought, measured by ``measure.tuning``."""

import json
from pathlib import Path

TUNING = Path(__file__).parents[1] / "data" / "tuning.json"


def stored_tuning():
    """Seed and parts of the script: by the name of each, a list of dicts."""
    stored = json.loads(TUNING.read_text("utf-8"))
    return stored.pop("seed"), stored
