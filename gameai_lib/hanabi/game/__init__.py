"""The game: rules, whole games, agents, the hint convention, and the positions of the chapter."""
