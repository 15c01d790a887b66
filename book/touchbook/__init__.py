"""What a reader touches: figures, questions, boards and cells, in a page and in a kernel."""

# A variable of the environment, set while the book is built: then things show themselves as HTML.
BOOK_BUILD = "TOUCHBOOK_BUILD"
