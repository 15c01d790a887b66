"""A lesson on a slow line: ``python -m benchmarks.line``; when can it be read, when is all there?

The built book is served as hosts serve it, text compressed, and Chromium is given a line of 1.5
Mbit/s with an answer after 40 ms. Printed are, in seconds after the address was opened: the first
words on the screen; all words of the page; all formulas typeset; the load event; and all pictures
of figures. The bytes are those of the line.
"""

import argparse
import functools
import gzip
import time
from pathlib import Path

from book.tools.chapters import CHAPTERS
from tests.support.built_pages import SITE
from tests.support.chromium import launched
from tests.support.reader import ALL_HERE
from tests.support.serving import QuietHandler, served

MBIT, LATENCY = 1.5, 40  # a second; milliseconds
TEXT = {".html", ".js", ".css", ".json", ".svg"}
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
N_WORDS = "document.querySelector('article')?.innerText.split(/\\s+/).length ?? 0"
TYPESET = 'document.readyState === "complete" && document.fonts.status === "loaded"'


@functools.cache
def packed(path):
    """A file as it travels."""
    return gzip.compress(path.read_bytes(), 6)


class Host(QuietHandler):
    """Serves text compressed."""

    def send_head(self):
        """Answer with a packed file, if it is one of text."""
        path = Path(self.translate_path(self.path))
        if path.suffix not in TEXT or not path.is_file():
            return super().send_head()
        content = packed(path)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        return None


def measure(browser, address, mbit=MBIT, patience=120):
    """Open a page on a slow line; seconds by what happened."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    n_bytes = []
    line.on("Network.dataReceived", lambda e: n_bytes.append(e["encodedDataLength"]))
    speed = mbit * 1e6 / 8
    conditions = {"latency": LATENCY, "downloadThroughput": speed, "uploadThroughput": speed}
    line.send("Network.emulateNetworkConditions", {"offline": False} | conditions)
    began, words = time.monotonic(), []
    page.goto(address, wait_until="commit")
    while True:
        now = time.monotonic() - began
        words.append((now, page.evaluate(N_WORDS)))
        if page.evaluate(TYPESET) or now > patience:
            break
        page.wait_for_timeout(100)
    typeset = time.monotonic() - began
    at_load = page.evaluate("performance.timing.loadEventEnd - performance.timing.navigationStart")
    bytes_at_load = sum(n_bytes)
    page.wait_for_function(ALL_HERE, timeout=1000 * patience)
    everything = time.monotonic() - began
    most = max(n for _, n in words)
    found = {
        "first words": page.evaluate(PAINTED) / 1000,
        "words at 3 s": max((n for t, n in words if t <= 3), default=0) / most,
        "all words": next(t for t, n in words if n >= 0.97 * most),
        "typeset": typeset,
        "load": at_load / 1000,
        "MB": bytes_at_load / 1e6,
        "all": everything,
        "all MB": sum(n_bytes) / 1e6,
    }
    context.close()
    return found


def main():
    """Print a line for every lesson."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", default=CHAPTERS)
    parser.add_argument("--mbit", type=float, default=MBIT)
    options = parser.parse_args()
    titles = None
    with served(SITE, Host) as address, launched() as browser:
        for name in options.pages:
            found = measure(browser, f"{address}/book/{name}.html", options.mbit)
            if titles is None:
                titles = list(found)
                print(f"{'':16}" + "".join(f"{title:>13}" for title in titles))
            print(f"{name:16}" + "".join(f"{value:13.2f}" for value in found.values()), flush=True)


if __name__ == "__main__":
    main()
