"""The page on why a rating changed, read closely: what it says, to whom, and what it keeps from others."""

from dataclasses import replace
from datetime import date

import pytest
from django.test import Client

from players.models import Guardian, Player
from ratings.explain.base import Case, outcomes
from ratings.explain.elo import k_of
from ratings.explain.views import case_of
from ratings.lists.services import NewRule, NewStart, set_rules
from ratings.models import LedgerEntry, RatingList
from ratings.systems.base import PlayedGame, Side, order_key
from ratings.systems.elo import Elo
from ratings.systems.rules import DatedRule
from tests import factory
from tournaments.models import Game
from tournaments.rated_games.services.people import bring_starting_ratings, change_player
from tournaments.rated_games.services.rebuilding import rebuild_list
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def newcomer_beats_master(world: None) -> tuple[Player, Player, Game]:
    factory.make_club()
    standard = factory.make_list()
    master, newcomer = factory.make_players(2)
    starts = [NewStart(master.pk, factory.MONDAY, 1881, 100), NewStart(newcomer.pk, factory.MONDAY, 1608, 16)]
    bring_starting_ratings(standard, starts, by=None)
    cup = factory.make_round_robin([master, newcomer])
    (game,) = factory.play_round(cup, 1, [Result.BLACK_WINS])
    return master, newcomer, game


@pytest.fixture
def standard(newcomer_beats_master: tuple[Player, Player, Game]) -> RatingList:
    return RatingList.objects.get()


def why(game: Game, player: Player) -> str:
    return f"/ratings/standard/why/{game.pk}/{player.number}/"


def test_the_page_puts_the_numbers_into_the_formula_for_either_side(
    client: Client, newcomer_beats_master: tuple[Player, Player, Game]
) -> None:
    _master, newcomer, game = newcomer_beats_master
    text = client.get(why(game, newcomer)).text
    for part in (
        "Why did the rating change by +33?",
        "1608 − 1881 = −273",
        "10<sup>273 / 400</sup>) = 0.172",
        "K = 40",
        "newcomers, in their first 30 rated games, and juniors",
        "From game 31 on K is 20, and the same result would be worth +16.56.",
        "40 × (1 − 0.172) = +33.12",
        "1608 + 33.12 = 1641.12",
        "game 17 of 30 on probation",
        "The opponent’s rating was an established one.",
        # What leaves the table on a phone stands under the names.
        '<span class="sub">K 40 · expected 0.172</span>',
        '<span class="sub">K 20 · expected 0.828</span>',
    ):
        assert part in text, part
    master, _newcomer, game = newcomer_beats_master
    text = client.get(why(game, master)).text
    assert "The opponent was on probation, with 16 of 30 games" in text
    assert "Why did the rating change by −17?" in text
    assert f'<a href="{why(game, newcomer)}">+33' in client.get(newcomer.get_absolute_url()).text


def test_what_is_not_there_is_a_404(client: Client, newcomer_beats_master: tuple[Player, Player, Game]) -> None:
    master, _newcomer, game = newcomer_beats_master
    (stranger,) = factory.make_players(3)[2:]
    for address in (
        f"/ratings/none/why/{game.pk}/{master.number}/",
        f"/ratings/standard/why/{game.pk + 1}/{master.number}/",
        f"/ratings/standard/why/{game.pk}/{stranger.number}/",
        f"/ratings/standard/why/{game.pk}/999/",
        f"/ratings/standard/why/{10**30}/{master.number}/",
        f"/ratings/standard/why/{game.pk}/{10**30}/",
    ):
        assert client.get(address).status_code == 404


@pytest.mark.parametrize("level", ["initials", "members", "hidden"])
def test_without_the_name_there_is_no_such_page_and_no_k_of_the_opponent(
    client: Client, newcomer_beats_master: tuple[Player, Player, Game], level: str
) -> None:
    master, newcomer, game = newcomer_beats_master
    change_player(newcomer.pk, {"visibility": level}, by=None)
    assert client.get(why(game, newcomer)).status_code == 404
    page = client.get(why(game, master))
    rows = {row.record.player.pk: row for row in page.context["sides"].rows}
    assert [rows[newcomer.pk].get_cell(name) for name in ("k", "change")] == ["–", "–"]
    assert [rows[master.pk].get_cell(name) for name in ("k", "change")] == ["20", "−17"]
    for said in ("Bo Brandt", "+33", "1641"):
        assert said not in page.text
    client.force_login(factory.make_arbiter())
    assert client.get(why(game, newcomer)).status_code == 200
    assert "+33" in client.get(why(game, master)).text


def test_no_page_says_that_somebody_is_a_minor(
    client: Client, newcomer_beats_master: tuple[Player, Player, Game]
) -> None:
    master, _newcomer, game = newcomer_beats_master
    Guardian.objects.create(player=master, name="Gerda Guard", allows_name=True, told_on=factory.MONDAY)
    change_player(master.pk, {"birth_year": 2012, "visibility": "public"}, by=None)
    text = client.get(why(game, master)).text
    assert "K = 40" in text
    assert "newcomers, in their first 30 rated games, and juniors" in text
    assert "18th birthday" not in text


def test_a_private_list_is_explained_to_officers_only(
    client: Client, newcomer_beats_master: tuple[Player, Player, Game]
) -> None:
    _master, newcomer, game = newcomer_beats_master
    RatingList.objects.update(public=False)
    assert client.get(why(game, newcomer)).status_code == 404
    client.force_login(factory.make_arbiter())
    assert client.get(why(game, newcomer)).status_code == 200


def test_the_rule_of_the_events_first_day_is_the_one_explained(standard: RatingList) -> None:
    rules = [NewRule(date(1900, 1, 1), "elo", {}), NewRule(date(2026, 2, 1), "elo", {"preset": "uscf"})]
    set_rules(standard, rules, by=None)
    ada, bo = factory.make_players(2)
    early = factory.make_round_robin([ada, bo], first_day=date(2026, 1, 30))
    late = factory.make_round_robin([ada, bo], name="Late", first_day=date(2026, 2, 2))
    (game,) = Game.objects.filter(tournament=early)
    factory.record_result(game=game.pk, result=Result.WHITE_WINS, played_on=date(2026, 2, 20), by=None)
    factory.play_round(late, 1, [Result.WHITE_WINS])
    found = {}
    for entry in LedgerEntry.objects.filter(game__white__in=[ada, bo], generation=standard.live_generation):
        other = entry.game.black if entry.game.white == ada else entry.game.white
        found[entry.game.tournament_id] = case_of(standard, entry, ada, other, names_other=True)
    assert (found[early.pk].settings.preset, found[late.pk].settings.preset) == ("club", "uscf")
    assert all(k_of(case).used == case.own.k for case in found.values())


def test_importance_and_margin_stand_behind_k(
    client: Client, newcomer_beats_master: tuple[Player, Player, Game]
) -> None:
    _master, newcomer, game = newcomer_beats_master
    Game.objects.filter(pk=game.pk).update(importance=2.0, white_points=1, black_points=4)
    rating_list = RatingList.objects.get()
    set_rules(rating_list, [NewRule(date(1900, 1, 1), "elo", {"margin": True})], by=None)
    rebuild_list(rating_list)
    text = client.get(why(game, newcomer)).text
    assert "K = 40 × 4 = 160" in text
    assert "2 for the event’s importance and by 2 for a margin of 3" in text


@pytest.mark.parametrize(
    ("margin", "points", "parts"),
    [
        (
            {"margin": "log", "margin_unit": 100, "margin_cap": 3},
            (100, 400),
            (
                "The game ended 400–100.",
                "ln(1 + 300 / 100) / ln 2 → 2",
                "the factor is 1 up to a margin of 100 and 3 from 700 on",
                "K = 40 × 2 = 80",
                "Multiplied by 2 for a margin of 300.",
                "80 × (1 − 0.172) = +66.24",
            ),
        ),
        (
            {"margin": "log", "margin_unit": 100, "margin_cap": 3},
            (240, 260),
            ("The game ended 260–240.", "ln(1 + 20 / 100) / ln 2 → 1", "40 × (1 − 0.172) = +33.12"),
        ),
        (
            {"margin": "nfl"},
            (3, 24),
            ("ln(21 + 1) × 2.2 / (0.001 × (1608 − 1881) + 2.2) = 3.53", "less for a favourite’s win"),
        ),
        (
            {"margin": "capped", "margin_unit": 100, "margin_cap": 4},
            (100, 400),
            (
                "S = ½ + ½ × 300 / 400 → 0.875",
                "level is ½, a lead of 400 is 1",
                "40 × (0.875 − 0.172) = +28.12",
                "0.875 was scored and 0.17 expected",
            ),
        ),
        ({"margin": "log"}, (2, 2), ("Level points: the factor is 1.", "40 × (1 − 0.172) = +33.12")),
        ({"margin": "log"}, (None, None), ("40 × (1 − 0.172) = +33.12",)),
    ],
)
def test_the_points_stand_in_the_computation(
    client: Client,
    newcomer_beats_master: tuple[Player, Player, Game],
    standard: RatingList,
    margin: dict[str, object],
    points: tuple[int | None, int | None],
    parts: tuple[str, ...],
) -> None:
    """Black won, so the page is read from Black's side; the row of the ledger has the same figures."""
    _master, newcomer, game = newcomer_beats_master
    Game.objects.filter(pk=game.pk).update(white_points=points[0], black_points=points[1])
    set_rules(standard, [NewRule(date(1900, 1, 1), "elo", margin)], by=None)
    rebuild_list(standard)
    text = client.get(why(game, newcomer)).text
    for part in parts:
        assert part in text, part
    assert ("The game ended" in text) == (points[0] is not None)


@pytest.mark.parametrize("margin", [{"margin": "capped", "margin_cap": 20}, {"margin": "share"}])
def test_another_result_has_the_points_the_other_way_round(margin: dict[str, object]) -> None:
    """Where it was drawn or would be, none: then the result counts alone."""
    elo = Elo()
    settings = elo.read_settings({"preset": "constant", "k": 20} | margin)
    played = PlayedGame(1, 1, 2, 1.0, order_key(factory.MONDAY, 1), 1, margin=10, scores=(15, 5))
    side = Side(1500.0, 40, 1500.0, expected=0.5, k=20.0)
    case = Case(side, side, is_white=True, played=played, rule=DatedRule(factory.MONDAY, elo, settings), probation=30)
    assert [each.change for each in outcomes(case)] == [5.0, 0.0, -5.0]
    drawn = replace(case, played=played._replace(score=0.5, margin=0, scores=(4, 4)))
    assert [each.change for each in outcomes(drawn)] == [10.0, 0.0, -10.0]


def test_the_400_point_rule_is_named(client: Client, standard: RatingList) -> None:
    set_rules(standard, [NewRule(date(1900, 1, 1), "elo", {"preset": "fide"})], by=None)
    ada, bo = factory.make_players(2)
    starts = [NewStart(ada.pk, factory.MONDAY, 2200, 100), NewStart(bo.pk, factory.MONDAY, 1500, 100)]
    bring_starting_ratings(standard, starts, by=None)
    cup = factory.make_round_robin([ada, bo])
    (game,) = factory.play_round(cup, 1, [Result.WHITE_WINS])
    text = client.get(why(game, ada)).text
    assert "a gap of 700 counts as 400 → E = 0.92" in text


def test_the_model_of_a_list_s_probation_reaches_the_players_page(client: Client, standard: RatingList) -> None:
    ada, bo = factory.make_players(2)
    RatingList.objects.update(reentry_years=1, reentry_games=10)
    standard.refresh_from_db()
    bring_starting_ratings(standard, [NewStart(ada.pk, date(2023, 1, 1), 1700, 60)], by=None)
    factory.play_all(factory.make_round_robin([ada, bo], name="Long ago", first_day=date(2024, 1, 1)))
    factory.play_all(factory.make_round_robin([ada, bo], first_day=date(2026, 1, 5)))
    text = client.get(ada.get_absolute_url()).text
    assert "On probation again after a long absence." in text
    assert "more than a year is on probation for 10 games" in text
    assert "After 9 more rated games the mark goes" in text
    assert "K is 20 and stays so." in text
    newcomer = client.get(bo.get_absolute_url()).text
    assert "K is 40 now and 20 then" in newcomer
    change_player(bo.pk, {"active": False}, by=None)
    assert "Inactive: the rating stays as it is" in client.get(bo.get_absolute_url()).text


def test_who_is_back_after_a_long_absence_is_told_apart_from_a_newcomer(client: Client, standard: RatingList) -> None:
    ada, bo = factory.make_players(2)
    RatingList.objects.update(reentry_years=1, reentry_games=10)
    bring_starting_ratings(standard, [NewStart(ada.pk, date(2023, 1, 1), 1700, 60)], by=None)
    factory.play_all(factory.make_round_robin([ada, bo], name="Long ago", first_day=date(2024, 1, 1)))
    (game,) = factory.play_round(factory.make_round_robin([ada, bo]), 1, [Result.DRAW])
    own, opponent = "Back after a long absence: on probation again, 0 of 10", "The opponent was on probation again"
    for player, seen in ((ada, (True, False)), (bo, (False, True))):
        page = client.get(why(game, player)).text
        assert (own in page, opponent in page) == seen
        assert "rule since" not in page
    set_rules(
        standard, [NewRule(date(1900, 1, 1), "elo", {}), NewRule(date(2026, 1, 1), "elo", {"preset": "uscf"})], by=None
    )
    rebuild_list(standard)
    assert "rule since 1 Jan 2026" in client.get(why(game, ada)).text
