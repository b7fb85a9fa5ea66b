"""A late entry put right: taken back while he was in no round, and let in when the round he was too late for goes."""

import pytest
from django.test import Client

from players.models import Player
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import shown, url
from tests.tournaments.entries.entry_cases import club_and_list, events, make_others
from tests.tournaments.rounds.round_cases import entry, make_league
from tests.tournaments.swiss_events import make_swiss, numbers_of, play_rounds, rate
from tournaments.entries.services.entries import number_in_order
from tournaments.entries.services.late import enter_late, removable, remove_late
from tournaments.entries.services.numbering import FIXED_FROM, correct_entry_rating, moves_numbers
from tournaments.events.services.closing import close_event
from tournaments.models import ByeRequest, Entry, Round, Stage
from tournaments.presence.services import request_bye
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import delete_round, delete_rounds, publish_round, unpublish_round
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = pytest.mark.django_db
standard = club_and_list


@pytest.fixture(scope="module")
def cast(standard: RatingList) -> list[Player]:
    """Ten players rated 2000, 1900 … 1100."""
    players = factory.make_players(10)
    rate(standard, players, *range(2000, 1000, -100))
    return players


@pytest.fixture(scope="module")
def swiss(cast: list[Player]) -> Stage:
    """Eight of the cast; 3 and 6 are still at home."""
    make_others(cast)
    return make_swiss([cast[place] for place in (0, 1, 3, 4, 6, 7, 8, 9)])


def enter(stage: Stage, *players: Player) -> Entry:
    return enter_late(stage.tournament, players, by=None)[0]


# --- the round goes that he was too late for ----------------------------------------------------------------------
@pytest.mark.extended
@pytest.mark.parametrize("played", [0, 2])
def test_a_draft_is_deleted_to_let_somebody_in(swiss: Stage, cast: list[Player], played: int) -> None:
    play_rounds(swiss, played)
    draft = pair_next_round(swiss, by=None)
    late = enter(swiss, cast[2])
    assert late.first_round == played + 2
    delete_round(draft.pk, by=None)
    row = pair_next_round(swiss, by=None)
    assert row.seats.filter(entry=late).exists()
    late.refresh_from_db()
    assert late.first_round == played + 1
    [found] = events("round.deleted")
    found.before.pop("image")
    assert found.before == {"stage": 1, "number": played + 1, "first_rounds": {str(late.pk): played + 2}}


def test_a_round_taken_out_of_sight_and_deleted_or_all_rounds_let_him_in_too(swiss: Stage, cast: list[Player]) -> None:
    row = pair_next_round(swiss, by=None, publish=True)
    late = enter(swiss, cast[2])
    delete_round(unpublish_round(row.pk, reason="other", by=None).pk, by=None)
    row = pair_next_round(swiss, by=None, publish=True)
    assert row.seats.filter(entry=late).exists()
    later = enter(swiss, cast[5])
    delete_rounds(swiss, by=None)
    assert pair_next_round(swiss, by=None).seats.filter(entry__in=[late, later]).count() == 2
    before = events("rounds.deleted")[0].before
    assert (before["rounds"], before["first_rounds"]) == (1, {str(later.pk): 2})


@pytest.mark.extended
def test_who_came_to_a_round_that_stays_keeps_it(swiss: Stage, cast: list[Player]) -> None:
    play_rounds(swiss, 1)
    late = enter(swiss, cast[2])
    play_rounds(swiss, 1)
    delete_round(pair_next_round(swiss, by=None).pk, by=None)
    late.refresh_from_db()
    assert late.first_round == 2


# --- entered by mistake -------------------------------------------------------------------------------------------
def test_who_was_in_no_round_is_taken_back_and_who_was_is_withdrawn_instead(swiss: Stage, cast: list[Player]) -> None:
    play_rounds(swiss, 1)
    before = numbers_of(swiss)
    late = enter(swiss, cast[2])
    request_bye(late.pk, 3, "zero", by=None)
    assert removable(swiss.tournament) == {late.pk}
    remove_late(late.pk, by=None)
    assert numbers_of(swiss) == before
    assert not ByeRequest.objects.exists()
    assert [event.before["player"] for event in events("entry.removed")] == [3]
    assert len(events("numbers.moved")) == 2
    late = enter(swiss, cast[2])
    pair_next_round(swiss, by=None)
    for row in (late, entry(swiss, 1)):
        with pytest.raises(Refused, match="is in rounds of this event"):
            remove_late(row.pk, by=None)
    assert removable(swiss.tournament) == set()


def test_where_numbers_stand_only_the_last_are_taken_back(swiss: Stage, cast: list[Player]) -> None:
    play_rounds(swiss, FIXED_FROM - 1)
    draft = pair_next_round(swiss, by=None)
    first, second = enter_late(swiss.tournament, [cast[2], cast[5]], by=None)
    assert removable(swiss.tournament) == {first.pk, second.pk}
    remove_late(first.pk, by=None)
    second.refresh_from_db()
    assert second.number == 9
    again = enter(swiss, cast[2])
    withdraw_entry(second.pk, by=None)
    publish_round(draft.pk, by=None)
    Stage.objects.update(settings={"rounds": 9})
    pair_next_round(swiss, by=None, pair_anyway=True)
    assert entry(swiss, 10).pk == again.pk
    assert removable(swiss.tournament) == set(), "number 9 would leave a gap"


def test_nobody_is_taken_back_from_a_table_or_an_event_that_is_over(swiss: Stage, cast: list[Player]) -> None:
    assert removable(factory.make_round_robin(cast[:5])) == set()
    play_rounds(swiss, 1)
    late = enter(swiss, cast[2])
    close_event(swiss.tournament, by=None)
    with pytest.raises(Refused, match="or the event is over"):
        remove_late(late.pk, by=None)
    with pytest.raises(Refused, match="not in the tournament any more"):
        remove_late(0, by=None)


def test_the_page_offers_it_for_those_alone(desk: Client, swiss: Stage, cast: list[Player]) -> None:
    play_rounds(swiss, 1)
    late = enter(swiss, cast[2])
    html = shown(desk, "entries", swiss.tournament_id)
    assert html.count('name="remove"') == 1
    assert f'name="remove" value="{late.pk}"' in html
    answer = desk.post(url("entries", swiss.tournament_id), {"remove": str(entry(swiss, 1).pk)})
    assert "who leaves is withdrawn" in answer.content.decode()
    assert desk.post(url("entries", swiss.tournament_id), {"remove": str(late.pk)}).status_code == 302
    assert not Entry.objects.filter(pk=late.pk).exists()


# --- numbers by rating --------------------------------------------------------------------------------------------
def test_a_hidden_or_corrected_name_between_equal_ratings_does_not_end_it(swiss: Stage, cast: list[Player]) -> None:
    Entry.objects.filter(number__in=(4, 5, 6)).update(rating=1500.0)
    play_rounds(swiss, 1)
    own = swiss.tournament.entries.all()
    Player.objects.filter(entries__in=own.filter(number=4)).update(visibility="hidden")
    Player.objects.filter(entries__in=own.filter(number=6)).update(title="GM")
    assert moves_numbers(swiss)
    before = list(numbers_of(swiss))
    late = enter(swiss, cast[2])
    assert late.number == 3
    assert list(numbers_of(swiss)) == [*before[:2], 3, *before[2:]], "the others keep their order"
    correct_entry_rating(late.pk, 2500, by=None)
    assert list(numbers_of(swiss)) == [3, *before]


def test_of_equal_ratings_the_late_one_stands_where_title_and_name_put_him(swiss: Stage, cast: list[Player]) -> None:
    Entry.objects.filter(number__in=(3, 4)).update(rating=1800.0)
    Player.objects.filter(entries__in=swiss.tournament.entries.filter(number=3)).update(title="IM")
    Player.objects.filter(pk=cast[2].pk).update(title="FM")
    play_rounds(swiss, 1)
    assert enter(swiss, cast[2]).number == 4
    Stage.objects.update(lots_seed=1)
    swiss.refresh_from_db()
    assert not moves_numbers(swiss), "lots that fell by rating stay lots"


@pytest.mark.parametrize(("order", "moves"), [("pk", True), ("-pk", False)])
def test_where_all_are_equal_the_whole_order_tells(standard: RatingList, order: str, moves: bool) -> None:
    stage = make_league(6, system="dutch")
    Stage.objects.update(settings={"rounds": 5})
    stage.refresh_from_db()
    number_in_order(stage, list(stage.tournament.entries.order_by(order)), by=None)
    pair_next_round(stage, by=None)
    assert moves_numbers(stage) is moves
    assert Round.objects.filter(stage=stage).count() == 1
