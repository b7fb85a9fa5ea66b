"""Everybody's way through a stage, round by round: whom he met, what it brought, and how he stood after it. No query.

Places after a round are by points alone, without tie-breaks. Not done: knockouts.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from tournaments.events.selectors.event_data import Entrant, EventData, RoundData
from tournaments.events.selectors.standings import EventStandings, byes_of
from tournaments.standings.crosstable import Cell


@dataclass(frozen=True, slots=True)
class Step:
    """One player's round: the `game` against the opponent (open ones too), or the kind of `bye`, if any. `total`: the
    points after the round, and `place` the place on points; None while that is open."""

    round: int
    opponent: Entrant | None = None
    game: Cell | None = None
    bye: str = ""
    points: int = 0
    total: int | None = None
    place: int | None = None

    @property
    def colour(self) -> str:
        """ "w" or "b"; empty without a game."""
        return "" if self.game is None else "w" if self.game.is_white else "b"

    @property
    def mark(self) -> str:
        """The result as it is written: 1, ½, 0, +, −; empty while it is open."""
        return self.game.shown if self.game is not None and self.game.decided else ""


Steps = Mapping[int, tuple[Step, ...]]


def steps_of(event: EventData, ranked: EventStandings) -> Steps:
    """A step for every round there is, of everybody with a number, by it."""
    byes = {(bye.player, bye.round): bye for bye in byes_of(event, event.rounds)}
    asked = {(bye.entrant.number, row.number): bye.kind for row in event.rounds for bye in row.byes}
    ways = {}
    for number, line in ranked.table.items():
        games = {cell.round: cell for cell in (*line.cells, *line.annulled)}
        steps, total = [], 0
        for row in event.rounds:
            game, bye = games.get(row.number), byes.get((number, row.number))
            if game is not None:
                points, is_over = game.points if game.counts else 0, game.decided
            else:
                points = bye.points if bye and line.counts else 0
                is_over = row.begun or points > 0
            total += points
            step = Step(
                round=row.number,
                opponent=ranked.entrants[game.opponent] if game is not None else None,
                game=game,
                bye="" if game is not None else asked.get((number, row.number), ""),
                points=points,
                total=total if is_over else None,
            )
            steps.append(step)
        ways[number] = tuple(steps)
    return _with_places(event.rounds, ways, ranked)


def _with_places(rounds: Iterable[RoundData], ways: Steps, ranked: EventStandings) -> Steps:
    """The places on points after every round that is complete; equal points share them."""
    counting = [number for number, line in ranked.table.items() if line.counts]
    kept = {number: list(steps) for number, steps in ways.items()}
    for index, row in enumerate(rounds):
        if not row.is_complete:
            continue
        totals = sorted(-(ways[number][index].total or 0) for number in counting)
        first = {total: place for place, total in reversed(list(enumerate(totals, start=1)))}
        for number in counting:
            step = kept[number][index]
            kept[number][index] = replace(step, place=first[-(step.total or 0)])
    return {number: tuple(steps) for number, steps in kept.items()}
