"""Boards of hanabi, played by touches."""
