"""A Scheveningen of two teams at the desk, and colours of boards by another sequence than one that alternates."""

from itertools import product

import pytest
from django.test import Client

from players.refusals import Refused
from tests.factory import make_administrator
from tests.tournaments.printing.printing_cases import print_page
from tests.tournaments.teams.team_cases import make_team_event, play, team
from tournaments.models import Game, Round, Seat, TeamMatch, TeamPlayer, Tournament
from tournaments.standings.points import Result
from tournaments.standings.team_event import team_scores
from tournaments.teams.selectors.facts import team_facts
from tournaments.teams.services.events import change_rules
from tournaments.teams.services.line_ups import change_board, open_match
from tournaments.teams.services.rounds import add_round, delete_fixtures, make_fixtures

pytestmark = pytest.mark.usefixtures("standard")
WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS
SCHEVENINGEN = {"format": "team-scheveningen", "primary": "GP"}


def two_teams(boards: int = 3, cycles: int = 1) -> Tournament:
    return make_team_event(2, boards=boards, settings={"cycles": cycles}, **SCHEVENINGEN)


@pytest.mark.parametrize("cycles", [1, 2])
def test_everybody_meets_everybody_of_the_other_team_with_colours_shared_fairly(cycles: int) -> None:
    event = two_teams(4, cycles)
    sides = [
        TeamPlayer.objects.filter(team=one, place__lte=4).values_list("entry__player", flat=True)
        for one in teams(event)
    ]
    met = [frozenset(pair) for pair in Game.objects.values_list("white", "black")]

    assert all(met.count(frozenset(pair)) == cycles for pair in product(*sides))
    whites = [Game.objects.filter(white=player).count() for side in sides for player in side]
    assert set(whites) == {2 * cycles}
    assert Round.objects.count() == 4 * cycles


def teams(event: Tournament) -> list[object]:
    return [team(event, name) for name in ("Anchor", "Bridge")]


def test_rounds_are_made_published_played_and_taken_back_at_the_desk(client: Client) -> None:
    event = make_team_event(2, boards=3, fixtures=False, **SCHEVENINGEN)
    client.force_login(make_administrator())
    address = f"/admin/tournaments/tournament/{event.pk}/matches/"
    assert client.post(address, {"do": "make", "days_between": 7}).status_code == 302
    play(TeamMatch.objects.get(round__number=1), [WIN, WIN, DRAW])
    assert [one.game_points for one in team_scores(team_facts(event).event).values()] == [5, 1]
    pages = "standings/ matches/ matches/1/1/ rounds/2/ crosstable/ print/ teams/1/ forecast/ tv/"
    for page in ("", *pages.split()):
        assert client.get(f"/tournaments/team-league/{page}").status_code == 200
    with pytest.raises(Refused, match="results"):
        delete_fixtures(event.pk, by=None)
    with pytest.raises(Refused, match="made together"):
        add_round(event.pk, [tuple(event.teams.all())], by=None)


def test_the_form_of_a_new_event_offers_it_and_asks_for_game_points(client: Client) -> None:
    client.force_login(make_administrator())
    address = "/admin/tournaments/tournament/new/teams/"
    assert 'value="scheveningen"' in client.get(address).text
    page = client.post(address, {"name": "Duel", "play": "scheveningen", "primary": "MP", "boards": 3})
    assert "game points decide it" in page.text


def test_a_team_with_too_few_players_is_named() -> None:
    event = make_team_event(2, boards=3, size=2, fixtures=False, **SCHEVENINGEN)
    with pytest.raises(Refused, match=r"“Anchor” has 2 players on its list.*3 are needed"):
        make_fixtures(event.pk, by=None)
    assert not Round.objects.exists()


def test_a_substitute_takes_the_board_with_its_colour() -> None:
    event = two_teams(3)
    match = TeamMatch.objects.get(round__number=2)
    spare = TeamPlayer.objects.get(team__name="Bridge", place=4)
    for board in (1, 2, 3):
        before = dict(
            Seat.objects.filter(pairing__match=match, pairing__match_board=board).values_list("line", "colour")
        )
        change_board(match.pk, board, spare.team_id, spare.pk, by=None, reason="other")
        after = dict(
            Seat.objects.filter(pairing__match=match, pairing__match_board=board).values_list("line", "colour")
        )
        assert after == before
    assert team_facts(event).rules.boards == 3


# --- a sequence of colours --------------------------------------------------------------------------------------------
@pytest.mark.extended
@pytest.mark.parametrize(
    ("sequence", "first_white", "home_has"),
    [("WBBW", "home", "wbbww"), ("WBBW", "away", "bwwbb"), ("w b", "home", "wbwbw"), ("W", "away", "bbbbb")],
)
def test_boards_have_the_colours_of_the_sequence(
    sequence: str, first_white: str, home_has: str, client: Client
) -> None:
    event = make_team_event(2, boards=5, colours=sequence, first_white=first_white)
    match = TeamMatch.objects.get()
    open_match(match.pk, by=None)
    seats = Seat.objects.filter(pairing__match=match, line=1).order_by("pairing__match_board")
    assert "".join(seats.values_list("colour", flat=True)) == home_has
    card = print_page(client, event, "match-cards").context["sheets"][0].content[0]
    assert [board.home_is_white for board in card.boards] == [letter == "w" for letter in home_has]


@pytest.mark.parametrize("sequence", ["", "BW", "WX", "white"])
def test_a_sequence_that_is_none_is_refused(sequence: str) -> None:
    event = make_team_event(2, fixtures=False)
    with pytest.raises(Refused, match="Colours are letters W and B"):
        change_rules(event.pk, {"colours": sequence}, by=None)
