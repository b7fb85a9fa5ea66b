"""The plain case of a rating system, so that a system's file holds only what is its own."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ratings.systems.base import GameRater, GroupRater, Memory, Normalisation, Period, PlayerState, StreamRater


class SystemDefaults:
    """Rated game by game; a newcomer stands at `settings.start`; all that is remembered stands in the ledger."""

    key = ""
    name = ""
    presets: tuple[str, ...] = ()
    elo_scale = True

    def stored_settings(self, settings: Any) -> dict[str, Any]:
        """Every field of the settings type, enumerations as their words."""
        values = {field.name: getattr(settings, field.name) for field in fields(settings)}
        return {name: value.value if hasattr(value, "value") else value for name, value in values.items()}

    def newcomer(self, settings: Any, birth_year: int | None, day: int) -> PlayerState | None:
        return PlayerState(settings.start, 0, settings.start, birth_year)

    def period(self, settings: Any) -> Period:
        return Period.GAME

    def memory(self, settings: Any) -> Memory:
        return Memory.LEDGER

    def normalisation(self, settings: Any) -> Normalisation | None:
        return None

    def game_rater(self, settings: Any) -> GameRater:
        raise NotImplementedError(f"{self.name} does not rate game by game.")

    def stream_rater(self, settings: Any) -> StreamRater | None:
        return None

    def group_rater(self, settings: Any) -> GroupRater:
        raise NotImplementedError(f"{self.name} does not rate by periods.")

    def expected(self, settings: Any, own: PlayerState, opponent: PlayerState) -> float | None:
        return None

    def read_settings(self, raw: Mapping[str, Any]) -> Any:
        raise NotImplementedError
