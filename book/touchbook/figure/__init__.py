"""Figures: one picture, with controls or without."""
