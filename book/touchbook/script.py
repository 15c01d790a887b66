"""The scripts and styles of what a reader touches, made of modules without a bundler.

A page opened from a folder may load no modules, and a kernel sends its front end one text: so
modules are joined to one script here. They follow four rules, which let a few lines do it:
imports name what they import and come first; exports are declarations; nothing is renamed; no
two modules of one script have the same file name.
"""

import json
import re
from pathlib import Path

HERE = Path(__file__).parent
IMPORT = re.compile(r'^import \{(\s*\w+(?:,\s*\w+)*,?\s*)\} from "(\.[^"]*)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:const|class|function) (\w+))", re.MULTILINE)
FOREIGN = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
STYLES = ("figure/figure.css", "ask/ask.css", "board/board.css", "cell/cell.css", "table.css")


def join_modules(entry):
    """The source of the module at `entry` and of all that it imports, each in a scope of its own.

    What a module exports is held by a constant, ``$`` and the stem of its path. A ValueError names
    one that breaks the rules, or that imports a module that imports it.
    """
    scopes, begun = {}, {}

    def add(path):
        if begun.setdefault(path.stem, path) != path:
            raise ValueError(f"{path} and {begun[path.stem]} have the same name")
        source = path.read_text(encoding="utf-8")
        for _, address in IMPORT.findall(source):
            imported = (path.parent / address).resolve()
            if imported in scopes:
                continue
            if imported in begun.values():
                raise ValueError(f"{path} and {imported} import each other")
            add(imported)
        names = ", ".join(match[1] for match in EXPORT.finditer(source))
        source = IMPORT.sub(_destructure, EXPORT.sub("", source))
        if foreign := FOREIGN.search(source):
            raise ValueError(f"{path.name}: cannot be joined: {foreign[0]}")
        scopes[path] = f"const ${path.stem} = (() => {{\n{source}\nreturn {{ {names} }};\n}})();\n"

    add(entry.resolve())
    return "".join(scopes.values())


def _destructure(match):
    return f"const {{{match[1]}}} = ${Path(match[2]).stem};\n"


def page_script(entry):
    """One classic script: `entry` and what it imports."""
    return f'(() => {{\n"use strict";\n{join_modules(entry)}}})();\n'


def kernel_module(module):
    """One module for anywidget, which renders as `module` (a path below this folder) says."""
    path = HERE / module
    return f"{join_modules(path)}export default {{ render: ${path.stem}.render }};\n"


def data_element(data, kind=""):
    """An element that carries JSON to a script, of the class `kind`."""
    # "<" must not appear inside: it could close the element.
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    named = f' class="{kind}"' if kind else ""
    return f'<script type="application/json"{named}>{text}</script>'


def styles():
    """One style for all that a page shows."""
    return "".join((HERE / name).read_text(encoding="utf-8") for name in STYLES)
