"""Players, who act on beliefs: rule lists, the hint convention, and a listener to it."""
