"""About the ratings: the club's lists, their rules and the probation in words, and the systems there are."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from clubrating.ground.marks import joined
from ratings.about.compared import KTable, SystemsTable, compared
from ratings.explain import explainer
from ratings.explain.elo import steps_of
from ratings.explain.tables import RuleTable
from ratings.lists.selectors.published import published_days
from ratings.lists.services import BEGINNING, rules_of
from ratings.lists.words import handicap_words_of, sides_words
from ratings.models import RatingList
from ratings.systems.elo import EloSettings
from ratings.systems.replay import DatedRule


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A dated rule as a line of its table; `since` is None for the one that holds from the beginning."""

    since: date | None
    rule: DatedRule
    in_force: bool

    @property
    def words(self) -> list[str]:
        return words_of(self.rule)


def about(request: HttpRequest) -> HttpResponse:
    """One section per public list: the system, its settings in force, the K rule's steps, rules of other times; then
    every system beside the others, and how a published list is checked."""
    lists = list(RatingList.objects.filter(public=True).prefetch_related("rules", "tiers"))
    sections = [_section(row) for row in lists]
    used = {section["system"].key for section in sections}
    days = published_days(lists)
    context = {
        "sections": sections,
        "systems": SystemsTable(compared(used, timezone.localdate())),
        "published": [(row, days[row.pk][0]) for row in lists if row.pk in days],
    }
    return render(request, "ratings/about.html", context)


def words_of(rule: DatedRule) -> list[str]:
    """What the rule says, one sentence each."""
    stored = rule.system.stored_settings(rule.settings)
    own = explainer(rule.system.key).settings_in_words(rule.settings, stored)
    return [*own, sides_words(rule.system, rule.settings), handicap_words_of(rule.system)]


def _section(row: RatingList) -> dict[str, Any]:
    rules = rules_of(row)
    rule = rules.on(timezone.localdate())
    settings = rule.settings
    newcomer = rule.system.newcomer(settings, None, timezone.localdate().toordinal())
    steps = steps_of(settings) if isinstance(settings, EloSettings) else []
    dated = [RuleLine(each.valid_from if at else None, each, each is rule) for at, each in enumerate(rules.all)]
    return {
        "list": row,
        "system": rule.system,
        "settings": settings,
        "start": newcomer.rating if newcomer else None,
        "since": rule.valid_from if rule.valid_from > BEGINNING else None,
        "words": joined(*words_of(rule)),
        "steps": KTable(steps) if steps else None,
        "rules": RuleTable(dated) if len(dated) > 1 else None,
    }
