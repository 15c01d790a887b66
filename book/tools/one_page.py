"""Build one page of the book, and show it: ``python -m book.tools.one_page btmm``.

Outputs come from the cache where nothing that they depend on has changed. References to
other pages stay unresolved, and say so.
"""

import shutil
import subprocess
import sys
import webbrowser
from pathlib import Path

from book.tools.forget_stale import ROOT, forget_stale


def build(name):
    """Build the page of `book/<name>` alone; return its address.

    Raises
    ------
    SystemExit
        If there is no such page, or it cannot be built.
    """
    pages = sorted(p.stem for p in (ROOT / "book").glob("*") if p.suffix in (".ipynb", ".md"))
    if name not in pages:
        raise SystemExit(f"no page {name!r}: NAME is one of {', '.join(pages)}")
    forget_stale()
    folder = ROOT / "_build" / "chapter"
    # Sphinx would keep a page whose own text is the same.
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    toc = folder / "_toc.yml"
    toc.write_text(f"format: jb-book\nroot: book/{name}\n", encoding="utf-8")
    builder = Path(sys.executable).with_name("jupyter-book")
    command = [builder, "build", ROOT, "--toc", toc, "--path-output", folder]
    built = subprocess.run(command, cwd=ROOT)
    if built.returncode:
        raise SystemExit(built.returncode)
    return (folder / "_build" / "html" / "book" / f"{name}.html").as_uri()


if __name__ == "__main__":
    address = build(sys.argv[1] if len(sys.argv) > 1 else "")
    print(f"The page is built: {address}")
    webbrowser.open_new_tab(address)
