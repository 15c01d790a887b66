"""Sphinx extension for what the pages of a book can do without a kernel.

It brings one script and one style for what a reader touches (`touchbook.script`), Python for the
page (`touchbook.page.python`), and word to the kernels that a page is being made. What a page keeps
in its reader's browser has names that begin with the setting ``touchbook_storage``.

Notebooks are executed in processes that inherit the environment; a variable in it tells
`touchbook.widgets` that a page is being made.
"""

import os
import re
import shutil
import tempfile
from pathlib import Path

from docutils import nodes

from touchbook import BOOK_BUILD
from touchbook.page import beside, found, lessons, policy, python
from touchbook.script import HERE as TOUCH
from touchbook.script import page_script, styles

HERE = Path(__file__).parent

# An icon in the theme's script: name, width, height, other names, place in the font, drawing. With
# two thousand of them the script weighs as much as all else that a page waits for.
_ICON = re.compile(r'"?([\w-]+)"?:\[\d+,\d+,(\[[^\]]*\]),"\w*",(?:"[^"]*"|\[[^\]]*\])\],?')

# A formula in the text, and what must stand on its line: a full stop, a bracket, "-th".
_ENDED = re.compile(r'(<span class="math [^>]*>(?:(?!</span>).)*</span>(?:[.,;:?!)”]|-[a-z]+)+)')


def setup(app):
    """Register with Sphinx."""
    os.environ |= {BOOK_BUILD: "yes", "TQDM_DISABLE": "1"}  # a bar would be one of the outputs
    app.connect("build-finished", lambda _app, _error: os.environ.pop(BOOK_BUILD, None))
    app.connect("build-finished", _thin_icons, priority=900)  # after it is copied
    static = tempfile.mkdtemp(prefix="touch-")
    app.connect("build-finished", lambda _app, _error: shutil.rmtree(static))
    _write_scripts(Path(static))
    app.config.html_static_path.append(static)
    app.add_css_file("touch.css")
    app.add_config_value("touchbook_storage", "touchbook", "html")
    app.connect("config-inited", _add_script)
    app.connect("config-inited", _set_theme)
    app.connect("html-page-context", _name_workshop)
    app.connect("doctree-read", _keep_percent)
    app.connect("html-page-context", _keep_together)
    beside.setup(app)
    python.setup(app)
    found.setup(app)
    lessons.setup(app)
    policy.setup(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def _add_script(app, config):
    """Let pages load the script, which keeps under the book's name what a reader has done."""
    stored = {"data-storage": config.touchbook_storage}
    app.add_js_file("touch.js", loading_method="defer", **stored)


def _set_theme(_app, config):
    """Set what `_config.yml` cannot: options of the theme there would take the place of all others.

    Without an address of the sources there is nothing that Binder or Colab could open.
    """
    options = config.html_theme_options
    options["show_navbar_depth"] = 2
    # A single key does nothing by itself (WCAG 2.1.4); Ctrl and K open the search.
    options["enable_search_shortcuts"] = False
    if not options.get("repository_url"):
        options.pop("launch_buttons", None)


def _name_workshop(app, pagename, _template, context, _doctree):
    """Tell a lesson where its workshop is, which may hold what once stood in the lesson."""
    workshop = f"{pagename}_workshop"
    if workshop in app.env.found_docs:
        address = app.builder.get_relative_uri(pagename, workshop)
        link = f'<link rel="section" href="{address}">'
        context["metatags"] = context.get("metatags", "") + link


def _keep_percent(_app, doctree):
    """Let no line begin with a percent sign."""
    for text in list(doctree.findall(nodes.Text)):
        if " %" in text and isinstance(text.parent, nodes.paragraph):
            text.parent.replace(text, nodes.Text(text.replace(" %", "\N{NO-BREAK SPACE}%")))


def _keep_together(_app, _pagename, _template, context, _doctree):
    """Let no line begin with the full stop that follows a formula."""
    if "body" in context:
        context["body"] = _ENDED.sub(r'<span class="together">\1</span>', context["body"])


def _write_scripts(folder):
    (folder / "touch.js").write_text(page_script(HERE / "page.js"), encoding="utf-8")
    (folder / "touch.css").write_text(styles(), encoding="utf-8")
    for path in (HERE / "worker.js", TOUCH / "cell" / "editor.js"):
        shutil.copy(path, folder)


def _thin_icons(app, _error):
    """Leave in the theme's script those icons that pages or scripts name."""
    site = Path(app.outdir)
    script = site / "_static" / "scripts" / "fontawesome.js"
    if not script.exists():
        return
    naming = [*site.rglob("*.html"), *script.parent.glob("*-theme.js")]
    used = {
        name
        for path in naming
        for name in re.findall(r"fa-([a-z-]+)", path.read_text(encoding="utf-8"))
    }

    def kept(icon):
        return icon[0] if used & {icon[1], *re.findall(r'"([\w-]+)"', icon[2])} else ""

    script.write_text(_ICON.sub(kept, script.read_text(encoding="utf-8")), encoding="utf-8")
