"""Players, colours and brackets of the Swiss rules: what a round is paired from (pure).

`Competitor` is a player as the rules see him before a round: score, colours, floats, whom he met, whether he may have
the bye. Everything is read off the rounds before. Only games played on the board give colours and are meetings; a
forfeited pairing may be made again. Floats look at the rounds as they were: who met a lower score floated down, who met
a higher one up. Without playing one floats down by the pairing-allocated bye, or by more points than a loss brings;
before February 2026 by any round not played. Scores count virtual points (acceleration); only the order of boards and
top scorers look at real points. Source: FIDE C.04.3 art. 1.2, 1.4, 1.6 to 1.8 (edition 2026; 2025: A.2, A.4, A.6, A.7);
C.04.1 art. 4 (who may have the bye).

`colour_rule`: who has White. Both preferences are granted where they differ; else the stronger one, and of two absolute
ones that with the wider difference of colours; else the colours alternate from the last time in which the two had
different ones; else the higher ranked has his preference; where nobody has one, an odd number of the higher ranked gets
the colour that was drawn before round 1, an even one the other. Source: FIDE C.04.3 art. 5.2 (edition 2025: E.1 to
E.5); C.04.2 art. 3.4: rounds not played are moved to the front of the history, so that the latest games stand side by
side. Which numbers are odd while some have not come yet: docs/decisions/0012-numbers-of-those-who-have-come.md.

`Bracket`: who is paired now, who would be next, and what remains. Residents come from one score group; those moved down
from brackets above come first. `following` is the next score group, `rest` everybody below it. In the collapsed last
bracket of the older rules the residents are of several score groups. Source: FIDE C.04.3 art. 1.3 (edition 2025: A.3,
A.9).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from functools import cached_property
from itertools import accumulate, groupby

from tournaments.pairing.base import Field
from tournaments.standings.crosstable import Bye, Cell, Meeting, build_crosstable
from tournaments.standings.points import OUTCOMES, Result


# --- players ------------------------------------------------------------------------------------------------------
class Float(Enum):
    """How somebody left his score group in a round."""

    NONE = ""
    DOWN = "down"
    UP = "up"


class Strength(IntEnum):
    """How much a colour is due."""

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


@dataclass(frozen=True, slots=True)
class Preference:
    """The colour that is due, and how much; `white` is None where none is."""

    white: bool | None
    strength: Strength


@dataclass(frozen=True, slots=True)
class Competitor:
    """`score` with and `points` without virtual points, in the smallest unit; `colours` of the games played (True:
    White); `met`: numbers met on the board; `floats` of the last round and of the one before; `unplayed`: rounds
    without a game on the board; `top`: a top scorer of the last round; `preference` is the colour due; `odd`: whether
    his number is odd among those who have come so far (decision 12)."""

    number: int
    score: int
    points: int
    colours: tuple[bool, ...]
    met: frozenset[int]
    floats: tuple[Float, Float]
    may_have_bye: bool
    unplayed: int
    top: bool
    preference: Preference
    odd: bool

    @property
    def difference(self) -> int:
        """Games with White minus games with Black."""
        return 2 * sum(self.colours) - len(self.colours)

    @property
    def repeated(self) -> bool | None:
        """The colour of the last two games, where they had the same."""
        return self.colours[-1] if len(self.colours) > 1 and self.colours[-1] == self.colours[-2] else None

    @property
    def order(self) -> tuple[int, int]:
        """Higher ranked players come first: by score, then by number."""
        return -self.score, self.number


def preference_of(colours: tuple[bool, ...]) -> Preference:
    """The colour due after games with those colours.

    >>> preference_of((True, False, True)) == Preference(False, Strength.STRONG)
    True
    """
    difference = 2 * sum(colours) - len(colours)
    repeated = len(colours) > 1 and colours[-1] == colours[-2]
    if abs(difference) > 1:
        return Preference(difference < 0, Strength.ABSOLUTE)
    if repeated:
        return Preference(not colours[-1], Strength.ABSOLUTE)
    if difference:
        return Preference(difference < 0, Strength.STRONG)
    return Preference(not colours[-1], Strength.MILD) if colours else Preference(None, Strength.NONE)


def competitors_of(
    field: Field, rounds: int, virtual: Mapping[int, tuple[int, ...]], games: int = 1
) -> list[Competitor]:
    """Those to be paired, the highest ranked first. `rounds` of the whole event; `virtual` points by number and round;
    `games` against each opponent, a round each: colours are then those of the first game, floats those of the matches
    before. Raises KeyError where a game names somebody who is not in the field."""
    history = _History(field, virtual, games)
    last = field.round > rounds - games
    place = {player: at for at, player in enumerate(sorted(_arrived(field)), start=1)}
    found = [_competitor(history, player, last=last, odd=bool(place[player] % 2)) for player in field.present]
    return sorted(found, key=lambda competitor: competitor.order)


def settled(meeting: Meeting) -> Meeting:
    """A game that is not over counts as a draw for the pairing."""
    return meeting if OUTCOMES[meeting.result].white is not None else replace(meeting, result=Result.DRAW)


def _arrived(field: Field) -> set[int]:
    """Who has been paired so far, this round included: numbers are given to those who come."""
    played = {player for meeting in field.meetings for player in (meeting.white, meeting.black)}
    return played | {bye.player for bye in field.byes if bye.kind == "pab"} | field.present


class _History:
    """Scores of everybody before every round."""

    def __init__(self, field: Field, virtual: Mapping[int, tuple[int, ...]], each: int = 1) -> None:
        self.field, self.virtual, self.each = field, virtual, each
        table = build_crosstable(field.players, map(settled, field.meetings), (), field.points)
        self.cells = {player: {cell.round: cell for cell in line.cells} for player, line in table.items()}
        self.byes: dict[int, dict[int, Bye]] = {player: {} for player in field.players}
        for bye in field.byes:
            self.byes[bye.player][bye.round] = bye
        self.before = {player: self._running(player) for player in field.players}

    def _running(self, player: int) -> list[int]:
        """Points before rounds 1, 2, … up to the one to be paired."""
        gained = (self._gained(player, number) for number in range(1, self.field.round))
        return list(accumulate(gained, initial=0))

    def _gained(self, player: int, number: int) -> int:
        cell, bye = self.cells[player].get(number), self.byes[player].get(number)
        return (cell.points if cell else 0) + (bye.points if bye else 0)

    def score(self, player: int, number: int) -> int:
        """The score with virtual points when that round was paired."""
        own = self.virtual.get(player, ())
        return self.before[player][number - 1] + (own[number - 1] if number <= len(own) else 0)

    def float_in(self, player: int, number: int) -> Float:
        """The float of that round; none before the first."""
        if number < 1:
            return Float.NONE
        cell = self.cells[player].get(number)
        if cell is None or not cell.played:
            bye = self.byes[player].get(number)
            scored = self._gained(player, number) > self.field.points.loss
            down = self.field.edition < 2026 or scored or (bye is not None and bye.kind == "pab")
            return Float.DOWN if down else Float.NONE
        mine, theirs = self.score(player, number), self.score(cell.opponent, number)
        return Float.DOWN if mine > theirs else Float.UP if mine < theirs else Float.NONE

    def may_have_bye(self, player: int) -> bool:
        """Whether he had neither the allocated bye nor a win without playing (before February 2026 a full point asked
        for did not matter)."""
        won = any(not cell.played and cell.points >= self.field.points.win for cell in self.games(player))
        byes = self.byes[player].values()
        full = self.field.edition >= 2026 and any(bye.points >= self.field.points.win for bye in byes)
        return not (won or full or any(bye.kind == "pab" for bye in byes))

    def games(self, player: int) -> list[Cell]:
        """All boards before the round, in order."""
        return [cell for number, cell in self.cells[player].items() if number < self.field.round]


def _competitor(history: _History, player: int, *, last: bool, odd: bool) -> Competitor:
    number, win, each = history.field.round, history.field.points.win, history.each
    games = [cell for cell in history.games(player) if cell.played]
    first = [cell for cell in games if cell.round % each == 1 % each]
    colours = tuple(cell.is_white for cell in first)
    points = history.before[player][-1]
    return Competitor(
        number=player,
        score=history.score(player, number),
        points=points,
        colours=colours,
        met=frozenset(cell.opponent for cell in games),
        floats=(history.float_in(player, number - each), history.float_in(player, number - 2 * each)),
        may_have_bye=history.may_have_bye(player),
        unplayed=(number - 1) // each - len(first),
        # More than half of what could be scored in the rounds before.
        top=last and 2 * points > win * (number - 1),
        preference=preference_of(colours),
        odd=odd,
    )


# --- who has White ------------------------------------------------------------------------------------------------
GRANT_BOTH, STRONGER, WIDER, ALTERNATE, HIGHER, INITIAL = "both", "stronger", "wider", "alternate", "higher", "initial"


def colour_rule(higher: Competitor, lower: Competitor, first_white: bool) -> tuple[bool, str]:
    """Whether the higher ranked has White, and by which of the rules. `first_white`: the colour drawn for number 1."""
    mine, theirs = higher.preference, lower.preference
    if mine.white is not None and theirs.white is not None and mine.white != theirs.white:
        return mine.white, GRANT_BOTH
    if mine.strength != theirs.strength:
        stronger = bool(mine.white) if mine.strength > theirs.strength else not theirs.white
        return stronger, GRANT_BOTH if Strength.NONE in (mine.strength, theirs.strength) else STRONGER
    if mine.strength == Strength.ABSOLUTE and abs(higher.difference) != abs(lower.difference):
        wider = abs(higher.difference) > abs(lower.difference)
        return (bool(mine.white) if wider else not theirs.white), WIDER
    for before, then in zip(reversed(higher.colours), reversed(lower.colours), strict=False):
        if before != then:
            return not before, ALTERNATE
    if mine.white is not None:
        return mine.white, HIGHER
    return first_white == higher.odd, INITIAL


# --- brackets -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Bracket:
    """Everybody in the order of scores and numbers. `point`: one shown point in the smallest unit. `barred`: where the
    following group is the last one, the numbers that may not be left over in it, because they may not have the bye.
    `decides_bye`: the one who floats from here is the one who gets the pairing-allocated bye."""

    moved_down: tuple[Competitor, ...]
    residents: tuple[Competitor, ...]
    following: tuple[Competitor, ...]
    rest: tuple[Competitor, ...]
    point: int
    barred: frozenset[int] = frozenset()
    decides_bye: bool = False

    @cached_property
    def players(self) -> tuple[Competitor, ...]:
        """All who may be paired here."""
        return self.moved_down + self.residents

    @property
    def below(self) -> tuple[Competitor, ...]:
        """All who are in none of the brackets so far."""
        return self.following + self.rest

    @property
    def floor(self) -> int:
        """What a floater's score is compared with: one point less than the lowest score of the bracket (edition 2025,
        A.8)."""
        return self.players[-1].score - self.point

    @property
    def next_floor(self) -> int:
        """The same for the following bracket."""
        return self.following[-1].score - self.point if self.following else self.floor

    def is_moved_down(self, player: Competitor) -> bool:
        """Whether he comes from a bracket above."""
        return player.number in self._moved_down

    @cached_property
    def _moved_down(self) -> frozenset[int]:
        return frozenset(player.number for player in self.moved_down)


def score_groups(players: Sequence[Competitor]) -> list[tuple[Competitor, ...]]:
    """The players, ordered, by score from the top."""
    return [tuple(group) for _score, group in groupby(players, key=lambda player: player.score)]
