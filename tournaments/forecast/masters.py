"""The masters' final: eight masters of xiangqi, what they scored against each other, and how likely one is to go on.
Any other field of 2, 4, 8 or 16 can be forecast in the same way, with a K of its own.

Source: the xiangqi paper (S3): ratings before the event, and won, drawn and lost games of five players' tables as
corrected (25 games of Wang Yang and Zhao printed for 32). The tables of Sun, Zheng and Hong are lost; what they scored
against the five is read off the five's tables, what they scored against each other is not known.

A knockout needs somebody who goes on, and three in five of these games were drawn; the paper's own rule is lost with
its last pages, so the rule is a setting. Chances are those before the event and stay as they are: a rating that rises
in a simulation must not make its owner stronger.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ratings.systems.fide_tables import xiangqi_expected
from ratings.systems.k_factors import K_RULES

PRIOR_GAMES = 10  # how many games the expected score by rating counts for under `shrunk`
LOCKED_FROM = 2400  # who has reached it keeps his K for good
K_STEP, MOST_K = 10, 40  # of a K of one's own: with whole tens, ratings stay whole tenths
_NO_AGE = 999  # the K rule does not ask for it


class Record(NamedTuple):
    """Games won, drawn and lost against one opponent."""

    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def score_rate(self) -> float:
        """Points a game, 0 … 1. Raises ZeroDivisionError where they have not met."""
        return (self.won + self.drawn / 2) / self.games

    @property
    def mirrored(self) -> "Record":
        """The same games from the opponent's side."""
        return Record(self.lost, self.drawn, self.won)


Meetings = Mapping[tuple[int, int], Record]


@dataclass(frozen=True, slots=True)
class MastersField:
    """Who plays, by rating before the event, highest first, and what the earlier games were: `met` by places (from 0)
    in the order of `names`, each pair once from either side. Ratings are in whole points. `own_k`: everybody's K; None:
    that of the xiangqi rule."""

    names: tuple[str, ...]
    ratings: tuple[int, ...]
    met: Meetings
    own_k: int | None = None

    def __post_init__(self) -> None:
        """Raises ValueError for a field that is no power of two, not in order, or whose K could change."""
        players = len(self.names)
        if players < 2 or players & (players - 1) or len(self.ratings) != players:
            raise ValueError("A station takes 2, 4, 8, 16 … players, each with a rating.")
        if list(self.ratings) != sorted(self.ratings, reverse=True):
            raise ValueError("The players stand in order of rating, the highest first.")
        if self.own_k is not None and (self.own_k % K_STEP or not K_STEP <= self.own_k <= MOST_K):
            raise ValueError(f"K is {K_STEP}, {2 * K_STEP} … or {MOST_K}.")
        if self.own_k is None and self.ratings[-1] < LOCKED_FROM:
            raise ValueError(f"Everybody must have reached {LOCKED_FROM}, so that K stays the same all through.")

    @property
    def k(self) -> float:
        """Everybody's K, by the xiangqi rule where there is no other."""
        if self.own_k is not None:
            return float(self.own_k)
        lowest = self.ratings[-1]
        return K_RULES["xiangqi"].step(lowest, 0, lowest, _NO_AGE).k

    def record(self, one: int, other: int) -> Record | None:
        """What one scored against the other; None where no game of theirs is known."""
        known = self.met.get((one, other))
        if known is None and (other, one) in self.met:
            known = self.met[other, one].mirrored
        return known if known is not None and known.games else None

    def expected(self, one: int, other: int) -> float:
        """Expected score of one game by the ratings before the event, 0 … 1."""
        return xiangqi_expected(self.ratings[one], self.ratings[other])

    @property
    def drawn_share(self) -> float:
        """Of all known games, how many were drawn, 0 … 1; 0 where there is none."""
        pairs = [(one, other) for other in range(len(self.names)) for one in range(other)]
        known = [record for pair in pairs if (record := self.record(*pair)) is not None]
        return sum(record.drawn for record in known) / max(1, sum(record.games for record in known))


# --- the paper's tables -------------------------------------------------------------------------------------------
NAMES = (
    "Wang Tianyi",
    "Xu Yinchuan",
    "Zhao Xinxin",
    "Wang Yang",
    "Xie Jing",
    "Sun Yongzheng",
    "Zheng Weitong",
    "Hong Zhi",
)
RATINGS = (2665, 2663, 2634, 2630, 2618, 2597, 2589, 2588)
# The five tables that are left: won-drawn-lost against the others, in order of rating.
TABLES = (
    ("0-10-5", "3-11-2", "8-5-3", "5-12-1", "10-11-2", "5-9-3", "7-15-3"),
    ("5-10-0", "7-25-4", "8-18-2", "4-11-0", "6-20-3", "3-7-0", "18-28-9"),
    ("2-11-3", "4-25-7", "5-21-6", "6-14-2", "3-17-6", "4-3-1", "8-20-8"),
    ("3-5-8", "2-18-8", "6-21-5", "5-15-5", "4-16-2", "2-5-2", "6-11-4"),
    ("1-12-5", "0-11-4", "2-14-6", "5-15-5", "3-6-5", "0-5-0", "3-13-2"),
)


MASTERS = MastersField(
    NAMES,
    RATINGS,
    {
        (one, other): Record(*map(int, text.split("-")))
        for one, row in enumerate(TABLES)
        for other, text in zip((other for other in range(len(NAMES)) if other != one), row, strict=True)
    },
)


# --- who goes on --------------------------------------------------------------------------------------------------
class Rule(StrEnum):
    """How a match is decided, from the games the two played before. `score-rate`: who goes on scores 1, as likely as
    his points a game. `decisive`: drawn games are left out. `draws`: drawn as often as before, rated ½, then a fair
    coin. `rating`: the expected score alone. `shrunk`: the points a game drawn towards the expected score, which counts
    for ten games. Where nothing is known to go by, the expected score decides."""

    SCORE_RATE = "score-rate"
    DECISIVE = "decisive"
    DRAWS = "draws"
    RATING = "rating"
    SHRUNK = "shrunk"


class Chances(NamedTuple):
    """Of one match, from one player's side: how likely it is won, drawn (a fair coin then sends one on), lost."""

    won: float
    drawn: float
    lost: float

    @property
    def going_on(self) -> float:
        """Probability that this player goes on."""
        return self.won + self.drawn / 2

    @property
    def mirrored(self) -> "Chances":
        """The same match from the opponent's side."""
        return Chances(self.lost, self.drawn, self.won)


def chances(field: MastersField, rule: Rule, one: int, other: int) -> Chances:
    """One player's chances against another. They add up: the lower rated has what the higher rated leaves."""
    if one > other:
        return chances(field, rule, other, one).mirrored
    record, expected = field.record(one, other), field.expected(one, other)
    if rule is Rule.DRAWS:
        return _with_draws(record, expected, field.drawn_share)
    return _decided(_without_draws(rule, record, expected))


def by_rating(field: MastersField, one: int, other: int, *, draws: bool) -> Chances:
    """Chances by the ratings before the event alone; with `draws`, drawn as often as all known games together."""
    if one > other:
        return by_rating(field, other, one, draws=draws).mirrored
    expected = field.expected(one, other)
    return _with_draws(None, expected, field.drawn_share) if draws else _decided(expected)


def _decided(going_on: float) -> Chances:
    return Chances(going_on, 0.0, 1.0 - going_on)


def _without_draws(rule: Rule, record: Record | None, expected: float) -> float:
    if rule is Rule.RATING or record is None:
        return expected
    if rule is Rule.DECISIVE:
        decided = record.won + record.lost
        return record.won / decided if decided else expected
    if rule is Rule.SHRUNK:
        return (record.won + record.drawn / 2 + PRIOR_GAMES * expected) / (record.games + PRIOR_GAMES)
    return record.score_rate


def _with_draws(record: Record | None, expected: float, drawn_share: float) -> Chances:
    """Of strangers, no more draws than the expected score of the higher rated leaves room for."""
    if record is not None:
        return Chances(*(count / record.games for count in record))
    drawn = min(drawn_share, 2 * (1 - expected))
    return Chances(expected - drawn / 2, drawn, 1 - expected - drawn / 2)
