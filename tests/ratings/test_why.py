"""Why a rating changed: the page explains exactly what the ledger holds, for every system, to whoever may know."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Guardian, Player
from ratings.explain import EXPLAINERS, explainer
from ratings.explain.base import Case, Explainer, outcomes, period_lines
from ratings.explain.elo import k_of, table_row
from ratings.explain.federations import fide_k, rated_mates, us_chess_k
from ratings.explain.glicko import GlickoExplainer
from ratings.models import LedgerEntry, RatingList, RatingStep
from ratings.services.lists import NewRule, NewStart, set_rules
from ratings.systems import RatingSystem
from ratings.systems.elo import PRESETS
from ratings.systems.fide import limited_k
from ratings.systems.fide_tables import fide_expected
from ratings.views.why import case_of
from tests import factory
from tests.test_registries import WAYS, each_system
from tournaments.models import Game, Tournament
from tournaments.services.rating import bring_starting_ratings, change_player, rebuild_list
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db

RESULTS = [Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS, Result.WHITE_WINS]


def play_season(rating_list: RatingList, *, starts_known: bool = True) -> list[Player]:
    """Six players of every kind (child, newcomer, master, somebody who once was one) in two events."""
    births = (2012, None, 1990, 1980, 2009, None)
    players = factory.make_players(6)
    for player, born in zip(players, births, strict=True):
        Player.objects.filter(pk=player.pk).update(birth_year=born)
    day = date(2026, 1, 1)
    starts = [
        (0, 1500, 45, None),
        (2, 2410, 80, 2450),
        (3, 2150, 90, 2405),
        (4, 1725.5, 12, None),
        (5, 1400, 200, None),
    ]
    if starts_known:
        bring_starting_ratings(
            rating_list,
            [NewStart(players[at].pk, day, rating, games, peak) for at, rating, games, peak in starts],
            by=None,
        )
    for number, first in enumerate((date(2026, 1, 5), date(2026, 3, 2))):
        cup = factory.make_round_robin(players, name=f"Cup {number}", first_day=first)
        for row in range(1, 6):
            factory.play_round(cup, row, [RESULTS[(row + board + number) % 4] for board in range(3)])
    Tournament.objects.update(closed=True)
    return players


def rated_by(system: str, raw: dict[str, Any]) -> RatingList:
    """A season under that system."""
    factory.make_club()
    rating_list = factory.make_list()
    play_season(rating_list, starts_known=system != "kd")
    set_rules(rating_list, [NewRule(date(1900, 1, 1), system, raw)], by=None)
    rebuild_list(rating_list)
    rating_list.refresh_from_db()
    return rating_list


def cases(rating_list: RatingList) -> list[tuple[LedgerEntry, Player, Case]]:
    found = []
    entries = LedgerEntry.objects.filter(rating_list=rating_list, generation=rating_list.live_generation)
    for entry in entries.select_related("game__white", "game__black", "game__tournament", "game__pairing__round"):
        both = (entry.game.white, entry.game.black)
        for own, other in (both, both[::-1]):
            found.append((entry, own, case_of(rating_list, entry, own, other, names_other=True)))
    return found


def name_of(value: Any) -> str:
    return value.key if hasattr(value, "key") else "-".join(value.values())


@pytest.mark.parametrize(("system", "raw"), WAYS, ids=name_of)
def test_every_change_of_a_season_is_explained_as_it_was_computed(
    system: RatingSystem, raw: dict[str, str], client: Client
) -> None:
    rating_list = rated_by(system.key, raw)
    found = cases(rating_list)
    assert len(found) == 60
    for _entry, _player, case in found:
        lines = explainer(system.key).lines(case)
        assert lines
        assert all(line.label and (line.numbers or line.note) for line in lines)
        happened = [outcome for outcome in outcomes(case) if outcome.score == case.score]
        for outcome in happened:
            if outcome.after is not None:
                assert outcome.after == case.own.after, "the row alone gives the same rating again"
                assert case.own.after is not None
                assert any(line.numbers.endswith(figure(case.own.after)) for line in lines)
    entry, player, _case = found[-1]
    page = client.get(f"/ratings/standard/why/{entry.game_id}/{player.number}/")
    assert page.status_code == 200
    assert "Step by step" in page.text


def figure(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


@pytest.mark.parametrize("preset", [key for key, given in PRESETS.items() if "method" not in given])
def test_the_k_explained_is_the_k_that_was_used(preset: str) -> None:
    for _entry, _player, case in cases(rated_by("elo", {"preset": preset})):
        assert k_of(case).used == case.own.k


def test_the_k_explained_is_the_k_that_was_used_by_federations_too() -> None:
    for _entry, _player, case in cases(rated_by("elo", {"preset": "fide"})):
        if case.own.k is not None:
            assert limited_k(fide_k(case).k, rated_mates(case)) == case.own.k


def test_the_k_of_us_chess_is_found_again() -> None:
    for _entry, _player, case in cases(rated_by("elo", {"preset": "us-chess"})):
        if case.own.k is not None:
            assert us_chess_k(case) == case.own.k


@pytest.mark.parametrize("system", ["glicko", "glicko2"])
@pytest.mark.parametrize("raw", [{}, {"period": "month"}, {"period": "event"}], ids=["game", "month", "event"])
def test_the_deviation_afterwards_is_the_next_row_s(system: str, raw: dict[str, str]) -> None:
    explain = EXPLAINERS[system]
    assert isinstance(explain, GlickoExplainer)
    after: dict[int, tuple[float | None, Case]] = {}
    checked = 0
    for _entry, player, case in cases(rated_by(system, raw)):
        known = after.get(player.pk)
        new_period = case.by_game or (known is not None and known[1].own.deviation != case.own.deviation)
        if known is not None and new_period:
            assert known[0] == pytest.approx(case.own.deviation)
            checked += 1
        after[player.pk] = (explain.deviation_after(case), case)
    assert checked > 5


def test_c_makes_the_deviation_grow_before_a_game_and_is_explained() -> None:
    explain = EXPLAINERS["glicko"]
    assert isinstance(explain, GlickoExplainer)
    found = cases(rated_by("glicko", {"c": "20"}))
    player = found[0][1].pk
    own = [case for _entry, each, case in found if each.pk == player]
    assert explain.deviation_before(own[1], own[1].own) > (own[1].own.deviation or 0)
    assert explain.deviation_after(own[0]) == pytest.approx(own[1].own.deviation)


@each_system
def test_a_system_without_an_explainer_still_gets_a_decent_page(system: RatingSystem) -> None:
    rating_list = rated_by(system.key, {})
    explained = [Explainer().lines(case) for _entry, _player, case in cases(rating_list)]
    if system.key != "bradley-terry":
        assert all(explained)
    settings = system.read_settings({})
    assert Explainer().settings_in_words(settings, system.stored_settings(settings))
    assert explainer("no-such-system").__class__ is Explainer


@each_system
def test_every_system_has_its_own_words(system: RatingSystem) -> None:
    settings = system.read_settings({})
    words = explainer(system.key).settings_in_words(settings, system.stored_settings(settings))
    assert words
    assert all(sentence.endswith(".") for sentence in words)
    assert system.key in EXPLAINERS


# --- one page, read closely -------------------------------------------------------------------------------------
@pytest.fixture
def newcomer_beats_master(standard: RatingList) -> tuple[Player, Player, Game]:
    master, newcomer = factory.make_players(2)
    starts = [NewStart(master.pk, factory.MONDAY, 1881, 100), NewStart(newcomer.pk, factory.MONDAY, 1608, 16)]
    bring_starting_ratings(standard, starts, by=None)
    cup = factory.make_round_robin([master, newcomer])
    (game,) = factory.play_round(cup, 1, [Result.BLACK_WINS])
    return master, newcomer, game


def why(game: Game, player: Player) -> str:
    return f"/ratings/standard/why/{game.pk}/{player.number}/"


def test_the_page_puts_the_numbers_into_the_formula(
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
    ):
        assert part in text, part


def test_the_other_side_says_that_the_opponent_was_on_probation(
    client: Client, newcomer_beats_master: tuple[Player, Player, Game]
) -> None:
    master, _newcomer, game = newcomer_beats_master
    text = client.get(why(game, master)).text
    assert "The opponent was on probation, with 16 of 30 games" in text
    assert "Why did the rating change by −17?" in text


def test_what_leaves_the_table_on_a_phone_stands_under_the_names(
    client: Client, newcomer_beats_master: tuple[Player, Player, Game]
) -> None:
    _master, newcomer, game = newcomer_beats_master
    text = client.get(why(game, newcomer)).text
    assert '<span class="sub">K 40 · expected 0.172</span>' in text
    assert '<span class="sub">K 20 · expected 0.828</span>' in text


def test_each_change_of_the_players_page_leads_there(
    client: Client, newcomer_beats_master: tuple[Player, Player, Game]
) -> None:
    _master, newcomer, game = newcomer_beats_master
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
    assert "Bo Brandt" not in page.text
    assert "+33" not in page.text
    assert "1641" not in page.text
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


def test_an_event_is_summed_and_rounded_as_fide_does(client: Client) -> None:
    rating_list = rated_by("elo", {"preset": "fide"})
    step = RatingStep.objects.filter(kind="event", before__isnull=False).order_by("pk")[0]
    found = [(entry, case) for entry, player, case in cases(rating_list) if player.pk == step.player_id]
    entry, case = next((entry, case) for entry, case in found if case.moved and case.own.expected is not None)
    assert case.moved is not None
    shares = sum(mate.change for mate in case.mates if mate.change is not None)
    assert round(shares) == pytest.approx((case.moved.after or 0) - (case.moved.before or 0), abs=1)
    text = client.get(f"/ratings/standard/why/{entry.game_id}/{step.player.number}/").text
    assert "The sum of the event" in text
    assert "The sum is rounded once" in text


def test_a_running_event_says_that_it_runs() -> None:
    _entry, _player, case = cases(rated_by("elo", {"period": "event"}))[0]
    lines = period_lines(replace(case, moved=None))
    assert "It is still running" in lines[-1].note


def test_the_rule_of_the_events_first_day_is_the_one_explained(standard: RatingList) -> None:
    rules = [NewRule(date(1900, 1, 1), "elo", {}), NewRule(date(2026, 2, 1), "elo", {"preset": "uscf"})]
    set_rules(standard, rules, by=None)
    ada, bo = factory.make_players(2)
    early = factory.make_round_robin([ada, bo], first_day=date(2026, 1, 30))
    late = factory.make_round_robin([ada, bo], name="Late", first_day=date(2026, 2, 2))
    (game,) = Game.objects.filter(tournament=early)
    factory.record_result(game=game.pk, result=Result.WHITE_WINS, played_on=date(2026, 2, 20), by=None)
    factory.play_round(late, 1, [Result.WHITE_WINS])
    found = {case.played.event: case for _entry, player, case in cases(standard) if player == ada}
    assert found[early.pk].settings.preset == "club"
    assert found[late.pk].settings.preset == "uscf"
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


def test_a_table_row_has_its_bounds() -> None:
    assert table_row(lambda gap: fide_expected(gap, 0), 273) == (268, 278)
    assert table_row(lambda gap: fide_expected(gap, 0), 0) == (-3, 3)
    assert table_row(lambda gap: fide_expected(gap, 0), 750)[0] == 736


def test_the_400_point_rule_is_named(client: Client, standard: RatingList) -> None:
    set_rules(standard, [NewRule(date(1900, 1, 1), "elo", {"preset": "fide"})], by=None)
    ada, bo = factory.make_players(2)
    starts = [NewStart(ada.pk, factory.MONDAY, 2200, 100), NewStart(bo.pk, factory.MONDAY, 1500, 100)]
    bring_starting_ratings(standard, starts, by=None)
    cup = factory.make_round_robin([ada, bo])
    (game,) = factory.play_round(cup, 1, [Result.WHITE_WINS])
    text = client.get(why(game, ada)).text
    assert "a gap of 700 counts as 400 → E = 0.92" in text


def test_the_page_costs_the_same_few_queries_whatever_the_history(client: Client, standard: RatingList) -> None:
    counts = []
    for preset in ("club", "fide"):
        set_rules(standard, [NewRule(date(1900, 1, 1), "elo", {"preset": preset})], by=None)
        players = list(Player.objects.order_by("pk")) or play_season(standard)
        rebuild_list(standard)
        game = Game.objects.filter(white=players[2]).first()
        assert game is not None
        with CaptureQueriesContext(connection) as seen:
            assert client.get(why(game, players[2])).status_code == 200
        counts.append(len(seen))
        first_day = date(2026, 5, 4) + timedelta(days=50 * len(counts))
        cup = factory.make_round_robin(players, name=f"Third {preset}", first_day=first_day)
        factory.play_all(cup)
        with CaptureQueriesContext(connection) as seen:
            client.get(why(game, players[2]))
        assert len(seen) == counts[-1]
    assert max(counts) <= 8


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
