"""What the desk of a team event shows as waiting: late line-ups and cards, disputes, matches without a day."""

from datetime import datetime, time, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from ratings.models import RatingList
from tests.factory import make_administrator, today
from tests.tournaments.teams.team_cases import make_team_event, play
from tournaments.captains.services import enter_card
from tournaments.models import TeamMatch, TeamRules
from tournaments.standings.points import Result
from tournaments.teams.selectors.checklist import checklist_of
from tournaments.teams.selectors.facts import team_facts
from tournaments.teams.services.line_ups import open_match
from tournaments.teams.services.matches import plan_match

WIN = Result.WHITE_WINS


def waiting(client: Client, event: int) -> dict[str, list[str]]:
    page = client.get(f"/admin/tournaments/tournament/{event}/matches/")
    return {
        line.words.split()[0]: [str(match.row.number) for match in line.matches] for line in page.context["checklist"]
    }


def test_the_desk_names_what_waits_and_nothing_else(standard: RatingList, client: Client) -> None:
    event, yesterday = make_team_event(4), today() - timedelta(days=1)
    client.force_login(make_administrator())
    TeamMatch.objects.update(played_on=today() + timedelta(days=3))
    assert waiting(client, event.pk) == {}
    first, second, third, *_rest = TeamMatch.objects.order_by("pk")
    TeamMatch.objects.filter(pk__in=[first.pk, second.pk]).update(played_on=yesterday)
    play(first, [WIN, WIN], on=yesterday)
    open_match(second.pk, by=None)
    plan_match(third.pk, None, by=None)
    assert waiting(client, event.pk) == {"Played,": [str(second.number)], "Postponed": [str(third.number)]}
    enter_card(first.pk, first.away_id or 0, {1: "1/2"}, by=None, words="We drew")
    assert waiting(client, event.pk)["Disputed"] == [str(first.number)]
    assert "Postponed without a new day: 1" in client.get(f"/admin/tournaments/tournament/{event.pk}/change/").text


@pytest.mark.parametrize(("hours", "late"), [(0, False), (300, True)])
def test_a_line_up_is_late_after_the_hour_it_was_due(
    hours: int, late: bool, standard: RatingList, client: Client
) -> None:
    event = make_team_event(2)
    client.force_login(make_administrator())
    TeamMatch.objects.update(played_on=today() + timedelta(days=3), starts_at=time(19))
    TeamRules.objects.update(line_up_hours=hours)
    assert ("Line-ups" in waiting(client, event.pk)) == late


@pytest.mark.parametrize(
    ("is_open", "hours", "waits"),
    [(False, -2, "Line-ups that were due and are not in:"), (True, 5, "Played, and results are missing:")],
)
def test_it_is_late_from_that_moment_on(is_open: bool, hours: int, waits: str, standard: RatingList) -> None:
    event, starts = make_team_event(2), datetime(2030, 5, 4, 19, tzinfo=timezone.get_current_timezone())
    if is_open:
        open_match(TeamMatch.objects.get().pk, by=None)
    TeamMatch.objects.update(played_on=starts.date(), starts_at=starts.time())
    TeamRules.objects.update(line_up_hours=2)
    for seconds, words in ((-1, []), (0, [waits])):
        now = starts + timedelta(hours=hours, seconds=seconds)
        assert [line.words for line in checklist_of(team_facts(event), lambda _match: 0, now)] == words
