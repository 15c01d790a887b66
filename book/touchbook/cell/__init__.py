"""Cells to change, and exercises that check themselves."""
