"""The audit trail as pages: all of it for those who may read it, and of one event for whoever runs that event."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib.admin import ModelAdmin
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.admin import admin_page
from players.models import AuditEvent
from ratings.lists.words import ROLES
from tournaments.events.admin.event_page import tabs_of, tournament_for
from tournaments.models import Tournament
from tournaments.trail.action_words import action_in_words
from tournaments.trail.selectors import Place, Places, TrailFilter, lines, places_of
from tournaments.trail.services import csv_lines, json_lines
from tournaments.trail.words import about_in_words, address_of, change_in_words, origin_in_words

PER_PAGE = 50
_FILES = {"csv": (csv_lines, "text/csv"), "jsonl": (json_lines, "application/x-ndjson")}
_DAY = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
_ALL = gettext_lazy("all")


class TrailForm(forms.Form):
    """Which lines."""

    since = forms.DateField(label=gettext_lazy("From"), required=False, widget=_DAY)
    until = forms.DateField(label=gettext_lazy("To"), required=False, widget=_DAY)
    who = forms.ModelChoiceField(User.objects.none(), label=gettext_lazy("Who"), required=False, empty_label=_ALL)
    role = forms.ChoiceField(label=gettext_lazy("Role"), required=False)
    action = forms.ChoiceField(label=gettext_lazy("What"), required=False)
    reason = forms.ChoiceField(label=gettext_lazy("Reason"), required=False)
    event = forms.ModelChoiceField(
        Tournament.objects.all(),
        label=gettext_lazy("Event"),
        required=False,
        empty_label=_ALL,
    )
    number = forms.IntegerField(
        label=gettext_lazy("Player’s number"), required=False, min_value=1, max_value=2_000_000_000
    )
    subject_kind = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)
    subject_key = forms.IntegerField(required=False, min_value=0, max_value=2**62, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, of_event: bool) -> None:
        super().__init__(data, auto_id="id_trail_%s")
        if of_event:
            for name in ("event", "subject_kind", "subject_key"):
                del self.fields[name]
        actors = AuditEvent.objects.order_by().values("actor").distinct()
        self.fields["who"].queryset = User.objects.filter(pk__in=actors).order_by("username")  # type: ignore[attr-defined]
        actions = AuditEvent.objects.order_by("action").values_list("action", flat=True).distinct()
        self._choose("role", list(ROLES.items()))
        self._choose("action", [(action, action_in_words(action)) for action in actions])
        self._choose("reason", [choice for choice in AuditEvent.Reason.choices if choice[0]])

    def _choose(self, name: str, choices: list[Any]) -> None:
        self.fields[name].choices = [("", _ALL), *choices]  # type: ignore[attr-defined]

    def wish(self, event: Tournament | None = None) -> TrailFilter:
        """What a valid form asks for; of one `event` where that is given."""
        data = self.cleaned_data
        kind, key = data.get("subject_kind"), data.get("subject_key")
        return TrailFilter(
            since=data["since"],
            until=data["until"],
            who=data["who"].pk if data["who"] else None,
            role=data["role"],
            action=data["action"],
            reason=data["reason"],
            event=event or data.get("event"),
            number=data["number"],
            subject=(kind, key) if kind and key is not None else None,
        )


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it stands on the page."""

    event: AuditEvent
    role: str
    action: str
    origin: str
    about: str
    address: str
    change: str


def line_of(event: AuditEvent, places: Places, *, runs_events: bool) -> Line:
    """The line in words."""
    place: Place = places.at(event)
    return Line(
        event=event,
        role=str(ROLES.get(event.role, event.role)),
        action=action_in_words(event.action),
        origin=origin_in_words(event.origin, places.tokens),
        about=about_in_words(event, place),
        address=address_of(event, place, runs_events=runs_events),
        change=change_in_words(event, places.people),
    )


def whole_trail(request: HttpRequest) -> HttpResponse:
    """Everything; who may read it is asked by whoever calls."""
    return _trail(request, None)


def event_trail(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """What happened in one event, for whoever may change it."""
    return _trail(request, tournament_for(model_admin, request, key))


def _trail(request: HttpRequest, event: Tournament | None) -> HttpResponse:
    """The page, or the file that was asked for; 400 for a filter that is nonsense."""
    form = TrailForm(request.GET, of_event=event is not None)
    context: dict[str, Any] = {"form": form, "lines": [], "page": None, "query": ""}
    if form.is_valid():
        rows = lines(form.wish(event))
        if request.GET.get("file") in _FILES:
            return _file(rows, request.GET["file"], event)
        context |= _listed(request, rows)
    context |= {"tournament": event, "tabs": tabs_of(request, event, "trail")} if event else {}
    status = 200 if form.is_valid() else 400
    return admin_page(request, "admin/tournaments/tournament/trail.html", _("Audit trail"), status=status, **context)


def _listed(request: HttpRequest, rows: QuerySet[AuditEvent]) -> dict[str, Any]:
    shown = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    events = list(shown.object_list)
    places = places_of(events)
    query = request.GET.copy()
    query.pop("page", None)
    runs_events = request.user.has_perm("tournaments.change_tournament")
    listed = [line_of(event, places, runs_events=runs_events) for event in events]
    return {"lines": listed, "page": shown, "query": query.urlencode()}


def _file(rows: Any, kind: str, event: Tournament | None) -> HttpResponse:
    write, content = _FILES[kind]
    name = f"audit-{event.slug}.{kind}" if event else f"audit.{kind}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    answer: Any = StreamingHttpResponse(write(rows), content_type=f"{content}; charset=utf-8", headers=headers)
    return answer
