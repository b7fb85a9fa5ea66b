"""The formats an adviser compares, and whether they fit the hall (pure): rounds, boards, evenings.

A round of more games than there are boards is played in sittings. An evening has so many sittings as rounds can be
played in it; a match of several games takes one sitting a game. So nothing here depends on results: every format is
reckoned at its longest. Groups play side by side, and the boards are shared.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from itertools import zip_longest
from random import Random

from clubrating.ground.marks import sentence
from tournaments.pairing.base import Bracket, PairingError
from tournaments.pairing.groups import GroupsThenKnockout, is_even_cross, serpentine
from tournaments.pairing.knockout import GIVEN, STANDARD, Knockout, rounds_for
from tournaments.pairing.round_robin import RoundRobin, cycles


class Kind(StrEnum):
    """Keys of the pairing systems where there is one."""

    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    GROUPS = "groups"


KINDS = tuple(Kind)
LONGEST_SWISS = 15  # rounds; a longer one nobody thinks of


@dataclass(frozen=True, slots=True)
class Format:
    """A format with its settings. `cycles`: how often all meet (round robin, groups); `rounds` of a Swiss; `groups` and
    how many go on from each; `games` of a knockout match."""

    kind: Kind
    cycles: int = 1
    rounds: int = 0
    groups: int = 2
    qualifiers: int = 2
    games: int = 1


@dataclass(frozen=True, slots=True)
class Hall:
    """What there is: evenings, boards, and how many rounds can be played in an evening."""

    evenings: int
    boards: int
    rounds_an_evening: int = 1

    def __post_init__(self) -> None:
        if min(self.evenings, self.boards, self.rounds_an_evening) < 1:
            raise ValueError("An event needs an evening, a board and a round an evening.")

    @property
    def sittings(self) -> int:
        return self.evenings * self.rounds_an_evening

    def sittings_for(self, games: int) -> int:
        """How often the boards must be set up for a round of so many games."""
        return -(-games // self.boards)

    def evenings_for(self, rounds: Sequence[int]) -> int:
        """The evenings that rounds of so many games each take."""
        return -(-sum(self.sittings_for(games) for games in rounds) // self.rounds_an_evening)


def check_format(form: Format, players: int) -> None:
    """Raises PairingError where the field is too small or too large for the format, or a setting is none."""
    if form.kind is Kind.SWISS and not 1 <= form.rounds < players:
        raise PairingError(
            sentence(
                "A Swiss of %(players)s players has 1 to %(most)s rounds, not %(rounds)s.",
                players=players,
                most=players - 1,
                rounds=form.rounds,
            )
        )
    if form.kind is Kind.ROUND_ROBIN:
        RoundRobin().schedule(players, {"cycles": form.cycles})
    if form.kind is Kind.GROUPS:
        GroupsThenKnockout().plan(players, group_settings(form), Random(0))
    if form.kind in (Kind.KNOCKOUT, Kind.GROUPS):
        bracket_of(form, players)


def games_by_round(form: Format, players: int) -> tuple[int, ...]:
    """How many games are played in each sitting's round, byes left out; a match counts each of its games as a round.
    Raises PairingError as `check_format`."""
    check_format(form, players)
    if form.kind is Kind.SWISS:
        return (players // 2,) * form.rounds
    if form.kind is Kind.KNOCKOUT:
        return _of_knockout(players, form.games)
    if form.kind is Kind.ROUND_ROBIN:
        return _of_round_robin(players, form.cycles)
    parts = [_of_round_robin(len(part), form.cycles) for part in group_fields(form, players)]
    together = tuple(sum(games) for games in zip_longest(*parts, fillvalue=0))
    return together + _of_knockout(form.groups * form.qualifiers, form.games)


def schedule(players: int, times: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The rounds of a round robin as pairs of places in the field, from 0; byes left out."""
    rounds = cycles(players + players % 2, double=times == 2)
    return tuple(tuple((one - 1, other - 1) for one, other in pairs if max(one, other) <= players) for pairs in rounds)


def group_fields(form: Format, players: int) -> tuple[tuple[int, ...], ...]:
    """The groups as places in the field, from 0, dealt out from the strongest there and back."""
    return serpentine(range(players), form.groups)


def group_settings(form: Format) -> dict[str, int]:
    """The settings of the pairing system of groups."""
    return {"groups": form.groups, "qualifiers": form.qualifiers, "cycles": form.cycles, "games": form.games}


def bracket_of(form: Format, players: int) -> Bracket:
    """The knockout of the format: seeded, or after groups in the order in which they send their best."""
    if form.kind is not Kind.GROUPS:
        return Knockout().bracket(players, {"seeding": STANDARD, "games": form.games}, Random(0))
    seeding = GIVEN if is_even_cross(form.groups, form.qualifiers) else STANDARD
    return Knockout().bracket(form.groups * form.qualifiers, {"seeding": seeding, "games": form.games}, Random(0))


def last_evening(first: date, every: int, evenings: int) -> date:
    """The day of the last of so many evenings, one `every` so many days (0: all on one day). Raises ValueError for no
    evening at all, OverflowError beyond the last year there is."""
    if evenings < 1:
        raise ValueError("An event takes at least one evening.")
    return first + timedelta(days=every * (evenings - 1))


def usual_formats(players: int, hall: Hall) -> tuple[Format, ...]:
    """What a club would think of for so many players: all play all, once and twice; a Swiss of several lengths; a
    knockout of one game and of two; two and four groups."""
    asked = (
        Format(Kind.ROUND_ROBIN),
        Format(Kind.ROUND_ROBIN, cycles=2),
        *(Format(Kind.SWISS, rounds=rounds) for rounds in _swiss_lengths(players, hall)),
        Format(Kind.KNOCKOUT),
        Format(Kind.KNOCKOUT, games=2),
        Format(Kind.GROUPS),
        Format(Kind.GROUPS, groups=4),
    )
    return tuple(form for form in asked if _is_possible(form, players))


def _swiss_lengths(players: int, hall: Hall) -> list[int]:
    """As short as can name a winner, as long as the evenings allow (but no longer than half the field), and between
    the two."""
    shortest, boards = rounds_for(players), max(players // 2, 1)
    longest = max(shortest, min(hall.sittings // hall.sittings_for(boards), boards, LONGEST_SWISS))
    return sorted({shortest, (shortest + longest) // 2, longest})


def _is_possible(form: Format, players: int) -> bool:
    try:
        check_format(form, players)
    except PairingError:
        return False
    return True


def _of_round_robin(players: int, times: int) -> tuple[int, ...]:
    return (players // 2,) * len(schedule(players, times))


def _of_knockout(players: int, games: int) -> tuple[int, ...]:
    """First as many matches as bring the field down to a power of two, then half of those left each time."""
    lines = 2 ** rounds_for(players)
    matches = [players - lines // 2, *(lines >> number for number in range(2, rounds_for(players) + 1))]
    return tuple(count for count in matches for _game in range(games))
