"""Boards to play: what a reader touches, drawn as SVG and ruled by `game`."""
