"""`/tournaments/<slug>/matches/`: all matches by round and date, of one team or day where asked for; and each match.

Who will miss the next matches is told to members and officers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any

from crispy_forms.helper import FormHelper
from django import forms
from django.http import Http404, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.web.formatting import day_text
from clubrating.web.forms import one_button
from clubrating.web.requests import ClubRequest
from players.privacy.rules import Level
from tournaments.event_pages.views.live import follow
from tournaments.models import Round
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts
from tournaments.teams.selectors.matches import current_round, missing_from, next_matches
from tournaments.teams.views.boards import shown_matches
from tournaments.teams.views.pages import show_team_page, team_event_at


class MatchFilter(forms.Form):
    """Of which team, and of which day."""

    team = forms.ChoiceField(label=gettext_lazy("Team"), required=False)
    day = forms.ChoiceField(label=gettext_lazy("Day"), required=False)

    def __init__(self, data: Any, facts: TeamFacts) -> None:
        super().__init__(data)
        days = sorted({match.row.played_on for match in facts.matches if match.row.played_on})
        teams = [(f"{team.number}", team.name) for team in facts.teams]
        self.fields["team"].choices = [("", _("all teams")), *teams]  # type: ignore[attr-defined]
        shown = [(day.isoformat(), day_text(day)) for day in days]
        self.fields["day"].choices = [("", _("all days")), *shown]  # type: ignore[attr-defined]

    @property
    def helper(self) -> FormHelper:
        return one_button(_("Show"), "form row gap-below on-screen", "plain", method="get")

    def asked(self) -> tuple[int | None, date | None]:
        """The team's number and the day; what is neither is not asked for."""
        self.is_valid()
        team, day = self.cleaned_data.get("team"), self.cleaned_data.get("day")
        return int(team) if team else None, date.fromisoformat(day) if day else None


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round and those of its matches that are shown."""

    row: Round
    matches: tuple[MatchFacts, ...]


@follow
def matches(request: ClubRequest, slug: str) -> HttpResponse:
    """The round that is next first, those behind it, then those that were played, the latest first."""
    facts = team_event_at(slug, request.viewer)
    form = MatchFilter(request.GET, facts)
    team, day = form.asked()
    rounds = _rounds([match for match in facts.matches if _is_asked(match, team, day)])
    now = current_round(facts)
    coming = [line for line in rounds if now is not None and line.row.number >= now.number]
    played = [line for line in rounds if line not in coming]
    missing = []
    if request.viewer.level >= Level.MEMBER and not facts.tournament.closed:
        missing = missing_from(facts, next_matches(facts, timezone.localdate()))
    return show_team_page(
        request, "matches", facts, "matches", coming=coming, played=played[::-1], form=form, missing=missing
    )


def _rounds(found: Sequence[MatchFacts]) -> list[RoundLine]:
    grouped = groupby(found, key=lambda match: match.round.number)
    return [RoundLine(own[0].round, tuple(own)) for _number, group in grouped for own in [list(group)]]


def _is_asked(match: MatchFacts, team: int | None, day: date | None) -> bool:
    numbers = {side.number for side in (match.row.home, match.row.away) if side is not None}
    return (team is None or team in numbers) and (day is None or match.row.played_on == day)


@follow
def match_page(request: ClubRequest, slug: str, number: int, match: int) -> HttpResponse:
    """One match: its boards once they are made, its score, its state, and what the arbiter decided about it."""
    facts = team_event_at(slug, request.viewer)
    found = next((one for one in facts.matches if (one.round.number, one.row.number) == (number, match)), None)
    if found is None or found.row.away_id is None:
        raise Http404
    penalties = [row for row in facts.penalties if row.match_id == found.row.pk]
    shown = shown_matches(facts, [found], request.viewer)[0]
    return show_team_page(request, "match", facts, "matches", match=found, shown=shown, penalties=penalties)
