"""NTBEA: landscape model, search, recommendation and tuning."""
