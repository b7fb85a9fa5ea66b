"""A round of the team Swiss straight from the text, by trying everything: for up to ten teams.

Shares no code with the engine. Every set of upfloaters and every pairing of a bracket is listed, sorted as the articles
say, and sifted by one criterion after the other. Source: FIDE C.04.6 (2026).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeVar

from tournaments.pairing.team_swiss.field import TeamField

T = TypeVar("T")
Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Played:
    round: int
    opponent: int
    white: bool


def book_pairs(field: TeamField) -> list[tuple[int, int]] | None:
    """White and Black, 0 for the bye; None where the round cannot be paired."""
    return _Book(field).round()


def first_best(candidates: Iterable[T], *criteria: Callable[[T], Any]) -> T:
    """Sift by one criterion after the other (the smallest is the best); the first of those that are left."""
    left = list(candidates)
    for criterion in criteria:
        values = [criterion(candidate) for candidate in left]
        best = min(values)
        left = [candidate for candidate, value in zip(left, values, strict=True) if value == best]
    return left[0]


class _Book:
    def __init__(self, field: TeamField) -> None:
        self.field, self.scoring = field, field.scoring
        self.games = {team: list(self._played(team)) for team in field.teams}
        self.now = {team: self._score(team, field.round) for team in field.teams}
        self.pairable: dict[frozenset[int], bool] = {}

    # --- art. 1: scores, colours, floats ----------------------------------------------------------------------------
    def _points(self, team: int, before: int, kind: str) -> int:
        total = 0
        for meeting in self.field.meetings:
            if meeting.round < before and team in (meeting.first, meeting.second):
                side = 0 if meeting.first == team else 1
                points = self.scoring.match_points(meeting) if kind == "MP" else meeting.game_points
                total += points[side]
        for extra in (*self.field.byes, *self.field.penalties):
            if extra.team == team and extra.round < before:
                total += extra.match_points if kind == "MP" else extra.game_points
        return total

    def _score(self, team: int, before: int) -> int:
        virtual = self.field.accelerated.get(team, ())
        return self._points(team, before, self.scoring.primary) + sum(virtual[before - 1 : before])

    def _played(self, team: int) -> Iterator[Played]:
        for meeting in sorted(self.field.meetings, key=lambda meeting: meeting.round):
            if any(board.played for board in meeting.boards) and team in (meeting.first, meeting.second):
                other = meeting.second if meeting.first == team else meeting.first
                yield Played(meeting.round, other, meeting.first == team)

    def difference(self, team: int) -> int:
        return sum(1 if game.white else -1 for game in self.games[team])

    def preference(self, team: int) -> tuple[str, str]:
        """The colour, and how strong: art. 1.7."""
        difference, had = self.difference(team), ["WB"[not game.white] for game in self.games[team]]
        if self.field.preferences == "none" or not had:
            return "", ""
        if difference < -1 or (difference in (0, -1) and had[-2:] == ["B", "B"]):
            return "W", "strong"
        if difference > 1 or (difference in (0, 1) and had[-2:] == ["W", "W"]):
            return "B", "strong"
        if self.field.preferences == "A":
            return "", ""
        last = self.field.round == self.field.rounds
        if difference == -1 or (difference == 0 and not last and had[-1] == "B"):
            return "W", "mild"
        if difference == 1 or (difference == 0 and not last and had[-1] == "W"):
            return "B", "mild"
        return "", ""

    def floated(self, team: int) -> bool:
        last = self.field.round - 1
        games = [game for game in self.games[team] if game.round == last]
        return any(self._score(team, last) != self._score(game.opponent, last) for game in games)

    # --- art. 2: legal pairings -------------------------------------------------------------------------------------
    def may_meet(self, one: int, other: int) -> bool:
        met = other in [game.opponent for game in self.games[one]]
        return not met and frozenset((one, other)) not in self.field.prohibited

    def may_have_bye(self, team: int) -> bool:
        if any(bye.team == team and bye.kind in ("pab", "full") for bye in self.field.byes):
            return False
        for meeting in self.field.meetings:
            if team in (meeting.first, meeting.second) and not any(board.played for board in meeting.boards):
                own, other = self.scoring.match_points(meeting)
                if (own > other) if meeting.first == team else (other > own):
                    return False
        return True

    def pairings(self, teams: Sequence[int]) -> Iterator[Pairs]:
        """All legal pairings, by the identifiers of art. 3.6.2: `teams` are in the order of numbers."""
        if not teams:
            yield ()
            return
        for other in teams[1:]:
            if self.may_meet(teams[0], other):
                for rest in self.pairings([team for team in teams[1:] if team != other]):
                    yield ((teams[0], other), *rest)

    def is_pairable(self, teams: Iterable[int]) -> bool:
        key = frozenset(teams)
        if key not in self.pairable:
            self.pairable[key] = len(key) % 2 == 0 and any(True for _ in self.pairings(sorted(key)))
        return self.pairable[key]

    # --- art. 3: the round ------------------------------------------------------------------------------------------
    def round(self) -> list[tuple[int, int]] | None:
        teams = sorted(self.field.present)
        bye: list[tuple[int, int]] = []
        if len(teams) % 2:
            able = [one for one in teams if self.may_have_bye(one) and self.is_pairable(set(teams) - {one})]
            if not able:
                return None
            free = first_best(able, lambda one: self.now[one], lambda one: -len(self.games[one]), lambda one: -one)
            teams.remove(free)
            bye = [(free, 0)]
        if not self.is_pairable(teams):
            return None
        pairs: list[tuple[int, int]] = []
        while teams:
            group = [team for team in teams if self.now[team] == max(self.now[one] for one in teams)]
            up = self.upfloaters(group, [team for team in teams if team not in group])
            pairs += self.bracket(group, up)
            teams = [team for team in teams if team not in group and team not in up]
        return [self.colours(*pair) for pair in sorted(pairs, key=self._published)] + bye

    def _sets(self, group: list[int], lower: list[int]) -> list[tuple[int, ...]]:
        """The smallest sets that leave a legal pairing (C1, C3, C4), as art. 3.5.3 and 3.5.4 sort them."""
        for size in range(len(lower) + 1):
            sets = [
                up
                for up in combinations(lower, size)
                if self.is_pairable({*group, *up}) and self.is_pairable(set(lower) - set(up))
            ]
            if sets:
                inside = [tuple(sorted(up, key=lambda one: (-self.now[one], one))) for up in sets]
                return sorted(inside)
        raise AssertionError("there was a legal pairing")

    def upfloaters(self, group: list[int], lower: list[int]) -> tuple[int, ...]:
        def scores(up: tuple[int, ...]) -> list[int]:
            return [-score for score in sorted(self.now[one] for one in up)]

        def next_bracket(up: tuple[int, ...]) -> int:
            following = max((self.now[one] for one in lower), default=0)
            left = [one for one in lower if one not in up]
            group = [one for one in left if self.now[one] == following]
            return len(self._sets(group, [one for one in left if one not in group])[0]) if group else 0

        def again(up: tuple[int, ...]) -> int:
            return 0 if self.last_two else sum(self.floated(one) for one in up)

        sets = self._sets(group, lower)
        return sets[0] if len(sets) == 1 else first_best(sets, scores, next_bracket, again)

    @property
    def last_two(self) -> bool:
        return self.field.round >= self.field.rounds - 1

    def bracket(self, group: list[int], up: tuple[int, ...]) -> Pairs:
        def identifier(pairs: Pairs) -> list[int]:
            return [top for top, _ in sorted(pairs)] + [bottom for _, bottom in sorted(pairs)]

        def unfulfilled(pairs: Pairs) -> int:
            wants = [(self.preference(one)[0], self.preference(other)[0]) for one, other in pairs]
            return sum(one == other != "" for one, other in wants)

        def strong(pairs: Pairs) -> int:
            wants = [(self.preference(one), self.preference(other)) for one, other in pairs]
            return sum(one == other and one[1] == "strong" for one, other in wants)

        def again(pairs: Pairs) -> int:
            both = [*pairs, *((other, one) for one, other in pairs)]
            return 0 if self.last_two else sum(one in up and self.floated(other) for one, other in both)

        candidates = sorted(self.pairings(sorted([*group, *up])), key=identifier)
        return first_best(candidates, unfulfilled, strong, again)

    # --- art. 4: colours --------------------------------------------------------------------------------------------
    def _published(self, pair: tuple[int, int]) -> tuple[int, int, int]:
        real = {team: self._points(team, self.field.round, self.scoring.primary) for team in pair}
        better = min(pair, key=lambda team: (-real[team], team))
        return -real[better], -sum(real.values()), better

    def colours(self, one: int, other: int) -> tuple[int, int]:
        def rank(team: int) -> tuple[int, int, int]:
            second = "GP" if self.scoring.primary == "MP" else "MP"
            own = self._points(team, self.field.round, self.scoring.primary)
            return -own, -self._points(team, self.field.round, second) if self.field.secondary else 0, team

        first, second = sorted((one, other), key=rank)
        return (first, second) if self._first_has_white(first, second) else (second, first)

    def _first_has_white(self, first: int, second: int) -> bool:
        mine, theirs = self.games[first], self.games[second]
        if not mine and not theirs:
            return (self._place(first) % 2 == 1) == self.field.first_white
        (want, how), (other, other_how) = self.preference(first), self.preference(second)
        if want and not other:
            return want == "W"
        if other and not want:
            return other == "B"
        if want != other:
            return want == "W"
        if how == "strong" != other_how:
            return want == "W"
        if other_how == "strong" != how:
            return other == "B"
        if self.difference(first) != self.difference(second):
            return self.difference(first) < self.difference(second)
        for at in range(1, min(len(mine), len(theirs)) + 1):
            if mine[-at].white != theirs[-at].white:
                return not mine[-at].white
        if want:
            return want == "W"
        return not mine[-1].white if mine else theirs[-1].white

    def _place(self, team: int) -> int:
        """Its number among the teams that have come."""
        here = set(self.field.present) | {bye.team for bye in self.field.byes if bye.kind == "pab"}
        for meeting in self.field.meetings:
            here |= {meeting.first, meeting.second}
        return sorted(here).index(team) + 1
