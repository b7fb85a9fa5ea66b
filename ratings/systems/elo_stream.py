"""Plain Elo over a long stream of games: the text of `ratings.systems.replay` and `ratings.systems.elo` for one game,
written out over columns.

A call costs as much here as the arithmetic, so this is the one place where the rules stand twice; a test holds the
two ways equal to the last bit over random streams. Taken for a list with one rule whose settings are the plain ones;
everything else goes the general way.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date

from ratings.systems.base import AGE_UNKNOWN, FOREVER, SEQUENCE_BITS, GameRow, PlayedGame, PlayerState, RatedGame
from ratings.systems.k_factors import KRule
from ratings.systems.periods import Beginnings

_new = tuple.__new__  # a named tuple's own constructor costs as much as the rest of a game

# places of White and Black in the columns, White's score, factor on K
Pair = tuple[int, int, float, float]
# White's rating, games and peak before, expected score, K and rating after; Black's without the expected score
PairRow = tuple[float, int, float, float, float, float, float, int, float, float, float]


def rate_pairs(
    pairs: Iterable[Pair],
    ratings: list[float],
    games: list[int],
    peaks: list[float],
    ks: list[float | None],
    find_k: Callable[[int], float],
    scale: float = 400.0,
    base: float = 10.0,
) -> Iterator[PairRow]:
    """Rate pair after pair; the columns hold each player's state and follow. A K that is None is asked of `find_k`,
    which may put it into the column: there it stays until the player reaches a new peak."""
    for white, black, score, weight in pairs:
        own, other = ratings[white], ratings[black]
        white_k, black_k = ks[white], ks[black]
        if white_k is None:
            white_k = find_k(white)
        if black_k is None:
            black_k = find_k(black)
        if weight != 1.0:
            white_k *= weight
            black_k *= weight
        exponent = (other - own) / scale
        expected = 1.0 / (1.0 + base**exponent) if exponent <= 200.0 else 0.0
        surplus = score - expected
        ratings[white] = after = own + white_k * surplus
        ratings[black] = other_after = other - black_k * surplus
        count, other_count = games[white], games[black]
        games[white], games[black] = count + 1, other_count + 1
        peak, other_peak = peaks[white], peaks[black]
        if after > peak:
            peaks[white], ks[white] = after, None
        elif other_after > other_peak:
            peaks[black], ks[black] = other_after, None
        yield own, count, peak, expected, white_k, after, other, other_count, other_peak, black_k, other_after


class _Columns:
    """The players' states as columns, and back."""

    def __init__(self, states: dict[int, PlayerState], births: Mapping[int, int | None], rule: KRule) -> None:
        self.states, self.births, self.rule = states, births, rule
        self.place: dict[int, int] = {}
        self.people: list[PlayerState] = []
        self.ratings: list[float] = []
        self.games: list[int] = []
        self.peaks: list[float] = []
        self.ks: list[float | None] = []
        self.reached: list[int] = []
        self.days: list[int | None] = []
        self.order = 0  # of the game being rated

    def add(self, player: int, start: float, order: int) -> int:
        """The player's place; whoever is not known begins at `start`."""
        state = self.states.get(player)
        if state is None:
            state = self.states[player] = PlayerState(start, 0, start, self.births.get(player), reached=order)
        self.place[player] = place = len(self.people)
        self.people.append(state)
        self.ratings.append(state.rating)
        self.games.append(state.games)
        self.peaks.append(state.peak)
        self.ks.append(None)
        self.reached.append(state.reached)
        self.days.append(state.last_day)
        return place

    def find_k(self, place: int) -> float:
        """The K that holds now; kept where nothing it rests on but a new peak can move it."""
        state, games = self.people[place], self.games[place]
        if state.fixed_k is not None:
            return state.fixed_k
        born = state.birth_year
        age = AGE_UNKNOWN if born is None else date.fromordinal(self.order >> SEQUENCE_BITS).year - born
        step = self.rule.choose(self.ratings[place], games, self.peaks[place], age)
        k = self.rule.steps[step].k
        if self.rule.kept and born is None and games >= self.rule.newcomer_games:
            self.ks[place] = k
        return k

    def write_back(self) -> None:
        """Bring the states up to date and forget the columns: somebody else is going to change the states."""
        for place, state in enumerate(self.people):
            state.rating, state.games, state.peak = self.ratings[place], self.games[place], self.peaks[place]
            state.reached, state.last_day = self.reached[place], self.days[place]
        self.place.clear()
        for column in (self.people, self.ratings, self.games, self.peaks, self.ks, self.reached, self.days):
            column.clear()


def rate_stream(
    games: Iterable[PlayedGame],
    states: dict[int, PlayerState],
    birth_years: Mapping[int, int | None],
    beginnings: Beginnings,
    *,
    rule: KRule,
    start: float,
    scale: float,
    base: float,
    importance: bool,
) -> Iterator[GameRow]:
    """One row per game and starting rating; `states` are changed in place and right once all rows are drawn."""
    columns = _Columns(states, birth_years, rule)
    under_way: deque[tuple[PlayedGame, int, int]] = deque()
    begun: list[GameRow] = []

    def pairs() -> Iterator[Pair]:
        place, add = columns.place, columns.add
        for game in games:
            _, white, black, score, order, _, _, _, weight, _, _, _ = game
            if order >= beginnings.order:
                columns.write_back()
                begun.extend(beginnings.until(order))
            columns.order = order
            own, other = place.get(white), place.get(black)
            if own is None:
                own = add(white, start, order)
            if other is None:
                other = add(black, start, order)
            under_way.append((game, own, other))
            yield own, other, score, weight if importance else 1.0

    rated = rate_pairs(pairs(), columns.ratings, columns.games, columns.peaks, columns.ks, columns.find_k, scale, base)
    for row in rated:
        if begun:
            yield from begun
            begun.clear()
        yield _ledger_row(*under_way.popleft(), row, columns)
    columns.write_back()
    yield from beginnings.until(FOREVER)


def _ledger_row(game: PlayedGame, white: int, black: int, row: PairRow, columns: _Columns) -> RatedGame:
    """The row with everything a replay of the tail begins with; counts the game."""
    own, count, peak, expected, k, after, other, other_count, other_peak, other_k, other_after = row
    score, order = game.score, game.order
    reached, days = columns.reached, columns.days
    state, opponent = columns.people[white], columns.people[black]
    white_reached, black_reached, white_day, black_day = reached[white], reached[black], days[white], days[black]
    if after != own:
        reached[white] = order
    if other_after != other:
        reached[black] = order
    days[white] = days[black] = order >> SEQUENCE_BITS
    if score == 1.0:
        state.wins += 1
        opponent.losses += 1
    elif score == 0.0:
        state.losses += 1
        opponent.wins += 1
    else:
        state.draws += 1
        opponent.draws += 1
    return _new(
        RatedGame,
        (
            game,
            own,
            count,
            peak,
            state.deviation,
            state.volatility,
            state.coefficient,
            white_reached,
            white_day,
            0,
            expected,
            k,
            after - own,
            after,
            other,
            other_count,
            other_peak,
            opponent.deviation,
            opponent.volatility,
            opponent.coefficient,
            black_reached,
            black_day,
            0,
            1.0 - expected,
            other_k,
            other_after - other,
            other_after,
            False,
        ),
    )
