"""The next season of a league: who plays where, proposed by the lines and changed by the arbiter, then made at once."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.validators import MaxValueValidator, MinValueValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.admin import admin_page, officer
from players.people.names import clean_name
from players.refusals import Refused, listed
from tournaments.events.admin.forms import LATEST_DAY, DayInput
from tournaments.events.services.copying import next_year
from tournaments.models import League
from tournaments.results.services.results import EARLIEST_DAY
from tournaments.teams.selectors.leagues import Season, seasons_of_league
from tournaments.teams.selectors.next_season import DivisionPlan, SeasonPlan, next_name, plan_of, season_to_follow
from tournaments.teams.services.next_season import NextDivision, NextSeason, make_next_season

MOST_NEW = 50  # teams a division gets beside those of the last season


class NextSeasonForm(forms.Form):
    """The name of the season; for each division (by the key of its last event) name, first day and new teams; for each
    team where it plays."""

    season = forms.CharField(label=gettext_lazy("Season"), max_length=20)

    def __init__(self, data: Any, plan: SeasonPlan) -> None:
        following = next_name(plan.season.name)
        super().__init__(data, initial={"season": following})
        self.plan = plan
        choices = []
        for division in plan.divisions:
            choices.append((str(division.facts.tournament.pk), self._add_division(division, following)))
        for division in plan.divisions:
            for row in division.teams:
                field = forms.ChoiceField(choices=[*choices, ("0", _("not in the next season"))])
                field.initial, field.label = str(row.goes or 0), row.team.name
                self.fields[f"goes-{row.team.pk}"] = field

    def _add_division(self, division: DivisionPlan, following: str) -> str:
        """The division’s own fields; the name it is proposed with."""
        event, last = division.facts.tournament, self.plan.season.name
        named = event.name.replace(last, following) if last and last in event.name else f"{event.name} {following}"
        named = named.strip()[:100]
        days = [MinValueValidator(EARLIEST_DAY), MaxValueValidator(LATEST_DAY)]
        self.fields |= {
            f"name-{event.pk}": forms.CharField(label=_("Name"), max_length=100, initial=named),
            f"starts-{event.pk}": forms.DateField(
                label=_("First day"), required=False, widget=DayInput(), validators=days, initial=next_year(event)
            ),
            f"new-{event.pk}": forms.CharField(
                label=_("New teams"),
                required=False,
                max_length=5000,
                help_text=_("One per line."),
                widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false"}),
            ),
        }
        return named

    def sections(self) -> list[dict[str, Any]]:
        """The divisions with their fields, and their teams each with its own."""
        return [
            {
                "division": each,
                "fields": [self[f"{name}-{each.facts.tournament.pk}"] for name in ("name", "starts", "new")],
                "rows": [(row, self[f"goes-{row.team.pk}"]) for row in each.teams],
            }
            for each in self.plan.divisions
        ]

    def divisions(self) -> list[NextDivision]:
        """What is to be made: teams in the order of the divisions they come from, then of the table. Raises Refused."""
        return [self._division(each) for each in self.plan.divisions]

    def _division(self, division: DivisionPlan) -> NextDivision:
        key, given = division.facts.tournament.pk, self.cleaned_data
        teams = [row.team.pk for each in self.plan.divisions for row in each.teams]
        new = [name for line in given[f"new-{key}"].splitlines() if (name := clean_name(line))]
        if len(new) > MOST_NEW or any(len(name) > 100 for name in new):
            text = _("At most %(most)s new teams a division, each name of 100 letters at most.")
            raise Refused(text % {"most": MOST_NEW})
        here = tuple(team for team in teams if given[f"goes-{team}"] == str(key))
        return NextDivision(key, given[f"name-{key}"], given[f"starts-{key}"], here, tuple(new))


def next_season(request: HttpRequest, key: int) -> HttpResponse:
    """The proposal as a form, which makes the season; for those who may make events. 409 where it is refused."""
    if not request.user.has_perm("tournaments.add_tournament"):
        raise PermissionDenied
    league = get_object_or_404(League, pk=key)
    seasons = seasons_of_league(league)
    asked = next((season for season in seasons if season.name == request.GET.get("season")), None)
    season = asked or season_to_follow(league, seasons)
    context: dict[str, Any] = {"league": league, "seasons": seasons, "season": season}
    if season is None:
        return _shown(request, context)
    plan = plan_of(season)
    form = NextSeasonForm(request.POST if request.method == "POST" else None, plan)
    status, problem = 200, ""
    if form.is_bound and form.is_valid():
        try:
            name, by = form.cleaned_data["season"], officer(request)
            _tell(request, make_next_season(league.pk, season.name, name, form.divisions(), by=by))
            return redirect(request.get_full_path())
        except Refused as refusal:
            status, problem = 409, str(refusal)
    context |= {"plan": plan, "form": form, "later": _later(seasons, season), "problem": problem}
    return _shown(request, context, status)


def _later(seasons: list[Season], season: Season) -> list[Season]:
    """The seasons after it, which may be what is about to be made once more."""
    return seasons[: seasons.index(season)]


def _tell(request: HttpRequest, made: NextSeason) -> None:
    names = listed(each.name for each in made.events)
    messages.success(request, _("The season is made: %(events)s.") % {"events": names})
    if made.left_out:
        numbers = listed(f"#{number}" for number in made.left_out)
        text = _("On no list, because inactive, outside the range of ratings, or in two teams: %(players)s.")
        messages.warning(request, text % {"players": numbers})


def _shown(request: HttpRequest, context: dict[str, Any], status: int = 200) -> HttpResponse:
    return admin_page(request, "admin/tournaments/league/next_season.html", _("Next season"), status=status, **context)
