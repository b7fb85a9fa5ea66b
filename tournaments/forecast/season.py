"""A rating list at the end of its season: the games still to come, played out many times (pure, numpy).

A sample takes one row of the strengths, draws who comes to which day and who meets whom (`season_habits`, or what is
planned), draws every result by the strengths (`outlook.chances_of`), and rates the games by the list's own rule, in
the loop that rates the club (`ratings.systems.replay`). Strengths stay what they are for the whole sample: a rating
that rises makes nobody stronger, and opponents are found by the ratings of today.

Days to come, in this order of trust: boards that are paired already; rounds of running and announced events, with the
field that has entered; usual weeks, where nothing is planned (`Calendar`).

Ratings are looked at on the last day of each month (week by week in a short season) and at the end. Not done:
newcomers, withdrawals, strength that grows or fades, White's advantage, handicaps, contests with more than two sides, a
list fitted to its whole history at once (Bradley–Terry), rounds of a knockout whose opponents are not known.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import numpy

from ratings.systems.base import SEQUENCE_BITS, Period, PlayedGame, PlayerState
from ratings.systems.probation import Probation
from ratings.systems.replay import DatedRules, Reentry, replay
from tournaments.forecast.outlook import Strengths, Tell, chances_of, columns_of, rows_for
from tournaments.forecast.season_habits import WEEK, Evening, Habits, chances_on, neighbours

Floats = Any  # a numpy array of floats; shapes stand where it is used
Ints = Any
SHORT = 60  # days: a shorter season is looked at week by week
TURNOUT = 0.9  # the share of an event's rounds that somebody who entered plays, before any is known: nine of ten


# --- what is given ------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Planned:
    """A round that is planned for a `day` (ordinal). `pairs`: its boards (White, Black), where they are known; else
    `comes`: who has entered, with the chance that he plays. `event`: its key; `rules_day`: whose rules hold (None:
    the day's)."""

    day: int
    pairs: tuple[tuple[int, int], ...] = ()
    comes: Mapping[int, float] = field(default_factory=dict)
    event: int | None = None
    rules_day: int | None = None
    importance: float = 1.0


@dataclass(frozen=True, slots=True)
class Calendar:
    """From the day after `today` to `until` (ordinals). A week without anything planned is a usual one."""

    today: int
    until: int
    planned: tuple[Planned, ...] = ()

    @property
    def weeks(self) -> tuple[int, ...]:
        """The first days of the weeks without a plan; the last one may be cut short by `until`."""
        taken = {(each.day - self.today - 1) // WEEK for each in self.planned}
        count = -(-(self.until - self.today) // WEEK)
        return tuple(self.today + 1 + WEEK * at for at in range(count) if at not in taken)


@dataclass(frozen=True, slots=True)
class Season:
    """A list today. `states`: of everybody in it, as they stand; `active`: who of them takes a place once off
    probation. `waiting`: games that are rated with a period still under way. `habits`: of those
    who may play, None where nothing is usual; `rules` of the list."""

    calendar: Calendar
    states: Mapping[int, PlayerState]
    active: frozenset[int]
    rules: DatedRules
    habits: Habits | None
    probation: Probation
    reentry: Reentry | None = None
    birth_years: Mapping[int, int | None] = field(default_factory=dict)
    waiting: tuple[PlayedGame, ...] = ()

    def __post_init__(self) -> None:
        if self.calendar.until <= self.calendar.today:
            raise ValueError("A season that is over has no rest.")
        if any(rule.period == Period.ALL for rule in self.rules.all):
            raise ValueError("A list that is fitted to its whole history at once is not forecast.")

    @property
    def looks(self) -> tuple[int, ...]:
        """The days ratings are looked at: ends of months (of weeks, where not many are left and no month is rated as
        one), and the end. Where the list rates by the event, none within a planned event."""
        first, last = self.calendar.today, self.calendar.until
        periods = {rule.period for rule in self.rules.all}
        if last - first > SHORT or Period.MONTH in periods:
            days = [day for day in range(first + 1, last) if date.fromordinal(day + 1).day == 1]
        else:
            days = list(range(first + WEEK, last, WEEK))
        if Period.EVENT in periods:
            days = [day for day in days if not self._is_within_an_event(day)]
        return (*days, last)

    def _is_within_an_event(self, day: int) -> bool:
        own = {each.event for each in self.calendar.planned if each.day <= day and each.event is not None}
        own |= {game.event for game in self.waiting if isinstance(game.event, int)}
        return any(each.day > day and each.event in own for each in self.calendar.planned)


@dataclass(frozen=True, slots=True)
class SeasonOutlook:
    """What came out: `players` in the order of the columns; `listed`: what the list shows of them (looks × samples ×
    players), `places` at the end (samples × players, 0: none) and `games` they played (likewise)."""

    players: tuple[int, ...]
    looks: tuple[int, ...]
    listed: Floats
    places: Ints
    games: Ints


# --- playing out --------------------------------------------------------------------------------------------------
def play_season(
    season: Season, strengths: Strengths, samples: int, rng: numpy.random.Generator, tell: Tell = lambda done, of: None
) -> SeasonOutlook:
    """So many samples of the season's end. `strengths`: of everybody who may play. Raises ValueError for less than one
    sample, and where somebody who may play has none."""
    play = _Play(season, strengths, rng)
    players = tuple(season.states)
    looks = season.looks
    listed = numpy.empty((len(looks), samples, len(players)))
    places, games = numpy.zeros((samples, len(players)), int), numpy.zeros((samples, len(players)), int)
    before = numpy.array([state.games for state in season.states.values()])
    for sample, row in enumerate(rows_for(strengths, samples).tolist()):
        states = {player: copy(state) for player, state in season.states.items()}
        _rate(season, states, play.games(row), listed[:, sample])
        places[sample] = places_of(season, states)
        games[sample] = [_state(season, states, player).games for player in players] - before
        tell(sample + 1, samples)
    return SeasonOutlook(players, looks, listed, places, games)


def _rate(season: Season, states: dict[int, PlayerState], games: Sequence[PlayedGame], into: Floats) -> None:
    """Rate the games, and write down what the list shows at every look (looks × players)."""
    at = 0
    for look, day in enumerate(season.looks):
        first = at
        while at < len(games) and games[at].day <= day:
            at += 1
        rules, births = season.rules, season.birth_years
        for _row in replay(games[first:at], (), states=states, birth_years=births, rules=rules, reentry=season.reentry):
            pass
        listing = _listing(season, day)
        own = (_state(season, states, player) for player in season.states)
        into[look] = [listing.value(state.rating, state.deviation) for state in own]


def _state(season: Season, states: Mapping[int, PlayerState], player: int) -> PlayerState:
    """As the player stands; whoever left the list (FIDE's floor) stays where he is today."""
    return states.get(player) or season.states[player]


def _listing(season: Season, day: int) -> Any:
    rule = season.rules.on(day)
    return rule.system.listing(rule.settings)


def places_of(season: Season, states: Mapping[int, PlayerState]) -> list[int]:
    """Everybody's place by these states at the season's end, in the order of `season.states`; 0 for none."""
    listing = _listing(season, season.calendar.until)
    ranked = [player for player in states if player in season.active and not season.probation.holds(states[player])]
    ranked.sort(
        key=lambda each: (-listing.value(states[each].rating, states[each].deviation), states[each].reached, each)
    )
    at = {player: place for place, player in enumerate(ranked, start=1)}
    return [at.get(player, 0) for player in season.states]


class _Play:
    """Draws the games of one sample after the other."""

    def __init__(self, season: Season, strengths: Strengths, rng: numpy.random.Generator) -> None:
        self.season, self.rng, self.rate = season, rng, strengths.rate
        calendar, self.habits = season.calendar, season.habits
        own = {player for each in calendar.planned for pair in each.pairs for player in pair}
        own |= {player for each in calendar.planned for player in each.comes}
        club = self.habits.players if self.habits else ()
        self.players = (*club, *sorted(own - set(club)))
        self.keys = numpy.array(self.players)
        self.draws = strengths.draws[:, columns_of(strengths, self.players)]
        listing = _listing(season, calendar.today)
        known = season.states
        self.ratings = numpy.array([listing.value(known[p].rating, known[p].deviation) for p in self.players])
        self.column = {player: at for at, player in enumerate(self.players)}

    def games(self, row: int) -> list[PlayedGame]:
        """The games of a sample in which strengths are those of that row, in order of replay."""
        boards = sorted(self._boards(), key=lambda each: each[0].day)
        pairs = numpy.concatenate([found for _round, found in boards]) if boards else numpy.empty((0, 2), int)
        scores = self._scores(pairs, self.draws[row])
        whose = [each for each, found in boards for _pair in range(len(found))]
        waiting = self.season.waiting
        found = list(waiting)
        keys = self.keys[pairs].tolist()
        for number, (each, (white, black), score) in enumerate(zip(whose, keys, scores, strict=True), start=1):
            order = each.day << SEQUENCE_BITS | number
            rules_day = each.rules_day or each.day
            found.append(PlayedGame(-number, white, black, score, order, rules_day, each.event, True, each.importance))
        return found

    def _scores(self, pairs: Ints, strengths: Floats) -> list[float]:
        """White's score of each pair."""
        chances = chances_of(strengths[pairs[:, 0]], strengths[pairs[:, 1]], self.rate)
        found = self.rng.random(len(pairs))
        scores: list[float] = numpy.where(
            found < chances.win, 1.0, numpy.where(found < chances.win + chances.draw, 0.5, 0.0)
        ).tolist()
        return scores

    def _boards(self) -> Iterator[tuple[Planned, Ints]]:
        """Each round with its pairs (… × 2, columns), in no order."""
        for planned in self.season.calendar.planned:
            yield planned, self._planned(planned)
        if self.habits is None:
            return
        rates = self.rng.beta(self.habits.came, self.habits.missed)
        for first in self.season.calendar.weeks:
            for weekday, evening in self.habits.weeks[self.rng.integers(len(self.habits.weeks))]:
                if first + weekday <= self.season.calendar.until:
                    yield from self._evening(Planned(first + weekday), evening, rates)

    def _planned(self, planned: Planned) -> Ints:
        if planned.pairs:
            return numpy.array([[self.column[player] for player in pair] for pair in planned.pairs])
        field = numpy.array([self.column[player] for player in planned.comes], int)
        there = field[self.rng.random(len(field)) < numpy.array(list(planned.comes.values()))]
        return self._pairs(there)

    def _evening(self, day: Planned, evening: Evening, rates: Floats) -> Iterator[tuple[Planned, Ints]]:
        there = numpy.flatnonzero(self.rng.random(len(rates)) < chances_on(rates, evening.effect))
        for _round in range(evening.rounds):
            playing = there[self.rng.random(len(there)) < evening.stays] if evening.stays < 1.0 else there
            if len(playing) > 1:
                yield day, self._pairs(playing)

    def _pairs(self, there: Ints) -> Ints:
        width = self.habits.width if self.habits else 0.0
        return neighbours(self.ratings, there, width, self.rng)
