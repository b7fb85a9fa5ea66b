"""The study's world: who plays how often, who wins how often, and the same games from the same seed."""

from collections import Counter
from math import sqrt

import numpy
import pytest

from ratings.lab import world
from ratings.lab.engine import PLAIN
from ratings.lab.world import (
    FREQUENCIES,
    GROUPS,
    NEWCOMERS_EVERY,
    STRENGTHS,
    Dice,
    Person,
    Stretch,
    group,
    meet,
    stretches,
)

Games = list[tuple[int, int, float]]


def games_of(*parts: Stretch) -> Games:
    return [game for part in parts for game in zip(part.white, part.black, part.scores, strict=True)]


def drawn(games: int, seed: int = 1, replication: int = 0, *, newcomers: bool = False) -> Games:
    return games_of(*stretches(games, seed, replication, PLAIN, newcomers=newcomers))


def surprise(observed: list[float], expected: list[float]) -> float:
    """Chi-square in standard deviations above its mean, one degree of freedom less than there are classes."""
    chi_square = sum((seen - meant) ** 2 / meant for seen, meant in zip(observed, expected, strict=True))
    freedom = len(observed) - 1
    return (chi_square - freedom) / sqrt(2 * freedom)


# --- the population --------------------------------------------------------------------------------------------------
def test_a_group_is_35_in_the_order_of_its_making() -> None:
    people = group()
    assert len(people) == 35
    assert [person.name for person in people[:6]] == ["10-10", "10-20", "10-40", "10-80", "10-160", "20-10"]
    assert people[-1] == Person(640.0, 160.0)
    assert len(set(people)) == 35


def test_four_groups_play_a_hundred_and_forty() -> None:
    (only,) = stretches(10, 1, 0, PLAIN)
    assert only.joining == group() * GROUPS
    assert len(only.joining) == 140


def test_a_step_of_strength_is_120_points() -> None:
    assert 400 * numpy.log10(STRENGTHS[1] / STRENGTHS[0]) == pytest.approx(120.41, abs=0.005)


# --- one game by hand ------------------------------------------------------------------------------------------------
def test_a_game_by_hand() -> None:
    """Two players; 0 plays at a sixteenth of the frequency of 1. Doubles: place, whether he comes, …, result."""
    dice = [
        0.4, 0.07,  # player 0 is drawn: 0.07 × 160 = 11.2, not below 10: he does not come
        0.9, 0.99,  # player 1 comes: 158.4 < 160
        0.6, 0.0,   # player 1 again, who cannot meet himself
        0.1, 0.06,  # player 0 comes: 9.6 < 10
        0.49,       # of 40 + 40: 39.2 < 40, so the first one drawn wins
        0.0, 0.0,   # player 0 comes, and here the dice end
    ]  # fmt: skip
    white, black, scores = [0, 0], [0, 0], [0.5, 0.5]
    assert meet(dice, [10.0, 160.0], [40.0, 40.0], white, black, scores, 0) == (1, 9)
    assert (white[0], black[0], scores[0]) == (1, 0, 1.0)
    assert scores[1] == 0.5


def test_a_draw_of_exactly_the_bound_is_not_below_it() -> None:
    white, black, scores = [0], [0], [0.5]
    half = [0.0, 0.0, 0.5, 0.0, 0.5]
    assert meet(half, [160.0, 160.0], [40.0, 40.0], white, black, scores, 0) == (1, 5)
    assert scores == [0.0]


@pytest.mark.parametrize("length", range(5))
def test_a_game_the_dice_do_not_last_for_is_not_begun(length: int) -> None:
    white, black, scores = [0], [0], [0.5]
    dice = [0.0, 0.0, 0.5, 0.0, 0.5][:length]
    assert meet(dice, [160.0, 160.0], [40.0, 40.0], white, black, scores, 0) == (0, 0)
    assert scores == [0.5]


# --- frequencies and results -----------------------------------------------------------------------------------------
GAMES = drawn(60_000)
PEOPLE = group() * GROUPS


def test_nobody_meets_himself_and_there_are_no_draws() -> None:
    assert all(white != black for white, black, _score in GAMES)
    assert {score for _white, _black, score in GAMES} == {0.0, 1.0}


def test_the_first_one_is_drawn_by_frequency() -> None:
    seen = Counter(white for white, _black, _score in GAMES)
    whole = sum(person.frequency for person in PEOPLE)
    expected = [len(GAMES) * person.frequency / whole for person in PEOPLE]
    assert abs(surprise([seen[place] for place in range(140)], expected)) < 4


def test_the_second_one_is_drawn_by_frequency_among_the_others() -> None:
    whole = sum(person.frequency for person in PEOPLE)
    seen = Counter(PEOPLE[black].frequency for _white, black, _score in GAMES)
    expected = dict.fromkeys(FREQUENCIES, 0.0)
    for white, _black, _score in GAMES:
        own = PEOPLE[white].frequency
        for frequency in FREQUENCIES:
            expected[frequency] += (28 * frequency - own * (frequency == own)) / (whole - own)
    assert abs(surprise([seen[each] for each in FREQUENCIES], list(expected.values()))) < 4


def test_results_follow_the_strengths() -> None:
    """Of each pair of strengths, the first wins with probability s₁ / (s₁ + s₂)."""
    wins: Counter[tuple[float, float]] = Counter()
    met: Counter[tuple[float, float]] = Counter()
    for white, black, score in GAMES:
        pair = (PEOPLE[white].strength, PEOPLE[black].strength)
        met[pair] += 1
        wins[pair] += int(score)
    assert len(met) == 49
    off = 0.0
    for (one, two), count in met.items():
        chance = one / (one + two)
        off += (wins[one, two] - count * chance) ** 2 / (count * chance * (1 - chance))
    assert abs(off - 49) / sqrt(2 * 49) < 4


# --- the same games ------------------------------------------------------------------------------------------------
def test_the_same_seed_and_replication_give_the_same_games() -> None:
    assert drawn(500) == drawn(500)
    assert len({tuple(drawn(500, seed, number)) for seed in (1, 2) for number in (0, 1, 2)}) == 6


def test_a_longer_run_begins_like_a_shorter_one() -> None:
    assert drawn(2000)[:700] == drawn(700)


@pytest.mark.parametrize("block", [11, 97, 4096])
def test_the_size_of_a_block_of_dice_does_not_matter(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    expected = drawn(800)
    monkeypatch.setattr(world, "BLOCK", block)
    assert drawn(800) == expected


def test_unused_doubles_go_before_the_next_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world, "BLOCK", 4)
    dice = Dice(1, 0)
    first = dice.more().tolist()
    dice.use(3)
    assert dice.more().tolist()[0] == first[3]
    straight = numpy.random.Generator(numpy.random.PCG64([1, 0])).random(8)
    assert first + dice.left.tolist()[1:] == straight.tolist()


# --- newcomers -------------------------------------------------------------------------------------------------------
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


def test_until_the_first_newcomers_the_variant_is_the_study() -> None:
    """22,000 games of either are the same; the next one is drawn from more people."""
    assert drawn(23_000, newcomers=True)[:22_000] == drawn(23_000)[:22_000]
    assert len(list(stretches(22_000, 1, 0, PLAIN, newcomers=True))) == 1
