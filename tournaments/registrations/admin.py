"""Requests for entries at the desk: what waits, the waiting list, who is in and has paid; and the rules of an event."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.ground.numbers import number_in
from clubrating.web.admin import officer
from clubrating.web.requests import number_sent
from players.people.selectors import with_names
from players.refusals import Refused, Stale
from tournaments.downloads.views import as_file
from tournaments.entries.services.entries import match_names
from tournaments.events.admin.event_page import check_may, page, tournament_for
from tournaments.interchange.sheets import as_csv
from tournaments.models import EntryRequest, EntryRules, Tournament
from tournaments.registrations.selectors import offer_of, requests_of, requests_sheet, rules_of
from tournaments.registrations.services.desk import (
    approve,
    approve_all,
    create_from,
    link_player,
    mark_paid,
    refuse,
)
from tournaments.registrations.services.rules import NewRules, drop_entry_rules, set_entry_rules, why_never

_LOCAL = "%Y-%m-%dT%H:%M"


# --- the rules ----------------------------------------------------------------------------------------------------
class RulesForm(forms.ModelForm):
    """How the event takes entries. Moments are those of the club's clocks."""

    class Meta:
        model = EntryRules
        fields = ("opens_at", "closes_at", "places", "approval", "born_from", "born_until", "byes", "fee", "words")
        widgets = {
            **dict.fromkeys(
                ("opens_at", "closes_at"), forms.DateTimeInput(attrs={"type": "datetime-local"}, format=_LOCAL)
            ),
            "words": forms.Textarea(attrs={"rows": 4}),
        }

    def clean_opens_at(self) -> datetime | None:
        return self._near("opens_at")

    def clean_closes_at(self) -> datetime | None:
        return self._near("closes_at")

    def _near(self, name: str) -> datetime | None:
        """Of the first and the last year of the calendar no database knows the moment in another zone."""
        at: datetime | None = self.cleaned_data[name]
        if at is not None and not 2000 <= at.year <= 2100:
            raise forms.ValidationError(self.fields[name].error_messages["invalid"])
        return at

    def _post_clean(self) -> None:
        """The service checks the whole; a field's own checks are the form's."""


def entry_rules(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The form; 409 where it is refused, with everything typed still in it. Of an event that cannot take entries any
    more only why, and the way to end them; 404 for one that never took any."""
    tournament = tournament_for(model_admin, request, key)
    rules, never = rules_of(tournament), why_never(tournament)
    if never and rules is None:
        raise Http404
    form = RulesForm(request.POST if request.method == "POST" else None, instance=rules or EntryRules())
    problem, revision = "", rules.revision if rules else 0
    if request.method == "POST" and ("drop" in request.POST or form.is_valid()):
        try:
            seen = number_sent(request, "revision")
            if "drop" in request.POST:
                drop_entry_rules(tournament, by=officer(request), revision=seen)
                messages.success(request, _("The event takes no entries on its page any more."))
                return redirect("admin:tournaments_tournament_entries", tournament.pk)
            set_entry_rules(tournament, NewRules(**form.cleaned_data), by=officer(request), revision=seen)
            messages.success(request, _("Saved. The event’s page says how to enter."))
            return redirect("admin:tournaments_tournament_requests", tournament.pk)
        except Stale as refusal:
            problem = str(refusal)
        except Refused as refusal:
            problem, revision = str(refusal), seen
    context = {"form": form, "rules": rules, "revision": revision, "problem": problem, "never": never}
    status = 409 if problem else 400 if form.errors else 200
    title = _("Entries by the players")
    return page(model_admin, request, "entry_rules", tournament, title=title, status=status, **context)


# --- the requests -------------------------------------------------------------------------------------------------
def requests(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The lists and their buttons. What cannot be done leaves everything as typed (409). 404 without rules."""
    tournament, rules = _rules_for(model_admin, request, key)
    problems: tuple[str, ...] = ()
    if request.method == "POST":
        try:
            done, problems = _carry_out(request, tournament)
            if done:
                messages.success(request, done)
        except Refused as refusal:
            problems = (str(refusal),)
        if not problems:
            return redirect(request.path)
    context: dict[str, Any] = {
        "title": _("Requests for entries"),
        "offer": offer_of(rules),
        "rules": rules,
        "requests": requests_of(rules),
        "problems": [with_names(problem) for problem in problems],
        "typed": _typed(request) if problems else {},
    }
    return page(model_admin, request, "requests", tournament, status=409 if problems else 200, **context)


def _typed(request: HttpRequest) -> dict[str, Any]:
    """What was typed for one request, so that it stays beside the refusal."""
    key = number_in(request.POST.get("link_to") or request.POST.get("refuse") or "")
    return {"key": key, "who": _text(request, f"who-{key}"), "answer": _text(request, f"answer-{key}")}


def requests_file(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The confirmed requests as a CSV file, with addresses: for those who run the event."""
    tournament, rules = _rules_for(model_admin, request, key)
    return as_file(as_csv(requests_sheet(rules)), f"{tournament.slug}-requests", "csv")


def _rules_for(model_admin: ModelAdmin, request: HttpRequest, key: int) -> tuple[Tournament, EntryRules]:
    tournament = tournament_for(model_admin, request, key)
    rules = rules_of(tournament)
    if rules is None:
        raise Http404
    return tournament, rules


def _carry_out(request: HttpRequest, tournament: Tournament) -> tuple[str, tuple[str, ...]]:
    """Do what was asked; the sentence for it, and problems. Raises Refused."""
    if "approve-all" in request.POST:
        count, problems = approve_all(tournament, by=officer(request))
        text = ngettext("%(count)s player is entered.", "%(count)s players are entered.", count) % {"count": count}
        return (text if count or not problems else ""), tuple(problems)
    for name, do in _BUTTONS.items():
        if name in request.POST:
            return do(request, _key(request.POST[name], tournament)), ()
    raise Refused(_("Nothing was asked for: use one of the buttons."))


def _key(text: str, tournament: Tournament) -> int:
    """The key of a request of that event. Raises Refused."""
    key = number_in(text.partition("-")[0])
    if not EntryRequest.objects.filter(tournament=tournament, pk=key).exists():
        raise Refused(_("This request is not there any more."))
    return key


def _approve(request: HttpRequest, key: int) -> str:
    approve(key, by=officer(request))
    return _("The player is entered.")


def _refuse(request: HttpRequest, key: int) -> str:
    refuse(key, by=officer(request), answer=_text(request, f"answer-{key}"))
    return _("The request is refused.")


def _link(request: HttpRequest, key: int) -> str:
    """By the name or number typed; by a button for somebody the newcomer may be."""
    same = request.POST.get("same", "").partition("-")[2]
    named = match_names([f"#{same}" if same else _text(request, f"who-{key}")])
    if named.problems or not named.players:
        raise Refused(named.problems[0] if named.problems else _("Write who it is: a name, or a number like #17."))
    link_player(key, named.players[0], by=officer(request))
    return _("The newcomer is linked to a player. Now approve the request.")


def _create(request: HttpRequest, key: int) -> str:
    check_may(request, "players.add_player")
    create_from(key, by=officer(request))
    return _("The newcomer is added to the players. Now approve the request.")


def _paid(request: HttpRequest, key: int) -> str:
    mark_paid(key, paid="paid" in request.POST, by=officer(request))
    return _("Noted.")


def _text(request: HttpRequest, name: str) -> str:
    return request.POST.get(name, "").replace("\x00", "")[:300]


_BUTTONS: dict[str, Callable[[HttpRequest, int], str]] = {
    "approve": _approve,
    "refuse": _refuse,
    "same": _link,
    "link_to": _link,
    "create": _create,
    "paid": _paid,
    "unpaid": _paid,
}
