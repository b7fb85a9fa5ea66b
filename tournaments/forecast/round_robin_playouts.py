"""Where a round robin may end (pure, numpy): the games to come played out, in every way or many times.

`OpenGames`: the games of an event still to come, drawn many times at once, or in every way there is. In an armageddon
event a draw is followed by a game that has a winner, White with the odds of a win against a loss (as even matches of a
knockout are decided): White's longer time and Black's draw odds are taken to balance.

`play_round_robin`: every ending is ranked as the event's standings are, points first, then its own tie-breaks; those
who share a place after the last one have equal parts of the places. With few games to come all endings are calculated
(`EXACT`), each with the mean of its chances over the draws of strengths. Else so many are sampled, the rows of
strengths taken in turn. The crosstable is as it stands but for the games to come: unplayed ones, byes and annulled ones
count as they do there. Any event whose games are all known can be played out like this, so the last round of a Swiss is
too. Not considered: forfeits to come, penalties, anybody leaving.
"""

from collections.abc import Iterator, Sequence
from math import prod

import numpy

from tournaments.forecast.outcomes import (
    DRAWN,
    DRAWN_LOST,
    DRAWN_WON,
    LOST,
    WON,
    Finishes,
    Running,
    ended,
    ways_of,
    worths_of,
)
from tournaments.forecast.outlook import (
    EXACT,
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
from tournaments.standings.crosstable import Crosstable, Meeting, Sides, sides_of, table_of_sides
from tournaments.standings.points import PointSystem, Result

# --- the games still to come --------------------------------------------------------------------------------------
Codes = Floats  # a numpy array of codes (`ways_of`)


def draw_codes(chances: Chances, drawn: Floats, points: PointSystem, rng: numpy.random.Generator) -> Codes:
    """One ending for each game of `chances`; `drawn` says which have been drawn already and wait for the deciding
    game (of a shape that fits)."""
    chance = rng.random(chances.win.shape)
    codes = numpy.where(chance < chances.win, WON, numpy.where(chance < chances.win + chances.draw, DRAWN, LOST))
    if points.after_draw is None:
        return codes
    white = rng.random(chances.win.shape) < chances.decided
    return numpy.where(drawn | (codes == DRAWN), numpy.where(white, DRAWN_WON, DRAWN_LOST), codes)


class OpenGames:
    """The games of an event still to be played (`Running.is_open`): who meets, what is sure already, how they end."""

    def __init__(self, running: Running) -> None:
        self.running = running
        self.meetings = tuple(meeting for meeting in running.meetings if running.is_open(meeting))
        self.drawn = numpy.array([meeting.result is Result.DRAW for meeting in self.meetings], bool)
        self.white = numpy.array([running.players.index(meeting.white) for meeting in self.meetings], int)
        self.black = numpy.array([running.players.index(meeting.black) for meeting in self.meetings], int)
        table = running.table([meeting for meeting in running.meetings if not running.is_open(meeting)])
        self.sure = numpy.array([table[player].points for player in running.players], int)
        self._sides: dict[tuple[int, int], Sides] = {}
        self._known = [
            None if running.is_open(meeting) else sides_of(meeting, running.points, running.annulled)
            for meeting in running.meetings
        ]
        self._worth = numpy.array(worths_of(running.points), int)

    @property
    def ways(self) -> int:
        """In how many ways they can end together."""
        return prod(len(ways_of(meeting, self.running.points)) for meeting in self.meetings)

    def chances(self, strengths: Strengths, rows: Floats) -> Chances:
        """Of each game with each of those rows of strengths (rows × games). Raises ValueError as `columns_of`."""
        white = columns_of(strengths, tuple(meeting.white for meeting in self.meetings))
        black = columns_of(strengths, tuple(meeting.black for meeting in self.meetings))
        different, of = numpy.unique(rows, return_inverse=True)
        drawn = strengths.draws[different]
        each = chances_of(drawn[:, white], drawn[:, black], strengths.rate)
        return Chances(each.win[of], each.draw[of], each.loss[of])

    def points(self, codes: Codes) -> Floats:
        """Everybody's points at the end (endings × players) where the games end so (endings × games)."""
        points = numpy.tile(self.sure, (len(codes), 1))
        for game, (white, black) in enumerate(zip(self.white, self.black, strict=True)):
            points[:, white] += self._worth[codes[:, game], 0]
            points[:, black] += self._worth[codes[:, game], 1]
        return points

    def table(self, codes: Sequence[int]) -> Crosstable:
        """The crosstable once the games have ended so."""
        return table_of_sides(self.running.players, self.sides(codes), self.running.byes, self.running.annulled)

    def sides(self, codes: Sequence[int]) -> Iterator[Sides]:
        """All games of the event, seen from both sides, once the open ones have ended so."""
        left = iter(enumerate(codes))
        return (known or self._side(*next(left)) for known in self._known)

    def _side(self, game: int, code: int) -> Sides:
        """A game with that ending, made once."""
        if (game, code) not in self._sides:
            meeting = ended(self.meetings[game], code)
            self._sides[game, code] = sides_of(meeting, self.running.points, self.running.annulled)
        return self._sides[game, code]

    def played(self, codes: Sequence[int]) -> list[Meeting]:
        """All meetings of the event once the open ones have ended so."""
        left = iter(codes)
        return [ended(one, next(left)) if self.running.is_open(one) else one for one in self.running.meetings]

    def all_codes(self) -> Codes:
        """Every way in which they can end (endings × games)."""
        ways = [ways_of(meeting, self.running.points) for meeting in self.meetings]
        grid = numpy.meshgrid(*ways, indexing="ij") if ways else []
        return numpy.stack([axis.ravel() for axis in grid], axis=1) if ways else numpy.zeros((1, 0), int)

    def all_chances(self, strengths: Strengths, at_once: int = 256) -> Floats:
        """The chance of each of them in the same order, the mean over all draws of strengths."""
        rows = numpy.arange(len(strengths.draws))
        found = numpy.zeros(self.ways)
        for begin in range(0, len(rows), at_once):
            chances = self.chances(strengths, rows[begin : begin + at_once])
            products = numpy.ones((len(chances.win), 1))  # rows × endings: given the strengths, games are independent
            for parts in self._by_way(chances):
                products = (products[:, :, None] * parts[:, None, :]).reshape(len(products), -1)
            found += products.sum(axis=0)
        return found / found.sum()

    def _by_way(self, chances: Chances) -> Iterator[Floats]:
        """For each game the chance of each of its ways (rows × ways)."""
        decided = chances.decided
        for game, meeting in enumerate(self.meetings):
            win, draw, loss, white = (each[:, game] for each in (chances.win, chances.draw, chances.loss, decided))
            if self.drawn[game]:  # only who wins the deciding game is open
                win, draw, loss = 0.0 * win, numpy.ones(len(win)), 0.0 * win
            of = {WON: win, DRAWN: draw, LOST: loss, DRAWN_WON: draw * white, DRAWN_LOST: draw * (1.0 - white)}
            yield numpy.stack([of[code] for code in ways_of(meeting, self.running.points)], axis=1)


# --- the playout --------------------------------------------------------------------------------------------------
MOST_OUTCOMES = 3**7  # all of them are ranked: a second or two
AT_ONCE = 250  # endings ranked between two reports of progress


def play_round_robin(
    running: Running, strengths: Strengths, samples: int, rng: numpy.random.Generator, tell: Tell
) -> Outlook:
    """The chance of each place for all players of the event, exact with up to `MOST_OUTCOMES` endings, else from so
    many samples. Points in the smallest unit of the event's points. Raises ValueError where somebody with a game to
    come has no strength, and for less than one sample."""
    games = OpenGames(running)
    if games.ways <= MOST_OUTCOMES:
        return _outlook(games, games.all_codes(), games.all_chances(strengths), EXACT, tell)
    chances = games.chances(strengths, rows_for(strengths, samples))
    codes = draw_codes(chances, games.drawn, running.points, rng)
    if not running.tiebreaks:
        return _outlook(games, codes, numpy.ones(samples), SAMPLED, tell, samples)
    # No ending that came several times has to be ranked twice.
    endings, often = numpy.unique(codes.astype(numpy.int8), axis=0, return_counts=True)
    return _outlook(games, endings, often.astype(float), SAMPLED, tell, samples)


def _outlook(games: OpenGames, codes: Codes, weights: Floats, method: str, tell: Tell, samples: int = 0) -> Outlook:
    finishes = Finishes(games.running)
    points = games.points(codes)
    step = AT_ONCE if games.running.tiebreaks else len(codes)
    for begin in range(0, len(codes), step):
        end = min(begin + step, len(codes))

        def table_of(row: int, begin: int = begin) -> Crosstable:
            return games.table(codes[begin + row].tolist())

        finishes.add(points[begin:end], weights[begin:end], table_of)
        tell(end, len(codes))
    return Outlook(games.running.players, finishes.places(), finishes.points(), method, samples)
