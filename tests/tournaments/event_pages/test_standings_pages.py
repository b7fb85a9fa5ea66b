"""Standings pages beyond points: team against team, point systems, who leaves a round robin, unusual results."""

from datetime import timedelta

import pytest
from django.test import Client

from players.models import Player, Visibility
from players.privacy.rules import NOBODY
from ratings.lists.services import create_list
from ratings.models import LedgerEntry, RatingList
from tests import factory
from tests.factory import make_players, make_round_robin, play_round
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages.page_cases import BLACK, DRAW, WHITE, play_open_round, team_match, text_of
from tournaments.event_pages.selectors.formats import teams_of
from tournaments.events.selectors.events import all_event_data
from tournaments.events.selectors.overall import overall_order
from tournaments.events.selectors.standings import rating_changes, standings_of
from tournaments.models import Entry, Game, Stage, Tournament
from tournaments.standings.points import Result
from tournaments.withdrawals.services.withdrawals import withdraw_entry

# --- team against team --------------------------------------------------------------------------------------------
standard = club_and_list


def test_teams_have_their_points_their_tables_and_may_have_names(client: Client, standard: RatingList) -> None:
    event = team_match(make_players(4))
    play_open_round(event, *[WHITE] * 4)
    page = text_of(client, "/tournaments/match/") + text_of(client, "/tournaments/match/crosstable/")
    for words in ("Team A <b>2</b> : Team B <b>2</b>", "Team A</h3>", "Finished. Team A 2 : 2 team B.",
                  '<span class="muted">A1</span>', '<span class="muted">B2</span>',
                  "Scheveningen: team against team"):  # fmt: skip
        assert words in page
    Stage.objects.update(settings={"teams": ["Rooks", "Bishops"]})
    assert "Team Rooks" in text_of(client, "/tournaments/match/")


def test_the_points_of_a_team_are_those_of_its_players(standard: RatingList) -> None:
    event = team_match(make_players(6))
    first = set(Entry.objects.filter(tournament=event, number__lte=3).values_list("player_id", flat=True))
    games = Game.objects.filter(tournament=event).order_by("pairing__round__number", "pairing__board")
    play_open_round(event, *[WHITE if game.white_id in first else DRAW for game in games])
    (facts,) = all_event_data(event, NOBODY)
    one, other = teams_of(facts, standings_of(facts))
    whites = sum(game.white_id in first for game in games)
    assert (one.points, other.points) == (2 * whites + (9 - whites), 9 - whites)
    assert one.label(2) == "A2"
    (facts,) = all_event_data(make_round_robin(make_players(4)), NOBODY)
    assert teams_of(facts, standings_of(facts)) == (), "other formats have none"


# --- ratings ------------------------------------------------------------------------------------------------------
def test_what_an_event_did_to_ratings_is_read_off_its_own_games_and_list(standard: RatingList) -> None:
    """The same people play elsewhere before and after, another list rates them too, and the list is made anew."""
    create_list(name="Second", slug="second", pool="standard", by=None, settings={"start": 900})
    people, weeks = make_players(4), timedelta(weeks=8)
    days = {"Before": factory.MONDAY, "Cup": factory.MONDAY + weeks, "After": factory.MONDAY + 2 * weeks}
    events = {name: make_round_robin(people, name=name, first_day=day) for name, day in days.items()}
    for event in events.values():
        play_round(event, 1, [WHITE, DRAW])
        play_round(event, 2, [WHITE, BLACK])
    cup, moved, stands = events["Cup"], dict.fromkeys([each.pk for each in people], 0.0), {}
    own = LedgerEntry.objects.filter(rating_list=standard, game__tournament=cup).order_by("order")
    for row in list(own):
        for player, before, change, after in (
            (row.white_player, row.white_before, row.white_change, row.white_after),
            (row.black_player, row.black_before, row.black_change, row.black_after),
        ):
            moved[player] += change
            stands[player] = stands.get(player, (before,))[0], after
        row.pk, row.generation, row.white_after, row.black_after = None, row.generation + 1, 99.0, 99.0
        row.save(force_insert=True)
    (facts,) = all_event_data(cup, NOBODY)
    assert rating_changes(facts)[factory.stage_of(cup).pk] == pytest.approx(moved)
    assert {row.entrant.player.pk: (row.before, row.now) for row in overall_order(facts, [])} == stands


# --- points and leavers -------------------------------------------------------------------------------------------
def test_football_counts_three_for_a_win(client: Client, standard: RatingList) -> None:
    event = make_round_robin(make_players(4))
    Tournament.objects.update(point_system="football")
    play_round(event, 1, [WHITE, DRAW])
    page = text_of(client, f"/tournaments/{event.slug}/standings/")
    assert '<td class="num"><b>3</b></td>' in page
    assert '<td class="num"><b>1</b></td>' in page
    assert "½" not in page.split("<table")[1].split("</table>")[0].replace("½ for", "")


def test_an_armageddon_game_is_shown_beside_the_draw_it_decides(client: Client, standard: RatingList) -> None:
    event = make_round_robin(make_players(2))
    Tournament.objects.update(point_system="armageddon")
    play_round(event, 1, [DRAW])
    game = Game.objects.get(tournament=event, number=2)
    assert game.phase == Game.Phase.ARMAGEDDON
    factory.record_result(game=game.pk, result=BLACK, played_on=factory.MONDAY, by=None)
    page = text_of(client, f"/tournaments/{event.slug}/crosstable/")
    assert "<b>1½</b>" in page
    assert "who won the armageddon game after it has 1½" in page
    assert '<span class="alt">armageddon ' in text_of(client, f"/tournaments/{event.slug}/rounds/1/")
    draws = ((DRAW, False, BLACK), (DRAW, True, WHITE), (WHITE, False, WHITE), (WHITE, True, BLACK))
    for result, exchanged, found in draws:  # in an armageddon game a draw is enough for Black
        white, black = (game.black_id, game.white_id) if exchanged else (game.white_id, game.black_id)
        Game.objects.filter(pk=game.pk).update(white=white, black=black, result=result)
        assert all_event_data(event, NOBODY)[0].rounds[0].boards[0].armageddon == found, (result, exchanged)


def test_the_list_of_an_event_is_one_of_its_own_pool(standard: RatingList) -> None:
    """Though its entries were rated in another, before the pool was changed."""
    factory.make_list("rapid", pool="rapid", primary=False)
    event = make_round_robin(make_players(2))
    Tournament.objects.update(pool="rapid")
    Entry.objects.update(rating_list="standard")
    event.refresh_from_db()
    assert [part.rating_list and part.rating_list.slug for part in all_event_data(event, NOBODY)] == ["rapid"]


def tables_of(client: Client, event: Tournament) -> str:
    """The standings and the crosstable."""
    return "".join(text_of(client, f"/tournaments/{event.slug}/{part}/") for part in ("standings", "crosstable"))


def test_the_allocated_bye_is_worth_what_the_event_says(client: Client, standard: RatingList) -> None:
    event = make_round_robin(make_players(3))
    play_round(event, 1, [DRAW])
    Tournament.objects.update(allocated_bye="draw")
    page = tables_of(client, event)
    assert page.count('<td class="num"><b>½</b></td>') == 6, "in the standings and in the crosstable"
    assert "bye: a free round, no points" not in page


def leave(event: Tournament, number: int) -> None:
    withdraw_entry(Entry.objects.get(tournament=event, number=number).pk, by=None)


def test_who_leaves_before_half_of_the_games_counts_only_where_the_club_says_so(
    client: Client, standard: RatingList
) -> None:
    event = make_round_robin(make_players(6))
    play_round(event, 1, [WHITE, DRAW, DRAW])
    leave(event, 6)
    page = tables_of(client, event)
    assert "Finn Falk withdrew after 1 of 5 games: by FIDE’s rule the games played stay in the table" in page
    assert 'class="won annulled"' in page
    assert "Round 1, White: does not count" in page
    assert "Next is round 2 of 5." in page, "forfeits given beforehand begin no round"
    assert "after 1 of 5 rounds" in page
    assert "withdrawn" in text_of(client, f"/tournaments/{event.slug}/entries/")
    Player.objects.filter(name="Finn Falk").update(visibility=Visibility.HIDDEN)
    page = text_of(client, f"/tournaments/{event.slug}/standings/")
    assert "Falk" not in page
    assert "withdrew after 1 of 5 games" in page
    Tournament.objects.update(leaver_rule="all")
    page = text_of(client, f"/tournaments/{event.slug}/standings/")
    assert "in this event everything played counts" in page
    assert "annulled" not in page


def test_from_half_on_everything_counts(client: Client, standard: RatingList) -> None:
    event = make_round_robin(make_players(4))
    play_round(event, 1, [WHITE, DRAW])
    play_round(event, 2, [WHITE, DRAW])
    leave(event, 4)
    page = text_of(client, f"/tournaments/{event.slug}/standings/")
    assert "withdrew after 2 of 3 games: by FIDE’s rule that is at least half" in page
    assert "annulled" not in page


def test_late_entries_are_said_to_come_later(client: Client, standard: RatingList) -> None:
    event = make_round_robin(make_players(4))
    Entry.objects.filter(tournament=event, number=3).update(first_round=2)
    assert '<span class="badge">from round 2</span>' in text_of(client, f"/tournaments/{event.slug}/entries/")


@pytest.mark.extended
def test_unusual_results_are_shown_on_every_page(client: Client, standard: RatingList) -> None:
    event = make_round_robin(make_players(4))
    play_round(event, 1, [Result.BLACK_FORFEITS, DRAW])
    play_round(event, 2, [Result.NO_POINTS, Result.WHITE_DRAWS_BLACK_PENALISED])
    parts = ("", "standings/", "crosstable/", "entries/")
    for part in (*parts, *(f"rounds/{number}/{order}" for number in (1, 2) for order in ("", "?order=name"))):
        text_of(client, f"/tournaments/{event.slug}/{part}")
