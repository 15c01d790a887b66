"""Questions: a reader's prediction, and then the truth and its reason."""
