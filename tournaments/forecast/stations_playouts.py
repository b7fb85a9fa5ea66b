"""Where stations may end: several knockouts of one field, and one order by rating after the last (pure, numpy).

Every station is played out game by game, for each game moves both ratings. A station that is drawn goes on as it
stands; one to come is drawn by lots in every sample. A match ends as soon as it is decided; an even one is settled by
the odds of a win against a loss, in games that are not rated. The upper line has White in the first game, then they
change. What the games do to the ratings the list's own system says (`Rate`), from the ratings as they are now. Chances
of a game come from the strengths, and stay as they are: a rating that rises must not make its owner stronger.

The order: rating after the last station, then rating before the event; who is level in both shares the places in equal
parts. Not considered: games outside the event on the way, matches from which nobody goes on.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy

from tournaments.forecast.knockout_playouts import WIN, Key, KnockoutToCome
from tournaments.forecast.outlook import (
    SAMPLED,
    Chances,
    Floats,
    Outlook,
    Strengths,
    Tell,
    chances_of,
    columns_of,
    rows_for,
)
from tournaments.pairing.base import Match, Source

TOLD_EVERY = 50  # samples
DIGITS = 6  # of a rating: what differs by less is level


class Played(NamedTuple):
    """A game by the event's numbers, and White's score: 1, ½, 0."""

    white: int
    black: int
    score: float


# Games in order -> what they do to the rating of everybody who played, by number.
Rate = Callable[[Sequence[Played]], Mapping[int, float]]


class Standing(NamedTuple):
    """Ratings before the event and now."""

    before: float
    now: float


@dataclass(frozen=True, slots=True)
class Station:
    """`numbers`: the event's, of seed 1, 2 … of the bracket; `drawn`: whether it is drawn already."""

    to_come: KnockoutToCome
    numbers: tuple[int, ...]
    drawn: bool


@dataclass(frozen=True, slots=True)
class StationsToCome:
    """All stations in order, and everybody's ratings by the event's numbers."""

    stations: tuple[Station, ...]
    ratings: Mapping[int, Standing]

    @property
    def players(self) -> tuple[int, ...]:
        return tuple(sorted(self.ratings))


def play_stations(
    to_come: StationsToCome, strengths: Strengths, samples: int, rate: Rate, rng: numpy.random.Generator, tell: Tell
) -> Outlook:
    """The chance of each place in the order over all stations, from so many samples. Raises ValueError where somebody
    has no strength, and for less than one sample."""
    players = to_come.players
    draws = strengths.draws[:, columns_of(strengths, players)][rows_for(strengths, samples)]
    games = [
        game for station in to_come.stations for game in _Walk(station, players, draws, strengths.rate, rng).games()
    ]
    ratings = numpy.tile([to_come.ratings[player].now for player in players], (samples, 1))
    for sample in range(samples):
        for player, change in rate(_of_sample(games, sample, players)).items():
            ratings[sample, players.index(player)] += change
        if sample % TOLD_EVERY == 0:
            tell(sample, samples)
    before = numpy.array([to_come.ratings[player].before for player in players])
    return Outlook(players, places_by_rating(ratings, before), None, SAMPLED, samples)


def places_by_rating(after: Floats, before: Floats) -> Floats:
    """The share of each place (players × places) over many endings: ratings after (endings × players), and before."""
    people = after.shape[1]
    places = numpy.zeros((people, people))
    first = before.round(DIGITS)
    for ratings in after.round(DIGITS):
        ahead = (ratings[None, :] > ratings[:, None]) | (
            (ratings[None, :] == ratings[:, None]) & (first[None, :] > first[:, None])
        )
        level = (ratings[None, :] == ratings[:, None]) & (first[None, :] == first[:, None])
        for player, (begin, count) in enumerate(zip(ahead.sum(axis=1), level.sum(axis=1), strict=True)):
            places[player, begin : begin + count] += 1.0 / count
    return places / len(after)


# --- one station in all samples -----------------------------------------------------------------------------------
class _Games(NamedTuple):
    """A game in every sample: columns of White and Black, White's half-points, and where it is played at all."""

    white: Floats
    black: Floats
    halves: Floats
    played: Floats


def _of_sample(games: Sequence[_Games], sample: int, players: Sequence[int]) -> list[Played]:
    return [
        Played(players[game.white[sample]], players[game.black[sample]], game.halves[sample] / WIN)
        for game in games
        if game.played[sample]
    ]


class _Walk:
    """A station gone through match by match, in all samples at once. A line is who is in it in each sample."""

    def __init__(
        self, station: Station, players: Sequence[int], draws: Floats, rate: float, rng: numpy.random.Generator
    ) -> None:
        self.to_come, self.draws, self.rate, self.rng = station.to_come, draws, rate, rng
        self.rows = numpy.arange(len(draws))
        lines = numpy.tile(numpy.searchsorted(players, station.numbers), (len(draws), 1))
        self.lines = lines if station.drawn else rng.permuted(lines, axis=1)
        self.ends: dict[Key, tuple[Floats | None, Floats | None]] = {}  # who wins, who loses
        self.found: list[_Games] = []

    def games(self) -> list[_Games]:
        """The games still to be played, in order."""
        for match in self.to_come.bracket:
            self._meet(match)
        return self.found

    def _meet(self, match: Match) -> None:
        key = match.round, match.board
        upper, lower = self._who(match.upper), self._who(match.lower)
        if upper is None or lower is None:
            self.ends[key] = (lower if upper is None else upper), None
            return
        if (winner := self.to_come.winners.get(key)) is not None:
            won = upper == self._column(winner)
        else:
            won = self._play(upper, lower, *self.to_come.leads.get(key, (0, self.to_come.games)))
        self.ends[key] = numpy.where(won, upper, lower), numpy.where(won, lower, upper)

    def _who(self, source: Source) -> Floats | None:
        if source.match is not None:
            return self.ends[source.match][source.loser]
        return None if source.seed is None else self.lines[:, self._seat(source.seed)]

    def _seat(self, seed: int) -> int:
        return self.to_come.seeds.index(seed)

    def _column(self, seed: int) -> int:
        """Of a seed of a station that is drawn."""
        return int(self.lines[0, self._seat(seed)])

    def _play(self, upper: Floats, lower: Floats, lead: int, left: int) -> Floats:
        """Whether the upper line wins."""
        chances = chances_of(self.draws[self.rows, upper], self.draws[self.rows, lower], self.rate)
        leads = numpy.full(len(self.rows), lead)
        for number in range(left):
            played = numpy.abs(leads) <= WIN * (left - number)  # who is behind can at least draw level
            halves = self._halves(chances)
            white = number % 2 == 0
            sides = (upper, lower, halves) if white else (lower, upper, WIN - halves)
            self.found.append(_Games(*sides, played))
            leads = leads + numpy.where(played, 2 * halves - WIN, 0)
        settled = self.rng.random(len(self.rows)) < chances.decided
        return numpy.where(leads == 0, settled, leads > 0)

    def _halves(self, chances: Chances) -> Floats:
        """Half-points of the upper line."""
        luck = self.rng.random(len(self.rows))
        return WIN * (luck < chances.win) + ((luck >= chances.win) & (luck < chances.win + chances.draw))
