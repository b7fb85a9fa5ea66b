"""The rating system of one `manage.py rate` and its settings, from the command's arguments."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from ratings.systems import SYSTEMS, RatingSystem
from tournaments.management.file_command import bad_input

KNOWN: dict[str, RatingSystem] = {system.key: system for system in SYSTEMS}
DEFAULT_PRESETS = {"elo": "fide-simple"}


@dataclass(frozen=True, slots=True)
class Rule:
    """The system in force with its settings; `given`: those that were given one by one."""

    system: RatingSystem
    settings: Any
    given: frozenset[str] = frozenset()

    @property
    def preset(self) -> str | None:
        preset: str | None = getattr(self.settings, "preset", None)
        return preset

    @property
    def values(self) -> dict[str, Any]:
        """All settings in force as plain values; the preset stands beside them."""
        names = [field.name for field in fields(self.settings) if field.name != "preset"]
        values = {name: getattr(self.settings, name) for name in names}
        return {name: getattr(value, "value", value) for name, value in values.items()}

    @property
    def description(self) -> str:
        """The system, and the settings that are not its defaults."""
        stored = self.system.stored_settings(self.settings)
        differing = ", ".join(f"{name} {value}" for name, value in stored.items() if name != "preset")
        preset = f", preset {self.preset}" if self.preset else ""
        return f"{self.system.name}{preset}{f' ({differing})' if differing else ''}"


def read_rule(key: str, preset: str | None, given: Sequence[str]) -> Rule:
    """The system and its settings. Raises CommandError naming what there is."""
    try:
        system = KNOWN[key]
    except KeyError:
        known = ", ".join(KNOWN)
        raise bad_input(f"There is no rating system “{key}”; there are: {known}.") from None
    raw = _settings(given)
    if preset is not None and preset not in system.presets:
        known = f"it knows {', '.join(system.presets)}" if system.presets else "it has none"
        raise bad_input(f"{system.name} has no preset “{preset}”; {known}.")
    if preset is not None and raw.get("preset", preset) != preset:
        raise bad_input(f"Two presets are given, {preset} and {raw['preset']}: keep one of them.")
    chosen = preset or DEFAULT_PRESETS.get(system.key)
    try:
        settings = system.read_settings(raw if chosen is None else {"preset": chosen, **raw})
    except ValueError as reason:
        raise bad_input(str(reason)) from None
    return Rule(system, settings, frozenset(raw))


def _settings(given: Sequence[str]) -> dict[str, str]:
    settings: dict[str, str] = {}
    for pair in given:
        name, sign, value = pair.partition("=")
        if not sign or not name.strip():
            raise bad_input(f"--set {pair} is no setting: write --set name=value.")
        if name.strip() in settings:
            raise bad_input(f"--set {name.strip()} is given twice: keep one of them.")
        settings[name.strip()] = value.strip()
    return settings
