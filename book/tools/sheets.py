"""Six questions before and after a lesson, with a key: ``python -m book.tools.sheets``.

They are the lessons' questions with other numbers. The sheets A and B and their key go into
`book/teaching`; ``--seed 7`` writes a sheet 7, for whoever asks again, into `_build/sheets`.
"""

import argparse
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path
from string import ascii_lowercase as LETTERS

import numpy as np

from gameai_lib.base.files import write_whole
from touchbook.ask.prediction import Prediction

BOOK = Path(__file__).parents[1]
TEACHING, AGAIN = BOOK / "teaching", BOOK.parent / "_build" / "sheets"
TEXTS = tomllib.loads((BOOK / "tools" / "sheets.toml").read_text(encoding="utf-8"))
LESSONS = TEXTS["lessons"]
A, B = 99, 199  # seeds: whoever changes them reads the sheets, for a draw may be too easy
NAMES = {A: "A", B: "B"}  # a name does not say when a sheet is used
MOST_DRAWS = 200
UNFAIR = "1,200 points"  # before the lesson nobody can know what they are worth on its board


@cache
def sheet(chapter, seed):
    """The six questions of a sheet, each as what `touchbook.widgets.ask` takes.

    None has the numbers of the lesson, or an answer that was right on the sheet before this one.
    """
    names = LESSONS[chapter]["first"] + LESSONS[chapter]["second"]
    last = sheet(chapter, A if seed == B else B) if seed != A else [None] * len(names)
    module = import_module(f"gameai_book.{chapter}.questions")
    return [draw(getattr(module, name), seed, e) for name, e in zip(names, last, strict=True)]


def draw(question, seed, earlier):
    """A question with fresh numbers; where it can, its right answer was wrong `earlier`."""
    own = question()["question"]
    for attempt in range(MOST_DRAWS):
        made = question(np.random.default_rng((seed, attempt)))
        if made["question"] != own and UNFAIR not in made["question"]:
            drawn = made
            if earlier is None or differ(made, earlier):
                break
    return drawn


def differ(one, other):
    """Whether no answer, and no letter, is right to both of two questions."""
    a, b = (Prediction(**made).kind for made in (one, other))
    if "choices" in one:
        return a.truth != b.truth and letter_of(a) != letter_of(b)
    return abs(a.answer - b.answer) > a.reach + b.reach


def letter_of(kind):
    """The letter of the right one of some choices."""
    return LETTERS[kind.choices.index(kind.truth)]


def as_sheet(chapter, seed):
    """What a student gets, as Markdown."""
    head = TEXTS["head"].format(name=NAMES.get(seed, seed), **LESSONS[chapter])
    items = (f"{n}. {as_question(made)}\n" for n, made in enumerate(sheet(chapter, seed), 1))
    return "\n".join([head, *items])


def as_question(made):
    """The words of a question, its choices by letters, and a line for the answer."""
    pairs = zip(LETTERS, made.get("choices", ()), strict=False)
    choices = "".join(f"   - {letter}) {choice}\n" for letter, choice in pairs)
    line = "Letter: ________\n" if choices else f"Number: ________ {made.get('unit', '')}"
    return f"{made['question']}\n\n{choices}\n   {line}".replace("\n\n\n", "\n\n").rstrip()


def as_key(chapter, seeds):
    """The right answers of some sheets with their reasons, as Markdown."""
    n_first = len(LESSONS[chapter]["first"])
    about = f"Questions 1 {'and' if n_first == 2 else 'to'} {n_first} are"
    parts = [TEXTS["key"].format(about=about, **LESSONS[chapter])]
    for seed in seeds:
        items = (f"{n}. {as_answer(made)}\n" for n, made in enumerate(sheet(chapter, seed), 1))
        parts += [f"## Sheet {NAMES.get(seed, seed)}\n", *items]
    return "\n".join(parts)


def as_answer(made):
    """The right answer, what is near enough to count, and why."""
    kind = Prediction(**made).kind
    letter = f"{letter_of(kind)}) " if "choices" in made else ""
    stop = "" if (kind.truth + kind.allowed).endswith(".") else "."
    return f"**{letter}{kind.truth}**{kind.allowed}{stop} {made['because']}"


def files(chapter, seed=None):
    """Name and text of each file of a lesson: both sheets and their key, or those of a seed."""
    seeds = {"before": A, "after": B} if seed is None else {f"sheet_{seed}": seed}
    sheets = {f"{name}_{chapter}.md": as_sheet(chapter, n) for name, n in seeds.items()}
    key = "key_sheets" if seed is None else f"key_sheet_{seed}"
    return sheets | {f"{key}_{chapter}.md": as_key(chapter, seeds.values())}


def write(seed=None):
    """Write the sheets and keys of all lessons; return the folder."""
    folder = TEACHING if seed is None else AGAIN
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (item for chapter in LESSONS for item in files(chapter, seed).items()):
        write_whole(folder / name, text)
    return folder


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, help="number of another sheet, to ask once more")
    print(f"Sheets and keys are in {write(parser.parse_args().seed)}.")
