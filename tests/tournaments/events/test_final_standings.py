"""Closing an event publishes its final standings: shown first, kept as a digest, compared after every correction."""

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import AuditEvent
from players.refusals import Refused, Stale
from ratings.lists.services import NewRule, NewStart, set_rules
from ratings.models import LedgerEntry, PlayerRating, RatingList
from tests import factory
from tests.tournaments.admin_pages import fields_of, shown, url
from tests.tournaments.entries.entry_cases import club_and_list, events, make_event
from tests.tournaments.swiss_events import make_swiss, play_rounds
from tournaments.events.services.closing import close_event, preview_closing, reopen_event
from tournaments.events.services.events import open_event, update_tournament
from tournaments.models import Game, Reading, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.results.services.results import correct_result, record_result
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
LIST = reverse("admin:tournaments_tournament_changelist")
FINAL = "Final standings, published"
standard = club_and_list


@pytest.fixture(scope="module", autouse=True)
def winter_cup(standard: RatingList) -> Tournament:
    """Four players, White wins everywhere; the list rates by the event."""
    set_rules(standard, [NewRule(date(1900, 1, 1), "elo", {"preset": "fide"})], by=None)
    players = factory.make_players(4)
    starts = [NewStart(player.pk, factory.MONDAY, 1700.0 + 10 * player.number, 40) for player in players]
    bring_starting_ratings(standard, starts, by=None)
    cup = factory.make_round_robin(players)
    factory.play_all(cup, Result.WHITE_WINS)
    return cup


@pytest.fixture
def played(winter_cup: Tournament) -> Tournament:
    return fresh(winter_cup)


def public(client: Client, cup: Tournament) -> str:
    return client.get(reverse("tournaments:standings", args=[cup.slug])).content.decode()


def fresh(cup: Tournament) -> Tournament:
    return Tournament.objects.get(pk=cup.pk)


# --- the preview ------------------------------------------------------------------------------------------------------
def test_the_preview_shows_what_closing_does_and_leaves_nothing(played: Tournament, standard: RatingList) -> None:
    before = list(PlayerRating.objects.order_by("pk").values_list("rating", flat=True))
    trail, ledger = AuditEvent.objects.count(), LedgerEntry.objects.count()
    closing = preview_closing(played, by=None)
    assert closing.short == "", "a round robin never is"
    assert list(PlayerRating.objects.order_by("pk").values_list("rating", flat=True)) == before
    assert (AuditEvent.objects.count(), LedgerEntry.objects.count()) == (trail, ledger)
    assert not fresh(played).closed
    close_event(played, by=None)
    moved = {row.player.pk: row.move.rating_after for row in (closing.lists or ())[0].moves}
    assert len(moved) == 4
    assert moved == dict(PlayerRating.objects.values_list("player", "rating"))
    lists = preview_closing(fresh(played), by=None).lists or ()
    again = sorted(row.move.rating_after for row in lists[0].moves)
    assert again == [1710, 1720, 1730, 1740], "opening again is previewed too"


def test_what_is_open_is_told_without_ratings_or_a_button_to_close(played: Tournament, desk: Client) -> None:
    correct_result(game=Game.objects.order_by("pk")[0].pk, result=Result.OPEN, by=None)
    closing = preview_closing(played, by=None)
    assert (closing.open, closing.lists) == (("1 board without a result",), ())
    html = shown(desk, "close", played.pk)
    assert "1 board without a result" in html
    assert "Close and publish" not in html
    assert desk.post(url("close", played.pk), fields_of(html) | {"do": "close"}).status_code == 409
    assert not fresh(played).closed


def test_an_event_that_ends_before_its_time_says_so(desk: Client, standard: RatingList) -> None:
    factory.make_round_robin(factory.make_players(4), name="Other")
    stage = make_swiss(factory.make_players(4), rounds=3)
    assert preview_closing(stage.tournament, by=None).short == "no round is made"
    play_rounds(stage, 2)
    assert "It ends before its time: 2 of 3 rounds are made." in shown(desk, "close", stage.tournament_id)
    assert "2 of 3 rounds are made" in desk.post(LIST, chosen("close", stage.tournament)).content.decode()
    play_rounds(stage, 1)
    assert preview_closing(stage.tournament, by=None).short == ""


@pytest.mark.extended
def test_standings_that_moved_are_not_published_unseen_and_results_read_once_are_counted(played: Tournament) -> None:
    seen = preview_closing(played, by=None).seen
    correct_result(game=Game.objects.order_by("pk")[0].pk, result=Result.BLACK_WINS, by=None)
    with pytest.raises(Stale, match="changed meanwhile"):
        close_event(played, by=None, seen=seen)
    assert not fresh(played).closed
    assert preview_closing(played, by=None).unread == 0
    Tournament.objects.update(second_reading="any")
    game = Game.objects.order_by("pk")[0]
    Reading.objects.create(game=game, revision=game.revision, result=game.result)
    assert preview_closing(played, by=None).unread == 5
    correct_result(game=game.pk, result=Result.DRAW, by=None)
    assert preview_closing(played, by=None).unread == 6, "a corrected result waits again"
    close_event(played, by=None)


# --- what is kept -----------------------------------------------------------------------------------------------------
def test_closing_keeps_when_and_a_digest_and_no_name(played: Tournament) -> None:
    close_event(played, by=None)
    event = events("event.closed")[0]
    at = fresh(played).closed_at
    assert at is not None
    close_event(fresh(played), by=None)
    assert (fresh(played).closed_at, len(events("event.closed"))) == (at, 1), "closing twice is closing once"
    assert set(event.after) == {"standings"}
    assert len(event.after["standings"]) == 24
    assert event.effect["standard"]["players"] == 4
    reopen_event(fresh(played), by=None)
    assert fresh(played).closed_at is None


@pytest.mark.extended
def test_the_public_page_says_that_the_standings_are_final_and_what_corrected_them(
    client: Client, played: Tournament
) -> None:
    assert FINAL not in public(client, played)
    close_event(played, by=None)
    update_tournament(played.pk, {"place": "Hall"}, by=None)
    other = factory.make_round_robin(factory.first_players(3), name="Other")
    factory.play_all(other)
    close_event(other, by=None)
    html = public(client, played)
    assert (FINAL in html, "Corrected since" in html) == (True, False)
    game = Game.objects.order_by("pk")[0]
    correct_result(game=game.pk, result=Result(game.result), played_on=date(2026, 1, 2), by=None)
    assert "Corrected since" not in public(client, played), "another day is no correction of the standings"
    correct_result(game=game.pk, result=Result.BLACK_WINS, by=None)
    assert "Corrected since" in public(client, played)
    correct_result(game=game.pk, result=Result.WHITE_WINS, by=None)
    assert "Corrected since" not in public(client, played), "they are again what was published"
    reopen_event(fresh(played), by=None)
    assert FINAL not in public(client, played)
    correct_result(game=game.pk, result=Result.BLACK_WINS, by=None)
    close_event(fresh(played), by=None)
    html = public(client, played)
    assert (FINAL in html, "Corrected since" in html) == (True, False), "the last closing counts"


def test_an_event_closed_without_a_digest_claims_nothing(client: Client, played: Tournament) -> None:
    Tournament.objects.update(closed=True, closed_at=timezone.now())
    assert FINAL not in public(client, played)


def test_a_knockout_is_final_by_places_and_a_keizer_list_by_its_scores(client: Client, standard: RatingList) -> None:
    cup = factory.make_knockout(factory.make_players(4))
    for number, board in ((1, 1), (1, 2), (2, 1)):
        factory.play_match(factory.match_of(cup, number, board), Result.WHITE_WINS)
    close_event(cup, by=None)
    assert FINAL in public(client, cup)
    final = Game.objects.get(pairing=factory.match_of(cup, 2, 1))
    other = Result.BLACK_WINS if final.result == Result.WHITE_WINS else Result.WHITE_WINS
    correct_result(game=final.pk, result=other, by=None)
    assert "Corrected since" in public(client, cup)
    event = make_event(factory.make_players(4), "keizer")
    pair_next_round(event.stages.get(), by=None, publish=True)
    games = list(Game.objects.filter(tournament=event))
    for game in games:
        record_result(game=game.pk, result=Result.WHITE_WINS, played_on=factory.MONDAY, by=None)
    close_event(event, by=None)
    assert "Corrected since" not in public(client, event)
    correct_result(game=games[0].pk, result=Result.BLACK_WINS, by=None)
    assert "Corrected since" in public(client, event)


# --- at the desk ------------------------------------------------------------------------------------------------------
def test_the_page_shows_the_standings_and_the_ratings_before_it_closes(desk: Client, played: Tournament) -> None:
    html = shown(desk, "close", played.pk)
    assert "Close and publish" in html
    assert "Ada Alvarez" in html
    assert "4 ratings move" in html
    assert not fresh(played).closed
    answer = desk.post(url("close", played.pk), fields_of(html) | {"do": "close"}, follow=True)
    assert "its final standings are published" in answer.content.decode()
    assert "Open the event again" in shown(desk, "close", played.pk)


def test_standings_that_moved_come_back_with_the_new_ones(desk: Client, played: Tournament) -> None:
    form = fields_of(shown(desk, "close", played.pk)) | {"do": "close"}
    correct_result(game=Game.objects.order_by("pk")[0].pk, result=Result.BLACK_WINS, by=None)
    answer = desk.post(url("close", played.pk), form)
    assert answer.status_code == 409
    assert desk.post(url("close", played.pk), fields_of(answer.content.decode()) | {"do": "close"}).status_code == 302


def test_an_open_ended_event_has_no_end(desk: Client) -> None:
    evenings = open_event("Evenings", pool="standard", by=None).tournament
    for ask in (preview_closing, close_event, reopen_event):
        with pytest.raises(Refused, match="no end"):
            ask(evenings, by=None)
    answer = desk.get(url("close", evenings.pk))
    assert (answer.status_code, "has no end" in answer.text) == (409, True)
    assert desk.post(url("close", evenings.pk), {"do": "close"}).status_code == 409


def test_a_long_tail_is_told_and_not_reckoned(
    desk: Client, played: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.events.services.closing.LONG_TAIL", 3)
    html = shown(desk, "close", played.pk)
    assert "6 rated games are rated anew" in html
    assert "Close and publish" in html
    monkeypatch.setattr("tournaments.events.services.closing.LONG_TAIL", 6)
    assert "6 rated games are rated anew" not in shown(desk, "close", played.pk)


def chosen(action: str, *tournaments: Tournament) -> dict[str, object]:
    return {"action": action, "_selected_action": [row.pk for row in tournaments]}


def test_several_are_looked_at_before_they_are_closed(
    desk: Client, arbiter: User, played: Tournament, standard: RatingList
) -> None:
    players = [row.player for row in played.entries.all()]
    half = factory.make_round_robin(players, name="Half")
    theirs = factory.make_round_robin(players, name="Theirs")
    factory.play_all(theirs)
    theirs.officers.add(factory.make_arbiter("other"))
    evenings = open_event("Evenings", pool="standard", by=None).tournament
    asked = chosen("close", played, half, theirs, evenings)
    html = desk.post(LIST, asked).content.decode()
    assert not Tournament.objects.filter(closed=True).exists()
    for words in ("will be closed", "6 boards without a result", "run by others", "open-ended"):
        assert words in html
    desk.post(LIST, asked | {"apply": "1"})
    assert list(Tournament.objects.filter(closed=True)) == [played]


def test_several_are_opened_again_the_same_way(desk: Client, played: Tournament) -> None:
    html = desk.post(LIST, chosen("reopen", played)).content.decode()
    assert ("open already" in html, "Open events again (" in html) == (True, False)
    close_event(played, by=None)
    assert "closed already" in desk.post(LIST, chosen("close", played)).text
    html = desk.post(LIST, chosen("reopen", played)).content.decode()
    assert "will be open again" in html
    assert fresh(played).closed
    desk.post(LIST, fields_of(html) | chosen("reopen", played) | {"apply": "1"})
    assert not fresh(played).closed


def test_one_that_is_refused_meanwhile_holds_up_no_other(
    desk: Client, played: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = factory.make_round_robin([row.player for row in played.entries.all()], name="Half")
    monkeypatch.setattr("tournaments.events.admin.closing.look_at_closing", lambda _event: ((), ""))  # as if played
    answer = desk.post(LIST, chosen("close", half, played) | {"apply": "1"}, follow=True)
    assert "6 boards without a result" in answer.text
    assert (fresh(half).closed, fresh(played).closed) == (False, True)
