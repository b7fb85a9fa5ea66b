"""About the ratings: the club's lists, their rules and the probation in words."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from ratings.models import RatingList
from ratings.services.lists import rules_of
from ratings.systems.elo import EloSettings, k_rule_of
from ratings.tables import KTable


def about(request: HttpRequest) -> HttpResponse:
    """One section per public list: the system, its settings in force, the K rule's steps."""
    lists = RatingList.objects.filter(public=True).prefetch_related("rules")
    return render(request, "ratings/about.html", {"sections": [_section(row) for row in lists]})


def _section(row: RatingList) -> dict[str, object]:
    rule = rules_of(row).on(timezone.localdate())
    system, settings = rule.system, rule.settings
    return {
        "list": row,
        "system": system,
        "settings": settings,
        "steps": KTable(k_rule_of(settings).steps) if isinstance(settings, EloSettings) else None,
    }
