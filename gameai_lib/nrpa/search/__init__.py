"""The compiled loops, and the searches that run them, to be watched and paused."""
