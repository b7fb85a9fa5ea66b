"""From a proposal to the decision: the rule form of the administration, filled in. Whoever adopts a rule saves that
form; it is a dated rule like any other, and no published list is written anew by it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode

from players.refusals import Refused
from ratings.lists.services import NewRule, check_rule
from ratings.models import RatingList
from ratings.systems.replay import DatedRules


@dataclass(frozen=True, slots=True)
class Adoption:
    """A day the rule could hold from, and the form with it filled in."""

    since: date
    address: str
    is_past: bool


def adoptions_of(rating_list: RatingList, rules: DatedRules, payload: Mapping[str, Any], today: date) -> list[Adoption]:
    """From the day that was tried; and from the first of the next month, which leaves all games until then as they
    are. A day on which a rule begins already is left out. `payload`: of the proposal's job."""
    next_month = (today.replace(day=1) + timedelta(days=32)).replace(day=1)
    taken = {each.valid_from for each in rules.all}
    days = [day for day in sorted({date.fromisoformat(payload["from"]), next_month}) if day not in taken]
    return [Adoption(day, _address(rating_list, payload, day), day <= today) for day in days]


def _address(rating_list: RatingList, payload: Mapping[str, Any], day: date) -> str:
    rule = {
        "valid_from": day.isoformat(),
        "system": payload["system"],
        "settings": json.dumps(payload["settings"]),
    }
    form = reverse("admin:ratings_ratinglist_change", args=[rating_list.pk])
    return f"{form}?{urlencode(rule)}#rules-group"


def proposed_rule(asked: Mapping[str, Any]) -> NewRule | None:
    """The rule an address proposes to the form; None where it proposes none, or one that no system would take."""
    try:
        settings = json.loads(asked.get("settings", ""))
        rule = NewRule(date.fromisoformat(asked.get("valid_from", "")), asked.get("system", ""), settings)
        check_rule(rule.system, dict(settings))
    except (ValueError, TypeError, Refused):
        return None
    return rule
