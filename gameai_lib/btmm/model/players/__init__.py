"""Players by name: their ratings, draws and home advantage, and leagues of clubs."""
