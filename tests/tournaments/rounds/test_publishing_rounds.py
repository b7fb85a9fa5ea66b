"""Drafts and published rounds: seen, taken out of sight with a reason, deleted and made anew; plans; and the numbers
of rounds in an event of several stages."""

from datetime import date, time, timedelta

import pytest
from django.test import Client

from players.models import AuditEvent
from players.refusals import Refused, Stale
from ratings.models import RatingList
from tests import databases, factory
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.rounds import round_cases
from tests.tournaments.rounds.round_cases import boards_of, entries, entry, make_league, pairs, play
from tests.tournaments.undo.undo_cases import facts_beside
from tournaments.models import Entry, Game, Pairing, Round, Seat, Stage, Tournament
from tournaments.results.services.results import record_result
from tournaments.rounds.services.by_hand import re_pair
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import (
    absent_before,
    delete_round,
    delete_rounds,
    pair_all_rounds,
    plan_round,
    publish_round,
    unpublish_round,
)
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("six")]


standard = club_and_list


six, league = round_cases.six, round_cases.league


@pytest.fixture
def published(league: Stage) -> Round:
    return pair_next_round(league, by=None, publish=True)


# --- out of sight ---------------------------------------------------------------------------------------------
def test_a_round_is_taken_out_of_sight_with_a_reason(published: Round) -> None:
    arbiter = factory.make_arbiter()
    row = unpublish_round(published.pk, reason="wrong-player", note="5 was ill", by=arbiter)
    assert (row.state, row.revision) == ("draft", 1)
    event = AuditEvent.objects.get(action="round.unpublished")
    assert (event.actor, event.reason, event.note) == (arbiter, "wrong-player", "5 was ill")
    assert (event.before["state"], event.after) == ("published", {"state": "draft", "number": 1, "revision": 1})
    assert publish_round(published.pk, by=None).state == "published"


def test_a_form_opened_before_a_round_went_out_of_sight_is_stale(published: Round) -> None:
    game = Game.objects.get(pairing__round=published, pairing__board=1)
    unpublish_round(published.pk, reason="other", by=None)
    publish_round(published.pk, by=None)
    with pytest.raises(Stale):
        record_result(game=game.pk, result=Result.DRAW, played_on=factory.MONDAY, by=None, revision=game.revision)


def test_without_a_reason_or_with_a_result_it_stays_published(published: Round) -> None:
    for reason in ("", "because"):
        with pytest.raises(Refused, match="needs a reason"):
            unpublish_round(published.pk, reason=reason, by=None)
    for result in (Result.DRAW, Result.ADJOURNED, Result.BOTH_FORFEIT):
        with databases.rolled_back():
            play(published, result)
            with pytest.raises(Refused, match="Round 1 has 1 results: clear them first"):
                unpublish_round(published.pk, reason="other", by=None)
    published.refresh_from_db()
    assert published.state == "published"


def test_a_round_another_was_paired_from_stays_and_rounds_made_together_are_deleted_together(published: Round) -> None:
    pair_next_round(published.stage, by=None, pair_anyway=True)
    with pytest.raises(Refused, match="Round 2 was paired from round 1"):
        unpublish_round(published.pk, reason="other", by=None)
    cup = factory.make_round_robin(factory.make_players(4))
    assert unpublish_round(factory.round_of(cup, 1).pk, reason="other", by=None).state == "draft"
    with pytest.raises(Refused, match="delete them together"):
        delete_round(factory.round_of(cup, 3).pk, by=None)


def test_a_draft_takes_no_result_and_is_not_published_with_somebody_who_left(league: Stage) -> None:
    row = pair_next_round(league, by=None)
    game = Game.objects.get(pairing__round=row, pairing__board=1)
    with pytest.raises(Refused, match="Round 1 is a draft: publish it first"):
        record_result(game=game.pk, result=Result.DRAW, played_on=factory.MONDAY, by=None)
    with pytest.raises(Refused, match="Round 1 is a draft already"):
        unpublish_round(row.pk, reason="other", by=None)
    fourth = league.tournament.entries.filter(number=4)
    fourth.update(withdrawn=True)
    with pytest.raises(Refused, match="Player #4 left after round 1 was drafted"):
        publish_round(row.pk, by=None)
    row.refresh_from_db()
    assert row.state == "draft"
    fourth.update(withdrawn=False)
    re_pair(row.pk, pairs(league, (1, 2), (3, 5)), rest_absent=True, by=None)
    fourth.update(withdrawn=True)
    assert publish_round(row.pk, by=None).state == "published", "absent in it anyway"
    play(row, Result.DRAW, Result.DRAW)
    league.tournament.entries.filter(number=1).update(withdrawn=True)
    second = pair_next_round(league, by=None)
    assert publish_round(second.pk, by=None).state == "published", "who played in round 1 may have left since"


def test_a_draft_is_seen_by_officers_only(client: Client, league: Stage) -> None:
    row = pair_next_round(league, by=None)
    address = f"{league.tournament.get_absolute_url()}rounds/1/"
    assert client.get(address).status_code == 404
    publish_round(row.pk, by=None)
    assert "Ada Alvarez" in client.get(address).content.decode()
    unpublish_round(row.pk, reason="other", by=None)
    assert client.get(address).status_code == 404


# --- made anew ------------------------------------------------------------------------------------------------
def test_a_draft_is_deleted_and_made_anew_but_no_published_round(league: Stage) -> None:
    row = pair_next_round(league, by=None)
    delete_round(row.pk, by=None)
    assert [model.objects.count() for model in (Round, Pairing, Seat, Game)] == [0, 0, 0, 0]
    before = AuditEvent.objects.get(action="round.deleted").before
    assert {name: value for name, value in before.items() if name != "image"} == {"stage": 1, "number": 1}
    trail = AuditEvent.objects.count()
    for work in (
        lambda: plan_round(row.pk, date(2026, 1, 5), by=None),
        lambda: publish_round(row.pk, by=None),
        lambda: unpublish_round(row.pk, reason="other", by=None),
        lambda: delete_round(row.pk, by=None),
    ):
        with pytest.raises(Stale, match="deleted meanwhile: look at the rounds again"):
            work()
    assert AuditEvent.objects.count() == trail
    published = pair_next_round(league, by=None, publish=True)
    assert published.number == 1
    with pytest.raises(Refused, match="Round 1 is published"):
        delete_round(published.pk, by=None)
    assert boards_of(published) == [(1, 2), (3, 4), (5, 6)]


def test_no_round_of_an_event_that_is_over_is_made_hidden_or_deleted(published: Round) -> None:
    league = published.stage
    draft = pair_next_round(league, by=None, pair_anyway=True)
    Tournament.objects.filter(pk=league.tournament_id).update(closed=True)
    for work in (
        lambda: pair_all_rounds(league, by=None),
        lambda: unpublish_round(published.pk, reason="other", by=None),
        lambda: delete_round(draft.pk, by=None),
        lambda: delete_rounds(league, by=None),
    ):
        with pytest.raises(Refused, match="event is over"):
            work()
    assert list(Round.objects.order_by("number")) == [published, draft]


# --- of one event only ----------------------------------------------------------------------------------------
@pytest.fixture
def other(league: Stage) -> Stage:
    """A second league: a round with a result, one with a ruling, and a draft in which somebody is absent, after which
    one has left and one has yet to come."""
    other = make_league(6, name="Other")
    played, ruled = (pair_next_round(other, by=None, publish=True, pair_anyway=True) for _round in (1, 2))
    play(played, Result.BLACK_WINS)
    Pairing.objects.filter(round=ruled, board=1).update(ruled=True)
    present, away = entries(other, 1, 2, 3, 5), entry(other, 4).pk
    pair_next_round(other, by=None, present=present, absent={away: "half"}, pair_anyway=True)
    Entry.objects.filter(pk=present[0].pk).update(withdrawn=True, number=None)
    Entry.objects.filter(pk=entry(other, 6).pk).update(first_round=9)
    return other


def test_a_round_is_made_hidden_changed_and_deleted_whatever_stands_in_another_event(
    league: Stage, other: Stage
) -> None:
    beside = facts_beside(league.tournament)
    row = pair_next_round(league, by=None)
    assert (row.number, boards_of(row)) == (1, [(1, 2), (3, 4), (5, 6)])
    publish_round(row.pk, by=None)
    unpublish_round(row.pk, reason="other", by=None)
    re_pair(row.pk, pairs(league, (2, 1), (4, 3), (6, 5)), by=None)
    assert boards_of(row) == [(2, 1), (4, 3), (6, 5)]
    assert len(AuditEvent.objects.get(action="round.paired otherwise").before["boards"]) == 3
    assert facts_beside(league.tournament) == beside
    for delete in (lambda: delete_round(row.pk, by=None), lambda: delete_rounds(league, by=None)):
        with databases.rolled_back():
            delete()
            told = AuditEvent.objects.filter(action__endswith=".deleted").latest("pk").before
            kept = {table: len(rows["rows"]) for table, rows in told["image"].items()}
            assert kept == {"round": 1, "pairing": 3, "seat": 6, "game": 3}
            assert told.keys() <= {"stage", "number", "rounds", "image"}, "nobody absent, nobody late"
            assert facts_beside(league.tournament) == beside
    play(publish_round(row.pk, by=None), *[Result.DRAW] * 3)
    assert boards_of(pair_next_round(league, by=None)) == [(1, 2), (3, 4), (5, 6)], "results elsewhere are none here"
    delete_round(other.rounds.get(number=3).pk, by=None)
    assert AuditEvent.objects.latest("pk").subject_key == other.tournament_id
    assert [list(absent_before(stage, 3).values()) for stage in (other, league)] == [["half", "zero"], []]


# --- plans ----------------------------------------------------------------------------------------------------
def test_a_round_is_planned_for_a_day_and_a_time(published: Round) -> None:
    row = plan_round(published.pk, date(2026, 2, 2), time=time(19, 30), by=None)
    row.refresh_from_db()
    assert (row.planned_on, row.planned_at, row.revision) == (date(2026, 2, 2), time(19, 30), 1)
    plan_round(published.pk, None, by=None)
    row.refresh_from_db()
    assert (row.planned_on, row.planned_at) == (None, None)
    last, first = AuditEvent.objects.filter(action="round.planned")
    assert first.after == {"planned_on": "2026-02-02", "planned_at": "19:30"}
    assert (last.before, last.after) == (first.after, {"planned_on": ""})
    with pytest.raises(Refused, match="A time needs its day"):
        plan_round(published.pk, None, time=time(19, 30), by=None)


# --- several stages -------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def all_groups(standard: RatingList) -> list[Stage]:
    """Eight players in two groups of four, and a final of two."""
    stage = make_league(8, system="round-robin", name="Groups")
    everybody = list(stage.tournament.entries.order_by("number"))
    common = {"tournament": stage.tournament, "takes_everybody": False, "pairing_system": "round-robin"}
    parts = ((2, 2, "A"), (3, 2, "B"), (4, 3, "Final"))
    made = [Stage.objects.create(**common, order=order, part=part, name=name) for order, part, name in parts]
    fields = (everybody[0::2], everybody[1::2], [everybody[5], everybody[2]])
    for group, field in zip(made, fields, strict=True):
        for number, member in enumerate(field, start=1):
            group.field.create(entry=member, number=number)
    return made


@pytest.fixture
def groups(all_groups: list[Stage]) -> list[Stage]:
    """A, B and the final."""
    return list(Stage.objects.filter(tournament=all_groups[0].tournament, order__gt=1).order_by("order"))


def test_groups_side_by_side_have_the_same_rounds_and_a_later_part_counts_on(groups: list[Stage]) -> None:
    first, second, final = groups
    factory.make_round_robin(factory.first_players(6), name="Other, of five rounds")
    assert [row.number for row in pair_all_rounds(first, by=None, first_day=factory.MONDAY)] == [1, 2, 3]
    assert [row.number for row in pair_all_rounds(second, by=None, first_day=factory.MONDAY)] == [1, 2, 3]
    for group, numbers in ((first, {1, 3, 5, 7}), (second, {2, 4, 6, 8})):
        seats = Seat.objects.filter(round__stage=group).values_list("entry__number", flat=True)
        assert set(seats) == numbers, "a group is paired among itself"
    assert boards_of(first.rounds.get(number=1)) == [(1, 7), (3, 5)], "by the numbers of the group's own table"
    (row,) = pair_all_rounds(final, by=None, first_day=factory.MONDAY + timedelta(days=28))
    assert (row.number, boards_of(row)) == (4, [(6, 3)])
    assert row.planned_on == factory.MONDAY + timedelta(days=28)
    final.rounds.all().delete()
    delete_rounds(first, by=None)
    left = Round.objects.filter(stage__tournament=first.tournament_id).values_list("stage__name", flat=True)
    assert set(left) == {"B"}, "a group is deleted alone"


def test_a_group_with_a_gap_in_its_numbers_is_not_paired(groups: list[Stage]) -> None:
    groups[0].field.filter(number=2).delete()
    with pytest.raises(Refused, match="Not everybody has a pairing number"):
        pair_all_rounds(groups[0], by=None)


def test_a_knockout_is_not_made_as_a_schedule(standard: RatingList) -> None:
    stage = make_league(4, system="by-hand", name="Knockout")
    Stage.objects.filter(pk=stage.pk).update(pairing_system="knockout")
    stage.refresh_from_db()
    with pytest.raises(Refused, match="does not make its rounds beforehand"):
        pair_all_rounds(stage, by=None)
    assert not stage.rounds.exists()
