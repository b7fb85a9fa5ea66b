"""Matches of teams for calendars. Each keeps its identity for good and its sequence rises with every move; a match that
is postponed without a new day, or whose team has left, is cancelled on the day it had. No names of people.
"""

from collections.abc import Callable
from datetime import date, datetime, tzinfo

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.interchange.ics import CalendarEvent
from tournaments.models import Round, Team, TeamMatch
from tournaments.teams.selectors.facts import MatchFacts, TeamFacts, all_team_facts

_IDENTITY = "club-rating"
Address = Callable[[str], str]  # a path on this site → its full address


def calendar_of(facts: TeamFacts, zone: tzinfo, address: Address, *, team: Team | None = None) -> list[CalendarEvent]:
    """The matches, of one team where it is named, in order of time. No query."""
    own = [match for match in facts.matches if team is None or team.pk in (match.row.home_id, match.row.away_id)]
    found = [entry for match in own if (entry := _entry(facts, match, zone, address)) is not None]
    return sorted(found, key=lambda entry: (f"{entry.start:%Y%m%d}", entry.uid))


def coming_matches(today: date, zone: tzinfo, address: Address) -> list[CalendarEvent]:
    """Every team event's matches from today on, and those postponed without a new day. Ten queries at most."""
    coming = TeamMatch.objects.filter(Q(played_on__gte=today) | Q(postponed=True), away__isnull=False)
    events = coming.values_list("round__stage__tournament", flat=True)
    return [
        entry
        for facts in all_team_facts(sorted(set(events))).values()
        for match in facts.matches
        if match.row.postponed or (match.row.played_on is not None and match.row.played_on >= today)
        if (entry := _entry(facts, match, zone, address)) is not None
    ]


def _entry(facts: TeamFacts, match: MatchFacts, zone: tzinfo, address: Address) -> CalendarEvent | None:
    row, slug = match.row, facts.tournament.slug
    day = row.played_on or row.first_planned
    if day is None or row.home is None or row.away is None:
        return None
    values = {"event": facts.tournament.name, "home": row.home.name, "away": row.away.name}
    return CalendarEvent(
        uid=f"team-match.{row.pk}@{_IDENTITY}",
        start=day if row.starts_at is None else datetime.combine(day, row.starts_at, zone),
        summary=_("%(home)s – %(away)s, %(event)s") % values,
        place=row.venue or facts.tournament.place,
        url=address(reverse("tournaments:match", args=[slug, match.round.number, row.number])),
        sequence=row.calendar_sequence,
        tentative=match.round.state == Round.State.DRAFT,
        cancelled=row.played_on is None or _has_left(match),
    )


def _has_left(match: MatchFacts) -> bool:
    sides = (match.row.home, match.row.away)
    return any(
        side is not None and side.left_before is not None and side.left_before <= match.round.number for side in sides
    )
