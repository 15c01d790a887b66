"""Pictures of the games, the model and the contest."""
