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
# To make the pictures of a page dark takes longer than all else that is looked at in the dark.
NONE_IN_DARK = "HTMLImageElement.prototype.decode = () => Promise.reject(new Error('light only'));"

# Contrast is a matter of a word's own style and of what is painted behind it. Of the words of
# all pages that agree in these one is enough: axe takes minutes for 36,000.
SEEN = set()
MARK_STYLES = """(known) => {
    const seen = new Set(known), fresh = [];
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
            getComputedStyle(element.parentElement).color, // a link is told from what is around it
            element.textContent.trim().length === 1].join(";"); // of one letter axe says nothing
        if (seen.has(key)) continue;
        seen.add(key);
        fresh.push(key);
        element.setAttribute("data-one-style", "");
    }
    return fresh;
}"""


# What axe need not walk through, which takes it most of its time: all that stands beside a
# `place`, and where colours are looked at, beside words of a style that is new. In a whole page
# formulas, and boards, each of which is looked at alone; words of code; nine of ten entries of
# an index, which Sphinx writes alike.
TAKE_AWAY = """([place, known]) => {
    const away = window.away = [], all = (names) => [...document.querySelectorAll(names)];
    const takeAway = (element, left = new Comment()) => {
        element.replaceWith(left);
        away.unshift([element, left]);
    };
    for (let one = place && document.querySelector(place); one && one !== document.body;
        one = one.parentElement) {
        for (const other of [...one.parentElement.children]) if (other !== one) takeAway(other);
    }
    if (!place) all(".board-picture, math").forEach((one) => takeAway(one));
    if (known) {
        all("[data-one-style]").forEach((one) => one.removeAttribute("data-one-style"));
        const fresh = (MARK_STYLES)(known);
        const MARK = "[data-one-style]";
        // Blocks of the text only: within one of them all lies where it lay.
        const flows = (one) => one.matches("section, article") || one.querySelector("article");
        const prune = (element) => {
            for (const one of [...element.children]) {
                if (!one.matches(MARK) && !one.querySelector(MARK)) takeAway(one);
                else if (flows(one)) prune(one);
            }
        };
        if (fresh.length) prune(document.body);
        return fresh;
    }
    for (const names of place ? [] : ["section > dl.py", "nav li li", ".genindextable li"]) {
        all(names).filter((_, i) => i % 10).forEach((one) => takeAway(one));
    }
    all("pre span").forEach((one) => takeAway(one, new Text(one.textContent)));
}""".replace("MARK_STYLES", MARK_STYLES)
BRING_BACK = "() => { for (const [element, left] of window.away) left.replaceWith(element); }"


def faults_of(page, place=None):
    """Faults, as words, of a page, colours and sizes aside, or of the `place` of a selector."""
    off = {rule: {"enabled": False} for rule in (COLOURS if place else NOT_WHOLE)}
    return _faults(page, place, {"runOnly": {"type": "tag", "values": LEVELS}, "rules": off})


def colour_faults_of(page, place=None):
    """Faults of colours in the theme that the page has now; one for each style, and once only."""
    return _faults(page, place, {"runOnly": {"type": "rule", "values": COLOURS}})


def faults_in_both_themes(page, place=None):
    """All faults of a page or a `place`, and those of its colours in the light and in the dark."""
    page.add_style_tag(content=NO_FADING)
    found = faults_of(page, place)
    for theme in ("dark", "light"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        found += colour_faults_of(page, place)
    return found


def _faults(page, place, options):
    options["resultTypes"] = ["violations"]  # what passes is not written out
    is_marked = options["runOnly"]["type"] == "rule"
    fresh = page.evaluate(TAKE_AWAY, [place, [*SEEN] if is_marked else None])
    SEEN.update(fresh or ())
    looked_at = "[data-one-style]" if is_marked else place
    found = []
    if fresh != []:
        report = Axe().run(page, {"include": looked_at} if looked_at else None, options).response
        found = report["violations"]
    page.evaluate(BRING_BACK)
    return [
        f"{fault['id']}: {node['html'][:160]}"
        for fault in found
        for node in fault["nodes"]
        if OTHERS_FAULTS.get(fault["id"], "nothing") not in node["html"]
    ]
