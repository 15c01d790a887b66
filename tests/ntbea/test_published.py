"""Published results beside ours."""

from gameai_book.ntbea.contest.whys import Means
from gameai_book.ntbea.results import published
from gameai_book.ntbea.results.contest import load_contest


def test_the_published_table_is_whole_and_in_its_order():
    """Lucas et al. (2019, table 2); the order of its methods is that of ours where both ran."""
    means = [m.mean for m in published.PLANET_WARS.values()]
    assert means == sorted(means)
    assert len(means) == 16
    assert all(
        isinstance(m, Means) and m.mean <= published.BEST for m in published.PLANET_WARS.values()
    )
    cells = load_contest("planet_wars")
    ours = {e: cell.mean for (_, _, e), cell in cells.items()}
    hill_climbers, others = ("RMHC(1)", "RMHC(5)"), ("NTBEA(1)", "NTBEA(1 2)", "NTBEA(1 2 5)")
    assert set(hill_climbers + others) <= set(published.PLANET_WARS) & set(ours)
    for table in (ours, {e: m.mean for e, m in published.PLANET_WARS.items()}):
        assert table["RMHC(1)"] < table["RMHC(5)"] < min(table[e] for e in others)
