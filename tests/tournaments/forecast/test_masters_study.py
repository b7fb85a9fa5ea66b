"""The masters' forecast with other fields, stations and draws: all methods against every result; the document."""

from itertools import product
from math import hypot

import pytest
from numpy.random import PCG64, Generator

from ratings.lab_pages.charts import result_document
from ratings.systems.fide_tables import xiangqi_expected
from tournaments.forecast.masters import MASTERS, MastersField, Record, Rule, chances
from tournaments.forecast.masters_chain import WON, Plan, matches_of
from tournaments.forecast.masters_estimates import exact, metropolis, monte_carlo
from tournaments.forecast.masters_study import QUESTIONS, Sizes, masters_report, side_by_side

FOUR = MastersField(tuple("abcd"), (1650, 1600, 1600, 1400), {(0, 1): Record(1, 2, 4), (2, 3): Record(3, 1, 0)}, 20)
FIXED = Plan(stations=2, lines=(3, 0, 2, 1))
Shares = list[list[float]]


def by_every_result(field: MastersField, rule: Rule, plan: Plan) -> Shares:
    """On fixed lines: all results of all stations, the ratings moved game by game; who is first, among the upper half,
    and how many stations each wins, as shares."""
    found = [[0.0] * len(field.names) for _question in range(3)]
    matches = matches_of(len(field.names)) * plan.stations
    for outcomes in product(range(4), repeat=len(matches)):
        chance, at, rated = 1.0, list(plan.lines or ()), [10 * rating for rating in field.ratings]
        winners = []
        for (above, below), outcome in zip(matches, outcomes, strict=True):
            upper, lower = at[above], at[below]
            each = chances(field, rule, upper, lower)
            chance *= (each.won, each.drawn / 2, each.drawn / 2, each.lost)[outcome]
            expected = round(100 * xiangqi_expected((rated[upper] - rated[lower]) / 10, 0.0))
            move = round(field.k * ((100, 50, 50, 0)[outcome] - expected) / 10)
            rated[upper], rated[lower] = rated[upper] + move, rated[lower] - move
            at.append(upper if outcome <= WON + 1 else lower)
            if len(at) == 2 * len(field.names) - 1:
                winners.append(at[-1])
                at = list(plan.lines or ())
        if chance:
            order = sorted(range(len(rated)), key=lambda who: (-rated[who], who))
            found[0][order[0]] += chance
            for who in order[: len(order) // 2]:
                found[1][who] += chance
            for who in winners:
                found[2][who] += chance / plan.stations
    return found


@pytest.mark.parametrize("rule", [Rule.DRAWS, Rule.SHRUNK])
def test_on_fixed_lines_every_method_finds_what_all_results_give(rule: Rule) -> None:
    truth = by_every_result(FOUR, rule, FIXED)
    titles = [player.p_station for player in exact(FOUR, rule, FIXED).players]
    assert titles == pytest.approx(truth[2])
    plain = monte_carlo(FOUR, rule, 8000, Generator(PCG64(3)), plan=FIXED)
    chain = metropolis(FOUR, rule, 1500, Generator(PCG64(3)), plan=FIXED, chains=2)
    assert chain.samples == 3000
    for found, (asked, shares) in product((plain, chain), zip(QUESTIONS, truth, strict=True)):
        for player, share in zip(found.players, shares, strict=True):
            off = abs(getattr(player, f"p_{asked}") - share)
            assert off <= 4.5 * getattr(player, f"se_{asked}") + 3 / 3000, (found.method, asked, player)


def test_drawn_by_lots_the_number_of_stations_moves_places_and_not_titles() -> None:
    one, five = (side_by_side(FOUR, Rule.RATING, 1, plan=Plan(stations), sizes=Sizes(4000, 2)) for stations in (1, 5))
    assert one["exact"] == five["exact"]
    assert sum(one["plain"]["first"]["p"]) == pytest.approx(1.0)
    assert one["plain"]["first"]["p"][0] > five["plain"]["first"]["p"][0], "with more games the rating before says less"


def test_chains_that_begin_far_apart_agree() -> None:
    far = metropolis(MASTERS, Rule.DECISIVE, 400, Generator(PCG64(1)), chains=2).chain
    assert far is not None
    assert 1.0 <= far.rhat < 1.05


@pytest.mark.parametrize("k", [5, 15, 50, 0])
def test_a_k_that_makes_no_whole_tenths_is_refused(k: int) -> None:
    with pytest.raises(ValueError, match="K is 10, 20"):
        MastersField(("a", "b"), (1500, 1400), {}, k)


# --- the document that is shipped -----------------------------------------------------------------------------------
@pytest.mark.extended
def test_the_document_is_what_its_command_makes() -> None:
    """The plain figures and the exact ones again; the chains' own take minutes, and stand beside them."""
    document = result_document("masters")
    assert document["made_by"] == "manage.py run_study masters --games 100000 --replications 4 --seed 1"
    assert (document["players"], list(document["rules"])) == (list(MASTERS.names), [rule.value for rule in Rule])
    again = monte_carlo(MASTERS, Rule.SCORE_RATE, document["samples"], Generator(PCG64([1, 0, 0])))
    shown = document["rules"]["score-rate"]["plain"]["first"]
    assert shown["p"] == [player.p_first for player in again.players]
    for rule in Rule:
        found = document["rules"][rule.value]
        assert found["exact"] == [player.p_station for player in exact(MASTERS, rule).players]
        assert found["chain"]["rhat"] < 1.01
        for asked, at in product(QUESTIONS, range(8)):
            one, other = found["plain"][asked], found["chain"][asked]
            apart = abs(one["p"][at] - other["p"][at])
            assert apart <= 4 * hypot(one["se"][at], other["se"][at]) + 3 / found["chain"]["samples"]


def test_the_report_has_every_rule_and_tells_of_each() -> None:
    told: list[int] = []
    small = masters_report(80, 1, 3, told.append)
    assert told == [1, 2, 3, 4, 5]
    assert small["rules"]["draws"]["chain"]["samples"] == 8


def test_chains_reach_what_the_ratings_leave_no_chance() -> None:
    """A gap of 1000 points, and the weaker has won every game."""
    field = MastersField(("a", "b", "c", "d"), (2500, 1500, 1400, 1300), {(0, 1): Record(0, 0, 1)}, 20)
    found = side_by_side(field, Rule.SCORE_RATE, 1, sizes=Sizes(20_000, 2))
    assert found["chain"]["station"]["p"] == pytest.approx(found["exact"], abs=0.06)
