"""Readers of game records: WTHOR, SGF, a CSV of Connect-6 games, football seasons."""
