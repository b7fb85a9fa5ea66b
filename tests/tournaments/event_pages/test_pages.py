"""The public pages of the events: what they say, whom they name, what they keep back, what they cost in queries."""

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player, Visibility
from players.people.services import NewPlayer, create_players
from ratings.lists.services import NewStart
from ratings.models import LedgerEntry, RatingList
from tests import factory
from tests.factory import MONDAY, make_players, make_round_robin, play_all, play_round, round_of, stage_of
from tests.tournaments.event_pages.page_cases import text_of
from tests.tournaments.swiss_events import make_swiss, play_rounds
from tournaments.entries.services.entries import enter_players, number_in_order
from tournaments.event_list.selectors import State, count_games, list_events, running_events
from tournaments.events.services.closing import close_event
from tournaments.events.services.events import NewTournament, create_tournament, open_event
from tournaments.models import Entry, Game, Pairing, Round, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.results.services.results import correct_result, record_result
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import pair_all_rounds
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
WHITE, DRAW, BLACK = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS
MOST_QUERIES = 8
PARTS = ("", "standings/", "crosstable/", "rounds/1/", "entries/")


@pytest.fixture(scope="module")
def empty_list(world: None) -> str:
    """The list of events of a new club."""
    factory.make_club()
    return text_of(Client(), "/tournaments/")


@pytest.fixture(scope="module")
def standard(empty_list: str) -> RatingList:
    return factory.make_list()


@pytest.fixture(scope="module", autouse=True)
def cup(standard: RatingList) -> Tournament:
    """Four players; round 1 is played: White wins, then a draw."""
    cup = make_round_robin(make_players(4))
    play_round(cup, 1, [WHITE, DRAW])
    return cup


def page_of(client: Client, event: Tournament, part: str = "", status: int = 200) -> str:
    return text_of(client, f"/tournaments/{event.slug}/{part}", status)


def free_games(players: list[Player], count: int) -> Tournament:
    """An open-ended event with `count` games of neighbours in the list, five a day."""
    stage = open_event("Club evenings", pool="standard", by=None)
    for index in range(count):
        white, black = players[index % len(players)], players[(index + 1) % len(players)]
        pairing = Pairing.objects.create(stage=stage)
        game = Game.objects.create(
            tournament=stage.tournament, pairing=pairing, pool="standard", white=white, black=black
        )
        day = MONDAY + timedelta(days=index // 5)
        Game.objects.filter(pk=game.pk).update(result=WHITE, played_on=day, sequence=10_000 + index)
    return stage.tournament


# --- the list of events -----------------------------------------------------------------------------------------
def test_the_list_sorts_events_by_how_far_they_are_and_says_what_will_stand_there(
    empty_list: str, client: Client
) -> None:
    assert "No events yet" in empty_list
    people = make_players(4)
    play_all(make_round_robin(people, name="Old Cup"))
    for name, days in (("Soon", 5), ("New Cup", 9)):
        create_tournament(NewTournament(name, starts_on=timezone.localdate() + timedelta(days)), by=None)
    free_games(people, 3)
    page = text_of(client, "/tournaments/")
    order = ["Running", "Winter Cup", "Coming", "Soon", "New Cup", "Finished", "Old Cup", "Open-ended", "Club evenings"]
    found = [page.index(f">{word}<") for word in order]
    assert found == sorted(found)
    assert "and 3 more" in page, "several leaders are counted"


@pytest.mark.extended
def test_each_line_of_the_list_is_of_its_own_event(cup: Tournament) -> None:
    """Players, rounds, games with a result, the days of the first and the last. Replaced boards are none."""
    people = make_players(5)
    old = make_round_robin(people, name="Old Cup", first_day=MONDAY - timedelta(days=70))
    play_all(old)
    drafts, half = (make_round_robin(people[:3], name=name) for name in ("Drafts", "Half"))
    play_round(half, 1, [DRAW])
    Round.objects.filter(stage__tournament=drafts).update(state=Round.State.DRAFT)
    Round.objects.filter(stage__tournament=half, number__gt=1).update(state=Round.State.DRAFT)
    closed = make_round_robin(people[:3], name="Closed")
    play_all(closed)
    close_event(closed, by=None)
    for game in closed.games.filter(pairing__round__number=3):
        correct_result(game=game.pk, result=Result.OPEN, by=None)
    lasting, won = (factory.make_knockout(people[:count], name=name) for count, name in ((4, "Lasting"), (2, "Won")))
    for knockout in (lasting, won):
        factory.play_match(factory.match_of(knockout, 1, 1), WHITE)
    create_tournament(NewTournament("Next Cup"), by=None)
    evenings = free_games(people, 6)
    today, day = factory.today(), MONDAY
    found = {
        line.tournament.name: (line.state, line.players, line.rounds, line.games, line.first_on, line.last_on)
        for line in list_events(today)
    }
    assert found == {
        "Old Cup": (State.FINISHED, 5, 5, 10, day - timedelta(days=70), day - timedelta(days=42)),
        "Winter Cup": (State.RUNNING, 4, 3, 2, day, day),
        "Drafts": (State.COMING, 3, 0, 0, None, None),
        "Half": (State.RUNNING, 3, 3, 1, day, day),
        "Closed": (State.FINISHED, 3, 3, None, day, day + timedelta(days=7)),
        "Lasting": (State.RUNNING, 4, 2, 1, day, day),
        "Won": (State.FINISHED, 2, 1, 1, day, day),
        "Next Cup": (State.COMING, 0, 0, 0, None, None),
        evenings.name: (State.OPEN_ENDED, 0, 0, 0, day, day + timedelta(days=1)),
    }
    assert {line.tournament.name for line in running_events(today)} == {"Winter Cup", "Half", "Lasting"}
    assert [line.tournament for line in list_events(today, slug="old-cup")] == [old]
    last = play_round(cup, 2, [DRAW, DRAW])[0], *play_round(cup, 3, [DRAW, DRAW])
    correct_result(game=last[0].pk, result=Result.OPEN, by=None)
    replaced = [last[0], last[1], *(event.games.exclude(result="").order_by("pk")[0] for event in (old, closed))]
    Pairing.objects.filter(games__in=replaced).update(superseded=True)
    running = {line.tournament.name for line in running_events(today)}
    assert running == {"Half", "Lasting"}, "nobody waits for a replaced board"
    games = count_games(list_events(today))
    assert [games[event.pk] for event in (old, cup, closed, half)] == [9, 4, 1, 1]


CountQueries = Callable[..., object]


@pytest.mark.extended
def test_the_list_is_paged_and_needs_few_queries_whatever_the_number_of_events(
    client: Client, at_most: CountQueries
) -> None:
    people = make_players(4)
    for number in range(21):
        match = make_round_robin(people[:2], name=f"Match {number + 1}")
        Game.objects.filter(tournament=match).update(result=DRAW, played_on=MONDAY, sequence=20_000 + number)
    for number in range(2):
        make_round_robin(people[:3], name=f"Cup {number}")
        create_tournament(NewTournament(f"Later {number}"), by=None)
    free_games(people, 3)
    second = text_of(client, "/tournaments/?finished-page=2")
    assert ">Match 1<" in second
    # One more than other pages: the games of free play are counted for the events that are shown.
    with at_most(MOST_QUERIES + 1):
        first = text_of(client, "/tournaments/")
    assert ">Match 21<" in first
    assert ">Match 1<" not in first
    client.force_login(factory.make_arbiter())
    with at_most(MOST_QUERIES + 1):
        text_of(client, "/tournaments/")


# --- one event --------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_every_part_of_an_event_opens_before_during_and_after_play(client: Client) -> None:
    cup = make_round_robin(make_players(3), cycles=2, swap_last_two=True)
    for numbers in ([], [1], range(2, 7)):
        for number in numbers:
            play_round(cup, number, [Result.BLACK_FORFEITS] if number == 1 else [BLACK])
        for part in PARTS:
            page_of(client, cup, part)


def test_a_running_event_says_its_format_who_leads_and_the_rules_of_its_tiebreaks(
    client: Client, cup: Tournament
) -> None:
    events = text_of(client, "/tournaments/")
    assert ">2 / 3</a>" in events
    assert "Ada Alvarez" in events
    page = page_of(client, cup)
    assert "Round robin, 4 players, 3 rounds" in page
    assert "Ada Alvarez leads with 1 out of 1." in page
    assert "Next is round 2 of 3." in page
    standings = page_of(client, cup, "standings/")
    assert "Sonneborn-Berger: Points of every opponent times the points taken from that opponent." in standings
    assert "Wins: Rounds with the points of a win, also without playing." in standings
    assert "+20" in standings
    LedgerEntry.objects.update(generation=77)
    assert "+20" not in page_of(client, cup, "standings/"), "rows of a dead generation are not counted"


@pytest.mark.extended
def test_a_finished_match_says_who_won_and_shows_both_games_points_and_changes(client: Client) -> None:
    match = make_round_robin(make_players(2), name="Match", cycles=2)
    play_round(match, 1, [WHITE])
    play_round(match, 2, [DRAW])
    won = "Finished. Ada Alvarez wins with 1½ out of 2, one point ahead of Bo Brandt."
    assert won in page_of(client, match)
    crosstable = page_of(client, match, "crosstable/")
    assert '<span class="won" title="Round 1, White">1</span>' in crosstable
    assert '<span class="black drawn" title="Round 2, Black">½</span>' in crosstable
    first, second = (page_of(client, match, f"rounds/{number}/") for number in (1, 2))
    assert first.count('<td class="num second">0</td>') == 2, "the points before the round"
    assert '<td class="num second">1</td>' in second
    rows = list(LedgerEntry.objects.filter(game__tournament=match))
    change = rows[0].white_change + rows[1].black_change
    page = page_of(client, match, "standings/")
    assert f'<td class="change num second">+{change:.0f}</td>' in page
    assert "Change" in page


@pytest.mark.extended
def test_a_shared_victory_a_bye_and_a_forfeit_are_said_in_words(client: Client) -> None:
    cup = make_round_robin(make_players(2))
    play_all(cup)
    page = page_of(client, cup)
    assert "Ada Alvarez and Bo Brandt share first place with ½ out of 1." in page
    assert page.count('<td class="num">1</td>') >= 2
    cup = make_round_robin(make_players(3))
    play_round(cup, 1, [DRAW])
    page = page_of(client, cup, "rounds/1/")
    assert "Ada Alvarez" in page
    assert "bye: a free round, no points" in page
    assert "Bo Brandt and Cleo Costa lead together with ½ points." in page
    play_round(cup, 2, [Result.BLACK_FORFEITS])
    page = page_of(client, cup, "rounds/2/")
    assert '<span class="won">+</span><span class="lost">−</span>' in page
    assert "not played" in page


def test_an_event_without_rounds_shows_its_entries(client: Client) -> None:
    cup = create_tournament(NewTournament("Next Cup"), by=None)
    enter_players(cup, make_players(2), by=None)
    page = page_of(client, cup)
    assert "Entries are open" in page
    assert "Ada Alvarez" in page
    assert "no round has been paired" in page_of(client, cup, "standings/")


def test_an_unrated_event_has_no_column_of_changes(client: Client) -> None:
    cup = create_tournament(NewTournament("Fun Cup", rated=False, starts_on=MONDAY), by=None)
    number_in_order(stage_of(cup), enter_players(cup, make_players(2), by=None), by=None)
    pair_all_rounds(stage_of(cup), by=None, first_day=MONDAY)
    play_round(cup, 1, [WHITE])
    page = page_of(client, cup, "standings/")
    assert "not rated" in page
    assert ">Change<" not in page


def test_a_rating_on_probation_has_colour_mark_and_words(client: Client, standard: RatingList) -> None:
    on_probation, established, unrated = make_players(3)
    begun = date(2025, 1, 1)
    starts = [NewStart(on_probation.pk, begun, 1512, 17), NewStart(established.pk, begun, 1640, 30)]
    bring_starting_ratings(standard, starts, by=None)
    cup = make_round_robin([on_probation, established, unrated])
    for part in ("entries/", "standings/"):
        page = page_of(client, cup, part)
        assert page.count('<tr class="provisional') == 1
        for rating, mark in (("1512", "?"), ("1640", ""), ("–", "")):
            assert f'{rating}<span class="mark" aria-hidden="true">{mark}</span>' in page
        assert "on probation" in page
        assert "17/30" in page
    assert "on probation" in page_of(client, cup, "rounds/2/")


# --- what is kept back ------------------------------------------------------------------------------------------


def test_a_draft_is_hidden_from_the_public_but_not_from_officers_and_keeps_an_event_running(
    client: Client, cup: Tournament
) -> None:
    Round.objects.filter(stage__tournament=cup, number__gt=1).update(state=Round.State.DRAFT)
    page = page_of(client, cup)
    assert "Finished" not in page
    assert "leads" in page
    secret = create_tournament(NewTournament("Secret Cup", starts_on=MONDAY), by=None)
    number_in_order(stage_of(secret), enter_players(secret, make_players(5), by=None), by=None)
    pair_all_rounds(stage_of(secret), by=None, first_day=MONDAY, publish=False)
    page_of(client, secret, "rounds/1/", status=404)
    assert "Round 1" not in page_of(client, secret)
    assert "0/5" not in text_of(client, "/tournaments/")
    client.force_login(factory.make_arbiter())
    assert "draft, only officers see it" in page_of(client, secret, "rounds/1/")


def test_what_does_not_exist_is_not_found_nor_rounds_of_open_ended_events(client: Client, cup: Tournament) -> None:
    for address in ("nowhere/", "nowhere/standings/", "nowhere/entries/"):
        text_of(client, f"/tournaments/{address}", status=404)
    for part in ("rounds/0/", "rounds/9/"):
        page_of(client, cup, part, status=404)
    evenings = free_games(make_players(3), 6)
    page = page_of(client, evenings)
    assert "6 games so far" in page
    assert page.count('<time class="nowrap"') == 2
    for part in PARTS[1:]:
        page_of(client, evenings, part, status=404)


def test_no_page_of_an_event_names_who_is_not_public(client: Client) -> None:
    kept_back = (Visibility.INITIALS, Visibility.MEMBERS, Visibility.HIDDEN)
    hidden = create_players([NewPlayer("Zacharias Quillfeather", visibility=kind) for kind in kept_back], by=None)
    cup = make_round_robin([*hidden, *make_players(1)])
    play_all(cup)
    evenings = free_games([*hidden, *make_players(1)], 4)
    pages = ["/tournaments/", evenings.get_absolute_url(), *(f"/tournaments/{cup.slug}/{part}" for part in PARTS)]
    assert [address for address in pages if "quillfeather" in text_of(client, address).lower()] == []


# --- queries ----------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_event_pages_need_few_queries_whatever_the_number_of_players(client: Client, at_most: CountQueries) -> None:
    large = make_round_robin(make_players(10))
    play_round(large, 1, [WHITE, *[DRAW] * 4])
    arbiter = factory.make_arbiter()
    for signed_in in (False, True):
        if signed_in:
            client.force_login(arbiter)
        for part in PARTS:
            with at_most(MOST_QUERIES):
                page_of(client, large, part)


@pytest.mark.parametrize("count", [30, pytest.param(300, marks=pytest.mark.slow)])
def test_entries_and_open_ended_events_need_few_queries_and_their_games_are_paged(
    client: Client, at_most: CountQueries, count: int
) -> None:
    players = make_players(count)
    cup = create_tournament(NewTournament("Open"), by=None)
    Entry.objects.bulk_create(
        Entry(tournament=cup, player=player, rating=1500 + player.number, rating_games=player.number)
        for player in players
    )
    evenings = free_games(players, max(count, 60))
    for event, part in ((cup, "entries/"), (cup, ""), (evenings, "")):
        with at_most(MOST_QUERIES):
            page = page_of(client, event, part)
    assert page.count('class="result"') == 50, "the latest games come first"
    assert ">5 January 2026<" not in page
    last = (max(count, 60) + 49) // 50
    assert ">5 January 2026<" in text_of(client, f"{evenings.get_absolute_url()}?page={last}")


@pytest.mark.extended
def test_a_swiss_counts_the_rounds_planned_wherever_rounds_are_counted(client: Client) -> None:
    stage = make_swiss(make_players(6), rounds=5)
    play_rounds(stage, 2)
    pair_next_round(stage, by=None, publish=True)
    assert "round 3 of 5" in text_of(client, "/tournaments/")
    for address in ("/", "/tournaments/"):
        assert ">3 / 5</a>" in text_of(client, address)
    assert "Next is round 3 of 5." in page_of(client, stage.tournament)


def test_results_show_at_once_and_a_phone_shows_the_number_of_the_board(client: Client) -> None:
    cup = make_round_robin(make_players(4), first_day=timezone.localdate())
    for address in ("/", f"/tournaments/{cup.slug}/rounds/1/"):
        page = text_of(client, address)
        assert '<th scope="col" class="num">Board</th>' in page
    black_won = '<span class="lost">0</span><span class="won">1</span>'
    assert "no result yet" in page
    assert black_won not in page
    game = Game.objects.get(pairing__round=round_of(cup, 1), pairing__board=1)
    record_result(game=game.pk, result=BLACK, played_on=timezone.localdate(), by=None)
    assert black_won in page_of(client, cup, "rounds/1/")
