"""The teams of an event: entered, several at once, and numbered."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from secrets import randbelow
from typing import Any

from django import forms
from django.contrib.admin import ModelAdmin
from django.db import transaction
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubrating.ground.figures import round_half_away
from clubrating.web.admin import officer
from clubrating.web.requests import number_sent
from players.people.names import clean_name
from players.refusals import Refused
from tournaments.events.admin.event_page import page
from tournaments.events.admin.forms import LotsForm
from tournaments.models import LeagueClub, Team, TeamMatch, TeamPlayer, TeamRules, Tournament
from tournaments.pairing.base import SEED_BELOW
from tournaments.teams.admin.access import carried_out, team_event_for
from tournaments.teams.services.events import create_club
from tournaments.teams.services.teams import add_team, number_teams, remove_team

MOST_AT_ONCE = 100
LONGEST_NAME = 100


class TeamsForm(forms.Form):
    """Several teams, of one club where one is named."""

    names = forms.CharField(
        label=gettext_lazy("Names of the teams"),
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text=gettext_lazy("One per line."),
    )
    club = forms.ModelChoiceField(label=gettext_lazy("Club"), queryset=LeagueClub.objects.all(), required=False)
    new_club = forms.CharField(
        label=gettext_lazy("A new club"),
        max_length=100,
        required=False,
        help_text=gettext_lazy("Of a team of guests whose club is not in the list."),
    )


@dataclass(frozen=True, slots=True)
class Row:
    """A team with how many play for it, and the mean of those who sit first."""

    team: Team
    players: int
    mean: int | None


def teams(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The page and its buttons; `do` says which one was pressed."""
    tournament, rules = team_event_for(model_admin, request, key)
    asked = request.POST.get("do", "") if request.method == "POST" else ""
    form = TeamsForm(request.POST if asked == "add" else None)
    lots = LotsForm(request.POST if asked == "lots" else None)
    problem, ready = "", all(not each.is_bound or each.is_valid() for each in (form, lots))
    if request.method == "POST" and ready:
        problem = carried_out(request, lambda: _carry_out(request, tournament, rules, asked, form, lots))
        if not problem:
            return redirect(request.path)
    context: dict[str, Any] = {
        "title": _("Teams"),
        "rows": rows_of(tournament, rules),
        "fixed": TeamMatch.objects.filter(round__stage__tournament=tournament).exists(),
        "form": form,
        "lots_form": lots,
        "problem": problem,
    }
    return page(model_admin, request, "teams", tournament, status=409 if problem else 200, **context)


def rows_of(tournament: Tournament, rules: TeamRules) -> list[Row]:
    """The teams in the order of their numbers. Two queries."""
    found = Team.objects.filter(tournament=tournament).select_related("club", "captain")
    rows = list(found.annotate(count=Count("players")).order_by("number"))
    ratings: dict[int, list[float]] = {}
    listed = TeamPlayer.objects.filter(team__tournament=tournament, until=None, entry__rating__isnull=False)
    for team, rating in listed.order_by("reserve", "place").values_list("team", "entry__rating"):
        ratings.setdefault(team, []).append(rating or 0)
    return [Row(team, team.count, _mean(ratings.get(team.pk, [])[: rules.boards])) for team in rows]


def _mean(ratings: Sequence[float]) -> int | None:
    return round_half_away(sum(ratings) / len(ratings)) if ratings else None


def _carry_out(
    request: HttpRequest, tournament: Tournament, rules: TeamRules, asked: str, form: TeamsForm, lots: LotsForm
) -> str:
    """Do what was asked; the sentence for it. Raises Refused."""
    by, rows = officer(request), rows_of(tournament, rules)
    if "remove" in request.POST:
        keys = {row.team.pk for row in rows}
        remove_team(key if (key := number_sent(request, "remove")) in keys else 0, by=by)
        return _("The team is taken out of the event.")
    if asked == "add":
        return _add(request, tournament, form)
    if not rows:
        raise Refused(_("There is no team yet: enter the teams first."))
    if asked == "lots":
        seed = lots.cleaned_data["seed"]
        seed = randbelow(SEED_BELOW) if seed is None else seed
        keys_in_order = [row.team.pk for row in rows]
        Random(seed).shuffle(keys_in_order)
        number_teams(tournament.pk, keys_in_order, by=by)
        return _("Lots are drawn with seed %(seed)s.") % {"seed": seed}
    if asked == "rating":
        by_mean = sorted(rows, key=lambda row: (-(row.mean or 0), row.team.number))
        number_teams(tournament.pk, [row.team.pk for row in by_mean], by=by)
        return _("Numbers are given by rating.")
    if asked == "numbers":
        number_teams(tournament.pk, _typed_order(request, rows), by=by)
        return _("The numbers are given as drawn.")
    raise Refused(_("This page has no such button: look at the teams again."))


def _add(request: HttpRequest, tournament: Tournament, form: TeamsForm) -> str:
    """All of them or none."""
    names = [name for line in form.cleaned_data["names"].splitlines() if (name := clean_name(line))]
    if len(names) > MOST_AT_ONCE:
        raise Refused(_("At most %(most)s teams at once: send fewer.") % {"most": MOST_AT_ONCE})
    by = officer(request)
    with transaction.atomic():
        club = form.cleaned_data["club"]
        if new := form.cleaned_data["new_club"]:
            club = create_club(new, by=by)
        for name in names:
            if len(name) > LONGEST_NAME:
                raise Refused(_("“%(name)s…” is too long for the name of a team: shorten it.") % {"name": name[:30]})
            add_team(tournament.pk, name, by=by, club=club, venue=club.venue if club else "")
    text = ngettext("%(count)s team is entered.", "%(count)s teams are entered.", len(names))
    return text % {"count": len(names)}


def _typed_order(request: HttpRequest, rows: Iterable[Row]) -> list[int]:
    """The teams in the order of the numbers typed. Raises Refused where those are not 1…n, each once."""
    typed = {row.team.pk: number_sent(request, f"number-{row.team.pk}") for row in rows}
    if sorted(typed.values()) != list(range(1, len(typed) + 1)):
        text = _("The numbers must be 1 to %(count)s, each once: look at them again.")
        raise Refused(text % {"count": len(typed)})
    return sorted(typed, key=lambda key: typed[key])
