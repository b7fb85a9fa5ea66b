"""Rounds that players miss: who may ask for which bye, how often, and that whoever asked is not paired."""

import pytest

from players.models import Player
from players.refusals import Refused
from tests import factory
from tests.tournaments.entries.entry_cases import entry_of, events, make_event, present_entries
from tournaments.entries.services.entries import enter_players, remove_entry
from tournaments.entries.services.late import enter_late
from tournaments.events.selectors.stages import round_limit
from tournaments.events.services.closing import close_event
from tournaments.events.services.events import NewTournament, create_tournament, update_tournament
from tournaments.models import ByeKind, ByeRequest, Entry, Tournament
from tournaments.pairing.base import Option
from tournaments.pairing.free import ByHand
from tournaments.presence.services import (
    ask_half_byes,
    cancel_bye,
    cancel_own_bye,
    half_byes_free,
    report_absence,
    request_bye,
    request_own_bye,
    rounds_with_byes,
)
from tournaments.rounds.selectors.field import attendance
from tournaments.rounds.services.by_hand import pair_by_hand
from tournaments.rounds.services.rounds import publish_round
from tournaments.withdrawals.services.withdrawals import return_entry, withdraw_entry

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def cast(world: None) -> list[Player]:
    factory.make_club()
    factory.make_list()
    return factory.make_players(6)


@pytest.fixture
def evening(cast: list[Player]) -> Tournament:
    """Four players in an event whose rounds are paired one by one; nobody knows how many."""
    return make_event(cast[:4], "by-hand")


def make_round(event: Tournament) -> int:
    """The next round, first number against second and so on among those who are there; published."""
    stage = factory.stage_of(event)
    made = stage.rounds.count() + 1
    here = list(present_entries(stage, made).values())
    boards = [(here[at], here[at + 1] if at + 1 < len(here) else None) for at in range(0, len(here), 2)]
    row = pair_by_hand(stage, boards, by=None, pair_anyway=True)
    publish_round(row.pk, by=None)
    return row.number


def here(event: Tournament, number: int) -> list[int]:
    return list(present_entries(factory.stage_of(event), number))


def byes_asked(event: Tournament, number: int) -> dict[int, str]:
    who = attendance(factory.stage_of(event), number)
    return {own: who.asked[entry.pk] for own, entry in who.entries.items() if entry.pk in who.asked}


# --- who is paired ------------------------------------------------------------------------------------------------
def test_whoever_asked_for_a_bye_is_not_paired_in_that_round(evening: Tournament) -> None:
    request_bye(entry_of(evening, 2).pk, 3, ByeKind.HALF, by=None)
    assert here(evening, 2) == [1, 2, 3, 4]
    assert here(evening, 3) == [1, 3, 4]
    assert byes_asked(evening, 3) == {2: "half"}
    assert byes_asked(evening, 2) == {}


def test_a_late_one_is_paired_and_may_miss_rounds_from_the_next_on(evening: Tournament, cast: list[Player]) -> None:
    make_round(evening)
    [entry] = enter_late(evening, [cast[4]], by=None)
    assert (entry.number, entry.first_round) == (5, 2)
    assert [here(evening, number) for number in (1, 2)] == [[1, 2, 3, 4], [1, 2, 3, 4, 5]]
    assert [row.number for row in enter_late(evening, cast[5:6], by=None)] == [6], "several may come late"
    make_round(evening)
    entry.first_round = 4
    entry.save()
    with pytest.raises(Refused, match="comes in round 4 only"):
        request_bye(entry.pk, 3, ByeKind.ZERO, by=None)


def test_whoever_was_taken_out_meanwhile_has_no_byes(evening: Tournament) -> None:
    key = entry_of(evening, 4).pk
    remove_entry(key, by=None)
    for ask in (lambda: request_bye(key, 1, ByeKind.ZERO, by=None), lambda: report_absence(key, 1, by=None)):
        with pytest.raises(Refused, match="not in the event any more"):
            ask()


def test_whoever_left_is_not_paired_and_has_no_byes(evening: Tournament) -> None:
    make_round(evening)
    request_bye(entry_of(evening, 2).pk, 2, ByeKind.ZERO, by=None)
    withdraw_entry(entry_of(evening, 2).pk, by=None)
    withdraw_entry(entry_of(evening, 3).pk, by=None)
    assert entry_of(evening, 3).last_round == 1
    assert here(evening, 2) == [1, 4]
    assert byes_asked(evening, 2) == {}
    return_entry(entry_of(evening, 3).pk, by=None)
    assert here(evening, 2) == [1, 3, 4]


def test_a_draft_with_the_player_in_it_goes_first(evening: Tournament) -> None:
    entries = [entry_of(evening, number) for number in (1, 2, 3, 4)]
    pair_by_hand(factory.stage_of(evening), [(entries[0], entries[1]), (entries[2], entries[3])], by=None)
    with pytest.raises(Refused, match="delete the draft"):
        withdraw_entry(entries[0].pk, by=None)
    assert not entry_of(evening, 1).withdrawn


# --- what may be asked for ----------------------------------------------------------------------------------------
def test_one_half_point_bye_a_player_unless_the_event_says_otherwise(evening: Tournament) -> None:
    key = entry_of(evening, 1).pk
    request_bye(key, 2, ByeKind.HALF, by=None)
    with pytest.raises(Refused, match="a zero-point bye is possible"):
        request_bye(key, 3, ByeKind.HALF, by=None)
    request_bye(key, 3, ByeKind.ZERO, by=None)
    update_tournament(evening.pk, {"half_byes": 2}, by=None)
    request_bye(key, 3, ByeKind.HALF, by=None)
    assert ByeRequest.objects.filter(kind="half").count() == 2
    update_tournament(evening.pk, {"half_byes": 0}, by=None)
    with pytest.raises(Refused, match="gives no half-point byes"):
        request_bye(entry_of(evening, 1).pk, 2, ByeKind.HALF, by=None)


def test_asking_again_for_the_same_round_replaces_the_kind(evening: Tournament) -> None:
    key = entry_of(evening, 1).pk
    request_bye(key, 2, ByeKind.ZERO, by=None)
    request_bye(key, 2, ByeKind.HALF, by=None)
    request_bye(key, 2, ByeKind.HALF, by=None)
    assert list(ByeRequest.objects.values_list("round_number", "kind")) == [(2, "half")]
    assert events("bye.requested")[1].before == {"round": 2, "kind": "zero"}


def test_no_half_point_in_the_last_rounds_and_nothing_beyond(
    evening: Tournament, cast: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand, as a format that knows it has seven rounds."""
    monkeypatch.setattr(ByHand, "options", (Option("rounds", "Rounds", 7, lowest=1, highest=20),))
    assert round_limit(factory.stage_of(evening)) == 7
    update_tournament(evening.pk, {"half_byes_end": 2}, by=None)
    key = entry_of(evening, 1).pk
    for number in (6, 7):
        with pytest.raises(Refused, match="In the last rounds"):
            request_bye(key, number, ByeKind.HALF, by=None)
    request_bye(key, 7, ByeKind.ZERO, by=None)
    request_bye(key, 5, ByeKind.HALF, by=None)
    with pytest.raises(Refused, match="has 7 rounds"):
        request_bye(entry_of(evening, 1).pk, 8, ByeKind.ZERO, by=None)
    for _ in range(7):
        make_round(evening)
    with pytest.raises(Refused, match="All 7 rounds are made"):
        enter_late(evening, [cast[4]], by=None)


def test_of_the_three_kinds_a_full_point_needs_an_officers_word(evening: Tournament) -> None:
    for kind in ("pab", "", "double"):
        with pytest.raises(Refused, match="no such bye"):
            request_bye(entry_of(evening, 1).pk, 2, kind, by=None)
    key = entry_of(evening, 1).pk
    with pytest.raises(Refused, match="tick the box"):
        request_bye(key, 2, ByeKind.FULL, by=None)
    request_bye(key, 2, ByeKind.FULL, by=None, against_rules=True)
    assert ByeRequest.objects.get().kind == "full"


def test_only_rounds_still_to_be_made_are_missed_and_none_by_whoever_left(evening: Tournament) -> None:
    make_round(evening)
    key = entry_of(evening, 1).pk
    for number in (0, 1):
        with pytest.raises(Refused, match="made already"):
            request_bye(key, number, ByeKind.ZERO, by=None)
    with pytest.raises(Refused, match="has 200 rounds"):
        request_bye(key, 201, ByeKind.ZERO, by=None)
    withdraw_entry(entry_of(evening, 1).pk, by=None)
    with pytest.raises(Refused, match="has left"):
        request_bye(entry_of(evening, 1).pk, 2, ByeKind.ZERO, by=None)


def test_in_an_event_that_is_over_nothing_is_missed(evening: Tournament) -> None:
    close_event(evening, by=None)
    with pytest.raises(Refused, match="over"):
        request_bye(entry_of(evening, 1).pk, 1, ByeKind.ZERO, by=None)


@pytest.mark.parametrize(("system", "words"), [("round-robin", "another day"), ("knockout", "A bracket has no byes")])
def test_formats_with_fixed_rounds_have_no_byes(cast: list[Player], system: str, words: str) -> None:
    event = make_event(cast[:4], system)
    with pytest.raises(Refused, match=words):
        request_bye(entry_of(event, 1).pk, 1, ByeKind.ZERO, by=None)
    assert ask_half_byes(entry_of(event, 1), [1], by=None) == []
    assert not ByeRequest.objects.exists()


def test_whoever_has_no_number_yet_asks_for_no_bye(evening: Tournament, cast: list[Player]) -> None:
    event = create_tournament(NewTournament("Unnumbered", pairing_system="by-hand"), by=None)
    [entry] = enter_players(event, cast[:1], by=None)
    with pytest.raises(Refused, match="no number yet"):
        request_bye(entry.pk, 1, ByeKind.ZERO, by=None)


def test_of_the_byes_asked_for_with_an_entry_those_are_noted_that_the_event_gives(evening: Tournament) -> None:
    make_round(evening)
    entry = entry_of(evening, 1)
    assert ask_half_byes(entry, [0, 1, 3, 2, 4, 201], by=None) == [2], "1 is made, and one bye is given a player"
    assert list(ByeRequest.objects.values_list("entry", "round_number", "kind")) == [(entry.pk, 2, "half")]
    assert [event.after for event in events("bye.requested")] == [{"round": 2, "kind": "half"}]


def test_half_point_byes_are_offered_to_who_plays_and_has_one_left(evening: Tournament, cast: list[Player]) -> None:
    one, two, three, four = (entry_of(evening, number) for number in (1, 2, 3, 4))
    request_bye(one.pk, 3, ByeKind.HALF, by=None)
    Entry.objects.filter(pk=two.pk).update(withdrawn=True)
    stage = factory.stage_of(evening)
    assert half_byes_free(stage, 2) == {three.pk, four.pk}
    assert half_byes_free(stage, 3) == {one.pk, three.pk, four.pk}, "the same one asked for again"
    assert rounds_with_byes([one, two], [2, 3]) == [3]
    assert rounds_with_byes([three], [200, 201]) == [200]
    swiss = make_event(cast[:4], "dutch", rounds=5)
    assert rounds_with_byes([entry_of(swiss, 1)], [4, 5]) == [4], "none in the last round"


# --- taking back --------------------------------------------------------------------------------------------------
def test_a_player_takes_back_no_bye_but_a_half_point_of_that_round(evening: Tournament) -> None:
    key, other = entry_of(evening, 1).pk, entry_of(evening, 2).pk
    for entry, number, kind in ((key, 1, ByeKind.HALF), (key, 2, ByeKind.ZERO), (other, 2, ByeKind.HALF)):
        request_bye(entry, number, kind, by=None)
    with pytest.raises(Refused, match="No bye is asked for in round 2"):
        cancel_own_bye(key, 2, role="player")
    assert ByeRequest.objects.count() == 3


def test_a_bye_is_taken_back_until_its_round_is_made(evening: Tournament) -> None:
    key, other = entry_of(evening, 1).pk, entry_of(evening, 2).pk
    for entry, number in ((key, 2), (other, 1), (key, 1)):
        request_bye(entry, number, ByeKind.ZERO, by=None)
    cancel_bye(key, 1, by=None)
    assert set(ByeRequest.objects.values_list("entry", "round_number")) == {(key, 2), (other, 1)}
    [event] = events("bye.cancelled")
    assert (event.subject_key, len(event.before["image"]["byerequest"]["rows"])) == (key, 1)
    assert request_own_bye(key, 1, role="player").kind == "half", "what another asked for does not count"
    cancel_own_bye(key, 1, role="player")
    cancel_bye(other, 1, by=None)
    assert here(evening, 1) == [1, 2, 3, 4]
    with pytest.raises(Refused, match="No bye is asked for"):
        cancel_bye(key, 1, by=None)
    request_bye(key, 1, ByeKind.ZERO, by=None)
    make_round(evening)
    with pytest.raises(Refused, match="made already"):
        cancel_bye(key, 1, by=None)
