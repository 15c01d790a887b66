"""The Chromium that tests and benchmarks drive: Debian's or the user's own.

The shell without windows draws the same pages with a quarter less work.
"""

import contextlib
import os
import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
OPTIONS = {"executable_path": CHROMIUM, "args": FLAGS, "chromium_sandbox": False}


@contextlib.contextmanager
def launched():
    """A headless Chromium; Playwright alone would fetch one."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**OPTIONS)
        yield browser
        browser.close()


def heard(context):
    """What goes wrong from now on in the pages of a context, by their scripts and consoles."""
    faults = []
    context.on("weberror", lambda one: faults.append(one.error.stack))
    context.on("console", lambda m: m.type in ("error", "warning") and faults.append(m.text))
    return faults
