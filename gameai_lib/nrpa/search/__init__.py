"""The searches: what a problem is, the compiled loops, and searches to be watched and paused."""
