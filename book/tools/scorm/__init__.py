"""Chapters of the built book as packages for a learning platform, in SCORM 1.2."""
