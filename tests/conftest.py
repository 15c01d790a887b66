"""What holds for every test: what runs beside what."""

import signal

import pytest

# Two workers: one begins at either end of what takes longest, so that none waits for the other.
# A name is that of a file, or of a chapter whose page is shared.
LONGEST = (
    "test_pyodide_units",
    "test_lab",
    "nrpa",
    "btmm",
    "ntbea",
    "hanabi",
    "together",
    "index",
    "test_browser",
    "test_python_in_page",
    "test_board_page",
)


def pytest_configure():
    """Let control-C arrive, also where a shell started the tests in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def group_of(item):
    """Tests of one group run in one worker, one after the other, and share what they open."""
    params = item.callspec.params if hasattr(item, "callspec") else {}
    if "here" in item.fixturenames:
        return params["page"]
    if "visited" in item.fixturenames:
        return f"{item.path.stem} {params['path']}"
    return item.path.stem


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark what needs the built book, give each test its group, and begin with the longest."""

    def place(item):
        group = groups[item]
        name = group.split()[0]
        is_browsers = "browser" in item.path.parent.name
        return (
            not is_browsers,
            LONGEST.index(name) if name in LONGEST else len(LONGEST),
            order[group],
        )

    groups = {item: group_of(item) for item in items}
    order = {group: i for i, group in enumerate(dict.fromkeys(groups.values()))}
    for item in items:
        if item.path.parent.name == "browser":
            item.add_marker("browser")
        item.add_marker(pytest.mark.xdist_group(groups[item]))
    items.sort(key=place)
