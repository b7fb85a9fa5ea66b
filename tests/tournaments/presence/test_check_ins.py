"""Check-in at the door: what is noted of whom, and that nobody's answer is lost on the way."""

from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from players.models import AuditEvent
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.choosing import examples
from tournaments.events.services.closing import close_event
from tournaments.models import CheckIn, Entry, Pairing, Tournament
from tournaments.presence.selectors import (
    Counts,
    absence_notices_for,
    awaited,
    counts_of,
    here_on,
    open_absence_notices,
)
from tournaments.presence.services import check_in, report_absence
from tournaments.results.services.results import EARLIEST_DAY
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time")]


@pytest.fixture
def keys(cup: Tournament) -> list[int]:
    """The five entries by number."""
    return list(Entry.objects.filter(tournament=cup).order_by("number").values_list("pk", flat=True))


def today() -> date:
    return factory.today()


def test_who_is_here_and_who_is_not(cup: Tournament, keys: list[int], arbiter: User) -> None:
    other = factory.make_round_robin(factory.first_players(3), name="Other Cup")
    elsewhere = other.entries.order_by("number")[0].pk
    check_in(other, {elsewhere: False}, on=today(), by=arbiter)
    report_absence(elsewhere, 1, by=None)
    assert check_in(cup, {keys[0]: True, keys[1]: False}, on=today(), by=arbiter) == 2
    assert here_on(cup, today()) == {keys[0]: True, keys[1]: False}
    assert counts_of(cup, today()) == Counts(5, 1, 1)
    assert counts_of(cup, today()).unknown == 3
    assert counts_of(other, today()) == Counts(3, 0, 1)
    assert [(row.here, row.missing) for row in awaited(cup, today())] == [(True, ()), (False, ()), *[(None, ())] * 3]
    assert [(row.here, row.missing) for row in awaited(other, today())] == [(False, (1,)), *[(None, ())] * 2]
    assert (open_absence_notices(cup), absence_notices_for(cup, 1), absence_notices_for(other, 1)) == (
        {},
        {},
        {elsewhere: True},
    )
    assert {row.by for row in CheckIn.objects.all()} == {arbiter}
    for number in (1, 2):
        report_absence(keys[0], number, by=None)
    factory.play_round(cup, 1, [Result.DRAW] * 2)
    assert open_absence_notices(cup) == {keys[0]: [2]}, "its first round is over, the other event's is not"
    Pairing.objects.filter(stage__tournament=cup, round__number=2).update(superseded=True)
    assert open_absence_notices(cup) == {}


def test_the_last_word_of_a_day_counts_and_the_rest_stays(cup: Tournament, keys: list[int], arbiter: User) -> None:
    yesterday = today() - timedelta(days=1)
    before = {keys[0]: True, keys[2]: True}
    check_in(cup, before, on=yesterday, by=None)
    assert (here_on(cup, today()), here_on(cup, yesterday)) == ({}, before), "each day is its own"
    check_in(cup, {keys[0]: True, keys[1]: False}, on=today(), by=None)
    assert check_in(cup, {keys[1]: True}, on=today(), by=arbiter) == 1
    assert here_on(cup, today()) == {keys[0]: True, keys[1]: True}
    assert CheckIn.objects.get(entry=keys[1]).by == arbiter
    assert check_in(cup, {keys[0]: True, keys[3]: None}, on=today(), by=None) == 0, "all of it was known already"
    assert AuditEvent.objects.filter(action="entries.checked-in").count() == 3
    assert check_in(cup, {keys[0]: None}, on=today(), by=None) == 1
    assert here_on(cup, today()) == {keys[1]: True}, "an answer is taken back"
    assert here_on(cup, yesterday) == before


def test_one_event_in_the_trail_with_keys_and_no_names(cup: Tournament, keys: list[int], arbiter: User) -> None:
    check_in(cup, {keys[0]: True}, on=today(), by=None)
    check_in(cup, {keys[0]: False, keys[1]: True}, on=today(), by=arbiter)
    event = AuditEvent.objects.filter(action="entries.checked-in").first()
    assert event is not None
    assert (event.subject_kind, event.subject_key, event.actor) == ("tournament", cup.pk, arbiter)
    day = today().isoformat()
    assert event.before == {"on": day, "here": {str(keys[0]): True, str(keys[1]): None}}
    assert event.after == {"on": day, "here": {str(keys[0]): False, str(keys[1]): True}}


def test_somebody_of_another_event_is_refused_with_all_the_rest(cup: Tournament, keys: list[int]) -> None:
    other = factory.make_round_robin(factory.make_players(2), name="Other Cup")
    foreign = Entry.objects.filter(tournament=other)[0].pk
    for stranger in (foreign, 10**6):
        with pytest.raises(Refused, match="left the event meanwhile"):
            check_in(cup, {keys[0]: True, stranger: True}, on=today(), by=None)
    assert not CheckIn.objects.exists()


def test_nobody_is_checked_in_for_a_day_to_come_after_leaving_or_when_over(cup: Tournament, keys: list[int]) -> None:
    day = timedelta(days=1)
    for on in (today() + day, today() + 400 * day, EARLIEST_DAY - day):
        with pytest.raises(Refused, match="choose today or a day before"):
            check_in(cup, {keys[0]: True}, on=on, by=None)
    assert check_in(cup, {keys[0]: True}, on=EARLIEST_DAY, by=None) == 1
    Entry.objects.filter(pk=keys[0]).update(withdrawn=True)
    assert keys[0] not in [row.entry.pk for row in awaited(cup, today())]
    with pytest.raises(Refused):
        check_in(cup, {keys[0]: True}, on=today(), by=None)
    factory.play_all(cup)
    close_event(cup, by=None)
    with pytest.raises(Refused, match="The event is over"):
        check_in(cup, {keys[1]: True}, on=today(), by=None)


# --- the list --------------------------------------------------------------------------------------------------------
def names(event: Tournament, search: str = "") -> list[str]:
    return [row.entry.player.name for row in awaited(event, today(), search=search)]


def test_the_list_is_by_name_and_a_few_letters_or_the_number_find_somebody(cup: Tournament) -> None:
    everybody = {
        "": ["Ada Alvarez", "Bo Brandt", "Cleo Costa", "Dag Dahl", "Eva Engel"],
        "bra": ["Bo Brandt"],
        "DAHL dag": ["Dag Dahl"],
        "e": ["Ada Alvarez", "Cleo Costa", "Eva Engel"],
        "3": ["Cleo Costa"],
    }
    for search, found in (everybody | {nobody: [] for nobody in ("zz", "٣", "9" * 30, "%")}).items():
        assert names(cup, search) == found, search


@pytest.mark.extended
def test_the_list_costs_the_same_for_many(standard: RatingList) -> None:
    costs = []
    for count in (3, 8):
        event = factory.make_round_robin(factory.make_players(count), name=f"Cup {count}")
        with CaptureQueriesContext(connection) as seen:
            assert len(awaited(event, today())) == count
            counts_of(event, today())
        costs.append(len(seen))
    assert costs == [5, 5]


class Doors(TestCase):
    """Any answers at two doors, one after the other."""

    @classmethod
    def setUpTestData(cls) -> None:
        factory.make_club()
        factory.make_list()
        cls.event = factory.make_round_robin(factory.make_players(4))  # type: ignore[attr-defined]
        cls.keys = list(Entry.objects.values_list("pk", flat=True))  # type: ignore[attr-defined]

    @examples(80)
    @given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from([True, False, None])), max_size=12))
    def test_what_was_said_last_of_each_stands(self, said: list[tuple[int, bool | None]]) -> None:
        stands: dict[int, bool] = {}
        for place, answer in said:
            key = self.keys[place]  # type: ignore[attr-defined]
            check_in(self.event, {key: answer}, on=today(), by=None)  # type: ignore[attr-defined]
            stands.pop(key, None)
            if answer is not None:
                stands[key] = answer
        assert here_on(self.event, today()) == stands  # type: ignore[attr-defined]
