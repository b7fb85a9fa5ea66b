"""The papers of an event at the desk: what a rating officer would refuse, the facts to type, and the files.

Officers of the event only. Nothing is printed or handed out by itself: whatever is missing is said beside the link, and
stays a line to be filled in by hand.
"""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubrating.ground.pdf import unwritable
from clubrating.web.admin import officer
from clubrating.web.requests import number_sent
from players.models import Player
from players.people.selectors import current_club
from players.privacy.rules import OFFICER, shown_name
from players.refusals import Refused, Stale, said
from tournaments.downloads.views import as_file
from tournaments.events.admin.event_page import page, tournament_for
from tournaments.interchange.fide_list import write_fide_text
from tournaments.interchange.report_checks import Finding, Weight, Where
from tournaments.models import EventPapers, Tournament
from tournaments.papers.selectors import (
    Certified,
    entries_with_federation,
    honours_of,
    list_rows,
    people_by_number,
    proposed_papers,
    summary_of,
)
from tournaments.papers.services import NewPapers, set_federations, set_papers
from tournaments.papers.sheets import Wording, arbiter_report, language
from tournaments.papers.sheets import certificates as drawn
from tournaments.prizes.selectors import fund_of
from tournaments.templatetags.events import format_name

MOST_SHOWN = 20
MOST_CERTIFICATES = 200
_FIELD = "federation-"
_WEIGHTS = {
    Weight.MUST: gettext_lazy("would be refused"),
    Weight.ASKED: gettext_lazy("look at it"),
    Weight.KNOWN: gettext_lazy("good to know"),
}


class PapersForm(forms.ModelForm):
    """What no other page asks for."""

    class Meta:
        model = EventPapers
        fields = tuple(NewPapers.__slots__)
        widgets = dict.fromkeys(("deputies", "appeals", "remarks"), forms.Textarea(attrs={"rows": 3}))

    def _post_clean(self) -> None:
        """The service checks the whole; a field's own checks are the form's."""


@dataclass(frozen=True, slots=True)
class Line:
    """A finding as the page shows it: the players it is about, and where it is mended."""

    finding: Finding
    words: str
    weight: str
    players: tuple[Player, ...]
    more: int
    url: str
    place: str

    @property
    def is_grave(self) -> bool:
        return self.finding.weight == Weight.MUST


# --- the checklist and the facts ----------------------------------------------------------------------------------
def papers(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The checklist, the links, and the form; 409 where it is refused, with everything typed still in it. With
    `?as=pdf` the arbiter's report."""
    tournament = _event_with_rounds(model_admin, request, key)
    if request.method == "GET" and request.GET.get("as") == "pdf":
        return _report(request, tournament)
    typed = proposed_papers(tournament)
    revision, problem = typed.revision, ""
    form = PapersForm(request.POST if request.method == "POST" else None, instance=typed)
    if request.method == "POST" and form.is_valid():
        try:
            seen = number_sent(request, "revision")
            set_papers(tournament, NewPapers(**form.cleaned_data), by=officer(request), revision=seen)
            messages.success(request, _("Saved: both reports have it now."))
            return redirect(request.path)
        except Stale as refusal:
            problem = str(refusal)
        except Refused as refusal:
            problem, revision = str(refusal), seen
    context = {"form": form, "revision": revision, "problem": problem, **_checklist(tournament)}
    status = 409 if problem else 400 if form.errors else 200
    return page(
        model_admin, request, "papers", tournament, title=_("Papers for the federation"), status=status, **context
    )


def _checklist(tournament: Tournament) -> dict[str, Any]:
    """What is found, and what the files leave out; or why there can be no report."""
    try:
        summary = summary_of(tournament)
    except Refused as refusal:
        return {"no_report": str(refusal)}
    people = people_by_number(tournament)
    report, papers = summary.report, summary.papers
    texts = [*_texts_of(tournament), papers.organiser, report.chief_arbiter, *report.deputies]
    return {
        "lines": [_line(tournament, finding, people) for finding in summary.findings],
        "missing": summary.missing,
        "left_out": unwritable([*texts, papers.appeals, papers.remarks], language()),
    }


def _texts_of(tournament: Tournament) -> list[str]:
    """What stands on every paper of the event."""
    return [_club(), tournament.name, tournament.place]


def _line(tournament: Tournament, finding: Finding, people: dict[int, Player]) -> Line:
    meant = tuple(people[number] for number in finding.players if number in people)
    url, place = _place_of(tournament, finding.where)
    return Line(
        finding,
        said(finding.text),
        str(_WEIGHTS[finding.weight]),
        meant[:MOST_SHOWN],
        len(meant[MOST_SHOWN:]),
        url,
        place,
    )


def _place_of(tournament: Tournament, where: Where) -> tuple[str, str]:
    """Where it is mended: an address and its name; neither for what cannot be, and for players, who are links."""
    event = reverse("admin:tournaments_tournament_change", args=[tournament.pk])
    places = {
        Where.PAPERS: ("#facts", _("The facts below")),
        Where.SETTINGS: (f"{event}?settings=1#settings", _("Settings")),
        Where.ROUNDS: (event, _("Overview")),
        Where.FEDERATIONS: (
            reverse("admin:tournaments_tournament_federations", args=[tournament.pk]),
            _("Federations"),
        ),
    }
    return places.get(where, ("", ""))


def _event_with_rounds(model_admin: ModelAdmin, request: HttpRequest, key: int) -> Tournament:
    tournament = tournament_for(model_admin, request, key)
    if tournament.open_ended:
        raise Http404
    return tournament


# --- federations of the players -----------------------------------------------------------------------------------
def federations(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """A field for each player; what is refused leaves everything as typed (409)."""
    tournament = _event_with_rounds(model_admin, request, key)
    rows = entries_with_federation(tournament)
    typed = {entry.pk: code for entry, code in rows}
    problem = ""
    if request.method == "POST":
        rest = request.POST.get("rest", "").strip()
        typed = {entry.pk: request.POST.get(f"{_FIELD}{entry.pk}", code).strip() or rest for entry, code in rows}
        try:
            count = set_federations(tournament, typed, by=officer(request))
            text = ngettext("%(count)s federation is saved.", "%(count)s federations are saved.", count)
            messages.success(request, text % {"count": count})
            return redirect("admin:tournaments_tournament_papers", tournament.pk)
        except Refused as refusal:
            problem = str(refusal)
    context = {"rows": [(entry, typed[entry.pk]) for entry, _code in rows], "problem": problem}
    title = _("Federations of the players")
    return page(model_admin, request, "federations", tournament, title=title, status=409 if problem else 200, **context)


# --- files --------------------------------------------------------------------------------------------------------
def _report(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The arbiter's report as a PDF of one sheet, in the language of the page."""
    try:
        summary = summary_of(tournament)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("admin:tournaments_tournament_papers", tournament.pk)
    stage = tournament.stages.order_by("order")[0]
    content = arbiter_report(tournament, summary, club=_club(), system=format_name(stage))
    return as_file(content, f"{tournament.slug}-arbiter", "pdf")


def player_list(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """Those with a FIDE number in the layout of FIDE's own list, for programs that read players from it."""
    tournament = _event_with_rounds(model_admin, request, key)
    return as_file(write_fide_text(list_rows(tournament)), f"{tournament.slug}-players", "txt")


def _club() -> str:
    club = current_club()
    return club.name if club else ""


# --- certificates -------------------------------------------------------------------------------------------------
class CertificatesForm(forms.Form):
    """For whom, and what they say. The choice stands in the address."""

    who = forms.MultipleChoiceField(label=gettext_lazy("Players"), widget=forms.CheckboxSelectMultiple)
    paper = forms.ChoiceField(label=gettext_lazy("Paper"), choices=[("a4", "A4"), ("a5", "A5")], initial="a4")
    places = forms.BooleanField(label=gettext_lazy("with place and points"), required=False)
    prizes = forms.BooleanField(label=gettext_lazy("with what was won"), required=False)

    def __init__(self, *args: Any, people: dict[str, Certified], closed: bool, prized: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        who = self.fields["who"]
        if isinstance(who, forms.MultipleChoiceField):
            who.choices = [(key, _person(person)) for key, person in people.items()]
            if len(people) > MOST_CERTIFICATES:
                who.help_text = _too_many()
        for name, offered in (("places", closed), ("prizes", prized)):
            if not offered:
                del self.fields[name]

    def clean_who(self) -> list[str]:
        chosen: list[str] = self.cleaned_data["who"]
        if len(chosen) > MOST_CERTIFICATES:
            raise forms.ValidationError(_too_many())
        return chosen


def _too_many() -> str:
    return _("At most %(most)s certificates fit into one file: choose fewer players.") % {"most": MOST_CERTIFICATES}


def _person(person: Certified) -> str:
    name = shown_name(person.entrant.player, OFFICER)
    return f"{person.place.first}. {name}" if person.place else name


def certificates(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The form; with a choice the certificates as one PDF. Places and prizes once the event is closed."""
    tournament = _event_with_rounds(model_admin, request, key)
    honours = honours_of(tournament)
    if honours is None:
        raise Http404
    people = {str(person.entrant.key): person for person in honours.people}
    fund = fund_of(tournament) if tournament.closed else None
    asked: dict[str, Any] = {"people": people, "closed": tournament.closed, "prized": fund is not None}
    form = CertificatesForm(request.GET if "paper" in request.GET else None, **asked)
    if form.is_valid():
        chosen = [people[each] for each in people if each in set(form.cleaned_data["who"])]
        said_too = form.cleaned_data
        wording = Wording(said_too["paper"], bool(said_too.get("places")), bool(said_too.get("prizes")))
        content = drawn(tournament, chosen, wording, club=_club(), rounds=honours.rounds, fund=fund)
        return as_file(content, f"{tournament.slug}-certificates", "pdf")
    if not form.is_bound:
        ticked = {"who": list(people)[:MOST_CERTIFICATES], "paper": "a4", "places": True, "prizes": True}
        form = CertificatesForm(initial=ticked, **asked)
    names = [shown_name(person.entrant.player, OFFICER) for person in honours.people]
    left_out = {"left_out": unwritable(names, language()), "texts": unwritable(_texts_of(tournament), language())}
    context = {"form": form, "people": people, **left_out}
    status = 400 if form.errors else 200
    return page(model_admin, request, "certificates", tournament, title=_("Certificates"), status=status, **context)
