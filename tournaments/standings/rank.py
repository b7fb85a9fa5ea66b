"""Places and the lead (pure).

Points first, then the tie-breaks in the tournament's order, each within the groups that are still tied; whoever is
equal in all of them shares the place. Who left before half of his games stands last. Source: FIDE C.07 art. 4.2.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from typing import TypeGuard

from tournaments.standings.tiebreaks.base import Contest, GroupTiebreak, PlayerTiebreak, Rule, Tiebreak, Worth

# --- places -------------------------------------------------------------------------------------------------------
Group = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings. `points` in the smallest unit; `tiebreaks` in the order asked for, None where one
    cannot be used, or (direct encounter) where the player was tied with nobody. `counts` is false for somebody whose
    games count for nobody: he has no tie-breaks."""

    place: int
    player: int
    points: int
    played: int
    tiebreaks: tuple[Worth | None, ...]
    counts: bool = True


def rank(contest: Contest, tiebreaks: Sequence[Tiebreak]) -> list[Standing]:
    """Standings, best first. Equal in everything: equal place, and the lower pairing number stands first."""
    groups = _by_points(contest)
    columns: list[Mapping[int, Worth | None]] = []
    for rule in tiebreaks:
        worths = _worths(rule, groups, contest)
        groups = [part for group in groups for part in _split(group, worths, rule, contest)]
        columns.append(worths)
    standings: list[Standing] = []
    for group in groups:
        place = len(standings) + 1
        for player in group:
            line, worths_of = contest.table[player], tuple(column.get(player) for column in columns)
            standings.append(Standing(place, player, line.points, line.played, worths_of, line.counts))
    return standings


def finishing_order(contest: Contest, tiebreaks: Sequence[Tiebreak]) -> list[Group]:
    """The groups of those who share a place, best first: the order of `rank`, without the values of those who are tied
    with nobody. For whoever ranks an event thousands of times."""
    groups = _by_points(contest)
    for rule in tiebreaks:
        tied = [group for group in groups if len(group) > 1]
        if not tied:
            break
        worths = _worths(rule, tied, contest)
        groups = [part for group in groups for part in _split(group, worths, rule, contest)]
    return groups


def _by_points(contest: Contest) -> list[Group]:
    def order(player: int) -> tuple[bool, int]:
        line = contest.table[player]
        return not line.counts, -line.points

    ordered = sorted(contest.table, key=lambda player: (*order(player), player))
    return [tuple(group) for _order, group in groupby(ordered, key=order)]


def _worths(rule: Tiebreak, groups: Sequence[Group], contest: Contest) -> Mapping[int, Worth | None]:
    """Everybody's values; of a group's tie-break those of the tied groups, from the groups as they are now."""
    counted, read = [group for group in groups if contest.table[group[0]].counts], rule.read_from(contest)
    if _is_for_groups(rule):
        tied = (rule.places(group, read) for group in counted if len(group) > 1)
        return {player: worth for places in tied for player, worth in places.items()}
    if _is_for_players(rule):
        return {player: rule.worth(player, read) for group in counted for player in group}
    raise TypeError(f"{rule.code} is neither for players nor for groups.")


# isinstance on a protocol takes as long as ranking a group.
_is_instance = lru_cache(maxsize=64)(isinstance)


def _is_for_groups(rule: Tiebreak) -> TypeGuard[GroupTiebreak]:
    return _is_instance(rule, GroupTiebreak)


def _is_for_players(rule: Tiebreak) -> TypeGuard[PlayerTiebreak]:
    return _is_instance(rule, PlayerTiebreak)


def _split(group: Group, worths: Mapping[int, Worth | None], rule: Rule, contest: Contest) -> Iterator[Group]:
    """The group in parts, best first; as it is where somebody has no value, or values may not be compared."""
    if len(group) == 1 or any(worths.get(player) is None for player in group) or not rule.may_part(group, contest):
        yield group
        return

    def value(player: int) -> Fraction:
        worth = worths[player]
        number = worth.number if worth else Fraction(0)
        return number if rule.ascending else -number

    for _value, part in groupby(sorted(group, key=value), key=value):
        yield tuple(part)


# --- the lead -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Lead:
    """The players in first place, their points and games, and the `chasers` right behind them, `ahead_by` so many
    points (smallest unit); 0 where only a tie-break parts them."""

    leaders: tuple[int, ...]
    points: int
    played: int
    ahead_by: int
    chasers: tuple[int, ...]


def find_lead(standings: Sequence[Standing]) -> Lead | None:
    """The lead in standings ordered best first; None while nobody has a result."""
    if not any(row.played for row in standings):
        return None
    first = standings[0]
    leaders = tuple(row.player for row in standings if row.place == first.place)
    rest = standings[len(leaders) :]
    chasers = tuple(row.player for row in rest if row.points == rest[0].points)
    ahead_by = first.points - rest[0].points if rest else 0
    return Lead(leaders, first.points, first.played, ahead_by, chasers)
