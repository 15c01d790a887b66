"""What the book shows: boards, figures, stored results; a folder a chapter."""
