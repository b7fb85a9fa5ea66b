"""The pages of an event of pairs: both names of each, as the reader may see them; no result of a game of two."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Player, Visibility
from tests import factory
from tests.clubrating.site.programs.program_cases import program_of
from tests.tournaments.pairs.pair_cases import game_between, make_doubles, make_event, make_lists
from tournaments.contests.selectors import tables_between
from tournaments.meetings.selectors import opponents_of
from tournaments.models import Contest, Entry, EntryMember, Tournament
from tournaments.results.services.results import record_result
from tournaments.standings.points import Result
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def club(world: None) -> list[Player]:
    factory.make_club()
    make_lists()
    people = factory.make_players(8)
    Player.objects.filter(pk=people[3].pk).update(visibility=Visibility.HIDDEN)
    return people


@pytest.fixture(scope="module")
def doubles(club: list[Player]) -> Tournament:
    event = make_doubles(club[:6])
    for other in (club[2], club[4]):
        game = game_between(event, club[0], other)
        won = Result.WHITE_WINS if game.white == club[0] else Result.BLACK_WINS
        record_result(game=game.pk, result=won, played_on=factory.MONDAY, by=None)
    return event


@pytest.fixture
def arbiter() -> Client:
    client = Client()
    client.force_login(factory.make_arbiter())
    return client


PAGES = (
    *("", "standings/", "crosstable/", "progress/", "rounds/1/", "entries/", "entries/1/", "calendar/", "tv/"),
    *("results.atom", "statistics/", "games.pgn", "entries.csv", "standings.csv", "pairings.csv"),
)


@pytest.mark.parametrize("page", PAGES)
def test_both_names_of_a_pair_stand_on_every_page_and_a_hidden_partner_on_none(
    client: Client, doubles: Tournament, page: str
) -> None:
    answer = client.get(f"{doubles.get_absolute_url()}{page}")
    assert answer.status_code == 200
    text = answer.content.decode()
    assert "Ada Alvarez" in text
    assert "Bo Brandt" in text
    assert "Dag Dahl" not in text


def test_programs_and_files_are_told_the_numbers_of_both(client: Client, doubles: Tournament) -> None:
    told = client.get(f"/api/v1/tournaments/{doubles.slug}/entries/").json()["rows"]
    assert [(row["player"], row["members"]) for row in told] == [
        ("Ada Alvarez / Bo Brandt", "#1 #2"),
        ("Cleo Costa / Player 4", "#3 #4"),
        ("Eva Engel / Finn Falk", "#5 #6"),
    ]


def test_a_program_enters_a_pair_together(club: list[Player]) -> None:
    event, (one, other) = make_event(club[:4]), club[6:]
    program = program_of(factory.make_arbiter())
    pair = {"player": one.number, "partners": [other.number]}
    assert program.post(f"/api/v1/tournaments/{event.slug}/entries/", pair).status_code == 201
    entered = EntryMember.objects.filter(tournament=event, entry__player=one)
    assert [row.player for row in entered] == [one, other]


def test_both_partners_have_the_result_in_their_history_with_its_reason(
    client: Client, doubles: Tournament, club: list[Player]
) -> None:
    contest = Contest.objects.filter(tournament=doubles).earliest("sequence")
    why = reverse("ratings:why-contest", args=["doubles", contest.pk])
    for partner in club[:2]:
        assert why in client.get(partner.get_absolute_url()).content.decode()
    text = client.get(why).content.decode()
    assert "Player 4" in text
    assert "Dag Dahl" not in text
    assert opponents_of(club[0]) == []
    assert tables_between(club[0], club[1], 5).partners.wins == 2


def test_a_result_is_entered_on_the_board_of_the_pair(arbiter: Client, doubles: Tournament, club: list[Player]) -> None:
    game = game_between(doubles, club[2], club[4])
    address = f"/admin/tournaments/tournament/round/{game.pairing.round_id}/results/"
    assert "Cleo Costa / Dag Dahl" in arbiter.get(address).content.decode()
    form = {f"board-{game.pairing.board}": "1-0", f"was-{game.pk}": "", f"revision-{game.pk}": game.revision}
    assert arbiter.post(address, {"played_on": "2026-01-05", **form}).status_code == 302
    assert Contest.objects.filter(game=game, withdrawn=False).exists()


def test_whoever_leaves_leaves_as_a_pair(arbiter: Client, doubles: Tournament, club: list[Player]) -> None:
    entry = Entry.objects.get(tournament=doubles, player=club[4])
    assert "Eva Engel / Finn Falk" in arbiter.get(f"/admin/tournaments/tournament/entry/{entry.pk}/withdraw/").text
    withdraw_entry(entry.pk, by=None)
    open_game = game_between(doubles, club[2], club[4])
    assert open_game.result in (Result.WHITE_FORFEITS, Result.BLACK_FORFEITS)
    assert not Contest.objects.filter(game=open_game).exists()
    assert Contest.objects.filter(withdrawn=False).count() == 2, "what was played stays rated"


def test_a_board_that_leaving_does_not_settle_is_named_with_both_pairs(
    arbiter: Client, doubles: Tournament, club: list[Player]
) -> None:
    game = game_between(doubles, club[2], club[4])
    record_result(game=game.pk, result=Result.ADJOURNED, played_on=factory.MONDAY, by=None)
    entry = Entry.objects.get(tournament=doubles, player=club[4])
    text = arbiter.get(f"/admin/tournaments/tournament/entry/{entry.pk}/withdraw/").text
    sides = {club[2]: "Cleo Costa / Dag Dahl", club[4]: "Eva Engel / Finn Falk"}
    assert f"{sides[game.white]} – {sides[game.black]} has no result" in text


def test_the_queries_of_a_page_do_not_grow_with_the_pairs(
    client: Client, doubles: Tournament, club: list[Player]
) -> None:
    def asked(event: Tournament) -> int:
        with CaptureQueriesContext(connection) as queries:
            client.get(f"{event.get_absolute_url()}standings/")
        return len(queries)

    asked(doubles)
    assert asked(doubles) == asked(make_doubles(club))


def test_pairs_are_pasted_with_a_plus_between_the_names(arbiter: Client, club: list[Player]) -> None:
    event = make_event([])
    address = f"/admin/tournaments/tournament/{event.pk}/entries/"
    assert arbiter.post(address, {"names": "Ada Alvarez + #2\nGio Greco+Hana Hora", "do": "enter"}).status_code == 302
    assert EntryMember.objects.filter(tournament=event).count() == 4
    text = arbiter.get(address).content.decode()
    assert "Bo Brandt" in text
