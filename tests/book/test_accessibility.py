"""The page on accessibility speaks of each criterion of WCAG 2.2, A and AA."""

import re

from tests.support.built_pages import ROOT

PAGE = (ROOT / "book" / "accessibility.md").read_text(encoding="utf-8")
# By guideline, the last criterion and those that it leaves out: AAA, or no longer there.
CRITERIA = {
    "1.1": (1, ()), "1.2": (5, ()), "1.3": (5, ()), "1.4": (13, (6, 7, 8, 9)), "2.1": (4, (3,)),
    "2.2": (2, ()), "2.3": (1, ()), "2.4": (11, (8, 9, 10)), "2.5": (8, (5, 6)), "3.1": (2, ()),
    "3.2": (6, (5,)), "3.3": (8, (5, 6)), "4.1": (3, (1,)),
}  # fmt: skip


def test_each_criterion_has_a_state():
    rows = re.findall(
        r"^\| (\d.*?) \| (met|nearly|nothing to meet) \| (.+) \|$", PAGE, re.MULTILINE
    )
    said = [number for names, *_ in rows for number in re.findall(r"\d\.\d\.\d+", names)]
    wished = [
        f"{guideline}.{n}"
        for guideline, (last, left_out) in CRITERIA.items()
        for n in range(1, last + 1)
        if n not in left_out and not (guideline == "1.2" and 1 < n < last)  # a range stands there
    ]
    assert said == wished
    faults = {number for *_, how in rows for number in re.findall(r"fault (\d)", how)}
    assert faults == {"1", "2", "3"}
    assert all(("fault" in how) == (state == "nearly") for _, state, how in rows)
