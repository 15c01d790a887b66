"""The problems: rules, referees that know nothing of them, files and bundled instances."""
