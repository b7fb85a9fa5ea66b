"""Keizer: an internal competition for irregular attendance. Whoever is there plays his neighbour on the list.

From the top of the Keizer list everybody meets the next below him who is there and whom he may meet. The two shall not
have met in the last rounds, nor too often altogether; where no round comes out like that, the limits give way step by
step. A maximum matching tells before each pair whether the others can still be paired, so nothing is tried twice.

Source: docs/decisions/0009-the-keizer-variant.md. Forfeited games are no meetings, and have no colour.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from clubrating.ground.marks import marked, sentence
from tournaments.pairing.base import Board, Field, Option, PairedRound, PairingError, read_options
from tournaments.pairing.matching import dearest_pairs, possible_left_over
from tournaments.standings.keizer import KeizerRules, keizer_list
from tournaments.standings.points import OUTCOMES


class Keizer:
    """Settings: `top`, the first's list value; `allocated`, what a bye for want of an opponent brings; `apart`, rounds
    between two games of the same two; `most`, games of the same two altogether."""

    key = "keizer"
    name = marked("Keizer")
    # The list has a worth of its own for it; ordinary points are those of games.
    allocated_bye_scores = False
    min_players = 2
    max_players = 200
    options: tuple[Option, ...] = (
        Option(
            "top",
            marked("List value of the first"),
            0,
            lowest=0,
            highest=1000,
            help=marked("0: the number of players."),
        ),
        Option(
            "allocated",
            marked("A bye for want of an opponent brings"),
            "half",
            choices=(
                ("half", marked("half of one’s own list value")),
                ("third", marked("a third of it, as an excused absence")),
                ("full", marked("the whole of it")),
                ("nothing", "nothing"),
            ),
        ),
        Option("apart", marked("Rounds before the same two meet again"), 6, lowest=0, highest=50),
        Option("most", marked("Games of the same two at most"), 3, lowest=1, highest=50),
    )

    def rules(self, settings: Mapping[str, Any]) -> KeizerRules:
        """What the list is computed with. Raises PairingError for a setting that is none."""
        chosen = read_options(self.options, settings)
        return KeizerRules(chosen["top"], chosen["allocated"])

    def pair_round(self, field: Field, settings: Mapping[str, Any]) -> PairedRound:
        """The boards from the top of the list; the bye goes to the lowest who has had none."""
        chosen = read_options(self.options, settings)
        most, players = self.max_players, len(field.players)
        if players > most:
            raise PairingError(
                sentence("A Keizer list takes up to %(most)s players, not %(players)s.", most=most, players=players)
            )
        if not field.present:
            raise PairingError(sentence("Nobody is there for round %(round)s.", round=field.round))
        lines = keizer_list(field.players, field.meetings, field.byes, self.rules(settings))
        here = [line.player for line in lines if line.player in field.present]
        past = _past(field)
        limits = _limits(chosen["apart"], chosen["most"], past)
        for free in _byes(field, here):
            # Mostly the strictest limits will do.
            if (boards := _pairs(field, here, past, limits[0], free)) is not None:
                return boards
            # If not, the widest tell at once whether there is any way.
            if _pairs(field, here, past, limits[-1], free) is not None:
                found = (_pairs(field, here, past, limit, free) for limit in limits[1:])
                return next(boards for boards in found if boards is not None)
        raise PairingError(
            sentence(
                "Round %(round)s cannot be paired: the pairs that must not meet leave somebody over. Allow one of "
                "them, or let somebody have a bye.",
                round=field.round,
            )
        )


# --- what has been --------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Past:
    """What the games played so far say: rounds in which two met, and everybody's colours in order (True: White)."""

    round: int
    met: Mapping[frozenset[int], tuple[int, ...]]
    colours: Mapping[int, tuple[bool, ...]]


@dataclass(frozen=True, slots=True)
class _Limits:
    apart: int
    most: int

    def allow(self, rounds: Sequence[int], number: int) -> bool:
        """Whether two who met in those rounds may meet in round `number`."""
        return len(rounds) < self.most and all(number - before > self.apart for before in rounds)


def _past(field: Field) -> _Past:
    met: dict[frozenset[int], tuple[int, ...]] = {}
    colours: dict[int, tuple[bool, ...]] = {}
    for meeting in sorted(field.meetings, key=attrgetter("round")):
        if OUTCOMES[meeting.result].played:
            pair = frozenset((meeting.white, meeting.black))
            met[pair] = (*met.get(pair, ()), meeting.round)
            for player, is_white in ((meeting.white, True), (meeting.black, False)):
                colours[player] = (*colours.get(player, ()), is_white)
    return _Past(field.round, met, colours)


def _limits(apart: int, most: int, past: _Past) -> list[_Limits]:
    """From the strictest to none: first fewer rounds between, then one game more of the same two."""
    gaps = {past.round - before for rounds in past.met.values() for before in rounds}
    distances = [apart, *(gap - 1 for gap in sorted(gaps, reverse=True) if gap <= apart)]
    often = max((len(rounds) for rounds in past.met.values()), default=0)
    return [_Limits(distance, games) for games in range(most, max(most, often + 1) + 1) for distance in distances]


# --- the round ------------------------------------------------------------------------------------------------
def _byes(field: Field, here: Sequence[int]) -> list[list[int]]:
    """Who may have the bye: those who have had fewest before the others, the lowest first. One empty list where nobody
    needs one."""
    if len(here) % 2 == 0:
        return [[]]
    had = Counter(bye.player for bye in field.byes if bye.kind == "pab")
    return [
        [player for player in reversed(here) if had[player] == count] for count in sorted({had[one] for one in here})
    ]


def _pairs(field: Field, here: Sequence[int], past: _Past, limits: _Limits, free: Sequence[int]) -> PairedRound | None:
    """The boards within the limits, the bye going to the first of `free` who can have it; None where there are none."""
    graph = {player: [other for other in here if _may_meet(field, past, limits, player, other)] for player in here}
    byes = []
    if free:
        possible = possible_left_over(graph)
        byes = [player for player in free if player in possible][:1]
        if not byes:
            return None
        graph = {player: [other for other in graph[player] if other not in byes] for player in here}
        del graph[byes[0]]
    pairs = dearest_pairs(graph)
    if pairs is None:
        return None
    return (*(_board(one, other, past) for one, other in pairs), *(Board(player, None) for player in byes))


def _may_meet(field: Field, past: _Past, limits: _Limits, one: int, other: int) -> bool:
    pair = frozenset((one, other))
    return one != other and pair not in field.prohibited and limits.allow(past.met.get(pair, ()), past.round)


def _board(one: int, other: int, past: _Past) -> Board:
    """White to whom colours owe it: fewer Whites than Blacks, then the other colour than last time they differed, then
    the lower number."""
    mine, his = past.colours.get(one, ()), past.colours.get(other, ())
    balance = _balance(mine) - _balance(his)
    if balance:
        return Board(one, other) if balance < 0 else Board(other, one)
    for before, then in zip(reversed(mine), reversed(his), strict=False):
        if before != then:
            return Board(other, one) if before else Board(one, other)
    return Board(min(one, other), max(one, other))


def _balance(colours: Sequence[bool]) -> int:
    return 2 * sum(colours) - len(colours)
