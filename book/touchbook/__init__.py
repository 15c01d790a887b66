"""What a reader touches: figures, questions, boards and cells, in a page and in a kernel."""

# Set while the book is built: then things show themselves as HTML. It names the file for lines of
# progress.
BOOK_BUILD = "TOUCHBOOK_PROGRESS"
