"""The chapter on NRPA: nested searches of puzzles."""
