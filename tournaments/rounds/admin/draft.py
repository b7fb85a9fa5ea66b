"""The boards of a round made one by one: set by hand, compared with the engine's, published or deleted.

Each board has two lists to choose from, so it works without script; a form that is refused comes back as it was typed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.web.admin import officer
from clubrating.web.requests import number_sent
from players.privacy.rules import OFFICER, shown_name
from players.refusals import Refused
from tournaments.events.admin.event_page import page, with_names
from tournaments.models import Entry, Round, Stage
from tournaments.presence.services import is_excusing
from tournaments.rounds.admin.next_round import NextRoundForm, after_making, stage_for
from tournaments.rounds.admin.rounds import round_for
from tournaments.rounds.selectors.field import Attendance, attendance, next_number, open_boards
from tournaments.rounds.selectors.why import explains
from tournaments.rounds.services.by_hand import BY_HAND, Drawn, Pair, compare, drawn, pair_by_hand, re_pair
from tournaments.rounds.services.rounds import publish_round


@dataclass(frozen=True, slots=True)
class Chooser:
    """A list to choose a player from: its field's name, its label, and the entry chosen ("" for nobody)."""

    name: str
    label: str
    chosen: str


@dataclass(frozen=True, slots=True)
class Line:
    """A board to be filled."""

    number: int
    white: Chooser
    black: Chooser


# --- a draft ------------------------------------------------------------------------------------------------------
def boards(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """A round's boards: a draft's can be set otherwise and published; published they stand beside the engine's."""
    row, tournament = round_for(model_admin, request, key)
    stage, _event = stage_for(model_admin, request, row.stage_id)
    problem = ""
    if request.method == "POST":
        try:
            return _save(request, row, stage)
        except Refused as refusal:
            problem = str(refusal)
    now, who = drawn(row), attendance(stage, row.number)
    typed = request.POST if problem else _typed(now)
    context = {
        "title": _("Boards of round %(number)s") % {"number": row.number},
        "round": row,
        "is_draft": row.state == Round.State.DRAFT,
        "drawn": now,
        "excusing": is_excusing(stage),
        "problem": problem,
        "whys": _whys(row, who, now) if explains(stage) else [],
        **_form_context(who, typed),
        **_comparison(row, stage),
    }
    return page(model_admin, request, "boards", tournament, status=409 if problem else 200, **context)


def _save(request: HttpRequest, row: Round, stage: Stage) -> HttpResponse:
    """What is set, and public too where that was asked. Raises Refused."""
    pairs = read_boards(attendance(stage, row.number), request.POST)
    publish = request.POST.get("do") == "publish"
    if not publish or pairs != list(drawn(row).boards):
        revision = number_sent(request, "revision")
        row = re_pair(row.pk, pairs, by=officer(request), revision=revision, **_ticks(request))
        messages.success(request, _("The boards are saved."))
    if publish:
        try:
            return after_making(request, publish_round(row.pk, by=officer(request), revision=row.revision))
        except Refused as refusal:  # what was saved stays saved
            messages.error(request, with_names(str(refusal)))
    return redirect(request.path)


def _comparison(row: Round, stage: Stage) -> dict[str, Any]:
    """How the engine would pair the same people; nothing where the format has no engine."""
    if stage.pairing_system == BY_HAND:
        return {}
    try:
        differences = compare(row)
    except Refused as refusal:
        return {"compared": True, "not_comparable": with_names(str(refusal))}
    rows = [{"here": _pair_words(d.here), "engine": _pair_words(d.engine), "colours": d.colours} for d in differences]
    return {"compared": True, "differences": rows}


def _whys(row: Round, who: Attendance, now: Drawn) -> list[tuple[int, str]]:
    """Every board with the address of the page that explains it."""
    numbers = {entry.pk: own for own, entry in who.entries.items()}
    slug = row.stage.tournament.slug
    return [
        (board, reverse("tournaments:why", args=[slug, row.number, numbers[white.pk]]))
        for board, (white, _black) in enumerate(now.boards, start=1)
        if white.pk in numbers
    ]


def _pair_words(pair: Pair | None) -> str:
    if pair is None:
        return "–"
    white, black = pair
    return f"{_name(white)} – {_name(black)}" if black else _("%(player)s: bye") % {"player": _name(white)}


def _name(entry: Entry) -> str:
    return shown_name(entry.player, OFFICER)


# --- a round by hand ----------------------------------------------------------------------------------------------
def by_hand(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The next round with boards from nothing."""
    stage, tournament = stage_for(model_admin, request, key)
    number = next_number(stage)
    posted = request.POST if request.method == "POST" else None
    day = tournament.nearest_day(timezone.localdate())
    form = NextRoundForm(posted, waiting=bool(open_boards(stage, number)), initial={"day": day})
    who, problem = attendance(stage, number), ""
    if posted is not None and form.is_valid():
        try:
            return _make(request, stage, who, form)
        except Refused as refusal:
            problem = str(refusal)
    context = {
        "title": _("Round %(number)s by hand") % {"number": number},
        "stage": stage,
        "form": form,
        "problem": problem,
        **_form_context(who, posted or {}),
    }
    return page(model_admin, request, "by_hand", tournament, status=409 if problem else 200, **context)


def _make(request: HttpRequest, stage: Stage, who: Attendance, form: NextRoundForm) -> HttpResponse:
    data = form.cleaned_data
    row = pair_by_hand(
        stage,
        read_boards(who, request.POST),
        by=officer(request),
        day=data["day"],
        at=data["at"],
        pair_anyway=data.get("pair_anyway", False),
        **_ticks(request),
    )
    return after_making(request, row)


# --- the lists to choose from -----------------------------------------------------------------------------------
def read_boards(who: Attendance, posted: Mapping[str, str]) -> list[Pair]:
    """The boards of a posted form, the bye last. Raises Refused for half a board, and for anybody not of the field."""
    by_key = {str(entry.pk): entry for entry in who.entries.values()}
    pairs: list[Pair] = []
    for number in range(1, len(who.entries) // 2 + 1):
        sides = [posted.get(f"{colour}-{number}", "") for colour in ("white", "black")]
        if not any(sides):
            continue
        if not all(sides):
            text = _("Board %(number)s has only one player: choose the other, or give the bye.")
            raise Refused(text % {"number": number})
        white, black = (_entry(by_key, side) for side in sides)
        pairs.append((white, black))
    bye = posted.get("bye", "")
    return [*pairs, (_entry(by_key, bye), None)] if bye else pairs


def _entry(by_key: Mapping[str, Entry], key: str) -> Entry:
    if key not in by_key:
        raise Refused(_("Somebody chosen cannot be paired in this round any more: look at the lists again."))
    return by_key[key]


def _ticks(request: HttpRequest) -> dict[str, bool]:
    return {name: bool(request.POST.get(name)) for name in ("rest_absent", "nevertheless")}


def _typed(now: Drawn) -> dict[str, str]:
    typed = {"bye": next((str(white.pk) for white, black in now.boards if black is None), "")}
    games = ((white, black) for white, black in now.boards if black is not None)
    for number, (white, black) in enumerate(games, start=1):
        typed |= {f"white-{number}": str(white.pk), f"black-{number}": str(black.pk)}
    return typed


def _form_context(who: Attendance, typed: Mapping[str, str]) -> dict[str, Any]:
    people = [(str(entry.pk), f"{number} {_name(entry)}") for number, entry in who.entries.items()]
    return {
        "people": people,
        "lines": [_line(number, typed) for number in range(1, len(who.entries) // 2 + 1)],
        "bye": Chooser("bye", _("Bye"), typed.get("bye", "")),
        "ticked": {name: bool(typed.get(name)) for name in ("rest_absent", "nevertheless")},
    }


def _line(number: int, typed: Mapping[str, str]) -> Line:
    labels = {"white": _("White on board %(number)s"), "black": _("Black on board %(number)s")}
    white, black = (
        Chooser(f"{side}-{number}", label % {"number": number}, typed.get(f"{side}-{number}", ""))
        for side, label in labels.items()
    )
    return Line(number, white, black)
