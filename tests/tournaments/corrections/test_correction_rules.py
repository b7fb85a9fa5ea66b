"""Every correction's page says what the format's rules make of it."""

import pytest
from django.test import Client

from ratings.models import RatingList
from tests import factory
from tests.tournaments.event_pages import page_cases
from tournaments.corrections.admin.corrections import rules_for
from tournaments.free_play.services import record_free_game
from tournaments.models import Game, Tournament
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
SAID = {
    "dutch": "not paired again",
    "keizer": "worked out anew from the first round",
    "round-robin": "All rounds were known",
    "knockout": "follows or stays",
    "ladder": "the places",
    "free": "nothing was paired",
}


def played(system: str) -> Tournament:
    players = factory.make_players(4)
    if system == "round-robin":
        event = factory.make_round_robin(players)
        factory.play_round(event, 1, [Result.DRAW, Result.DRAW])
        return event
    if system == "knockout":
        event = factory.make_knockout(players)
        factory.play_match(factory.match_of(event, 1, 1), Result.WHITE_WINS)
        return event
    event = page_cases.make_event([] if system == "free" else players, system)
    if system in ("ladder", "free"):
        record_free_game(event, players[1], players[0], Result.WHITE_WINS, factory.MONDAY, by=None)
        return event
    pair_next_round(page_cases.first_stage(event), by=None, day=factory.MONDAY, publish=True)
    page_cases.play_open_round(event, Result.DRAW, Result.DRAW)
    return event


@pytest.mark.extended
@pytest.mark.parametrize("system", SAID)
def test_the_preview_of_a_correction_tells_the_rule_of_the_format(standard: RatingList, system: str) -> None:
    event = played(system)
    game = Game.objects.filter(tournament=event).exclude(result="").order_by("pk")[0]
    client = Client()
    client.force_login(factory.make_arbiter())
    page = client.get(f"/admin/tournaments/game/{game.pk}/remove/").text
    assert SAID[system] in " ".join(page.split())
    assert not [other for key, other in SAID.items() if key != system and other in page]


def test_boards_of_one_format_are_told_its_rule_once(standard: RatingList) -> None:
    event = played("round-robin")
    assert len(rules_for(Game.objects.filter(tournament=event).select_related("pairing__stage__tournament"))) == 1
