"""Many samples of a large Swiss at once (pure, numpy): every round is paired fast and played in all of them together.

Who has White is the one who had it less often, of equals the one who had Black last, else the higher. What was played
in a sample becomes a crosstable only where its end is ranked by tie-breaks.
"""

from collections.abc import Sequence
from typing import Any

import numpy

from tournaments.forecast.outlook_chances import chances_of
from tournaments.forecast.round_robin_playouts_endings import Codes, OpenGames, draw_codes
from tournaments.forecast.swiss_rounds_fast_rounds import pair_many
from tournaments.forecast.outlook import Floats
from tournaments.forecast.swiss_rounds import History, SwissToCome, Way
from tournaments.forecast.outcomes_ways import DRAWN, ended, worths_of
from tournaments.standings.crosstable import Bye, Crosstable, Meeting, Sides, sides_of, table_of_sides
from tournaments.standings.points import Result

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
        self._played: list[Played] = []
        self._byes: list[tuple[int, list[int]]] = []
        self._sides: dict[tuple[int, int, int, int], Sides] = {}

    def play(self, number: int, rng: numpy.random.Generator) -> None:
        """The event's round of that number in all samples."""
        boards, byes = pair_many(self.points[:, self.seats], self.met, self.had_bye)
        if byes is not None:
            self._free(number, byes)
        white, black = self._seat(boards[:, :, 0], boards[:, :, 1])
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
