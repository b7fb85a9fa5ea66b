"""The public pages of the events: what they say, whom they name, what they keep back, what they cost in queries."""

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Club, Player, Visibility
from players.services.people import NewPlayer, create_players
from ratings.models import LedgerEntry, RatingList
from ratings.services.lists import NewStart
from tests import factory
from tests.factory import MONDAY, make_players, make_round_robin, play_all, play_round, round_of, stage_of
from tests.tournaments.swiss_events import make_swiss, play_rounds
from tournaments.models import Entry, Game, Pairing, Round, Tournament
from tournaments.services.entries import enter_players, number_in_order
from tournaments.services.events import NewTournament, create_tournament, open_event
from tournaments.services.next_round import pair_next_round
from tournaments.services.rating import bring_starting_ratings
from tournaments.services.results import record_result
from tournaments.services.rounds import pair_all_rounds
from tournaments.standings.points import Result

WHITE, DRAW, BLACK = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS
MOST_QUERIES = 8
PARTS = ("", "standings/", "crosstable/", "rounds/1/", "entries/")


def text_of(client: Client, address: str, status: int = 200) -> str:
    """The page's text with blanks made one."""
    response = client.get(address)
    assert response.status_code == status, f"{address}: {response.status_code}"
    return " ".join(response.content.decode().split())


def played_cup(standard: RatingList, players: int = 4) -> Tournament:
    """A round robin in which round 1 is played: White wins, all other boards are drawn."""
    cup = make_round_robin(make_players(players))
    boards = Game.objects.filter(pairing__round=round_of(cup, 1)).count()
    play_round(cup, 1, [WHITE, *[DRAW] * (boards - 1)])
    return cup


def drafted_cup(players: list[Player]) -> Tournament:
    cup = create_tournament(NewTournament("Secret Cup", starts_on=MONDAY), by=None)
    number_in_order(stage_of(cup), enter_players(cup, players, by=None), by=None)
    pair_all_rounds(stage_of(cup), by=None, first_day=MONDAY, publish=False)
    return cup


def free_games(players: list[Player], count: int) -> Tournament:
    """An open-ended event with `count` games of neighbours in the list, five a day."""
    stage = open_event("Club evenings", pool="standard", by=None)
    for index in range(count):
        pairing = Pairing.objects.create(stage=stage)
        game = Game.objects.create(
            tournament=stage.tournament,
            pairing=pairing,
            pool="standard",
            white=players[index % len(players)],
            black=players[(index + 1) % len(players)],
        )
        day = MONDAY + timedelta(days=index // 5)
        Game.objects.filter(pk=game.pk).update(result=WHITE, played_on=day, sequence=10_000 + index)
    return stage.tournament


# --- the list of events -----------------------------------------------------------------------------------------


def test_without_events_the_list_says_what_will_stand_there(client: Client, club: Club) -> None:
    assert "No events yet" in text_of(client, "/tournaments/")


def test_the_list_sorts_events_by_how_far_they_are(client: Client, standard: RatingList) -> None:
    people = make_players(4)
    play_all(make_round_robin(people, name="Old Cup"))
    play_round(make_round_robin(people, name="Present Cup"), 1, [WHITE, DRAW])
    future = timezone.localdate() + timedelta(days=9)
    create_tournament(NewTournament("Next Cup", starts_on=future), by=None)
    free_games(people, 3)
    page = text_of(client, "/tournaments/")
    order = ["Running", "Present Cup", "Coming", "Next Cup", "Finished", "Old Cup", "Open-ended", "Club evenings"]
    found = [page.index(f">{word}<") for word in order]
    assert found == sorted(found)


def test_the_list_names_the_leader_and_the_rounds_played(client: Client, standard: RatingList) -> None:
    played_cup(standard)
    page = text_of(client, "/tournaments/")
    assert "1/3" in page
    assert "Ada Alvarez" in page


def test_several_leaders_are_counted(client: Client, standard: RatingList) -> None:
    play_all(make_round_robin(make_players(4)))
    assert "and 3 more" in text_of(client, "/tournaments/")


def test_finished_events_are_paged(client: Client, standard: RatingList) -> None:
    people = make_players(2)
    for number in range(21):
        play_all(make_round_robin(people, name=f"Match {number + 1}"))
    first, second = text_of(client, "/tournaments/"), text_of(client, "/tournaments/?finished-page=2")
    assert ">Match 21<" in first
    assert ">Match 1<" not in first
    assert ">Match 1<" in second


# --- one event --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_an_event_opens_before_during_and_after_play(
    client: Client, standard: RatingList, part: str
) -> None:
    cup = make_round_robin(make_players(5), cycles=2, swap_last_two=True)
    text_of(client, f"/tournaments/{cup.slug}/{part}")
    play_round(cup, 1, [WHITE, Result.BLACK_FORFEITS])
    text_of(client, f"/tournaments/{cup.slug}/{part}")
    for number in range(2, 11):
        play_round(cup, number, [DRAW, BLACK])
    text_of(client, f"/tournaments/{cup.slug}/{part}")


def test_the_overview_says_the_format_and_who_leads(client: Client, standard: RatingList) -> None:
    cup = played_cup(standard)
    page = text_of(client, cup.get_absolute_url())
    assert "Round robin, 4 players, 3 rounds" in page
    assert "Ada Alvarez leads with 1 out of 1." in page
    assert "Next is round 2 of 3." in page


def test_the_overview_of_a_finished_event_says_who_won_and_by_how_much(client: Client, standard: RatingList) -> None:
    cup = make_round_robin(make_players(2), cycles=2)
    play_round(cup, 1, [WHITE])
    play_round(cup, 2, [DRAW])
    assert "Finished. Ada Alvarez wins with 1½ out of 2, one point ahead of Bo Brandt." in text_of(
        client, cup.get_absolute_url()
    )


def test_a_shared_victory_is_said_to_be_shared(client: Client, standard: RatingList) -> None:
    cup = make_round_robin(make_players(2))
    play_all(cup)
    page = text_of(client, cup.get_absolute_url())
    assert "Ada Alvarez and Bo Brandt share first place with ½ out of 1." in page
    assert page.count('<td class="num">1</td>') >= 2


def test_an_event_without_rounds_shows_its_entries(client: Client, standard: RatingList) -> None:
    cup = create_tournament(NewTournament("Next Cup"), by=None)
    enter_players(cup, make_players(2), by=None)
    page = text_of(client, cup.get_absolute_url())
    assert "Entries are open" in page
    assert "Ada Alvarez" in page
    assert "no round has been paired" in text_of(client, f"/tournaments/{cup.slug}/standings/")


def test_the_legend_names_the_rule_of_every_tiebreak(client: Client, standard: RatingList) -> None:
    page = text_of(client, f"/tournaments/{played_cup(standard).slug}/standings/")
    assert "Sonneborn-Berger: Points of every opponent times the points taken from him." in page
    assert "Wins: Rounds with the points of a win, also without playing." in page


def test_a_bye_is_not_scored_in_a_round_robin_but_said_in_words(client: Client, standard: RatingList) -> None:
    cup = make_round_robin(make_players(3))
    play_round(cup, 1, [DRAW])
    page = text_of(client, f"/tournaments/{cup.slug}/rounds/1/")
    assert "Ada Alvarez" in page
    assert "bye: a free round, no points" in page
    assert "Bo Brandt and Cleo Costa lead together with ½ points." in page


def test_a_double_round_robin_shows_both_games_of_a_pair(client: Client, standard: RatingList) -> None:
    cup = make_round_robin(make_players(2), cycles=2)
    play_round(cup, 1, [WHITE])
    play_round(cup, 2, [DRAW])
    page = text_of(client, f"/tournaments/{cup.slug}/crosstable/")
    assert '<span class="won" title="Round 1, White">1</span>' in page
    assert '<span class="black drawn" title="Round 2, Black">½</span>' in page


def test_the_pairing_table_shows_points_before_the_round(client: Client, standard: RatingList) -> None:
    cup = make_round_robin(make_players(2), cycles=2)
    play_round(cup, 1, [WHITE])
    play_round(cup, 2, [BLACK])
    first, second = (text_of(client, f"/tournaments/{cup.slug}/rounds/{number}/") for number in (1, 2))
    assert first.count('<td class="num second">0</td>') == 2
    assert '<td class="num second">1</td>' in second


def test_a_forfeit_is_shown_as_not_played(client: Client, standard: RatingList) -> None:
    cup = make_round_robin(make_players(2))
    play_round(cup, 1, [Result.BLACK_FORFEITS])
    page = text_of(client, f"/tournaments/{cup.slug}/rounds/1/")
    assert '<span class="won">+</span><span class="lost">−</span>' in page
    assert "not played" in page


def test_the_change_of_the_event_is_the_sum_of_the_ledger(client: Client, standard: RatingList) -> None:
    cup = make_round_robin(make_players(2), cycles=2)
    play_round(cup, 1, [WHITE])
    play_round(cup, 2, [BLACK])
    rows = list(LedgerEntry.objects.filter(game__tournament=cup))
    change = rows[0].white_change + rows[1].black_change
    page = text_of(client, f"/tournaments/{cup.slug}/standings/")
    assert f'<td class="change num second">+{change:.0f}</td>' in page
    assert "Change" in page


def test_rows_of_a_dead_generation_are_not_counted(client: Client, standard: RatingList) -> None:
    cup = played_cup(standard)
    LedgerEntry.objects.update(generation=77)
    assert "+20" not in text_of(client, f"/tournaments/{cup.slug}/standings/")


def test_an_unrated_event_has_no_column_of_changes(client: Client, standard: RatingList) -> None:
    cup = create_tournament(NewTournament("Fun Cup", rated=False, starts_on=MONDAY), by=None)
    number_in_order(stage_of(cup), enter_players(cup, make_players(2), by=None), by=None)
    pair_all_rounds(stage_of(cup), by=None, first_day=MONDAY)
    play_round(cup, 1, [WHITE])
    page = text_of(client, f"/tournaments/{cup.slug}/standings/")
    assert "not rated" in page
    assert ">Change<" not in page


def test_a_rating_on_probation_has_colour_mark_and_words(client: Client, standard: RatingList) -> None:
    on_probation, established, unrated = make_players(3)
    starts = [
        NewStart(on_probation.pk, date(2025, 1, 1), 1512, 17),
        NewStart(established.pk, date(2025, 1, 1), 1640, 30),
    ]
    bring_starting_ratings(standard, starts, by=None)
    cup = make_round_robin([on_probation, established, unrated])
    for part in ("entries/", "standings/"):
        page = text_of(client, f"/tournaments/{cup.slug}/{part}")
        assert page.count('<tr class="provisional') == 1
        assert '1512<span class="mark" aria-hidden="true">?</span>' in page
        assert "on probation" in page
        assert "17/30" in page
        assert '1640<span class="mark" aria-hidden="true"></span>' in page
        assert '–<span class="mark" aria-hidden="true"></span>' in page
    assert "on probation" in text_of(client, f"/tournaments/{cup.slug}/rounds/2/")


# --- what is kept back ------------------------------------------------------------------------------------------


def test_a_draft_is_hidden_from_the_public_but_not_from_officers(client: Client, standard: RatingList) -> None:
    cup = drafted_cup(make_players(4))
    address = f"/tournaments/{cup.slug}/rounds/1/"
    text_of(client, address, status=404)
    assert "Round 1" not in text_of(client, cup.get_absolute_url())
    assert "0/3" not in text_of(client, "/tournaments/")
    client.force_login(factory.make_arbiter())
    assert "draft, only officers see it" in text_of(client, address)


def test_an_event_with_hidden_rounds_is_not_finished(client: Client, standard: RatingList) -> None:
    cup = played_cup(standard)
    Round.objects.filter(stage__tournament=cup, number__gt=1).update(state=Round.State.DRAFT)
    page = text_of(client, cup.get_absolute_url())
    assert "Finished" not in page
    assert "leads" in page


@pytest.mark.parametrize(
    "address", ["nowhere/", "nowhere/standings/", "nowhere/entries/", "cup/rounds/0/", "cup/rounds/9/"]
)
def test_what_does_not_exist_is_not_found(client: Client, standard: RatingList, address: str) -> None:
    make_round_robin(make_players(4), name="Cup")
    text_of(client, f"/tournaments/{address}", status=404)


def test_an_open_ended_event_has_games_but_no_rounds(client: Client, standard: RatingList) -> None:
    evenings = free_games(make_players(3), 6)
    page = text_of(client, evenings.get_absolute_url())
    assert "6 games so far" in page
    assert page.count('<time class="nowrap"') == 2
    for part in PARTS[1:]:
        text_of(client, f"/tournaments/{evenings.slug}/{part}", status=404)


def test_games_of_an_open_ended_event_are_paged_latest_day_first(client: Client, standard: RatingList) -> None:
    evenings = free_games(make_players(3), 60)
    first = text_of(client, evenings.get_absolute_url())
    assert first.count('class="result"') == 50
    assert ">5 January 2026<" not in first
    assert ">5 January 2026<" in text_of(client, evenings.get_absolute_url() + "?page=2")


@pytest.mark.parametrize("visibility", [Visibility.INITIALS, Visibility.MEMBERS, Visibility.HIDDEN])
def test_no_page_of_an_event_names_who_is_not_public(
    client: Client, standard: RatingList, visibility: Visibility
) -> None:
    hidden = create_players([NewPlayer("Zacharias Quillfeather", visibility=visibility)], by=None)
    cup = make_round_robin([*hidden, *make_players(2)])
    play_all(cup)
    evenings = free_games([*hidden, *make_players(1)], 2)
    pages = ["/tournaments/", evenings.get_absolute_url(), *(f"/tournaments/{cup.slug}/{part}" for part in PARTS)]
    for address in pages:
        page = text_of(client, address)
        assert "Quillfeather" not in page, address
        assert "quillfeather" not in page, address


# --- queries ----------------------------------------------------------------------------------------------------

CountQueries = Callable[..., object]


def assert_few_queries(client: Client, counted: CountQueries, address: str, most: int = MOST_QUERIES) -> None:
    with counted(most):
        text_of(client, address)


@pytest.mark.parametrize("signed_in", [False, True], ids=["public", "officer"])
@pytest.mark.parametrize("players", [4, 30, 40])
def test_event_pages_need_few_queries_whatever_the_number_of_players(
    client: Client,
    standard: RatingList,
    django_assert_max_num_queries: CountQueries,
    players: int,
    signed_in: bool,
) -> None:
    cup = played_cup(standard, players)
    if signed_in:
        client.force_login(factory.make_arbiter())
    for part in PARTS:
        assert_few_queries(client, django_assert_max_num_queries, f"/tournaments/{cup.slug}/{part}")


@pytest.mark.parametrize("players", [30, 300])
def test_entries_need_few_queries_whatever_their_number(
    client: Client, standard: RatingList, django_assert_max_num_queries: CountQueries, players: int
) -> None:
    cup = create_tournament(NewTournament("Open"), by=None)
    Entry.objects.bulk_create(
        Entry(tournament=cup, player=player, rating=1500 + player.number, rating_games=player.number)
        for player in make_players(players)
    )
    assert_few_queries(client, django_assert_max_num_queries, f"/tournaments/{cup.slug}/entries/")
    assert_few_queries(client, django_assert_max_num_queries, cup.get_absolute_url())


@pytest.mark.parametrize("players", [30, 300])
def test_an_open_ended_event_needs_few_queries_whatever_the_number_of_players(
    client: Client, standard: RatingList, django_assert_max_num_queries: CountQueries, players: int
) -> None:
    evenings = free_games(make_players(players), players)
    assert_few_queries(client, django_assert_max_num_queries, evenings.get_absolute_url())


def test_a_swiss_counts_the_rounds_planned_wherever_rounds_are_counted(client: Client, standard: RatingList) -> None:
    stage = make_swiss(make_players(6), rounds=5)
    play_rounds(stage, 2)
    pair_next_round(stage, by=None, publish=True)
    assert "2 of 5 rounds" in text_of(client, "/tournaments/")
    assert '<td class="num second">2/5</td>' in text_of(client, "/tournaments/")
    assert ">3 / 5</a>" in text_of(client, "/")
    assert "Next is round 3 of 5." in text_of(client, stage.tournament.get_absolute_url())


def test_a_phone_shows_the_number_of_the_board(client: Client, standard: RatingList) -> None:
    cup = make_round_robin(make_players(4), first_day=timezone.localdate())
    for address in ("/", f"/tournaments/{cup.slug}/rounds/1/"):
        assert '<th scope="col" class="num">Board</th>' in text_of(client, address)


@pytest.mark.parametrize("signed_in", [False, True], ids=["public", "officer"])
@pytest.mark.parametrize("events", [3, 30, 300])
def test_the_list_needs_few_queries_whatever_the_number_of_events(
    client: Client, standard: RatingList, django_assert_max_num_queries: CountQueries, events: int, signed_in: bool
) -> None:
    people = make_players(4)
    for number in range(min(events, 25)):
        play_round(make_round_robin(people, name=f"Cup {number}"), 1, [WHITE, DRAW])
    for number in range(25, events):
        create_tournament(NewTournament(f"Later {number}"), by=None)
    free_games(people, 3)
    if signed_in:
        client.force_login(factory.make_arbiter())
    # One more than other pages: the games of free play are counted for the events that are shown.
    assert_few_queries(client, django_assert_max_num_queries, "/tournaments/", MOST_QUERIES + 1)


def test_results_show_at_once(client: Client, standard: RatingList) -> None:
    cup = make_round_robin(make_players(2))
    game = Game.objects.get(tournament=cup)
    address = f"/tournaments/{cup.slug}/rounds/1/"
    assert "no result yet" in text_of(client, address)
    record_result(game=game.pk, result=BLACK, played_on=MONDAY, by=None)
    assert '<span class="lost">0</span><span class="won">1</span>' in text_of(client, address)
