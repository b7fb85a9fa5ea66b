"""The clock of a round at the desk: set, paused, let go on, extended, taken away. Every button is a form."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from crispy_forms.helper import FormHelper
from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.admin import officer
from clubrating.web.requests import number_sent
from players.refusals import Refused, Stale
from tournaments.events.admin.event_page import page
from tournaments.events.selectors.clock import clock_of
from tournaments.models import Round
from tournaments.rounds.admin.rounds import round_for
from tournaments.rounds.services import clock as service


class ClockForm(forms.Form):
    """When the round starts, and how long it lasts."""

    starts = forms.TimeField(
        label=gettext_lazy("Starts at"),
        required=False,
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
        help_text=gettext_lazy("Today; left empty: now."),
    )
    minutes = forms.IntegerField(
        label=gettext_lazy("Length in minutes"), min_value=1, max_value=service.LONGEST, localize=False
    )
    note = forms.CharField(
        label=gettext_lazy("Time control"),
        required=False,
        max_length=60,
        help_text=gettext_lazy("In figures, as information: e.g. 90 + 30 s × 40."),
    )

    @property
    def helper(self) -> FormHelper:
        found = FormHelper()
        found.form_tag = False
        return found

    @property
    def starts_at(self) -> datetime | None:
        """That time of today in the club's zone."""
        at = self.cleaned_data["starts"]
        return at and timezone.make_aware(datetime.combine(timezone.localdate(), at))


def clock(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The clock as it stands, and what can be done with it. 409 where something else was done meanwhile."""
    row, tournament = round_for(model_admin, request, key)
    form, problem, status = ClockForm(initial=_initial(row)), "", 200
    if request.method == "POST":
        do, done = request.POST.get("do", ""), False
        if do == "set":
            form = ClockForm(request.POST)
            status = 200 if form.is_valid() else 400
        try:
            if status == 200:
                _carry_out(do, row, form, request)
                done = True
        except Refused as refusal:
            problem, status = str(refusal), 409 if isinstance(refusal, Stale) else 400
        if done:
            messages.success(request, _("The clock of round %(number)s is changed.") % {"number": row.number})
            return redirect(request.path)
        row.refresh_from_db()
    context: dict[str, Any] = {
        "title": _("Clock of round %(number)s") % {"number": row.number},
        "round": row,
        "clock": clock_of(row),
        "form": form,
        "problem": problem,
    }
    return page(model_admin, request, "clock", tournament, status=status, **context)


def _initial(row: Round) -> dict[str, Any]:
    now = clock_of(row)
    if now is None:
        return {"starts": row.planned_at}
    return {"starts": timezone.localtime(now.starts_at).time(), "minutes": now.minutes, "note": now.note}


def _carry_out(do: str, row: Round, form: ClockForm, request: HttpRequest) -> None:
    """Raises Refused."""
    revision = number_sent(request, "revision")
    same: dict[str, Any] = {"by": officer(request), "revision": revision}
    if do == "set":
        values = {"minutes": form.cleaned_data["minutes"], "note": form.cleaned_data["note"]}
        service.set_clock(row.pk, starts_at=form.starts_at, **values, **same)
        return
    ways: dict[str, Callable[..., Round]] = {
        "pause": service.pause_clock,
        "resume": service.resume_clock,
        "remove": service.remove_clock,
        **{f"{more:+}": partial(service.extend_clock, minutes=more) for more in (-5, 5, 10, 15)},
    }
    if do not in ways:
        raise Refused(_("There is no such button: choose one of the page."))
    ways[do](row.pk, **same)
