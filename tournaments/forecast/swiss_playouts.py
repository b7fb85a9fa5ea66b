"""Where a Swiss may end (pure, numpy): open games drawn, the rounds to come paired in every sample, the end ranked.

While no game is open the next round is certain: the pairing system pairs it, whatever the size of the field. If that
was the last one, the rest is `round_robin_playouts`, exact where few games are left. Else every sample takes a row of
the strengths in turn, and its end is ranked by the event's own tie-breaks, as the standings of a Swiss are. Not
considered: byes asked for later, absences, forfeits to come, acceleration and floats in large fields (`swiss_rounds`).
Not for Keizer, whose order is not that of points.

Large fields (`ManySwisses`): every round is paired fast and played in many samples together. Who has White is the one
who had it less often, of equals the one who had Black last, else the higher. What was played in a sample becomes a
crosstable only where its end is ranked by tie-breaks.

Small fields (`_ByWays`): samples that have gone the same way so far are paired and ranked once.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy

from tournaments.forecast.outcomes import DRAWN, Finishes, Running, ended, worths_of
from tournaments.forecast.outlook import (
    SAMPLED,
    SAMPLED_FAST,
    Floats,
    Outlook,
    Strengths,
    Tell,
    chances_of,
    columns_of,
    rows_for,
)
from tournaments.forecast.round_robin_playouts import Codes, OpenGames, draw_codes, play_round_robin
from tournaments.forecast.swiss_rounds import History, Rounds, SwissToCome, Way, pair_many
from tournaments.pairing.base import PairedRound
from tournaments.standings.crosstable import Bye, Crosstable, Meeting, Sides, sides_of, table_of_sides
from tournaments.standings.points import Result

# --- the playout --------------------------------------------------------------------------------------------------
AT_ONCE = 50  # paired or ranked between two reports of progress
ROOM = 20_000_000  # entries of the table of who has met whom, over all samples played together


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


# --- large fields -------------------------------------------------------------------------------------------------
Played = tuple[int, list[list[int]], list[list[int]], list[list[int]]]  # round; White, Black, codes by samples


class ManySwisses:
    """Samples of one event in which the open games of its published rounds have ended so (`codes`, samples × games).
    `strong`: the strengths of the event's players (samples × players); `points`: what they have."""

    def __init__(self, games: OpenGames, to_come: SwissToCome, codes: Codes, strong: Floats, rate: float) -> None:
        self.games, self.running, self.to_come = games, games.running, to_come
        self.strong, self.rate = strong, rate
        at = {player: column for column, player in enumerate(self.running.players)}
        seated = [player for player in to_come.field.players if player in to_come.field.present]
        self.seats = numpy.array([at[player] for player in seated], int)
        self.points = games.points(codes)
        # Whom one has met, and with which colour, does not depend on how an open game ends.
        before = History(to_come.field, Way(tuple(games.played([DRAWN] * codes.shape[1])), self.running.byes))
        met = [[other in before.met[player] for other in seated] for player in seated]
        self.met = _for_each(codes, met, bool)
        self.had_bye = _for_each(codes, [player in before.had_bye for player in seated], bool)
        self.whites = _for_each(codes, [before.whites[player] for player in seated], int)
        self.last = _for_each(codes, [before.last[player] for player in seated], int)
        self.worths = numpy.array(worths_of(self.running.points), int)
        self._rows, self._codes = numpy.arange(len(codes))[:, None], codes.tolist()
        self._seated = self._published()
        self._played: list[Played] = []
        self._byes: list[tuple[int, list[int]]] = []
        self._sides: dict[tuple[int, int, int, int], Sides] = {}

    def play(self, number: int, rng: numpy.random.Generator) -> None:
        """The event's round of that number in all samples."""
        if self._seated and self.to_come.is_return(number - self.to_come.offset):
            black, white, byes = self._seated
        else:
            boards, byes = pair_many(self.points[:, self.seats], self.met, self.had_bye)
            white, black = self._seat(boards[:, :, 0], boards[:, :, 1])
        if byes is not None:
            self._free(number, byes)
        self._seated = white, black, byes
        own, his = self.seats[white], self.seats[black]
        chances = chances_of(self.strong[self._rows, own], self.strong[self._rows, his], self.rate)
        codes = draw_codes(chances, numpy.array(False), self.running.points, rng)
        self.points[self._rows, own] += self.worths[codes, 0]
        self.points[self._rows, his] += self.worths[codes, 1]
        self._played.append((number, own.tolist(), his.tolist(), codes.tolist()))

    def table(self, row: int) -> Crosstable:
        """The crosstable of a sample."""
        running, worth = self.running, self.to_come.bye_points
        games = list(self.games.sides(self._codes[row]))
        for number, white, black, codes in self._played:
            games += map(self._side, [number] * len(codes[row]), white[row], black[row], codes[row])
        byes = [Bye(number, running.players[who[row]], worth, "pab") for number, who in self._byes]
        return table_of_sides(running.players, games, (*running.byes, *byes), running.annulled)

    def _published(self) -> tuple[Floats, Floats, Floats | None] | None:
        """White, Black and the bye of the last published round; None where not all of its players play on."""
        number, players = self.to_come.offset + self.to_come.field.round - 1, self.running.players
        at = {players[seat]: place for place, seat in enumerate(self.seats.tolist())}
        games = [one for one in self.running.meetings if one.round == number]
        seated = {player for one in games for player in (one.white, one.black)}
        alone = sorted(at[player] for player in at.keys() - seated)
        if not seated <= at.keys() or len(alone) > 1:
            return None
        samples = self._rows[:, 0]
        white = _for_each(samples, [at[one.white] for one in games], int)
        black = _for_each(samples, [at[one.black] for one in games], int)
        return white, black, numpy.full(len(samples), alone[0]) if alone else None

    def _free(self, number: int, byes: Floats) -> None:
        self.had_bye[self._rows[:, 0], byes] = True
        who = self.seats[byes]
        self.points[self._rows[:, 0], who] += self.to_come.bye_points
        self._byes.append((number, who.tolist()))

    def _seat(self, one: Floats, other: Floats) -> tuple[Floats, Floats]:
        """White and Black of each pair; they have met now."""
        rows = self._rows
        due = self.whites[rows, other] - self.whites[rows, one]
        due = numpy.where(due == 0, self.last[rows, other] - self.last[rows, one], due)
        white, black = numpy.where(due < 0, other, one), numpy.where(due < 0, one, other)
        self.whites[rows, white] += 1
        self.whites[rows, black] -= 1
        self.last[rows, white], self.last[rows, black] = 1, -1
        self.met[rows, one, other] = self.met[rows, other, one] = True
        return white, black

    def _side(self, number: int, white: int, black: int, code: int) -> Sides:
        """A game with that ending, made once."""
        key = number, white, black, code
        if key not in self._sides:
            players = self.running.players
            meeting = ended(Meeting(number, players[white], players[black], Result.OPEN), code)
            self._sides[key] = sides_of(meeting, self.running.points)
        return self._sides[key]


def _for_each(codes: Codes, of_one: Sequence[Any], kind: type) -> Floats:
    """The same for every sample."""
    return numpy.repeat(numpy.array([of_one], kind), len(codes), axis=0)


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
            found = self._reported(tell, done * len(self.of), steps)
            self._play(to_come.offset + number, [self.rounds.pair(way, number, exactly=True) for way in found])
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
        for row, way in enumerate(self._reported(tell, done, steps)):
            finishes.add(numpy.array([way.points]), weights[row : row + 1], self._table(way))
        return finishes

    def _table(self, way: Way) -> Callable[[int], Crosstable]:
        return lambda _row: replace(self.running, byes=way.byes).table(way.meetings)

    def _reported(self, tell: Tell, done: int, steps: int) -> Iterator[Way]:
        """The ways one after the other, with reports of progress in samples."""
        behind = numpy.cumsum(numpy.bincount(self.of, minlength=len(self.ways))).tolist()
        for at, way in enumerate(self.ways):
            yield way
            if at % AT_ONCE == AT_ONCE - 1 or way is self.ways[-1]:
                tell(done + behind[at], steps)
