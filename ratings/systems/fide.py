"""FIDE's rating of events: table 8.1.2, the 400-point rule by date, K limited by the games, initial ratings, the floor.

Source: FIDE Rating Regulations (B.02) in force since 1 March 2024, articles 8.1–8.3, with the amendment of 1 October
2025 (8.3.1); the rapid and blitz regulations (B.02) for `rapid`; the 400-point rule of 2022 and earlier.
FIDE rates by periods: everybody's change is computed from the ratings at the start of the event and rounded once.
All in whole hundredths: K × (100 × score − percent) has no fraction, so every machine finds the same change.
Not done: the month's list (an event is a period of its own, so K·n ≤ 700 is tested event by event); the initial rule
before March 2024; an unrated rapid player's start from the standard rating (enter it as a starting rating).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import NamedTuple

from ratings.systems.base import Contribution, Group, GroupRater, GroupRating, Move, PlayerState
from ratings.systems.fide_tables import expected_percent, nearest, rating_difference, score_percent

CAP = 400  # a greater difference counts as this one, for whom the rule holds
REAL_GAP_FROM = 2650  # whoever stands here or higher is rated by the real difference
RAPID_WIDE_GAP = 600  # in rapid and blitz not rated at all, where …
RAPID_ELITE = 2600  # … one of the two stands above this
K_BUDGET = 700  # K times the games of a period may not exceed it
HYPOTHETICAL = 1800  # a newcomer's two extra opponents, both drawn
INITIAL_CEILING = 2200
GAMES_TO_PUBLISH = 5
POOL_MONTHS = 26

_ONE_CAP_FROM = date(2022, 1, 1).toordinal()
_EVERY_CAP_FROM = date(2024, 3, 1).toordinal()
_REAL_GAPS_FROM = date(2025, 10, 1).toordinal()
_RAPID_WIDE_FROM = date(2024, 12, 1).toordinal()
# (day from which it holds, lowest rating of the list), newest first.
_FLOORS = ((date(2024, 3, 1).toordinal(), 1400.0), (0, 1000.0))

KOf = Callable[[float, int, float, int], float]


@dataclass(frozen=True, slots=True)
class FideSettings:
    """`k_of`: K from (rating, rated games, best rating, age in years). `floor`: below it a player is unrated; None:
    FIDE's own by date, 0: none. `rapid`: the rules of rapid and blitz."""

    k_of: KOf
    floor: float | None = None
    rapid: bool = False

    def floor_on(self, day: int) -> float:
        return fide_floor(day) if self.floor is None else self.floor


def fide_floor(day: int) -> float:
    """FIDE's lowest rating on a day (ordinal)."""
    return next(floor for since, floor in _FLOORS if day >= since)


def capped_gaps(own: int, opponents: Sequence[int], day: int, *, rapid: bool = False) -> list[int | None]:
    """The differences own − opponent that count, game by game, by the 400-point rule of the day (ordinal); None for
    a game that is not rated.

    To 2021 every difference above 400 counts as 400; in 2022 and 2023 and to February 2024 only the event's greatest
    (the first of several); since March 2024 every one again; since October 2025 none for players from 2650 up, except
    in rapid and blitz. There, since December 2024, 600 or more is not rated where one of the two is above 2600.
    """
    gaps = [own - opponent for opponent in opponents]
    capped = _capped_games(own, gaps, day, rapid)
    return [
        None if rapid and _is_too_wide(own, gap, day) else max(-CAP, min(CAP, gap)) if game in capped else gap
        for game, gap in enumerate(gaps)
    ]


def _capped_games(own: int, gaps: Sequence[int], day: int, rapid: bool) -> Sequence[int]:
    games = range(len(gaps))
    if _ONE_CAP_FROM <= day < _EVERY_CAP_FROM:
        return [max(games, key=lambda game: abs(gaps[game]))] if gaps else games
    is_exempt = day >= _REAL_GAPS_FROM and own >= REAL_GAP_FROM and not rapid
    return range(0) if is_exempt else games


def _is_too_wide(own: int, gap: int, day: int) -> bool:
    return day >= _RAPID_WIDE_FROM and abs(gap) >= RAPID_WIDE_GAP and max(own, own - gap) > RAPID_ELITE


def limited_k(k: float, games: int) -> float:
    """K, or the largest whole number that keeps K × games within 700 (39 games at 20 → 17, 18 at 40 → 38)."""
    return k if k * games <= K_BUDGET else float(K_BUDGET // games)


class EventChange(NamedTuple):
    """What an event brings one player: the rounded change, the K used, and for each game the percent expected of
    him, None where the game is not rated."""

    change: int
    k: float
    percents: list[int | None]


def event_change(
    own: int, opponents: Sequence[int], scores: Sequence[float], k: float, day: int, *, rapid: bool = False
) -> EventChange:
    """A rated player's change by an event: K × Σ(score − PD), rounded once, halves away from zero (8.3).

    `opponents` are the rated ones, whole numbers like `own`; `scores` 1, ½ or 0; `k` before the limit of 700;
    `day` the event's first (ordinal).
    """
    gaps = capped_gaps(own, opponents, day, rapid=rapid)
    percents = [None if gap is None else expected_percent(gap) for gap in gaps]
    over = [int(100 * score) - percent for score, percent in zip(scores, percents, strict=True) if percent is not None]
    used = limited_k(k, len(over))
    return EventChange(_rounded_hundredths(used * sum(over)), used, percents)


def _rounded_hundredths(hundredths: float) -> int:
    whole = int((abs(hundredths) + 50) // 100)
    return whole if hundredths >= 0 else -whole


class InitialRating(NamedTuple):
    """A newcomer's rating and the games it is based on."""

    rating: int
    games: int

    def is_publishable(self, floor: float = 1400) -> bool:
        """Whether it is enough for the list: five games and not below the floor."""
        return self.games >= GAMES_TO_PUBLISH and self.rating >= floor


def initial_rating(opponents: Sequence[int], scores: Sequence[float]) -> InitialRating:
    """Ru = Ra + dp(p) with two hypothetical opponents of 1800, both drawn, at most 2200 (8.2), of however few games.

    `opponents` are rated ones; 9507 in all, five games, three points: Ra 1872.43, p .57, dp 50, Ru 1922.
    """
    games = len(opponents) + 2
    half_points = int(2 * sum(scores)) + 2
    difference = rating_difference(score_percent(half_points, games))
    # Halves up, in whole numbers: floor((2 × sum + games) / (2 × games)).
    average = (2 * (sum(opponents) + 2 * HYPOTHETICAL) + games) // (2 * games)
    return InitialRating(min(average + difference, INITIAL_CEILING), len(opponents))


class _Meeting(NamedTuple):
    """One player's half of a game of the event against a rated opponent."""

    game: int
    side: int
    opponent: int
    score: float


class _Event(NamedTuple):
    """An unrated player's results of one event against rated opponents."""

    day: int
    opponents: list[int]
    scores: list[float]


@dataclass(slots=True)
class _Newcomers:
    """The unrated players' results so far, by player."""

    pools: dict[int, list[_Event]] = field(default_factory=dict)

    def add(self, player: int, day: int, meetings: Sequence[_Meeting]) -> InitialRating | None:
        """Pool an event's results; the initial rating of all pooled ones, None where there are none."""
        pool = [event for event in self.pools.get(player, []) if _months(event.day, day) < POOL_MONTHS]
        is_first = not pool
        event = _Event(day, [each.opponent for each in meetings], [each.score for each in meetings])
        # A zero in the first event is disregarded; the empty event keeps the next one from being the first.
        pool.append(_Event(day, [], []) if is_first and not any(event.scores) else event)
        self.pools[player] = pool
        opponents = [opponent for each in pool for opponent in each.opponents]
        return initial_rating(opponents, [score for each in pool for score in each.scores]) if opponents else None

    def forget(self, player: int) -> None:
        self.pools.pop(player, None)


def _months(earlier: int, later: int) -> int:
    first, last = date.fromordinal(earlier), date.fromordinal(later)
    return 12 * (last.year - first.year) + last.month - first.month


def fide_group_rater(settings: FideSettings) -> GroupRater:
    """A rater of events; who is missing in the states is unrated. It remembers newcomers' results from event to event
    (`Memory.HISTORY`), so events must come in order of time."""
    return partial(_rate_event, settings=settings, newcomers=_Newcomers())


def _rate_event(group: Group, settings: FideSettings, newcomers: _Newcomers) -> GroupRating:
    sides = [[Contribution(), Contribution()] for _ in group.games]
    moves: dict[int, Move] = {}
    for player, meetings in _meetings(group).items():
        state = group.states.get(player)
        if state is None:
            move = _enter(newcomers.add(player, group.day, meetings), settings.floor_on(group.day))
        else:
            newcomers.forget(player)
            move = _rate_player(state, meetings, group.day, settings, sides)
        if move is not None:
            moves[player] = move
    return GroupRating([(white, black) for white, black in sides], moves)


def _meetings(group: Group) -> Mapping[int, list[_Meeting]]:
    """Everybody's games against rated opponents; a game against an unrated one rates nobody."""
    found: dict[int, list[_Meeting]] = {}
    ratings = {player: nearest(state.rating) for player, state in group.states.items()}
    for game, played in enumerate(group.games):
        seats = ((0, played.white, played.black, played.score), (1, played.black, played.white, 1.0 - played.score))
        for side, player, opponent, score in seats:
            if opponent in ratings:
                found.setdefault(player, []).append(_Meeting(game, side, ratings[opponent], score))
    return found


def _enter(initial: InitialRating | None, floor: float) -> Move | None:
    if initial is None or not initial.is_publishable(floor):
        return None
    return Move(enters_at=float(initial.rating), games=initial.games)


def _rate_player(
    state: PlayerState,
    meetings: Sequence[_Meeting],
    day: int,
    settings: FideSettings,
    sides: list[list[Contribution]],
) -> Move | None:
    """Write a rated player's contributions into `sides` and return his move; None where no game of his is rated."""
    own = nearest(state.rating)
    result = event_change(
        own,
        [meeting.opponent for meeting in meetings],
        [meeting.score for meeting in meetings],
        _k(state, day, settings),
        day,
        rapid=settings.rapid,
    )
    for meeting, percent in zip(meetings, result.percents, strict=True):
        if percent is not None:
            change = result.k * (int(100 * meeting.score) - percent) / 100
            sides[meeting.game][meeting.side] = Contribution(state.rating, percent / 100, result.k, change)
    if not any(percent is not None for percent in result.percents):
        return None
    return Move(change=float(result.change), leaves=own + result.change < settings.floor_on(day))


def _k(state: PlayerState, day: int, settings: FideSettings) -> float:
    if state.fixed_k is not None:
        return state.fixed_k
    return settings.k_of(state.rating, state.games, state.peak, state.age_on(date.fromordinal(day).year))
