"""Proposals for another rating rule: the form that asks what would change, and the links that adopt the rule.

A proposal is a system with its preset, a K, any further settings, and the day from which it would hold.

Adopting it is filling in the rule form of the administration (`adoptions_of`, `proposed_rule`). Whoever saves that form
makes a dated rule like any other; no published list is rewritten by it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django import forms
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from clubrating.web.forms import ToolForm
from players.refusals import Refused
from ratings.lists.forms import way_choices, ways
from ratings.lists.services import NewRule, check_rule
from ratings.models import RatingList
from ratings.systems.k_factors import CONSTANT
from ratings.systems.replay import DatedRules


# --- the form --------------------------------------------------------------------------------------------------------
class SettingsField(forms.JSONField):
    """What differs from a system's own values; empty: nothing does."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.Textarea(attrs={"rows": 3})
        super().__init__(label=_("Settings"), required=False, initial={}, widget=widget, **kwargs)

    def clean(self, value: Any) -> dict[str, Any]:
        settings = super().clean(value) or {}
        if not isinstance(settings, dict):
            raise forms.ValidationError(_now("Write names and values in braces, or nothing."))
        return settings


class ProposalForm(ToolForm):
    """One proposed rule of one of the lists. `rule_days`: on which days rules of the lists begin, by the list's key."""

    method = "post"
    button = _("Work out what would change")
    more = ("settings",)
    more_words = _("Further settings")

    list = forms.ChoiceField(label=_("Rating list"))
    way = forms.ChoiceField(label=_("System"), choices=way_choices)
    k = forms.FloatField(
        label=_("One K for everybody"), required=False, help_text=_("Only with Elo. Empty: the K of the system.")
    )
    since = forms.DateField(
        label=_("Valid from"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_(
            "As in a rule: games of events that begin on that day or later. A past day shows what it would have done."
        ),
    )  # fmt: skip
    settings = SettingsField(
        help_text=_(
            "What differs from the system’s own values, as in a rule of the administration: names and values in braces."
        ),
    )  # fmt: skip

    def __init__(
        self, *args: Any, lists: Sequence[RatingList], rule_days: Mapping[int, set[date]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.lists, self.rule_days = {row.slug: row for row in lists}, rule_days
        self.fields["list"].choices = [(row.slug, row.shown_name) for row in lists]  # type: ignore[attr-defined]

    @property
    def rating_list(self) -> RatingList:
        """The list the proposal is about, once the form is valid."""
        return self.lists[self.cleaned_data["list"]]

    @property
    def system(self) -> str:
        return ways()[self.cleaned_data["way"]][1].key

    @property
    def rule_settings(self) -> dict[str, Any]:
        """The settings as a rule stores them: the preset, the K, and what is said besides."""
        _words, _system, preset = ways()[self.cleaned_data["way"]]
        k = self.cleaned_data.get("k")
        return {
            **preset,
            **({} if k is None else {"k_rule": CONSTANT, "k": k}),
            **(self.cleaned_data.get("settings") or {}),
        }

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        try:
            check_rule(self.system, self.rule_settings)
        except Refused as refusal:
            self.add_error("k" if cleaned.get("k") is not None else "settings", str(refusal))
        if cleaned["since"] in self.rule_days.get(self.rating_list.pk, set()):
            self.add_error("since", _now("A rule of the list begins on that day already: choose another day."))
        return cleaned


# --- adoption --------------------------------------------------------------------------------------------------------
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
    except (ValueError, TypeError, RecursionError, Refused):
        return None
    return rule
