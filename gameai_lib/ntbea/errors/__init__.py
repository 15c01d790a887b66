"""The mistakes of the source's algorithm, each to be run as printed and put right."""
