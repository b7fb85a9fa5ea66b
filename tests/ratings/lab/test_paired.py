"""Student's interval of paired differences: printed values, and what pairing is for."""

import pytest

from ratings.lab.summary import difference, student, within


def test_the_printed_table_of_students_t() -> None:
    for freedom, printed in (
        (1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (29, 2.045),
        (30, 2.042), (120, 1.980),
    ):  # fmt: skip
        assert round(student(freedom), 3) == printed


def test_one_degree_of_freedom_is_cauchys_law_and_many_are_the_normal_law() -> None:
    assert within(1.0, 1) == pytest.approx(0.5)
    assert student(2000) == pytest.approx(1.96, abs=2e-3)
    for freedom in (1, 2, 7, 12):
        assert (within(0.0, freedom), within(1e9, freedom)) == pytest.approx((0.0, 1.0))


def test_a_worked_example_one_that_is_certain_and_one_without_interval() -> None:
    found = difference([1.0, 2.0, 3.0], [0.0, 0.0, 0.0])  # mean 2, standard error 1/√3, t 4.3027
    assert found.mean == 2.0
    assert found.high is not None
    assert found.low is not None
    assert found.high - 2.0 == pytest.approx(2.4841, abs=1e-4)
    assert 2.0 - found.low == pytest.approx(2.4841, abs=1e-4)
    found = difference([3.0, 8.0, 1.0], [2.0, 7.0, 0.0])
    assert (found.mean, found.low, found.high) == (1.0, 1.0, 1.0)
    assert difference([4.0], [1.0]) == (3.0, None, None)
    with pytest.raises(ValueError, match="zip"):
        difference([1.0, 2.0], [1.0])
