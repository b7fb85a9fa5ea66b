"""What the tests of playouts share: a generator, known strengths, and what going through all endings says of them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy

from ratings.systems.draws import odds_of
from ratings.systems.elo import expected_score
from tournaments.forecast.clinching import Ties
from tournaments.forecast.needs import Line, Needs, Verdict, combinations_of, verdict_of
from tournaments.forecast.outcomes import Running, all_outcomes
from tournaments.forecast.outlook import Outlook, Strengths
from tournaments.standings.crosstable import Meeting
from tournaments.standings.points import Result

RATE = 0.857
RESULTS = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS)


def rng(seed: int = 7) -> numpy.random.Generator:
    return numpy.random.Generator(numpy.random.PCG64(seed))


def quiet(_done: int, _of: int) -> None:
    """Nobody is told how far it is."""


def known(*strengths: float) -> Strengths:
    """Of the players 1, 2 …, known for sure."""
    return Strengths(tuple(range(1, len(strengths) + 1)), numpy.array([strengths], float), RATE)


def unsure(*strengths: float, draws: int = 40, spread: float = 80.0) -> Strengths:
    rows = numpy.array(strengths) + rng(3).normal(0.0, spread, (draws, len(strengths)))
    return Strengths(tuple(range(1, len(strengths) + 1)), rows, RATE)


def chance_of(own: float, his: float, meeting: Meeting, before: Meeting) -> float:
    """That a game ends so; a deciding game after a draw goes by the odds of a win against a loss."""
    odds = odds_of(expected_score(own, his), RATE)
    found = {Result.WHITE_WINS: odds.win, Result.DRAW: odds.draw, Result.BLACK_WINS: odds.loss}[meeting.result]
    if before.result is Result.DRAW:
        found = 1.0
    decided = {Result.WHITE_WINS: odds.win, Result.BLACK_WINS: odds.loss}
    return found * (decided[meeting.armageddon] / (odds.win + odds.loss) if meeting.armageddon in decided else 1.0)


def by_trying(running: Running, player: int, top: int, ties: Ties) -> Verdict:
    """Whether somebody is among the first so many, over the standings of all endings."""
    met = []
    for meetings in all_outcomes(running):
        standings = running.standings(running.table(meetings))
        place = next(line.place for line in standings if line.player == player)
        level = sum(line.place <= place for line in standings)
        met.append((place if ties is Ties.SHARED else level) <= top)
    return verdict_of(all(met), any(met))


def needs_by_trying(running: Running, player: int, top: int = 1, ties: Ties = Ties.SHARED) -> Needs:
    """What each combination of his own results is worth, by trying all that the others' games may bring."""
    opponents = running.race().opponents(player)
    lines = []
    for own in combinations_of(len(opponents)):
        left, played = iter(own), []
        for game in running.meetings:
            if player in (game.white, game.black) and running.is_open(game):
                halves = next(left)
                game = replace(game, result=RESULTS[2 - halves if game.white == player else halves])
            played.append(game)
        lines.append(Line(own, by_trying(replace(running, meetings=tuple(played)), player, top, ties)))
    return Needs(player, top, ties, opponents, tuple(lines))


def by_every_ending(running: Running, strengths: Strengths) -> tuple[Mapping[int, list[float]], Mapping[int, float]]:
    """Everybody's chances of places and mean points: every draw of strengths, every ending, the standings of each."""
    places = {player: [0.0] * len(running.players) for player in running.players}
    points = dict.fromkeys(running.players, 0.0)
    for row in strengths.draws.tolist():
        strong = dict(zip(strengths.players, row, strict=True))
        for played in all_outcomes(running):
            chance = 1.0 / len(strengths.draws)
            for meeting, before in zip(played, running.meetings, strict=True):
                if running.is_open(before):
                    chance *= chance_of(strong[meeting.white], strong[meeting.black], meeting, before)
            standings = running.standings(running.table(played))
            for line in standings:
                level = sum(other.place == line.place for other in standings)
                points[line.player] += chance * line.points
                for place in range(line.place, line.place + level):
                    places[line.player][place - 1] += chance / level
    return places, points


def adds_up(outlook: Outlook) -> bool:
    """Every place goes to somebody, everybody has a place, and nothing is less than none or more than sure."""
    places = outlook.places
    square = places.shape == (len(outlook.players),) * 2
    once = numpy.allclose(places.sum(axis=0), 1.0) and numpy.allclose(places.sum(axis=1), 1.0)
    return bool(square and once and (places >= 0.0).all() and (places <= 1.0).all())


def near(sampled: Outlook, exact: Sequence[Sequence[float]] | Any, samples: int) -> bool:
    """Within four and a half standard errors in every place (and a little where a chance is next to none)."""
    truth = numpy.array(exact)
    error = numpy.sqrt(truth * (1.0 - truth) / samples)
    return bool((abs(sampled.places - truth) <= 4.5 * error + 3.0 / samples).all())


def spread_of(share: float, samples: int) -> float:
    """The standard error of a share."""
    return sqrt(share * (1.0 - share) / samples)
