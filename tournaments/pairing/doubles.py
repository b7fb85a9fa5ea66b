"""Doubles with partners drawn anew each round: everybody partners everybody once and opposes everybody twice.

A round's table is (a, b, c, d): a and b are partners against c and d. A whist tournament of 4k players has 4k−1
rounds, one of 4k+1 players 4k+1 rounds in which everybody sits out once.

Source: for 4k+1 a prime power with generator g, the starter tables {gⁱ, gⁱ⁺²ᵏ} against {gⁱ⁺ᵏ, gⁱ⁺³ᵏ}, i < k, moved
by adding each element of the field in turn. For other numbers a starter whose differences modulo 4k+1 (or 4k−1 and
one player who stands still) are each a partner's once and an opponent's twice; they were found by a search and stand
in STARTERS. Numbers that leave 2 or 3 over sit out in turn; their rounds are searched one by one.
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
ROUND_STEPS = 3_000  # for one round
# The tables of the first round; the last number of 4k players stands still.
STARTERS = {
    4: "1 3 0 2",
    8: "1 5 7 0, 2 3 6 4",
    12: "1 3 0 7, 10 2 4 9, 11 8 6 5",
    16: "4 7 11 6, 15 10 8 1, 14 13 5 9, 2 0 12 3",
    20: "14 7 0 11, 1 18 16 10, 19 9 12 15, 4 13 5 6, 2 17 8 3",
    21: "1 6 10 7, 19 20 13 15, 9 5 2 17, 8 16 18 11, 12 3 14 4",
    24: "11 22 7 21, 12 6 17 15, 19 9 8 13, 10 18 5 2, 23 14 16 0, 4 3 20 1",
    28: "24 21 14 0, 22 23 19 4, 3 5 7 15, 6 26 1 12, 9 13 25 20, 2 11 10 16, 18 8 17 27",
    32: "19 21 11 22, 30 15 16 24, 26 5 18 14, 3 29 23 31, 0 17 7 4, 28 6 8 2, 25 12 9 10, 20 27 13 1",
    33: "7 24 16 18, 14 29 30 10, 22 17 21 12, 28 3 26 19, 13 23 8 20, 25 11 5 32, 27 31 6 9, 15 4 1 2",
    36: "5 34 1 24, 6 22 17 28, 25 32 29 11, 8 0 26 27, 13 15 10 14, 2 16 35 9, 31 21 19 4, 33 30 7 20, 12 3 23 18",
    40: "15 10 39 8, 22 37 35 36, 31 28 14 20, 16 24 1 29, 33 3 13 27, 17 7 11 38, 25 23 26 4, 34 30 0 18, "
    "32 12 5 21, 2 9 6 19",
}


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
    starter = [[int(seat) for seat in four.split()] for four in STARTERS[players].split(", ")]
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


def next_round(players: Sequence[int], played: Sequence[Round], *, seed: int) -> Round:
    """The next round for those present, given what was played: whoever played most of it sits out first, and new
    partners come before new opponents. Whoever came late counts as having played as often as the others by then, one
    round at most less. Raises ValueError."""
    _check_number(len(players))
    if len(set(players)) != len(players):
        raise ValueError("a player stands in the list twice")
    rng, lots = Random(seed), list(players)
    rng.shuffle(lots)
    times = _times_played(lots, played)
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


def _times_played(players: Iterable[int], played: Iterable[Round]) -> dict[int, int]:
    """How often each played. Nothing says who was there and sat out, but nobody does so twice before a first game:
    whoever comes in later begins one below the fewest of those present who had played."""
    here, times = set(players), dict[int, int]()

    def come(newcomers: Iterable[int]) -> None:
        fewest = min((count for player, count in times.items() if player in here), default=0)
        times.update(dict.fromkeys(newcomers, max(fewest - 1, 0)))

    for drawn in played:
        seated = [player for four in drawn for player in four]
        come([player for player in seated if player not in times])
        for player in seated:
            times[player] += 1
    come([player for player in here if player not in times])
    return times


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
