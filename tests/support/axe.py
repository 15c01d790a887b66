"""What the rules of accessibility (WCAG 2.2, A and AA) find wrong with a page."""

import contextlib

from axe_playwright_python.sync_playwright import Axe

LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# Faults of others' markup: the theme's search button, docutils' bibliography lists.
OTHERS_FAULTS = {
    "label-content-name-mismatch": "search-button",
    "aria-deprecated-role": "doc-biblioentry",
    "aria-required-children": "citation-list",
    "list": "citation-list",
}
COLOURS = ["color-contrast", "link-in-text-block"]  # all that a theme changes
NO_FADING = "* { transition: none !important; }"  # from one theme to the other

# Contrast is a matter of a word's own style and of what is painted behind it. Of the words of
# a page that agree in these one is enough: axe takes minutes for 36,000.
MARK_STYLES = """() => {
    const seen = new Set();
    const look = (element) => {
        const style = getComputedStyle(element);
        return [style.backgroundColor, style.backgroundImage, style.opacity, style.filter,
            style.position].join();
    };
    const behind = new Map();
    const painted = (element) => {
        if (!element) return "";
        if (!behind.has(element)) {
            const above = painted(element.parentElement);
            const own = look(element);
            behind.set(element, above.endsWith(own) ? above : above + "|" + own);
        }
        return behind.get(element);
    };
    for (const element of document.body.querySelectorAll("*")) {
        element.removeAttribute("data-one-style");
        const isWorded = element.matches("select, input, textarea") // their words are no child's
            || [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
        if (!isWorded) continue;
        if (!element.checkVisibility({ visibilityProperty: true })) continue;
        const style = getComputedStyle(element);
        const key = [style.color, style.fontSize, style.fontWeight, style.textShadow,
            style.textDecoration, element.localName, element.inert, painted(element),
            element.textContent.trim().length === 1].join(";"); // of one letter axe says nothing
        if (!seen.has(key)) element.setAttribute("data-one-style", "");
        seen.add(key);
    }
    return seen.size;
}"""


# Formulas are drawn twice, once as MathML for screen readers, once by MathJax, hidden from them
# and with signs that axe cannot see: two thirds of a chapter's elements. Of the hundreds of
# definitions that Sphinx writes alike, every tenth is enough.
TAKE_AWAY = """() => {
    const alike = [...document.querySelectorAll("section > dl.py")].filter((_, i) => i % 10);
    const away = [...document.querySelectorAll("mjx-math[aria-hidden=true]"), ...alike];
    window.away = away.map((element) => [element, document.createComment("")]);
    for (const [element, place] of window.away) element.replaceWith(place);
}"""
BRING_BACK = "() => { for (const [element, place] of window.away) place.replaceWith(element); }"


@contextlib.contextmanager
def thinned(page):
    """The page without what would only cost time."""
    page.evaluate(TAKE_AWAY)
    yield
    page.evaluate(BRING_BACK)


def faults_of(page, place=None):
    """Faults, as words, of a page, colours aside, or all of the `place` that a selector names."""
    off = {rule: {"enabled": False} for rule in ([] if place else COLOURS)}
    with thinned(page):
        return _faults(page, place, {"runOnly": {"type": "tag", "values": LEVELS}, "rules": off})


def colour_faults_of(page, place=None):
    """Faults of colours in the theme that the page has now; of a whole page, one for each style."""
    with thinned(page):
        if place is None:
            assert page.evaluate(MARK_STYLES) > 1
            place = "[data-one-style]"
        return _faults(page, place, {"runOnly": {"type": "rule", "values": COLOURS}})


def _faults(page, place, options):
    options["resultTypes"] = ["violations"]  # what passes is not written out
    report = Axe().run(page, {"include": place} if place else None, options).response
    return [
        f"{fault['id']}: {node['html'][:160]}"
        for fault in report["violations"]
        for node in fault["nodes"]
        if OTHERS_FAULTS.get(fault["id"], "nothing") not in node["html"]
    ]
