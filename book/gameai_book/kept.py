"""Keep the exhibits' compiled kernels as `gameai_lib.base.kept` keeps those of the library."""

import hashlib
from pathlib import Path

from gameai_lib.base import kept


class ByContent(kept.ByContent):
    """Finds the kernels of a chapter by its text and that of the library, which it calls."""

    ROOT = Path(__file__).parent

    def get_source_stamp(self):
        """A number of all that the function may be compiled from."""
        texts = kept.text_of(self.ROOT, self._path.parts[0]) + kept.text_of(kept.LIBRARY, ".")
        return hashlib.sha256(texts.encode()).hexdigest()
