"""The questions of a chapter, as its lesson asks them and with other numbers."""

import inspect
from importlib import import_module

import numpy as np

SEEDS = range(32)  # of which a page shows eight


def asked_by(chapter):
    """The functions that make the questions of a chapter, by name."""
    module = import_module(f"gameai_book.{chapter}.questions")
    made = inspect.getmembers(module, inspect.isfunction)
    return {
        name: question
        for name, question in made
        if question.__module__ == module.__name__ and not name.startswith("_")
    }


def variants(question):
    """The question as the lesson asks it, and others."""
    return [question(), *(question(np.random.default_rng(seed)) for seed in SEEDS)]
