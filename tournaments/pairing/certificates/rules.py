"""What the rules of the Swiss say, read once more for the checker of certificates (pure).

Written from the rules' text, and of all other code it needs Python's own library only: what a player's history is worth
for the pairing, who may meet whom, what fails in a pair and in a floater, and the order of candidates. An error of the
engine is not one here.

Sources: FIDE C.04.3 (editions 2026 and 2025), C.04.2. How the texts are read where they leave something open:
docs/algorithms/dutch.md.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, combinations
from typing import Any

BYE = 0  # in place of a number
WHITE, BLACK, DOWN, UP = 1, -1, -1, 1
MILD, STRONG, ABSOLUTE = 1, 2, 3
MOST_PLAYERS, MOST_ROUNDS, LARGEST_NUMBER = 500, 60, 1_000_000
HOW = ("w", "b", "f", "p", "a")
ORDER = 100  # in place of a criterion: the order of candidates
Two = tuple["Player", "Player"]
Digit = tuple[int, int, int]  # criterion, its first or second part, minus the size: the first in order weighs most


class Refused(ValueError):  # noqa: N818 - nothing went wrong
    """The certificate does not prove its boards; the text says where."""


def demand(holds: bool, text: str) -> None:
    if not holds:
        raise Refused(text)


def whole(value: object) -> int:
    """The same. Raises Refused for a broken, huge or negative number, a text, true or false."""
    if type(value) is not int or not 0 <= value <= LARGEST_NUMBER:
        raise Refused(f"{str(value)[:20]} stands where a whole number from 0 to {LARGEST_NUMBER} must stand.")
    return value


# --- what the rules know of a player (C.04.3 art. 1) ------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Player:
    """`score` with and `points` without virtual points; `colours` of games played; `floats` of the last round and of
    the one before; `due`: the colour preferred, with that `strength`; `odd`: by his place among those who have come."""

    number: int
    score: int
    points: int
    colours: tuple[int, ...]
    met: frozenset[int]
    floats: tuple[int, int]
    may_have_bye: bool
    unplayed: int
    top: bool
    odd: bool
    due: int
    strength: int

    @property
    def repeated(self) -> int:
        """The colour of the last two games, where it was the same."""
        return self.colours[-1] if len(self.colours) > 1 and self.colours[-1] == self.colours[-2] else 0


def preference(colours: Sequence[int]) -> tuple[int, int]:
    """The colour due, and how much."""
    difference, twice = sum(colours), len(colours) > 1 and colours[-1] == colours[-2]
    if abs(difference) > 1 or (difference and not twice):
        return -1 if difference > 0 else 1, ABSOLUTE if abs(difference) > 1 else STRONG
    return (-colours[-1], ABSOLUTE if twice else MILD) if colours else (0, 0)


def colour_of(higher: Player, lower: Player, first: int) -> int:
    """The colour of the higher ranked (art. 5.2); `first`: drawn for number 1."""
    if higher.due * lower.due < 0:
        return higher.due
    wide, narrow = abs(sum(higher.colours)), abs(sum(lower.colours))
    if higher.strength != lower.strength or (higher.strength == ABSOLUTE and wide != narrow):
        return higher.due if (higher.strength, wide) > (lower.strength, narrow) else -lower.due
    latest = zip(reversed(higher.colours), reversed(lower.colours), strict=False)
    alternate = next((-mine for mine, theirs in latest if mine != theirs), 0)
    return alternate or higher.due or (first if higher.odd else -first)


class Facts:
    """What happened before the round. Of each player and round nothing, or opponent, how, and points. How: "w" or "b",
    a game with that colour; "f", a forfeited board; "p", the allocated bye; "a", a bye asked for."""

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self.edition, self.round, self.rounds = (whole(facts[name]) for name in ("edition", "round", "rounds"))
        self.games, self.points = whole(facts["games"]), {name: whole(worth) for name, worth in facts["points"].items()}
        self.first = {"white": WHITE, "black": BLACK}[facts["first_colour"]]
        demand(self.points["unit"] > 0, "Facts: the unit of points.")
        self.apart = {frozenset(map(whole, pair)) for pair in facts["prohibited"]}
        self.rows = {whole(row["number"]): row for row in facts["players"]}
        demand(len(facts["players"]) == len(self.rows) <= MOST_PLAYERS, "Facts: a number twice, or too many players.")
        demand(self.edition in (2025, 2026) and 0 < self.round <= MOST_ROUNDS, "Facts: the edition, or the round.")
        demand(self.games in (1, 2) and self.round % self.games == 1 % self.games, "Facts: a return game.")
        for number, row in self.rows.items():
            self.check_row(number, row)
        entries = [(n, at, *self.entry(n, at)) for n in sorted(self.rows) for at in range(1, self.round)]
        for number, at, opponent, how, points in entries:
            self.check_entry(number, at, (opponent, how, points))
        self.before = {number: self.running(number) for number in self.rows}
        met = {number for number, _at, _opponent, how, _points in entries if how in ("w", "b", "f", "p")}
        self.odd = set(sorted(met | {number for number, row in self.rows.items() if row["here"]})[::2])
        here = (self.player(number) for number, row in self.rows.items() if row["here"])
        self.players = sorted(here, key=lambda player: (-player.score, player.number))

    def check_row(self, number: int, row: Mapping[str, Any]) -> None:
        there = len(row["rounds"]) == self.round - 1 and type(row["here"]) is bool
        demand(number != BYE and there, f"Facts: number {number}, its rounds, or whether it is here.")
        for worth in row["virtual"]:
            whole(worth)

    def check_entry(self, number: int, at: int, entry: tuple[int, str, int]) -> None:
        """Both sides of a board say the same, and not both won it."""
        (opponent, how, points), place = entry, f"Facts: round {at} of number {number}."
        demand(how in HOW if how else entry == (BYE, "", 0), place)
        if how in ("w", "b", "f"):
            other, win = self.entry(opponent, at), self.points["win"]
            demand(other[:2] == (number, {"w": "b", "b": "w", "f": "f"}[how]) and opponent != number, place)
            demand(min(points, other[2]) < max(win, 1), place)
        demand((whole(opponent) == BYE) == (how not in ("w", "b", "f")) and whole(points) >= 0, place)

    def entry(self, number: int, at: int) -> tuple[int, str, int]:
        opponent, how, points = self.rows[number]["rounds"][at - 1] or (BYE, "", 0)
        return opponent, how, points

    def running(self, number: int) -> list[int]:
        """Points before rounds 1, 2, …"""
        return [*accumulate((self.entry(number, at)[2] for at in range(1, self.round)), initial=0)]

    def score(self, number: int, at: int) -> int:
        """Before that round, with the virtual points of that round."""
        return int(self.before[number][at - 1] + sum(self.rows[number]["virtual"][at - 1 : at]))

    def float_in(self, number: int, at: int) -> int:
        if at < 1:
            return 0
        opponent, how, points = self.entry(number, at)
        if how in ("w", "b"):
            mine, theirs = self.score(number, at), self.score(opponent, at)
            return (mine < theirs) - (mine > theirs)
        return DOWN if self.edition < 2026 or how == "p" or points > self.points["loss"] else 0

    def player(self, number: int) -> Player:
        entries = [self.entry(number, at) for at in range(1, self.round)]
        first = entries[:: self.games]  # of two games against each opponent
        colours = tuple(WHITE if how == "w" else BLACK for _opponent, how, _points in first if how in ("w", "b"))
        points, win = self.before[number][-1], self.points["win"]
        full = ("f", "a") if self.edition >= 2026 else ("f",)
        due, strength = preference(colours)
        return Player(
            number=number,
            score=self.score(number, self.round),
            points=points,
            colours=colours,
            met=frozenset(opponent for opponent, how, _points in entries if how in ("w", "b")),
            floats=(self.float_in(number, self.round - self.games), self.float_in(number, self.round - 2 * self.games)),
            may_have_bye=not any(how == "p" or (how in full and worth >= win) for _opponent, how, worth in entries),
            unplayed=(self.round - 1) // self.games - len(colours),
            top=self.round > self.rounds - self.games and 2 * points > win * (self.round - 1),
            odd=number in self.odd,
            due=due,
            strength=strength,
        )

    def legal(self, one: Player, other: Player) -> bool:
        """C1, pairs kept apart, C3."""
        clash = one.strength == other.strength == ABSOLUTE and one.due == other.due and not (one.top or other.top)
        return not clash and other.number not in one.met and frozenset((one.number, other.number)) not in self.apart

    def legal_pairs(self, players: Sequence[Player]) -> Iterator[Two]:
        return (pair for pair in combinations(players, 2) if self.legal(*pair))


# --- what fails, criterion by criterion (art. 2; edition 2025: C) -----------------------------------------------------
@dataclass(frozen=True)
class Bracket:
    """Those moved down and the residents; `below`: the score groups after them; `byes`: who may have the bye. `mates`:
    the matching that is claimed to be the best. `complete`: everybody below must remain pairable (in edition 2025 a
    bracket is paired without asking for that first)."""

    facts: Facts
    byes: frozenset[int]
    moved: Sequence[Player]
    residents: Sequence[Player]
    below: Sequence[Sequence[Player]]
    mates: Mapping[int, int]
    complete: bool = True

    @cached_property
    def own(self) -> dict[int, Player]:
        return {player.number: player for player in (*self.moved, *self.residents)}

    @cached_property
    def pairs(self) -> list[Two]:
        """Of two of the bracket, the higher ranked first."""
        return [(a, b) for a, b in combinations(self.own.values(), 2) if self.mates.get(a.number) == b.number]

    @cached_property
    def floaters(self) -> list[Player]:
        return [player for player in self.own.values() if self.mates.get(player.number) not in self.own]

    @cached_property
    def following(self) -> Mapping[int, Player]:
        """The next score group, where a criterion looks ahead to it (C8; 2025: C.7, until all must be pairable)."""
        ahead = self.floaters and self.below and (self.facts.edition >= 2026 or not self.complete)
        return {player.number: player for player in self.below[0]} if ahead else {}

    @cached_property
    def fewest_unplayed(self) -> int | None:
        """C9: of those who may have the bye; None where it is not decided here."""
        decides = len(self.floaters) == len(self.facts.players) % 2 == 1
        if not decides or any(player.number in self.byes for player in chain.from_iterable(self.below)):
            return None
        return min((player.unplayed for player in self.own.values() if player.number in self.byes), default=0)

    def failures(self, one: Player, other: Player | None) -> Iterator[Digit]:
        """Of the two as a pair; of `one` without a partner among those looked at where `other` is not in the bracket,
        nor in the following one."""
        if one.number in self.own:
            if other and other.number in self.own:
                yield from self.of_pair(one, other)
                return
            yield from self.of_floater(one)
        if self.following and (one.number in self.own or one.number in self.following):
            yield from self.of_next(one, other if other and other.number in self.following else None)

    def of_pair(self, one: Player, other: Player) -> Iterator[Digit]:
        new, gap = self.facts.edition >= 2026, one.score - other.score
        colours, floats = (10, 14) if new else (8, 12)
        if gap and not new:
            yield 6, 0, -gap
        if one.due and one.due == other.due:
            if abs(sum(one.colours)) > 1 and abs(sum(other.colours)) > 1:
                yield colours, 0, -1
            yield colours + 2, 0, -1
            if min(one.strength, other.strength) == STRONG:
                yield colours + 3, 0, -1
        if one.top or other.top:
            white = colour_of(one, other, WHITE)
            yield from [(colours + 1, 0, -1)] * ((one.repeated == white) + (other.repeated == -white))
        for ago in (floats, floats + 2) if gap else ():
            if one.floats[ago > floats] == DOWN:
                yield from [(ago + 4, 0, -gap)] if new else [(ago, 0, -1), (ago + 4, 0, -gap)]
            if other.floats[ago > floats] == UP:
                yield from [(ago + 1, 0, -1), (ago + 5, 0, -gap)]

    def of_floater(self, one: Player) -> Iterator[Digit]:
        players = [*self.own.values()]
        below = one.score - players[-1].score + self.facts.points["unit"]
        if self.facts.edition < 2026:
            yield from [(5, 0, -1), (6, 0, -below)]
            yield from [(at, 0, -1) for ago, at in enumerate((12, 14)) if one.floats[ago] == DOWN]
            yield from [(at, 0, -below) for ago, at in enumerate((16, 18)) if one.floats[ago] == DOWN]
            return
        yield from [(6, 0, -1), (7, 0, -one.score)]
        if self.fewest_unplayed is not None and one.unplayed > self.fewest_unplayed:
            yield 9, 0, -one.unplayed
        again = (18, 0, -(players[0].score + one.score + 1)) if one in self.moved else (14, 0, -1)
        yield from [(again[0] + 2 * ago, *again[1:]) for ago in (0, 1) if one.floats[ago] == DOWN]

    def of_next(self, one: Player, other: Player | None) -> Iterator[Digit]:
        """In the following group: how many float from it, at which scores (2025: with which differences of scores)."""
        if self.facts.edition >= 2026:
            yield from [] if other else [(8, 0, -1), (8, 1, -one.score)]
        elif other:
            yield from [(7, 1, other.score - one.score)] if one.score > other.score else []
        else:
            # In the last group nobody is left over who may not have the bye.
            barred = len(self.facts.players) % 2 and len(self.below) == 1 and one.number not in self.byes
            yield from [(7, 0, -1)] * (2 if barred else 1)
            yield 7, 1, self.below[0][0].score - self.facts.points["unit"] - one.score

    # --- the order of candidates (art. 3 and 4; edition 2025: D) ------------------------------------------------------
    @cached_property
    def places(self) -> tuple[dict[int, int], dict[int, int], dict[int, int], int]:
        """Of those moved down; of the residents; of the residents whom none of them meets; and how many pairs these
        last ones make."""
        first = {player.number: at for at, player in enumerate(self.moved)}
        taken = {other.number for one, other in self.pairs if one.number in first}
        rest = [player.number for player in self.residents if player.number not in taken]
        second = {player.number: at for at, player in enumerate(self.residents)}
        return first, second, {number: at for at, number in enumerate(rest)}, len(self.pairs) - len(taken)

    def place(self, one: Player, other: Player | None) -> Sequence[int]:
        """Seven numbers, of which the first different sum decides: who of those moved down floats, whom they meet; how
        many are exchanged between the halves, how far, the lowest of the upper half, the highest of the lower half;
        whom the upper half meets."""
        first, second, rest, half = self.places
        size, mate = len(rest), other.number if other and other.number in self.own else None
        if one.number in first:
            worth = len(first) - 1 - first[one.number]
            return (1 << worth,) if mate is None else (0, (second[mate] + 1) * (len(second) + 2) ** worth)
        if one.number not in rest or not (mate is None or mate in rest):
            return ()
        upper = rest[one.number]
        lower = upper if mate is None else rest[mate]
        down = (1, (1 << half) - (1 << lower)) if lower < half else (0, 0)
        if mate is None:
            return 0, 0, down[0], 0, down[1]
        up = (1 << size) - (1 << (size - 1 - upper)) if upper >= half else 0
        return 0, 0, down[0], upper, down[1], up, (lower + 1) * (size + 1) ** (size - 1 - upper)

    def radix(self, digit: Digit) -> int:
        """More than all pairs and floaters of a matching have of that digit together."""
        first, second, rest, half = self.places
        size = len(rest)
        moved = (1 << len(first), (len(second) + 2) ** len(first))
        exchanges = (size + 1, size * size + 1, (size + 1) << (half + 1), (size + 1) << (size + 1))
        order = (*moved, *exchanges, (size + 1) ** (size + 1))
        return order[digit[1]] if digit[0] == ORDER else 2 * (len(self.own) + len(self.following)) + 1

    def failing(self) -> list[Digit]:
        """Of its own pairs and floaters."""
        pairs = [digit for pair in self.pairs for digit in self.of_pair(*pair)]
        return pairs + [digit for one in self.floaters for digit in self.of_floater(one)]

    def counted(self) -> list[tuple[int, int]]:
        """Criteria that fail in it, and how often."""
        return sorted(Counter(criterion for criterion, _part, _size in self.failing()).items())

    @property
    def is_first(self) -> bool:
        """The upper half meets the lower half in order, and nothing fails that need not: no proof is needed."""
        group, half = self.residents, len(self.own) // 2
        if self.moved or group[0].score != group[-1].score or (len(group) % 2 and self.below):
            return False
        failing = [digit for digit in self.failing() if digit[0] > 7]
        return not failing and self.pairs == [(group[at], group[at + half]) for at in range(half)]

    def __str__(self) -> str:
        whole, part = divmod(self.residents[0].score, self.facts.points["unit"])
        return f"Score group {whole}{'½' * bool(part)}"
