"""Between looking at the next round and making it something else is written: nobody publishes what he did not see."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from players.refusals import Refused, Stale
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import fields_of, shown, url
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.rounds.round_cases import boards_of, byes_of, entries, entry, pairs
from tests.tournaments.swiss_events import BLACK, DRAW, WHITE, make_swiss, play_rounds
from tournaments.entries.services.late import enter_late
from tournaments.formats.services import change_running_settings
from tournaments.models import Game, Round, Stage, Tournament
from tournaments.presence.services import request_bye
from tournaments.results.services.results import correct_result
from tournaments.rounds.admin import next_round
from tournaments.rounds.selectors.field import attendance
from tournaments.rounds.services.by_hand import re_pair
from tournaments.rounds.services.next_round import Proposal, pair_next_round, propose_round
from tournaments.rounds.services.rounds import absent_before, delete_round, publish_round
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = pytest.mark.django_db

Change = Callable[[], object]
standard = club_and_list


@pytest.fixture(scope="module")
def cast(standard: RatingList) -> list[Player]:
    return factory.make_players(9)


@pytest.fixture(scope="module")
def swiss(cast: list[Player]) -> Stage:
    """Eight of the cast after round 1; the ninth is still at home."""
    stage = make_swiss(cast[:8])
    play_rounds(stage, 1, WHITE, DRAW, BLACK, WHITE)
    return stage


def meanwhile(monkeypatch: pytest.MonkeyPatch, change: Change) -> None:
    """The change comes after the round was proposed, just before it is made."""

    def changed(*args: Any, **kwargs: Any) -> Round:
        change()
        return pair_next_round(*args, **kwargs)

    monkeypatch.setattr(next_round, "pair_next_round", changed)


# --- the service --------------------------------------------------------------------------------------------------
def test_only_what_was_looked_at_is_made(swiss: Stage) -> None:
    made = propose_round(swiss)
    assert made.seen != Proposal(3, made.boards, made.absent).seen, "the same boards of another round"
    with pytest.raises(Stale, match="not the boards you looked at"):
        pair_next_round(swiss, by=None, seen=made.seen, present=entries(swiss, *range(1, 8)))
    assert Round.objects.count() == 1
    row = pair_next_round(swiss, by=None, seal=made.seal(), seen=made.seen, who=attendance(swiss, 2))
    assert boards_of(row) == [(white.number, black.number) for white, black in made.boards if black]
    Tournament.objects.update(closed=True)
    with pytest.raises(Refused, match="The event is over"):
        pair_next_round(swiss, by=None)


def test_who_comes_leaves_or_asks_for_a_bye_meanwhile_counts(swiss: Stage, cast: list[Player]) -> None:
    who = attendance(swiss, 2)
    [late] = enter_late(swiss.tournament, [cast[8]], by=None)
    with pytest.raises(Stale):
        pair_next_round(swiss, by=None, who=who, present=who.entries.values())
    withdraw_entry(late.pk, by=None)
    for number, kind in ((3, "zero"), (4, "half")):
        who = attendance(swiss, 2)
        request_bye(entry(swiss, number).pk, 2, kind, by=None)
        with pytest.raises(Stale, match="somebody came, left or asked for a bye"):
            pair_next_round(swiss, by=None, who=who, present=who.entries.values())
    who = attendance(swiss, 2)
    pair_next_round(swiss, by=None, who=who, present=who.entries.values())


def test_only_the_draft_that_was_looked_at_is_published(swiss: Stage) -> None:
    row = pair_next_round(swiss, by=None)
    seen = row.revision
    re_pair(row.pk, pairs(swiss, (1, 2), (3, 4), (5, 6), (7, 8)), by=None, nevertheless=True)
    with pytest.raises(Stale, match="Round 2 was changed meanwhile"):
        publish_round(row.pk, by=None, revision=seen)
    assert publish_round(row.pk, by=None, revision=seen + 1).state == "published"


# --- the page -----------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_a_result_corrected_before_the_lock_publishes_nothing(
    desk: Client, swiss: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = fields_of(shown(desk, "next_round", swiss.pk))
    game = Game.objects.get(pairing__round__stage=swiss, pairing__board=1)
    meanwhile(monkeypatch, lambda: correct_result(game=game.pk, result=BLACK, by=None, reason="entry-error"))
    answer = desk.post(url("next_round", swiss.pk), form | {"do": "publish"})
    monkeypatch.undo()
    assert answer.status_code == 409
    html = answer.content.decode()
    assert "not the boards you looked at" in html
    assert fields_of(html)["seen"] == propose_round(swiss).seen != form["seen"], "the boards as they are now are shown"
    assert desk.post(url("next_round", swiss.pk), fields_of(html) | {"do": "publish"}).status_code == 302
    assert Round.objects.get(number=2).state == "published"


def test_rounds_taken_away_before_the_lock_are_not_made(
    desk: Client, swiss: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = fields_of(shown(desk, "next_round", swiss.pk))
    meanwhile(monkeypatch, lambda: change_running_settings(swiss.pk, {"rounds": 1}, by=None))
    html = desk.post(url("next_round", swiss.pk), form | {"do": "draft"}).content.decode()
    assert "All 1 rounds are made" in html
    assert "Pair and publish" not in html
    assert Round.objects.count() == 1


@pytest.mark.extended
@pytest.mark.parametrize("button", ["draft", "publish"])
def test_who_was_entered_while_the_form_was_open_is_here(
    desk: Client, swiss: Stage, cast: list[Player], button: str
) -> None:
    form = fields_of(shown(desk, "next_round", swiss.pk))
    [late] = enter_late(swiss.tournament, [cast[8]], by=None)
    answer = desk.post(url("next_round", swiss.pk), form | {"do": button})
    assert answer.status_code == 409
    html = answer.content.decode()
    assert "somebody came, left or asked for a bye" in html
    assert fields_of(html)[f"p-{late.pk}"] == "here"
    assert desk.post(url("next_round", swiss.pk), fields_of(html) | {"do": button}).status_code == 302
    assert set(byes_of(Round.objects.get(number=2)).values()) == {"pab"}, "nine players: one has the bye, all are there"


def test_who_asked_for_a_bye_while_the_form_was_open_has_it(desk: Client, swiss: Stage) -> None:
    form = fields_of(shown(desk, "next_round", swiss.pk))
    request_bye(entry(swiss, 3).pk, 2, "half", by=None)
    html = desk.post(url("next_round", swiss.pk), form | {"do": "draft"}).content.decode()
    again = fields_of(html)
    assert again[f"p-{entry(swiss, 3).pk}"] == "half"
    here = again | {f"p-{entry(swiss, 3).pk}": "here", "do": "draft"}
    assert desk.post(url("next_round", swiss.pk), here).status_code == 302, "the arbiter may still say otherwise"
    assert byes_of(Round.objects.get(number=2)) == {}


def test_a_form_of_the_round_before_makes_no_further_one(desk: Client, swiss: Stage) -> None:
    form = fields_of(shown(desk, "next_round", swiss.pk))
    play_rounds(swiss, 1)
    answer = desk.post(url("next_round", swiss.pk), form | {"do": "draft"})
    assert answer.status_code == 409
    assert Round.objects.count() == 2


# --- a draft made anew --------------------------------------------------------------------------------------------
def test_who_was_absent_in_a_deleted_draft_is_absent_in_the_next_form(desk: Client, swiss: Stage) -> None:
    six = entry(swiss, 6)
    row = pair_next_round(swiss, by=None, present=entries(swiss, 1, 2, 3, 4, 5, 7))
    delete_round(row.pk, by=None)
    request_bye(entry(swiss, 8).pk, 2, "half", by=None)
    html = shown(desk, "next_round", swiss.pk)
    form = fields_of(html)
    assert [form[f"p-{entry(swiss, number).pk}"] for number in (1, 6, 8)] == ["here", "zero", "half"]
    assert "2 players are not here" in html
    back = form | {f"p-{six.pk}": "here", "do": "draft"}
    assert desk.post(url("next_round", swiss.pk), back).status_code == 302
    byes = byes_of(Round.objects.get(number=2))
    assert (byes.pop(8), list(byes.values())) == ("half", ["pab"]), "seven are left: one has the bye, nobody is absent"


def test_absences_of_another_round_are_forgotten(swiss: Stage) -> None:
    delete_round(pair_next_round(swiss, by=None, present=entries(swiss, 1, 2, 3, 4)).pk, by=None)
    assert set(absent_before(swiss, 2).values()) == {"zero"}
    assert absent_before(swiss, 3) == {}
    assert play_rounds(swiss, 1)
    delete_round(pair_next_round(swiss, by=None).pk, by=None)
    assert absent_before(swiss, 2) == absent_before(swiss, 3) == {}
