"""What is tuned: two games, tables of their results, and test problems of known value."""
