"""Pictures of landscape models, searches and their games; they draw and compute nothing new."""

from gameai_lib.ntbea.show.contests import draw_contest, draw_landscape, draw_turned
from gameai_lib.ntbea.show.games import (
    draw_battle,
    draw_chances,
    draw_first_games,
    draw_planets,
    draw_results,
)
from gameai_lib.ntbea.show.models import (
    draw_bandit,
    draw_choice,
    draw_grid,
    draw_marginals,
    draw_margins,
    draw_parts,
)

__all__ = [
    "draw_bandit",
    "draw_battle",
    "draw_chances",
    "draw_choice",
    "draw_contest",
    "draw_first_games",
    "draw_grid",
    "draw_landscape",
    "draw_marginals",
    "draw_margins",
    "draw_parts",
    "draw_planets",
    "draw_results",
    "draw_turned",
]
