"""One team: what it is called, who plays for it, its penalties; leaving the event, and coming back."""

from datetime import date
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clubrating.ground.numbers import number_in
from clubrating.web.admin import officer
from clubrating.web.requests import number_sent
from players.privacy.rules import OFFICER, shown_name
from players.refusals import Refused
from tournaments.events.admin.event_page import page, with_names
from tournaments.events.admin.forms import DayInput, NamesForm
from tournaments.models import LeagueClub, Team, TeamPenalty, TeamPlayer, TeamRules
from tournaments.standings.points import point_system
from tournaments.teams.admin.access import PointsField, team_for, with_capitals
from tournaments.teams.selectors.eligibility import games_up_of
from tournaments.teams.services.events import create_club
from tournaments.teams.services.guests import NamesRefused, add_by_names
from tournaments.teams.services.leaving import bring_team_back, counts_for_nothing, matches_left, take_team_out
from tournaments.teams.services.matches import lift_penalty, penalise
from tournaments.teams.services.teams import change_player, change_team, order_players, remove_player


class DetailsForm(forms.Form):
    """What the team is called, whose it is, who speaks for it, where it plays at home."""

    name = forms.CharField(label=pgettext_lazy("of a thing", "name"), max_length=100)
    short_name = forms.CharField(
        label=gettext_lazy("short name"),
        max_length=12,
        required=False,
        help_text=gettext_lazy("For tables and files."),
    )
    club = forms.ModelChoiceField(label=gettext_lazy("Club"), queryset=LeagueClub.objects.all(), required=False)
    new_club = forms.CharField(label=gettext_lazy("A new club"), max_length=100, required=False)
    captain = forms.TypedChoiceField(
        label=gettext_lazy("captain"),
        coerce=int,
        empty_value=None,
        required=False,
        help_text=gettext_lazy("One of the players on the list."),
    )
    venue = forms.CharField(label=gettext_lazy("venue"), max_length=200, required=False)
    revision = forms.IntegerField(label="", widget=forms.HiddenInput, required=False)

    def __init__(self, data: Any, team: Team, rows: list[TeamPlayer]) -> None:
        names = ("name", "short_name", "club", "captain", "venue", "revision")
        stands = {name: getattr(team, f"{name}_id" if name in ("club", "captain") else name) for name in names}
        super().__init__(data, initial=stands)
        people = {row.entry.player_id: row.entry.player for row in rows}
        if team.captain is not None:
            people[team.captain.pk] = team.captain
        named = [(key, shown_name(player, OFFICER)) for key, player in people.items()]
        self.fields["captain"].choices = [("", "–"), *named]  # type: ignore[attr-defined]
        with_capitals(self)


class PlayersForm(NamesForm):
    """Players to be put on the list."""

    guests = forms.BooleanField(
        label=gettext_lazy("New names come as guests"),
        required=False,
        help_text=gettext_lazy("A new player is made, whom the public sees by initials only."),
    )
    as_reserve = forms.BooleanField(label=gettext_lazy("As reserves"), required=False)
    first_day = forms.DateField(label=gettext_lazy("From"), required=False, widget=DayInput())


class PenaltyForm(forms.Form):
    """Points taken from a team, or given to it."""

    match_points = PointsField(
        label=gettext_lazy("Match points"), required=False, help_text=gettext_lazy("−1 takes one away.")
    )
    game_points = PointsField(label=gettext_lazy("Game points"), required=False)
    why = forms.CharField(
        label=gettext_lazy("Reason"), max_length=200, help_text=gettext_lazy("Stands below the public table.")
    )

    def __init__(self, *args: Any, unit: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["game_points"] = PointsField(unit=unit, label=_("Game points"), required=False)
        self.order_fields(["match_points", "game_points", "why"])


class NoteForm(forms.Form):
    note = forms.CharField(
        label=gettext_lazy("Note"),
        required=False,
        max_length=500,
        help_text=gettext_lazy("For officers only: no names of players."),
    )


def team(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The page and its forms; `do` says which one was sent. What is refused leaves everything as typed."""
    row = team_for(model_admin, request, key)
    asked = request.POST.get("do", "") if request.method == "POST" else ""
    listed = players_of(row)
    sent = {name: request.POST if asked == name else None for name in ("details", "players", "penalty", "leave")}
    unit = point_system(row.tournament.point_system).unit
    bound: dict[str, forms.Form] = {
        "details": DetailsForm(sent["details"], row, listed),
        "players": PlayersForm(sent["players"]),
        "penalty": PenaltyForm(sent["penalty"], unit=unit),
        "leave": NoteForm(sent["leave"]),
    }
    problem, problems, unknown = "", tuple[str, ...](), tuple[str, ...]()
    if request.method == "POST" and (asked not in bound or bound[asked].is_valid()):
        try:
            messages.success(request, _carry_out(request, row, listed, asked, bound.get(asked)))
        except NamesRefused as refusal:
            problems, unknown = tuple(with_names(each) for each in refusal.problems), refusal.unknown
        except Refused as refusal:
            problem = str(refusal)
        else:
            return redirect(request.path)
    rules = TeamRules.objects.get(tournament=row.tournament_id)
    up = games_up_of(row, rules)
    context: dict[str, Any] = {
        "title": row.name,
        "most_up": rules.games_up,
        "games_up": [(each.entry.player, up[each.entry.player_id]) for each in listed if each.entry.player_id in up],
        "team": row,
        "rows": listed,
        "penalties": TeamPenalty.objects.filter(team=row).select_related("match__round", "match__home", "match__away"),
        "unit": unit,
        "forms": bound,
        "left_over": len(matches_left(row)),
        "for_nothing": row.left_before is None and counts_for_nothing(row),
        "problem": problem,
        "problems": problems,
        "unknown": unknown,
    }
    return page(model_admin, request, "team", row.tournament, status=409 if problem or problems else 200, **context)


def players_of(row: Team) -> list[TeamPlayer]:
    """The list in its order."""
    return list(TeamPlayer.objects.filter(team=row).select_related("entry__player").order_by("place", "pk"))


def _carry_out(request: HttpRequest, row: Team, listed: list[TeamPlayer], asked: str, form: forms.Form | None) -> str:
    """Do what was asked; the sentence for it. Raises Refused."""
    by = officer(request)
    if "remove" in request.POST:
        remove_player(_own_row(listed, request.POST["remove"]), by=by)
        return _("The player is off the list.")
    if "lift" in request.POST or "impose" in request.POST:
        key = number_in(request.POST.get("lift") or request.POST.get("impose", ""))
        own = TeamPenalty.objects.filter(team=row, pk=key).first()
        lift_penalty(own.pk if own else 0, by=by, lifted="lift" in request.POST)
        return _("The penalty is lifted.") if "lift" in request.POST else _("The penalty counts again.")
    if asked == "list":
        return _save_list(request, row, listed)
    data = form.cleaned_data if form else {}
    if asked == "details":
        return _save_details(request, row, data)
    if asked == "players":
        return _add_players(request, row, data)
    if asked == "penalty":
        match_points, game_points = data["match_points"] or 0, data["game_points"] or 0
        penalise(row.pk, by=by, reason=data["why"], match_points=match_points, game_points=game_points)
        return _("The penalty stands in the table.")
    revision = number_sent(request, "revision")
    if asked == "leave":
        take_team_out(row.pk, by=by, note=data["note"], revision=revision)
        return _("“%(team)s” has left the event.") % {"team": row.name}
    if asked == "return":
        bring_team_back(row.pk, by=by, revision=revision)
        return _("“%(team)s” is back in the event.") % {"team": row.name}
    raise Refused(_("This page has no such button: look at the team again."))


def _save_details(request: HttpRequest, row: Team, data: dict[str, Any]) -> str:
    with transaction.atomic():
        club = data["club"].pk if data["club"] else 0
        if data["new_club"]:
            club = create_club(data["new_club"], by=officer(request)).pk
        named = {name: data[name] for name in ("name", "short_name", "venue")}
        change_team(
            row.pk, by=officer(request), club=club, captain=data["captain"] or 0, revision=data["revision"], **named
        )
    return _("The team is saved.")


def _add_players(request: HttpRequest, row: Team, data: dict[str, Any]) -> str:
    rows, new = add_by_names(
        row.pk,
        data["names"].splitlines(),
        by=officer(request),
        make_guests=data["guests"],
        since=data["first_day"],
        reserve=data["as_reserve"],
    )
    text = ngettext("%(count)s player is on the list.", "%(count)s players are on the list.", len(rows))
    done = text % {"count": len(rows)}
    return f"{done} {_('New here: %(count)s.') % {'count': new}}" if new else done


def _save_list(request: HttpRequest, row: Team, listed: list[TeamPlayer]) -> str:
    """Places and what is said of each player, all or nothing."""
    sent = {each.pk: number_sent(request, f"place-{each.pk}") for each in listed}
    if min(sent.values(), default=1) < 1:
        raise Refused(_("Every player needs a place: a number from 1 on."))
    by = officer(request)
    with transaction.atomic():
        order = sorted(listed, key=lambda each: (sent[each.pk], each.place))
        if [each.pk for each in order] != [each.pk for each in listed]:
            order_players(row.pk, [each.pk for each in order], by=by)
        for each in listed:
            wanted = {
                "since": _day(request, f"since-{each.pk}"),
                "until": _day(request, f"until-{each.pk}"),
                "reserve": bool(request.POST.get(f"reserve-{each.pk}")),
                "nominated": bool(request.POST.get(f"nominated-{each.pk}")),
            }
            if any(getattr(each, name) != value for name, value in wanted.items()):
                change_player(each.pk, by=by, **wanted)  # type: ignore[arg-type]
    return _("The list is saved.")


def _day(request: HttpRequest, name: str) -> date | None:
    text = request.POST.get(name, "")
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise Refused(_("“%(text)s” is no day. Nothing was saved.") % {"text": text[:20]}) from None


def _own_row(listed: list[TeamPlayer], text: str) -> int:
    """The key of a row of this list; 0, which is nobody's, for another."""
    key = number_in(text)
    return key if any(each.pk == key for each in listed) else 0
