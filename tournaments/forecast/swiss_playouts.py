"""Where a Swiss may end (pure, numpy): open games drawn, the rounds to come paired in every sample, the end ranked.

Samples that have gone the same way so far are paired and ranked once. While nothing is open the next round is certain:
the pairing system pairs it, whatever the size of the field. If that was the last one, all is as in
`round_robin_playouts`, exact where few games are left. Else every sample takes a row of the strengths in turn, and what
it comes to is ranked by the event's own tie-breaks, as the standings of a Swiss are.

Not reckoned with: byes asked for later, absences, forfeits to come, acceleration and floats in large fields
(`swiss_rounds`). Not for Keizer, whose order is not that of points.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy

from tournaments.forecast.outlook_chances import chances_of, columns_of, rows_for
from tournaments.forecast.round_robin_playouts_endings import Codes, OpenGames, draw_codes
from tournaments.forecast.outcomes_finishes import Finishes
from tournaments.forecast.outcomes import Running
from tournaments.forecast.outlook import SAMPLED, SAMPLED_FAST, Floats, Outlook, Strengths, Tell
from tournaments.forecast.round_robin_playouts import play_round_robin
from tournaments.forecast.swiss_playouts_swiss_many import ManySwisses
from tournaments.forecast.swiss_rounds import Rounds, SwissToCome, Way
from tournaments.forecast.outcomes_ways import ended, worths_of
from tournaments.pairing.base import PairedRound
from tournaments.standings.crosstable import Crosstable

AT_ONCE = 50  # paired or ranked between two words on how far it is
ROOM = 20_000_000  # who has met whom, in all samples of a large field that are played together


def play_swiss(
    running: Running,
    to_come: SwissToCome,
    strengths: Strengths,
    samples: int,
    rng: numpy.random.Generator,
    tell: Tell,
) -> Outlook:
    """The chance of each place for all players of the event, whose meetings and byes are those of the rounds before
    the field's. `EXACT` and `SAMPLED` as they say; `SAMPLED_FAST` where a round came from the fast pairing. Points in
    the smallest unit of the event's points. Raises ValueError where somebody who plays on has no strength, where a
    round to be paired has games, and for less than one sample."""
    number, rounds = to_come.field.round, Rounds(to_come)
    if any(meeting.round - to_come.offset >= number for meeting in running.meetings):
        raise ValueError(f"Round {number} is to be paired, and has games.")
    running = replace(running, swiss=True, rounds=to_come.offset + to_come.rounds)
    while number <= to_come.rounds and not OpenGames(running).meetings:
        way = Way(running.meetings, running.byes)
        boards = rounds.pair(way, number, exactly=True)
        way = way.after(to_come.offset + number, boards, to_come.bye_points)
        running, number = replace(running, meetings=way.meetings, byes=way.byes), number + 1
    if number > to_come.rounds:
        outlook = play_round_robin(running, strengths, samples, rng, tell)
        return replace(outlook, method=SAMPLED_FAST) if rounds.approximated else outlook
    if samples < 1:
        raise ValueError("An event is played out at least once.")
    columns_of(strengths, tuple(sorted(to_come.field.present)))
    event = _Opened(running, strengths, samples, rng)
    if to_come.is_small:
        return _ByWays(event, rounds, rng).outlook(number, tell)
    return _fast(event, to_come, number, rng, tell)


class _Opened:
    """All samples of an event, the games of its published rounds over: `codes` say how (samples × games), `strong` are
    the strengths of the event's players (samples × players; who plays no more may have none)."""

    def __init__(self, running: Running, strengths: Strengths, samples: int, rng: numpy.random.Generator) -> None:
        self.games, self.rate, rows = OpenGames(running), strengths.rate, rows_for(strengths, samples)
        known = [player for player in running.players if player in strengths.players]
        self.strong = numpy.zeros((samples, len(running.players)))
        at = [running.players.index(player) for player in known]
        self.strong[:, at] = strengths.draws[rows][:, columns_of(strengths, tuple(known))]
        self.codes = draw_codes(self.games.chances(strengths, rows), self.games.drawn, running.points, rng)

    def ways(self) -> tuple[list[Way], Floats]:
        """The different ways in which they ended, and the way of each sample."""
        endings, of = different(self.codes)
        points = self.games.points(endings).tolist()
        return [
            Way(tuple(self.games.played(row)), self.games.running.byes, tuple(own))
            for row, own in zip(endings.tolist(), points, strict=True)
        ], of


def different(codes: Codes) -> tuple[Codes, Floats]:
    """The different rows, and which of them each row is."""
    rows, of = numpy.unique(codes, axis=0, return_inverse=True)
    return rows, of.reshape(-1)


# --- large fields ---------------------------------------------------------------------------------------------------
def _fast(event: _Opened, to_come: SwissToCome, first: int, rng: numpy.random.Generator, tell: Tell) -> Outlook:
    """Many samples a round at a time, then ranked; as many together as there is room for."""
    running, samples = event.games.running, len(event.codes)
    finishes = Finishes(running)
    step = max(1, ROOM // len(to_come.field.present) ** 2)
    for begin in range(0, samples, step):
        rows = slice(begin, begin + step)
        many = ManySwisses(event.games, to_come, event.codes[rows], event.strong[rows], event.rate)
        for number in range(first, to_come.rounds + 1):
            many.play(to_come.offset + number, rng)
        for ranked in range(0, len(many.points), AT_ONCE):
            points = many.points[ranked : ranked + AT_ONCE]
            finishes.add(points, numpy.ones(len(points)), _tables(many, ranked))
            tell(begin + ranked + len(points), samples)
    return Outlook(running.players, finishes.places(), finishes.points(), SAMPLED_FAST, samples)


def _tables(many: ManySwisses, begin: int) -> Callable[[int], Crosstable]:
    return lambda row: many.table(begin + row)


# --- small fields ---------------------------------------------------------------------------------------------------
class _ByWays:
    """All samples, those that have gone the same way paired and ranked once."""

    def __init__(self, event: _Opened, rounds: Rounds, rng: numpy.random.Generator) -> None:
        self.running, self.rate, self.strong = event.games.running, event.rate, event.strong
        self.ways, self.of = event.ways()
        self.rounds, self.rng = rounds, rng
        self.at = {player: place for place, player in enumerate(self.running.players)}
        self.worths = worths_of(self.running.points)

    def outlook(self, first: int, tell: Tell) -> Outlook:
        """Every round from `first` on, and the end."""
        to_come = self.rounds.to_come
        numbers = range(first, to_come.rounds + 1)
        steps = len(self.of) * (len(numbers) + 1)
        for done, number in enumerate(numbers):
            told = self._told(tell, done * len(self.of), steps)
            self._play(to_come.offset + number, [self.rounds.pair(way, number, exactly=True) for way in told])
        finishes = self._ranked(tell, len(self.of) * len(numbers), steps)
        method = SAMPLED_FAST if self.rounds.approximated else SAMPLED
        return Outlook(self.running.players, finishes.places(), finishes.points(), method, len(self.of))

    def _play(self, number: int, paired: Sequence[PairedRound]) -> None:
        """A round of all samples: the boards of their ways, their own results."""
        published = [
            way.after(number, boards, self.rounds.to_come.bye_points)
            for way, boards in zip(self.ways, paired, strict=True)
        ]
        pairs = [self._seats(boards) for boards in paired]
        seats, rows = numpy.array(pairs, int).reshape(len(paired), -1, 2)[self.of], numpy.arange(len(self.of))
        own, his = (self.strong[rows[:, None], seats[:, :, side]] for side in (0, 1))
        codes = draw_codes(chances_of(own, his, self.rate), numpy.array(False), self.running.points, self.rng)
        rows, self.of = different(numpy.column_stack([self.of, codes]))
        self.ways = [self._ended(published[way], row, paired[way]) for way, *row in rows.tolist()]

    def _seats(self, boards: PairedRound) -> list[tuple[int, int]]:
        return [(self.at[one.white], self.at[one.black]) for one in boards if one.black is not None]

    def _ended(self, way: Way, codes: Sequence[int], boards: PairedRound) -> Way:
        """The way once its last games have ended so, with the points of the round."""
        points, before = list(way.points), len(way.meetings) - len(codes)
        for (white, black), code in zip(self._seats(boards), codes, strict=True):
            points[white] += self.worths[code][0]
            points[black] += self.worths[code][1]
        for board in boards:
            if board.is_bye:
                points[self.at[board.white]] += self.rounds.to_come.bye_points
        games = (ended(one, code) for one, code in zip(way.meetings[before:], codes, strict=True))
        return Way((*way.meetings[:before], *games), way.byes, tuple(points))

    def _ranked(self, tell: Tell, done: int, steps: int) -> Finishes:
        finishes = Finishes(self.running)
        weights = numpy.bincount(self.of, minlength=len(self.ways)).astype(float)
        for row, way in enumerate(self._told(tell, done, steps)):
            finishes.add(numpy.array([way.points]), weights[row : row + 1], self._table(way))
        return finishes

    def _table(self, way: Way) -> Callable[[int], Crosstable]:
        return lambda _row: replace(self.running, byes=way.byes).table(way.meetings)

    def _told(self, tell: Tell, done: int, steps: int) -> Iterator[Way]:
        """The ways one after the other, telling how far it is: in samples."""
        behind = numpy.cumsum(numpy.bincount(self.of, minlength=len(self.ways))).tolist()
        for at, way in enumerate(self.ways):
            yield way
            if at % AT_ONCE == AT_ONCE - 1 or way is self.ways[-1]:
                tell(done + behind[at], steps)
