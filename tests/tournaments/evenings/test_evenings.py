"""Evenings on which members check in by the code at the door: opened, ended, and boards set for who is here."""

from datetime import timedelta

import pytest
from django.utils import timezone

from players.models import AuditEvent, Player
from players.refusals import Refused, Stale
from tests import factory
from tests.tournaments.challenges import challenge_cases
from tests.tournaments.challenges.challenge_cases import ask, entry, player
from tournaments.challenges.services import accept
from tournaments.erasure.services.erasure import anonymise_player
from tournaments.evenings.selectors import busy_at, evening_at, evening_now, here_at, propose
from tournaments.evenings.services import arrive, end_evening, forget_arrivals, leave, open_evening, set_boards
from tournaments.free_boards.services.rules import NewFreeRules, set_free_rules
from tournaments.free_play.services import record_free_game
from tournaments.models import Arrival, Evening, Game, ProhibitedPair, Tournament
from tournaments.pairing.evening import Partners
from tournaments.standings.points import Result
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time")]
ladder = challenge_cases.ladder


def test_an_evening_has_one_code_and_ends_with_it(ladder: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = open_evening(ladder, by=(officer := factory.make_arbiter()))
    assert open_evening(ladder, by=None) == evening
    assert factory.told("evening.opened", ladder, officer).after == {"evening": evening.pk}
    guest = player(ladder, 1)
    assert arrive(evening.pk, guest) == arrive(evening.pk, guest)
    leave(evening.pk, guest)
    leave(evening.pk, guest)
    assert AuditEvent.objects.filter(action__in=("evening.arrived", "evening.left")).count() == 2
    with monkeypatch.context() as at_its_end:
        at_its_end.setattr(timezone, "now", lambda: evening.ends_at)
        for late in (lambda: arrive(evening.pk, guest), lambda: end_evening(evening.pk, by=None)):
            with pytest.raises(Stale, match="over"):
                late()
    end_evening(evening.pk, by=officer)
    assert factory.told("evening.ended", ladder, officer).before == {"evening": evening.pk}
    for deed in (arrive, leave):
        with pytest.raises(Stale, match="over"):
            deed(evening.pk, guest)
    for key, sentence in ((evening.pk, "over already"), (evening.pk + 1, "not there any more")):
        with pytest.raises(Stale, match=sentence):
            end_evening(key, by=None)
    later = open_evening(ladder, by=None)
    assert later.door_code != evening.door_code
    assert evening_now(ladder, later.opened_at + timedelta(hours=13)) is None, "also where nobody ends it"
    assert not forget_arrivals()
    Evening.objects.filter(pk=evening.pk).update(ends_at=timezone.now() - timedelta(days=31))
    arrive(later.pk, guest)
    assert forget_arrivals() == 1
    assert Arrival.objects.get().evening == later


def test_boards_are_set_for_those_who_are_here_all_or_none(ladder: Tournament) -> None:
    evening = open_evening(ladder, by=None)
    people = [player(ladder, place) for place in (1, 2, 3, 4)]
    for each in people:
        arrive(evening.pk, each)
    one, two, three, four = (each.pk for each in people)
    leave(evening.pk, people[3])
    with pytest.raises(Stale, match="nothing was set"):
        set_boards(evening.pk, [(one, two), (three, four)], by=None)
    with pytest.raises(Stale, match="nothing was set"):
        set_boards(evening.pk, [(one, two), (two, three)], by=None)
    assert not Game.objects.exists()
    arrive(evening.pk, people[3])
    assert [each.player for each in here_at(evening)] == people, "who comes back is here"
    assert len(set_boards(evening.pk, [(one, two)], by=None)) == 1
    with pytest.raises(Stale, match="has a board"):
        set_boards(evening.pk, [(one, three)], by=None)
    Tournament.objects.filter(pk=ladder.pk).update(closed=True)
    with pytest.raises(Stale, match="over"):
        arrive(evening.pk, player(ladder, 5))
    with pytest.raises(Refused):
        open_evening(ladder, by=None)


def test_of_two_ladders_each_has_its_own_evening(ladder: Tournament) -> None:
    """The same people are here on both."""
    other = factory.make_ladder(factory.first_players(5), name="Other").tournament
    set_free_rules(other, challenge_cases.ON, by=None, revision=0)
    with pytest.raises(Stale):
        set_free_rules(other, challenge_cases.ON, by=None, revision=0)
    with pytest.raises(Refused, match="less than or equal to 90"):
        set_free_rules(other, NewFreeRules(play_days=91), by=None)
    evening, elsewhere = (open_evening(event, by=None) for event in (ladder, other))
    now, one, two, three = timezone.now(), *(player(ladder, place) for place in (1, 2, 3))
    assert (evening_now(ladder, now), evening_now(other, now)) == (evening, elsewhere)
    assert evening_at(ladder.slug, elsewhere.door_code) is None
    assert evening_at(other.slug, elsewhere.door_code) == elsewhere
    for who, where in ((one, evening), (two, evening), (one, elsewhere), (three, elsewhere)):
        arrive(where.pk, who)
    leave(evening.pk, one)
    assert [[row.player for row in here_at(each)] for each in (evening, elsewhere)] == [[two], [one, three]]
    set_boards(elsewhere.pk, [(one.pk, three.pk)], by=None)
    Player.objects.filter(pk=one.pk).update(merged_into=two)
    assert [row.player for row in here_at(elsewhere)] == [three], "the other record is somebody's who is here"
    set_free_rules(other, NewFreeRules(challenges=True), by=None, revision=1)
    assert evening_at(other.slug, elsewhere.door_code) is None, "nobody checks in there any more"
    with pytest.raises(Refused, match="check in nowhere"):
        open_evening(other, by=None)
    assert (busy_at(ladder), busy_at(other)) == (set(), {one.pk, three.pk})
    end_evening(evening.pk, by=None)
    assert (evening_now(ladder, timezone.now()), evening_now(other, timezone.now())) == (None, elsewhere)
    Tournament.objects.filter(pk=other.pk).update(closed=True)
    with pytest.raises(Refused, match="event is over"):
        set_free_rules(other, challenge_cases.ON, by=None)


def test_nobody_is_proposed_a_board_that_cannot_be_set(ladder: Tournament) -> None:
    evening, today = open_evening(ladder, by=None), timezone.localdate()
    one, two, three = (player(ladder, place) for place in (1, 2, 3))
    for each in (one, three):
        arrive(evening.pk, each)
    row = ask(ladder, 3, 1)
    accept(row.pk, one.pk)
    assert not propose(evening, here_at(evening), busy_at(ladder), today).boards, "they have their challenge's board"
    arrive(evening.pk, two)
    record_free_game(ladder, three, one, Result.DRAW, today - timedelta(days=60), by=None)
    elsewhere = factory.make_ladder([one, two], name="Other Ladder").tournament
    for event, white, black in ((elsewhere, two, one), (ladder, player(ladder, 4), three)):
        for _game in range(2):
            record_free_game(event, white, black, Result.DRAW, today - timedelta(days=50), by=None, again=True)
    withdraw_entry(entry(ladder, 1).pk, by=None)
    assert propose(evening, here_at(evening), busy_at(ladder), today).boards == ((two, three),), "three had White last"
    for place in (2, 3):
        withdraw_entry(entry(ladder, place).pk, by=None)
    for rule in Partners:
        assert set(propose(evening, here_at(evening), busy_at(ladder), today, rule).left) == {one, two, three}


def test_two_who_must_not_meet_in_this_event_are_proposed_no_board(ladder: Tournament) -> None:
    evening, today = open_evening(ladder, by=None), timezone.localdate()
    other = factory.make_ladder(factory.first_players(5), name="Other Ladder").tournament
    for place in (1, 2, 3):
        arrive(evening.pk, player(ladder, place))
    for event, pairs in ((ladder, ((1, 2), (1, 3))), (other, ((2, 3),))):
        for pair in pairs:
            first, second = (entry(event, place) for place in pair)
            ProhibitedPair.objects.create(tournament=event, first=first, second=second)
    [board] = propose(evening, here_at(evening), busy_at(ladder), today).boards
    assert set(board) == {player(ladder, 2), player(ladder, 3)}


def test_who_played_least_today_in_this_event_has_a_board_first(ladder: Tournament) -> None:
    evening, today = open_evening(ladder, by=None), timezone.localdate()
    one, two, three, four = (player(ladder, place) for place in (1, 2, 3, 4))
    other = factory.make_ladder([two, four], name="Other Ladder").tournament
    for event, guest, day in ((ladder, one, today - timedelta(days=1)), (other, two, today)):
        for _game in range(2):
            record_free_game(event, guest, four, Result.DRAW, day, by=None, again=True)
    record_free_game(ladder, three, four, Result.DRAW, today, by=None)
    for each in (one, two, three):
        arrive(evening.pk, each)
    assert propose(evening, here_at(evening), busy_at(ladder), today).left == (three,)
    anonymise_player(one.pk, by=None)
    assert {row.player for row in evening.arrivals.all()} == {two, three}, "when an erased person came is not kept"
