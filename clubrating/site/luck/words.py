"""A player's season in words: what each part of the change is called and means, and what may be said of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.ground.bars import Step, Waterfall, waterfall
from clubrating.ground.figures import percents, round_half_away
from clubrating.site.luck.selectors import SeasonLuck
from players.refusals import said
from ratings.lab.luck import PARTS, in_whole, shown_change
from ratings.lab.scenario_games import SCENARIOS

NAMES: Mapping[str, tuple[Promise, Promise]] = {
    "strength": (gettext_lazy("Strength"), gettext_lazy("How much stronger or weaker the player became.")),
    "luck": (
        gettext_lazy("Luck"),
        gettext_lazy("Results beyond what both strengths let expect, as far as the rating still has them."),
    ),
    "opponents": (gettext_lazy("Opponents"), gettext_lazy("Opponents who were stronger or weaker than their ratings.")),
    "following": (
        gettext_lazy("Catching up"),
        gettext_lazy("A rating follows strength as fast as K lets it: what it caught up with, less what it lacks."),
    ),
    "rule": (
        gettext_lazy("The rule itself"),
        gettext_lazy("Everything else: floors, rounding, bonuses, new starting ratings."),
    ),
}
# From that probability on: what is said of having become stronger.
GRADES: Sequence[tuple[float, Promise]] = (
    (0.95, gettext_lazy("Stronger than at the start? Almost certainly: %(percent)s %%.")),
    (0.8, gettext_lazy("Stronger than at the start? Probably: %(percent)s %%.")),
    (0.2, gettext_lazy("Stronger than at the start? That cannot be told: %(percent)s %%.")),
    (0.05, gettext_lazy("Stronger than at the start? Probably not: %(percent)s %%.")),
    (0.0, gettext_lazy("Stronger than at the start? Almost certainly not: %(percent)s %%.")),
)


@dataclass(frozen=True, slots=True)
class Part:
    """A part as it is shown: whole points, and between what it lies in 95 of 100 cases."""

    key: str
    name: Promise
    meaning: Promise
    points: int
    low: int
    high: int
    step: Step


@dataclass(frozen=True, slots=True)
class Shown:
    """A season's change as it is shown; the parts add up to it."""

    change: int
    parts: Sequence[Part]
    drawing: Waterfall


def shown(season: SeasonLuck) -> Shown:
    """The season's parts in whole points."""
    change = shown_change(season.start, season.end)
    points = in_whole([season.parts[name].mean for name in PARTS], change)
    drawing = waterfall(points)
    parts = []
    for name, whole, step in zip(PARTS, points, drawing.steps, strict=True):
        low, high = map(round_half_away, season.parts[name].interval)
        parts.append(Part(name, *NAMES[name], whole, low, high, step))
    return Shown(change, parts, drawing)


def improving_words(season: SeasonLuck) -> str:
    """Whether the player became stronger, and how likely that is."""
    percent = min(max(percents([season.gain, 1.0 - season.gain])[0], 1), 99)
    words = next(words for least, words in GRADES if season.gain >= least)
    return str(words) % {"percent": percent}


def luck_words(season: SeasonLuck) -> str:
    """What may be said of luck. Points as they are shown are not repeated: the table has them."""
    luck = season.parts["luck"]
    if not luck.is_clear:
        return _("Luck in these results cannot be told from none.")
    return _("Luck helped, clearly.") if luck.mean > 0.0 else _("It was bad luck, clearly.")


def standing_words(season: SeasonLuck) -> str:
    """How the rating stands to the strength at the end."""
    above = season.parts["above"]
    low, high = map(round_half_away, above.interval)
    if not above.is_clear:
        return _("The rating agrees with the strength, as far as games can tell.")
    if above.mean > 0.0:
        words = _("At the end the rating is above the strength, by %(low)s to %(high)s points.")
        return words % {"low": low, "high": high}
    words = _("At the end the rating is below the strength, by %(low)s to %(high)s points.")
    return words % {"low": -high, "high": -low}


# --- the proof -------------------------------------------------------------------------------------------------------
WANDERS = gettext_lazy("Everybody’s strength changes a little every week")
CLUBS_OWN = "fide"  # of the lists tried the one that is rated as a club's is by default


class World(NamedTuple):
    """A world of the lab: of how many seasons, and in how many of 100 the interval held the truth."""

    name: str
    seasons: int
    luck: int
    opponents: int
    above: int


@dataclass(frozen=True, slots=True)
class Proof:
    """How often the intervals held the truth in the lab, `luck` of 100 seasons in all. `holds`: as often as stated."""

    seasons: int
    luck: int
    holds: bool
    worlds: Sequence[World]


def proof_of(document: Mapping[str, Any]) -> Proof:
    """What the document of `run_study luck` says of luck."""
    names = {each.key: said(each.name) for each in SCENARIOS}
    worlds = [
        World(
            names.get(row["world"], str(WANDERS)),
            row["seasons"],
            *(_of_100(row, name) for name in ("luck", "opponents", "above")),
        )
        for row in document["rows"]
        if row["list"] == CLUBS_OWN
    ]
    every = document["all"]
    low, high = document["enough"]
    seasons = sum(world.seasons for world in worlds)
    return Proof(seasons, _of_100(every, "luck"), low <= every["held"]["luck"] <= high, worlds)


def _of_100(row: Mapping[str, Any], name: str) -> int:
    return round_half_away(100.0 * row["held"][name])
