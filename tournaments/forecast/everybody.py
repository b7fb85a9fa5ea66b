"""What everybody needs, at once: points first, and what hangs on tie-breaks by going through the endings once (pure).

Points decide most verdicts without any ending: level not being enough, and level being enough, are the two bounds
between which tie-breaks may decide (`clinching`). For the others every ending is ranked once, as the standings are, for
all whose verdict still hangs on it.

Not reckoned with: what `outcomes` does not reckon with either. In an armageddon event, where a game ends in four ways,
there is one line without results, for the player as he stands.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import comb, prod

from tournaments.forecast.clinching import WIN, Race, Ties
from tournaments.forecast.needs import Line, Needs, Own, Verdict, combinations_of, needs_on_points, verdict_of
from tournaments.forecast.outcomes import Goal, Running, all_outcomes, by_points, endings_of
from tournaments.forecast.outlook import Tell
from tournaments.standings.crosstable import HALVES, Meeting
from tournaments.standings.points import OUTCOMES

MOST_ENDINGS = 3**9  # the last round of eighteen players; a minute of ranking at most
# How many sets of players and own results are looked at within a page's request: tenths of a second.
MOST_AT_ONCE = 40_000
MOST_OWN_AT_ONCE = 4


def endings(running: Running) -> int:
    """In how many ways the games to come can end."""
    return prod(len(endings_of(running, meeting)) for meeting in running.meetings)


def is_quick(race: Race, player: int, top: int) -> bool:
    """Whether `needs_by_points` is worked out while somebody waits. Raises KeyError for somebody not in the table."""
    own = len(race.opponents(player))
    sets = comb(len(race.points) - 1, top)
    return own <= MOST_OWN_AT_ONCE and 3**own * sets <= MOST_AT_ONCE


def needs_by_points(running: Running, player: int, top: int = 1, ties: Ties = Ties.SHARED) -> Needs:
    """What the player needs, each combination open where the tie-breaks decide it. Raises KeyError for somebody who is
    not in the table or does not count, ValueError for a `top` below 1, TooManyWaysError."""
    race = running.race()
    opponents = race.opponents(player)
    if running.points.after_draw is not None:
        return Needs(player, top, ties, opponents, (Line((), Verdict.OPEN),))
    if not running.is_race:
        owns = combinations_of(len(opponents))
        return Needs(player, top, ties, opponents, tuple(Line(own, Verdict.OPEN) for own in owns))
    alone = needs_on_points(race, player, top, Ties.ALONE)
    shared = needs_on_points(race, player, top, Ties.SHARED)
    lines = (
        Line(one.own, between(one.verdict, other.verdict)) for one, other in zip(alone.lines, shared.lines, strict=True)
    )
    return Needs(player, top, ties, opponents, tuple(lines))


def needs_of_all(
    running: Running, players: Iterable[int], top: int = 1, ties: Ties = Ties.SHARED, tell: Tell | None = None
) -> dict[int, Needs]:
    """The needs of each of the players, tie-breaks included; lines stay open where more than `MOST_ENDINGS` endings
    would have to be ranked. `tell` is told how many are done. Raises as `needs_by_points`."""
    found = {player: needs_by_points(running, player, top, ties) for player in players}
    asking = [each for each in found.values() if any(line.verdict is Verdict.OPEN for line in each.lines)]
    hanging = [_Hanging.of(running, needs) for needs in asking]
    of = endings(running)
    if not hanging or of > MOST_ENDINGS:
        return found
    for done, meetings in enumerate(all_outcomes(running)):
        if tell is not None:
            tell(done, of)
        _see(running, meetings, hanging)
    return found | {each.goal.player: each.decided(found[each.goal.player]) for each in hanging}


def stand_on_points(running: Running, top: int = 1) -> dict[int, Verdict]:
    """How everybody who counts stands, as far as points decide it; open where tie-breaks may. Nobody's own results are
    gone through, so it is quick. Raises TooManyWaysError."""
    race = running.race()
    if not running.is_race:
        return dict.fromkeys(race.points, Verdict.OPEN)
    return {player: by_points(race, Goal(player, top, Ties.SHARED)) for player in race.points}


@dataclass(slots=True)
class _Hanging:
    """A player some of whose lines hang on tie-breaks: his open games as places among the meetings, and for each such
    line whether the goal has been seen met, and missed."""

    goal: Goal
    games: Sequence[tuple[int, bool]]
    seen: dict[Own, set[bool]] = field(default_factory=dict)

    @classmethod
    def of(cls, running: Running, needs: Needs) -> "_Hanging":
        player, has_lines = needs.player, running.points.after_draw is None
        games = [
            (place, meeting.white == player)
            for place, meeting in enumerate(running.meetings)
            if has_lines and player in (meeting.white, meeting.black) and running.is_open(meeting)
        ]
        seen: dict[Own, set[bool]] = {line.own: set() for line in needs.lines if line.verdict is Verdict.OPEN}
        return cls(Goal(player, needs.top, needs.ties), games, seen)

    def own(self, meetings: Sequence[Meeting]) -> Own:
        """His half-points from his games in this ending."""
        halves = ((HALVES[OUTCOMES[meetings[place].result].white], is_white) for place, is_white in self.games)
        return tuple(made if is_white else WIN - made for made, is_white in halves)

    def decided(self, needs: Needs) -> Needs:
        lines = []
        for line in needs.lines:
            seen = self.seen.get(line.own)
            lines.append(line if seen is None else Line(line.own, verdict_of(False not in seen, True in seen)))
        return replace(needs, lines=tuple(lines))


def _see(running: Running, meetings: Sequence[Meeting], hanging: Sequence[_Hanging]) -> None:
    """One ending, for those who learn from it; ranked only where its points leave one of them open."""
    asking = [(each, own) for each in hanging if len(each.seen.get(own := each.own(meetings), _BOTH)) < len(_BOTH)]
    if not asking:
        return
    table = running.table(meetings)
    order = None
    for each, own in asking:
        on_points = each.goal.on_points(table)
        if on_points is Verdict.OPEN:
            order = order or running.order(table)
            each.seen[own].add(each.goal.is_met(order))
        else:
            each.seen[own].add(on_points is Verdict.SURE)


_BOTH = frozenset({True, False})


def between(alone: Verdict, shared: Verdict) -> Verdict:
    """The verdict whatever the tie-breaks say: sure where level is not enough, lost where it is; what depends on others
    without a tie both ways depends on them; open where only level decides."""
    if alone is Verdict.SURE or shared is Verdict.LOST:
        return Verdict.SURE if alone is Verdict.SURE else Verdict.LOST
    return Verdict.HELP if alone is shared is Verdict.HELP else Verdict.OPEN
