"""An evening of tables on paper: its standing, and every table as it ended.

An event without rounds has no other sheets; cards to be filled in at the tables come from the seating
(`tournaments.contests.admin.seating`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from clubrating.web.formatting import written
from clubrating.web.requests import ClubRequest
from players.models import Player
from tournaments.contests.selectors import ShownContest, contests_of, shown_contests
from tournaments.models import Tournament
from tournaments.standings.evening import evening_standings


@dataclass(frozen=True, slots=True)
class EveningLine:
    """A player's line in the standing of an evening; `points` as they are written."""

    place: int
    player: Player
    points: str
    tables: int
    firsts: int


def evening(request: ClubRequest, event: Tournament) -> HttpResponse:
    """The sheets of the day asked for (`?on=`), the latest one where none is; 404 for a day without tables."""
    on = _day(request, event)
    tables = shown_contests(contests_of(event).filter(played_on=on).order_by("sequence")) if on else []
    if not tables:
        raise Http404
    context = {
        "tournament": event,
        "day": on,
        "lines": _lines(tables),
        "contests": tables,
        "as_of": timezone.localtime(),
    }
    return render(request, "tournaments/print/evening.html", context)


def _day(request: ClubRequest, event: Tournament) -> date | None:
    asked = request.GET.get("on")
    if asked is None:
        return contests_of(event).values_list("played_on", flat=True).first()
    try:
        return date.fromisoformat(asked)
    except ValueError:
        raise Http404 from None


def _lines(tables: Sequence[ShownContest]) -> list[EveningLine]:
    people = {each.player_id: each.player for shown in tables for side in shown.sides for each in side.members}
    keys = {player.number: key for key, player in people.items()}
    sides = [
        [(side.place, [member.player.number for member in side.members]) for side in shown.sides] for shown in tables
    ]
    return [
        EveningLine(row.place, people[keys[row.player]], written(f"{float(row.points):.2f}"), row.tables, row.firsts)
        for row in evening_standings(sides)
    ]
