"""The scripts that write the chapter's `data`."""
