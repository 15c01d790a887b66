"""All lines of play with open cards, tried one by one: Hanabi's rules again, in plain tuples."""


def most_by_all_lines(state):
    """The points of the best line from a `State` on."""
    hands = tuple(tuple(sorted(hand)) for hand in state.hands)
    numbers = state.player, state.turns_left, state.n_hints, state.n_lives
    return _most(hands, state.deck, tuple(state.fireworks.tolist()), *numbers, {})


def _most(hands, deck, heights, player, turns_left, tokens, lives, known):
    points = sum(heights)
    if lives == 0:
        return 0
    if turns_left == 0 or points == 25:
        return points
    key = hands, len(deck), heights, player, turns_left, tokens, lives
    if key not in known:
        after = None if turns_left is None else turns_left - 1
        nexts = list(_nexts(hands[player], heights, tokens, lives))
        if tokens > 0:
            nexts.append((None, heights, tokens - 1, lives))  # a hint
        best = points if lives > 0 else 0
        for card, *numbers in nexts:
            dealt, rest, left = hands, deck, after
            if card is not None:
                hand = list(hands[player])
                hand.remove(card)
                dealt = (*hands[:player], tuple(sorted([*hand, *deck[:1]])), *hands[player + 1 :])
                rest, left = deck[1:], len(hands) if len(deck) == 1 else after
            seat = (player + 1) % len(hands)
            best = max(best, _most(dealt, rest, numbers[0], seat, left, *numbers[1:], known))
        known[key] = best
    return known[key]


def _nexts(hand, heights, tokens, lives):
    """Card, heights, tokens and lives after every play and discard of a hand."""
    for card in {*hand}:
        colour, rank = divmod(card, 5)
        if heights[colour] == rank:
            higher = (*heights[:colour], rank + 1, *heights[colour + 1 :])
            yield card, higher, min(8, tokens + (rank == 4)), lives
        else:
            yield card, heights, tokens, lives - 1
        if tokens < 8:
            yield card, heights, tokens + 1, lives
