"""Doubles with partners drawn anew each round: everybody partners everybody once and opposes everybody twice.

A round's table is (a, b, c, d): a and b are partners against c and d. A whist tournament of 4k players has 4k−1
rounds, one of 4k+1 players 4k+1 rounds in which everybody sits out once.

Source: for 4k+1 a prime power with generator g, the starter tables {gⁱ, gⁱ⁺²ᵏ} against {gⁱ⁺ᵏ, gⁱ⁺³ᵏ}, i < k, moved
by adding each element of the field in turn. For other numbers a starter is searched whose differences modulo 4k+1
(or 4k−1 and one player who stands still) are each a partner's once and an opponent's twice; where the bounded search
finds none, the best it found is used, and `doubles_quality` says how far it is from a whist tournament.
Numbers that leave 2 or 3 over sit out in turn; their rounds are searched one by one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp
from random import Random

from tournaments.pairing.fields import Field, is_prime_power

Four = tuple[int, int, int, int]
Round = tuple[Four, ...]
Counts = dict[tuple[int, int], int]
FEWEST, MOST = 4, 40
STEPS = 60_000  # for one starter
ROUND_STEPS = 3_000  # for one round
SEED = 23  # of the starter: a number of players has one schedule, the lots are the caller's


def whist(players: int) -> tuple[Round, ...]:
    """All rounds for players 0…n−1. For 4k+2 and 4k+3 as many rounds as partners each. Raises ValueError."""
    _check_number(players)
    if players % 4 > 1:
        rounds: list[Round] = []
        for number in range(players):
            rounds.append(next_round(range(players), rounds, seed=number))
        return tuple(rounds)
    if players % 4 and is_prime_power(players):
        return _over_a_field(players)
    circle = players - 1 if players % 4 == 0 else players
    starter = _starter(circle, players)
    return tuple(
        tuple(_four([seat if seat == circle else (seat + step) % circle for seat in four]) for four in starter)
        for step in range(circle)
    )


def _check_number(players: int) -> None:
    if not FEWEST <= players <= MOST:
        raise ValueError(f"doubles take {FEWEST} to {MOST} players, not {players}")


def _four(seats: Sequence[int]) -> Four:
    a, b, c, d = seats
    return a, b, c, d


def _over_a_field(players: int) -> tuple[Round, ...]:
    field, quarter = Field(players), players // 4
    starter = [[field.powers[first + turn * quarter] for turn in (0, 2, 1, 3)] for first in range(quarter)]
    return tuple(tuple(_four([field.add(seat, step) for seat in four]) for four in starter) for step in range(players))


def _starter(circle: int, players: int) -> list[list[int]]:
    """Tables of one round whose differences are as even as the search finds them; `circle` itself stands still."""
    rng = Random(SEED)
    seats = list(range(1, circle)) if players == circle else list(range(circle + 1))
    rng.shuffle(seats)
    partner, oppose = [0] * circle, [0] * circle
    tables = range(len(seats) // 4)

    def tally(table: int, sign: int) -> int:
        """Count the table's differences in or out and return by how much the sum of squares changes."""
        a, b, c, d = seats[4 * table : 4 * table + 4]
        change = 0
        for count, wished, pairs in ((partner, 1, ((a, b), (c, d))), (oppose, 2, ((a, c), (a, d), (b, c), (b, d)))):
            for one, other in pairs:
                if circle not in (one, other):
                    gap = abs(one - other)
                    gap = min(gap, circle - gap)
                    change += 1 + 2 * sign * (count[gap] - wished)
                    count[gap] += sign
        return change

    for table in tables:
        tally(table, 1)
    cost = sum((partner[g] - 1) ** 2 + (oppose[g] - 2) ** 2 for g in range(1, circle // 2 + 1))
    least, best = cost, list(seats)
    for step in range(STEPS):
        if not least:
            break
        warmth = 0.4 + 0.8 * (1 - step % 20_000 / 20_000)
        one, other = int(rng.random() * len(seats)), int(rng.random() * len(seats))
        touched = {one // 4, other // 4}
        change = sum(tally(table, -1) for table in touched)
        seats[one], seats[other] = seats[other], seats[one]
        change += sum(tally(table, 1) for table in touched)
        if change <= 0 or rng.random() < exp(-change / warmth):
            cost += change
            if cost < least:
                least, best = cost, list(seats)
        else:
            for table in touched:
                tally(table, -1)
            seats[one], seats[other] = seats[other], seats[one]
            for table in touched:
                tally(table, 1)
    return [best[4 * table : 4 * table + 4] for table in tables]


def next_round(players: Sequence[int], played: Sequence[Round], *, seed: int) -> Round:
    """The next round for those present, given what was played: whoever played most of it sits out first, and new
    partners come before new opponents. Raises ValueError."""
    _check_number(len(players))
    if len(set(players)) != len(players):
        raise ValueError("a player stands in the list twice")
    rng, lots = Random(seed), list(players)
    rng.shuffle(lots)
    times = dict.fromkeys(lots, 0)
    for four in (four for drawn in played for four in drawn):
        for player in four:
            times[player] = times.get(player, 0) + 1
    lots.sort(key=lambda player: times[player])
    seats = lots[: len(lots) - len(lots) % 4]
    partnered, opposed = _counts(played)
    tables = [seats[first : first + 4] for first in range(0, len(seats), 4)]

    def cost(four: Sequence[int]) -> int:
        return sum(6 * partnered.get(_pair(*pair), 0) ** 2 for pair in _partners(four)) + sum(
            opposed.get(_pair(*pair), 0) ** 2 for pair in _opponents(four)
        )

    total = sum(map(cost, tables))
    least, best = total, [list(four) for four in tables]
    for step in range(ROUND_STEPS):
        if not least:
            break
        one, other = tables[int(rng.random() * len(tables))], tables[int(rng.random() * len(tables))]
        a, b = int(rng.random() * 4), int(rng.random() * 4)
        touched = [one] if one is other else [one, other]
        before = sum(map(cost, touched))
        one[a], other[b] = other[b], one[a]
        change = sum(map(cost, touched)) - before
        if change <= 0 or rng.random() < exp(-change / (0.2 + 4 * (1 - step / ROUND_STEPS))):
            total += change
            if total < least:
                least, best = total, [list(four) for four in tables]
        else:
            one[a], other[b] = other[b], one[a]
    return tuple(_four(four) for four in best)


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _partners(four: Sequence[int]) -> tuple[tuple[int, int], ...]:
    a, b, c, d = four
    return (a, b), (c, d)


def _opponents(four: Sequence[int]) -> tuple[tuple[int, int], ...]:
    a, b, c, d = four
    return (a, c), (a, d), (b, c), (b, d)


def _counts(rounds: Iterable[Round]) -> tuple[Counts, Counts]:
    """How often each pair, the lower number first, were partners, and how often opponents."""
    partnered: Counts = {}
    opposed: Counts = {}
    for four in (four for drawn in rounds for four in drawn):
        for count, pairs in ((partnered, _partners(four)), (opposed, _opponents(four))):
            for pair in pairs:
                count[_pair(*pair)] = count.get(_pair(*pair), 0) + 1
    return partnered, opposed


@dataclass(frozen=True)
class DoublesQuality:
    """How many pairs were partners, and opponents, 0, 1, 2 … times, and by how much players' sit-outs differ."""

    partners: tuple[int, ...]
    opponents: tuple[int, ...]
    sit_out_spread: int

    @property
    def is_whist(self) -> bool:
        """Whether everybody partnered everybody once and opposed everybody twice."""
        pairs = sum(self.partners)
        return self.partners == (0, pairs) and self.opponents == (0, 0, pairs)


def doubles_quality(players: Sequence[int], rounds: Sequence[Round]) -> DoublesQuality:
    """`players`: those who were there for all the rounds."""
    partnered, opposed = _counts(rounds)
    pairs = list(combinations(sorted(players), 2))
    played = [sum(player in four for drawn in rounds for four in drawn) for player in players]
    return DoublesQuality(_spread(partnered, pairs), _spread(opposed, pairs), max(played) - min(played))


def _spread(count: Counts, pairs: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    times = [count.get(pair, 0) for pair in pairs]
    return tuple(times.count(number) for number in range(max(times) + 1))
