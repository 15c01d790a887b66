"""The scripts of a page and of a kernel: joined from modules by a few rules; browsers run them."""

import re

import pytest

from touchbook import script
from touchbook.face import face as made_face
from touchbook.script import HERE, join_modules, kernel_module, page_script, styles

PAGE = HERE / "page"
FACES = ("ask/ask.js", "ask/score.js", "board/board.js", "cover.js", "figure/picture.js")


@pytest.fixture
def write(tmp_path):
    """Writes modules by their names; gives the path of the last."""

    def write(**sources):
        for name, source in sources.items():
            path = tmp_path / f"{name.replace('_', '/')}.js"
            path.parent.mkdir(exist_ok=True)
            path.write_text(source, encoding="utf-8")
        return path

    return write


def imported(path):
    """A module and all that it imports, whichever way."""
    found = [path]
    for one in found:
        text = one.read_text(encoding="utf-8")
        for address in re.findall(r'\b(?:from|import) "(\.[^"]+)"', text):
            target = (one.parent / address).resolve()
            found += [target] * (target not in found)
    return found


# The rules


DOM = "export const the = 1;\n"
FOREIGN = """\
import * as dom from "./dom.js";
import "./dom.js";
import { the as one } from "./dom.js";
import { the } from "./dom.js"
import { render } from "anywidget";
export * from "./dom.js";
export default 3;
export let b = 3;"""


def imports(*paths):
    """A module that imports others."""
    return "".join(f'import {{ a{i} }} from "{path}";\n' for i, path in enumerate(paths))


@pytest.mark.parametrize(
    ("sources", "words"),
    [
        *(
            ({"main": f"{line}\n"}, f"main.js: cannot be joined: {line}")
            for line in FOREIGN.split("\n")
        ),
        ({"in": "export default 3;\n", "main": imports("./in.js")}, "in.js: cannot be joined: exp"),
        ({"a_dom": DOM, "main": imports("./dom.js", "./a/dom.js")}, "have the same name"),
        ({"a": imports("./b.js"), "b": imports("./a.js"), "main": imports("./a.js")}, "each other"),
        ({"main": imports("./gone.js")}, "gone.js"),
    ],
)
def test_what_cannot_be_joined_is_refused_with_its_file(write, sources, words):
    with pytest.raises((ValueError, FileNotFoundError), match=re.escape(words)):
        join_modules(write(dom=DOM, **sources))


# The scripts of this package


def test_every_module_is_part_of_the_page_the_worker_or_a_kernel():
    entries = [PAGE / "page.js", PAGE / "worker.js", *(HERE / face for face in FACES)]
    reached = {one for entry in entries for one in imported(entry)}
    there = {*HERE.rglob("*.js"), *PAGE.rglob("*.js")}
    # The editor is a bundle, which the page asks for when it is idle.
    assert there - reached == {HERE / "cell" / "editor.js"}
    assert reached <= there
    assert imported(PAGE / "worker.js") == [PAGE / "worker.js"]  # it is served as it stands


def test_what_is_rendered_in_a_kernel_is_known():
    sources = {path: path.read_text(encoding="utf-8") for path in HERE.rglob("*.[pj][ys]")}
    rendering = {path for path, text in sources.items() if "export const render =" in text}
    named = re.findall(r'face\(\s*"([\w/]+\.js)"', "".join(sources.values()))
    assert rendering == {HERE / face for face in FACES} == {HERE / face for face in named}


def test_each_kind_of_thing_in_a_kernel_has_a_style_of_its_own():
    # By this name anywidget keeps one style: that of a board would go when a question is shown.
    kept = {made_face(module, (), setup={})._anywidget_id for module in FACES}
    assert len(kept) == len(FACES)


def test_the_page_script_is_one_plain_script():
    text = page_script(PAGE / "page.js")
    assert re.findall(r"^\s*(?:import|export)\b(?!\().*", text, re.MULTILINE) == []
    names = re.findall(r"^const \$(\w+) =", text, re.MULTILINE)
    assert len({*names}) == len(names) == len(imported(PAGE / "page.js"))


@pytest.mark.parametrize("face", FACES)
def test_the_module_of_a_kernel_renders_and_imports_nothing(face):
    text = kernel_module(face)
    name = (HERE / face).stem
    exported = re.findall(r"^(?:import|export)\b(?!\().*", text, re.MULTILINE)
    assert exported == [f"export default {{ render: ${name}.render }};"]


def test_the_styles_of_a_page_are_all_that_there_are_but_those_of_a_kernel():
    there = {path.relative_to(HERE).as_posix() for path in HERE.rglob("*.css")}
    assert there - set(script.STYLES) == {"figure/live.css"}
    assert set(script.STYLES) <= there
    assert styles().count("{") == styles().count("}") > 50
