"""Boards of btmm, played by touches."""
