"""Formats for an adviser to compare (pure): rounds, boards and evenings of each, and what comes out of playing it.

The first part says whether a format fits the hall. A round of more games than there are boards is played in sittings.
An evening has as many sittings as rounds can be played in it; a match of several games takes one sitting a game. So
nothing here depends on results: every format is taken at its longest. Groups play side by side and share the boards.

`play` (numpy) plays a format many times at once: results from ratings, points, and who comes out first. A game's win,
draw and loss come from the Elo formula and Davidson's draws (`ratings.systems.draws`), the same for every sample.
Nobody has the advantage of White; ratings do not change on the way. A knockout match ends as soon as it is decided; an
even one is settled by one more game that has a winner (win against loss, by their odds), which is not counted as a game
of the field. In groups, equal points are separated by lots. All chance comes from the generator that is handed in.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from itertools import zip_longest
from random import Random
from typing import Any

import numpy

from clubrating.ground.marks import sentence
from ratings.systems.draws import odds_of
from ratings.systems.elo import expected_score
from tournaments.forecast.swiss_rounds import pair_fast
from tournaments.pairing.base import Bracket, PairingError, Source
from tournaments.pairing.groups import GroupsThenKnockout, is_even_cross, seeds, serpentine
from tournaments.pairing.knockout import GIVEN, STANDARD, Knockout, rounds_for
from tournaments.pairing.round_robin import RoundRobin, cycles


# --- formats and the hall -----------------------------------------------------------------------------------------
class Kind(StrEnum):
    """Keys of the pairing systems where there is one."""

    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    GROUPS = "groups"


KINDS = tuple(Kind)
LONGEST_SWISS = 15  # rounds; longer ones are not proposed


@dataclass(frozen=True, slots=True)
class Format:
    """A format with its settings. `cycles`: how often all meet (round robin, groups); `rounds` of a Swiss; `groups` and
    how many go on from each; `games` of a knockout match."""

    kind: Kind
    cycles: int = 1
    rounds: int = 0
    groups: int = 2
    qualifiers: int = 2
    games: int = 1


@dataclass(frozen=True, slots=True)
class Hall:
    """What there is: evenings, boards, and how many rounds can be played in an evening."""

    evenings: int
    boards: int
    rounds_an_evening: int = 1

    def __post_init__(self) -> None:
        if min(self.evenings, self.boards, self.rounds_an_evening) < 1:
            raise ValueError("An event needs an evening, a board and a round an evening.")

    @property
    def sittings(self) -> int:
        return self.evenings * self.rounds_an_evening

    def sittings_for(self, games: int) -> int:
        """How often the boards must be set up for a round of so many games."""
        return -(-games // self.boards)

    def evenings_for(self, rounds: Sequence[int]) -> int:
        """The evenings that rounds of so many games each take."""
        return -(-sum(self.sittings_for(games) for games in rounds) // self.rounds_an_evening)


def check_format(form: Format, players: int) -> None:
    """Raises PairingError where the field is too small or too large for the format, or a setting is none."""
    if form.kind is Kind.SWISS and not 1 <= form.rounds < players:
        raise PairingError(
            sentence(
                "A Swiss of %(players)s players has 1 to %(most)s rounds, not %(rounds)s.",
                players=players,
                most=players - 1,
                rounds=form.rounds,
            )
        )
    if form.kind is Kind.ROUND_ROBIN:
        RoundRobin().schedule(players, {"cycles": form.cycles})
    if form.kind is Kind.GROUPS:
        settings = {"groups": form.groups, "qualifiers": form.qualifiers, "cycles": form.cycles, "games": form.games}
        GroupsThenKnockout().plan(players, settings, Random(0))
    if form.kind in (Kind.KNOCKOUT, Kind.GROUPS):
        bracket_of(form, players)


def games_by_round(form: Format, players: int) -> tuple[int, ...]:
    """How many games are played in each sitting's round, byes left out; a match counts each of its games as a round.
    Raises PairingError as `check_format`."""
    check_format(form, players)
    if form.kind is Kind.SWISS:
        return (players // 2,) * form.rounds
    if form.kind is Kind.KNOCKOUT:
        return _of_knockout(players, form.games)
    if form.kind is Kind.ROUND_ROBIN:
        return _of_round_robin(players, form.cycles)
    parts = [_of_round_robin(len(part), form.cycles) for part in group_fields(form, players)]
    together = tuple(sum(games) for games in zip_longest(*parts, fillvalue=0))
    return together + _of_knockout(form.groups * form.qualifiers, form.games)


def schedule(players: int, times: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The rounds of a round robin as pairs of places in the field, from 0; byes left out."""
    rounds = cycles(players + players % 2, double=times == 2)
    return tuple(tuple((one - 1, other - 1) for one, other in pairs if max(one, other) <= players) for pairs in rounds)


def group_fields(form: Format, players: int) -> tuple[tuple[int, ...], ...]:
    """The groups as places in the field, from 0, dealt out from the strongest there and back."""
    return serpentine(range(players), form.groups)


def bracket_of(form: Format, players: int) -> Bracket:
    """The knockout of the format: seeded, or after groups in the order in which they send their best."""
    seeding = STANDARD
    if form.kind is Kind.GROUPS:
        players = form.groups * form.qualifiers
        seeding = GIVEN if is_even_cross(form.groups, form.qualifiers) else STANDARD
    return Knockout().bracket(players, {"seeding": seeding, "games": form.games}, Random(0))


def last_evening(first: date, every: int, evenings: int) -> date:
    """The day of the last of so many evenings, one `every` so many days (0: all on one day). Raises ValueError for no
    evening at all, OverflowError beyond the last year there is."""
    if evenings < 1:
        raise ValueError("An event takes at least one evening.")
    return first + timedelta(days=every * (evenings - 1))


def usual_formats(players: int, hall: Hall) -> tuple[Format, ...]:
    """What a club would think of for so many players: all play all, once and twice; a Swiss of several lengths; a
    knockout of one game and of two; two and four groups."""
    asked = (
        Format(Kind.ROUND_ROBIN),
        Format(Kind.ROUND_ROBIN, cycles=2),
        *(Format(Kind.SWISS, rounds=rounds) for rounds in _swiss_lengths(players, hall)),
        Format(Kind.KNOCKOUT),
        Format(Kind.KNOCKOUT, games=2),
        Format(Kind.GROUPS),
        Format(Kind.GROUPS, groups=4),
    )
    return tuple(form for form in asked if _is_possible(form, players))


def _swiss_lengths(players: int, hall: Hall) -> list[int]:
    """As short as can name a winner, as long as the evenings allow (but no longer than half the field), and between
    the two."""
    shortest, boards = rounds_for(players), max(players // 2, 1)
    longest = max(shortest, min(hall.sittings // hall.sittings_for(boards), boards, LONGEST_SWISS))
    return sorted({shortest, (shortest + longest) // 2, longest})


def _is_possible(form: Format, players: int) -> bool:
    try:
        check_format(form, players)
    except PairingError:
        return False
    return True


def _of_round_robin(players: int, times: int) -> tuple[int, ...]:
    return (players // 2,) * len(schedule(players, times))


def _of_knockout(players: int, games: int) -> tuple[int, ...]:
    """First as many matches as bring the field down to a power of two, then half of those left each time."""
    lines = 2 ** rounds_for(players)
    matches = [players - lines // 2, *(lines >> number for number in range(2, rounds_for(players) + 1))]
    return tuple(count for count in matches for _game in range(games))


# --- played many times --------------------------------------------------------------------------------------------
ONE_SIDED = 0.9  # expected score above which a game is one-sided
Numbers = Any  # arrays of numpy, shapes in the docstrings
WIN = 2  # half-points
AT_ONCE = 250  # samples; the sets of opponents met take the memory


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
            for ones, others in numpy.array(boards).transpose(1, 2, 0):  # board by board, in all samples
                halves = self.game(ones, others)
                points[self.rows, ones] += halves
                points[self.rows, others] += WIN - halves
        return points

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
