"""What the rules of a problem must promise, and games played by them, whatever searches."""
