"""A round made at the desk: the sheet of who is here, the boards as a draft, set by hand and beside the engine's."""

from datetime import date, time

import pytest
from django.test import Client

from players.models import AuditEvent
from players.refusals import Refused
from tests import factory
from tests.tournaments.admin_pages import fields_of, shown, url
from tests.tournaments.rounds.round_cases import boards_of, byes_of, entry, make_league, pairs, play
from tournaments.models import ByeRequest, Entry, ProhibitedPair, Round, Stage, Tournament
from tournaments.presence.services import request_bye
from tournaments.rounds.admin import draft as round_draft
from tournaments.rounds.selectors.field import attendance
from tournaments.rounds.services.by_hand import re_pair
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("league")]


@pytest.fixture
def draft(league: Stage) -> Round:
    """Ada – Bo, Cleo – Dag, Eva – Finn."""
    return pair_next_round(league, by=None)


def boards_form(stage: Stage, *boards: tuple[int, int | None]) -> dict[str, str]:
    """The selects of a boards form, by pairing numbers."""
    form = {}
    for line, (white, black) in enumerate(boards, start=1):
        if black is None:
            form["bye"] = str(entry(stage, white).pk)
        else:
            form |= {f"white-{line}": str(entry(stage, white).pk), f"black-{line}": str(entry(stage, black).pk)}
    return form


# --- the sheet ------------------------------------------------------------------------------------------------
def test_everybody_is_here_by_default_and_the_boards_are_shown(desk: Client, league: Stage) -> None:
    ByeRequest.objects.create(entry=entry(league, 2), round_number=1, kind="half")
    Entry.objects.filter(pk=entry(league, 6).pk).update(withdrawn=True)
    html = shown(desk, "next_round", league.pk)
    form = fields_of(html)
    chosen = {number: form.get(f"p-{entry(league, number).pk}") for number in range(1, 7)}
    assert chosen == {1: "here", 2: "half", 3: "here", 4: "here", 5: "here", 6: None}
    assert "The boards would be" in html
    assert "Pair and publish round 1" in html
    assert "Keep as a draft" in html
    assert "pair_anyway" not in html, "without open boards there is nothing to pass over"
    assert not Round.objects.exists(), "looking writes nothing"


def test_whoever_is_not_here_is_left_out(desk: Client, league: Stage) -> None:
    ByeRequest.objects.create(entry=entry(league, 2), round_number=1, kind="half")
    form = fields_of(shown(desk, "next_round", league.pk))
    form |= {f"p-{entry(league, 1).pk}": "zero", "do": "look"}
    assert "Bo Brandt (half-point bye)" in desk.post(url("next_round", league.pk), form).content.decode()
    assert not Round.objects.exists()
    answer = desk.post(url("next_round", league.pk), form | {"do": "draft", "day": "2026-01-05", "at": "19:30"})
    row = Round.objects.get()
    assert answer["Location"] == url("boards", row.pk)
    assert (boards_of(row), byes_of(row)) == ([(3, 4), (5, 6)], {1: "zero", 2: "half"})
    assert (row.state, row.planned_on, row.planned_at) == ("draft", date(2026, 1, 5), time(19, 30))


def test_what_was_not_looked_at_is_not_published(desk: Client, league: Stage) -> None:
    form = fields_of(shown(desk, "next_round", league.pk)) | {f"p-{entry(league, 1).pk}": "zero"}
    answer = desk.post(url("next_round", league.pk), form | {"do": "publish"})
    assert answer.status_code == 409
    html = answer.content.decode()
    assert "not the boards you looked at" in html
    assert not Round.objects.exists()
    answer = desk.post(url("next_round", league.pk), fields_of(html) | {"do": "publish"})
    assert answer["Location"] == url("rounds", league.tournament_id)
    row = Round.objects.get()
    assert (row.state, byes_of(row)) == ("published", {1: "zero", 6: "pab"})


def test_open_boards_are_said_and_may_be_passed_over(desk: Client, league: Stage) -> None:
    play(pair_next_round(league, by=None, publish=True), Result.WHITE_WINS)
    html = shown(desk, "next_round", league.pk)
    assert "round 1, board 2; round 1, board 3" in html
    assert 'name="pair_anyway"' in html
    assert "Pair and publish" not in html
    form = fields_of(html)
    assert desk.post(url("next_round", league.pk), form | {"do": "draft"}).status_code == 409
    assert desk.post(url("next_round", league.pk), form | {"do": "draft", "pair_anyway": "on"}).status_code == 302
    assert Round.objects.count() == 2


def test_a_bad_field_or_bye_makes_nothing_and_what_was_chosen_stays(desk: Client, league: Stage) -> None:
    form = fields_of(shown(desk, "next_round", league.pk)) | {f"p-{entry(league, 3).pk}": "zero", "do": "draft"}
    for typed, words in (
        ({"day": "soon"}, "look at the fields"),
        ({"day": "1066-10-14"}, "look at the fields"),
        ({"day": "", "at": "19:30"}, "A time needs its day"),
    ):
        answer = desk.post(url("next_round", league.pk), form | typed)
        html = answer.content.decode()
        assert answer.status_code == 409, typed
        assert words in html, typed
        assert fields_of(html)[f"p-{entry(league, 3).pk}"] == "zero", typed
    assert desk.post(url("next_round", league.pk), {"do": "draft"}).status_code == 409, "an empty form"
    # A full point for a missed round is asked for on the entry's page, where it needs an officer's word.
    for kind in ("pab", "full", "ill"):
        answer = desk.post(url("next_round", league.pk), form | {f"p-{entry(league, 3).pk}": kind})
        assert answer.status_code == 409, kind
        assert "no way to be absent" in answer.content.decode(), kind
    assert not Round.objects.exists()


def test_under_keizer_anybody_may_be_excused(desk: Client) -> None:
    stage = make_league(6, system="keizer")
    html = shown(desk, "next_round", stage.pk)
    assert html.count("> excused</label>") == 6
    form = fields_of(html) | {f"p-{entry(stage, 3).pk}": "half", "do": "look"}
    assert "Cleo Costa (excused)" in desk.post(url("next_round", stage.pk), form).content.decode()
    form["do"] = "draft"
    assert desk.post(url("next_round", stage.pk), form).status_code == 302
    assert byes_of(Round.objects.get())[3] == "half"
    asked = entry(stage, 2).pk
    assert "absent without excuse" in shown(desk, "entry", asked)
    request_bye(asked, 2, "full", by=None, against_rules=True)
    assert shown(desk, "next_round", stage.pk).count("> full-point bye</label>") == 1, "who was promised one"


# --- half-point byes ------------------------------------------------------------------------------------------
def half_offered(desk: Client, stage: Stage) -> set[int]:
    """Pairing numbers of those the sheet offers half a point."""
    html = shown(desk, "next_round", stage.pk)
    return {number for number in range(1, 7) if f'name="p-{entry(stage, number).pk}" value="half"' in html}


def test_half_a_point_is_given_on_the_sheet_and_counts_as_asked_for(desk: Client, league: Stage) -> None:
    form = fields_of(shown(desk, "next_round", league.pk)) | {f"p-{entry(league, 3).pk}": "half", "do": "look"}
    html = desk.post(url("next_round", league.pk), form).content.decode()
    assert not ByeRequest.objects.exists(), "looking writes nothing"
    assert desk.post(url("next_round", league.pk), fields_of(html) | {"do": "publish"}).status_code == 302
    assert byes_of(Round.objects.get()) == {3: "half", 6: "pab"}
    assert list(ByeRequest.objects.values_list("entry__number", "round_number", "kind")) == [(3, 1, "half")]
    assert AuditEvent.objects.filter(action="bye.requested").count() == 1


@pytest.mark.extended
def test_whoever_had_as_many_as_allowed_or_is_in_the_last_rounds_is_offered_none(desk: Client, league: Stage) -> None:
    assert half_offered(desk, league) == {1, 2, 3, 4, 5, 6}
    ByeRequest.objects.create(entry=entry(league, 3), round_number=2, kind="half")
    ByeRequest.objects.create(entry=entry(league, 4), round_number=2, kind="zero")
    assert half_offered(desk, league) == {1, 2, 4, 5, 6}
    form = fields_of(shown(desk, "next_round", league.pk)) | {f"p-{entry(league, 3).pk}": "half", "do": "draft"}
    assert desk.post(url("next_round", league.pk), form).status_code == 409
    assert not Round.objects.exists()
    Tournament.objects.update(half_byes=0)
    assert half_offered(desk, league) == set(), "the event allows none"
    stage = make_league(6, system="dutch", name="Last rounds")
    stage.settings = {"rounds": 2}
    stage.save()
    assert half_offered(desk, stage) == {1, 2, 3, 4, 5, 6}
    play(pair_next_round(stage, by=None, publish=True), *[Result.DRAW] * 3)
    assert half_offered(desk, stage) == set()


def test_half_a_point_that_was_asked_for_meanwhile_is_not_given_twice(league: Stage) -> None:
    """The sheet was shown before the other round's bye was noted: nothing is made, nothing is noted. Nor is a bye noted
    for a round that is refused."""
    who = attendance(league, 1)
    asked = entry(league, 3)
    here = [row for number, row in who.entries.items() if number != 3]
    with pytest.raises(Refused, match="not the boards you looked at"):
        pair_next_round(league, by=None, present=here, absent={asked.pk: "half"}, who=who, seen="other")
    assert not ByeRequest.objects.exists()
    ByeRequest.objects.create(entry=asked, round_number=2, kind="half")
    with pytest.raises(Refused, match="that many are taken"):
        pair_next_round(league, by=None, present=here, absent={asked.pk: "half"}, who=who)
    assert not Round.objects.exists()
    assert ByeRequest.objects.count() == 1


def test_the_sheet_is_for_formats_made_round_by_round_and_by_hand_leads_to_the_boards(desk: Client) -> None:
    cup = factory.make_round_robin(factory.first_players(4))
    stage = factory.stage_of(cup)
    for name in ("next_round", "by_hand"):
        assert desk.get(url(name, stage.pk)).status_code == 404
        assert desk.get(url(name, 10**6)).status_code == 404
    assert desk.get(url("boards", factory.round_of(cup, 1).pk)).status_code == 404
    stage = make_league(4, system="by-hand")
    assert desk.get(url("next_round", stage.pk))["Location"] == url("by_hand", stage.pk)
    stage.tournament.entries.all().delete()
    assert "at least two players" in shown(desk, "by_hand", stage.pk)
    assert desk.post(url("by_hand", stage.pk), {}).status_code == 409


# --- boards ---------------------------------------------------------------------------------------------------
def test_a_draft_shows_its_boards_and_how_the_engine_differs(desk: Client, league: Stage, draft: Round) -> None:
    assert "The engine pairs them the same way" in shown(desk, "boards", draft.pk)
    form = boards_form(league, (1, 3), (2, 4), (6, 5)) | {"revision": str(draft.revision)}
    assert desk.post(url("boards", draft.pk), form)["Location"] == url("boards", draft.pk)
    assert boards_of(draft) == [(1, 3), (2, 4), (6, 5)]
    html = shown(desk, "boards", draft.pk)
    assert "Ada Alvarez – Cleo Costa</td><td>Ada Alvarez – Bo Brandt" in html
    assert "Finn Falk – Eva Engel</td><td>Eva Engel – Finn Falk <span" in html


def test_a_draft_is_published_as_set_on_the_page_unless_it_is_older(desk: Client, league: Stage, draft: Round) -> None:
    re_pair(draft.pk, pairs(league, (1, 3), (2, 4), (5, 6)), by=None)
    form = boards_form(league, (1, 2), (3, 4), (5, 6)) | {"revision": "0", "do": "publish"}
    assert "Somebody else changed this round" in desk.post(url("boards", draft.pk), form).content.decode()
    draft.refresh_from_db()
    assert (boards_of(draft), draft.state) == ([(1, 3), (2, 4), (5, 6)], "draft")
    form = boards_form(league, (1, 3), (2, 4), (6, 5)) | {"revision": str(draft.revision), "do": "publish"}
    assert desk.post(url("boards", draft.pk), form)["Location"] == url("rounds", league.tournament_id)
    draft.refresh_from_db()
    assert (boards_of(draft), draft.state) == ([(1, 3), (2, 4), (6, 5)], "published")


def test_a_draft_left_as_it_was_is_published_without_being_paired_again(
    desk: Client, league: Stage, draft: Round
) -> None:
    form = boards_form(league, (1, 2), (3, 4), (5, 6)) | {"revision": str(draft.revision), "do": "publish"}
    html = desk.post(url("boards", draft.pk), form, follow=True).content.decode()
    assert "Round 1 is published." in html
    assert "The boards are saved." not in html
    assert not AuditEvent.objects.filter(action="round.paired otherwise").exists()


def test_what_was_set_stays_where_publishing_is_refused(
    desk: Client, league: Stage, draft: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(key: int, **asked: object) -> None:
        raise Refused("Player #6 left.")

    monkeypatch.setattr(round_draft, "publish_round", refuse)
    form = boards_form(league, (1, 3), (2, 4), (6, 5)) | {"revision": "0", "do": "publish"}
    html = desk.post(url("boards", draft.pk), form, follow=True).content.decode()
    draft.refresh_from_db()
    assert (boards_of(draft), draft.state) == ([(1, 3), (2, 4), (6, 5)], "draft")
    assert "The boards are saved." in html
    assert "Player #6 Finn Falk left." in html


def test_bad_boards_change_nothing_and_come_back_as_they_were_chosen(desk: Client, league: Stage, draft: Round) -> None:
    twice = boards_form(league, (1, 3), (3, 4), (6, 5)) | {"revision": "0"}
    for do in ({}, {"do": "publish"}):
        answer = desk.post(url("boards", draft.pk), twice | do)
        assert answer.status_code == 409
        html = answer.content.decode()
        assert "player #3 Cleo Costa stands on two boards" in html
        picked = html[html.index('name="black-1"') :]
        assert f'value="{entry(league, 3).pk}" selected' in picked[: picked.index("</select>")]
    form = boards_form(league, (2, 1), (3, 4), (5, 6)) | {"revision": "0"}
    for change, words in (
        ({"black-2": ""}, "Board 2 has only one player"),
        ({"white-2": "999999"}, "Somebody chosen cannot be paired"),
        ({"white-2": "x"}, "Somebody chosen cannot be paired"),
        ({"revision": "7"}, "Somebody else changed this round"),
        ({"revision": "٣"}, "Somebody else changed this round"),
        ({"white-3": "", "black-3": ""}, "On no board yet: player #5 Eva Engel, player #6 Finn Falk"),
    ):
        answer = desk.post(url("boards", draft.pk), form | change)
        assert answer.status_code == 409, change
        assert words in answer.content.decode(), change
    draft.refresh_from_db()
    assert (boards_of(draft), draft.state) == ([(1, 2), (3, 4), (5, 6)], "draft")


def test_ticks_say_what_is_meant(desk: Client, league: Stage, draft: Round) -> None:
    one, two = entry(league, 1), entry(league, 3)
    ProhibitedPair.objects.create(tournament=league.tournament, first=one, second=two)
    form = boards_form(league, (1, 3), (2, 4)) | {"revision": "0", "rest_absent": "on"}
    answer = desk.post(url("boards", draft.pk), form)
    assert "not to meet" in answer.content.decode()
    assert 'name="rest_absent" checked' in answer.content.decode()
    assert desk.post(url("boards", draft.pk), form | {"nevertheless": "on"}).status_code == 302
    assert (boards_of(draft), byes_of(draft)) == ([(1, 3), (2, 4)], {5: "zero", 6: "zero"})


def test_a_published_round_is_only_looked_at(desk: Client, league: Stage) -> None:
    row = pair_next_round(league, by=None, publish=True)
    html = shown(desk, "boards", row.pk)
    assert "<select" not in html
    assert "Ada Alvarez</td><td>Bo Brandt" in html
    form = boards_form(league, (2, 1), (3, 4), (5, 6)) | {"revision": "0"}
    assert desk.post(url("boards", row.pk), form).status_code == 409
    assert boards_of(row)[0] == (1, 2)


def test_a_round_by_hand_from_nothing(desk: Client) -> None:
    stage = make_league(5, system="by-hand")
    assert shown(desk, "by_hand", stage.pk).count("<select") == 5, "two boards and the bye"
    form = boards_form(stage, (2, 1), (5, 4)) | {"day": "2026-01-05", "at": "19:30"}
    answer = desk.post(url("by_hand", stage.pk), form)
    assert answer.status_code == 409
    assert f"On no board yet: player #{entry(stage, 3).player.number} " in answer.content.decode()
    desk.post(url("by_hand", stage.pk), form | {"bye": str(entry(stage, 3).pk)})
    row = Round.objects.get()
    assert (boards_of(row), byes_of(row), row.planned_at) == ([(2, 1), (5, 4)], {3: "pab"}, time(19, 30))
    assert "engine" not in shown(desk, "boards", row.pk), "by hand there is none to compare with"
