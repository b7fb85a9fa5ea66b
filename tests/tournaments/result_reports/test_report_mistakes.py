"""Until when a wrong result of a round can be reported, as the round's page says it."""

from datetime import datetime, time
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from players.privacy.rules import NOBODY
from ratings.models import RatingList
from tests import factory
from tests.factory import make_players, make_round_robin, play_round
from tests.tournaments.event_pages.page_cases import DRAW, WHITE, keizer_club, text_of
from tournaments.event_pages.views.rounds import Corrections, corrections_of
from tournaments.event_pages.views.sections import sections_of
from tournaments.events.selectors.events import facts_of, stages_at, whole_of
from tournaments.models import Round, Tournament

BERLIN = ZoneInfo("Europe/Berlin")
NOON = datetime(2026, 1, 5, 12, 0, tzinfo=BERLIN)


def said(event: Tournament, number: int, now: datetime = NOON) -> Corrections | None:
    stages = stages_at(event.slug)
    facts = facts_of(stages, NOBODY)
    whole = whole_of(stages, facts)
    row = whole.round(number)
    assert row is not None
    with timezone.override(BERLIN):
        return corrections_of(whole, sections_of(facts, {}, {}, NOBODY), row, now)


def cup_with_hours(hours: int | None, at: time | None = time(19, 0)) -> Tournament:
    cup = make_round_robin(make_players(4))
    Tournament.objects.update(correction_hours=hours)
    Round.objects.filter(stage__tournament=cup).update(planned_at=at)
    return cup


def test_hours_count_from_the_planned_time_until_they_have_passed(client: Client, standard: RatingList) -> None:
    cup = cup_with_hours(26)
    found = said(cup, 1)
    assert found is not None
    assert found.by == datetime(2026, 1, 6, 21, 0, tzinfo=BERLIN)
    assert said(cup, 1, found.by) == found, "at that moment still"
    assert said(cup, 1, datetime(2026, 1, 6, 21, 1, tzinfo=BERLIN)) is None
    page = text_of(client, f"/tournaments/{cup.slug}/rounds/1/")
    assert "Mistakes in results" not in page, "it was long ago"
    Tournament.objects.update(closed=True)
    assert said(cup, 1) is None, "an event that is over takes no more"


def test_a_round_without_an_hour_counts_from_the_end_of_its_day(standard: RatingList) -> None:
    found = said(cup_with_hours(24, at=None), 1)
    assert found is not None
    assert found.by == datetime(2026, 1, 6, 23, 59, tzinfo=BERLIN)


@pytest.mark.extended
def test_where_all_rounds_are_drawn_it_is_until_the_next_one_begins_or_the_prizes(standard: RatingList) -> None:
    cup = cup_with_hours(None)
    assert said(cup, 3) == Corrections(until="prizes")
    for number in (1, 2):
        play_round(cup, number, [WHITE, DRAW])
        expected = (Corrections(until="round"), None)
        assert said(cup, 1) == expected[number - 1]
    play_round(cup, 3, [WHITE, DRAW])
    assert said(cup, 3) is None


def test_where_rounds_are_paired_one_by_one_it_is_until_the_next_one_is(standard: RatingList) -> None:
    event = keizer_club(make_players(4), [[WHITE, DRAW], [DRAW, WHITE]])
    assert said(event, 2) == Corrections(until="pairing")
    assert said(event, 1) is None


def test_the_rounds_page_says_it_with_time_and_day(client: Client, standard: RatingList) -> None:
    cup = make_round_robin(make_players(4), first_day=timezone.localdate())
    Round.objects.filter(stage__tournament=cup).update(planned_at=time(19, 30))
    for hours, sentence in ((999, "by "), (None, "before the next round begins.")):
        Tournament.objects.update(correction_hours=hours)
        page = text_of(client, f"/tournaments/{cup.slug}/rounds/1/")
        assert f"Mistakes in results: tell the arbiter {sentence}" in page
        assert "<time>19:30</time>" in page
    Round.objects.update(state=Round.State.DRAFT)
    client.force_login(factory.make_arbiter())
    assert "Mistakes in results" not in text_of(client, f"/tournaments/{cup.slug}/rounds/1/"), "a draft says nothing"
