"""The next round of a format that makes them one by one: the checklist, who is here tonight, what the boards would be.

A plain form: one choice per player, beginning with tonight's check-in. "Publish" carries what was looked at and is
refused where that has changed. The form carries the boards shown, signed, so that they are not paired again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.core.validators import MaxValueValidator, MinValueValidator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.admin import officer
from players.refusals import Refused, Stale
from tournaments.corrections.admin.starting_ratings import late_starts_shown
from tournaments.events.admin.event_page import page, tournament_for
from tournaments.events.admin.forms import LATEST_DAY, DayInput
from tournaments.events.selectors.stages import round_limit, system_of
from tournaments.models import ByeKind, Entry, Round, Stage, Tournament
from tournaments.pairing.base import RoundSystem
from tournaments.pairing.free import Teams
from tournaments.presence.selectors import absence_notices_for, here_on
from tournaments.presence.services import half_byes_free, is_excusing
from tournaments.results.services.results import EARLIEST_DAY
from tournaments.rounds.selectors.checklist import checklist_of
from tournaments.rounds.selectors.field import Attendance, attendance, next_number, open_boards
from tournaments.rounds.services.by_hand import BY_HAND
from tournaments.rounds.services.next_round import Proposal, pair_next_round, propose_round
from tournaments.rounds.services.rounds import absent_before

HERE = "here"


class TimeInput(forms.TimeInput):
    input_type = "time"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(format="%H:%M", **kwargs)


class NextRoundForm(forms.Form):
    """What holds for the whole round."""

    day = forms.DateField(
        label=gettext_lazy("Day"),
        required=False,
        widget=DayInput(),
        validators=[MinValueValidator(EARLIEST_DAY), MaxValueValidator(LATEST_DAY)],
    )
    at = forms.TimeField(label=gettext_lazy("Time"), required=False, widget=TimeInput())
    pair_anyway = forms.BooleanField(
        label=gettext_lazy("Pair anyway"),
        required=False,
        help_text=gettext_lazy("Games that are not over count as draws for the pairing, and nowhere else."),
    )

    def __init__(self, *args: Any, waiting: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not waiting:
            del self.fields["pair_anyway"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("at") and not cleaned.get("day") and "day" not in self.errors:
            self.add_error("day", _("A time needs its day: enter the day too."))
        return cleaned


@dataclass(frozen=True, slots=True)
class Person:
    """A player's line: the choices (value, words, chosen), and the bye asked for (`was`: its kind, or "here")."""

    number: int
    entry: Entry
    choices: tuple[tuple[str, str, bool], ...]
    was: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """Who is here, and with which bye the others are away, by the entry's key. `moved`: the form that was posted knew
    other people, or other byes asked for."""

    people: tuple[Person, ...]
    here: tuple[Entry, ...]
    away: Mapping[int, str]
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """What the page shows: who could play, who is here, and the round they would make, or the sentence why none."""

    stage: Stage
    who: Attendance
    sheet: Sheet
    proposal: Proposal | None = None
    problem: str = ""


def next_round(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The sheet of those here and the boards as they would be; makes the draft, or publishes at once."""
    stage, tournament = stage_for(model_admin, request, key)
    if stage.pairing_system == BY_HAND:
        return redirect(reverse("admin:tournaments_tournament_by_hand", args=[stage.pk]))
    posted = request.POST if request.method == "POST" else None
    number = next_number(stage)
    day = tournament.nearest_day(timezone.localdate())
    form = NextRoundForm(posted, waiting=bool(open_boards(stage, number)), initial={"day": day})
    look = _look(stage, number, posted, form, seal=form.data.get("seal", ""))
    if posted is not None and posted.get("do") in ("draft", "publish") and look.proposal:
        try:
            return _make(request, look, look.proposal, form)
        except Refused as refusal:
            look = _look_again(look, look.proposal, posted, form, str(refusal))
    status = 409 if look.problem and posted is not None else 200
    late = late_starts_shown(request, tournament)
    return page(model_admin, request, "next_round", tournament, status=status, **_context(look, form), **late)


def _look(stage: Stage, number: int, posted: Mapping[str, str] | None, form: NextRoundForm, *, seal: str) -> Look:
    who = attendance(stage, number)
    sheet = _sheet(stage, who, posted)
    anyway = form.is_bound and form.is_valid() and form.cleaned_data.get("pair_anyway", False)
    try:
        if posted is not None and not form.is_valid():
            raise Refused(_("Nothing is made yet: look at the fields above the players."))
        proposal = propose_round(stage, present=sheet.here, absent=sheet.away, pair_anyway=anyway, seal=seal)
    except Refused as refusal:
        return Look(stage, who, sheet, problem=str(refusal))
    return Look(stage, who, sheet, proposal)


def _look_again(look: Look, was: Proposal, posted: Mapping[str, str], form: NextRoundForm, problem: str) -> Look:
    """After a refusal: whatever came between, what is shown is as it is now."""
    stage = Stage.objects.select_related("tournament").get(pk=look.stage.pk)
    return replace(_look(stage, next_number(stage), posted, form, seal=was.seal()), problem=problem)


def _context(look: Look, form: NextRoundForm) -> dict[str, Any]:
    sheet, proposal = look.sheet, look.proposal
    return {
        "title": _title(look.stage, look.who.number),
        "checklist": checklist_of(look.stage, look.who, today=timezone.localdate()),
        "stage": look.stage,
        "form": form,
        "number": look.who.number,
        "sheet": sheet,
        "proposal": proposal,
        "excusing": is_excusing(look.stage),
        "away": len(sheet.away),
        "seen": proposal.seen if proposal else "",
        "seal": proposal.seal() if proposal else "",
        "problem": look.problem,
    }


def _title(stage: Stage, number: int) -> str:
    """Round 3 of 5, where the number of rounds is set."""
    limit = round_limit(stage)
    if limit is None or number > limit:
        return _("Round %(number)s") % {"number": number}
    return _("Round %(number)s of %(rounds)s") % {"number": number, "rounds": limit}


def stage_for(model_admin: ModelAdmin, request: HttpRequest, key: int) -> tuple[Stage, Tournament]:
    """A stage whose rounds are made one by one, and its event, for somebody who may change it."""
    stage = get_object_or_404(Stage.objects.select_related("tournament"), pk=key)
    tournament = tournament_for(model_admin, request, stage.tournament_id)
    if not isinstance(system_of(stage), RoundSystem) or stage.pairing_system == Teams.key:
        raise Http404
    return stage, tournament


def _sheet(stage: Stage, who: Attendance, posted: Mapping[str, str] | None) -> Sheet:
    """Whoever the posted form did not know as he is now, is here or away as he asked: the form says nothing of him. A
    new form begins with what is known of those who asked for nothing."""
    people, here, away = [], [], {}
    absent = _absent_so_far(stage, who.number) if posted is None else {}
    excusing, found, now = is_excusing(stage), posted or {}, {"number": str(who.number)}
    half = set() if excusing else half_byes_free(stage, who.number)
    for number, entry in who.entries.items():
        asked = who.asked.get(entry.pk, "")
        was = now[f"was-{entry.pk}"] = asked or HERE
        choices = _choices(asked, half=entry.pk in half, excusing=excusing)
        chosen = found.get(f"p-{entry.pk}", was) if found.get(f"was-{entry.pk}") == was else was
        if not asked and absent.get(entry.pk) in choices:
            chosen = absent[entry.pk]
        if chosen == HERE:
            here.append(entry)
        else:
            away[entry.pk] = chosen if chosen in choices else "?"  # no choice of ours: the service refuses it
        shown = tuple((value, words, value == chosen) for value, words in choices.items())
        people.append(Person(number, entry, shown, was))
    knew = {name: value for name, value in found.items() if name == "number" or name.startswith("was-")}
    return Sheet(tuple(people), tuple(here), away, moved=posted is not None and knew != now)


def _absent_so_far(stage: Stage, number: int) -> dict[int, str]:
    """Who was absent in a draft of this round that was deleted, who told us that he will be, and whoever is not here
    by tonight's check-in: it has the last word. The kind of bye by the entry's key; who told us is excused where the
    format knows that."""
    tonight = here_on(stage.tournament, timezone.localdate())
    before = {key: kind for key, kind in absent_before(stage, number).items() if not tonight.get(key)}
    kind = (ByeKind.HALF if is_excusing(stage) else ByeKind.ZERO).value
    values = {key: kind for key in absence_notices_for(stage.tournament, number) if not tonight.get(key)}
    return values | {key: ByeKind.ZERO.value for key, here in tonight.items() if not here} | before


def _choices(asked: str, *, half: bool, excusing: bool) -> dict[str, str]:
    """What can be said of somebody. `half`: a half-point bye may be given now; a full one is given with the entry."""
    choices = {HERE: _("here"), ByeKind.ZERO.value: _("absent")}
    if excusing:
        choices[ByeKind.HALF.value] = _("excused")
    elif half or asked == ByeKind.HALF:
        choices[ByeKind.HALF.value] = _("half-point bye")
    if asked == ByeKind.FULL:
        choices[asked] = str(ByeKind(asked).label)
    return choices


def _make(request: HttpRequest, look: Look, proposal: Proposal, form: NextRoundForm) -> HttpResponse:
    """Raises Refused, Stale where the players are not those of the form, or where what is to be published is not what
    was looked at."""
    if look.sheet.moved:
        raise Stale(_("Meanwhile somebody came, left or asked for a bye: look at the players again."))
    publish, data, sheet = request.POST.get("do") == "publish", form.cleaned_data, look.sheet
    row = pair_next_round(
        look.stage,
        by=officer(request),
        present=sheet.here,
        absent=sheet.away,
        day=data["day"],
        at=data["at"],
        pair_anyway=data.get("pair_anyway", False),
        publish=publish,
        seal=proposal.seal(),
        who=look.who,
        seen=request.POST.get("seen", "") if publish else None,
    )
    return after_making(request, row)


def after_making(request: HttpRequest, row: Round) -> HttpResponse:
    """Say that a round is made or published, and lead on: from a draft to its boards, else to the rounds."""
    if row.state == Round.State.DRAFT:
        text = _("Round %(number)s is made as a draft: only officers see it.")
        address = reverse("admin:tournaments_tournament_boards", args=[row.pk])
    else:
        text = _("Round %(number)s is published.")
        address = reverse("admin:tournaments_tournament_rounds", args=[row.stage.tournament_id])
    messages.success(request, text % {"number": row.number})
    return redirect(address)
