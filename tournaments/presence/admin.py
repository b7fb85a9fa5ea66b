"""Check-in: everybody awaited on a day by name, with two buttons each.

A plain form. It carries what it knew of everybody (`was-7`), and only answers that differ from that are saved, so that
two officers do not undo each other. A search shows some of the list; who is not on the page is not touched. Answers 409
where it is refused (nothing is saved then).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.core.validators import MinValueValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubrating.ground.numbers import whole_number
from clubrating.web.admin import officer
from players.refusals import Refused
from tournaments.events.admin.event_page import page, tournament_to_enter
from tournaments.events.admin.forms import DayInput
from tournaments.models import Tournament
from tournaments.presence.selectors import Awaited, awaited, counts_of
from tournaments.presence.services import check_in as note_seen
from tournaments.results.services.results import EARLIEST_DAY

ANSWERS: dict[str, bool | None] = {"here": True, "away": False, "": None}
_WRITTEN = {answer: code for code, answer in ANSWERS.items()}


class DayForm(forms.Form):
    """Which day, and whom to show of the list."""

    on = forms.DateField(
        label=gettext_lazy("Day"),
        required=False,
        widget=DayInput(),
        validators=[MinValueValidator(EARLIEST_DAY)],
    )
    q = forms.CharField(
        label=gettext_lazy("A few letters of the name"),
        required=False,
        max_length=100,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off", "spellcheck": "false"}),
    )


@dataclass(frozen=True, slots=True)
class Person:
    """One line: whom it is about, what the form is shown with, and what was chosen."""

    awaited: Awaited
    chosen: str

    @property
    def was(self) -> str:
        return _WRITTEN[self.awaited.here]


def check_in(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The list of a day, and what was posted about it."""
    tournament = tournament_to_enter(request, key)
    asked = request.GET.dict() | ({"on": request.POST.get("on", "")} if request.method == "POST" else {})
    form = DayForm({"on": timezone.localdate(), **asked})
    known = form.is_valid()
    on = (form.cleaned_data.get("on") if known else None) or timezone.localdate()
    search = form.cleaned_data.get("q", "") if known else ""
    if request.method != "POST" or not known:
        problem = "" if known else _("Nothing is saved: look at the fields above the list.")
        status = 409 if request.method == "POST" else 200
        return _show(model_admin, request, tournament, form, on, search, problem=problem, status=status)
    try:
        changed = note_seen(tournament, _touched(request.POST.dict()), on=on, by=officer(request))
    except Refused as refusal:
        return _show(model_admin, request, tournament, form, on, search, problem=str(refusal), status=409)
    if changed:
        text = ngettext("%(count)s player is noted.", "%(count)s players are noted.", changed)
        messages.success(request, text % {"count": changed})
    else:
        messages.info(request, _("Nothing was changed, so nothing was saved."))
    return redirect(f"{request.path}?{urlencode({'on': on.isoformat(), 'q': search})}")


def _touched(posted: Mapping[str, str]) -> dict[int, bool | None]:
    """The answers that differ from what the form was shown with. Raises Refused for what is no answer of ours."""
    touched: dict[int, bool | None] = {}
    for name, answer in posted.items():
        prefix, _dash, key = name.partition("-")
        if prefix != "p" or answer == posted.get(f"was-{key}", ""):
            continue
        entry = whole_number(key)
        if answer not in ANSWERS or entry is None:
            raise Refused(_("This form says something that is no answer of ours: open the page again."))
        touched[entry] = ANSWERS[answer]
    return touched


def _show(
    model_admin: ModelAdmin,
    request: HttpRequest,
    tournament: Tournament,
    form: DayForm,
    on: date,
    search: str,
    *,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    typed: Mapping[str, str] = request.POST.dict() if problem and request.method == "POST" else {}
    people = [
        Person(row, typed.get(f"p-{row.entry.pk}", _WRITTEN[row.here]))
        for row in awaited(tournament, on, search=search)
    ]
    context: dict[str, Any] = {
        "title": _("Check-in"),
        "form": form,
        "on": on,
        "search": search,
        "people": people,
        "counts": counts_of(tournament, on),
        "changes": model_admin.has_change_permission(request, tournament),
        "problem": problem,
    }
    return page(model_admin, request, "check_in", tournament, status=status, **context)
