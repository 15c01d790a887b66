"""What has been measured and stored, and the chapter's tables of results."""
