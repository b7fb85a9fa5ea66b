"""Private people with names planted in events of every format, who looks for them, and which names a text tells."""

from datetime import timedelta

import pytest
from django.test import Client

from players.club.services import update_club
from players.models import Player
from players.people.services import NewPlayer, create_players
from players.privacy.services import NewGuardian, set_guardians
from ratings.lists.services import create_list
from ratings.models import RatingList
from tests import factory
from tests.tournaments.event_pages import page_cases
from tests.tournaments.forecasts.forecast_cases import store
from tests.tournaments.teams.team_cases import make_match_of, play
from tournaments.contests.services import ContestData, SideData, correct_contest, record_contest
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.free_play.services import record_free_game
from tournaments.models import Game
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result
from tournaments.teams.services.events import create_league

MINOR, HIDDEN, MEMBERS = "Kerem Plantedminor", "Hilde Plantedhidden", "Mara Plantedmember"
NOTE = "a note for officers"
PUBLISHED_ON = factory.MONDAY + timedelta(days=1)
# A name's reading in another script is as private as the name.
READINGS = {MINOR: "Керем Планминор", HIDDEN: "Хильда Планхидден", MEMBERS: "Мара Планмембер"}
NAMES = ("plantedminor", "plantedhidden", "plantedmember", "планминор", "планхидден", "планмембер")
# Who speaks for a minor stands on the player's page in the admin, and nowhere else for anybody.
SECRETS = (*NAMES, "plantedguardian", "plantedcontact")
SEEN = {"nobody": (), "member": ("plantedminor", "plantedmember", "планминор", "планмембер"), "officer": NAMES}


@pytest.fixture(scope="module")
def planted(world: None) -> list[Player]:
    """Three private people in events of every format with everybody else."""
    factory.make_club()
    standard = factory.make_list()
    committee = create_list(name="Committeelist", slug="committeelist", pool="standard", by=None)
    RatingList.objects.filter(pk=committee.pk).update(public=False)
    private = create_players(
        [
            NewPlayer(MINOR, birth_year=2016, reading=READINGS[MINOR]),
            NewPlayer(HIDDEN, visibility="hidden", reading=READINGS[HIDDEN]),
            NewPlayer(MEMBERS, visibility="members", reading=READINGS[MEMBERS]),
        ],
        by=None,
    )
    set_guardians(private[0].pk, [NewGuardian("Gudrun Plantedguardian", "plantedcontact@example.org")], by=None)
    players = [*private, *factory.make_players(2)]
    cup = factory.make_round_robin(players)
    store(cup)
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    for each in (standard, committee):
        publish_list(each, PUBLISHED_ON, by=None)
    game = Game.objects.filter(white__in=private).exclude(result="")[0]
    correct_result(game=game.pk, result=Result.BLACK_WINS, by=None, reason="appeal", note=f"{NOTE}: {MINOR}")
    update_club({"pass_phrase": "open sesame"}, by=None)
    page_cases.play_match(page_cases.draw_cup(players, games=2), 1, 2, Result.DRAW)
    page_cases.form_groups(players, name="Groups", groups=2)
    page_cases.keizer_club(players, [[Result.WHITE_WINS, Result.DRAW]])
    ladder = page_cases.make_event(players, "ladder", name="Ladder")
    evenings = page_cases.make_event([], "free", name="Evenings")
    for event in (ladder, evenings):
        record_free_game(event, players[1], players[0], Result.WHITE_WINS, factory.MONDAY, by=None)
    create_list(name="Tables", slug="tables", pool="tables", by=None, system="trueskill")
    tables = create_tournament(NewTournament("Tables", pool="tables", pairing_system="free"), by=None)
    keys = [player.pk for player in players]
    league = create_league("Team League", by=None)
    match = make_match_of((players[:3], players[3:]), league_id=league.pk, season="2026")
    play(match, [Result.WHITE_WINS])
    sides = (SideData(1, (keys[0], keys[3])), SideData(2, (keys[1], keys[2], keys[4])))
    row = record_contest(ContestData(tables.pk, sides, factory.MONDAY), by=None)
    correct_contest(row.pk, sides=sides[::-1], played_on=PUBLISHED_ON, by=None, reason="appeal")
    return players


def viewer(kind: str) -> Client:
    client = Client()
    if kind == "officer":
        client.force_login(factory.make_arbiter())
    if kind == "member":
        client.post("/members/", {"pass_phrase": "open sesame"})
    return client


def named_in(text: str) -> list[str]:
    lower = text.lower()
    return [secret for secret in SECRETS if secret in lower]
