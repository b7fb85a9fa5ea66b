"""What a list's rated games say of a field before a forecast: priors, meetings and games against outsiders (pure).

A player's prior stands where his list had him before the first game that counts as evidence: everything earlier is in
that rating, everything later in the games, and nothing counts twice. How far off such a rating may be follows from how
many games it rests on, as in Glicko without decay (M. Glickman, Applied Statistics 48, 1999): precision 1/`NEW`² before
the first game, q² E (1 − E) more with each, E (1 − E) taken as `EVENNESS`; but never below `SETTLED`, for no rating
follows its player that closely. Where the list knows a deviation itself, that one counts, with the same floor. The
figures were chosen on real games (docs/algorithms/forecast-strengths.md). Outsiders stand where their list has them at
present.

Whoever has no rating begins at `COMMON`; a game against an outsider without one is left out.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from math import log, sqrt
from typing import NamedTuple

from tournaments.forecast.posterior import Meeting, Outside, Prior

NEW = 350.0  # Elo points
SETTLED = 100.0  # Elo points
EVENNESS = 0.2  # mean of E (1 − E) in a club's games
INFORMATION = (log(10.0) / 400.0) ** 2 * EVENNESS  # of one game, per square point
COMMON = 1500.0  # Elo points: where whoever has no rating stands


class Known(NamedTuple):
    """What a list knows of a player at one moment: rating (None: none, or not known), rated games, deviation (None: it
    has none)."""

    rating: float | None
    games: int
    deviation: float | None = None


UNKNOWN = Known(None, 0)


class Rated(NamedTuple):
    """A rated game, White's score, and what the list knew of both before it."""

    white: int
    black: int
    score: float
    white_known: Known
    black_known: Known


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the posterior is asked with. `games`: how many games of each player count."""

    priors: Mapping[int, Prior]
    meetings: tuple[Meeting, ...]
    outside: tuple[Outside, ...]
    games: Mapping[int, int]


def evidence_of(field: Collection[int], rated: Iterable[Rated], now: Mapping[int, Known]) -> Evidence:
    """The evidence on a `field` (players in its order) in games given oldest first. `now`: what the list knows at
    present, of outsiders too."""
    members, first = set(field), dict[int, Known]()
    meetings, outside = [], []
    counts = dict.fromkeys(field, 0)
    for game in rated:
        white, black = game.white in members, game.black in members
        if white and black:
            meetings.append(Meeting(game.white, game.black, game.score))
        elif white and (other := _rating(now, game.black)) is not None:
            outside.append(Outside(game.white, other, game.score))
        elif black and (other := _rating(now, game.white)) is not None:
            outside.append(Outside(game.black, other, 1.0 - game.score))
        else:
            continue
        for player, known in ((game.white, game.white_known), (game.black, game.black_known)):
            if player in members:
                counts[player] += 1
                # A rated player's game that did not count for him (FIDE: against somebody unrated) has no rating
                # before it, and moved none: the next one has it.
                if known.rating is not None or not known.games:
                    first.setdefault(player, known)
    priors = {player: prior_of(first.get(player, now.get(player, UNKNOWN))) for player in field}
    return Evidence(priors, tuple(meetings), tuple(outside), counts)


def prior_of(known: Known) -> Prior:
    """A player's prior by what his list knew of him; without a rating he stands at `COMMON`."""
    if known.rating is None:
        return Prior(COMMON, NEW)
    if known.deviation is not None:
        return Prior(known.rating, max(known.deviation, SETTLED))
    return Prior(known.rating, max(1.0 / sqrt(1.0 / (NEW * NEW) + known.games * INFORMATION), SETTLED))


def _rating(now: Mapping[int, Known], player: int) -> float | None:
    known = now.get(player)
    return None if known is None else known.rating
