"""Games that are rated together: whose period they belong to, when it is over, and what was known when it began."""

from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from ratings.systems.base import FOREVER, GameRater, GroupRater, Period, PlayedGame, PlayerState
from ratings.systems.rules import DatedRule


class Rater:
    """A dated rule with its rater, made once for the run."""

    def __init__(self, rule: DatedRule) -> None:
        self.rule, self.period = rule, rule.period
        one_by_one = rule.period == Period.GAME
        self.rate: GameRater | None = rule.system.game_rater(rule.settings) if one_by_one else None
        self.rate_group: GroupRater | None = None if one_by_one else rule.system.group_rater(rule.settings)
        self.normalisation = rule.system.normalisation(rule.settings)
        self.stream = rule.system.stream_rater(rule.settings)


@dataclass(slots=True)
class OpenGroup:
    """A period under way. `before`: states that changed since it began, as they were then (None: unknown then).
    `ends_with`: order of its last game where that is known; `over_by`: the day by which it is over."""

    rater: Rater
    end: "End"
    games: list[PlayedGame] = field(default_factory=list)
    before: dict[int, PlayerState | None] = field(default_factory=dict)

    @property
    def ends_with(self) -> int | None:
        return self.end.order

    @property
    def over_by(self) -> int:
        return self.end.day

    @property
    def last(self) -> int:
        return self.games[-1].order

    @property
    def closes(self) -> bool:
        """Whether the period is over with its last game: an event still running is not."""
        return self.rater.period != Period.EVENT or self.games[-1].closed


class End(NamedTuple):
    order: int | None
    day: int


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
