"""What the rules of accessibility (WCAG 2.2, A and AA) find wrong with a page."""

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
NOT_WHOLE = [*COLOURS, "target-size"]  # axe takes half its time for sizes: pages measure their own
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
}"""


# What axe need not walk through, which takes it most of its time: all that stands beside a
# `place`; in a whole page formulas, and boards, each of which is looked at alone; words of code,
# one of each style aside; nine of ten entries of an index, which Sphinx writes alike.
TAKE_AWAY = """([place, marked]) => {
    const away = [], all = (names) => [...document.querySelectorAll(names)];
    const takeAway = (element, left) => {
        element.replaceWith(left);
        away.unshift([element, left]);
    };
    for (let one = place && document.querySelector(place); one && one !== document.body;
        one = one.parentElement) {
        for (const other of [...one.parentElement.children]) {
            if (other !== one) takeAway(other, new Comment());
        }
    }
    if (!place) {
        all(".board-picture, math").forEach((one) => takeAway(one, new Comment()));
        for (const names of ["section > dl.py", "nav li li", ".genindextable li"]) {
            all(names).filter((_, i) => i % 10).forEach((one) => takeAway(one, new Comment()));
        }
    }
    all("[data-one-style]").forEach((one) => one.removeAttribute("data-one-style"));
    if (marked) (MARK_STYLES)();
    all("pre span:not([data-one-style], :has([data-one-style]))")
        .forEach((one) => takeAway(one, new Text(one.textContent)));
    window.away = away;
}""".replace("MARK_STYLES", MARK_STYLES)
BRING_BACK = "() => { for (const [element, left] of window.away) left.replaceWith(element); }"


def faults_of(page, place=None):
    """Faults, as words, of a page, colours and sizes aside, or all of the `place` of a selector."""
    off = {rule: {"enabled": False} for rule in ([] if place else NOT_WHOLE)}
    return _faults(page, place, {"runOnly": {"type": "tag", "values": LEVELS}, "rules": off})


def colour_faults_of(page, place=None):
    """Faults of colours in the theme that the page has now; of a whole page, one for each style."""
    return _faults(page, place, {"runOnly": {"type": "rule", "values": COLOURS}})


def _faults(page, place, options):
    options["resultTypes"] = ["violations"]  # what passes is not written out
    is_marked = place is None and options["runOnly"]["type"] == "rule"
    page.evaluate(TAKE_AWAY, [place, is_marked])
    looked_at = "[data-one-style]" if is_marked else place
    report = Axe().run(page, {"include": looked_at} if looked_at else None, options).response
    page.evaluate(BRING_BACK)
    return [
        f"{fault['id']}: {node['html'][:160]}"
        for fault in report["violations"]
        for node in fault["nodes"]
        if OTHERS_FAULTS.get(fault["id"], "nothing") not in node["html"]
    ]
