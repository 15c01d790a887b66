"""The pictures: views of games and searches, the explorables of the chapter, stored results."""
