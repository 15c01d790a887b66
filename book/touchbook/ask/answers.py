"""What was answered in a kernel, kept in a file beside the notebook."""

import json
import os
from pathlib import Path

from touchbook import cover
from touchbook.checks import short

_keepers: dict[Path, "Keeper"] = {}  # listeners are held weakly


class Keeper:
    """Writes at each change what the front end keeps of each question, by its name."""

    def __init__(self, path, known):
        self._path, self._known = path, known
        self._met = {}  # the questions that were shown, by their names
        cover.listen(self)
        self.refresh()

    def refresh(self):
        """Give questions that are new their answers, and write what has changed."""
        shown = {**cover.announced}
        for name, question in shown.items():
            known, is_new = self._known.get(name, {}), self._met.get(name) is not question
            self._met[name] = question
            if is_new and not question.record and known.get("key") == question.key:
                question.restore(known)
        known = self._known | {name: one.record for name, one in shown.items()}
        known = {name: given for name, given in known.items() if given}
        if known != self._known:
            self._known = known
            write_whole(self._path, json.dumps(known, ensure_ascii=False, indent=1))


def write_whole(path, text):
    """Write a file whole or not at all."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def keep(path=None):
    """See `touchbook.widgets.keep_answers`."""
    path = _beside_notebook() if path is None else Path(path).absolute()
    _keepers[path] = Keeper(path, _read(path))
    return path


def _beside_notebook():
    notebook = os.environ.get("JPY_SESSION_NAME", "")  # of JupyterLab and Jupyter Server
    if not notebook:
        raise ValueError("no notebook has told its name: give the path of a file for the answers")
    return Path(f"{Path(notebook).stem}.answers.json").absolute()


def _read(path):
    if not path.exists():
        return {}
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        known = None
    if not isinstance(known, dict) or not all(isinstance(one, dict) for one in known.values()):
        raise ValueError(f"{short(str(path))} does not hold answers of this kind; it is left alone")
    return known
