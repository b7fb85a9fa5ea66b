"""Strengths of a stage's players: which list, which games, what somebody begins with, in six queries at most."""

from datetime import date, timedelta
from functools import partial

import numpy
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import Player
from ratings.lists.services import NewStart, create_list
from ratings.models import LedgerEntry, PlayerRating, RatingList
from tests import factory
from tests.tournaments.corrections.correction_cases import stream
from tournaments.forecast.posterior import Plan
from tournaments.forecasts.evidence import COMMON, NEW, SETTLED
from tournaments.forecasts.selectors import strengths
from tournaments.forecasts.selectors.strengths import StageStrengths, strengths_of
from tournaments.loading.services.streams import load_games
from tournaments.models import Game, Stage, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.standings.points import Result

SPRING = date(2026, 6, 1)


@pytest.fixture(autouse=True)
def _in_spring(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games of the cast lie in the window for good."""
    monkeypatch.setattr(strengths.timezone, "localdate", lambda: SPRING)


@pytest.fixture
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chains too short for figures, where what they are drawn from is the matter."""
    monkeypatch.setattr(strengths, "Plan", partial(Plan, warm_up=5))


def drawn(event: Tournament, *, draws: int = 40, seed: int = 1) -> StageStrengths:
    stage = Stage.objects.select_related("tournament").get(tournament=event)
    return strengths_of(stage, draws=draws, rng=numpy.random.default_rng(seed))


def ledger(rating_list: RatingList) -> list[LedgerEntry]:
    return list(LedgerEntry.objects.filter(rating_list=rating_list).order_by("order"))


def before(rows: list[LedgerEntry], player: int) -> float | None:
    """His rating before the first of those games."""
    for row in rows:
        if row.white_player == player:
            return row.white_before
        if row.black_player == player:
            return row.black_before
    return None


# --- a list on Elo's scale -----------------------------------------------------------------------------------------
@pytest.mark.extended
@pytest.mark.usefixtures("_short")
def test_all_rated_games_count_from_where_the_list_had_everybody(season: Tournament, standard: RatingList) -> None:
    rows, found = ledger(standard), drawn(season)
    assert found.rating_list == standard
    assert found.sampler.games == Game.objects.count() == 15
    assert {each.number: each.games for each in found.people} == dict.fromkeys(range(1, 7), 5)
    assert found.strengths.players == (1, 2, 3, 4, 5, 6)
    assert found.strengths.draws.shape == (40, 6)
    for each in found.people:
        assert each.prior.mean == before(rows, each.player)
    settled, newcomer = found.people[:2]
    assert (settled.prior.mean, settled.prior.deviation) == (1850.0, SETTLED)
    assert newcomer.prior.deviation == pytest.approx(NEW)
    now = dict(PlayerRating.objects.filter(rating_list=standard).values_list("player", "rating"))
    assert {each.player: each.rating for each in found.people} == now, "the rating beside it is the present one"
    alone = found.by_rating()
    assert alone.draws.tolist() == [[now[each.player] for each in found.people]]
    assert (alone.players, alone.rate) == (found.strengths.players, found.strengths.rate)


@pytest.mark.extended
def test_who_scores_more_against_the_same_people_is_taken_for_stronger(standard: RatingList) -> None:
    cup = factory.make_round_robin(factory.make_players(4))
    for game in Game.objects.select_related("pairing__round").order_by("pairing__round__number", "pairing__board"):
        numbers = dict(cup.entries.values_list("player", "number"))
        result = Result.WHITE_WINS if numbers[game.white_id] < numbers[game.black_id] else Result.BLACK_WINS
        factory.record_result(game=game.pk, result=result, played_on=factory.MONDAY, by=None)
    means = [each.mean for each in drawn(cup).people]
    assert means == sorted(means, reverse=True)


@pytest.mark.usefixtures("_short")
def test_games_against_outsiders_count_only_where_a_rating_is(season: Tournament, evenings: Tournament) -> None:
    """A cup of two of the club: their evenings with the others are evidence too."""
    pair = list(Player.objects.filter(name__in=["Ada Alvarez", "Bo Brandt"]).order_by("number"))
    small, keys = factory.make_round_robin(pair, name="Match", first_day=SPRING), {each.pk for each in pair}
    games = [{game.white_id, game.black_id} for game in Game.objects.exclude(result="")]
    found = drawn(small)
    assert found.sampler.games == len([players for players in games if keys & players]) > 10
    assert found.people[0].deviation < found.people[0].prior.deviation
    RatingList.objects.update(public=False)
    check_level(drawn(small), games.count(keys))
    others = Game.objects.filter(white__in=keys, black__in=keys).exclude(result="").values_list("pk", flat=True)[:2]
    for key, change in zip(list(others), ({"pool": "rapid"}, {"result": Result.WHITE_FORFEITS}), strict=True):
        Game.objects.filter(pk=key).update(**change)
    check_level(drawn(small), games.count(keys) - 2)


def test_without_a_game_the_prior_stands(standard: RatingList) -> None:
    found = drawn(factory.make_round_robin(factory.make_players(3)), draws=2000)
    for each in found.people:
        assert (each.rating, each.games, each.prior) == (None, 0, (1500.0, NEW))
        assert each.mean == pytest.approx(1500.0, abs=50)
        assert each.deviation == pytest.approx(NEW, abs=30)


@pytest.mark.extended
@pytest.mark.usefixtures("_short")
def test_what_lies_before_the_window_or_too_far_back_is_in_the_prior_alone(
    season: Tournament, standard: RatingList, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = ledger(standard)
    border = factory.MONDAY + timedelta(days=14)  # the third round's day
    today = border + timedelta(days=round(365.25 * strengths.YEARS))
    with monkeypatch.context() as patch:
        patch.setattr(strengths.timezone, "localdate", lambda: today)
        found, inside = drawn(season), rows[6:]
    assert found.sampler.since == border
    assert found.sampler.games == len(inside) == 9
    for each in found.people:
        assert each.prior.mean == before(inside, each.player) != before(rows, each.player)
    monkeypatch.setattr(strengths, "MOST_GAMES", 3)
    found = drawn(season)
    assert found.sampler.games == 3, "of too many games the latest"
    assert [each.prior.mean for each in found.people] == [before(rows[-3:], each.player) for each in found.people]


@pytest.mark.extended
@pytest.mark.usefixtures("_short")
def test_a_list_with_deviations_lends_them(club: object) -> None:
    create_list(name="Glicko", slug="glicko", pool="standard", by=None, system="glicko")
    cup = factory.make_round_robin(factory.make_players(4))
    factory.play_all(cup)
    again = factory.make_round_robin(list(Player.objects.order_by("number")), name="Again", first_day=SPRING)
    factory.play_round(again, 1, [Result.DRAW] * 2)
    assert [each.prior.deviation for each in drawn(again).people] == [350.0] * 4
    # With no game in the window the present deviation stands.
    LedgerEntry.objects.all().delete()
    now = PlayerRating.objects.get(player=drawn(again).people[0].player)
    assert drawn(again).people[0].prior.deviation == max(now.deviation or 0.0, SETTLED) < 350


@pytest.mark.usefixtures("_short")
def test_games_of_a_running_event_count_before_the_list_rates_them(club: object) -> None:
    """FIDE's method waits for the end of the event, and first wants games to rate a newcomer by."""
    fide = create_list(name="Fide", slug="fide", pool="standard", by=None, system="elo", settings={"preset": "fide"})
    players = factory.make_players(4)
    starts = [NewStart(each.pk, date(2025, 12, 1), 1700.0, 40) for each in players[:3]]
    bring_starting_ratings(fide, starts, by=None)
    cup = factory.make_round_robin(players)
    factory.play_round(cup, 1, [Result.WHITE_WINS] * 2)
    assert LedgerEntry.objects.filter(pending=True).exists()
    found = drawn(cup)
    assert [each.prior for each in found.people] == [(1700.0, SETTLED)] * 3 + [(COMMON, NEW)]
    assert [each.rating for each in found.people] == [1700.0] * 3 + [None]
    assert found.sampler.games == 2
    assert found.by_rating().draws.tolist() == [[1700.0] * 3 + [COMMON]]


@pytest.mark.extended
@pytest.mark.usefixtures("_short")
def test_a_fit_of_all_games_is_no_prior_for_them(club: object) -> None:
    """Bradley–Terry's present ratings know every game: whoever has one begins like a newcomer."""
    create_list(name="Fit", slug="fit", pool="standard", by=None, system="bradley-terry")
    cup = factory.make_round_robin(factory.make_players(4))
    factory.play_all(cup, Result.WHITE_WINS)
    found = drawn(cup)
    assert found.rating_list is not None
    assert {each.prior for each in found.people} == {(COMMON, NEW)}
    assert found.sampler.games == 6
    assert all(each.rating is not None for each in found.people)


@pytest.mark.extended
@pytest.mark.usefixtures("_short")
def test_the_draws_rate_is_the_lists(season: Tournament, standard: RatingList) -> None:
    drawish = drawn(season).sampler.rate
    Game.objects.update(result=Result.WHITE_WINS)
    LedgerEntry.objects.update(score=1.0)
    assert drawn(season).sampler.rate < drawish


# --- nothing on Elo's scale ------------------------------------------------------------------------------------------
def check_level(found: StageStrengths, games: int) -> None:
    assert found.rating_list is None
    assert found.sampler.games == games
    assert {each.rating for each in found.people} == {None}
    assert {each.prior for each in found.people} == {(COMMON, NEW)}
    assert len({*found.by_rating().draws[0].tolist()}) == 1


@pytest.mark.extended
@pytest.mark.usefixtures("_short")
def test_an_event_begins_level_where_no_list_of_its_pool_may_be_read_for_it(season: Tournament) -> None:
    RatingList.objects.update(public=False)
    check_level(drawn(season), 15)
    entries = list(season.entries.select_related("player"))
    assert set(strengths.priors_now(factory.stage_of(season), entries)[0].values()) == {(COMMON, NEW)}
    RatingList.objects.update(public=True)
    Tournament.objects.update(rated=False)
    check_level(drawn(season), 15)
    old, forfeited = Game.objects.order_by("pk")[:2]
    Game.objects.filter(pk=old.pk).update(played_on=SPRING - timedelta(days=366 * strengths.YEARS))
    Game.objects.filter(pk=forfeited.pk).update(result=Result.WHITE_FORFEITS)
    check_level(drawn(season), 13)
    Tournament.objects.update(rated=True, pool="blitz")
    check_level(drawn(season), 0)
    Stage.objects.update(pool="standard")
    assert drawn(season).rating_list is not None


@pytest.mark.extended
@pytest.mark.parametrize(
    ("system", "settings"),
    [("league", {}), ("r2", {}), ("solo-zerg", {}), ("elo", {"preset": "constant", "scale": 800})],
)
def test_points_of_another_scale_are_not_taken_for_elos(club: object, system: str, settings: dict[str, object]) -> None:
    own = create_list(name="Own", slug="own", pool="standard", by=None, system=system, settings=settings)
    people = factory.make_players(4)
    cup = factory.make_round_robin(people)
    factory.play_all(cup, Result.WHITE_WINS)
    check_level(drawn(cup), 6)
    keys, rng = [player.pk for player in people], numpy.random.default_rng(1)
    alone = strengths.strengths_in(own, keys, draws=40, rng=rng, tell=lambda done, of: None)
    assert alone.draws.mean() == pytest.approx(COMMON, abs=150), "nobody brings the list's points"


@pytest.mark.extended
@pytest.mark.usefixtures("_short")
def test_who_is_not_numbered_is_not_in_it(season: Tournament) -> None:
    season.entries.filter(number=6).update(number=None)
    assert drawn(season).strengths.players == (1, 2, 3, 4, 5)
    season.entries.update(number=None)
    with pytest.raises(ValueError, match="nobody"):
        drawn(season)


# --- how it is drawn -------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_the_same_seed_draw_the_same_and_the_sampler_says_how_it_went(season: Tournament) -> None:
    one, same, other = drawn(season), drawn(season), drawn(season, seed=2)
    assert (one.strengths.draws == same.strengths.draws).all()
    assert (one.strengths.draws != other.strengths.draws).any()
    heard: list[tuple[int, int]] = []
    stage = factory.stage_of(season)
    rng = numpy.random.default_rng(1)
    report = strengths_of(stage, draws=1000, rng=rng, tell=lambda done, of: heard.append((done, of))).sampler
    assert (report.chains, report.draws) == (8, 1000)
    assert report.rhat < 1.1
    assert report.effective > 100
    assert 0.2 < report.accepted < 0.7
    assert heard[-1][0] == heard[-1][1]


@pytest.mark.extended
@pytest.mark.usefixtures("_short")
def test_queries_do_not_grow_with_the_field(standard: RatingList) -> None:
    counts, everybody = [], factory.make_players(9)
    for players, name in ((everybody[:4], "Small"), (everybody, "Large")):
        lines = [f"2026-02-0{day},{players[0].name},{other.name},1" for day in (1, 2) for other in players[1:]]
        load_games(stream(*lines), by=None, event_name=f"Evenings {name}", today=factory.MONDAY)
        stage = factory.stage_of(factory.make_round_robin(players, name=name))
        with CaptureQueriesContext(connection) as seen:
            strengths_of(stage, draws=40, rng=numpy.random.default_rng(1))
        counts.append(len(seen))
    assert counts[0] == counts[1] <= 6
