"""Boards of nrpa, played by touches."""
