"""The one loop in which every list is rated: starting ratings, games and contests, in order, through the
system in force.

The same loop rates tonight's single result, the tail after a correction and a whole list from nothing, so the three
cannot disagree. Order of replay: (day, sequence); a starting rating comes before the games of its day.

A game of a system that rates by periods waits in its period's group. The group is rated when it is over, from the
states at its start, and what it does is added to the states of that later moment; so two events that overlap both
start from what was known when each began. An event that is still running is rated, but moves nobody yet.
"""

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from itertools import groupby
from typing import cast

from ratings.systems.base import (
    FOREVER,
    SEQUENCE_BITS,
    Contribution,
    GameRow,
    Group,
    Move,
    Normalisation,
    Period,
    PlayedGame,
    PlayerState,
    RatedGame,
    Side,
    Start,
    Step,
)
from ratings.systems.periods import Beginnings, OpenGroup, Rater, event_of, group_end, group_key
from ratings.systems.rules import DatedRule, DatedRules, Reentry
from ratings.systems.sides import GamesAndContests, Played, PlayedContest, RatedMember

__all__ = ["DatedRule", "DatedRules", "RatedGame", "Reentry", "Row", "Step", "replay"]

Row = GameRow | RatedMember
_new = tuple.__new__  # a named tuple's own constructor costs as much as the rest of a game


def replay(
    games: Played,
    starts: Iterable[Start],
    *,
    states: dict[int, PlayerState],
    birth_years: Mapping[int, int | None],
    rules: DatedRules,
    reentry: Reentry | None = None,
) -> Iterator[Row]:
    """Rate `games` and `starts` (each in order of replay), yield one row per event (of a contest one per member), and
    leave the new `states`.

    `states` are the players' states before the first event and are changed in place; players not in them are new, and
    only theirs are the `birth_years` that are looked up.
    Lazy: nothing is rated until the rows are drawn. Games rated one by one are drawn one by one; where a rule rates by
    the event or the whole history, all are held in memory.
    """
    return _Replay(states, birth_years, rules, reentry).rows(games, starts)


class _Replay:
    """One run: the states, a rater for each rule, and the groups that are open."""

    def __init__(
        self,
        states: dict[int, PlayerState],
        birth_years: Mapping[int, int | None],
        rules: DatedRules,
        reentry: Reentry | None,
    ) -> None:
        self.states, self.birth_years, self.rules, self.reentry = states, birth_years, rules, reentry
        self.raters = [Rater(rule) for rule in rules.all]
        self.groups: dict[tuple[int, object], OpenGroup] = {}

    def rows(self, games: Played, starts: Iterable[Start]) -> Iterator[Row]:
        """All rows, in the order in which they become final."""
        beginnings = Beginnings(starts, self._begin)
        if isinstance(games, GamesAndContests):
            yield from self._mixed(games, beginnings)
        elif len(self.raters) == 1 and self.raters[0].stream is not None and self.reentry is None:
            yield from self.raters[0].stream(games, self.states, self.birth_years, beginnings)
            return
        else:
            games, ends = self._ends(games)
            yield from self._games(games, beginnings, ends)
        yield from beginnings.until(FOREVER)
        yield from self._close_before(FOREVER)

    def _ends(self, games: Iterable[PlayedGame]) -> tuple[Iterable[PlayedGame], Mapping[tuple[int, object], int]]:
        """The games, and where a rule rates by the event the order of each event's last game."""
        if not any(rater.period == Period.EVENT for rater in self.raters):
            return games, {}
        games = list(games)
        return games, {(id(self._rater_on(game.rules_day)), event_of(game)): game.order for game in games}

    def _mixed(self, played: GamesAndContests, beginnings: Beginnings) -> Iterator[Row]:
        """Games and contests in turn: a run of games is rated as if there were nothing else."""
        games, ends = self._ends(played.games)
        in_order = iter(GamesAndContests(games, played.contests))
        for is_contest, run in groupby(in_order, key=lambda each: isinstance(each, PlayedContest)):
            if is_contest:
                for contest in cast("Iterator[PlayedContest]", run):
                    order = contest.order
                    if order >= beginnings.order:
                        yield from beginnings.until(order)
                    if self.groups:
                        yield from self._close_before(order)
                    yield from self._rate_contest(contest)
            else:
                yield from self._games(cast("Iterator[PlayedGame]", run), beginnings, ends)

    def _games(
        self, games: Iterable[PlayedGame], beginnings: Beginnings, ends: Mapping[tuple[int, object], int]
    ) -> Iterator[GameRow]:
        only = self.raters[0] if len(self.raters) == 1 else None
        for game in games:
            order = game.order
            if order >= beginnings.order:
                yield from beginnings.until(order)
            rater = only or self._rater_on(game.rules_day)
            if self.groups:
                yield from self._close_before(order)
            if rater.rate is not None:
                yield self._rate_game(game, rater)
                if rater.normalisation is not None:
                    yield from self._normalise(game, rater.normalisation)
            else:
                yield from self._collect(game, rater, ends)

    def _rater_on(self, day: int) -> Rater:
        return self.raters[self.rules.all.index(self.rules.on(day))]

    # --- one game at a time
    def _rate_game(self, game: PlayedGame, rater: Rater) -> RatedGame:
        states, order = self.states, game.order
        white, black = states.get(game.white), states.get(game.black)
        if white is None:
            white = self._enter(game.white, game, rater)
        if black is None:
            black = self._enter(game.black, game, rater)
        if self.groups:
            self._remember(game.white, game.black)
        day = order >> SEQUENCE_BITS
        if self.reentry is not None:
            _check_absence(white, day, self.reentry)
            _check_absence(black, day, self.reentry)
        white_before, black_before = _snapshot(white), _snapshot(black)
        assert rater.rate is not None
        figures = rater.rate(white, black, game)
        score = game.score
        white_after = advance(white, white_before[0], score, order, day)
        black_after = advance(black, black_before[0], 1.0 - score, order, day)
        if figures is None:
            white_end: tuple[float | None, ...] = (None, None, None, white_after)
            black_end: tuple[float | None, ...] = (None, None, None, black_after)
        else:
            white_end = (figures[0], figures[1], white_after - white_before[0], white_after)
            black_end = (figures[2], figures[3], black_after - black_before[0], black_after)
        return _new(RatedGame, (game, *white_before, *white_end, *black_before, *black_end, False))

    def _rate_contest(self, contest: PlayedContest) -> Iterable[RatedMember]:
        """One row per member; none where the system in force rates games of two only. A contest counts once in a
        player's record, whatever its size."""
        rater = self.raters[0] if len(self.raters) == 1 else self._rater_on(contest.rules_day)
        if rater.rate_contest is None:
            return ()
        known = self.states
        sides = [
            [known.get(player) or self._enter(player, contest, rater) for player in side.players]
            for side in contest.sides
        ]
        order, day = contest.order, contest.order >> SEQUENCE_BITS
        if self.reentry is not None:
            for states in sides:
                for state in states:
                    _check_absence(state, day, self.reentry)
        if self.groups:
            self._remember(*contest.players)
        before = [[_snapshot(state) for state in side] for side in sides]
        figures = rater.rate_contest(contest, sides)
        rows = []
        for number, (side, states, olds, told) in enumerate(zip(contest.sides, sides, before, figures, strict=True), 1):
            outcome = contest.outcome(side.place)
            for player, state, was, (expected, k) in zip(side.players, states, olds, told, strict=True):
                after = advance(state, was[0], outcome, order, day)
                end = (expected, k, after - was[0], after, state.deviation)
                rows.append(_new(RatedMember, (contest, number, player, outcome, *was, *end)))
        return rows

    def _enter(self, player: int, game: PlayedGame | PlayedContest, rater: Rater) -> PlayerState:
        """A player never seen before."""
        state = rater.rule.system.newcomer(
            rater.rule.settings, self.birth_years.get(player), game.order >> SEQUENCE_BITS
        )
        if state is None:
            raise ValueError(f"{rater.rule.system.name} rates games one by one and needs a rating for everybody.")
        self._remember(player)
        state.reached = game.order
        self.states[player] = state
        return state

    def _normalise(self, game: PlayedGame, rule: Normalisation) -> Iterator[GameRow]:
        """Bring the whole field down after a game that lifted somebody above the line."""
        if self.states[game.white].rating <= rule.above and self.states[game.black].rating <= rule.above:
            return
        for state in self.states.values():
            state.rating = max(rule.floor, state.rating * rule.factor)
            state.reached = game.order
        yield Step("normalise", game.order, None, factor=rule.factor)

    # --- starting ratings
    def _begin(self, start: Start) -> Iterator[GameRow]:
        yield from self._close_before(start.order)
        self._remember(start.player)
        known = self.states.get(start.player)
        row = _step("start", start.order, start.player, known, start.rating)
        state = known or PlayerState(start.rating, 0, start.rating, self.birth_years.get(start.player))
        state.rating, state.reached = start.rating, start.order
        state.games = state.games if start.games is None else start.games
        state.peak = max(state.peak, start.rating, start.peak or start.rating)
        state.deviation = state.deviation if start.deviation is None else start.deviation
        state.volatility = state.volatility if start.volatility is None else start.volatility
        state.fixed_k = state.fixed_k if start.k is None else start.k
        self.states[start.player] = state
        yield row

    # --- a period at a time
    def _collect(self, game: PlayedGame, rater: Rater, ends: Mapping[tuple[int, object], int]) -> Iterator[GameRow]:
        """Put the game into its period's group; an event is over with its last game."""
        key = (id(rater), group_key(game, rater.period))
        group = self.groups.get(key)
        if group is None:
            group = self.groups[key] = OpenGroup(rater, group_end(game, rater.period, ends.get(key)))
        group.games.append(game)
        if game.order == group.end.order:
            yield from self._close(key)

    def _close_before(self, order: int) -> Iterator[GameRow]:
        """Close the periods that are over before `order`, in the order of their last games; at the end of time all
        of them, running events last."""
        over = [(group.last, key) for key, group in self.groups.items() if group.end.day <= order >> SEQUENCE_BITS]
        if order == FOREVER:
            over = [(FOREVER * (not group.closes) + group.last, key) for key, group in self.groups.items()]
        for _, key in sorted(over, key=lambda each: each[0]):
            yield from self._close(key)

    def _close(self, key: tuple[int, object]) -> Iterator[GameRow]:
        group = self.groups.pop(key)
        rule = group.rater.rule
        before = self._states_at_start(group)
        first = group.games[0]
        assert group.rater.rate_group is not None
        rating = group.rater.rate_group(Group(group.games, before, self.birth_years, first.rules_day))
        for game, (white, black) in zip(group.games, rating.sides, strict=True):
            sides = (*_side(before.get(game.white), white), *_side(before.get(game.black), black))
            yield RatedGame(game, *sides, pending=not group.closes)
        if not group.closes:
            return
        kind = {Period.EVENT: "event", Period.ALL: "fit"}.get(rule.period, "period")
        for player, move in rating.moves.items():
            yield self._move(player, move, before.get(player), group, kind)
        for game, (white, black) in zip(group.games, rating.sides, strict=True):
            self._count(game.white, white, game.score, game)
            self._count(game.black, black, 1.0 - game.score, game)

    def _states_at_start(self, group: OpenGroup) -> dict[int, PlayerState]:
        """Copies of the states of the group's players when its first game was played."""
        found: dict[int, PlayerState] = {}
        for game in group.games:
            for player in (game.white, game.black):
                if player in found:
                    continue
                state = group.before[player] if player in group.before else self.states.get(player)
                if state is None:
                    rule = group.rater.rule
                    state = rule.system.newcomer(rule.settings, self.birth_years.get(player), game.day)
                if state is not None:
                    found[player] = copy(state)
        return found

    def _move(self, player: int, move: Move, before: PlayerState | None, group: OpenGroup, kind: str) -> Step:
        """Let the player's state follow what the period does to him."""
        self._remember(player)
        known, order = self.states.get(player), group.last
        if move.leaves:
            self.states.pop(player, None)
            return _step(kind, order, player, known, None)
        if known is not None:
            state = known
        elif before is not None:
            state = copy(before)
        else:
            rating = move.enters_at if move.enters_at is not None else 0.0
            state = PlayerState(rating, 0, rating, self.birth_years.get(player))
        step = _step(kind, order, player, known, None)
        old = state.rating
        state.rating = move.enters_at if move.enters_at is not None else state.rating + move.change
        state.games = state.games if move.games is None else move.games
        state.peak = max(state.peak, state.rating)
        state.deviation = state.deviation if move.deviation is None else move.deviation
        state.volatility = state.volatility if move.volatility is None else move.volatility
        if known is None or state.rating != old:
            state.reached = order
        self.states[player] = state
        return step._replace(after=state.rating)

    def _count(self, player: int, side: Contribution, score: float, game: PlayedGame) -> None:
        """Count a game of a period that is over, for whom it was rated."""
        state = self.states.get(player)
        if state is None:
            return
        if side.expected is not None:
            if self.reentry is not None:
                _check_absence(state, game.day, self.reentry)
            state.games += 1
            state.reentry -= state.reentry > 0
            state.wins += score == 1.0
            state.draws += score == 0.5
            state.losses += score == 0.0
        state.last_day = game.day if state.last_day is None else max(state.last_day, game.day)

    def _remember(self, *players: int) -> None:
        """Keep for the open groups what these players' states were when the groups began."""
        for group in self.groups.values():
            for player in players:
                if player not in group.before:
                    group.before[player] = copy(self.states.get(player))


_Snapshot = tuple[
    float, int, float, float | None, float | None, float | None, int, int | None, int
]  # the first nine values of a `Side`


def _snapshot(state: PlayerState) -> _Snapshot:
    return (
        state.rating,
        state.games,
        state.peak,
        state.deviation,
        state.volatility,
        state.coefficient,
        state.reached,
        state.last_day,
        state.reentry,
    )


def _side(before: PlayerState | None, side: Contribution) -> Side:
    """Half a ledger row of a game that is rated with its period: it has no rating of its own after it."""
    if before is None:
        return Side(None, expected=side.expected, k=side.k, change=side.change)
    return Side(side.before, *_snapshot(before)[1:], side.expected, side.k, side.change)


def _step(kind: str, order: int, player: int, known: PlayerState | None, after: float | None) -> Step:
    if known is None:
        return Step(kind, order, player, after=after)
    return Step(kind, order, player, *_snapshot(known), after)


def advance(state: PlayerState, before: float, score: float, order: int, day: int) -> float:
    """Count the game, or the contest by its outcome, and return the new rating."""
    after = state.rating
    state.games += 1
    if after > state.peak:
        state.peak = after
    if after != before:
        state.reached = order
    if score == 1.0:
        state.wins += 1
    elif score == 0.0:
        state.losses += 1
    else:
        state.draws += 1
    state.last_day = day
    if state.reentry:
        state.reentry -= 1
    return after


def _check_absence(state: PlayerState, day: int, rule: Reentry) -> None:
    if state.last_day is not None and day - state.last_day > rule.days:
        state.reentry = max(state.reentry, rule.games)
