"""Results of games and searches that scripts have stored, and what others have published."""
