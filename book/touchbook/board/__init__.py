"""Boards: games that a reader plays."""
