"""What runs a reader's cell in the page, tried in CPython; and what exercises say."""

import json

import pytest

from touchbook import boards
from touchbook.cell.runner import LONGEST, run
from touchbook.exercises import checking

CHECK = """
from touchbook.exercises import checking

with checking("sum"):
    assert total([1, 2]) == 3, f"1 + 2 is not {total([1, 2])}"
"""


def answer(*arguments):
    """The answer of one run."""
    return json.loads(run(*arguments))


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("print(a)\na + 1", "1\n2\n"),
        *((code, "") for code in ("b = 1", "None", "1;", "", "# nothing")),
        ("'x' * 100_000", f"'{'x' * (LONGEST - 1)} … (100,002 characters)\n"),
    ],
)
def test_a_cell_prints_and_its_last_value_shows_if_it_has_one(code, printed, capsys):
    assert answer(code, "a = 1\nprint('silent')") == {"state": "idle", "error": ""}
    assert capsys.readouterr().out == printed


def test_a_board_as_last_value_is_played_below_the_cell(capsys):
    name = "from touchbook.widgets import play"
    said = answer("play('gameai_book.ntbea.boards.arms:ArmsBoard', name='mine', n_pulls=9)", name)
    assert (said["state"], capsys.readouterr().out) == ("idle", "")
    assert 'id="board-mine"' in said["board"]
    request = {"own": True, "do": "touch", "name": "pull-A"}
    played = json.loads(boards.answer("mine", json.dumps(request)))
    assert played["text"] == "board: arms\nseed: 0\nn_pulls: 9\ntouches: pull-A\n"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("alone = 1\n1 / 0", 'File "your code", line 2'),
        ("alone", "NameError: name 'alone'"),  # runs share no names
        ("a = (", "SyntaxError"),
        ("import matplotlib_of_nowhere", "In the page there are"),
        ("exit()", "SystemExit"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("def f():\n    f()\nf()", "RecursionError"),
        ("raise ValueError('x' * 100_000)", "characters"),
    ],
)
def test_an_error_is_told_from_the_readers_line_on(code, words):
    result = answer(code)
    assert result["state"] == "error"
    assert words in result["error"]
    assert "_runner" not in result["error"]
    assert len(result["error"]) < LONGEST + 100
    assert "could not be prepared: ZeroDivisionError" in answer("1", "1 / 0")["error"]


@pytest.mark.parametrize(
    ("code", "state", "words"),
    [
        ("total = sum", "passed", "Right."),
        ("def total(x):\n    return 4", "failed", "Not yet: 1 + 2 is not 4"),
        ("def total(x):\n    return x / 2", "failed", "your code raises TypeError: "),
        ("def total(x):\n    return x / 2", "failed", "(line 2)"),
        ("a = 1", "failed", "cannot go on with what you gave: NameError"),
    ],
)
def test_a_check_says_what_is_wrong(code, state, words, capsys):
    result = answer(code, "", CHECK, "sum")
    assert result == {"state": state, "error": ""}
    assert words in capsys.readouterr().out


def test_a_check_that_checks_nothing_passes_nobody():
    assert answer("a = 1", "", "b = 2", "other")["state"] == "failed"


def test_checking_does_not_hold_an_interrupt_back():
    with pytest.raises(KeyboardInterrupt), checking("rows"):
        raise KeyboardInterrupt
