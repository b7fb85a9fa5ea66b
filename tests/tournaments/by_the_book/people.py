"""What the rules know of a player before a round: score, colours, floats, whom he met, whether he may have the bye.

Sources: C.04.3 art. 1 (definitions), C.04.2 (unplayed games), C.04.7 (Baku acceleration).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from tournaments.pairing.base import Field
from tournaments.standings.crosstable import Meeting
from tournaments.standings.points import OUTCOMES, Result

WHITE, BLACK = "white", "black"
OTHER = {WHITE: BLACK, BLACK: WHITE}
DOWN, UP = "down", "up"
# Not finished: for the pairing they are draws.
UNFINISHED = (Result.OPEN, Result.ADJOURNED)
NO_PREFERENCE, MILD, STRONG, ABSOLUTE = range(4)


@dataclass(frozen=True, slots=True, eq=False)
class Person:
    """One player before the round, the same only as himself. `score` counts virtual points, `points` does not;
    `colours` are those of played games, the latest last; `last_float` and `float_before` are those of the last round
    and of the one before it; `odd`: whether his number is odd among those who have come (docs/decisions/0012)."""

    number: int
    score: int
    points: int
    colours: tuple[str, ...]
    met: frozenset[int]
    last_float: str | None
    float_before: str | None
    may_have_bye: bool
    is_topscorer: bool
    unplayed: int
    odd: bool

    @property
    def rank(self) -> tuple[int, int]:
        """The smaller, the higher ranked."""
        return -self.score, self.number

    @property
    def difference(self) -> int:
        return self.colours.count(WHITE) - self.colours.count(BLACK)

    @property
    def had_twice(self) -> str | None:
        """The colour of both of his two latest games, if it was the same."""
        latest = self.colours[-2:]
        return latest[0] if len(latest) == 2 and latest[0] == latest[1] else None

    @property
    def strength(self) -> int:
        if not self.colours:
            return NO_PREFERENCE
        if abs(self.difference) > 1 or self.had_twice:
            return ABSOLUTE
        return STRONG if self.difference else MILD

    @property
    def wants(self) -> str | None:
        if self.difference > 1:
            return BLACK
        if self.difference < -1:
            return WHITE
        if self.had_twice:
            return OTHER[self.had_twice]
        if self.difference:
            return BLACK if self.difference > 0 else WHITE
        return OTHER[self.colours[-1]] if self.colours else None


@dataclass(frozen=True, slots=True)
class Deed:
    """What one player did in one round. `colour` is None where he did not play."""

    round: int
    points: int
    colour: str | None = None
    opponent: int | None = None
    is_allocated_bye: bool = False
    is_forfeit_win: bool = False


def people_before(field: Field, rounds: int, acceleration: str) -> dict[int, Person]:
    """All players of the field before its round, by number. `rounds` is the length of the event."""
    deeds = {number: tuple(deeds_of(field, number)) for number in field.players}
    virtual = {number: virtual_points(field, rounds, acceleration, number) for number in field.players}
    come = who_have_come(field)

    def score(number: int, before: int) -> int:
        return (
            sum(deed.points for deed in deeds[number] if deed.round < before)
            + (*virtual[number], *[0] * 99)[before - 1]
        )

    def float_in(number: int, round_: int) -> str | None:
        if round_ < 1:
            return None
        played = [deed for deed in deeds[number] if deed.round == round_ and deed.colour]
        if played:
            mine, theirs = score(number, round_), score(played[0].opponent or 0, round_)
            return DOWN if mine > theirs else UP if mine < theirs else None
        done = [deed for deed in deeds[number] if deed.round == round_]
        return DOWN if floats_unplayed(field, done) else None

    return {
        number: Person(
            number=number,
            score=score(number, field.round),
            points=sum(deed.points for deed in deeds[number]),
            colours=tuple(deed.colour for deed in deeds[number] if deed.colour),
            met=frozenset(deed.opponent for deed in deeds[number] if deed.colour and deed.opponent),
            last_float=float_in(number, field.round - 1),
            float_before=float_in(number, field.round - 2),
            may_have_bye=not any(bars_bye(field, deed) for deed in deeds[number]),
            is_topscorer=is_topscorer(field, rounds, sum(deed.points for deed in deeds[number])),
            odd=number in come[::2],
            unplayed=field.round - 1 - sum(1 for deed in deeds[number] if deed.colour),
        )
        for number in field.players
    }


def who_have_come(field: Field) -> list[int]:
    """Everybody who has been paired so far or is to be paired now, by number."""
    paired = {number for meeting in field.meetings for number in (meeting.white, meeting.black)}
    allocated = {bye.player for bye in field.byes if bye.kind == "pab"}
    return sorted(field.present | paired | allocated)


def deeds_of(field: Field, number: int) -> list[Deed]:
    games = [deed_in(field, meeting, number) for meeting in field.meetings if number in (meeting.white, meeting.black)]
    byes = [
        Deed(bye.round, bye.points, is_allocated_bye=bye.kind == "pab") for bye in field.byes if bye.player == number
    ]
    return sorted([*games, *byes], key=lambda deed: deed.round)


def deed_in(field: Field, meeting: Meeting, number: int) -> Deed:
    is_white = meeting.white == number
    opponent = meeting.black if is_white else meeting.white
    outcome = OUTCOMES[meeting.result]
    if meeting.result in UNFINISHED:
        return Deed(meeting.round, field.points.draw, WHITE if is_white else BLACK, opponent)
    share = outcome.white if is_white else outcome.black
    if outcome.white == outcome.black == "draw":
        armageddon = OUTCOMES[meeting.armageddon]
        won = (
            ("loss", "win") if armageddon.white == armageddon.black == "draw" else (armageddon.white, armageddon.black)
        )
        points = field.points.decided_share(won[not is_white])
    else:
        points = field.points.share(share)
    if not outcome.played:
        return Deed(meeting.round, points, is_forfeit_win=share == "win")
    return Deed(meeting.round, points, WHITE if is_white else BLACK, opponent)


def floats_unplayed(field: Field, done: list[Deed]) -> bool:
    """Whether a round without a game is a downfloat: any before 2026, since then only one that scored."""
    if field.edition == 2025:
        return True
    return any(deed.is_allocated_bye or deed.points > field.points.loss for deed in done)


def bars_bye(field: Field, deed: Deed) -> bool:
    if deed.is_allocated_bye:
        return True
    if field.edition == 2025:
        return deed.is_forfeit_win
    return deed.colour is None and deed.points >= field.points.win


def is_topscorer(field: Field, rounds: int, points: int) -> bool:
    return field.round == rounds and 2 * points > field.points.win * (rounds - 1)


def virtual_points(field: Field, rounds: int, acceleration: str, number: int) -> tuple[int, ...]:
    if field.accelerated:
        return tuple(field.accelerated.get(number, ()))
    if acceleration == "none" or number > last_of_upper_group(field):
        return ()
    return tuple(baku(rounds, field.points.win, field.points.draw))


def last_of_upper_group(field: Field) -> int:
    """The lower end of the upper half, rounded up to an even number, of those paired in round 1; who enters later
    belongs to it by his number."""
    paired = {number for meeting in field.meetings if meeting.round == 1 for number in (meeting.white, meeting.black)}
    paired |= {bye.player for bye in field.byes if bye.round == 1 and bye.kind == "pab"}
    there = sorted(field.present if field.round == 1 else paired)
    return (0, *there[: 2 * ceil(len(there) / 4)])[-1]


def baku(rounds: int, win: int, draw: int) -> Iterator[int]:
    """The virtual points of the upper group in rounds 1, 2, …; where a draw is not half a win the rule says nothing."""
    accelerated = ceil(rounds / 2)
    full = ceil(accelerated / 2)
    yield from [win] * full
    yield from [draw] * (accelerated - full)
