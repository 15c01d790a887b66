"""What is tuned: search spaces, two games, and test problems of known value."""
