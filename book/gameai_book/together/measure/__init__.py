"""The scripts that write the chapter's `data`, a row at a time."""
