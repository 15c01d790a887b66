"""Boards of ntbea, played by touches."""
