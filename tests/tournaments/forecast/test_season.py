"""The rest of a season, played out: planned boards by hand, habits read off games, what a score counts."""

import json
from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import Any

import numpy
import pytest

from benchmarks.season import Club, club_of
from ratings.systems import rating_system
from ratings.systems.base import PlayedGame, PlayerState, order_key
from ratings.systems.probation import Probation
from ratings.systems.replay import DatedRule, DatedRules
from tests import ROOT
from tournaments.forecast.outlook import Strengths
from tournaments.forecast.season import Calendar, Planned, Season, SeasonOutlook, places_of, play_season
from tournaments.forecast.season_habits import YEAR, Habits, _log_evidence, chances_on, habits_of
from tournaments.forecast.season_scores import Came, SeasonLine, crps_of, lines_of, score_of, within_interval

DOCUMENT = ROOT / "docs" / "algorithms" / "forecast-season.json"
TODAY = date(2026, 10, 14).toordinal()
UNTIL = date(2026, 12, 31).toordinal()


def rng(seed: int = 1) -> numpy.random.Generator:
    return numpy.random.Generator(numpy.random.PCG64(seed))


def rules(system: str = "elo", **settings: Any) -> DatedRules:
    found = rating_system(system)
    return DatedRules([DatedRule(date.min, found, found.read_settings(settings or {"preset": "constant", "k": 32}))])


def season(
    planned: tuple[Planned, ...], ratings: dict[int, float], by: DatedRules | None = None, habits: Habits | None = None
) -> Season:
    states = {player: PlayerState(rating, 40, rating) for player, rating in ratings.items()}
    return Season(Calendar(TODAY, UNTIL, planned), states, frozenset(states), by or rules(), habits, Probation(30))


def strengths(*values: float, rate: float = 0.5) -> Strengths:
    return Strengths(tuple(range(1, len(values) + 1)), numpy.array([values]), rate)


def evenings(days: int, *pairs: tuple[int, int], every: int = 7) -> list[PlayedGame]:
    """The same pairs on so many days up to today, a week apart."""
    return [
        PlayedGame(0, white, black, 1.0, order_key(date.fromordinal(TODAY - every * at), number), TODAY)
        for at in reversed(range(days))
        for number, (white, black) in enumerate(pairs)
    ]


# --- playing out --------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_one_planned_board_has_the_three_ends_of_its_game_as_often_as_the_odds_say() -> None:
    found = play_season(
        season((Planned(TODAY + 1, ((1, 2),)),), {1: 1500, 2: 1500}), strengths(1600, 1500), 2000, rng()
    )
    ends, counts = numpy.unique(found.listed[-1, :, 0], return_counts=True)
    assert ends.tolist() == [1484.0, 1500.0, 1516.0], "K 32, an even game by the ratings"
    odds = numpy.array([0.2599, 0.2001, 0.5400])  # E 0.6401 and ν 0.5, by Davidson's formula on paper
    assert counts / 2000 == pytest.approx(odds, abs=0.03)
    assert set(found.places[:, 0]) == {1, 2}
    assert (found.games == 1).all()


def test_a_rating_that_rises_makes_nobody_stronger() -> None:
    """Equals whom the list has 400 points apart meet a hundred times: it must bring them together, and level them."""
    days = tuple(Planned(TODAY + 1 + at % 70, ((1, 2),)) for at in range(100))
    found = play_season(season(days, {1: 1900, 2: 1500}), strengths(1500, 1500), 200, rng())
    assert found.listed[-1].mean(axis=0) == pytest.approx([1700, 1700], abs=12)


def test_a_field_that_entered_is_paired_and_a_sum_of_ratings_stays_under_one_k() -> None:
    comes = {1: 1.0, 2: 1.0, 3: 1.0, 4: 0.0}
    found = play_season(
        season((Planned(TODAY + 3, comes=comes),), dict.fromkeys(comes, 1500.0)), strengths(*[1500] * 4), 300, rng()
    )
    assert (found.games.sum(axis=1) == 2).all(), "one of three is left over"
    assert (found.games[:, 3] == 0).all()
    assert found.listed[-1].sum(axis=1) == pytest.approx(6000.0)


@pytest.mark.parametrize(
    "system", ["elo", "glicko", "glicko2", "league", "solo-zerg", "r2", "kd", "trueskill", "weng-lin", "egf"]
)
def test_every_system_that_rates_games_or_periods_is_forecast(system: str) -> None:
    found = rating_system(system)
    states = {at: found.newcomer(found.read_settings({}), None, TODAY) for at in (1, 2)}
    rest = replace(
        season((Planned(TODAY + 1, ((1, 2),)),), {1: 0, 2: 0}),
        states=states,
        rules=DatedRules([DatedRule(date.min, found, found.read_settings({}))]),
    )
    told: list[tuple[int, int]] = []
    outlook = play_season(rest, strengths(2500, 500), 3, rng(), tell=lambda done, of: told.append((done, of)))
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert (outlook.listed[-1, :, 0] > outlook.listed[-1, :, 1]).all(), "who is much stronger won"


def test_a_list_fitted_to_its_whole_history_is_refused_and_so_is_a_season_that_is_over() -> None:
    with pytest.raises(ValueError, match="whole history"):
        season((), {1: 1500}, rules("bradley-terry", scale=400))
    with pytest.raises(ValueError, match="over"):
        replace(season((), {1: 1500}), calendar=Calendar(UNTIL, UNTIL))


@pytest.mark.parametrize(("days", "steps"), [(60, {7, 4}), (61, {17, 30, 14})])  # weeks, or months
def test_a_season_of_up_to_sixty_days_is_looked_at_week_by_week(days: int, steps: set[int]) -> None:
    looks = replace(season((), {1: 1500}), calendar=Calendar(TODAY, TODAY + days)).looks
    assert looks[-1] == TODAY + days
    assert {after - before for before, after in pairwise((TODAY, *looks))} == steps


def test_ratings_are_looked_at_month_by_month_but_not_within_an_event_that_is_rated_as_one() -> None:
    within = tuple(Planned(date(2026, *on).toordinal(), ((1, 2),), event=7) for on in ((10, 30), (11, 6)))
    ends = [date(2026, month, day).toordinal() for month, day in ((10, 31), (11, 30), (12, 31))]
    assert list(season(within, {1: 1500, 2: 1500}).looks) == ends
    short = replace(season((), {1: 1500}), calendar=Calendar(UNTIL - 16, UNTIL))
    assert list(short.looks) == [UNTIL - 9, UNTIL - 2, UNTIL], "week by week where few are left"
    assert list(season(within, {1: 1500, 2: 1500}, rules(preset="fide")).looks) == ends[1:]
    on_the_day = tuple(
        Planned(on, ((1, 2),), event=int(event)) for on, event in zip((*ends[:2], UNTIL - 9), "889", strict=True)
    )
    rest = season(on_the_day, {1: 1500, 2: 1500}, rules(preset="fide"))
    assert list(rest.looks) == ends[1:], "it begins on the first of them and is over on the second"
    begun = evenings(1, (1, 2))[0]._replace(event=9)
    assert list(replace(rest, waiting=(begun,)).looks) == ends[2:]
    monthly = replace(season((), {1: 1500}, rules("glicko", period="month")), calendar=Calendar(TODAY, TODAY + 60))
    assert list(monthly.looks) == [*ends[:2], TODAY + 60]


@pytest.mark.parametrize(("rules_day", "won"), [(TODAY, 5.0), (None, 20.0)])
def test_a_board_is_rated_by_the_rules_its_event_began_under(rules_day: int | None, won: float) -> None:
    elo = rating_system("elo")
    ks = {date.min: 10, date.fromordinal(TODAY + 5): 40}
    turns = [DatedRule(day, elo, elo.read_settings({"preset": "constant", "k": k})) for day, k in ks.items()]
    board = Planned(TODAY + 9, ((1, 2),), event=7, rules_day=rules_day)
    rest = season((board,), {1: 1500, 2: 1500}, DatedRules(turns))
    found = play_season(rest, strengths(2500, 500), 3, rng())
    assert (found.listed[-1] == [1500 + won, 1500 - won]).all()


def test_who_falls_below_the_floor_stays_at_the_rating_of_today_without_a_place() -> None:
    board = Planned(TODAY + 1, ((1, 2),), event=7)
    found = play_season(season((board,), {1: 2000, 2: 1401}, rules(preset="fide")), strengths(2500, 500), 3, rng())
    assert (found.listed[-1, :, 1].tolist(), found.places.tolist()) == ([1401.0] * 3, [[1, 0]] * 3)


def test_a_week_with_a_plan_is_no_usual_one() -> None:
    calendar = Calendar(TODAY, TODAY + 20, (Planned(TODAY + 9),))
    assert calendar.weeks == (TODAY + 1, TODAY + 15)


# --- habits -------------------------------------------------------------------------------------------------------
def test_who_comes_often_comes_and_of_somebody_new_less_is_sure() -> None:
    games = evenings(20, (1, 2)) + evenings(2, (3, 4))
    found = habits_of(sorted(games, key=lambda game: game.order), dict.fromkeys((1, 2, 3, 4, 5), 1500.0), TODAY, rng())
    assert found is not None
    one, _two, three, _four, never = found.rates
    assert one > three > never, "three came to both days since his first, but they are only two"
    assert found.rounds_a_week == pytest.approx(1.0)
    assert habits_of(evenings(3, (1, 2)), {1: 1500.0, 2: 1500.0}, TODAY, rng()) is None
    assert habits_of(evenings(4, (1, 2)), {1: 1500.0, 2: 1500.0}, TODAY, rng()) is not None
    a_year_ago, to_come = (
        evenings(1, (1, 5))[0]._replace(order=order_key(date.fromordinal(TODAY + at), 1)) for at in (-YEAR, 1)
    )
    strangers = evenings(9, (3, 8), (9, 4))
    played = [a_year_ago, *sorted([*games, *strangers], key=lambda game: game.order), to_come]
    again = habits_of(played, dict.fromkeys((1, 2, 3, 4, 5), 1500.0), TODAY, rng())
    assert again is not None
    assert (again.rates.tolist(), again.weeks) == (found.rates.tolist(), found.weeks)
    with pytest.raises(ValueError, match="Of nobody"):
        habits_of(evenings(3, (1, 2)), {}, TODAY, rng())


def test_how_likely_an_attendance_is_is_that_of_draws_from_an_urn() -> None:
    """Two balls of those who come and three of the others; each drawn goes back with another like it (Pólya)."""
    came_twice_of_three, never_of_two = 2 / 5 * 3 / 6 * 3 / 7, 3 / 5 * 4 / 6
    found = _log_evidence(numpy.array([2.0, 0.0]), numpy.array([3.0, 2.0]), 2.0, 3.0)
    assert numpy.exp(found) == pytest.approx(came_twice_of_three * never_of_two)


def test_on_a_day_with_its_effect_as_many_are_expected_as_came() -> None:
    games = evenings(20, (1, 2)) + evenings(10, (3, 4), every=14)
    habits = habits_of(sorted(games, key=lambda game: game.order), dict.fromkeys(range(1, 5), 1500.0), TODAY, rng())
    assert habits is not None
    by_day = [evening for week in habits.weeks for _day, evening in week]
    assert [chances_on(habits.rates, evening.effect).sum() for evening in by_day[-2:]] == pytest.approx([2.0, 3.5])


@pytest.mark.parametrize(("pairs", "apart"), [(((1, 2), (3, 4), (5, 6)), False), (((1, 6), (2, 5), (3, 4)), True)])
def test_how_far_apart_neighbours_stand_is_read_off_who_met(pairs: tuple[tuple[int, int], ...], apart: bool) -> None:
    found = habits_of(evenings(10, *pairs), {at: 1000.0 + 200 * at for at in range(1, 7)}, TODAY, rng())
    assert found is not None
    assert (found.width > 342) == apart, "the ratings' standard deviation"


def test_the_year_is_cut_into_weeks_that_end_on_the_same_day() -> None:
    habits = habits_of(evenings(12, (1, 2)), {1: 1500.0, 2: 1500.0}, TODAY + 10, rng())
    assert habits is not None
    assert [[day for day, _evening in week] for week in habits.weeks] == [[3]] * 12 + [[]]


def test_usual_weeks_bring_about_as_many_games_as_the_past_ones() -> None:
    pairs, ratings = ((1, 2), (3, 4), (5, 6), (7, 8)), dict.fromkeys(range(1, 9), 1500.0)
    some = evenings(40, *pairs[:3]) + evenings(20, pairs[3], every=14)
    for games, a_week in ((some, 3.5), (evenings(40, *pairs, (1, 3), (2, 4)), 6.0)):  # four of eight stay for a second
        habits = habits_of(sorted(games, key=lambda game: game.order), ratings, TODAY, rng())
        found = play_season(season((), ratings, habits=habits), strengths(*[1500] * 8), 40, rng())
        assert found.games.sum(axis=1).mean() / 2 == pytest.approx((UNTIL - TODAY) / 7 * a_week, rel=0.12)


# --- what is said, and its score ----------------------------------------------------------------------------------
def line(**changes: Any) -> SeasonLine:
    ends = tuple(1400.0 + 4 * at for at in range(50))
    plain = SeasonLine(1, 1450.0, 2, 5.0, ends, (), (1, 2, 4), 0.3, 0.9, None, 1600.0, 0.1)
    return replace(plain, **changes)


def test_lines_say_what_the_samples_do() -> None:
    rest = season((), {1: 1600, 2: 1500})
    rest = replace(rest, states={**rest.states, 3: PlayerState(1580, 29, 1580)}, active=frozenset({1, 2, 3}))
    listed = numpy.array([[[1600.0, 1500.0, 1590.0], [1600.0, 1700.0, 1650.0]]])
    places = numpy.array([[1, 2, 0], [3, 1, 2]])
    outlook = SeasonOutlook((1, 2, 3), (UNTIL,), listed, places, places)
    one, two, new = lines_of(rest, outlook, [1600.0, 1800.0])
    assert [each.place for each in (one, two, new)] == [1, 2, None]
    assert (one.first, two.first, new.four, new.settles, one.settles) == (0.5, 0.5, 0.5, 0.5, None)
    assert (two.bound, two.rises, one.bound, one.rises, new.rises) == (1600.0, 0.5, 1800.0, 0.0, 0.5)
    assert (two.ends[0], two.ends[-1], new.places) == (1500.0, 1700.0, (2, 2, 2))
    away = replace(rest, active=frozenset({1}))
    assert places_of(away, rest.states) == [1, 0, 0]
    assert [each.settles for each in lines_of(away, outlook, [1600.0, 1800.0])] == [None] * 3


def test_a_forecast_without_spread_is_scored_by_its_error_and_a_wide_one_by_less() -> None:
    assert crps_of((1500.0,) * 50, 1530.0) == pytest.approx(30.0)
    assert crps_of((0.0, 10.0), 5.0) == pytest.approx(5.0 - 2.5)


@pytest.mark.parametrize(("came", "within"), [(1500.0, 1.0), (1401.0, 0.0), (1598.0, 0.0), (1300.0, 0.0)])
def test_eight_of_ten_ratings_are_to_lie_within_the_interval(came: float, within: float) -> None:
    assert within_interval(line().ends, came) == within


@pytest.mark.parametrize(("came", "within"), [(0.5, 0.0), (1.5, 1.0), (9.5, 1.0), (10.5, 0.0)])
def test_the_ends_of_the_interval_are_within_it(came: float, within: float) -> None:
    assert within_interval(range(1, 11), came) == within


def test_a_rating_that_may_not_move_is_a_step_and_counts_in_part() -> None:
    ends = (1500.0,) * 20 + tuple(1510.0 + at for at in range(30))
    assert within_interval(ends, 1500.0) == pytest.approx((0.4 - 0.1) / 0.4)
    assert within_interval((1500.0,) * 50, 1500.0) == pytest.approx(0.8)


def test_a_score_has_the_two_baselines_beside_it() -> None:
    found = score_of(
        [([line(), line(player=2, place=1, places=(1, 1, 2), first=0.7)], {1: Came(1500, 1), 2: Came(1450, 2)})]
    )
    assert found is not None
    assert (found.people, found.unchanged, found.places, found.order) == (2, 25.0, 1.0, 1.0)
    assert found.brier == pytest.approx(((0.7**2 + 0.1**2) / 2 + (0.7**2 + 0.1**2) / 2) / 2)
    assert found.brier_order == 0.5, "today's order had the first place wrong twice and the first four right"
    assert sum(each.count for each in found.bins) == 6
    rose = score_of([([line(bound=1500.0, rises=0.75)], {1: Came(1500.0, None)})])
    assert rose is not None
    assert [(each.said_percent, each.came_percent) for each in rose.bins] == [(30, 0), (75, 100), (90, 0)]
    assert (rose.within_percent, rose.ranked, rose.places, rose.order) == (100, 0, 0, 0)
    assert score_of([([line()], {})]) is None
    for place, wrong in ((4, 0.0), (5, 0.5)):
        came = score_of([([line(first=0.0, four=1.0)], {1: Came(1500, place)})])
        assert came is not None
        assert came.brier == wrong
        today = score_of([([line(place=place)], {1: Came(1500, 2)})])
        assert today is not None
        assert today.brier_order == wrong


def test_the_documentation_shows_the_figures_of_the_command_and_says_where_they_hold() -> None:
    found = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    page = DOCUMENT.with_suffix(".md").read_text(encoding="utf-8")
    real = {name: figures["all"] for name, figures in found["streams"].items()}
    for name, figures in (found["made_up"] | real).items():
        line = next(each for each in page.splitlines() if each.startswith(f"| {name} |"))
        shown = (f"{figures['crps']:.2f}", f"{figures['unchanged']:.2f}", f"{figures['places']:.2f}")
        assert [cell.strip() for cell in line.split("|")[3:7]] == [f"{100 * figures['within']:.1f} %", *shown]
        assert figures["within"] == pytest.approx(0.8, abs=0.04), name
        assert figures["crps"] < figures["unchanged"]


@pytest.mark.slow
def test_on_clubs_whose_strengths_are_known_eight_of_ten_ratings_lie_within() -> None:
    """The whole proof is the command's (docs/algorithms/forecast-season.md); this is a first part of it."""
    generator = rng(5)
    found = score_of(said for _club in range(8) if (said := club_of("elo", Club(), 150, generator)))
    assert found is not None
    assert found.within == pytest.approx(0.8, abs=0.08)
    assert found.crps < 0.8 * found.unchanged
    assert found.places < found.order
