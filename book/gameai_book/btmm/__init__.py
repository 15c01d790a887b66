"""The chapter on Bradley-Terry models: strengths of patterns and players."""
