"""A format's own settings, and the stages of an event of several parts: formed, looked at, taken apart."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.web.admin import officer
from clubrating.web.requests import number_sent
from players.refusals import Refused
from tournaments.entries.services.entries import numbered
from tournaments.events.admin.event_page import page, tournament_for
from tournaments.events.admin.forms import LotsForm
from tournaments.events.admin.workflow import plan_warnings
from tournaments.events.selectors.stages import field_of, is_plan, system_of
from tournaments.events.services.events import change_settings
from tournaments.formats.services import (
    change_running_settings,
    dissolve_stages,
    form_stages,
    has_moved,
    requalify,
    still_changeable,
)
from tournaments.models import Stage, Tournament
from tournaments.pairing.base import Option, read_options


class OptionsForm(forms.Form):
    """The options of a pairing system, whichever it is; `fixed` ones stand, but for those of `open_keys`."""

    def __init__(
        self,
        options: Iterable[Option],
        settings: Mapping[str, Any],
        data: Any = None,
        *,
        fixed: bool = False,
        open_keys: Sequence[str] = (),
    ) -> None:
        super().__init__(data)
        chosen = read_options(options := tuple(options), settings)
        for option in options:
            field = _field(option)
            field.initial, field.disabled = chosen[option.key], fixed and option.key not in open_keys
            self.fields[option.key] = field


def _field(option: Option) -> forms.Field:
    values: dict[str, Any] = {"label": _(option.label), "help_text": _(option.help) if option.help else ""}
    if isinstance(option.default, bool):
        return forms.BooleanField(required=False, **values)
    if option.choices:
        choices = [(value, _(words)) for value, words in option.choices]
        empty = any(value == "" for value, _words in option.choices)
        return forms.TypedChoiceField(
            choices=choices, coerce=type(option.default), required=not empty, empty_value="", **values
        )
    if option.reads is not None:
        return forms.CharField(required=False, max_length=200, **values)
    return forms.IntegerField(min_value=option.lowest, max_value=option.highest, **values)


def event_format(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The settings of the event's format, and of an event of several parts its stages."""
    tournament = tournament_for(model_admin, request, key)
    stage = tournament.stages.order_by("order").first()
    system = system_of(stage) if stage else None
    if stage is None or system is None:
        raise Http404
    is_made = _is_made(tournament)
    changeable = still_changeable(stage)
    posted = request.POST if _asks(request, "save") else None
    form = OptionsForm(system.options, stage.settings, posted, fixed=is_made, open_keys=changeable)
    lots = LotsForm(request.POST if _asks(request, "form") else None)
    problem = ""
    if request.method == "POST" and (not form.is_bound or form.is_valid()) and (not lots.is_bound or lots.is_valid()):
        try:
            messages.success(request, _carry_out(request, tournament, stage, form, lots))
        except Refused as refusal:
            problem = str(refusal)
        else:
            return redirect(request.path)
    context: dict[str, Any] = {
        "title": _("Format"),
        "format": _(system.name),
        "form": form,
        "fixed": is_made,
        "changeable": changeable,
        "plan": is_plan(stage),
        # With who plays there, and whether the results would now send others.
        "stages": [
            {"stage": row, "entries": field_of(row), "moved": has_moved(row)}
            for row in tournament.stages.order_by("order")
            if row.pk != stage.pk
        ],
        "lots_form": lots,
        "ready": numbered(list(tournament.entries.values_list("number", flat=True))),
        "seed": stage.lots_seed,
        "drawn": stage.settings.get("by") == "lots",
        "problem": problem,
        "warnings": plan_warnings(tournament, stage),
    }
    return page(model_admin, request, "format", tournament, status=409 if problem else 200, **context)


def _asks(request: HttpRequest, what: str) -> bool:
    return request.method == "POST" and request.POST.get("do", "save") == what


def _is_made(tournament: Tournament) -> bool:
    return tournament.stages.count() > 1 or tournament.stages.filter(rounds__isnull=False).exists()


def _carry_out(request: HttpRequest, tournament: Tournament, stage: Stage, form: OptionsForm, lots: LotsForm) -> str:
    """Do what was asked; the sentence for it. Raises Refused."""
    asked, by = request.POST.get("do", "save"), officer(request)
    if asked == "form":
        count = len(form_stages(stage, by=by, seed=lots.cleaned_data["seed"]))
        return ngettext("%(count)s stage is formed.", "%(count)s stages are formed.", count) % {"count": count}
    if asked == "dissolve":
        dissolve_stages(stage, by=by)
        return _("The stages are taken apart. Entries and numbers stay.")
    if asked == "requalify":
        wanted = tournament.stages.filter(pk=number_sent(request, "stage")).first()
        if wanted is None:
            raise Refused(_("This stage is not there any more."))
        requalify(wanted, by=by)
        return _("The stage has its field anew: draw its bracket.")
    if asked != "save":
        raise Refused(_("This page has no such button: look at the format again."))
    change = change_running_settings if _is_made(tournament) and still_changeable(stage) else change_settings
    change(stage.pk, dict(form.cleaned_data), by=by)
    return _("The settings are saved.")
