"""The entries of an event, and their numbers.

Once rounds are made the same form enters somebody late, where the format has room.
"""

from itertools import groupby
from operator import attrgetter
from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.ground.numbers import number_in
from clubrating.web.admin import officer
from clubrating.web.requests import number_sent
from players.models import Player
from players.people.names import clean_name
from players.privacy.rules import OFFICER, shown_name
from players.refusals import Refused, listed
from ratings.lists.selectors.lists import main_list_of
from ratings.systems.probation import Probation, Record
from tournaments.corrections.admin.starting_ratings import late_starts_shown
from tournaments.entries.admin.forms import HallNumbersForm
from tournaments.entries.selectors import candidates_for, with_the_one_ticked
from tournaments.entries.services.entries import (
    enter_players,
    match_names,
    number_by_lot,
    number_by_rating,
    number_in_order,
    numbered,
)
from tournaments.entries.services.late import enter_late, late_terms, removable
from tournaments.entries.services.names import look_up
from tournaments.entries.services.numbering import may_correct, renumber_by_rating
from tournaments.events.admin.event_page import page, tournament_for
from tournaments.events.admin.forms import LotsForm, NamesForm
from tournaments.events.admin.workflow import numbers_state
from tournaments.events.selectors.events import entries_of
from tournaments.events.selectors.stages import name_together, system_of
from tournaments.models import ByeKind, ByeRequest, Entry, Round, Tournament
from tournaments.pairing.base import RoundSystem
from tournaments.registrations.selectors import count_waiting
from tournaments.registrations.services.desk import take_entry_back
from tournaments.registrations.services.rules import why_never
from tournaments.undo.admin.undo import success_with_undo

BETWEEN = "+"  # names of one entry
MOST_NEW = 30  # links to add a new player; longer lists are imported as a file


def entries(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The page and its buttons; `do` says which one was pressed. What cannot be done leaves everything as typed."""
    tournament = tournament_for(model_admin, request, key)
    if request.method != "POST" or _filters(request):
        return _show(model_admin, request, tournament)
    lots = LotsForm(request.POST) if request.POST.get("do") == "lots" else None
    if lots and not lots.is_valid():
        return _show(model_admin, request, tournament, lots=lots)
    try:
        done, problems = _carry_out(request, tournament, lots)
    except Refused as refusal:
        done, problems = "", (str(refusal),)
    if problems:
        return _show(model_admin, request, tournament, problems=problems)
    removes = "remove" in request.POST
    success_with_undo(request, tournament, done, "entry.removed" if removes else "")
    # After entering somebody the page is shown ready for the next name.
    enters = not removes and request.POST.get("do") not in ("lots", "rating")
    return redirect(f"{request.path}?next=1#enter" if enters else request.path)


def _filters(request: HttpRequest) -> bool:
    """Whether names are looked for, or all ticked. Enter, pressed again in a search that has found and ticked the one,
    enters that player."""
    searched = request.POST.get("q", "")
    again = searched and searched == request.POST.get("found_by") and _ticked(request)
    return request.POST.get("do") == "all" or (request.POST.get("do") == "filter" and not again)


def _carry_out(request: HttpRequest, tournament: Tournament, lots: LotsForm | None) -> tuple[str, tuple[str, ...]]:
    """Do what was asked; the sentence for it, or the problems. Raises Refused."""
    if "remove" in request.POST:
        return _remove(request, tournament), ()
    stage = tournament.stages.first()
    if stage is None or (lots is None and request.POST.get("do") != "rating"):
        return _enter(request, tournament)
    if not tournament.entries.exists():
        raise Refused(_("Nobody is entered yet: enter the players first."))
    if lots is not None:
        seed = number_by_lot(stage, by=officer(request), seed=lots.cleaned_data["seed"])
        return _("Lots are drawn with seed %(seed)s.") % {"seed": seed}, ()
    sort = renumber_by_rating if _has_rounds(tournament) else number_by_rating
    sort(stage, by=officer(request))
    return _("Numbers are given by rating."), ()


def _enter(request: HttpRequest, tournament: Tournament) -> tuple[str, tuple[str, ...]]:
    pasted = NamesForm(request.POST)
    if not pasted.is_valid():
        return "", tuple(str(error) for error in pasted.errors["names"])
    if tournament.entry_size > 1:
        return _enter_together(request, tournament, pasted.cleaned_data["names"])
    named = match_names(pasted.cleaned_data["names"].splitlines())
    # By number: the public sees the entries in this order, and it must not show how hidden names sort.
    ticked = list(Player.objects.filter(pk__in=_ticked(request), merged_into=None).order_by("number"))
    again = Entry.objects.filter(tournament=tournament, player__in=named.players).select_related("player")
    text = _("“%(name)s” is entered already: remove the line.")
    problems = [*named.problems, *(text % {"name": shown_name(row.player, OFFICER)} for row in again)]
    if problems:
        return "", tuple(problems)
    # Whoever is ticked and pasted is entered once.
    players = list(dict.fromkeys([*ticked, *named.players]))
    if not players:
        return "", (_("Nobody was chosen: tick players or paste their names."),)
    enter = enter_late if _has_rounds(tournament) else enter_players
    count = len(enter(tournament, players, by=officer(request)))
    return ngettext("%(count)s player is entered.", "%(count)s players are entered.", count) % {"count": count}, ()


def _enter_together(request: HttpRequest, tournament: Tournament, text: str) -> tuple[str, tuple[str, ...]]:
    """Those ticked are one entry; each line pasted is another, its names with + between them."""
    ticked = list(Player.objects.filter(pk__in=_ticked(request), merged_into=None).order_by("number"))
    lines = [line.split(BETWEEN) for line in text.splitlines() if clean_name(line)]
    named = match_names([name for line in lines for name in line])
    if named.problems:
        return "", named.problems
    people = iter(named.players)
    groups = [[next(people) for name in line if clean_name(name)] for line in lines]
    groups = [ticked, *groups] if ticked else groups
    if not groups:
        return "", (_("Nobody was chosen: tick players or paste their names."),)
    partners = {group[0].pk: group[1:] for group in groups if group}
    enter = enter_late if _has_rounds(tournament) else enter_players
    made = enter(tournament, [group[0] for group in groups if group], by=officer(request), partners=partners)
    return ngettext("%(count)s entry is made.", "%(count)s entries are made.", len(made)) % {"count": len(made)}, ()


def _has_rounds(tournament: Tournament) -> bool:
    return Round.objects.filter(stage__tournament=tournament).exists()


def _remove(request: HttpRequest, tournament: Tournament) -> str:
    entry = Entry.objects.filter(tournament=tournament, pk=number_sent(request, "remove")).first()
    if entry is None:
        raise Refused(_("This entry is not in the tournament any more."))
    take_entry_back(entry.pk, tournament, by=officer(request))
    return _("The entry is taken back.")


def _ticked(request: HttpRequest) -> set[int]:
    return {number_in(text) for text in request.POST.getlist("player")[:1000]} - {-1}


def _state(entry: Entry, byes: list[ByeRequest]) -> str:
    """What is out of the ordinary with an entry, in words."""
    parts = []
    if entry.withdrawn:
        parts.append(_("withdrawn"))
    if entry.first_round > 1:
        parts.append(_("from round %(round)s on") % {"round": entry.first_round})
    for kind, asked in groupby(sorted(byes, key=attrgetter("kind")), key=attrgetter("kind")):
        values = {"kind": ByeKind(kind).label, "rounds": listed(bye.round_number for bye in asked)}
        parts.append(_("%(kind)s in round %(rounds)s") % values)
    return " · ".join(parts)


def _names_form(tournament: Tournament, names: str) -> NamesForm:
    form = NamesForm(initial={"names": names})
    if tournament.entry_size > 1:
        form.fields["names"].help_text = _("One entry a line, names with + between them: Ada Alvarez + #17.")
    return form


def _unknown(request: HttpRequest) -> list[str]:
    """The pasted names nobody has, so that whoever is new can be added at once."""
    if not request.user.has_perm("players.add_player"):
        return []
    lines = request.POST.get("names", "")[:20_000].replace(BETWEEN, "\n").splitlines()
    names = [clean_name(line) for line in lines]
    wanted = [name for name in dict.fromkeys(names) if name and not name.startswith("#")]
    people = look_up(wanted)
    return [name for name in wanted if people.is_new(name)][:MOST_NEW]


def _show(
    model_admin: ModelAdmin,
    request: HttpRequest,
    tournament: Tournament,
    *,
    problems: tuple[str, ...] = (),
    lots: LotsForm | None = None,
) -> HttpResponse:
    rows = sorted(
        Entry.objects.filter(tournament=tournament).select_related("player"), key=lambda row: (row.number or 0, row.pk)
    )
    name_together(rows, tournament)
    numbers, fixed = [entry.number for entry in rows], _has_rounds(tournament)
    search = clean_name(request.POST.get("q") or request.GET.get("q") or "")[:100]
    rating_list, stage = main_list_of(tournament.pool), tournament.stages.order_by("order").first()
    byes: dict[int, list[ByeRequest]] = {}
    for asked in ByeRequest.objects.filter(entry__tournament=tournament).order_by("round_number"):
        byes.setdefault(asked.entry_id, []).append(asked)
    tick_all = request.POST.get("do") == "all"
    candidates = candidates_for(tournament, search=search, ticked=_ticked(request), tick_all=tick_all)
    context: dict[str, Any] = {
        "title": _("Entries"),
        "entries": [(row, _state(row, byes.get(row.pk, [])), _known(row)) for row in rows],
        "numbers": numbers_state(stage, numbers),
        "ready": numbered(numbers),
        "by_rating": stage is not None and isinstance(system_of(stage), RoundSystem),
        "fixed": fixed,
        "removable": removable(tournament) if fixed else {row.pk for row in rows},
        "may_sort": fixed and not tournament.closed and stage is not None and may_correct(stage),
        "late": late_terms(tournament) if fixed else None,
        "candidates": with_the_one_ticked(candidates) if search else candidates,
        "probation": rating_list.probation if rating_list else Probation(0),
        "search": search,
        "problems": problems,
        "unknown": _unknown(request) if problems else [],
        "goes_on": bool(search or request.GET.get("next")),
        "said_below": bool(request.GET.get("next")),
        "names_form": _names_form(tournament, request.POST.get("names", "")[:20_000]),
        "lots_form": lots or LotsForm(),
        "requests_waiting": count_waiting(tournament),
        "may_take_entries": not tournament.closed and not why_never(tournament),
        **late_starts_shown(request, tournament),
    }
    return page(model_admin, request, "entries", tournament, **context)


def _known(entry: Entry) -> Record | None:
    """What the rating at entry rests on; None where it is no list's."""
    return None if entry.rating_games is None else Record(entry.rating_games, deviation=entry.rating_deviation)


def numbers(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The fields; what is not 1…n without a gap is shown beside its field."""
    tournament = tournament_for(model_admin, request, key)
    entries = list(entries_of([tournament.pk]))
    name_together(entries, tournament)
    form = HallNumbersForm(request.POST if request.method == "POST" else None, entries=entries)
    stage, problem = tournament.stages.first(), ""
    if request.method == "POST" and stage is not None and form.is_valid():
        try:
            number_in_order(stage, form.in_order(), by=officer(request))
        except Refused as refusal:
            problem = str(refusal)
        else:
            messages.success(request, _("The numbers are given as drawn."))
            return redirect(reverse("admin:tournaments_tournament_entries", args=[tournament.pk]))
    title = _("Numbers drawn in the hall")
    return page(model_admin, request, "numbers", tournament, title=title, form=form, entries=entries, problem=problem)
