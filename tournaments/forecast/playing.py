"""A format played many times at once (pure, numpy): results from ratings, points, and who comes out first.

A game's win, draw and loss come from the Elo formula and Davidson's draws (`ratings.systems.draws`), the same for
every sample. Nobody has the advantage of White, nobody's rating changes on the way. A knockout match ends as soon as
it is decided; an even one is settled by one more game that has a winner (win against loss, as their odds are), which
counts as no game of the field's. In groups, equal points are parted by lots.

All chance comes from the generator that is handed in.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from ratings.systems.draws import odds_of
from ratings.systems.elo import expected_score
from tournaments.forecast.formats import Format, Kind, bracket_of, group_fields, schedule
from tournaments.forecast.swiss_rounds import pair_fast
from tournaments.pairing.base import Bracket, Source
from tournaments.pairing.groups import seeds

ONE_SIDED = 0.9  # a game in which one side expects more
Numbers = Any  # arrays of numpy, shapes in the docstrings
WIN = 2  # half-points
AT_ONCE = 250  # samples; whom everybody has met fills the memory


@dataclass(frozen=True, slots=True)
class Odds:
    """For every two players (places in the field): the chance of a win, of a draw, of a win in a game that has a
    winner; and whether the game is one-sided. Arrays of n × n."""

    win: Numbers
    draw: Numbers
    decided: Numbers
    one_sided: Numbers


@dataclass(frozen=True, slots=True)
class Played:
    """What came out, by samples: `share` of first place (samples × players; those level on points share it evenly),
    whether first place was `tied` on points, `games` of each player, and one-sided games of all."""

    share: Numbers
    tied: Numbers
    games: Numbers
    one_sided: Numbers


def odds_table(ratings: Sequence[float], rate: float) -> Odds:
    """The odds of a field, draws coming at that `rate` (Davidson's ν)."""
    size = len(ratings)
    win, draw, decided, one_sided = (numpy.zeros((size, size)) for _table in range(4))
    for one, own in enumerate(ratings):
        for other, his in enumerate(ratings):
            odds = odds_of(expected_score(own, his), rate)
            win[one, other], draw[one, other] = odds.win, odds.draw
            decisive = odds.win + odds.loss
            decided[one, other] = odds.win / decisive if decisive > 0.0 else 0.5
            one_sided[one, other] = abs(odds.expected - 0.5) > ONE_SIDED - 0.5
    return Odds(win, draw, decided, one_sided)


def play(form: Format, odds: Odds, samples: int, rng: numpy.random.Generator) -> Played:
    """The format played so many times, at least once. The field is in order of strength, as seeds are."""
    sizes = [min(AT_ONCE, samples - done) for done in range(0, samples, AT_ONCE)]
    parts = [_played(form, odds, size, rng) for size in sizes]
    measures = zip(*((part.share, part.tied, part.games, part.one_sided) for part in parts), strict=True)
    return Played(*(numpy.concatenate(measure) for measure in measures))


def _played(form: Format, odds: Odds, samples: int, rng: numpy.random.Generator) -> Played:
    event = _Event(odds, samples, rng)
    players = range(len(odds.win))
    if form.kind is Kind.KNOCKOUT:
        field = numpy.tile(numpy.arange(len(players)), (samples, 1))
        return event.won_by(event.knockout(bracket_of(form, len(players)), field, form.games))
    if form.kind is Kind.GROUPS:
        return event.won_by(event.groups(form))
    if form.kind is Kind.SWISS:
        return event.by_points(event.swiss(form.rounds))
    return event.by_points(event.round_robin(players, form.cycles))


class _Event:
    """All samples of one event. Players in the arrays are places in the field, from 0."""

    def __init__(self, odds: Odds, samples: int, rng: numpy.random.Generator) -> None:
        self.odds, self.samples, self.rng = odds, samples, rng
        self.rows = numpy.arange(samples)
        self.games = numpy.zeros((samples, len(odds.win)), int)
        self.one_sided = numpy.zeros(samples, int)

    # --- what came out ----------------------------------------------------------------------------------------
    def by_points(self, points: Numbers) -> Played:
        leaders = points == points.max(axis=1, keepdims=True)
        level = leaders.sum(axis=1)
        return Played(leaders / level[:, None], level > 1, self.games, self.one_sided)

    def won_by(self, winners: Numbers) -> Played:
        share = numpy.zeros(self.games.shape)
        share[self.rows, winners] = 1.0
        return Played(share, numpy.zeros(self.samples, bool), self.games, self.one_sided)

    # --- the formats ------------------------------------------------------------------------------------------
    def round_robin(self, field: Sequence[int], times: int) -> Numbers:
        """The half-points of those in the field (samples × places in it)."""
        points = numpy.zeros((self.samples, len(field)), int)
        for pairs in schedule(len(field), times):
            for one, other in pairs:
                halves = self.game(numpy.full(self.samples, field[one]), numpy.full(self.samples, field[other]))
                points[:, one] += halves
                points[:, other] += WIN - halves
        return points

    def swiss(self, rounds: int) -> Numbers:
        """The half-points of everybody. Only pairing goes sample by sample; a round's games are played together."""
        size = len(self.odds.win)
        points = numpy.zeros((self.samples, size), int)
        met = [[set[int]() for _player in range(size)] for _sample in range(self.samples)]
        had_bye = numpy.zeros((self.samples, size), bool)
        for _round in range(rounds):
            boards = []
            for sample, row in enumerate(points.tolist()):
                pairs, bye = pair_fast(row, met[sample], had_bye[sample])
                boards.append(pairs)
                for one, other in pairs:
                    met[sample][one].add(other)
                    met[sample][other].add(one)
                if bye is not None:
                    had_bye[sample, bye] = True
                    points[sample, bye] += WIN
            self._play_boards(numpy.array(boards), points)
        return points

    def _play_boards(self, boards: Numbers, points: Numbers) -> None:
        """One round of all samples: pairs by samples and boards (samples × boards × 2)."""
        for board in range(boards.shape[1]):
            one, other = boards[:, board, 0], boards[:, board, 1]
            halves = self.game(one, other)
            points[self.rows, one] += halves
            points[self.rows, other] += WIN - halves

    def knockout(self, bracket: Bracket, field: Numbers, games: int) -> Numbers:
        """The winner of each sample. `field`: the players by seeds (samples × seeds)."""
        winners: dict[tuple[int, int], Numbers] = {}

        def who(source: Source) -> Numbers | None:
            if source.match is not None:
                return winners[source.match]
            return None if source.seed is None else field[:, source.seed - 1]

        for match in bracket:
            upper, lower = who(match.upper), who(match.lower)
            is_bye = upper is None or lower is None
            one = lower if upper is None else upper
            winners[match.round, match.board] = one if is_bye else self.match(upper, lower, games)
        return winners[bracket[-1].round, bracket[-1].board]

    def groups(self, form: Format) -> Numbers:
        """The winner of each sample: round robins, then a knockout of the best of each."""
        orders = []
        for field in group_fields(form, self.games.shape[1]):
            points = self.round_robin(field, form.cycles)
            lots = self.rng.random(points.shape)
            orders.append(numpy.array(field)[numpy.argsort(-(points + lots), axis=1)])
        chosen = [orders[group][:, place] for group, place in seeds(form.groups, form.qualifiers)]
        return self.knockout(bracket_of(form, self.games.shape[1]), numpy.stack(chosen, axis=1), form.games)

    # --- games ------------------------------------------------------------------------------------------------
    def game(self, one: Numbers, other: Numbers, where: Numbers | None = None) -> Numbers:
        """Half-points of the first of each pair, one pair a sample; only games `where` it is played are counted."""
        played = numpy.ones(self.samples, bool) if where is None else where
        chance, win = self.rng.random(self.samples), self.odds.win[one, other]
        self.games[self.rows, one] += played
        self.games[self.rows, other] += played
        self.one_sided += (self.odds.one_sided[one, other] > 0) & played
        return WIN * (chance < win) + ((chance >= win) & (chance < win + self.odds.draw[one, other]))

    def match(self, one: Numbers, other: Numbers, games: int) -> Numbers:
        """Who goes on, one match a sample."""
        lead = numpy.zeros(self.samples, int)  # half-points more of the first
        for left in range(games, 0, -1):
            still_open = numpy.abs(lead) <= WIN * left  # who is behind can at least draw level
            halves = self.game(one, other, still_open)
            lead = lead + numpy.where(still_open, 2 * halves - WIN, 0)
        settled = self.rng.random(self.samples) < self.odds.decided[one, other]
        return numpy.where((lead > 0) | ((lead == 0) & settled), one, other)
