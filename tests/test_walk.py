"""The walk, end to end, by clicking: an arbiter signs in, makes a tournament and enters a result; a member reads it."""

import pytest

from players.models import Player
from ratings.models import PlayerRating, RatingList
from tests import factory
from tests.visitor import Visitor
from tournaments.models import Game
from tournaments.rated_games.services.rebuilding import check_list

pytestmark = pytest.mark.django_db


def arbiter_signed_in() -> Visitor:
    factory.make_arbiter()
    arbiter = Visitor()
    arbiter.open("/")
    arbiter.click("For arbiters")
    arbiter.send("Sign in", username="arbiter", password="pass-for-tests")
    assert arbiter.sees("No round waits for results.")
    return arbiter


def test_from_the_arbiters_keystroke_to_the_leaderboard(standard: RatingList) -> None:
    arbiter, member = arbiter_signed_in(), Visitor()
    member.open("/ratings/")
    assert member.sees("Nobody here.")

    arbiter.open("/admin/players/player/add/")
    for name, rating, games in (("Ada Alvarez", "1800", "120"), ("Bo Brandt", "1700", "60"), ("Cleo Costa", "", "")):
        arbiter.send("Save and add another", name=name, start_rating=rating, start_games=games)
        assert arbiter.sees(f"{name} (#{Player.objects.get(name=name).number}) is in the list.")

    arbiter.open("/admin/")
    arbiter.click("Open a tournament")
    arbiter.click("Empty form")
    arbiter.send("Save", name="Winter Cup", play="once", place="Hall 2")
    arbiter.click("Enter players")
    arbiter.send("Enter", names="Ada Alvarez\nBo Brandt\nCleo Costa")
    assert arbiter.sees("3 players are entered.")
    arbiter.send("Sort by rating")
    arbiter.click("Rounds")
    arbiter.send("Make all rounds", first_day="2026-01-05", days_between="7")
    assert arbiter.sees("3 rounds are made.")

    member.open("/")
    assert member.sees("its board is still to be played", "Winter Cup, Hall 2.")
    member.click("Winter Cup")
    assert member.sees("Ada Alvarez", "Cleo Costa")

    arbiter.click("Enter results")
    game = Game.objects.get(pairing__round__number=1)
    arbiter.send("Save results", **{"board-1": "0-1"})
    assert arbiter.sees("1 board is saved.", "1/1")

    member.open("/ratings/")
    assert member.sees("1 Ada Alvarez", "on probation", "1/30", "2 ranked players and 1 on probation.")
    winner = PlayerRating.objects.select_related("player").get(player=game.black)
    member.click(winner.player.name)
    assert member.sees("Winter Cup", "Rated games")
    member.click("Winter Cup")
    assert member.sees("leads", "Standings", "Crosstable")

    before = winner.rating
    arbiter.send("Save results", **{"board-1": "1/2"})
    assert arbiter.sees("0–1 → ½–½", "1 game is rated anew", "Nothing is changed yet.")
    arbiter.send("Correct", reason="appeal")
    assert arbiter.sees("Corrected, and every rating behind it")
    winner.refresh_from_db()
    assert winner.rating < before
    assert check_list(standard) == []


def test_the_double_round_robin_of_the_candidates_can_be_made_by_clicking(standard: RatingList) -> None:
    arbiter = arbiter_signed_in()
    factory.make_players(4)
    arbiter.click("Open a tournament")
    arbiter.click("Empty form")
    arbiter.send("Save", name="Double", play="twice", swap_last_two="on")
    arbiter.click("Enter players")
    arbiter.send("Enter", names="\n".join(factory.CAST[:4]))
    arbiter.send("Draw lots", seed="7")
    assert arbiter.sees("Lots are drawn with seed 7.")
    arbiter.click("Rounds")
    arbiter.send("Make all rounds", first_day="", days_between="7")
    assert arbiter.sees("6 rounds are made.")
    pairs = [
        {(game.white_id, game.black_id) for game in Game.objects.filter(pairing__round__number=number)}
        for number in range(1, 7)
    ]
    reverse = [{(black, white) for white, black in boards} for boards in pairs]
    assert [reverse[0], reverse[2], reverse[1]] == pairs[3:], "rounds 1, 3, 2, then 1, 2, 3 with colours reversed"
