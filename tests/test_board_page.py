"""Boards in Chromium, in the page and in JupyterLab."""
