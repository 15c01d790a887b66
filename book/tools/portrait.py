"""Take the README's picture of the book: one thing to touch from each chapter, touched.

After ``make book PYODIDE=folder``: ``python -m book.tools.portrait``.
"""

import io

from PIL import Image

from book.tools.forget_stale import ROOT
from gameai_lib.base.files import write_whole
from tests.support.board_player import Player
from tests.support.chromium import launched
from tests.support.serving import served

PICTURE = ROOT / "book" / "images" / "portrait.png"
WIDTH, GAP = 640, 24  # of one of the four, and between them


def portrait(site):
    """The landing page's four figures, two by two, as a PNG."""
    with served(site) as address, launched() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 1000}, color_scheme="light")
        page.goto(f"{address}/book/index.html")
        slider = page.locator("figure.explorable [data-name]").first
        for _ in range(2):
            slider.press("ArrowRight")
        shots = [page.locator("figure.explorable img").first.screenshot()]
        for name, touches, view in (
            ("arms", [f"pull-{arm}" for arm in "ABCABCCACCC"], "show-bounds"),
            ("reversi", ["f5"], "show-chances"),
            ("samegame", [], "show-groups"),
        ):
            player = Player(page, name)
            player.start()
            for touch in [*touches, view]:
                player.click(touch)
            if name == "samegame":
                player.press("think")
                player.button("think").wait_for(timeout=60_000)
            shots.append(player.figure.locator(".board-picture").screenshot())
    return _sheet([Image.open(io.BytesIO(shot)).convert("RGB") for shot in shots])


def _sheet(images):
    images = [image.resize((WIDTH, round(image.height * WIDTH / image.width))) for image in images]
    rows = [max(a.height, b.height) for a, b in zip(images[::2], images[1::2], strict=True)]
    sheet = Image.new("RGB", (2 * WIDTH + 3 * GAP, sum(rows) + GAP * (len(rows) + 1)), "white")
    top = GAP
    for row, height in enumerate(rows):
        for column, image in enumerate(images[2 * row : 2 * row + 2]):
            lower = (height - image.height) // 2
            sheet.paste(image, (GAP + column * (WIDTH + GAP), top + lower))
        top += height + GAP
    buffer = io.BytesIO()
    sheet.quantize(64, dither=Image.Dither.NONE).save(buffer, format="PNG", optimize=True)
    return buffer.getvalue()


if __name__ == "__main__":
    taken = portrait(ROOT / "_build" / "html")
    write_whole(PICTURE, lambda file: file.write(taken))
    print(f"{PICTURE}: {PICTURE.stat().st_size / 1000:.0f} kB")
