"""The game: rules, whole games, players who forget, and the positions of the chapter."""
