"""The study's measures on a given stream, by hand and by a second way."""

import pytest

from ratings.lab.contenders import STUDY, Contender, contenders
from ratings.lab.game_log import Games, measure, stream_report

WEAK, MIDDLE, STRONG = 10.0, 20.0, 80.0
ELO = contenders(["elo"])[0]


def games(*rows: tuple[int, int, float]) -> Games:
    white, black, scores = zip(*rows, strict=True)
    return Games(white, black, scores)


@pytest.mark.parametrize("each", STUDY, ids=lambda each: each.key)
def test_the_index_of_three_players(each: Contender) -> None:
    """The strongest beats the weakest: 80, 20, 10 costs 1 + 0; where a floor holds the weakest level with the middle
    one, he keeps his place above him, and 80, 10, 20 costs 1 + 2. The other way round 10, 20, 80 costs 2 + 3."""
    with_floor = 3 if each.key in ("solo-zerg", "r2") else 1
    strengths = [WEAK, MIDDLE, STRONG]
    assert measure(strengths, games(*[(2, 0, 1.0)] * 100), each).index == [with_floor]
    assert measure(strengths, games(*[(0, 2, 1.0)] * 100), each).index == [5]


def test_equal_ratings_keep_the_order_of_the_file_and_the_report_names_players_in_it() -> None:
    drawn = games(*[(0, 1, 0.5)] * 100)
    league = contenders(["league"])[0]
    assert measure([WEAK, STRONG], drawn, league).index == [3]
    assert measure([STRONG, WEAK], drawn, league).index == [1]
    rows = games(*[(1, 0, 1.0)] * 1000)
    found = stream_report(["zoe", "abe"], [1.0, 2.0], rows, contenders(["kd", "elo"]))
    assert list(found["systems"]) == ["kd", "elo"]
    assert list(found["systems"]["elo"]["ratings"]["1000"]) == ["zoe", "abe"]
    assert found["systems"]["elo"]["index"] == [0] * 10


def test_a_draw_leaves_four_systems_alone_and_counts_as_a_game() -> None:
    wins, drawn = [(0, 1, 1.0)] * 500, [(0, 1, 0.5)] * 500
    for key, is_moved in {"league": 0, "solo-zerg": 0, "r2": 0, "kd": 0, "elo": 1, "glicko": 1}.items():
        each = contenders([key])[0]
        found = measure([1.0, 1.0], games(*wins, *drawn), each)
        assert list(found.ratings) == [1000]
        assert len(found.index) == 10
        halves = measure([1.0, 1.0], games(*drawn, *wins), each)
        assert (found.ratings != halves.ratings) == bool(is_moved)


def test_ratings_stand_at_the_milestones_that_are_reached() -> None:
    rows = [(number % 3, (number + 1) % 3, 1.0) for number in range(10_050)]
    found = measure([WEAK, MIDDLE, STRONG], games(*rows), ELO)
    assert list(found.ratings) == [1000, 10_000]
    assert len(found.index) == 100
    first = measure([WEAK, MIDDLE, STRONG], games(*rows[:1000]), ELO)
    assert (first.ratings[1000], first.index) == (found.ratings[1000], found.index[:10])


def test_elo_by_hand() -> None:
    """A loop of its own, by the study's chapter on Elo: K 25 below 1000, 15 below 2400, 10 above."""

    def k(rating: float) -> float:
        return 25.0 if rating < 1000.0 else 15.0 if rating < 2400.0 else 10.0

    ratings = [1000.0] * 3
    rows = [(number % 3, (number + 1) % 3, 1.0 if number % 5 else 0.5) for number in range(1000)]
    for white, black, score in rows:
        own, other = ratings[white], ratings[black]
        expected = 1.0 / (1.0 + 10.0 ** ((other - own) / 400.0))
        ratings[white] += k(own) * (score - expected)
        ratings[black] += k(other) * (expected - score)
    assert measure([WEAK, MIDDLE, STRONG], games(*rows), ELO).ratings[1000] == pytest.approx(ratings)
