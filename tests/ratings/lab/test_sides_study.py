"""The worlds and the study of sides: laws by hand, contenders by a second way, and the committed document again."""

import json
from collections import Counter
from math import erfc, hypot, sqrt
from statistics import fmean, pstdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.lab import sides_study
from ratings.lab.contenders import contender
from ratings.lab.experiment import FIGURE_DIGITS, rounded
from ratings.lab.measures import log_loss
from ratings.lab.sides_contenders import CONTENDERS, contenders_in, same_of_two
from ratings.lab.sides_measures import pair_scores
from ratings.lab.sides_study import (
    BASELINE,
    CARRY_WORLD,
    GRID_K,
    GRID_UNIT,
    MARGIN_WORLD,
    REPLICATIONS,
    TABLES,
    TARGET,
    Columns,
    Mapped,
    Run,
    carried_row,
    coverage,
    interval,
    margin_row,
    replicate,
    rms,
    sides_report,
    tables_with_pair,
    worth_in_games,
)
from ratings.lab.sides_world import (
    BETA,
    LEVEL,
    PLAYERS,
    WORLDS,
    Numbers,
    SidesWorld,
    alone,
    contests_of,
    drifted,
    evening,
    nights,
    performance,
    played,
    present,
    strengths,
)
from ratings.lab.summary import differences
from ratings.systems.base import PlayerState
from ratings.systems.sides import PlayedContest
from tests.choosing import examples
from tests.ratings.lab.golden import committed

KEPT = committed("sides")
BY_KEY = {world.key: world for world in WORLDS}
SYSTEMS = {each.key: each for each in CONTENDERS}


def evenings(world: SidesWorld, count: int, seed: int = 1) -> list[PlayedContest]:
    return [contest for _people, tonight in nights(world, count, Numbers(seed, 0)) for contest in tonight]


class Still(Numbers):
    """No noise at all."""

    def normal(self) -> float:
        return 0.0


# --- worlds ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.key)
def test_an_evening_seats_everybody_once_in_the_shapes_of_the_world(world: SidesWorld) -> None:
    numbers, again = Numbers(1, 0), Numbers(1, 0)
    tonight = evening(world, strengths(numbers), 1, numbers)
    strengths(again)
    come = present(world, PLAYERS, again)
    seated = Counter(player for contest in tonight for player in contest.players)
    assert set(seated.values()) == {1}
    assert set(seated) <= set(come)
    rest, table = len(come) - len(seated), max(map(sum, world.shapes))
    assert rest == len(come) % table if len(world.shapes) == 1 else rest < table
    shapes = {tuple(sorted(len(side.players) for side in contest.sides)) for contest in tonight}
    assert shapes <= set(world.shapes)


def test_the_same_seed_gives_the_same_contests_and_all_worlds_the_same_people() -> None:
    assert evenings(BY_KEY["mixed"], 3) == evenings(BY_KEY["mixed"], 3) != evenings(BY_KEY["mixed"], 3, seed=2)
    assert strengths(Numbers(1, 0)) == strengths(Numbers(1, 0)) != strengths(Numbers(1, 1))


def test_partners_stay_together_always_at_times_or_by_chance_only() -> None:
    shares = []
    for key in ("pairs-fixed", "pairs-half", "pairs"):
        sides = [side.players for contest in evenings(BY_KEY[key], 40) for side in contest.sides]
        shares.append(fmean(one // 2 == other // 2 for one, other in sides))
    assert shares[0] == 1.0
    assert 0.3 < shares[1] < 0.7
    assert shares[2] < 0.1


@given(seed=st.integers(0, 99), drift=st.floats(0.0, 100.0), evenings=st.integers(2, 12))
@examples(6)
def test_strengths_spread_by_the_drift_of_each_evening(seed: int, drift: float, evenings: int) -> None:
    """Steps are drawn anew: variances add up. A world without drift draws none."""
    world, numbers = SidesWorld("drift", (alone(4),), drift=drift), Numbers(seed, 0)
    first = people = strengths(numbers, 4000)
    for _ in range(evenings - 1):
        people = drifted(world, people, numbers)
    assert pstdev(people) == pytest.approx(hypot(pstdev(first), drift * sqrt(evenings - 1)), rel=0.06)
    assert drifted(BY_KEY["alone-4"], first, numbers) == first


def test_contests_of_an_evening_are_played_with_its_strengths() -> None:
    world, numbers = BY_KEY["drift-4"], Numbers(1, 0)
    people = strengths(numbers)
    made = [(people, evening(world, people, 1, numbers))]
    for number in (2, 3):
        people = drifted(world, people, numbers)
        made.append((people, evening(world, people, number, numbers)))
    assert list(nights(world, 3, Numbers(1, 0))) == made
    assert made[0][0] != made[1][0]


@given(seed=st.integers(0, 99), attendance=st.floats(0.0, 1.0), fixed=st.sampled_from([0.0, 1.0]))
@examples(6)
def test_part_time_players_come_to_their_share_of_evenings_and_the_others_to_all(
    seed: int, attendance: float, fixed: float
) -> None:
    world, numbers = SidesWorld("part-time", ((2, 2),), fixed=fixed, attendance=attendance), Numbers(seed, 0)
    rows = [present(world, PLAYERS, numbers) for _ in range(300)]
    came = Counter(player for row in rows for player in row)
    part_time = [player for player in range(PLAYERS) if player // 2 % 2 == 1]
    assert fmean(came[player] / 300 for player in part_time) == pytest.approx(attendance, abs=0.04)
    assert all(came[player] == 300 for player in range(PLAYERS) if player not in part_time)
    assert fixed == 0.0 or all(came[player] == came[player + 1] for player in range(0, PLAYERS, 2))


def test_a_side_shows_what_its_members_show_together() -> None:
    still = Still(1, 0)
    members = [100.0, -50.0]
    shown = {
        world.combine: performance(world, members, still)
        for world in (BY_KEY["uneven-sum"], BY_KEY["pairs"], BY_KEY["best-of-pair"], BY_KEY["worst-of-pair"])
    }
    assert shown == {"sum": 2.0 * LEVEL + 50.0, "mean": 25.0, "best": 100.0, "worst": -50.0}


@pytest.mark.parametrize(
    ("key", "chance"), [("alone-2", 0.5 * erfc(-0.5)), ("luce-4", 1.0 / (1.0 + 10.0**-0.5))], ids=["normal", "gumbel"]
)
def test_whoever_is_one_beta_stronger_wins_three_of_four(key: str, chance: float) -> None:
    numbers = Numbers(1, 0)
    shown = [
        performance(BY_KEY[key], [BETA], numbers) > performance(BY_KEY[key], [0.0], numbers) for _ in range(20_000)
    ]
    assert fmean(shown) == pytest.approx(chance, abs=0.015)
    assert chance == pytest.approx(0.76, abs=0.001)


def test_neighbours_within_the_margin_share_a_place() -> None:
    contest = played([(0,), (1,), (2,), (3,)], [10.0, 95.0, 100.0, 40.0], 6.0, 1 << 60)
    assert [(side.place, side.players, side.score) for side in contest.sides] == [
        (1, (1,), 95.0), (1, (2,), 100.0), (3, (3,), 40.0), (4, (0,), 10.0)]  # fmt: skip
    equals = SidesWorld("equals", ((1, 1),), draws=0.2)
    numbers = Numbers(1, 0)
    met = [contests_of(equals, [[(0,), (1,)]], [0.0, 0.0], number, numbers)[0] for number in range(1, 5000)]
    assert fmean(contest.sides[1].place == 1 for contest in met) == pytest.approx(0.2, abs=0.02)


# --- contenders and measures -----------------------------------------------------------------------------------------
def test_the_distance_is_what_the_best_line_leaves() -> None:
    """Ratings 0, 1, 2 for strengths 0, 0, 3: the line 1.5 r − 0.5 is off by ½, 1 and ½."""
    assert Mapped.of([0.0, 1.0, 2.0], [0.0, 0.0, 3.0]) == Mapped(1.5, -0.5)
    assert rms([0.0, 1.0, 2.0], [0.0, 0.0, 3.0]) == pytest.approx(sqrt(0.5))
    assert rms([30.0, 10.0, 50.0], [3.0, 1.0, 5.0]) == pytest.approx(0.0, abs=1e-12)
    assert rms([7.0, 7.0], [1.0, 3.0]) == 1.0


def test_the_floor_knows_the_winner_only() -> None:
    """Three at 1500, K 32: +16, and −8 for each of the others, whatever their order. A shared first place: nothing."""
    run = Run(SYSTEMS["elo-winner"])
    run.rate([played([(0,), (1,), (2,)], [3.0, 2.0, 1.0], 0.0, 1 << 60)])
    assert run.ratings((0, 1, 2)) == [1516.0, 1492.0, 1492.0]
    run.rate([played([(0,), (1,), (2,)], [3.0, 3.0, 1.0], 0.0, (1 << 60) + 1)])
    assert run.ratings((0, 1, 2)) == [1516.0, 1492.0, 1492.0]


def test_of_two_sides_the_others_say_the_same_so_they_are_left_out() -> None:
    rows = replicate(BY_KEY["pairs"], CONTENDERS, 8, 1, 0)
    for key, found in rows.items():
        assert found == pytest.approx(rows[key if key == "elo-sum" else same_of_two(key)], rel=1e-9, abs=1e-9), key
    assert [each.key for each in contenders_in(BY_KEY["pairs"])] == ["elo-mean", "elo-sum", "trueskill", "weng-lin"]
    assert len(contenders_in(BY_KEY["mixed"])) == len(CONTENDERS)
    alone = replicate(BY_KEY["alone-4"], CONTENDERS, 8, 1, 0)
    assert alone["elo-sum"] == pytest.approx(alone["elo-mean"], rel=1e-9, abs=1e-9)
    assert "elo-sum" not in [each.key for each in contenders_in(BY_KEY["alone-4"])]


@pytest.mark.parametrize("key", ["alone-4", "drift-4"])
def test_the_figures_are_those_of_a_run_by_hand(key: str) -> None:
    """Each evening's ratings are held against its own strengths."""
    contests = evenings(BY_KEY[key], 24)
    true = [people for people, _tonight in nights(BY_KEY[key], 24, Numbers(1, 0))]
    people = true[-1]
    run = Run(SYSTEMS["trueskill"])
    run.rate(contests[: len(contests) // 2])
    said = run.rate(contests[len(contests) // 2 :])
    scores = [score for contest in contests[len(contests) // 2 :] for score in pair_scores(contest)]
    found = replicate(BY_KEY[key], [SYSTEMS["trueskill"]], 24, 1, 0)["trueskill"]
    assert found["log_loss"] == pytest.approx(log_loss(said, scores), abs=1e-12)
    assert found["rms"] == pytest.approx(rms(run.ratings(range(PLAYERS)), people), abs=1e-9)
    assert found["coverage"] == coverage(run, people)
    run, errors = Run(SYSTEMS["trueskill"]), []
    for at in range(0, len(contests), PLAYERS // 4):
        run.rate(contests[at : at + PLAYERS // 4])
        errors.append(rms(run.ratings(range(PLAYERS)), true[len(errors)]))
    assert found.get("reach") == next((number for number, error in enumerate(errors, 1) if error <= TARGET), None)


def test_coverage_counts_who_lies_within_two_deviations() -> None:
    """Strengths 0, 0, 3 by ratings 0, 1, 2: off by ½, 1 and ½ of a strength, where 1 of rating is 1.5 of strength."""
    run = Run(SYSTEMS["trueskill"])
    for deviation, held in ((0.1, 0.0), (0.3, 2 / 3), (0.34, 1.0)):
        run.states = {at: PlayerState(float(at), 0, None, None, deviation=deviation) for at in range(3)}
        assert coverage(run, [0.0, 0.0, 3.0]) == pytest.approx(held)
    assert coverage(Run(SYSTEMS["elo-mean"]), [0.0, 3.0]) is None


def test_what_a_table_is_worth_is_a_ratio_of_evenings_where_both_were_reached() -> None:
    found = {"alone-2": [10.0, 12.0, None, 30.0]} | {f"alone-{sides}": [5.0, 4.0, 1.0, None] for sides in TABLES}
    rows = {
        key: Columns([{"elo-none" if key != "alone-2" else "elo-mean": _reach(each)} for each in values])
        for key, values in found.items()
    }
    worth = worth_in_games(rows)["elo-none"]["8"]
    assert (worth["mean"], worth["reached"]) == (2.5, 2)


def _reach(evening: float | None) -> dict[str, float]:
    return {} if evening is None else {"reach": evening}


def test_k_is_chosen_on_every_other_evening_and_tested_on_those_between() -> None:
    """Eight evenings of 24 games: the choice and its loss by a second way, of all evenings and of the last four."""
    contests = evenings(MARGIN_WORLD, 8)
    scores = [score for contest in contests for score in pair_scores(contest)]
    margins = {(k, unit): {"margin": "log", "margin_unit": unit, "margin_cap": 3} for k in GRID_K for unit in GRID_UNIT}
    said = {
        (k, unit): Run(contender("k", "k", "elo", {"preset": "constant", "k": k} | terms)).rate(contests)
        for (k, unit), terms in [*(((k, 0), {}) for k in GRID_K), *margins.items()]
    }
    found = margin_row(8, 1, 0)
    for part, first in (("all", 0), ("settled", 4)):
        numbers = range(24 * first, len(contests))
        halves = [[at for at in numbers if at // 24 % 2 == half] for half in (0, 1)]
        losses = {
            way: [log_loss([each[at] for at in half], [scores[at] for at in half]) for half in halves]
            for way, each in said.items()
        }
        plain = min((way for way in losses if not way[1]), key=lambda way: losses[way][0])
        margin = min(margins, key=lambda way: losses[way][0])
        by_hand = {"k": plain[0], "plain": losses[plain][1], "margin_k": margin[0], "unit": margin[1]}
        assert found[part] == pytest.approx(by_hand | {"margin": losses[margin][1]}, abs=1e-12)


def test_the_carried_pair_sits_together_and_everybody_once() -> None:
    numbers = Numbers(1, 0)
    for _ in range(20):
        tables = tables_with_pair((0, 48), [*range(1, 48), 49], numbers)
        sides = [side for table in tables for side in table]
        assert len(tables) == 12
        assert len({player for side in sides for player in side}) == 48
        assert all(side == (0, 48) for side in sides if 0 in side or 48 in side)


# --- the document ----------------------------------------------------------------------------------------------------
def test_a_small_report_sums_up_its_replications_in_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sides_study, "GRID_K", GRID_K[:2])
    monkeypatch.setattr(sides_study, "GRID_UNIT", GRID_UNIT[:2])
    monkeypatch.setattr(sides_study, "TABLES", TABLES[:1])
    lines: list[int] = []
    size: dict[str, Any] = {"evenings": 8, "replications": 2, "seed": 3, "tell": lines.append}
    few = [BY_KEY[key] for key in ("alone-2", "alone-3", "trios")]
    found = sides_report(**size, worlds=few)
    assert lines == [1, 2]
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    rows = [replicate(BY_KEY["trios"], contenders_in(BY_KEY["trios"]), 8, 3, replication) for replication in (0, 1)]
    columns = {key: {"rms": [row[key]["rms"] for row in rows]} for key in rows[0]}
    trios = found["worlds"]["trios"]
    assert trios["systems"]["trueskill"]["rms"]["mean"] == pytest.approx(fmean(columns["trueskill"]["rms"]), rel=1e-5)
    paired = differences(columns["trueskill"], columns[BASELINE])["rms"]
    assert trios["differences"]["trueskill"]["rms"] == pytest.approx(paired, rel=1e-4)
    assert interval([]) == {"mean": None, "low": None, "high": None}
    assert sides_report(**size, worlds=few, workers=2) == found
    for evenings_, replications in ((7, 1), (8, 0)):
        with pytest.raises(ValueError, match="eight contests of one's own"):
            sides_report(evenings=evenings_, replications=replications, seed=1, tell=print)


def test_the_committed_document_says_how_it_was_made_and_its_first_figures_come_out_again() -> None:
    assert KEPT["made_by"] == f"manage.py run_study sides --games 64 --replications {REPLICATIONS} --seed 1"
    assert list(KEPT["worlds"]) == list(BY_KEY)
    size, first = (KEPT["games"], KEPT["seed"], 0), KEPT["first"]
    assert figures_again("part-time-4") == first["worlds"]["part-time-4"]
    for key, system in (("uneven-sum", "elo-sum"), ("drift-4", "trueskill")):
        assert figures_again(key, system) == {system: first["worlds"][key][system]}
    carried = carried_row([SYSTEMS["elo-mean"]], *size)
    assert rounded(carried, FIGURE_DIGITS)["elo-mean"] == first["carried"]["elo-mean"]


def figures_again(key: str, *systems: str) -> Any:
    """What those contenders, or all, come to in the first replication of that world."""
    some = [each for each in contenders_in(BY_KEY[key]) if not systems or each.key in systems]
    return rounded(replicate(BY_KEY[key], some, KEPT["games"], KEPT["seed"], 0), FIGURE_DIGITS)


@pytest.mark.slow
def test_so_do_those_of_all_contenders_and_what_it_says_of_the_margin() -> None:
    size, first = (KEPT["games"], KEPT["seed"], 0), KEPT["first"]
    for key in ("alone-8", "uneven-sum", "drift-4"):
        assert figures_again(key) == first["worlds"][key]
    assert rounded(carried_row(contenders_in(CARRY_WORLD), *size), FIGURE_DIGITS) == first["carried"]
    assert rounded(margin_row(*size), FIGURE_DIGITS) == first["margin"]
