"""Until when a wrong result of a round can be reported, as the round's page says it."""

from datetime import datetime, time
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from players.privacy import NOBODY
from ratings.models import RatingList
from tests.factory import make_players, make_round_robin, play_all, play_round
from tests.tournaments.page_cases import DRAW, WHITE, keizer_club, text_of
from tournaments.models import Round, Tournament
from tournaments.selectors.events import facts_of, stages_at, whole_of
from tournaments.views.round_parts import Corrections, corrections_of
from tournaments.views.sections import sections_of

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


def test_hours_count_from_the_planned_time(standard: RatingList) -> None:
    told = said(cup_with_hours(26), 1)
    assert told is not None
    assert told.by == datetime(2026, 1, 6, 21, 0, tzinfo=BERLIN)


def test_a_round_without_an_hour_counts_from_the_end_of_its_day(standard: RatingList) -> None:
    told = said(cup_with_hours(24, at=None), 1)
    assert told is not None
    assert told.by == datetime(2026, 1, 6, 23, 59, tzinfo=BERLIN)


def test_when_the_hour_has_passed_nothing_is_said(standard: RatingList) -> None:
    assert said(cup_with_hours(26), 1, datetime(2026, 1, 6, 21, 1, tzinfo=BERLIN)) is None


def test_where_all_rounds_are_drawn_it_is_until_the_next_one_begins(standard: RatingList) -> None:
    cup = cup_with_hours(None)
    play_round(cup, 1, [WHITE, DRAW])
    assert said(cup, 1) == Corrections(until="round")
    play_round(cup, 2, [WHITE, DRAW])
    assert said(cup, 1) is None


def test_where_rounds_are_paired_one_by_one_it_is_until_the_next_one_is(standard: RatingList) -> None:
    event = keizer_club(make_players(4), [[WHITE, DRAW], [DRAW, WHITE]])
    assert said(event, 2) == Corrections(until="pairing")
    assert said(event, 1) is None


def test_in_the_last_round_it_is_until_the_prizes(standard: RatingList) -> None:
    cup = cup_with_hours(None)
    assert said(cup, 3) == Corrections(until="prizes")
    play_all(cup)
    assert said(cup, 3) is None


def test_an_event_that_is_over_takes_no_more(standard: RatingList) -> None:
    cup = cup_with_hours(48)
    Tournament.objects.update(closed=True)
    assert said(cup, 1) is None


def test_a_draft_says_nothing(client: Client, standard: RatingList) -> None:
    cup = cup_with_hours(26)
    Round.objects.filter(stage__tournament=cup).update(state=Round.State.DRAFT)
    assert "Mistakes in results" not in text_of(client, f"/tournaments/{cup.slug}/")


@pytest.mark.parametrize(
    ("hours", "sentence"),
    [
        (999, "Mistakes in results: tell the arbiter by "),
        (None, "Mistakes in results: tell the arbiter before the next round begins."),
    ],
)
def test_the_rounds_page_says_it_with_time_and_day(
    client: Client, standard: RatingList, hours: int | None, sentence: str
) -> None:
    today = timezone.localdate()
    cup = make_round_robin(make_players(4), first_day=today)
    Tournament.objects.update(correction_hours=hours)
    Round.objects.filter(stage__tournament=cup).update(planned_at=time(19, 30))
    page = text_of(client, f"/tournaments/{cup.slug}/rounds/1/")
    assert sentence in page
    assert "<time>19:30</time>" in page


def test_a_deadline_of_long_ago_is_not_printed(client: Client, standard: RatingList) -> None:
    cup = cup_with_hours(2)
    assert "Mistakes in results" not in text_of(client, f"/tournaments/{cup.slug}/rounds/1/")
