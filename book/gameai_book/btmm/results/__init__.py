"""What committed scripts have written into `data`: strengths, games and tables of fits."""
