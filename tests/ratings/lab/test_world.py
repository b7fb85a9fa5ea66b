"""The study's world: who plays how often, who wins how often, and the same games from the same seed."""

from collections import Counter
from math import sqrt

import numpy
import pytest

from ratings.lab import world
from ratings.lab.engine import PLAIN
from ratings.lab.world import GROUPS, NEWCOMERS_EVERY, STRENGTHS, Person, UniformNumbers, group, meet, stretches

Games = list[tuple[int, int, float]]


def drawn(games: int, seed: int = 1, replication: int = 0, *, newcomers: bool = False) -> Games:
    parts = stretches(games, seed, replication, PLAIN, newcomers=newcomers)
    return [game for part in parts for game in zip(part.white, part.black, part.scores, strict=True)]


def test_four_groups_of_35_in_the_order_of_their_making_play() -> None:
    people = group()
    assert len(people) == 35
    assert [person.name for person in people[:6]] == ["10-10", "10-20", "10-40", "10-80", "10-160", "20-10"]
    assert people[-1] == Person(640.0, 160.0)
    assert len(set(people)) == 35
    (only,) = stretches(10, 1, 0, PLAIN)
    assert only.joining == group() * GROUPS
    assert len(only.joining) == 140
    assert 400 * numpy.log10(STRENGTHS[1] / STRENGTHS[0]) == pytest.approx(120.41, abs=0.005)


def test_a_game_by_hand() -> None:
    """Two players; 0 plays at a sixteenth of the frequency of 1. Doubles: place, whether he comes, …, result."""
    rng = [
        0.4, 0.07,  # player 0 is drawn: 0.07 × 160 = 11.2, not below 10: he does not come
        0.9, 0.99,  # player 1 comes: 158.4 < 160
        0.6, 0.0,   # player 1 again, who cannot meet himself
        0.1, 0.06,  # player 0 comes: 9.6 < 10
        0.49,       # of 40 + 40: 39.2 < 40, so the first one drawn wins
        0.0, 0.0,   # player 0 comes, and here the numbers end
    ]  # fmt: skip
    white, black, scores = [0, 0], [0, 0], [0.5, 0.5]
    assert meet(rng, [10.0, 160.0], [40.0, 40.0], white, black, scores, 0) == (1, 9)
    assert (white[0], black[0], scores[0]) == (1, 0, 1.0)
    assert scores[1] == 0.5


def test_exactly_the_bound_is_not_below_it_and_a_game_the_numbers_do_not_suffice_for_is_not_begun() -> None:
    for length in range(6):
        white, black, scores = [0], [0], [0.5]
        rng = [0.0, 0.0, 0.5, 0.0, 0.5][:length]
        begun = length == 5
        assert meet(rng, [160.0, 160.0], [40.0, 40.0], white, black, scores, 0) == ((1, 5) if begun else (0, 0))
        assert scores == [0.0 if begun else 0.5]


def test_nobody_meets_himself_and_the_first_one_is_drawn_by_frequency() -> None:
    """Chi-square over 140 players, in standard deviations above its mean."""
    games, people = drawn(60_000), group() * GROUPS
    assert all(white != black for white, black, _score in games)
    assert {score for _white, _black, score in games} == {0.0, 1.0}
    seen = Counter(white for white, _black, _score in games)
    share = len(games) / sum(person.frequency for person in people)
    meant = [share * person.frequency for person in people]
    chi_square = sum((seen[place] - count) ** 2 / count for place, count in enumerate(meant))
    assert abs(chi_square - 139) / sqrt(2 * 139) < 4


def test_the_same_seed_gives_the_same_games_and_a_longer_run_begins_alike() -> None:
    assert drawn(500) == drawn(500)
    assert len({tuple(drawn(500, seed, number)) for seed in (1, 2) for number in (0, 1, 2)}) == 6
    assert drawn(2000)[:700] == drawn(700)


@pytest.mark.parametrize("block", [11, 97, 4096])
def test_the_size_of_a_block_of_random_numbers_does_not_matter(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    expected = drawn(800)
    monkeypatch.setattr(world, "BLOCK", block)
    assert drawn(800) == expected


def test_unused_doubles_go_before_the_next_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world, "BLOCK", 4)
    rng = UniformNumbers(1, 0)
    first = rng.more().tolist()
    rng.use(3)
    assert rng.more().tolist()[0] == first[3]
    straight = numpy.random.Generator(numpy.random.PCG64([1, 0])).random(8)
    assert first + rng.left.tolist()[1:] == straight.tolist()


@pytest.mark.extended
def test_newcomers_join_after_every_22000_games_up_to_280() -> None:
    parts = list(stretches(100_000, 1, 0, PLAIN, newcomers=True))
    assert NEWCOMERS_EVERY == 22_000
    assert [len(part.scores) for part in parts] == [22_000] * 4 + [12_000]
    assert [len(part.joining) for part in parts] == [140, 35, 35, 35, 35]
    assert all(part.joining == group() for part in parts[1:])
    known = 0
    for part in parts:
        known += len(part.joining)
        assert max(*part.white, *part.black) == known - 1  # newcomers play at once, nobody before he has joined
    assert known == 280
    assert drawn(23_000, newcomers=True)[:22_000] == drawn(23_000)[:22_000]
    assert len(list(stretches(22_000, 1, 0, PLAIN, newcomers=True))) == 1
