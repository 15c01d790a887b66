"""Hanabi for two: the reader, and a partner that searches and says what it thinks."""

from itertools import zip_longest

from gameai_book.hanabi.boards import knowledge, picture
from gameai_book.hanabi.boards.knowledge import PARTNER, READER
from gameai_book.hanabi.boards.seat import MARKS, RULES, Seat
from gameai_book.together.boards import thinking_picture, thinking_words, thoughts
from gameai_book.together.boards.thoughts import BELIEFS, MOST_DEALS, N_STEPS
from gameai_lib.base import checks
from gameai_lib.hanabi.players.searcher import FORGIVING
from touchbook.board.pace import pause

TOUCHES = {f"belief-{belief.touch}": name for name, belief in BELIEFS.items()}
LONGER = f"Think longer ({MOST_DEALS} deals)"
DUEL = "Let two searchers play this deck"


class ThinkingBoard(Seat):
    """Hanabi with a partner that searches on the Convention, on a `belief` that can be changed.

    The partner tries its moves on `n_deals` deals. Watched, it thinks on up to `MOST_DEALS`.
    """

    name, title = "thinking", "A partner that thinks"
    rules = (
        *RULES,
        "You and your partner know a convention. A hint asks for the newest card that it touches "
        "to be played, unless everybody can see that this card does not fit.",
        "Your partner thinks before it moves. It imagines many deals of the cards that it "
        "cannot see. On each of them it tries each of its moves, and lets two Convention agents "
        "play the game to its end.",
        "Your partner makes the Convention's move, unless another move gains at least a tenth of a "
        "point, and more than two standard errors.",
        "The list below the board says what a search knows of its own hand: what hints allow, what "
        "they promise, or what the other player's choices tell. L takes every choice for the "
        "Convention's. Soft L forgives choices that are not.",
        "In the chart a mark is the mean gain of a move over the Convention's. The bar reaches two "
        "standard errors to each side. A move that is clearly worse than the best is given up.",
        "“What would search do?” shows such a chart for your own moves. It does not see your cards "
        "either.",
        *MARKS,
    )
    views = {
        "thoughts": "What your partner thought",
        "seat": "What would search do?",
    }

    def __init__(self, *, seed=0, moves=0, belief=FORGIVING, n_deals=100):
        super().__init__(seed=seed, moves=moves)
        self.belief = self.first_belief = checks.one_of("belief", belief, BELIEFS)
        self.n_deals = checks.whole("n_deals", n_deals, 2, MOST_DEALS)
        self.shown = frozenset({"thoughts"})
        self.answers = ()  # the `Search` of each of the partner's moves
        self.aloud = {}  # `Thought` by turn, of searches that were watched
        self.duel = None  # `State` of the game of two searchers on this deck

    def options(self):
        return super().options() | {"belief": self.first_belief, "n_deals": self.n_deals}

    def runs_to_record(self):
        """How the partner thinks on after a hint, and another hint; or search in the own seat."""
        seat, steps = "show-seat", ("think-2",) * (N_STEPS // 2)
        if self.moves:
            others = [touch for touch, name in TOUCHES.items() if name != self.belief]
            return [(seat, *steps), *((seat, touch) for touch in others)]
        first = knowledge.advice(self.start)[0]
        hints = [name for name, hint, *_ in picture.HINTS if hint in self.start.legal_moves()]
        usual = [name for name, hint, *_ in picture.HINTS if hint == first] or hints[:1]
        others = [name for name in hints if name not in usual]
        return [(seat,), *((name, *steps) for name in usual), *((name,) for name in others[-2:])]

    def selects(self):
        choices = [(touch, f"{name}: {BELIEFS[name].words}") for touch, name in TOUCHES.items()]
        return [("Its belief", choices, f"belief-{BELIEFS[self.belief].touch}")]

    def move(self, name):
        if name not in TOUCHES:
            is_move = super().move(name)
        elif is_move := TOUCHES[name] != self.belief:
            self.belief = TOUCHES[name]
        if is_move:
            self.aloud = {}
        return is_move

    def answer(self, state):
        search = self._search(state, len(self.frames))
        self.answers = (*self.answers, search)
        return search.thought.moves[search.choice]

    def _search(self, state, turn):
        return thoughts.search(state, turn, self.belief, self.n_deals, self.seed)

    def panels(self):
        """The open charts: whose moves they are, and the search for them.

        There is None before a move, and at the end until one is looked at. A search that has been
        watched is shown as it stands since.
        """
        found, n_answers = {}, (self.moment - self.moves) // 2
        is_over = self.position.is_over
        if "thoughts" in self.shown:
            found[PARTNER] = self.answers[n_answers - 1] if n_answers and not is_over else None
        if "seat" in self.shown:
            found[READER] = None if is_over else self._search(self.position, self.moment)
        return [(player, search and self._watched(search)) for player, search in found.items()]

    def _watched(self, search):
        return search._replace(thought=self.aloud.get(search.turn, search.thought))

    @property
    def thinks(self):
        """At the end two searchers play; before, and in the look back, a search goes on."""
        if self.state.is_over and self.looked is None:
            return "" if self.duel is not None and self.duel.is_over else DUEL
        return LONGER if any(search for _, search in self.panels()) else ""

    def think(self):
        if self.thinks == DUEL:
            start = self.state_after(self.moves)
            for state in thoughts.play_on(start, FORGIVING, self.n_deals, self.seed):
                self.duel = state
                yield 1 - self.duel.n_deck / max(1, start.n_deck)
        elif self.thinks == LONGER:
            yield from self._think_aloud()

    def _think_aloud(self):
        searches = [search for _, search in self.panels() if search]
        runs = [thoughts.think(*search[:3], MOST_DEALS, self.seed) for search in searches]
        for step, found in enumerate(zip_longest(*runs), 1):
            now = zip(searches, found, strict=True)
            self.aloud = self.aloud | {s.turn: thought for s, thought in now if thought}
            yield step / N_STEPS
            pause()

    tell_last = thinking_words.tell_last
    tell_more = thinking_words.tell_more
    tell_end = thinking_words.tell_end

    def svg(self):
        return picture.draw(self, thinking_picture.draw if self.panels() else None)
