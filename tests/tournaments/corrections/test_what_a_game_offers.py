"""What the page of a game at the desk offers, to those who correct the results of its event."""

import pytest

from ratings.models import RatingList
from tests import desk_scene, factory
from tournaments.models import Game, Tournament
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
SWAP, NOTE, REMOVE = "Exchange the colours", "Note on the result", "Remove the game"
UNDO, STONES = "Undo the last correction", "Stones and komi"


@pytest.mark.extended
def test_a_game_offers_what_fits_it_to_whoever_corrects_it(standard: RatingList) -> None:
    cup = factory.make_round_robin(factory.make_players(2))
    cup.officers.add(factory.make_arbiter("own"))
    game = Game.objects.get(tournament=cup)
    makers = factory.make_administrator, factory.make_rating_officer, factory.make_arbiter
    boss, rater, foreign = (desk_scene.client_of(make()) for make in makers)
    path = f"/admin/tournaments/game/{game.pk}/change/"

    def offered() -> set[str]:
        found = []
        for desk in (boss, rater, foreign):
            text = desk.get(path).text
            found.append({words for words in (SWAP, NOTE, REMOVE, UNDO, STONES) if words in text})
        assert found[0] == found[1]
        assert found[2] == set(), "others run the event"
        return found[0]

    assert offered() == {SWAP}
    record_result(game=game.pk, result=Result.WHITE_WINS, played_on=factory.MONDAY, by=None)
    assert offered() == {SWAP, NOTE, REMOVE}
    correct_result(game=game.pk, result=Result.DRAW, by=None, reason="appeal")
    assert offered() == {SWAP, NOTE, REMOVE, UNDO}
    Tournament.objects.filter(pk=cup.pk).update(game="go")
    assert offered() == {SWAP, NOTE, REMOVE, UNDO, STONES}
