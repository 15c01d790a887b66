"""Board games and leagues: rules, positions, patterns and the competitions made of them."""
