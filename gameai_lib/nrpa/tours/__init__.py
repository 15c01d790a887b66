"""Tours with time windows by one setting: what stands on the searches for this one game."""
