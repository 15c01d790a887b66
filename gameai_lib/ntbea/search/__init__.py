"""NTBEA: search space, landscape model, search, recommendation and tuning."""
