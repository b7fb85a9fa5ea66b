"""Elo, rated game by game: R' = R + K (S − E), E = 1 / (1 + 10^((R_opponent − R) / 400)).

Sources: A. Elo, "The Rating of Chessplayers", 1978; K by `ratings.systems.k_factors`.
Not done: FIDE's table 8.1.2, the 400-point rule and rating per event; this is the club's running Elo.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import Any

from ratings.systems.base import PlayerState, Side
from ratings.systems.k_factors import K_RULES, k_step


@dataclass(frozen=True, slots=True)
class EloSettings:
    """`start`: rating of a newcomer; `scale`: gap at which the favourite scores 10 of 11; `k_rule`: key of K_RULES."""

    start: float = 1500.0
    scale: float = 400.0
    k_rule: str = "fide"


_DEFAULTS = EloSettings()


def expected_score(own: float, opponent: float, scale: float = 400.0) -> float:
    """Expected score of one game, between 0 and 1. Ratings and scale in rating points."""
    odds: float = 10.0 ** ((opponent - own) / scale)
    return 1.0 / (1.0 + odds)


class Elo:
    key = "elo"
    name = "Elo"

    def read_settings(self, raw: Mapping[str, Any]) -> EloSettings:
        """Settings from stored values. Raises ValueError for an unknown name, a value out of range or a wrong type."""
        known = {field.name for field in fields(EloSettings)}
        unknown = sorted(set(raw) - known)
        if unknown:
            raise ValueError(f"Elo has no setting {unknown[0]!r}; it knows {', '.join(sorted(known))}.")
        settings = EloSettings(
            start=_number(raw, "start", _DEFAULTS.start, low=0, high=4000),
            scale=_number(raw, "scale", _DEFAULTS.scale, low=100, high=2000),
            k_rule=str(raw.get("k_rule", _DEFAULTS.k_rule)),
        )
        if settings.k_rule not in K_RULES:
            raise ValueError(f"k_rule {settings.k_rule!r} is not known; choose one of {', '.join(K_RULES)}.")
        return settings

    def start(self, settings: EloSettings) -> float:
        return settings.start

    def rate(
        self, white: PlayerState, black: PlayerState, score: float, on: date, settings: EloSettings
    ) -> tuple[Side, Side]:
        expected = expected_score(white.rating, black.rating, settings.scale)
        rule = K_RULES[settings.k_rule]
        return (
            _side(white, score, expected, k_step(rule, white, on).k),
            _side(black, 1.0 - score, 1.0 - expected, k_step(rule, black, on).k),
        )


def _side(state: PlayerState, score: float, expected: float, k: float) -> Side:
    change = k * (score - expected)
    return Side(state.rating, state.games, state.peak, expected, k, change, state.rating + change)


def _number(raw: Mapping[str, Any], name: str, default: float, *, low: float, high: float) -> float:
    try:
        if isinstance(raw.get(name), bool):
            raise TypeError
        value = float(raw[name]) if name in raw else default
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} is no number: {raw[name]!r}.") from None
    if not low <= value <= high:
        raise ValueError(f"{name} must lie between {low:g} and {high:g}, not {value:g}.")
    return value
