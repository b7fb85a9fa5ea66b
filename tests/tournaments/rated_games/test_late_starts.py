"""Starting ratings that hold only after an event's games: who is named, where, and what one click does."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from players.models import AuditEvent, Player, Visibility
from players.refusals import Refused, Stale
from ratings.lists.services import NewStart
from ratings.models import RatingList, StartingRating
from tests import factory
from tests.factory import MONDAY
from tests.tournaments.entries.entry_cases import club_and_list
from tournaments.corrections.services.corrections import undo_of
from tournaments.corrections.services.fact_changes import StartsMoved
from tournaments.corrections.services.jobs import from_payload, to_payload
from tournaments.entries.services.entries import enter_players
from tournaments.events.services.events import NewTournament, create_tournament, open_event
from tournaments.free_play.services import record_free_game
from tournaments.models import Entry, Game, Tournament
from tournaments.rated_games.selectors.late_starts import late_starts, late_starts_for
from tournaments.rated_games.services.people import StartMove, bring_starting_ratings, move_starting_ratings
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.standings.points import Result

standard = club_and_list


def bring(rating_list: RatingList, *players: Player, rating: float = 1992, on: date | None = None) -> None:
    starts = [NewStart(player.pk, on or factory.today(), rating, 50) for player in players]
    bring_starting_ratings(rating_list, starts, by=None)


@pytest.fixture
def players(standard: RatingList) -> list[Player]:
    """Two with a rating that holds from today, two without."""
    people = factory.make_players(4)
    bring(standard, *people[:2])
    return people


@pytest.fixture
def cup(players: list[Player]) -> Tournament:
    """Back-entered from last winter, without a result."""
    return factory.make_round_robin(players)


@pytest.fixture
def office(client: Client) -> Client:
    client.force_login(factory.make_arbiter())
    return client


def numbers(tournament: Tournament) -> list[int]:
    return [row.start.player.number for row in late_starts(tournament)]


def at(page: str, key: int) -> str:
    return reverse(f"admin:tournaments_tournament_{page}", args=[key])


def test_whose_start_holds_too_late(standard: RatingList, players: list[Player]) -> None:
    yesterday = factory.today() - timedelta(days=1)
    plan = create_tournament(NewTournament("Last Winter", starts_on=MONDAY), by=None)
    enter_players(plan, players, by=None)
    assert numbers(plan) == [1, 2], "entered, before any round is made"
    entry = Entry.objects.filter(tournament=plan, player=players[0])
    entry.update(withdrawn=True)
    assert numbers(plan) == [2]
    entry.update(withdrawn=False)
    needed = {("standard", players[0].pk): factory.today(), ("standard", players[1].pk): yesterday}
    assert [row.start.player for row in late_starts_for(needed)] == [players[1]]
    tonight = create_tournament(NewTournament("Tonight", starts_on=factory.today()), by=None)
    enter_players(tonight, players, by=None)
    unrated = create_tournament(NewTournament("Fun", starts_on=MONDAY, rated=False), by=None)
    enter_players(unrated, players, by=None)
    assert (numbers(tonight), numbers(unrated)) == ([], []), "a start comes before the games of its day"
    bring(standard, players[0], rating=1900, on=MONDAY)
    assert numbers(plan) == [2], "a rating already holds then; the later one is another fact"
    bring(standard, players[2], on=yesterday)
    assert numbers(plan) == [2, 3]


def test_a_start_given_to_somebody_known_by_then_is_meant(standard: RatingList) -> None:
    people = factory.make_players(2)
    factory.play_all(factory.make_round_robin(people, name="Old", first_day=date(2025, 3, 3)))
    bring(standard, people[0])
    later = factory.make_round_robin(people)
    assert numbers(later) == [], "a rating of the list was corrected from today"
    assert numbers(Tournament.objects.get(name="Old")) == [1], "his first event is rated without it all the same"


def test_on_evenings_ones_own_first_game_counts(standard: RatingList) -> None:
    people = factory.make_players(3)
    evenings = open_event("Thursdays", pool="standard", by=None).tournament
    bring(standard, people[2], on=MONDAY + timedelta(days=7))
    record_free_game(evenings, people[0], people[1], Result.DRAW, MONDAY, by=None)
    record_free_game(evenings, people[2], people[1], Result.DRAW, MONDAY + timedelta(days=14), by=None)
    assert numbers(evenings) == []


def test_games_back_entered_in_two_events_are_both_named(standard: RatingList, cup: Tournament) -> None:
    factory.play_all(cup)
    spring = factory.make_round_robin(factory.first_players(2), name="Spring", first_day=date(2026, 3, 2))
    assert (numbers(cup), numbers(spring)) == ([1, 2], [1, 2])


def test_every_page_of_the_event_names_them_to_officers(cup: Tournament, office: Client) -> None:
    Player.objects.filter(number=1).update(visibility=Visibility.HIDDEN)
    round_key = factory.round_of(cup, 1).pk
    tie = factory.match_of(factory.make_knockout(factory.first_players(2)), 1, 1)
    pages = [at(name, cup.pk) for name in ("change", "entries", "rounds", "close")]
    pages += [at("results", round_key), at("match", tie.pk)]
    for address in pages:
        text = office.get(address).content.decode()
        assert "Ada Alvarez (#1): the starting rating 1992 in Standard holds only from" in text, address
        assert "is needed from 5 Jan 2026" in text
        assert 'name="do" value="now"' in text, address
    assert "Ada" not in Client().get(cup.get_absolute_url()).content.decode()
    assert office.post(at("starts", cup.pk), {"do": "now", "seen": "x"}).status_code == 302
    assert numbers(cup) == [1, 2], "not what was shown: nothing is done"


def test_before_a_swiss_round_the_checklist_names_them(players: list[Player], office: Client) -> None:
    swiss = create_tournament(
        NewTournament("Open", starts_on=MONDAY, pairing_system="dutch", settings={"rounds": 3}), by=None
    )
    enter_players(swiss, players, by=None)
    stage = factory.stage_of(swiss)
    office.post(at("entries", swiss.pk), {"do": "rating"})
    text = office.get(at("next_round", stage.pk)).content.decode()
    assert "Starting ratings that hold only later:" in text
    assert 'name="do" value="now"' in text


def test_closing_several_names_them(cup: Tournament, office: Client) -> None:
    factory.play_all(cup)
    wanted = {"action": "close", "_selected_action": [cup.pk]}
    text = office.post(reverse("admin:tournaments_tournament_changelist"), wanted).content.decode()
    assert "Ada Alvarez (#1): the starting rating 1992" in text


def test_one_click_lets_them_hold_from_the_events_day_and_can_be_undone(
    standard: RatingList, cup: Tournament, office: Client
) -> None:
    aside = factory.make_list("aside", primary=False)
    bring(aside, *factory.first_players(1), on=MONDAY)
    factory.play_all(cup, Result.WHITE_WINS)
    assert standard.ratings.get(player__number=1).rating == 1992, "as if the games had never been"
    seen = office.get(at("entries", cup.pk)).context["late_starts_seen"]
    answer = office.post(at("starts", cup.pk), {"do": "now", "seen": seen, "back": at("rounds", cup.pk)}, follow=True)
    assert answer.redirect_chain[-1][0] == at("rounds", cup.pk)
    assert "2 starting ratings hold from the first game on" in answer.content.decode()
    assert set(StartingRating.objects.values_list("on", flat=True)) == {MONDAY}
    assert standard.ratings.get(player__number=1).rating != 1992
    assert (numbers(cup), check_list(standard), check_list(aside)) == ([], [], [])
    event = AuditEvent.objects.filter(action="starting-rating.changed").first()
    assert event is not None
    assert (event.before["on"], event.after["on"], event.reason) == (str(factory.today()), str(MONDAY), "late-report")
    assert {slug: moved["games"] for slug, moved in event.effect.items()} == {"standard": 6}, "that one alone"
    for address in (reverse("ratings:corrections"), reverse("ratings:corrections") + "?player=1"):
        public = Client().get(address).content.decode()
        assert public.count("a starting rating was changed") == 1, "one line of both"
        assert "4 players, 6 games" in public
    undo = reverse("admin:tournaments_game_undo", args=[event.pk])
    shown = office.get(undo)
    assert "2 starting ratings hold from their days before again" in shown.content.decode()
    assert [row.rating_list for row in shown.context["preview"].lists] == [standard]
    wish = {"do": "commit", "seen": str(shown.context["preview"].seen), "reason": "other"}
    assert office.post(undo, wish).status_code == 302
    assert set(StartingRating.objects.filter(rating_list=standard).values_list("on", flat=True)) == {factory.today()}
    assert (standard.ratings.get(player__number=1).rating, check_list(standard)) == (1992, [])
    assert undo_of(event) is None, "the starting ratings were changed since"


def test_the_preview_shows_what_moves_before_it_is_done(cup: Tournament, office: Client) -> None:
    factory.play_all(cup, Result.WHITE_WINS)
    shown = office.get(at("starts", cup.pk))
    assert {line.player.number for line in shown.context["preview"].lists[0].moves} == {1, 2, 3, 4}
    wish = {"do": "commit", "seen": str(shown.context["preview"].seen), "reason": "late-report"}
    StartingRating.objects.filter(player__number=2).update(revision=7)
    assert office.post(at("starts", cup.pk), wish).status_code == 409, "changed by somebody else meanwhile"
    wish["seen"] = str(office.get(at("starts", cup.pk)).context["preview"].seen)
    assert office.post(at("starts", cup.pk), wish).status_code == 302
    assert numbers(cup) == []


def test_a_start_changed_meanwhile_or_a_day_that_has_one_is_refused_and_none_is_moved(
    standard: RatingList, players: list[Player]
) -> None:
    one, two = StartingRating.objects.order_by("player__number")
    bring(standard, players[1], on=MONDAY)
    moves = [StartMove(one.pk, one.revision, MONDAY), StartMove(two.pk, two.revision, MONDAY)]
    with pytest.raises(Refused, match="Player #2 has another starting rating from"):
        move_starting_ratings(moves, by=None, reason="late-report")
    with pytest.raises(Stale, match="changed this starting rating meanwhile"):
        move_starting_ratings([StartMove(one.pk, one.revision + 1, MONDAY)], by=None, reason="late-report")
    one.refresh_from_db()
    assert one.on == factory.today()


def test_only_who_corrects_the_event_may_move_them(cup: Tournament, client: Client) -> None:
    without = factory.make_arbiter()
    without.groups.clear()
    without.user_permissions.set(Permission.objects.filter(codename__in=["change_tournament", "view_tournament"]))
    for officer in (without, factory.make_assistant(), factory.make_rating_officer()):
        client.force_login(officer)
        assert client.post(at("starts", cup.pk), {"do": "now"}).status_code == 403
    assert numbers(cup) == [1, 2]


def test_an_assistant_reads_the_names_without_the_button(cup: Tournament, client: Client) -> None:
    client.force_login(factory.make_assistant())
    text = client.get(at("results", factory.round_of(cup, 1).pk)).text
    assert "Ada Alvarez (#1): the starting rating 1992" in text
    assert 'value="now"' not in text


def test_an_evenings_page_names_them_from_the_first_game_on(
    standard: RatingList, players: list[Player], office: Client
) -> None:
    evening = open_event("Evenings", pool="standard", by=None).tournament
    lines = {"played_on": "2026-02-02", "white-1": "#1", "black-1": "#3", "result-1": "1-0"}
    office.post(at("evening", evening.pk), lines)
    assert Game.objects.filter(tournament=evening).exists()
    assert "is needed from 2 Feb 2026" in office.get(at("evening", evening.pk)).content.decode()


@pytest.mark.extended
def test_the_question_costs_the_same_for_many(
    standard: RatingList, django_assert_num_queries: Callable[..., Any]
) -> None:
    for count in (2, 8):
        people = factory.make_players(count)
        bring(standard, *people)
        cup = factory.make_round_robin(people, name=f"Cup {count}")
        with django_assert_num_queries(3):
            assert len(late_starts(cup)) == count


def test_a_job_carries_the_change() -> None:
    change = StartsMoved((StartMove(3, 1, MONDAY), StartMove(4, 0, MONDAY)))
    assert from_payload(to_payload(change)) == change
