"""Who acts on beliefs: published rule lists, the hint convention, and who listens to it."""
