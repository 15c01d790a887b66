"""What joins rooms: the algorithm of one at the game of another."""
