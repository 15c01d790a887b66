"""The pictures: views of games and searches, and the explorables of the chapter."""
