"""A proposal as its page shows it: the rule in words, who moves, the drift, what a game is worth, how it predicts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _

from clubrating.site.research.backtested import Tried, tried_in
from clubrating.site.research.services import PROPOSED, rule_of
from clubrating.web.formatting import written
from players.models import Job, Player
from ratings.about.views import words_of
from ratings.lab_pages.charts import Drawing, course_drawing
from ratings.lists.forms import ways
from ratings.lists.services import rules_of
from ratings.models import RatingList
from ratings.systems import SYSTEMS
from ratings.systems.k_factors import CONSTANT
from ratings.systems.replay import DatedRule, DatedRules


@dataclass(frozen=True, slots=True)
class MoverRow:
    """Somebody who would stand otherwise: rating and place now and then (place None: not ranked)."""

    player: Player
    now: Mapping[str, Any]
    then: Mapping[str, Any]

    @property
    def change(self) -> float:
        return float(self.then["rating"] - self.now["rating"])


@dataclass(frozen=True)
class Proposal:
    """A job that works a proposal out or has done so, and its list."""

    job: Job
    rating_list: RatingList

    @property
    def since(self) -> date:
        return date.fromisoformat(self.job.payload["from"])

    @cached_property
    def rule(self) -> DatedRule:
        """Raises KeyError or ValueError where the system is no more, or knows such settings no more."""
        return rule_of(self.job.payload)

    @property
    def name(self) -> str:
        """The proposed rule in a few words: "Elo, K 20"."""
        return rule_name(self.job.payload["system"], self.job.payload["settings"])

    @property
    def words(self) -> list[str]:
        """The proposed rule, sentence by sentence."""
        return words_of(self.rule)

    @cached_property
    def rules(self) -> DatedRules:
        prefetch_related_objects([self.rating_list], "rules")
        return rules_of(self.rating_list)

    @property
    def present(self) -> DatedRule:
        """The rule that holds on that day now."""
        return self.rules.on(self.since)

    @property
    def present_name(self) -> str:
        """The rule that holds on that day now, in a few words."""
        kept = {row.valid_from: row.settings for row in self.rating_list.rules.all()}
        return rule_name(self.present.system.key, kept[self.present.valid_from])

    @property
    def present_words(self) -> list[str]:
        return words_of(self.present)

    @property
    def until(self) -> date | None:
        """When the list's next rule begins, which ends it."""
        return next((each.valid_from for each in self.rules.all if each.valid_from > self.since), None)


# The preset of a system whose settings name none.
FIRST = {system.key: system.presets[0] for system in SYSTEMS if system.presets}


def rule_name(key: str, settings: Mapping[str, Any]) -> str:
    """System, preset and K in a few words, and whatever else was set as it was written."""
    rest = dict(settings)
    preset = rest.pop("preset", None)
    k = rest.pop("k", None)
    if k is not None:  # a K means that the K rule is the constant one
        rest.pop("k_rule", None)
    names = {(system.key, given.get("preset")): words for words, system, given in ways().values()}
    name = names.get((key, preset or FIRST.get(key)), key)
    if k is not None:
        own = names.get((key, preset), name) if preset not in (None, CONSTANT, "club") else _("Elo")
        name = _("%(system)s, K %(k)s") % {"system": own, "k": written(f"{k:g}")}
    return "; ".join([name, *(f"{each} = {value}" for each, value in rest.items())])


@dataclass(frozen=True)
class Found:
    """What was worked out (`answer_proposal`)."""

    values: Mapping[str, Any]

    @cached_property
    def movers(self) -> list[MoverRow]:
        """The biggest first; whoever is no more is left out. One query."""
        rows = self.values["movers"]
        people = Player.objects.in_bulk([row[0] for row in rows])
        return [MoverRow(people[key], now, then) for key, now, then in rows if key in people]

    @cached_property
    def drift(self) -> Drawing | None:
        """The mean rating of the active under both; None where there is nothing to draw."""
        means = {key: {int(games): mean for games, mean in rows} for key, rows in self.values["means"].items()}
        return course_drawing({_("Now"): means["now"], _("Then"): means["then"]})

    @property
    def predicts(self) -> Tried | None:
        """The proposed rule beside the present ones; None with too few games."""
        found = self.values["prediction"]
        return tried_in(found, PROPOSED) if found else None
