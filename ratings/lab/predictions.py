"""What a rating system said of every game of a stream before it was rated.

A system that rates game by game or by periods is run through the very loop that rates the club
(`ratings.systems.replay`); what its ledger has as the state before a game is all it may know. Under a rule of periods
that is the state at the period's start, for until its end nobody's rating moves. Bradley–Terry, which fits a whole
history at once, is fitted again and again to the games before a stretch of games, and tells that stretch. Ratings that
stand beside the games in their file take part as they are.

Not done: a first-move term; the back-test adds one where it is asked to.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from math import nan
from typing import Any

import numpy

from ratings.lab.contenders import Contender
from ratings.systems.base import Group, Period, PlayedGame, PlayerState, RatedGame, Side, Start
from ratings.systems.bradley_terry import expected_score, fit_group
from ratings.systems.replay import DatedRule, DatedRules, Reentry, replay

FITS = 20  # how often a whole history is fitted anew while it is predicted


@dataclass(frozen=True, slots=True)
class History:
    """A stream in order of replay. `games[i].game` is unlike every other's; `dated`: whether its days mean anything.
    `given`: White's and Black's rating as the source had them before the game, by `game`; only where both are known."""

    games: Sequence[PlayedGame]
    birth_years: Mapping[int, int | None]
    dated: bool
    given: Mapping[int, tuple[float, float]]

    @property
    def scores(self) -> Any:
        """White's scores, as an array."""
        return numpy.array([game.score for game in self.games])


@dataclass(frozen=True, slots=True)
class NeedsAnswer:
    """Of every game White's expected score, and White's lead in rating; nan where the system knew none."""

    expected: Any
    gaps: Any


Teller = Callable[[History, int], NeedsAnswer]  # a history, the first game that will be scored


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who is put to the test: `key` for commands and files, `name` for people. `first_move`: so many points are added
    for White as the first part of the games says."""

    key: str
    name: str
    tell: Teller
    first_move: bool = False


def entrant(contender: Contender, starts: Iterable[Start] = ()) -> Entrant:
    """A contender of the lab; `starts`: ratings its players bring, on its scale."""
    rules = DatedRules([DatedRule(date.min, contender.system, contender.settings)])
    return ruled(contender.key, contender.name, rules, starts)


def ruled(
    key: str, name: str, rules: DatedRules, starts: Iterable[Start] = (), reentry: Reentry | None = None
) -> Entrant:
    """A list with its dated rules, starting ratings and re-entry rule. Where the rule in force at last fits a whole
    history, that one is taken throughout."""
    brought = tuple(starts)

    def tell(history: History, first: int) -> NeedsAnswer:
        if rules.all[-1].period == Period.ALL:
            return _refitted(history, first)
        return _replayed(history, rules, brought, reentry)

    return Entrant(key, name, tell)


def entrant_of_rule(
    key: str, name: str, rule: DatedRule, starts: Iterable[Start] = (), reentry: Reentry | None = None
) -> Entrant:
    """One rule as if it had held from the first game on; `starts`, on Elo's scale, are for systems on that scale."""
    always = DatedRules([DatedRule(date.min, rule.system, rule.settings)])
    return ruled(key, name, always, starts if rule.system.elo_scale else (), reentry)


def given(key: str, name: str) -> Entrant:
    """The ratings that stand beside the games. They come from anywhere, on any scale, so only the gap is read."""

    def tell(history: History, first: int) -> NeedsAnswer:
        known = [history.given.get(game.game) for game in history.games]
        gaps = numpy.array([nan if pair is None else pair[0] - pair[1] for pair in known])
        return NeedsAnswer(numpy.full(len(known), nan), gaps)

    return Entrant(key, name, tell)


def coin(key: str, name: str) -> Entrant:
    """Whoever calls every game even: what can be had without knowing anything."""

    def tell(history: History, first: int) -> NeedsAnswer:
        count = len(history.games)
        return NeedsAnswer(numpy.full(count, 0.5), numpy.full(count, nan))

    return Entrant(key, name, tell)


def _replayed(history: History, rules: DatedRules, starts: Sequence[Start], reentry: Reentry | None) -> NeedsAnswer:
    count = len(history.games)
    place = {game.game: at for at, game in enumerate(history.games)}
    found = NeedsAnswer(numpy.full(count, nan), numpy.full(count, nan))
    births = history.birth_years
    rows = replay(history.games, starts, states={}, birth_years=births, rules=rules, reentry=reentry)
    for row in rows:
        if not isinstance(row, RatedGame) or row.white_before is None or row.black_before is None:
            continue
        at, played, rule = place[row.played.game], row.played, rules.on(row.played.rules_day)
        found.gaps[at] = row.white_before - row.black_before
        white = _state(row.white, births.get(played.white))
        expected = rule.system.expected(rule.settings, white, _state(row.black, births.get(played.black)))
        found.expected[at] = nan if expected is None else expected
    return found


def _state(side: Side, birth_year: int | None) -> PlayerState:
    """The player as the ledger has him before the game."""
    before, games, peak = side[:3]
    assert before is not None
    return PlayerState(
        before, games, before if peak is None else peak, birth_year, side.deviation, side.volatility, side.coefficient,
        reached=side.reached, last_day=side.last_day, reentry=side.reentry,
    )  # fmt: skip


def _refitted(history: History, first: int) -> NeedsAnswer:
    """Bradley–Terry–Davidson, fitted to all games before each of twenty stretches of those to be scored. Whoever has
    not played yet stands at the mean, where everybody's virtual draw was played."""
    count = len(history.games)
    found = NeedsAnswer(numpy.full(count, nan), numpy.full(count, nan))
    edges = numpy.linspace(first, count, min(FITS, count - first) + 1).astype(int).tolist()
    for start, end in pairwise(edges):
        theta, nu = fit_group(Group(history.games[:start], {}, {}, 0))
        for at in range(start, end):
            game = history.games[at]
            found.expected[at] = expected_score(theta.get(game.white, 0.0) - theta.get(game.black, 0.0), nu)
    return found
