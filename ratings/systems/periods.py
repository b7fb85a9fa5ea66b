"""What the replay keeps beside the players' states: raters, starting ratings still to come, and open periods.

A period is a group of games that are rated together: which games belong to it, when it is over, and what was known
when it began.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from ratings.systems.base import FOREVER, GameRater, GameRow, GroupRater, Period, PlayedGame, PlayerState, Start
from ratings.systems.rules import DatedRule


class Rater:
    """A dated rule with its rater, made once for the run."""

    def __init__(self, rule: DatedRule) -> None:
        self.rule, self.period = rule, rule.period
        one_by_one = rule.period == Period.GAME
        self.rate: GameRater | None = rule.system.game_rater(rule.settings) if one_by_one else None
        self.rate_group: GroupRater | None = None if one_by_one else rule.system.group_rater(rule.settings)
        self.rate_contest = rule.system.contest_rater(rule.settings) if one_by_one else None
        self.normalisation = rule.system.normalisation(rule.settings)
        self.stream = rule.system.stream_rater(rule.settings)


class Beginnings:
    """Starting ratings still to come, in order. `order`: of the next one; FOREVER where there is none. `begin` lets one
    take effect."""

    def __init__(self, starts: Iterable[Start], begin: Callable[[Start], Iterator[GameRow]]) -> None:
        self._waiting, self._begin = iter(starts), begin
        self._advance()

    def _advance(self) -> None:
        self._next = next(self._waiting, None)
        self.order = self._next.order if self._next else FOREVER

    def until(self, order: int) -> Iterator[GameRow]:
        """Let those at or before `order` take effect; all of them by FOREVER."""
        while self._next is not None and self.order <= order:
            yield from self._begin(self._next)
            self._advance()


class End(NamedTuple):
    """When a period is over: with the game of that `order` where it is known, else by that `day` (ordinal)."""

    order: int | None
    day: int


@dataclass(slots=True)
class OpenGroup:
    """A period under way. `before`: states that changed since it began, as they were then (None: unknown then)."""

    rater: Rater
    end: End
    games: list[PlayedGame] = field(default_factory=list)
    before: dict[int, PlayerState | None] = field(default_factory=dict)

    @property
    def last(self) -> int:
        return self.games[-1].order

    @property
    def closes(self) -> bool:
        """Whether the period is over with its last game: an event still running is not."""
        return self.rater.period != Period.EVENT or self.games[-1].closed


def group_key(game: PlayedGame, period: Period) -> object:
    if period == Period.EVENT:
        return event_of(game)
    if period == Period.ALL:
        return None
    return game.day if period == Period.DAY else (game.played_on.year, game.played_on.month)


def event_of(game: PlayedGame) -> object:
    """What the game's event is called: games without one form an event by their day."""
    return ("day", game.day) if game.event is None else game.event


def group_end(game: PlayedGame, period: Period, last: int | None) -> End:
    """When the period that begins with this game is over; `last`: order of its event's last game."""
    if period == Period.DAY:
        return End(None, game.day + 1)
    if period == Period.MONTH:
        on = game.played_on
        return End(None, date(on.year + on.month // 12, on.month % 12 + 1, 1).toordinal())
    if period == Period.EVENT and game.closed:
        return End(last, FOREVER)
    return End(None, FOREVER)
