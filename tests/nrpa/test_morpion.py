"""Morpion Solitaire: the incremental rules against the referee and the record games."""

from dataclasses import replace

import numpy as np
import pytest

from gameai_book.nrpa.results.tables import best_morpion_game
from gameai_lib.nrpa import flat_monte_carlo, judge
from gameai_lib.nrpa.game.files import read_morpion
from gameai_lib.nrpa.game.morpion import (
    VARIANTS,
    code_of,
    judge_morpion,
    line_of,
    morpion,
    start_points,
    variant_of,
)
from gameai_lib.nrpa.problem.walk import choices_of, playout_of, replay
from tests.nrpa.games import DATA, needs_data


@pytest.mark.parametrize("variant", VARIANTS)
def test_start_cross(variant):
    assert len(start_points(variant)) == {"5": 36, "4": 24}[variant[0]]
    assert variant_of(replace(morpion(variant), name="a game of mine")) == variant


@pytest.mark.parametrize("variant", VARIANTS)
def test_legal_moves_are_what_the_referee_finds_by_brute_force(variant):
    problem = morpion(variant)
    rng = np.random.default_rng(0)
    choices = list(flat_monte_carlo(problem, rng, 1)[0].choices)
    lines = []
    for ply in replay(problem, choices):
        verdict = judge_morpion(variant, lines)
        assert verdict.n_moves_left == ply.legal.size
        for code in ply.legal:
            judge_morpion(variant, [*lines, line_of(int(code), variant)])
        if ply.choice >= 0:
            lines.append(line_of(int(ply.legal[ply.choice]), variant))


# What was measured over 200,000 playouts of another program.
@pytest.mark.parametrize(("variant", "mean", "error"), [("5D", 42.91, 0.03), ("5T", 53.58, 0.04)])
def test_uniform_playouts_of_morpion(variant, mean, error):
    _, scores = flat_monte_carlo(morpion(variant), np.random.default_rng(0), 40_000)
    assert scores.mean() == pytest.approx(mean, abs=4 * np.hypot(scores.std() / 200, error))
    assert variant == "5T" or scores.std() == pytest.approx(13.58, abs=0.3)


def test_codes_name_lines():
    assert line_of(code_of(2, 3, "H"), "5D") == [(2, 3), (3, 3), (4, 3), (5, 3), (6, 3)]
    assert line_of(code_of(2, 3, "DP"), "4T") == [(2, 3), (3, 2), (4, 1), (5, 0)]
    assert line_of(code_of(-9, 19, "V"), "4T")[-1] == (-9, 22)


@needs_data
@pytest.mark.parametrize("path", sorted(DATA.glob("morpion/*.json")), ids=str)
def test_record_games_replay(path):
    variant, codes = read_morpion(path)
    problem = morpion(variant)
    playout = playout_of(problem, choices_of(problem, codes))
    assert playout.score == int("".join(c for c in path.stem.split("_")[1] if c.isdigit()))
    assert judge(problem, playout).n_moves_left == 0


@needs_data
def test_our_best_game_is_nearly_the_record_turned_by_a_quarter():
    _, record = read_morpion(DATA / "morpion" / "5D_rosin82.json")
    lines = {frozenset(line_of(int(code), "5D")) for code in record}
    ours = [line_of(int(code), "5D") for code in best_morpion_game()[0].codes]
    turned = {frozenset((9 - y, x) for x, y in line) for line in ours}
    assert (len(ours), len(turned & lines)) == (82, 77)
