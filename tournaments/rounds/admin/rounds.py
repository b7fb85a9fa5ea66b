"""The rounds of a tournament, stage by stage: make them, plan them, publish them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, time
from typing import Any, TypeVar

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubrating.web.admin import officer
from clubrating.web.requests import number_sent
from players.refusals import Refused
from tournaments.builders.forms import SeedField
from tournaments.corrections.admin.starting_ratings import late_starts_shown
from tournaments.entries.services.entries import numbered
from tournaments.events.admin.event_page import page, tournament_for
from tournaments.events.admin.forms import LATEST_DAY, RoundsForm
from tournaments.events.admin.workflow import plan_warnings
from tournaments.events.selectors.stages import played_stages, round_limit, system_of
from tournaments.formats.services import Calendar, make_rounds
from tournaments.models import Pairing, Round, Stage, Tournament
from tournaments.pairing.base import BracketSystem, RoundSystem, ScheduleSystem
from tournaments.pairing.free import Teams
from tournaments.results.services.results import EARLIEST_DAY
from tournaments.rounds.selectors.checklist import Line, doubts_of
from tournaments.rounds.selectors.progress import RoundProgress, rounds_of
from tournaments.rounds.services.rounds import plan_round, publish_round, several_rounds
from tournaments.undo.admin.undo import last_line, success_with_undo

T = TypeVar("T")


class MakeForm(RoundsForm):
    """When the rounds of a stage are, and what chance may decide: the draw, and who of equals goes on."""

    drafts = forms.BooleanField(
        label=gettext_lazy("As drafts"),
        required=False,
        help_text=gettext_lazy("Only officers see a draft until it is published."),
    )
    seed = SeedField(
        label=gettext_lazy("Seed of the lots"),
        help_text=gettext_lazy("Where the settings draw lots. Empty: by chance; the same seed draws the same bracket."),
    )
    lots = forms.BooleanField(
        label=gettext_lazy("Lots part those who are equal in a group"),
        required=False,
    )

    def __init__(self, *args: Any, stage: Stage, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not isinstance(system_of(stage), BracketSystem):
            del self.fields["seed"]
        if not _waits(stage):
            del self.fields["lots"]


@dataclass(slots=True)
class Row:
    """A round with its plan as it stands in the form."""

    progress: RoundProgress
    day: str
    time: str

    @property
    def was(self) -> str:
        """The plan a form was shown with: only what differs from it is saved."""
        return _plan_of(self.progress.round)


@dataclass(slots=True)
class Section:
    """One stage on the page: its rounds, and what can be done to have more of them."""

    stage: Stage
    rows: list[Row]
    entries: int
    numbered: bool
    one_by_one: bool
    bracket: bool
    waits: bool
    before_is_over: bool
    played: bool
    limit: int | None
    form: MakeForm | None = None

    @property
    def is_full(self) -> bool:
        """Whether all rounds are made that its settings give it."""
        return self.limit is not None and len(self.rows) >= self.limit

    @property
    def draft(self) -> Round | None:
        """The round that has to be published before the next is made."""
        return next((row.progress.round for row in self.rows if row.progress.round.state == Round.State.DRAFT), None)

    @property
    def waiting(self) -> Round | None:
        """The first public round that has boards without a result."""
        rows = (row.progress for row in self.rows)
        return next((row.round for row in rows if not row.complete and row.round.state != Round.State.DRAFT), None)

    @property
    def is_ready(self) -> bool:
        """Whether its rounds can be made: the field is there or will be, with numbers."""
        return self.before_is_over if self.waits else self.entries > 1 and self.numbered

    @property
    def drafts(self) -> int:
        return sum(row.progress.round.state == Round.State.DRAFT for row in self.rows)


@dataclass(slots=True)
class Answer:
    """What a posted form led to: a sentence where it went wrong, the form that was bound, and plans as typed."""

    problem: str = ""
    stage: int = 0
    form: MakeForm | None = None
    typed: dict[str, str] = field(default_factory=dict)


def rounds(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The rounds of every stage with their progress, or the form that makes them."""
    tournament = tournament_for(model_admin, request, key)
    if tournament.open_ended:
        return redirect(reverse("admin:tournaments_tournament_evening", args=[tournament.pk]))
    stages = played_stages(tournament)
    if any(stage.pairing_system == Teams.key for stage in stages):
        return redirect("admin:tournaments_tournament_matches", tournament.pk)
    answer = Answer()
    if request.method == "POST":
        asked: dict[str, Callable[..., Answer]] = {"plan": _plan, "publish": _publish}
        try:
            answer = asked.get(request.POST.get("do", ""), _make)(request, tournament, stages)
        except Refused as refusal:
            answer = Answer(str(refusal), typed=request.POST.dict())
        if not answer.problem and answer.form is None:
            return redirect(request.path)
    sections = _sections(tournament, stages, answer)
    context: dict[str, Any] = {
        "title": _("Rounds"),
        "sections": sections,
        "several": len(sections) > 1,
        "entries": tournament.entries.count(),
        "rounds": sum(len(section.rows) for section in sections),
        "played_out": _played_out(tournament, sections),
        "checklist": _doubts(tournament, sections),
        "problem": answer.problem,
        "last_done": last_line(tournament),
        "warnings": plan_warnings(
            tournament,
            stages[0] if len(stages) == 1 else None,
            (row.progress.round for section in sections for row in section.rows),
        ),
        "first": EARLIEST_DAY,
        "last": LATEST_DAY,
        **late_starts_shown(request, tournament),
    }
    return page(model_admin, request, "rounds", tournament, status=409 if answer.problem else 200, **context)


# --- what was asked for -----------------------------------------------------------------------------------------
def _make(request: HttpRequest, tournament: Tournament, stages: list[Stage]) -> Answer:
    """All rounds of a stage; of the only one where none is named."""
    stage = asked_stage(request, stages)
    form = MakeForm(request.POST, stage=stage, auto_id=f"id_{stage.pk}_%s")
    if not form.is_valid():
        return Answer(stage=stage.pk, form=form)
    data = form.cleaned_data
    calendar = Calendar(data["first_day"], data["days_between"], publish=not data["drafts"])
    seed, lots = data.get("seed"), bool(data.get("lots"))
    try:
        count = len(make_rounds(stage, by=officer(request), calendar=calendar, seed=seed, lots=lots))
    except Refused as refusal:
        return Answer(str(refusal), stage=stage.pk, form=form)
    text = ngettext("%(count)s round is made.", "%(count)s rounds are made.", count)
    messages.success(request, text % {"count": count})
    return Answer()


def _waits(stage: Stage) -> bool:
    """Whether its field is still to come, from the part before; read off the field at hand."""
    return not stage.takes_everybody and not stage.field.all()


def asked_stage(request: HttpRequest, stages: list[Stage]) -> Stage:
    """The stage a form names; the only one where it names none. Raises Http404."""
    wanted = request.POST.get("stage") or request.GET.get("stage")
    found = [stage for stage in stages if wanted in (None, str(stage.pk)) and stage.pairing_system]
    if not found:
        raise Http404
    return found[0]


def _plan(request: HttpRequest, tournament: Tournament, stages: list[Stage]) -> Answer:
    """Days and times of the rounds whose fields were changed; all of them or none."""
    wanted = []
    for row in _rounds(tournament):
        day, at = request.POST.get(f"day-{row.pk}"), request.POST.get(f"time-{row.pk}", "")
        if day is None or f"{day}T{at}" == request.POST.get(f"was-{row.pk}", _plan_of(row)):
            continue
        wanted.append((row, _read(row, day, _day), _read(row, at, _time)))
    with several_rounds(tournament):
        for row, planned, hour in wanted:
            plan_round(row.pk, planned, time=hour, by=officer(request))
    text = ngettext("%(count)s round is planned.", "%(count)s rounds are planned.", len(wanted))
    messages.success(request, text % {"count": len(wanted)})
    return Answer()


def _read(row: Round, text: str, read: Callable[[str], T]) -> T | None:
    """Raises Refused where the text is not empty and cannot be read."""
    try:
        return read(text) if text else None
    except ValueError:
        figures = {"number": row.number, "text": text[:20]}
        text = _("Round %(number)s: “%(text)s” is no day or time. Nothing was planned.")
        raise Refused(text % figures) from None


def _day(text: str) -> date:
    day = date.fromisoformat(text)
    if not EARLIEST_DAY <= day <= LATEST_DAY:
        raise ValueError(text)
    return day


def _time(text: str) -> time:
    return time.fromisoformat(text).replace(tzinfo=None)


def _plan_of(row: Round) -> str:
    at = f"{row.planned_at:%H:%M}" if row.planned_at else ""
    return f"{row.planned_on or ''}T{at}"


def _publish(request: HttpRequest, tournament: Tournament, stages: list[Stage]) -> Answer:
    rows = _rounds(tournament)
    if which := request.POST.get("round", ""):
        drafts = [row for row in rows if str(row.pk) == which]
    else:
        stage = asked_stage(request, stages)
        drafts = [row for row in rows if row.stage_id == stage.pk and row.state == Round.State.DRAFT]
    if not drafts:
        raise Refused(_("There is no such draft any more: look at the rounds again."))
    with several_rounds(tournament):
        for row in drafts:
            revision = number_sent(request, f"revision-{row.pk}")
            publish_round(row.pk, by=officer(request), revision=revision)
    if len(drafts) == 1:
        text = _("Round %(number)s is published.") % {"number": drafts[0].number}
        success_with_undo(request, tournament, text, "round.published")
    else:
        messages.success(request, _("%(count)s rounds are published.") % {"count": len(drafts)})
    return Answer()


def _rounds(tournament: Tournament) -> list[Round]:
    return list(Round.objects.filter(stage__tournament=tournament).order_by("stage__order", "number"))


# --- what is shown ----------------------------------------------------------------------------------------------
def _sections(tournament: Tournament, stages: list[Stage], answer: Answer) -> list[Section]:
    progress = rounds_of(tournament)
    numbers = list(tournament.entries.values_list("number", flat=True))
    # What was ruled on counts as played.
    boards = Pairing.objects.filter(stage__tournament=tournament, superseded=False)
    boards = boards.filter(Q(ruled=True) | Q(games__result__gt="")).order_by()
    sections, played = [], set(boards.values_list("stage", flat=True).distinct())
    for stage in stages:
        own = numbers if stage.takes_everybody else [row.number for row in stage.field.all()]
        own_rounds = (each for each in progress if each.round.stage_id == stage.pk)
        rows = [Row(each, *_typed_plan(each.round, answer.typed)) for each in own_rounds]
        system, waits = system_of(stage), _waits(stage)
        section = Section(
            stage,
            rows,
            entries=len(own),
            numbered=numbered(own),
            one_by_one=isinstance(system, RoundSystem),
            bracket=isinstance(system, BracketSystem),
            waits=waits,
            before_is_over=waits and _is_over(stage.part - 1, stages, progress),
            played=stage.pk in played,
            limit=round_limit(stage),
        )
        if not rows and isinstance(system, ScheduleSystem | BracketSystem):
            first: dict[str, Any] = {"first_day": None if section.waits else tournament.starts_on}
            if tournament.starts_on and tournament.starts_on == tournament.ends_on:
                first["days_between"] = 0
            bound = answer.form if answer.stage == stage.pk else None
            section.form = bound or MakeForm(initial=first, stage=stage, auto_id=f"id_{stage.pk}_%s")
        sections.append(section)
    return sections


def _played_out(tournament: Tournament, sections: list[Section]) -> bool:
    """Whether nothing is left but to close the event; where the number of rounds is open, the arbiter says so."""
    if tournament.closed or not sections:
        return False
    return all(
        section.rows and not section.draft and not section.waiting and (section.is_full or not section.one_by_one)
        for section in sections
    )


def _doubts(tournament: Tournament, sections: list[Section]) -> list[Line]:
    """What to look at in an event of one stage whose rounds are known; those made one by one have a page for it."""
    if tournament.closed or len(sections) != 1 or sections[0].one_by_one:
        return []
    if not any(row.progress.done for row in sections[0].rows):
        return []
    return doubts_of(sections[0].stage, today=timezone.localdate())


def _is_over(part: int, stages: list[Stage], progress: list[RoundProgress]) -> bool:
    rounds = {stage.pk: [row for row in progress if row.round.stage_id == stage.pk] for stage in stages}
    return all(
        rounds[stage.pk] and all(row.complete for row in rounds[stage.pk]) for stage in stages if stage.part == part
    )


def _typed_plan(row: Round, typed: dict[str, str]) -> tuple[str, str]:
    day, _t, at = _plan_of(row).partition("T")
    return typed.get(f"day-{row.pk}", day), typed.get(f"time-{row.pk}", at)


def round_for(model_admin: ModelAdmin, request: HttpRequest, key: int) -> tuple[Round, Tournament]:
    """The round of that key and its event, for somebody who may change it."""
    row = get_object_or_404(Round.objects.select_related("stage__tournament"), pk=key)
    return row, tournament_for(model_admin, request, row.stage.tournament_id)
