"""Boards to play where the chapters meet, drawn as SVG and ruled by the library."""
