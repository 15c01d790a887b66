"""Joins between rooms, such as a fit as a bias of a search: the only place that imports several.

The doors of the library know nothing of each other. They exchange arrays and functions, and a
function that hands what one room has made to another stands here, one a module.
"""
