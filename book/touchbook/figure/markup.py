"""Figures as HTML: a picture and its words; on a page without a kernel, native controls too."""

import base64
import html
import json
import re
from typing import NamedTuple


class Picture(NamedTuple):
    """One drawn frame."""

    kind: str  #: "webp" or "png"
    data: bytes
    alt: str  #: what this frame shows, in words

    @property
    def source(self) -> str:
        """The picture as an address that holds it."""
        return f"data:image/{self.kind};base64," + base64.b64encode(self.data).decode()

    def img(self, size: tuple[float, float]) -> str:
        """The picture, of a size in inches, as an HTML ``img`` element with its data inside."""
        # The theme dims and frames pictures in the dark, except those of this class. Decoded at
        # once, a new picture takes the place of the old one without a white moment between.
        alt = html.escape(self.alt)
        width, height = (round(100 * inches) for inches in size)  # its place while it is on its way
        return (
            f'<img class="dark-light" decoding="sync" width="{width}" height="{height}" '
            f'src="{self.source}" alt="{alt}">'
        )


MINUS = re.compile(r"(?<![\w.)\]–-])-(?=\.?\d)")


def typeset(text):
    """Text for people: -0.5 has the minus sign that a book prints, no line begins with a "%"."""
    return MINUS.sub("−", text).replace(" %", "\N{NO-BREAK SPACE}%")


def distinct(items):
    """The different items, and for each item its place among them."""
    places = {}
    order = [places.setdefault(item, len(places)) for item in items]
    return list(places), order


def figure_html(figure, frame, controls="", frames=""):
    """One figure: its controls, the frame that shows, caption, and the data of all frames."""
    width = round(100 * figure.size[0])
    title = f"<strong>{html.escape(figure.title)}</strong> " if figure.title else ""
    live = f'<span class="explorable-live" aria-live="polite">{html.escape(frame.alt)}</span>'
    box = f'<div class="explorable-controls" hidden>{controls}</div>' if controls else ""
    return (
        f'<figure class="explorable" id="fig-{html.escape(figure.name)}" '
        f'style="max-width: {width}px">{box}{frame.img(figure.size)}'
        f"<figcaption>{title}{live}</figcaption>{frames}</figure>"
    )


def control_html(figure, name, control):
    """One native control; its position, not its value, picks the frame."""
    ident = html.escape(f"{figure}-{name}")
    label = f'<label for="{ident}">{html.escape(control.label)}</label>'
    at = control.values.index(control.default)
    texts = html.escape(json.dumps(control.texts, ensure_ascii=False))
    shared = f'id="{ident}" data-name="{html.escape(name)}" data-texts="{texts}"'
    if control.kind == "checkbox":
        body = f'<input type="checkbox" {shared}{" checked" if at else ""}>{label}'
    elif control.kind == "choice":
        options = "".join(
            f"<option{' selected' if i == at else ''}>{html.escape(text)}</option>"
            for i, text in enumerate(control.texts)
        )
        body = f"{label}<select {shared}>{options}</select>"
    else:
        body = (
            f'{label}<input type="range" min="0" max="{len(control.values) - 1}" step="1" '
            f'value="{at}" {shared} aria-valuetext="{html.escape(control.texts[at])}">'
            f'<output for="{ident}">{html.escape(control.texts[at])}</output>'
        )
    if control.play:
        body += (
            f'<button type="button" data-plays="{ident}" '
            f'aria-label="Play {html.escape(control.label)}">▶</button>'
        )
    return f'<span class="explorable-control">{body}</span>'
