"""Why two meet, and why others do not: the page, with the engine's sentences replaced where only the page is tried."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Player
from ratings.models import RatingList
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages.page_cases import text_of
from tests.tournaments.rounds.round_cases import boards_of, entries, entry, pairs
from tests.tournaments.swiss_events import BLACK, DRAW, WHITE, make_swiss, play_rounds, rate
from tournaments.entries.services.late import enter_late
from tournaments.models import Game, Stage
from tournaments.pairing import PairingError
from tournaments.pairing.base import Field, Remark
from tournaments.pairing.dutch.system import Dutch
from tournaments.results.services.results import correct_result
from tournaments.rounds.selectors.why import NOBODY, asked_round, explains, field_before, why, why_not
from tournaments.rounds.services.by_hand import re_pair
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import publish_round
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("empty_cache")]
PAGE = "/tournaments/open/rounds/{}/why/{}/"
OTHER = "/tournaments/other/rounds/{}/why/{}/"


standard = club_and_list


@pytest.fixture(scope="module")
def cast(standard: RatingList) -> list[Player]:
    players = factory.make_players(10)
    rate(standard, players, *range(2100, 1100, -100))
    return players


@pytest.fixture(scope="module")
def swiss(cast: list[Player]) -> Stage:
    """Nine players and a round played; round 2 is published: 1 has met 5, and 9 had the bye."""
    stage = make_swiss(cast[:9])
    play_rounds(stage, 1, WHITE, BLACK, WHITE, BLACK)
    pair_next_round(stage, by=None, publish=True)
    return stage


@pytest.fixture
def sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine answers in two made-up sentences."""

    def found(self: Dutch, field: Field, settings: Mapping[str, Any], player: int) -> tuple[Remark, ...]:
        return (Remark("%(one)s has <b>%(points)s</b>.", {"points": "1 & more"}, {"one": player}),)

    def not_told(self: Dutch, field: Field, settings: Mapping[str, Any], one: int, other: int) -> tuple[Remark, ...]:
        if other == 4:
            raise PairingError("These two cannot be asked about.")
        if other == 6:
            return ()
        return (Remark("%(one)s and %(other)s break a rule.", {}, {"one": one, "other": other}),)

    monkeypatch.setattr(Dutch, "why", found)
    monkeypatch.setattr(Dutch, "why_not", not_told)


def draw_what_is_open() -> None:
    for game in Game.objects.filter(result=""):
        Game.objects.filter(pk=game.pk).update(result="1/2", played_on=factory.MONDAY, sequence=10_000 + game.pk)


# --- the page -----------------------------------------------------------------------------------------------------
def test_the_page_says_who_meets_whom_and_why(client: Client, swiss: Stage, sentences: None) -> None:
    html = text_of(client, PAGE.format(1, 1))
    assert "Why this pairing?" in html
    assert "Ada Alvarez</bdi></a> – <a" in html
    assert "Eva Engel" in html
    assert "has &lt;b&gt;1 &amp; more&lt;/b&gt;." in html, "nothing of a sentence is taken for markup"
    assert "Nothing is kept of how a round was paired" in html
    black = text_of(client, PAGE.format(1, 5))
    assert black.index("Ada Alvarez</bdi>") < black.index("Eva Engel</bdi>"), "Black is named second"
    assert "today" not in html[: html.index("Nothing is kept")], "the engine says the same as then"


def test_why_not_somebody_else_is_asked_with_a_plain_form(client: Client, swiss: Stage, sentences: None) -> None:
    html = text_of(client, PAGE.format(1, 1))
    form = html[html.index('<form class="form" method="get"') :]
    assert '<option value="2">2 Bo Brandt</option>' in form
    assert '<option value="0">nobody: the bye</option>' in form
    assert 'value="1"' not in form
    assert 'value="5"' not in form, "whom he meets needs no asking"
    asked = text_of(client, PAGE.format(1, 1) + "?other=2")
    assert "Why not Bo Brandt?" in asked
    assert "break a rule." in asked
    assert '<option value="2" selected>' in asked
    assert "These two cannot be asked about." in text_of(client, PAGE.format(1, 1) + "?other=4")
    assert "No rule tells the two apart" in text_of(client, PAGE.format(1, 1) + "?other=6")
    assert "Why not the bye?" in text_of(client, PAGE.format(1, 1) + "?other=0")


def test_where_nobody_has_the_bye_it_is_no_choice(swiss: Stage) -> None:
    asked = asked_round(swiss.tournament.slug, 2, drafts=False)
    assert asked is not None
    seats = {number: seat for number, seat in asked.seats.items() if seat.opponent != NOBODY}
    assert (asked.has_bye, replace(asked, seats=seats).has_bye) == (True, False)


def test_the_real_engine_answers_for_everybody(client: Client, swiss: Stage) -> None:
    for number in range(1, 10):
        html = text_of(client, PAGE.format(2, number))
        assert '<ol class="steps"> <li><p>' in html
        assert "%(" not in html
    assert "have met in round 1" in text_of(client, PAGE.format(2, 1) + "?other=5")


def test_what_can_be_asked(client: Client, swiss: Stage, sentences: None) -> None:
    for other in ("", "1", "5", "99", "x", "-2", "٣", "9" * 50):
        html = text_of(client, PAGE.format(1, 1) + f"?other={other}").replace(" </h1>", "</h1>")
        assert "Why this pairing?</h1>" in html, other
    html = text_of(client, PAGE.format(1, 9))
    assert "no opponent, the bye" in html
    assert "nobody: the bye" not in html
    for number, player in ((7, 1), (1, 10), (1, 0), (3, 1)):
        assert client.get(PAGE.format(number, player)).status_code == 404, (number, player)


def test_a_draft_is_explained_to_officers_only_and_somebody_absent_not(
    desk: Client, swiss: Stage, sentences: None
) -> None:
    draw_what_is_open()
    withdraw_entry(entry(swiss, 3).pk, by=None)
    row = pair_next_round(swiss, by=None, present=entries(swiss, 1, 2, 4, 5, 6), absent={entry(swiss, 7).pk: "half"})
    assert Client().get(PAGE.format(3, 1)).status_code == 404
    assert "draft, only officers see it" in text_of(desk, PAGE.format(3, 1))
    assert f'href="{PAGE.format(3, 1)}"' in text_of(desk, f"/admin/tournaments/tournament/round/{row.pk}/boards/")
    publish_round(row.pk, by=None)
    assert Client().get(PAGE.format(3, 1)).status_code == 200
    assert [Client().get(PAGE.format(3, number)).status_code for number in (3, 7)] == [404, 404]


def test_formats_without_explanations_have_no_such_page(client: Client, swiss: Stage) -> None:
    factory.make_round_robin(factory.make_players(4), name="Other")
    assert client.get(OTHER.format(1, 1)).status_code == 404
    assert "why?" not in text_of(client, "/tournaments/other/rounds/1/")
    assert explains(swiss)
    assert not explains(Stage(pairing_system="keizer"))
    assert asked_round("open", 9, drafts=True) is None
    assert asked_round("nowhere", 1, drafts=True) is None


def test_every_board_leads_there_and_people_are_shown_as_the_viewer_may_see_them(
    client: Client, swiss: Stage, sentences: None
) -> None:
    html = text_of(client, "/tournaments/open/rounds/2/")
    for white, _black in boards_of(swiss.rounds.get(number=2)):
        assert f'href="/tournaments/open/rounds/2/why/{white}/"' in html
    assert "/rounds/1/why/" in text_of(client, "/tournaments/open/rounds/1/")
    Player.objects.filter(name__in=["Bo Brandt", "Eva Engel"]).update(visibility="hidden")
    html = text_of(client, PAGE.format(1, 1)) + text_of(client, PAGE.format(1, 1) + "?other=2")
    assert "Bo Brandt" not in html
    assert "Eva Engel" not in html
    assert "Player 2" in html


@pytest.mark.extended
def test_the_page_asks_as_much_of_a_small_round_as_of_a_large_one(
    client: Client, swiss: Stage, sentences: None, standard: RatingList
) -> None:
    counts = []
    for stage in (swiss, make_swiss(factory.make_players(20), name="Large")):
        if not stage.rounds.exists():
            play_rounds(stage, 2)
        for question in ("", "?other=3"):
            address = f"/tournaments/{stage.tournament.slug}/rounds/2/why/1/{question}"
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code == 200
            counts.append(len(queries))
    assert len(set(counts)) == 1
    assert counts[0] <= 12


def test_an_answer_is_kept_while_nothing_moved(
    client: Client, cast: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = make_swiss(cast[:8], name="Other")
    play_rounds(stage, 2, WHITE, BLACK, WHITE, BLACK)
    first = text_of(client, OTHER.format(2, 1))

    def refuse(self: Dutch, field: Field, chosen: Mapping[str, Any]) -> tuple[()]:
        raise PairingError("The engine was asked again.")

    monkeypatch.setattr(Dutch, "pair_round", refuse)
    assert text_of(client, OTHER.format(2, 1)) == first
    correct_result(game=Game.objects.filter(pairing__stage=stage, pairing__round__number=2)[0].pk, result=DRAW, by=None)
    assert text_of(client, OTHER.format(2, 1)) == first, "what came later is not asked about"
    correct_result(game=Game.objects.filter(pairing__stage=stage, pairing__round__number=1)[0].pk, result=DRAW, by=None)
    assert "The engine was asked again." in text_of(client, OTHER.format(2, 1))


# --- what is solved again -----------------------------------------------------------------------------------------
def test_the_field_is_that_before_the_round_and_the_engine_agrees(swiss: Stage, cast: list[Player]) -> None:
    enter_late(swiss.tournament, [cast[9]], by=None)
    first, second = (asked_round("open", number, drafts=False) for number in (1, 2))
    assert first is not None
    assert second is not None
    field = field_before(first)
    assert (field.round, field.meetings, field.byes) == (1, (), ())
    assert field.players == tuple(range(1, 10)), "who came later was not there"
    assert field.present == frozenset(range(1, 10))
    assert first.has_bye
    assert {meeting.round for meeting in field_before(second).meetings} == {1}
    for asked in (first, second):
        assert all(why(asked, player).agrees for player in asked.seats)


@pytest.mark.parametrize(
    ("people", "boards", "told"),
    [
        (4, [(2, 1), (4, 3)], {1: "today the engine would choose another opponent"}),
        (4, [(3, 1), (4, 2)], {3: "the other colours today", 2: ""}),
        (
            5,
            [(1, 3), (5, 2), (4, None)],
            {5: "today the engine would give the bye", 4: "would choose another opponent"},
        ),
    ],
)
def test_boards_set_by_hand_are_told_apart(
    client: Client, cast: list[Player], sentences: None, people: int, boards: Any, told: dict[int, str]
) -> None:
    stage = make_swiss(cast[:people], name="Other")
    row = pair_next_round(stage, by=None)
    assert boards_of(row) == [(1, 3), (4, 2)]
    re_pair(row.pk, pairs(stage, *boards), by=None)
    publish_round(row.pk, by=None)
    for player, words in told.items():
        html = text_of(client, OTHER.format(1, player))
        assert words in html
        assert words or "the other colours" not in html
    asked = asked_round("other", 1, drafts=False)
    assert asked is not None
    if (2, 1) in boards:
        assert (why(asked, 1).instead, why(asked, 1).agrees) == (3, False)
        assert "Cleo Costa" in text_of(client, OTHER.format(1, 1))


def test_a_result_corrected_since_is_told(client: Client, cast: list[Player], sentences: None) -> None:
    stage = make_swiss(cast[:8], name="Other")
    play_rounds(stage, 1, WHITE, BLACK, WHITE, BLACK)
    pair_next_round(stage, by=None, publish=True)
    assert not {(1, 5), (5, 1)} & set(boards_of(stage.rounds.get(number=2)))
    game = Game.objects.get(pairing__stage=stage, pairing__round__number=1, pairing__board=1)
    correct_result(game=game.pk, result=BLACK, by=None)
    html = text_of(client, OTHER.format(2, 1))
    assert "or a result was corrected since" in html


def test_a_field_that_cannot_be_paired_today_says_why(cast: list[Player], client: Client) -> None:
    """Two who met meet again by hand."""
    stage = make_swiss(cast[:2], name="Other")
    play_rounds(stage, 1, DRAW)
    row = factory.round_of(stage.tournament, 1)
    again = stage.rounds.create(number=2, state="published")
    for seat in row.seats.all():
        pairing = again.pairings.filter(board=1).first() or again.pairings.create(stage=stage, board=1)
        again.seats.create(pairing=pairing, entry=seat.entry, colour=seat.colour)
    asked = asked_round("other", 2, drafts=False)
    assert asked is not None
    answer = why(asked, 1)
    assert answer.problem
    assert answer.remarks == ()
    assert "cannot pair these people today" in text_of(client, OTHER.format(2, 1))
    assert why_not(asked, 1, NOBODY).problem
