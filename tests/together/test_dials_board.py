"""The dials, beside the library's own games of the same lists on the same decks."""

import re

import numpy as np
import pytest

from gameai_book.together.boards.dials import DIALS, LABELS, NAMES, DialsBoard
from gameai_lib.hanabi.game.box import ALL_CARDS
from gameai_lib.hanabi.players.self_play import score_decks
from gameai_lib.together.rule_list import CONVENTION, SPACE, TUNED, agent_of
from tests.support.board_checks import targets, touch
from touchbook import BOOK_BUILD
from touchbook.boards import Session

BY_DIAL = {dial: (d, values) for d, (dial, values) in
           enumerate(zip(SPACE.names, SPACE.values, strict=True))}  # fmt: skip


@pytest.fixture(autouse=True)
def fast(monkeypatch):
    """Nobody watches: no pause between pictures."""
    monkeypatch.setenv(BOOK_BUILD, "1")


def scores(values, n_players=2, seed=0, deal=0):
    """What a list scores on the decks of a board."""
    decks = np.random.default_rng([seed, deal]).permuted(np.tile(ALL_CARDS, (1000, 1)), axis=1)
    return score_decks(agent_of(values), n_players, decks, np.random.default_rng(9))


def mean(values, sign=""):
    words = f"{np.mean(values):{sign}.2f} ± {np.std(values, ddof=1) / len(values) ** 0.5:.2f}"
    return words.replace("-", "−")


def change(**values):
    """The touches that turn these dials, with underscores for spaces."""
    for dial, value in values.items():
        d, known = BY_DIAL[dial.replace("_", " ")]
        yield f"dial-{d}-{known.index(value)}"


def test_the_words_name_the_dials_and_places_of_the_library():
    assert [*DIALS] == [*SPACE.names]
    assert len({*NAMES}) == len(NAMES)
    places = {"playing": "play_asked", "asking": "hint_asking", "clearing": "discard_useless"}
    places |= {"discard": "discard_unmarked", "discarding": "discard_unmarked", "never": None}
    for dial, labels, values in zip(SPACE.names, LABELS, SPACE.values, strict=True):
        assert len({*labels}) == len(values)
        if dial.endswith("before"):
            assert tuple(places[label] for label in labels) == values
    agent = agent_of(CONVENTION | {"saving": SPACE.values[2][LABELS[2].index("a last copy")]})
    assert "hint_critical" in [rule.__name__ for rule in agent.rules]


def test_a_turn_is_played_on_the_same_decks_and_compared_with_the_list_before():
    session = Session(DialsBoard(seed=4))
    two, one = change(saving="hint_critical_or_two", gamble="gamble_at_the_end")
    saving = CONVENTION | {"saving": "hint_critical_or_two"}
    lists = CONVENTION, saving, saving | {"gamble": "gamble_at_the_end"}
    plain, better, last = (scores(values, seed=4) for values in lists)
    said = touch(session, two)["say"]
    assert f"This list {mean(better)}; The Convention {mean(plain)}" in said
    assert f"“Save a card: never → also a 2”, brought {mean(better - plain, '+')} points" in said
    state = touch(session, one)
    assert f"This list {mean(last)};" in state["say"]
    assert f"Your best list {mean(better)}." in state["say"]
    gain = mean(last - better, "+")
    assert f"“Final gamble: never → always”, brought {gain} points" in state["say"]
    assert f"Final gamble: never → always: {gain}" in state["svg"]
    assert f"This list {mean(better)}" in touch(session, "best")["say"]
    fresh = touch(session, "fresh")["say"]
    assert f"This list {mean(scores(saving, seed=4, deal=1))};" in fresh


def test_a_dial_without_effect_changes_no_game():
    session = Session(DialsBoard())
    said = touch(session, *change(saving_before="play_asked"))["say"]  # nothing is saved
    assert "“Save before: clearing → playing”, changed the points of no game." in said


def test_a_page_without_python_says_what_the_last_turn_brought():
    states = Session(DialsBoard()).record()
    assert "“Save a card”: it answers at once." in states[""]["say"]
    d, saving = BY_DIAL["saving"]
    runs = [run.split() for run in states if run.startswith("dial")]
    assert {(*run,) for run in runs} >= {(f"dial-{d}-1", f"dial-{d}-2")}
    for run in runs:
        values = [saving[int(touch[-1])] for touch in (f"dial-{d}-0", *run)][-2:]
        old, new = (scores(CONVENTION | {"saving": value}) for value in values)
        assert f" brought {mean(new - old, '+')} points a game." in states[" ".join(run)]["say"]


def test_larger_tables():
    session = Session(DialsBoard())
    touch(session, "tuned")
    said = touch(session, "players-3")["say"]
    found = [mean(scores(values, 3)) for values in (TUNED, CONVENTION)]
    assert f"This list {found[0]}; The Convention {found[1]}; Your best list {found[0]}." in said


def test_what_a_tuner_chose_is_marked_only_where_it_is_asked_for():
    session = Session(DialsBoard())
    before = session.answer({"do": "look"})
    assert "tuner" not in before["svg"] + before["say"]
    assert len(targets(before["svg"])) == sum(map(len, SPACE.values))
    state = touch(session, "show-tuned")
    assert state["svg"].count('Z"') == 1 + len(SPACE.names)  # a triangle each, and the key
    chosen = re.search(r"A tuner chose: (.*); all", state["say"])[1]
    assert chosen in touch(session, "tuned")["say"].split("\n")[1]
    assert session.board.point == tuple(SPACE.point_of(TUNED))
