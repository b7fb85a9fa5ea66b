"""Fields of a Swiss for tests: rounds drawn as lines, and events played out with a seed."""

from collections.abc import Iterable, Iterator
from random import Random

from tournaments.pairing.base import CLASSIC, Field, PairedRound
from tournaments.pairing.dutch.system import Dutch
from tournaments.standings.crosstable import Bye, Meeting
from tournaments.standings.points import PointSystem, Result

_RESULTS = {
    "1-0": Result.WHITE_WINS,
    "½": Result.DRAW,
    "0-1": Result.BLACK_WINS,
    "+-": Result.BLACK_FORFEITS,
    "-+": Result.WHITE_FORFEITS,
    "--": Result.BOTH_FORFEIT,
    "*": Result.ADJOURNED,
}
_BYES = {"U": "pab", "F": "full", "H": "half", "Z": "zero"}


def drawn(
    players: int, *rounds: str, absent: Iterable[int] = (), edition: int = 2026, points: PointSystem = CLASSIC
) -> Field:
    """The field of the round after those drawn: "1-4 1-0, 2-3 ½, 5 U" is White, Black, result; a number and a bye."""
    meetings, byes = [], []
    worth = {"U": points.allocated_bye, "F": points.win, "H": points.draw, "Z": 0}
    for number, line in enumerate(rounds, start=1):
        for board in line.split(","):
            seats, result = board.split()
            if result in _BYES:
                byes.append(Bye(number, int(seats), worth[result], _BYES[result]))
            else:
                white, black = map(int, seats.split("-"))
                meetings.append(Meeting(number, white, black, _RESULTS[result]))
    everybody = tuple(range(1, players + 1))
    present = frozenset(everybody) - set(absent)
    return Field(
        everybody, present, tuple(meetings), tuple(byes), frozenset(), len(rounds) + 1, points=points, edition=edition
    )


def pairs(boards: PairedRound) -> list[str]:
    """The boards as they are drawn: "1-4", and "5" for who has the bye."""
    return [f"{board.white}" if board.black is None else f"{board.white}-{board.black}" for board in boards]


def played_out(players: int, rounds: int, seed: int, edition: int = 2026) -> Iterator[Field]:
    """The fields of all rounds of an event: somebody is away now and then, some games are forfeited."""
    lots, field = Random(seed), drawn(players, edition=edition)
    settings = {"rounds": rounds}
    for number in range(1, rounds + 1):
        away = frozenset(player for player in field.players if number > 1 and lots.random() < 0.06)
        here = Field(
            field.players,
            frozenset(field.players) - away,
            field.meetings,
            field.byes,
            frozenset(),
            number,
            edition=edition,
        )
        yield here
        boards = Dutch().pair_round(here, settings)
        meetings = [Meeting(number, one.white, one.black, _result(lots)) for one in boards if one.black is not None]
        byes = [Bye(number, one.white, 2, "pab") for one in boards if one.black is None]
        byes += [Bye(number, player, *lots.choice([(1, "half"), (0, "zero")])) for player in sorted(away)]
        field = Field(
            field.players,
            frozenset(),
            (*field.meetings, *meetings),
            (*field.byes, *byes),
            frozenset(),
            number + 1,
            edition=edition,
        )


def _result(lots: Random) -> Result:
    played = [Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS] * 8
    return lots.choice([*played, Result.WHITE_FORFEITS, Result.BOTH_FORFEIT])
