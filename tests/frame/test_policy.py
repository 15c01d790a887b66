"""The policy of a built page names what stands in it and may run."""

import base64
import hashlib

from touchbook.page.policy import handlers_of, restrict

PAGE = """<html><head>
    <meta charset="utf-8" />
<script>let a = "<b>";</script>
<script type="application/json">{"b": 1}</script><script src="own.js"></script>
</head><body><button onclick="go(&quot;on&quot;)">Go</button></body></html>
"""


def named(text):
    """How a policy names a text that may run."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def test_what_runs_is_named_and_nothing_else_and_once():
    assert handlers_of(PAGE) == ['go("on")']
    page = restrict(PAGE, handlers_of(PAGE))
    assert page.count("'sha256-") == 2
    assert named('let a = "<b>";') in page
    assert named('go("on")') in page
    assert "script-src 'self' 'unsafe-hashes' 'sha256-" in page
    assert restrict(page, handlers_of(page)) == page
    assert page.index("Content-Security-Policy") < page.index("<script>")
    assert restrict("no page", []) == "no page"
