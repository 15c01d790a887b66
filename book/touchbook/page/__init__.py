"""The built page: what Sphinx is told, and where the page's Python comes from."""
