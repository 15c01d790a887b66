"""The problems: rules, referees that do not use them, files and bundled instances."""
