"""The next round of a format that makes them one by one: who is here tonight, what the boards would be, then the draft.

A plain form: one choice per player, the boards as they would be below it. "Publish" carries what was looked at and is
refused where results came in that change it; a draft is looked at on its own page (`round_draft`). The form carries the
boards shown, signed, so that the engine is not asked again for what it has just answered.
"""

from collections.abc import Mapping
from dataclasses import dataclass
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

from clubrating.admin_site import officer
from players.services.refusals import Refused, Stale
from tournaments.admin.forms import LATEST_DAY, DayInput
from tournaments.admin.frame import page, tournament_for
from tournaments.models import ByeKind, Entry, Stage, Tournament
from tournaments.pairing.base import RoundSystem
from tournaments.selectors.pairing_field import Attendance, attendance, next_number, open_boards
from tournaments.selectors.stages import round_limit, system_of
from tournaments.services.byes import is_excusing
from tournaments.services.changes import digest
from tournaments.services.manual_pairing import BY_HAND
from tournaments.services.next_round import Proposal, pair_next_round, propose_round
from tournaments.services.results import EARLIEST_DAY

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
    """One line of the sheet: who, the choices (value, words, chosen), and the bye asked for in words."""

    number: int
    entry: Entry
    choices: tuple[tuple[str, str, bool], ...]
    asked: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Who is here, and with which bye the others are away, by the entry's key."""

    people: tuple[Person, ...]
    here: tuple[Entry, ...]
    away: Mapping[int, str]


def next_round(desk: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The sheet of those here and the boards as they would be; makes the draft, or publishes at once."""
    stage, tournament = stage_for(desk, request, key)
    if stage.pairing_system == BY_HAND:
        return redirect(reverse("admin:tournaments_tournament_by_hand", args=[stage.pk]))
    number = next_number(stage)
    posted = request.POST if request.method == "POST" else None
    waiting = bool(open_boards(stage, number))
    form = NextRoundForm(posted, waiting=waiting, initial={"day": timezone.localdate()})
    sheet = _sheet(stage, attendance(stage, number), posted)
    problem, status, proposal = "", 200, None
    try:
        if posted is not None and not form.is_valid():
            raise Refused(_("Nothing is made yet: look at the fields above the players."))
        proposal = _propose(stage, sheet, form)
        if posted is not None and posted.get("do") in ("draft", "publish"):
            return _make(request, stage, sheet, form, proposal)
    except Refused as refusal:
        problem, status = str(refusal), 409 if posted is not None else 200
    context = {
        "title": _title(stage, number),
        "stage": stage,
        "form": form,
        "sheet": sheet,
        "proposal": proposal,
        "excusing": is_excusing(stage),
        "away": len(sheet.away),
        "asked": [person for person in sheet.people if person.asked],
        "seen": seen_of(proposal) if proposal else "",
        "seal": proposal.seal() if proposal else "",
        "problem": problem,
    }
    return page(desk, request, "next_round", tournament, status=status, **context)


def _title(stage: Stage, number: int) -> str:
    """Round 3 of 5, where the number of rounds is set."""
    limit = round_limit(stage)
    if limit is None or number > limit:
        return _("Round %(number)s") % {"number": number}
    return _("Round %(number)s of %(rounds)s") % {"number": number, "rounds": limit}


def stage_for(desk: ModelAdmin, request: HttpRequest, key: int) -> tuple[Stage, Tournament]:
    """A stage whose rounds are made one by one, and its event, for somebody who may change it."""
    stage = get_object_or_404(Stage.objects.select_related("tournament"), pk=key)
    tournament = tournament_for(desk, request, stage.tournament_id)
    if not isinstance(system_of(stage), RoundSystem):
        raise Http404
    return stage, tournament


def _sheet(stage: Stage, who: Attendance, posted: Mapping[str, str] | None) -> Sheet:
    people, here, away = [], [], {}
    excusing = is_excusing(stage)
    for number, entry in who.entries.items():
        asked = who.asked.get(entry.pk, "")
        chosen = (asked or HERE) if posted is None else posted.get(f"p-{entry.pk}", asked or ByeKind.ZERO.value)
        choices = _choices(asked, excusing=excusing)
        if chosen == HERE:
            here.append(entry)
        else:
            away[entry.pk] = chosen if chosen in choices else "?"  # no choice of ours: the service refuses it
        shown = tuple((value, words, value == chosen) for value, words in choices.items())
        people.append(Person(number, entry, shown, str(ByeKind(asked).label) if asked else ""))
    return Sheet(tuple(people), tuple(here), away)


def _choices(asked: str, *, excusing: bool) -> dict[str, str]:
    """What can be said of somebody. Byes that bring points are asked for on the entry's page, where their limits are
    known; where a half one is an excuse, it is given here too."""
    choices = {HERE: _("here"), ByeKind.ZERO.value: _("absent")}
    if excusing:
        choices[ByeKind.HALF.value] = _("excused")
    elif asked in (ByeKind.HALF, ByeKind.FULL):
        choices[asked] = str(ByeKind(asked).label)
    return choices


def _propose(stage: Stage, sheet: Sheet, form: NextRoundForm) -> Proposal:
    """Raises Refused."""
    anyway = form.is_bound and form.cleaned_data.get("pair_anyway", False)
    seal = form.data.get("seal", "")
    return propose_round(stage, present=sheet.here, absent=sheet.away, pair_anyway=anyway, seal=seal)


def _make(request: HttpRequest, stage: Stage, sheet: Sheet, form: NextRoundForm, proposal: Proposal) -> HttpResponse:
    """Raises Refused, Stale where what is to be published is not what was looked at."""
    publish, data = request.POST.get("do") == "publish", form.cleaned_data
    if publish and request.POST.get("seen") != seen_of(proposal):
        raise Stale(_("These are not the boards you looked at: look at them below, then publish."))
    row = pair_next_round(
        stage,
        by=officer(request),
        present=sheet.here,
        absent=sheet.away,
        day=data["day"],
        at=data["at"],
        pair_anyway=data.get("pair_anyway", False),
        publish=publish,
        seal=proposal.seal(),
    )
    if publish:
        messages.success(request, _("Round %(number)s is published.") % {"number": row.number})
        return redirect(reverse("admin:tournaments_tournament_rounds", args=[stage.tournament_id]))
    messages.success(request, _("Round %(number)s is made as a draft: only officers see it.") % {"number": row.number})
    return redirect(reverse("admin:tournaments_tournament_boards", args=[row.pk]))


def seen_of(proposal: Proposal) -> str:
    """A digest of the boards shown."""
    return digest([repr(proposal.image())])
