"""What is believed after a game, or a part of it, by everybody or by one player."""

from collections.abc import Callable, Iterable
from typing import Literal

from gameai_lib.base import checks
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import Floats, Seed
from gameai_lib.hanabi.belief.bad import bad_belief, v2_belief
from gameai_lib.hanabi.belief.bethe import bp_belief
from gameai_lib.hanabi.belief.exact import InconsistentState, exact_belief
from gameai_lib.hanabi.belief.likelihood import (
    MOST_LISTED,
    N_DRAWN,
    WouldAct,
    public_likelihood,
)
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import v1_belief
from gameai_lib.hanabi.game.play import Frame, turns

_BELIEFS: dict[str, Callable[..., Floats]] = {
    "V0": v0_belief,
    "V1": v1_belief,
    "BB": bad_belief,
    "V2": v2_belief,
    "BP": bp_belief,
    "exact": exact_belief,
}


def belief_after(
    frames: Iterable[Frame],
    would_act: WouldAct | None = None,
    *,
    player: int | None = None,
    kind: Literal["V0", "V1", "BB", "V2", "BP", "exact"] = "exact",
    rng: Seed = 0,
    max_hands: int = MOST_LISTED,
    n_samples: int = N_DRAWN,
) -> Floats:
    """Belief about the hands after the last move of a game of two to five.

    It is what everybody believes of all hands, or `player` of their own, as `exact_belief`,
    `v0_belief`, … find it. With the players' policy `would_act`, what their moves say counts, too;
    `agent_would_act` makes one of any agent that leaves nothing to chance. V1 is without it, BB and
    V2 with it. Other arguments are those of `public_likelihood`; where hands are drawn, a
    probability may be off by a tenth or two.

    Gives an (n_players * hand_size, 26) float array, or (hand_size, 26) for a player. Rows sum to
    1: player 0's slots first, the oldest card first in a hand. Column 25 is "no card", in the last
    round. A move that the policy never makes is an `InconsistentState`.

    What the moves say is kept slot by slot, as Foerster et al. 2019 do: where several slots are
    told of at once, even "exact" can be off from the belief of the whole log by a tenth.
    """
    checks.one_of("kind", kind, _BELIEFS)
    frames = list(turns(frames))
    if not frames:
        raise ValueError("a belief needs a game, got no frames")
    last = frames[-1].next_state
    known = last.public() if player is None else last.view(player)
    if would_act is None:
        if kind in ("BB", "V2"):
            raise ValueError(f"{kind} is a belief of what the moves say: it needs would_act")
        return _BELIEFS[kind](*known)
    if kind == "V1":
        raise ValueError("V1 does not hear what the moves say; with would_act it is called BB")
    likelihoods = public_likelihood(
        frames, would_act, rng, player=player, max_hands=max_hands, n_samples=n_samples
    )
    turn = 0
    try:
        with Bar("belief", len(frames), "moves") as bar:
            for turn, found in enumerate(likelihoods):
                likelihood = found
                bar(turn)
    except InconsistentState as error:
        state, move, _ = frames[turn]
        raise InconsistentState(f"move {turn}, player {state.player} {move}: {error}") from error
    return _BELIEFS[kind](*known, likelihood)
