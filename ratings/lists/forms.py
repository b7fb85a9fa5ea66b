"""Menus of the rating pages."""

from django.utils.translation import gettext as _

from ratings.lists.words import PRESETS
from ratings.systems import SYSTEMS, RatingSystem


def way_choices() -> list[tuple[str, str]]:
    """Every system, with every preset it has, for the calculator's menu: "elo" is the club's own, "elo-fide" …"""
    return [(key, name) for key, (name, _system, _preset) in ways().items()]


def ways() -> dict[str, tuple[str, RatingSystem, dict[str, str]]]:
    """Key in the address → words, system and what of its settings is given. A system's first preset is its own way."""
    found: dict[str, tuple[str, RatingSystem, dict[str, str]]] = {}
    for system in SYSTEMS:
        if not system.presets:
            found[system.key] = (_(system.name), system, {})
        for place, preset in enumerate(system.presets):
            words = str(PRESETS.get((system.key, preset), f"{_(system.name)}, {preset}"))
            found[f"{system.key}-{preset}" if place else system.key] = (words, system, {"preset": preset})
    return found


def system_choices() -> list[tuple[str, str]]:
    """Every rating system, for a menu."""
    return [(system.key, _(system.name)) for system in SYSTEMS]
