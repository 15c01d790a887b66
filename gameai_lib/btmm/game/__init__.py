"""Reversi and Connect-6: rules, records and positions, features of a move, players to try out."""
