"""What a reader touches: figures, questions, boards and cells, in a page and in a kernel."""
