"""Finite fields of the few orders that schedules of tables and doubles are built from.

An element of a field of order pᵏ is a number 0…pᵏ−1: its digits to the base p are the coefficients of a polynomial,
lowest first. The modulus is the first monic polynomial under which some element generates all others but 0.
"""

from collections.abc import Sequence


class Field:
    """Raises ValueError for an order that is no prime power."""

    def __init__(self, order: int) -> None:
        self.order = order
        self._prime, self._degree = _prime_and_degree(order)
        for low in range(order):
            self._modulus = self._digits(low)
            for generator in range(1, order):
                powers = self._powers(generator)
                if len(set(powers)) == order - 1 and 0 not in powers:
                    self.powers = powers
                    self._log = {value: power for power, value in enumerate(powers)}
                    return
        raise ValueError(f"no field of order {order} found")

    def add(self, one: int, other: int) -> int:
        return self._number([a + b for a, b in zip(self._digits(one), self._digits(other), strict=True)])

    def multiply(self, one: int, other: int) -> int:
        if not one or not other:
            return 0
        return self.powers[(self._log[one] + self._log[other]) % (self.order - 1)]

    def _powers(self, generator: int) -> list[int]:
        powers = [1]
        while len(powers) < self.order - 1:
            powers.append(self._product(powers[-1], generator))
        return powers

    def _product(self, one: int, other: int) -> int:
        """Multiplication of polynomials modulo the modulus (x to the degree is minus its lower coefficients)."""
        total, shifted = [0] * self._degree, self._digits(one)
        for digit in self._digits(other):
            total = [a + digit * b for a, b in zip(total, shifted, strict=True)]
            top = shifted[-1]
            shifted = [a - top * b for a, b in zip([0, *shifted[:-1]], self._modulus, strict=True)]
        return self._number(total)

    def _digits(self, number: int) -> list[int]:
        return [number // self._prime**place % self._prime for place in range(self._degree)]

    def _number(self, digits: Sequence[int]) -> int:
        return sum(digit % self._prime * self._prime**place for place, digit in enumerate(digits))


def is_prime_power(order: int) -> bool:
    try:
        _prime_and_degree(order)
    except ValueError:
        return False
    return True


def _prime_and_degree(order: int) -> tuple[int, int]:
    prime = next((factor for factor in range(2, order + 1) if order % factor == 0), 0)
    degree = next((degree for degree in range(1, 20) if prime**degree == order), 0)
    if not prime or not degree:
        raise ValueError(f"{order} is no prime power")
    return prime, degree
