"""Who leads an event, and how far one of teams is."""

import pytest
from django.utils import timezone

from players.privacy.rules import NOBODY
from ratings.models import RatingList
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.swiss_events import WHITE, make_swiss, play_rounds
from tests.tournaments.teams.team_cases import make_team_event, play
from tournaments.event_list.selectors import EventLead, lead_of, list_events, progress_of
from tournaments.events.selectors.events import event_data
from tournaments.events.selectors.standings import standings_of
from tournaments.models import TeamMatch, Tournament

pytestmark = pytest.mark.django_db
standard = club_and_list


def lead(event: Tournament) -> EventLead:
    facts = event_data(factory.stage_of(event), NOBODY)
    found = lead_of(facts, standings_of(facts))
    assert found is not None
    return found


@pytest.mark.extended
def test_a_bye_is_a_round_played_in_a_swiss_and_none_in_a_round_robin(standard: RatingList) -> None:
    """Three players, so one has no opponent in each round, and all share the first place in the end."""
    people = factory.make_players(3)
    swiss, robin = make_swiss(people, rounds=3).tournament, factory.make_round_robin(people)
    swiss.point_system = "football"
    swiss.save()
    play_rounds(factory.stage_of(swiss), 3, WHITE)
    factory.play_all(robin)
    first = lead(swiss)
    assert (first.points, first.played, first.others, first.of_one, first.chasers) == (6, 3, 2, False, ())
    first = lead(robin)
    assert (first.points, first.played, first.others, first.of_one) == (2, 2, 2, True)


@pytest.mark.extended
def test_a_round_of_teams_is_done_once_all_its_matches_are_decided(standard: RatingList) -> None:
    with_bye, even = make_team_event(3), make_team_event(4)

    def done() -> list[int]:
        progress = progress_of(list_events(timezone.localdate()))
        return [progress[event.pk].rounds_done for event in (with_bye, even)]

    matches = TeamMatch.objects.filter(round__number=1, away__isnull=False)
    last, *rest = matches.order_by("-round__stage__tournament", "-number")
    play(last, [WHITE, WHITE])
    play(rest[-1], [WHITE, WHITE])
    assert done() == [1, 0], "a bye is decided"
    play(rest[0], [WHITE, WHITE])
    assert done() == [1, 1]
