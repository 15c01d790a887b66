"""The chapter on Hanabi: beliefs about hidden cards."""
