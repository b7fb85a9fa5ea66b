"""Why a rating changed: the explanation holds exactly what the ledger holds, for every system."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import NamedTuple

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Player
from ratings.explain import EXPLAINERS, explainer
from ratings.explain.base import Case, Explainer, outcomes, period_lines
from ratings.explain.elo import k_of, table_row
from ratings.explain.federations import fide_k, rated_mates
from ratings.explain.glicko import GlickoExplainer
from ratings.explain.views import case_of
from ratings.lists.services import NewRule, NewStart, set_rules
from ratings.models import LedgerEntry, RatingList, RatingStep, StartingRating
from ratings.systems import RatingSystem
from ratings.systems.elo import PRESETS
from ratings.systems.fide import limited_k
from ratings.systems.fide_tables import fide_expected
from ratings.systems.us_chess import standard_k
from tests import factory
from tests.test_registries import each_system, each_way
from tournaments.models import Game, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.rated_games.services.rebuilding import rebuild_list
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db

RESULTS = [Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS, Result.WHITE_WINS]


class Explained(NamedTuple):
    """Whose change of which game, and what explains it."""

    game: int
    player: Player
    case: Case


class Season(NamedTuple):
    """Every change of the season under a system, and the page of the last one."""

    changes: list[Explained]
    page: str


Rated = Callable[[str, dict[str, str]], Season]


@pytest.fixture(scope="module")
def season(world: None) -> list[Player]:
    """Six players of every kind (child, newcomer, master, somebody who once was one) in two events, of three rounds
    and of two."""
    factory.make_club()
    rating_list = factory.make_list()
    births = (2012, None, 1990, 1980, 2009, None)
    players = factory.make_players(6)
    for player, born in zip(players, births, strict=True):
        Player.objects.filter(pk=player.pk).update(birth_year=born)
    day = date(2026, 1, 1)
    starts = (
        (0, 1500, 45, None), (2, 2410, 80, 2450), (3, 2150, 90, 2405), (4, 1725.5, 12, None),
        (5, 1400, 200, None),
    )  # fmt: skip
    bring_starting_ratings(
        rating_list, [NewStart(players[at].pk, day, rating, games, peak) for at, rating, games, peak in starts], by=None
    )
    for number, first in enumerate((date(2026, 1, 5), date(2026, 3, 2))):
        cup = factory.make_round_robin(players, name=f"Cup {number}", first_day=first)
        for row in range(1, 4 if number == 0 else 3):
            factory.play_round(cup, row, [RESULTS[(row + board + number) % 4] for board in range(3)])
    Tournament.objects.update(closed=True)
    return players


def rate(system: str, raw: dict[str, str]) -> RatingList:
    """The season under that system."""
    rating_list = RatingList.objects.get()
    if system == "kd":
        StartingRating.objects.all().delete()
    set_rules(rating_list, [NewRule(date(1900, 1, 1), system, raw)], by=None)
    rebuild_list(rating_list)
    return RatingList.objects.prefetch_related("rules").get()


def cases(rating_list: RatingList) -> list[Explained]:
    found = []
    entries = LedgerEntry.objects.filter(rating_list=rating_list, generation=rating_list.live_generation)
    for entry in entries.select_related("game__white", "game__black", "game__tournament", "game__pairing__round"):
        entry.rating_list, both = rating_list, (entry.game.white, entry.game.black)
        for own, other in (both, both[::-1]):
            case = case_of(rating_list, entry, own, other, names_other=True)
            found.append(Explained(entry.game_id, own, case))
    return found


@pytest.fixture(scope="module")
def rated(season: list[Player]) -> Rated:
    """The season under a system; each system rates it once for all tests."""
    known: dict[str, Season] = {}

    def of(system: str, raw: dict[str, str]) -> Season:
        name = f"{system} {raw}"
        if name not in known:
            with transaction.atomic():
                changes = cases(rate(system, raw))
                known[name] = Season(changes, Client().get(why(*changes[-1][:2])).text)
                transaction.set_rollback(True)
        return known[name]

    return of


def why(game: int, player: Player) -> str:
    return f"/ratings/standard/why/{game}/{player.number}/"


@each_way
def test_every_change_of_a_season_is_explained_as_it_was_computed(
    system: RatingSystem, raw: dict[str, str], rated: Rated
) -> None:
    changes, page = rated(system.key, raw)
    assert len(changes) == 2 * (9 + 6)
    for _game, _player, case in changes:
        lines = explainer(system.key).lines(case)
        assert lines
        assert case.by_game or case.own in case.mates, "the game is one of its period"
        assert all(line.label and (line.numbers or line.note) for line in lines)
        happened = [outcome for outcome in outcomes(case) if outcome.score == case.score]
        for outcome in happened:
            if outcome.after is not None:
                assert outcome.after == case.own.after, "the row alone gives the same rating again"
                assert case.own.after is not None
                figure = f"{case.own.after:.2f}".rstrip("0").rstrip(".")
                assert any(line.numbers.endswith(figure) for line in lines)
    assert "Step by step" in page


def test_the_k_explained_is_the_k_that_was_used(rated: Rated) -> None:
    for preset in [key for key, given in PRESETS.items() if "method" not in given]:
        for _game, _player, case in rated("elo", {"preset": preset}).changes:
            assert k_of(case).used == case.own.k, preset
    for _game, _player, case in rated("elo", {"preset": "fide"}).changes:
        assert case.own.k in (None, limited_k(fide_k(case).k, rated_mates(case)))
    for _game, _player, case in rated("elo", {"preset": "us-chess"}).changes:
        assert case.own.k in (None, standard_k(case.own.before or 0.0, case.own.games, len(case.mates)))


@pytest.mark.parametrize("system", ["glicko", "glicko2"])
@pytest.mark.parametrize("raw", [{}, {"period": "month"}, {"period": "event"}], ids=["game", "month", "event"])
def test_the_deviation_afterwards_is_the_next_row_s(system: str, raw: dict[str, str], rated: Rated) -> None:
    explain = EXPLAINERS[system]
    assert isinstance(explain, GlickoExplainer)
    after: dict[int, tuple[float | None, Case]] = {}
    checked = 0
    for _game, player, case in rated(system, raw).changes:
        known = after.get(player.pk)
        new_period = case.by_game or (known is not None and known[1].own.deviation != case.own.deviation)
        if known is not None and new_period:
            assert known[0] == pytest.approx(case.own.deviation)
            checked += 1
        after[player.pk] = (explain.deviation_after(case), case)
    assert checked > 5


def test_c_makes_the_deviation_grow_before_a_game_and_is_explained(rated: Rated) -> None:
    explain = EXPLAINERS["glicko"]
    assert isinstance(explain, GlickoExplainer)
    found = rated("glicko", {"c": "20"}).changes
    player = found[0][1].pk
    own = [case for _game, each, case in found if each.pk == player]
    assert explain.deviation_before(own[1], own[1].own) > (own[1].own.deviation or 0)
    assert explain.deviation_after(own[0]) == pytest.approx(own[1].own.deviation)


@each_system
def test_every_system_has_its_own_words_and_without_an_explainer_still_a_decent_page(
    system: RatingSystem, rated: Rated
) -> None:
    explained = [Explainer().lines(case) for _game, _player, case in rated(system.key, {}).changes]
    if system.key != "bradley-terry":
        assert all(explained)
    settings = system.read_settings({})
    assert Explainer().settings_in_words(settings, system.stored_settings(settings))
    assert explainer("no-such-system").__class__ is Explainer
    words = explainer(system.key).settings_in_words(settings, system.stored_settings(settings))
    assert words
    assert all(sentence.endswith(".") for sentence in words)
    assert system.key in EXPLAINERS


def test_an_event_is_summed_and_rounded_as_fide_does(client: Client, season: list[Player]) -> None:
    found = cases(rate("elo", {"preset": "fide"}))
    step = RatingStep.objects.filter(kind="event", before__isnull=False).order_by("pk")[0]
    own = [each for each in found if each.player.pk == step.player_id]
    game, player, case = next(each for each in own if each.case.moved and each.case.own.expected is not None)
    assert case.moved is not None
    shares = sum(mate.change for mate in case.mates if mate.change is not None)
    assert round(shares) == pytest.approx((case.moved.after or 0) - (case.moved.before or 0), abs=1)
    text = client.get(why(game, player)).text
    assert "The sum of the event" in text
    assert "The sum is rounded once" in text


def test_a_running_event_says_that_it_runs_and_a_table_row_has_its_bounds(rated: Rated) -> None:
    case = rated("elo", {"period": "event"}).changes[0].case
    lines = period_lines(replace(case, moved=None))
    assert "It is still running" in lines[-1].note
    assert table_row(lambda gap: fide_expected(gap, 0), 273) == (268, 278)
    assert table_row(lambda gap: fide_expected(gap, 0), 0) == (-3, 3)
    assert table_row(lambda gap: fide_expected(gap, 0), 750)[0] == 736


@pytest.mark.extended
def test_the_page_costs_the_same_few_queries_whatever_the_history(client: Client, season: list[Player]) -> None:
    counts = []
    for preset in ("club", "fide"):
        rate("elo", {"preset": preset})
        game = Game.objects.filter(white=season[2]).exclude(result="").first()
        assert game is not None
        page = why(game.pk, season[2])
        with CaptureQueriesContext(connection) as seen:
            assert client.get(page).status_code == 200
        counts.append(len(seen))
        first_day = date(2026, 5, 4) + timedelta(days=50 * len(counts))
        cup = factory.make_round_robin(season, name=f"Third {preset}", first_day=first_day)
        factory.play_round(cup, 1, [Result.DRAW] * 3)
        with CaptureQueriesContext(connection) as seen:
            client.get(page)
        assert len(seen) == counts[-1]
    assert max(counts) <= 7, counts


def test_a_scale_of_small_numbers_is_explained_with_a_decimal(client: Client, season: list[Player]) -> None:
    game, player, case = max(cases(rate("trueskill", {})), key=lambda each: each.case.own.change or 0.0)
    change = case.own.change or 0.0
    assert change > 0.1
    assert f"change by +{change:.1f}?" in client.get(why(game, player)).text


def test_figures_that_would_contradict_each_other_have_a_decimal(client: Client, season: list[Player]) -> None:
    """K 10, and 0.56 of a point expected by the better one. Whole numbers would say: by −1, from 2806 to 2806."""
    pair = [season[1], season[5]]
    ratings = (2806.4, 2765.0)
    starts = [
        NewStart(player.pk, date(2026, 5, 1), rating, 100, rating) for player, rating in zip(pair, ratings, strict=True)
    ]
    bring_starting_ratings(RatingList.objects.get(), starts, by=None)
    match = factory.make_round_robin(pair, name="Match", first_day=date(2026, 5, 4))
    factory.play_round(match, 1, [Result.DRAW])
    rate("elo", {})
    game = Game.objects.get(tournament=match)
    better, other = (" ".join(client.get(why(game.pk, player)).text.split()) for player in pair)
    for shown in ("change by −0.6?", '<span class="rating">2806.4</span>', '<span class="rating">2805.8</span>'):
        assert shown in better
    for shown in ("change by +1?", '<span class="rating">2765</span>', '<span class="rating">2766</span>'):
        assert shown in other
