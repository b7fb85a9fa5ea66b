"""Tables of an event without rounds: one table on one screen, who sat in which sides, and their places or scores.

A table of a day after which others are rated, and any change of one that is entered, goes on to the preview every
correction has; what was typed travels with it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from math import isfinite, nan
from typing import Any, NoReturn
from urllib.parse import urlencode

from django import forms
from django.contrib.admin import ModelAdmin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.ground.numbers import number_in
from clubrating.web.admin import officer
from clubrating.web.formatting import day_text
from players.models import AuditEvent, Player
from players.people.names import MAX_NAME, clean_name
from players.people.selectors import list_players
from players.privacy.rules import OFFICER, shown_name
from players.refusals import Refused, said, sign
from ratings.lists.selectors.chances import chances_at
from ratings.systems.sides import MAX_SIDES, MIN_WEIGHT
from tournaments.contests.selectors import contests_of, shown_contests
from tournaments.contests.services import (
    ContestData,
    ContestEnteredError,
    LateContestError,
    SideData,
    checked_sides,
    record_contest,
)
from tournaments.corrections.admin.games_brought import DayForm, day_asked
from tournaments.corrections.admin.preview import CorrectionPage, correction, say_done
from tournaments.corrections.services.contest_changes import ContestChange, ContestInserted
from tournaments.entries.services.names import People, look_up_alike, nobody
from tournaments.events.admin.event_page import open_event_for, page
from tournaments.models import Contest, Tournament
from tournaments.standings.places import places_by_scores, typed_places

LINES = 8
MOST_SUGGESTED = 500
SHOWN = 20
SHARE = "*"  # behind a name: the share of the contest the player took part in
BETWEEN = "+"  # names of one side


class TableForm(DayForm):
    """The day and the places; the sides stand in lines of their own."""

    places = forms.CharField(
        label=gettext_lazy("Places"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("In the order of the lines, like 1 2 2 4; equal places are a tie."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
    )


@dataclass(slots=True)
class SideLine:
    """A line as it was typed."""

    number: int
    names: str = ""
    score: str = ""
    chance: int | None = None

    @property
    def members(self) -> list[tuple[str, str]]:
        """Each name with the share behind it, as typed."""
        parts = [part.partition(SHARE) for part in self.names.split(BETWEEN)]
        return [(clean_name(name[: MAX_NAME + 1]), share.strip()) for name, _star, share in parts if name.strip()]


# --- entering -----------------------------------------------------------------------------------------------------
def tables(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The form of a table, what was posted on it, and the tables entered last."""
    event = open_event_for(model_admin, request, key)
    posted = request.POST if request.method == "POST" else None
    form = TableForm(posted, initial={"played_on": day_asked(request)})
    lines = read_lines(posted if posted is not None else request.GET)
    problem, ask_again = "", False
    if posted is not None and form.is_valid():
        try:
            new = ContestData(event.pk, sides_typed(event, lines, form.cleaned_data["places"]), _day(form))
            record_contest(new, by=officer(request), again=bool(posted.get("again")))
        except LateContestError:
            return _late(request, event, new)
        except ContestEnteredError as refusal:
            problem, ask_again = str(refusal), True
        except Refused as refusal:
            problem = said(refusal)
        else:
            say_done(request, None, _("The table is saved and rated."))
            return redirect(f"{request.path}?{urlencode({'day': _day(form)})}")
    elif posted is not None:
        problem = _("Nothing is saved yet: look at the day.")
    context = {"title": _("Enter tables"), "ask_again": ask_again, "entered": _entered(event)}
    return _show(model_admin, request, event, form, lines, problem, **context, **_expected(event, lines))


def _expected(event: Tournament, lines: Sequence[SideLine]) -> dict[str, Any]:
    """Each line's chance of first place before the table is entered; nothing where the lines do not read yet."""
    people = look_up_alike(name for line in lines for name, _share in line.members)
    try:
        members = [_members(line, people) for line in lines]
    except Refused:
        return {}
    keys = [key for side in members for key, _share in side]
    if len(members) < 2 or len(set(keys)) < len(keys):
        return {}
    players = {player.pk: player for player in people.found.values()}
    sides = [[players[key] for key, _share in side] for side in members]
    weights = [[share for _key, share in side] for side in members]
    if not all(MIN_WEIGHT <= share <= 1 for side in weights for share in side):
        return {}
    found = chances_at(event.pool, [sides], timezone.localdate(), weights)
    chances = found.tables[0] if found.tables else None
    for line, chance in zip(lines, chances.sides if chances else (), strict=False):
        line.chance = chance
    return {
        "rating_list": found.rating_list,
        "expected": True,
        "tied": chances and chances.tied,
        "ties": found.knows_ties,
    }


def _day(form: TableForm) -> date:
    day: date = form.cleaned_data["played_on"]
    return day


def _late(request: HttpRequest, event: Tournament, new: ContestData) -> HttpResponse:
    """A table of a day behind which others are rated: what it moves, then the button that enters it."""
    back = reverse("admin:tournaments_tournament_tables", args=[event.pk])
    texts = CorrectionPage(
        title=_("Enter a table of an earlier day"),
        says=[f"{_in_words(new.sides)}{sign(', ')}{day_text(new.played_on)}"],
        hidden=typed(request),
        back=back,
        reason=AuditEvent.Reason.LATE_REPORT,
        button=_("Enter the table"),
        success=_("The table is entered, and every rating behind it is counted anew."),
    )
    return correction(request, ContestInserted(new), texts)


def typed(request: HttpRequest) -> list[tuple[str, str]]:
    """What was typed, to travel hidden through a preview."""
    names = [
        name
        for name in request.POST
        if name in ("played_on", "places", "revision") or name.startswith(("side-", "score-"))
    ]
    return [(name, request.POST[name]) for name in names]


# --- reading ------------------------------------------------------------------------------------------------------
def read_lines(posted: Mapping[str, str]) -> list[SideLine]:
    """The lines with something on them, counted as they are shown again: an empty one between others is left out."""
    lines: list[SideLine] = []
    for number in range(1, MAX_SIDES + 1):
        names, score = (posted.get(f"{field}-{number}", "").strip() for field in ("side", "score"))
        if names or score:
            lines.append(SideLine(len(lines) + 1, names, score))
    return lines


def sides_typed(event: Tournament, lines: Sequence[SideLine], places: str) -> tuple[SideData, ...]:
    """The sides of those lines. Raises Refused with a sentence that names the line."""
    people = look_up_alike(name for line in lines for name, _share in line.members)
    members = [_members(line, people) for line in lines]
    scores = [_score(line) for line in lines] if event.scores else [None] * len(lines)
    given = _places_given(places, scores, low_wins=event.low_score_wins)
    return tuple(
        SideData(place, tuple(key for key, _share in own), tuple(share for _key, share in own), score)
        for place, own, score in zip(given, members, scores, strict=True)
    )


def _places_given(text: str, scores: Sequence[float | None], *, low_wins: bool) -> list[int]:
    """The places typed, else those that follow from the scores. Raises Refused."""
    known = [Fraction(score) for score in scores if score is not None]
    try:
        if text.strip():
            return typed_places(text, len(scores))
        if known and len(known) == len(scores):
            return places_by_scores(known, lower_is_better=low_wins)
    except ValueError as reason:
        raise Refused(said(reason)) from None
    raise Refused(_("Write the places in the order of the lines, like 1 2 2 4."))


def _members(line: SideLine, people: People) -> list[tuple[int, float]]:
    found = []
    for name, share in line.members:
        if name not in people.found:
            _refuse(line, people.problems.get(name) or nobody(name))
        found.append((people.found[name].pk, _share(line, share) if share else 1.0))
    if not found:
        _refuse(line, _("this side has nobody"))
    return found


def _share(line: SideLine, text: str) -> float:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        _refuse(line, _("“%(text)s” is no share: write one from 0 to 1, like *0.5") % {"text": text})


def _score(line: SideLine) -> float | None:
    if not line.score:
        return None
    try:
        score = float(line.score.replace(",", ".").replace("−", "-"))
    except ValueError:
        score = nan
    if not isfinite(score):
        _refuse(line, _("“%(text)s” is no score: write a number") % {"text": line.score})
    return score


def _refuse(line: SideLine, reason: str) -> NoReturn:
    raise Refused(_("Line %(number)s: %(reason)s") % {"number": line.number, "reason": reason})


# --- one table ----------------------------------------------------------------------------------------------------
def table(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """A table that is entered: other places, scores, people, or another day; withdrawn, or put back."""
    row = Contest.objects.filter(pk=key).select_related("tournament").first()
    if row is None:
        raise Http404
    event = open_event_for(model_admin, request, row.tournament_id)
    posted = request.POST if request.method == "POST" else None
    if posted is not None and "withdraw" in posted:
        return _withdraw(request, row)
    form = TableForm(posted, initial={"played_on": row.played_on, "places": " ".join(_places(row))})
    seen = number_in(posted.get("revision", "")) if posted is not None else row.revision
    lines, problem = read_lines(posted) if posted is not None else _lines_of(row), ""
    if posted is not None and form.is_valid():
        try:
            sides = checked_sides(sides_typed(event, lines, form.cleaned_data["places"]), event)
        except Refused as refusal:
            problem = said(refusal)
        else:
            texts = CorrectionPage(
                title=_("Correct a table"),
                says=[f"{_in_words(sides)}{sign(', ')}{day_text(_day(form))}"],
                hidden=typed(request),
                back=request.path,
            )
            return correction(request, ContestChange(row.pk, sides, _day(form), revision=seen), texts)
    elif posted is not None:
        problem = _("Nothing is saved yet: look at the day.")
    return _show(model_admin, request, event, form, lines, problem, title=_("Correct a table"), row=row, seen=seen)


def _withdraw(request: HttpRequest, row: Contest) -> HttpResponse:
    """Take a table out of every list, or put it back."""
    out = not row.withdrawn
    texts = CorrectionPage(
        title=_("Withdraw a table") if out else _("Put a table back"),
        says=[_in_words(row_sides(row)), _("It counts in no list any more, and can be put back.") if out else ""],
        hidden=[("withdraw", "1")],
        back=request.path,
        reason=AuditEvent.Reason.DUPLICATE if out else "",
        button=_("Withdraw the table") if out else _("Put the table back"),
    )
    return correction(request, ContestChange(row.pk, withdrawn=out, revision=row.revision), texts)


def row_sides(row: Contest) -> list[SideData]:
    """The sides of a contest in order of place."""
    shown = shown_contests([row])[0].sides
    return [SideData(side.place, tuple(each.player_id for each in side.members), (), side.score) for side in shown]


def _places(row: Contest) -> list[str]:
    return [str(side.place) for side in row.sides.order_by("line")]


def _lines_of(row: Contest) -> list[SideLine]:
    lines = []
    for side in row.sides.order_by("line").prefetch_related("members__player"):
        members = sorted(side.members.all(), key=lambda member: member.player.number)
        shares = ["" if member.weight == 1 else f" {SHARE}{member.weight:.15g}" for member in members]
        names = f" {BETWEEN} ".join(f"#{who.player.number}{share}" for who, share in zip(members, shares, strict=True))
        lines.append(SideLine(side.line, names, "" if side.score is None else f"{side.score:.15g}"))
    return lines


# --- showing ------------------------------------------------------------------------------------------------------
def _show(
    model_admin: ModelAdmin,
    request: HttpRequest,
    event: Tournament,
    form: TableForm,
    lines: Sequence[SideLine],
    problem: str,
    **context: Any,
) -> HttpResponse:
    size = min(max(LINES, len(lines) + 2), MAX_SIDES)
    filled = [*lines, *(SideLine(0) for _ in range(size - len(lines)))]
    for number, line in enumerate(filled, start=1):
        line.number = number
    people = list(list_players(OFFICER).filter(active=True)[:MOST_SUGGESTED])
    context |= {
        "form": form,
        "lines": filled,
        "suggestions": [(f"#{player.number}", shown_name(player, OFFICER)) for player in people],
        "problem": problem,
    }
    return page(model_admin, request, "tables", event, status=409 if problem else 200, **context)


def _entered(event: Tournament) -> Any:
    return shown_contests(contests_of(event)[:SHOWN])


def _in_words(sides: Sequence[SideData]) -> str:
    """ "1. Ada + Bo, 2. Cleo + Dag"."""
    people = Player.objects.in_bulk({key for side in sides for key in side.players})
    ordered = sorted(sides, key=lambda side: side.place)
    return sign(", ").join(
        f"{side.place}. " + f" {BETWEEN} ".join(shown_name(people[key], OFFICER) for key in side.players)
        for side in ordered
    )
