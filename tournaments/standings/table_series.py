"""Standings of a series of tables: by points for places, by scores or by wins, exact.

`points`: what places 1, 2, 3 … of a table are worth; later places are worth nothing. Those who share a place share
the points of the places they take up ("average"), or have the points of the place they share ("higher").
The worst `dropped` rounds do not count; a round missed is the first to be dropped. `best`: at most so many of
somebody's results count, whatever rounds there were. Tie-breaks look at all rounds.
Where lower scores are better, whoever has fewer counting rounds stands below whoever has more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

TieBreak = Literal["places", "score", "direct"]
Value = tuple[Fraction, ...]  # more is better


class Seat(NamedTuple):
    """One player's result at a table; the place in the form 1-2-2-4. `won`: 1 for the only first side, ½ where sides
    share the first place."""

    player: int
    place: int
    score: Fraction = Fraction(0)
    won: Fraction = Fraction(0)


SeriesRound = Sequence[Sequence[Seat]]  # a round's tables


@dataclass(frozen=True)
class SeriesRules:
    """`tie_breaks`, in order: "places": more first places, then more second ones …; "score": the better total score;
    "direct": among those still equal, how often one was placed above another less how often below."""

    by: Literal["points", "scores", "wins"] = "points"
    points: tuple[Fraction, ...] = (Fraction(4), Fraction(3), Fraction(2), Fraction(1))
    shared: Literal["average", "higher"] = "average"
    lower_is_better: bool = False
    dropped: int = 0
    best: int | None = None
    tie_breaks: tuple[TieBreak, ...] = ("places", "score", "direct")


class SeriesRow(NamedTuple):
    """`total` counts the kept rounds; `values` are those of the tie-breaks, in order."""

    place: int
    player: int
    total: Fraction
    played: int
    values: tuple[Value, ...]


def place_points(table: Sequence[Seat], rules: SeriesRules) -> dict[int, Fraction]:
    """What each player has for a place at this table."""
    found = {}
    for seat in table:
        sharing = sum(other.place == seat.place for other in table) if rules.shared == "average" else 1
        worth = rules.points[seat.place - 1 : seat.place - 1 + sharing]
        found[seat.player] = sum(worth, Fraction(0)) / sharing
    return found


def series_standings(players: Sequence[int], rounds: Sequence[SeriesRound], rules: SeriesRules) -> list[SeriesRow]:
    """Every player once, best first; those whom no tie-break parts share a place, by number."""
    tables = [table for drawn in rounds for table in drawn]
    sign = -1 if rules.lower_is_better else 1
    seats: dict[int, list[Seat]] = {player: [] for player in players}
    results: dict[int, list[Fraction]] = {player: [] for player in players}
    for table in tables:
        worth = place_points(table, rules)
        for seat in table:
            if seat.player in seats:
                seats[seat.player].append(seat)
                results[seat.player].append(
                    {"points": worth[seat.player], "scores": sign * seat.score, "wins": seat.won}[rules.by]
                )
    kept = {player: _kept(own, len(rounds), rules) for player, own in results.items()}
    largest = max((len(table) for table in tables), default=0)

    def first(player: int, group: Sequence[int]) -> Value:
        counted = len(kept[player]) if rules.by == "scores" and rules.lower_is_better else 0
        return Fraction(counted), sum(kept[player], Fraction(0))

    def by_places(player: int, group: Sequence[int]) -> Value:
        own = [seat.place for seat in seats[player]]
        return tuple(Fraction(own.count(place)) for place in range(1, largest + 1))

    def by_score(player: int, group: Sequence[int]) -> Value:
        return (sum((sign * seat.score for seat in seats[player]), Fraction(0)),)

    def direct(player: int, group: Sequence[int]) -> Value:
        return (_above_less_below(player, group, tables),)

    rankings: dict[TieBreak, Callable[[int, Sequence[int]], Value]] = {
        "places": by_places,
        "score": by_score,
        "direct": direct,
    }
    groups, values = [sorted(players)], {player: list[Value]() for player in players}
    for value in (first, *(rankings[key] for key in rules.tie_breaks)):
        groups = [part for group in groups for part in _parted(group, value, values)]
    rows, place = [], 1
    for group in groups:
        for player in group:
            total = sum(kept[player], Fraction(0)) * (sign if rules.by == "scores" else 1)
            rows.append(SeriesRow(place, player, total, len(seats[player]), tuple(values[player][1:])))
        place += len(group)
    return rows


def _kept(results: Sequence[Fraction], rounds: int, rules: SeriesRules) -> list[Fraction]:
    kept = sorted(results, reverse=True)[: max(rounds - rules.dropped, 0)]
    return kept if rules.best is None else kept[: rules.best]


def _parted(
    group: Sequence[int], value: Callable[[int, Sequence[int]], Value], values: dict[int, list[Value]]
) -> list[list[int]]:
    found = {player: value(player, group) for player in group}
    for player in group:
        values[player].append(found[player])
    return [[player for player in group if found[player] == each] for each in sorted(set(found.values()), reverse=True)]


def _above_less_below(player: int, group: Sequence[int], tables: Sequence[Sequence[Seat]]) -> Fraction:
    total = 0
    for table in tables:
        own = next((seat.place for seat in table if seat.player == player), None)
        if own is not None:
            theirs = [seat.place for seat in table if seat.player in group]
            total += sum(own < place for place in theirs) - sum(own > place for place in theirs)
    return Fraction(total)
