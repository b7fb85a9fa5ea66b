"""The Keizer list: a win is worth the opponent's list value, and list values follow the list itself (pure).

First of the list has the highest value, each place below one less. Scores are added up from the values, the list is
ordered by them, the values change with the places; this is repeated from the starting order until nothing moves, or
until the same orders come round again, whose values are then averaged. So every game counts with what the opponent is
worth today. All numbers are exact.

Source: the system of J. Keizer in the variant of docs/decisions/0009-the-keizer-variant.md.
Not done here: points of one's own value to begin with, values fixed at the time of the game, steps other than one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from tournaments.standings.crosstable import Bye, Meeting
from tournaments.standings.points import OUTCOMES

# Repeated so often at most; real lists settle within ten or twenty.
REPEATS = 1000
_SHARES = {"win": Fraction(1), "draw": Fraction(1, 2), "loss": Fraction(0)}
ALLOCATED: Mapping[str, Fraction] = {
    "nothing": Fraction(0),
    "third": Fraction(1, 3),
    "half": Fraction(1, 2),
    "full": Fraction(1),
}
EXCUSED = Fraction(1, 3)  # of one's own value, for a round asked off


@dataclass(frozen=True, slots=True)
class KeizerRules:
    """`top`: the first's list value, at least the number of players (0: that number). `allocated`: what a bye for want
    of an opponent brings of one's own value, a key of `ALLOCATED`."""

    top: int = 0
    allocated: str = "half"


@dataclass(frozen=True, slots=True)
class KeizerGain:
    """What a round brought: `worth` = `share` of the list value of `value_of`. `opponent` is None for a bye."""

    round: int
    opponent: int | None
    value_of: int
    share: Fraction
    worth: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class KeizerLine:
    """A line of the list: place (shared where the scores are equal), list value, score and where it comes from."""

    place: int
    player: int
    value: Fraction
    score: Fraction
    gains: tuple[KeizerGain, ...]

    @property
    def played(self) -> int:
        """Games that brought a result, forfeits included."""
        return sum(gain.opponent is not None for gain in self.gains)


def keizer_list(
    players: Sequence[int], meetings: Iterable[Meeting], byes: Iterable[Bye], rules: KeizerRules
) -> list[KeizerLine]:
    """The list, best first. `players`: everybody in the starting order. Raises KeyError where a game or a bye names
    somebody else, or the rules name no worth of a bye."""
    gains = _gains(players, meetings, byes, rules)
    values = _settled_values(players, gains, rules)
    lines: list[KeizerLine] = []
    scores = _scores(gains, values)
    for score, tied in groupby(_by_score(players, scores), key=lambda player: scores[player]):
        place = len(lines) + 1
        for player in tied:
            ordered = sorted(gains[player], key=lambda gain: gain.round)
            worths = tuple(replace(gain, worth=gain.share * values[gain.value_of]) for gain in ordered)
            lines.append(KeizerLine(place, player, values[player], score, worths))
    return lines


def _settled_values(
    players: Sequence[int], gains: Mapping[int, list[KeizerGain]], rules: KeizerRules
) -> dict[int, Fraction]:
    """List values of the order that reproduces itself. Where several follow each other in a circle, everybody has the
    average of the values he takes in it, so that it does not matter where one stops."""
    seen: dict[tuple[int, ...], int] = {}
    order = tuple(players)
    while order not in seen and len(seen) < REPEATS:
        seen[order] = len(seen)
        order = _by_score(players, _scores(gains, _values(order, rules)))
    circle = [other for other, number in seen.items() if number >= seen.get(order, REPEATS)] or [order]
    values = [_values(other, rules) for other in circle]
    return {player: sum((value[player] for value in values), Fraction(0)) / len(circle) for player in players}


def _values(order: Sequence[int], rules: KeizerRules) -> dict[int, Fraction]:
    top = max(rules.top, len(order))
    return {player: Fraction(top - place) for place, player in enumerate(order)}


def _scores(gains: Mapping[int, list[KeizerGain]], values: Mapping[int, Fraction]) -> dict[int, Fraction]:
    return {
        player: sum((gain.share * values[gain.value_of] for gain in own), Fraction(0)) for player, own in gains.items()
    }


def _by_score(players: Sequence[int], scores: Mapping[int, Fraction]) -> tuple[int, ...]:
    """Equal scores in the starting order."""
    return tuple(sorted(players, key=lambda player: -scores[player]))


def _gains(
    players: Sequence[int], meetings: Iterable[Meeting], byes: Iterable[Bye], rules: KeizerRules
) -> dict[int, list[KeizerGain]]:
    own_shares = {"pab": ALLOCATED[rules.allocated], "half": EXCUSED, "full": Fraction(1), "zero": Fraction(0)}
    gains: dict[int, list[KeizerGain]] = {player: [] for player in players}
    for meeting in meetings:
        outcome = OUTCOMES[meeting.result]
        sides = ((meeting.white, meeting.black, outcome.white), (meeting.black, meeting.white, outcome.black))
        for player, opponent, share in sides:
            if share is not None:
                gains[player].append(KeizerGain(meeting.round, opponent, opponent, _SHARES[share]))
    for bye in byes:
        gains[bye.player].append(KeizerGain(bye.round, None, bye.player, own_shares[bye.kind]))
    return gains
