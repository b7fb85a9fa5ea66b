"""Elo over sides against golden figures, worked examples, the game of two, and what must hold for every contest."""

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.base import PlayedGame, PlayerState
from ratings.systems.elo import Elo, expected_score
from ratings.systems.elo_sides import Combine, Normaliser, SideFigures, SidesRule, side_figures, side_rating
from ratings.systems.margins import Margin, MarginRule
from ratings.systems.sides import PlayedContest, PlayedSide, in_one_form
from tests import ROOT
from tests.choosing import examples

GOLDEN = json.loads((ROOT / "tests" / "data" / "parties" / "elo_sides.json").read_text(encoding="utf-8"))
RATING = st.floats(0, 4000)
COMBINE = st.sampled_from(get_args(Combine))
NORMALISER = st.sampled_from(get_args(Normaliser))
Contest = tuple[list[list[float]], list[int]]
LOG, NFL, SHARE, CAPPED = (MarginRule(kind, 10.0, 3.0) for kind in Margin if kind != Margin.NONE)
MARGINS = st.sampled_from([LOG, NFL, SHARE, CAPPED])


def figures_of(
    sides: list[list[float]], places: list[int], scores: list[float | None] | None = None, **how: Any
) -> list[SideFigures]:
    rule = SidesRule(expected_score, lambda state, on: 0.0, **how)
    ratings = [side_rating(side, rule.combine) for side in sides]
    return side_figures(ratings, places, scores or [None] * len(sides), rule)


def side_changes(
    sides: list[list[float]], places: list[int], k: float, scores: list[float | None] | None = None, **how: Any
) -> list[float]:
    return [k * side.factor * side.surplus for side in figures_of(sides, places, scores, **how)]


@st.composite
def contests(draw: st.DrawFn) -> Contest:
    sides = draw(st.lists(st.lists(RATING, min_size=1, max_size=4), min_size=2, max_size=8))
    raw = draw(st.lists(st.integers(1, len(sides)), min_size=len(sides), max_size=len(sides)))
    return sides, [1 + sum(other < own for other in raw) for own in raw]


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: str(row["contest"]))
def test_golden_contests(row: dict[str, Any]) -> None:
    assert side_changes(row["sides"], row["places"], row["k"]) == pytest.approx(row["change_per_side"], abs=1e-9)


@pytest.mark.parametrize(
    ("k", "combine", "sides", "places", "changes"),
    [
        (20, "mean", [[1600, 1400], [1550, 1500]], [1, 2], [10.718318539, -10.718318539]),
        (20, "sum", [[1600, 1400], [1550, 1500]], [1, 2], [11.429262348, -11.429262348]),
        (
            30,
            "mean",
            [[1600], [1500], [1450], [1700]],
            [2, 1, 4, 3],
            [2.966149965, 18.283488090, -9.168342066, -12.081295990],
        ),
        (
            30,
            "mean",
            [[1600], [1500], [1450], [1700]],
            [1, 1, 3, 4],
            [7.966149965, 13.283488090, 0.831657934, -22.081295990],
        ),
        (24, "mean", [[1500, 1520], [1490], [1600, 1400, 1500]], [1, 2, 2], [11.482347023, -5.482347023, -6]),
        (20, "mean", [[1500], [1500, 1500]], [1, 2], [10, -10]),
    ],
)
def test_worked_examples(
    k: float, combine: Combine, sides: list[list[float]], places: list[int], changes: list[float]
) -> None:
    assert side_changes(sides, places, k, combine=combine) == pytest.approx(changes, abs=1e-9)


def test_expected_share_of_a_ledger() -> None:
    one, other = figures_of([[1600, 1400], [1550, 1500]], [1, 2])
    assert one.expected == pytest.approx(0.464084073, abs=1e-9)
    assert (one.score, other.score, one.factor) == (1.0, 0.0, 1.0)
    assert figures_of([[1500]] * 3, [1, 2, 3])[1] == (0.5, 0.5, 0.0, 1.0)


@pytest.mark.parametrize(("normaliser", "change"), [("n-1", 10.0), ("none", 70.0), ("half", 17.5)])
def test_what_eight_equals_play_for(normaliser: Normaliser, change: float) -> None:
    """K 20: the first of eight equals scores half a point more than expected against each of the seven."""
    first, *_others, last = side_changes([[1500]] * 8, [1, 2, 3, 4, 5, 6, 7, 8], 20, normaliser=normaliser)
    assert (first, last) == (change, -change)


@examples(300)
@given(
    white=RATING,
    black=RATING,
    points=st.none() | st.tuples(st.integers(0, 40), st.integers(0, 40)),
    result=st.sampled_from([0.0, 0.5, 1.0]),
    raw=st.fixed_dictionaries(
        {
            "preset": st.sampled_from(["club", "fide-simple", "uscf", "diary"]),
            "sides": COMBINE,
            "normaliser": NORMALISER,
            "margin": st.sampled_from(["none", "log", "nfl", "share"]),
            "scale": st.sampled_from([400, 700]),
            "whole": st.booleans(),
        }
    ),
    importance=st.sampled_from([1.0, 0.3, 1.7]),
    games=st.integers(0, 40),
)
def test_two_sides_of_one_are_a_game_to_the_last_bit(
    white: float,
    black: float,
    points: tuple[int, int] | None,
    result: float,
    raw: dict[str, Any],
    importance: float,
    games: int,
) -> None:
    score = result if points is None else (points[0] > points[1]) + 0.5 * (points[0] == points[1])
    system = Elo()
    settings = system.read_settings(raw)
    of_game = PlayerState(white, games, white), PlayerState(black, 5, black)
    margin = None if points is None else abs(points[0] - points[1])
    played = PlayedGame(1, 2, 1, score, 1 << 40, 1, importance=importance, margin=margin, scores=points)
    figures = system.game_rater(settings)(*of_game, played)

    sides = [
        PlayedSide(1 if score >= 0.5 else 2, (2,), (1.0,), None if points is None else points[0], number=1),
        PlayedSide(1 if score <= 0.5 else 2, (1,), (1.0,), None if points is None else points[1], number=2),
    ]
    contest = PlayedContest(1, in_one_form(sides), 1 << 40, 1, importance=importance)
    of = {2: PlayerState(white, games, white), 1: PlayerState(black, 5, black)}
    rate = system.contest_rater(settings)
    assert rate is not None
    found = rate(contest, [[of[side.players[0]]] for side in contest.sides])
    by_player = {side.players[0]: own[0] for side, own in zip(contest.sides, found, strict=True)}
    assert (of[2].rating, of[1].rating) == (of_game[0].rating, of_game[1].rating)
    assert (*by_player[2], *by_player[1]) == figures


@examples(200)
@given(contest=contests(), combine=COMBINE, normaliser=NORMALISER, k=st.floats(1, 100))
def test_nothing_is_made_or_lost(contest: Contest, combine: Combine, normaliser: Normaliser, k: float) -> None:
    figures = figures_of(*contest, combine=combine, normaliser=normaliser)
    assert sum(side.factor * side.surplus for side in figures) * k == pytest.approx(0, abs=1e-9)
    assert all(side.surplus == pytest.approx(side.score - side.expected, abs=1e-9) for side in figures)


@examples(200)
@given(contest=contests(), k=st.floats(0.1, 100))
def test_a_contest_moves_nobody_by_k(contest: Contest, k: float) -> None:
    assert all(abs(change) < k for change in side_changes(*contest, k))


@examples(200)
@given(contest=contests(), combine=COMBINE, normaliser=NORMALISER)
def test_alone_in_first_place_nobody_falls_and_alone_in_last_place_nobody_rises(
    contest: Contest, combine: Combine, normaliser: Normaliser
) -> None:
    _, places = contest
    changes = side_changes(*contest, 20, combine=combine, normaliser=normaliser)
    if places.count(1) == 1:
        assert changes[places.index(1)] >= 0
    if places.count(max(places)) == 1:
        assert changes[places.index(max(places))] <= 0


@examples(200)
@given(contest=contests(), combine=COMBINE, turn=st.integers(1, 7))
def test_the_order_of_sides_and_of_members_decides_nothing(contest: Contest, combine: Combine, turn: int) -> None:
    sides, places = contest
    order = [(number + turn) % len(sides) for number in range(len(sides))]
    straight = side_changes(sides, places, 20, combine=combine)
    turned = side_changes([sides[each][::-1] for each in order], [places[each] for each in order], 20, combine=combine)
    assert turned == pytest.approx([straight[each] for each in order], abs=1e-10)


@examples(200)
@given(contest=contests(), combine=COMBINE)
def test_equals_who_share_a_place_move_alike(contest: Contest, combine: Combine) -> None:
    sides, places = contest
    changes = side_changes([*sides, sides[0]], [*places, places[0]], 20, combine=combine)
    assert changes[0] == pytest.approx(changes[-1], abs=1e-10)


@examples(200)
@given(contest=contests(), by=st.floats(-2000, 2000))
def test_only_gaps_count(contest: Contest, by: float) -> None:
    sides, places = contest
    shifted = side_changes([[rating + by for rating in side] for side in sides], places, 20)
    assert shifted == pytest.approx(side_changes(sides, places, 20), abs=1e-9)


@examples(200)
@given(contest=contests(), combine=COMBINE, data=st.data())
def test_a_better_place_is_never_worse(contest: Contest, combine: Combine, data: st.DataObject) -> None:
    """Two sides change places; who comes to the better one does not change for the worse."""
    sides, places = contest
    one, other = data.draw(st.lists(st.integers(0, len(sides) - 1), min_size=2, max_size=2, unique=True))
    swapped = list(places)
    swapped[one], swapped[other] = places[other], places[one]
    gainer = one if places[other] <= places[one] else other
    before, after = (side_changes(sides, each, 20, combine=combine)[gainer] for each in (places, swapped))
    assert after >= before - 1e-12


def test_figures_stay_figures_for_any_gap() -> None:
    sides = [[5000.0 * number] * 32 for number in range(64)]
    changes = side_changes(sides, list(range(1, 65)), 20, combine="sum")
    assert changes[0] == 20.0
    assert changes[-1] == -20.0
    assert sum(changes) == pytest.approx(0, abs=1e-9)


# --- scores ----------------------------------------------------------------------------------------------------------
@st.composite
def scored(draw: st.DrawFn) -> tuple[list[list[float]], list[int], list[float | None]]:
    sides, _ = draw(contests())
    scores = draw(st.lists(st.integers(0, 100), min_size=len(sides), max_size=len(sides)))
    return sides, [1 + sum(other > own for other in scores) for own in scores], [float(score) for score in scores]


Scored = tuple[list[list[float]], list[int], list[float | None]]


def test_scores_count_pair_by_pair() -> None:
    """Three equals, 40, 20 and 0 points: by the share 2/3 and 1, by a lead of 30 at most 5/6 and 1, by the factor 1.58
    and 2.32 times."""
    changes = {
        margin.kind: side_changes([[1500]] * 3, [1, 2, 3], 20, [40, 20, 0], margins=margin)[0]
        for margin in (LOG, SHARE, CAPPED)
    }
    wanted = {
        "log": 10 * (1.5849625 + 2.3219281) / 2,
        "share": 20 * (1 / 6 + 1 / 2) / 2,
        "capped": 20 * (1 / 3 + 1 / 2) / 2,
    }
    assert changes == {kind: pytest.approx(change, abs=1e-6) for kind, change in wanted.items()}


@examples(200)
@given(contest=scored(), margin=MARGINS, normaliser=NORMALISER)
def test_scores_make_and_lose_nothing(contest: Scored, margin: MarginRule, normaliser: Normaliser) -> None:
    sides, places, scores = contest
    figures = figures_of(sides, places, scores, margins=margin, normaliser=normaliser)
    assert sum(side.factor * side.surplus for side in figures) == pytest.approx(0, abs=1e-9)
    assert all(side.surplus == pytest.approx(side.score - side.expected, abs=1e-9) for side in figures)
    if margin is LOG:
        assert all(abs(change) < 3 for change in side_changes(sides, places, 1, scores, margins=margin))


@examples(200)
@given(contest=scored(), margin=st.sampled_from([LOG, SHARE, CAPPED]), more=st.integers(0, 50))
def test_more_points_are_never_less_for_the_first(contest: Scored, margin: MarginRule, more: int) -> None:
    sides, places, scores = contest
    first = places.index(1)
    raised = [(own or 0) + more if place == first else own for place, own in enumerate(scores)]
    if places.count(1) > 1:
        return
    before, after = (side_changes(sides, places, 20, each, margins=margin)[first] for each in (scores, raised))
    assert after >= before - 1e-9
    assert margin is not LOG or before >= 0


@examples(200)
@given(contest=scored(), times=st.integers(2, 9), margin=st.sampled_from([LOG, SHARE, CAPPED]))
def test_another_measure_of_the_points_changes_nothing(contest: Scored, times: int, margin: MarginRule) -> None:
    sides, places, scores = contest
    larger = MarginRule(margin.kind, margin.unit * times, margin.cap)
    found = side_changes(sides, places, 20, [times * (own or 0) for own in scores], margins=larger)
    assert found == pytest.approx(side_changes(sides, places, 20, scores, margins=margin), abs=1e-9)


@examples(200)
@given(contest=scored(), margin=MARGINS, turn=st.integers(1, 7))
def test_the_order_of_scored_sides_decides_nothing(contest: Scored, margin: MarginRule, turn: int) -> None:
    order = [(number + turn) % len(contest[0]) for number in range(len(contest[0]))]
    straight = side_changes(*contest[:2], 20, contest[2], margins=margin)
    sides, places, scores = ([column[each] for each in order] for column in contest)
    assert side_changes(sides, places, 20, scores, margins=margin) == pytest.approx(
        [straight[each] for each in order], abs=1e-9
    )


@pytest.mark.parametrize("margin", [LOG, NFL, SHARE, CAPPED])
def test_a_side_without_a_score_counts_by_its_place(margin: MarginRule) -> None:
    sides: list[list[float]] = [[1600], [1500], [1450]]
    assert side_changes(sides, [1, 2, 3], 20, [9, None, None], margins=margin) == side_changes(sides, [1, 2, 3], 20)


def test_the_nfl_form_is_for_two_sides() -> None:
    sides: list[list[float]] = [[1600], [1500], [1450]]
    assert side_changes(sides, [1, 2, 3], 20, [9, 3, 0], margins=NFL) == side_changes(sides, [1, 2, 3], 20)
    pair = side_changes([[1500, 1700], [1500]], [1, 2], 20, [24, 3], margins=NFL)
    assert pair[0] == pytest.approx(20 * (1 - expected_score(1600, 1500)) * 2.956646, abs=1e-4)


@pytest.mark.parametrize("raw", [{"preset": "xiangqi"}, {"preset": "fide"}, {"preset": "us-chess"}])
def test_what_knows_games_of_two_only_rates_no_contests(raw: dict[str, Any]) -> None:
    assert Elo().contest_rater(Elo().read_settings(raw)) is None
