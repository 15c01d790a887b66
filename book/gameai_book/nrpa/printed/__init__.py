"""The source's errors: which there are, the worked case of each, and tests that find them."""
