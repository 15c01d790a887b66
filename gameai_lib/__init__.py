"""Four game-AI algorithms, small, fast and tested: the library behind the book."""

__version__ = "0.1.0"
