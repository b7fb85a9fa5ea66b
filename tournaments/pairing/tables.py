"""Series of tables: who sits with whom, so that everybody meets as many different people as possible.

A round is a tuple of tables, a table the tuple of its players in order of seats. Table sizes differ by at most one;
whoever sat at a smaller table least often is the next to sit there. The search has a bounded number of steps and its
random numbers come from the seed, so a seed gives the same seating on every machine.

Source: q tables of m ≤ q players for a prime power q and up to q rounds without a second meeting are the lines of
an affine plane, y = ax + c, cut to m columns; m = q has one round more, the columns. All else is found by search.
Not done here: other designs by algebra (the search finds 15 players, 7 rounds at tables of 3, from some seeds).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp
from random import Random

from tournaments.pairing.fields import Field, is_prime_power

Table = tuple[int, ...]
Seating = tuple[Table, ...]
FEWEST, MOST = 3, 8  # players at a table
MOST_PLAYERS = 200
STEPS = 200_000
WARM = 0.6  # the search's first temperature, in repeated meetings


def table_sizes(players: int, wished: int) -> tuple[int, ...]:
    """Sizes as near to the wished one as possible, larger tables first. Raises ValueError."""
    if not FEWEST <= players <= MOST_PLAYERS or not FEWEST <= wished <= MOST:
        raise ValueError(f"{FEWEST} to {MOST_PLAYERS} players sit at tables of {FEWEST} to {MOST}")
    counts = [n for n in range(1, players) if players // n >= FEWEST and -(-players // n) <= MOST]
    tables = min(counts, key=lambda n: (abs(players - wished * n) / n, -n))
    size, larger = divmod(players, tables)
    return (size + 1,) * larger + (size,) * (tables - larger)


def seat_round(players: Sequence[int], wished: int, played: Sequence[Seating], *, seed: int) -> Seating:
    """The next round for those present, given what was played. Raises ValueError."""
    return seat_series(players, wished, 1, played, seed=seed)[0]


def seat_series(
    players: Sequence[int], wished: int, rounds: int, played: Sequence[Seating] = (), *, seed: int
) -> tuple[Seating, ...]:
    """All rounds to come. `players`: their numbers, each once; who is in `played` alone has left. Raises ValueError."""
    if len(set(players)) != len(players):
        raise ValueError("a player stands in the list twice")
    sizes, rng = table_sizes(len(players), wished), Random(seed)
    drawn = None if played else _lines(players, sizes, rounds, rng)
    if drawn is None:
        search = _Search(players, sizes, rounds, played, rng)
        search.run()
        drawn = search.drawn
    return _with_seats(drawn, played)


def _lines(players: Sequence[int], sizes: Sequence[int], rounds: int, rng: Random) -> list[list[list[int]]] | None:
    """The lines of an affine plane in its first columns, if the numbers fit."""
    order, columns = len(sizes), sizes[0]
    most = order + (columns == order)
    if sizes[-1] != columns or columns > order or rounds > most or not is_prime_power(order):
        return None
    field, lots = Field(order), list(players)
    rng.shuffle(lots)
    drawn = [[lots[column * order : (column + 1) * order] for column in range(order)]] if rounds > order else []
    for slope in range(rounds - len(drawn)):
        drawn.append(
            [
                [lots[x * order + field.add(field.multiply(slope, x), start)] for x in range(columns)]
                for start in range(order)
            ]
        )
    return drawn


class _Search:
    """Swaps two players of one round, at tables of one size, while that lessens repeated meetings; annealed."""

    def __init__(
        self, players: Sequence[int], sizes: Sequence[int], rounds: int, played: Sequence[Seating], rng: Random
    ) -> None:
        self.rng = rng
        known = sorted({*players, *(player for seating in played for table in seating for player in table)})
        self.met = {one: dict.fromkeys(known, 0) for one in known}
        for seating in played:
            self._count(seating)
        self.drawn: list[list[list[int]]] = []
        at_smaller = _times_at_smaller(known, played)
        places = sum(size for size in sizes if size < sizes[0])
        for _ in range(rounds):
            lots = list(players)
            rng.shuffle(lots)
            lots.sort(key=lambda player: -at_smaller[player])
            for player in lots[len(lots) - places :]:
                at_smaller[player] += 1
            self._draw(lots, sizes)

    def _draw(self, lots: Sequence[int], sizes: Sequence[int]) -> None:
        starts = [sum(sizes[:number]) for number in range(len(sizes))]
        tables = [list(lots[start : start + size]) for start, size in zip(starts, sizes, strict=True)]
        self._count(tables)
        self.drawn.append(tables)

    def _count(self, seating: Iterable[Sequence[int]]) -> None:
        for table in seating:
            for one, other in combinations(table, 2):
                self.met[one][other] += 1
                self.met[other][one] += 1

    def run(self) -> None:
        choices = [
            (seating, one, other)
            for seating in self.drawn
            for one, other in combinations(seating, 2)
            if len(one) == len(other)
        ]
        cost = sum(times * (times - 1) // 2 for row in self.met.values() for times in row.values()) // 2
        least, best = cost, [[list(table) for table in seating] for seating in self.drawn]
        for step in range(STEPS if choices else 0):
            if not least:
                break
            warmth = WARM * (1 - step / STEPS)
            _, one, other = choices[int(self.rng.random() * len(choices))]
            a, b = int(self.rng.random() * len(one)), int(self.rng.random() * len(other))
            change = self._change(one, a, other, b)
            if change <= 0 or self.rng.random() < exp(-change / warmth):
                self._swap(one, a, other, b)
                cost += change
                if cost < least:
                    least, best = cost, [[list(table) for table in seating] for seating in self.drawn]
        self.drawn = best

    def _change(self, one: list[int], a: int, other: list[int], b: int) -> int:
        left, right = self.met[one[a]], self.met[other[b]]
        return sum(right[player] - left[player] + 1 for player in one if player != one[a]) + sum(
            left[player] - right[player] + 1 for player in other if player != other[b]
        )

    def _swap(self, one: list[int], a: int, other: list[int], b: int) -> None:
        for table, mine, theirs in ((one, one[a], other[b]), (other, other[b], one[a])):
            for player in table:
                if player != mine:
                    self._shift(mine, player, -1)
                    self._shift(theirs, player, 1)
        one[a], other[b] = other[b], one[a]

    def _shift(self, one: int, other: int, step: int) -> None:
        self.met[one][other] += step
        self.met[other][one] += step


def _times_at_smaller(players: Iterable[int], played: Sequence[Seating]) -> dict[int, int]:
    times = dict.fromkeys(players, 0)
    for seating in played:
        largest = max(map(len, seating))
        for table in seating:
            for player in table:
                times[player] += len(table) < largest
    return times


def _with_seats(drawn: Sequence[Sequence[Sequence[int]]], played: Sequence[Seating]) -> tuple[Seating, ...]:
    """Each table's players in the order in which they had those seats least often, as far as exchanges of two find."""
    had: dict[tuple[int, int], int] = {}
    for seating in played:
        _count_seats(seating, had)
    rounds = []
    for tables in drawn:
        seated = tuple(_by_seats(list(table), had) for table in tables)
        _count_seats(seated, had)
        rounds.append(seated)
    return tuple(rounds)


def _count_seats(seating: Seating, had: dict[tuple[int, int], int]) -> None:
    for table in seating:
        for place in enumerate(table):
            had[place] = had.get(place, 0) + 1


def _by_seats(table: list[int], had: dict[tuple[int, int], int]) -> Table:
    def times(seat: int, player: int) -> int:
        return had.get((seat, player), 0)

    moved = True
    while moved:
        moved = False
        for a, b in combinations(range(len(table)), 2):
            one, other = table[a], table[b]
            if times(a, other) + times(b, one) < times(a, one) + times(b, other):
                table[a], table[b], moved = other, one, True
    return tuple(table)


@dataclass(frozen=True)
class SeatingQuality:
    """`meetings`: how many pairs met 0, 1, 2 … times. `repeats`: Σ m(m−1)/2 over pairs that met m times; no seating
    of these rounds has fewer than `bound`. `seat_spread`: the largest difference, over players, between their most
    and least frequent seat among the seats every table has."""

    meetings: tuple[int, ...]
    repeats: int
    bound: int
    seat_spread: int

    @property
    def is_optimal(self) -> bool:
        """Whether it is proven that no seating repeats less: False does not say that a better one exists."""
        return self.repeats == self.bound


def seating_quality(rounds: Sequence[Seating]) -> SeatingQuality:
    """The bound by counting: whoever sits with d others in all, of n−1, sits with some of them ⌈d/(n−1)⌉ times."""
    players = sorted({player for seating in rounds for table in seating for player in table})
    met = dict.fromkeys(combinations(players, 2), 0)
    neighbours, seats = dict.fromkeys(players, 0), dict[tuple[int, int], int]()
    for seating in rounds:
        _count_seats(seating, seats)
        for table in seating:
            for pair in combinations(sorted(table), 2):
                met[pair] += 1
            for player in table:
                neighbours[player] += len(table) - 1
    twice = sum(_fewest_repeats(total, len(players) - 1) for total in neighbours.values())
    everywhere = range(min((len(table) for seating in rounds for table in seating), default=0))
    spread = [[seats.get((seat, player), 0) for seat in everywhere] for player in players]
    return SeatingQuality(
        tuple(list(met.values()).count(times) for times in range(max(met.values(), default=0) + 1)),
        sum(times * (times - 1) // 2 for times in met.values()),
        -(-twice // 2),
        max((max(row) - min(row) for row in spread), default=0),
    )


def _fewest_repeats(meetings: int, others: int) -> int:
    times, rest = divmod(meetings, others)
    return rest * times * (times + 1) // 2 + (others - rest) * times * (times - 1) // 2
