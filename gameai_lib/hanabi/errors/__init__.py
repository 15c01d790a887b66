"""The errors of the chapter's source, each beside what it must be."""
