"""Series of tables: everybody once a round, sizes and small tables even, few meet twice, and what is optimal is."""

from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.choosing import examples
from tournaments.pairing.fields import Field
from tournaments.pairing.tables import SeatingQuality, seat_round, seat_series, seating_quality, table_sizes


@pytest.mark.parametrize("order", [2, 3, 4, 5, 7, 8, 9])
def test_a_field_has_inverses_and_distributes(order: int) -> None:
    field, numbers = Field(order), range(order)
    assert all({field.multiply(a, b) for b in numbers} == set(numbers) for a in numbers if a)
    assert all({field.add(a, b) for b in numbers} == set(numbers) for a in numbers)
    for a, b, c in product(numbers, repeat=3):
        assert field.multiply(a, field.add(b, c)) == field.add(field.multiply(a, b), field.multiply(a, c))


@pytest.mark.parametrize(
    ("players", "wished", "sizes"),
    [(10, 4, (4, 3, 3)), (5, 4, (5,)), (15, 3, (3,) * 5), (17, 8, (6, 6, 5)), (3, 8, (3,)), (9, 4, (5, 4))],
)
def test_sizes_are_near_to_the_wished_one(players: int, wished: int, sizes: tuple[int, ...]) -> None:
    assert table_sizes(players, wished) == sizes


@pytest.mark.parametrize(("players", "wished"), [(2, 4), (201, 4), (10, 2), (10, 9)])
def test_other_numbers_are_refused(players: int, wished: int) -> None:
    with pytest.raises(ValueError, match="3 to 200 players sit at tables of 3 to 8"):
        table_sizes(players, wished)


def test_quality_counts_meetings_seats_and_the_fewest_repeats_there_can_be() -> None:
    """Each sits with two others six times: of five, two three times and three twice are the fewest repeats."""
    quality = seating_quality([((1, 2, 3), (4, 5, 6))] * 6)
    assert quality == SeatingQuality(meetings=(9, 0, 0, 0, 0, 0, 6), repeats=90, bound=27, seat_spread=6)
    assert not quality.is_optimal


@given(st.integers(3, 200), st.integers(3, 8))
def test_sizes_differ_by_at_most_one(players: int, wished: int) -> None:
    sizes = table_sizes(players, wished)
    assert sum(sizes) == players
    assert 3 <= min(sizes) <= max(sizes) <= min(8, min(sizes) + 1)


@pytest.mark.parametrize("order", [3, 4, 5, 7, 8])
def test_a_square_of_a_prime_power_meets_everybody_exactly_once(order: int) -> None:
    quality = seating_quality(seat_series(range(order**2), order, order + 1, seed=1))
    assert quality.meetings == (0, order**2 * (order**2 - 1) // 2)
    assert quality.is_optimal


def test_the_search_finds_what_is_known_to_exist() -> None:
    assert seating_quality(seat_series(range(20), 4, 5, seed=1)).repeats == 0, "five tables of four, five rounds"
    assert seating_quality(seat_series(range(15), 3, 7, seed=1)).meetings == (0, 105), "all of fifteen meet once"
    assert seating_quality(seat_series(range(4), 4, 4, seed=1)).seat_spread <= 1, "seats go round"


@examples(100)
@given(st.integers(3, 22), st.integers(3, 8), st.integers(1, 4), st.integers(0, 99))
def test_everybody_sits_once_a_round_and_small_tables_go_round(
    monkeypatch: pytest.MonkeyPatch, n: int, wished: int, rounds: int, seed: int
) -> None:
    monkeypatch.setattr("tournaments.pairing.tables.STEPS", 2000)  # it holds wherever the search stops
    drawn = seat_series(range(n), wished, rounds, seed=seed)
    small = dict.fromkeys(range(n), 0)
    for seating in drawn:
        assert sorted(player for table in seating for player in table) == list(range(n))
        assert sorted(map(len, seating)) == sorted(table_sizes(n, wished))
        for table in seating:
            for player in table:
                small[player] += len(table) < max(map(len, seating))
        assert max(small.values()) - min(small.values()) <= 1
    quality = seating_quality(drawn)
    assert quality.repeats >= quality.bound


def test_a_seed_gives_one_seating() -> None:
    one, same, other = (seat_series(range(18), 3, 3, seed=seed) for seed in (5, 5, 6))
    assert one == same != other
    small = {frozenset(seat_series(range(7), 4, 1, seed=seed)[0][1]) for seed in range(9)}
    assert len(small) > 4, "who sits at the small table is drawn"


def test_the_next_round_parts_those_who_met_when_players_come_and_go() -> None:
    first = seat_round(range(12), 3, [], seed=1)
    second = seat_round([*range(1, 12), 20], 3, [first], seed=2)
    met = {pair for table in first for pair in combinations(sorted(table), 2)}
    assert not met & {pair for table in second for pair in combinations(sorted(table), 2)}


def test_whoever_is_listed_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        seat_series([1, 1, 2], 3, 1, seed=1)
