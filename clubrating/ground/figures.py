"""How figures are written: points with ½, changes with a true minus, ratings as whole numbers. Pure text."""

from collections.abc import Sequence
from fractions import Fraction
from math import floor

MINUS = "\u2212"
_FRACTIONS = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}


def round_half_away(value: float) -> int:
    """The nearest whole number, halves away from zero (2.5 → 3, −2.5 → −3), as ratings are rounded."""
    return floor(abs(value) + 0.5) * (1 if value >= 0 else -1)


def signed(value: float) -> str:
    """A change as a whole number with its sign: +6, −4, 0."""
    whole = round_half_away(value)
    return f"+{whole}" if whole > 0 else f"{MINUS}{-whole}" if whole < 0 else "0"


def signed_tenths(value: float) -> str:
    """A change to one decimal with its sign: +12.3, −0.4, 0.0."""
    text = f"{abs(value):.1f}"
    return text if text == "0.0" else f"+{text}" if value > 0 else f"{MINUS}{text}"


def fraction_text(value: Fraction) -> str:
    """An exact number with ¼, ½, ¾ where they fit, else with two decimals: 40¼, ½, 0, 12.33."""
    whole, rest = divmod(value, 1)
    if rest == 0:
        return str(whole)
    sign = _FRACTIONS.get(Fraction(rest))
    if sign is None:
        return f"{float(value):.2f}"
    return f"{whole}{sign}" if whole else sign


def points_text(points: int, unit: int = 2) -> str:
    """Points given in `unit`ths: 7 half-points → 3½."""
    return fraction_text(Fraction(points, unit))


def percents(shares: Sequence[float]) -> list[int]:
    """Shares of one whole as whole per cents that add up to 100; what rounding leaves over goes to the largest rests,
    the first of equal ones."""
    exact = [100.0 * share for share in shares]
    whole = [floor(value) for value in exact]
    left = round(sum(exact)) - sum(whole)
    for index in sorted(range(len(exact)), key=lambda at: whole[at] - exact[at])[:left]:
        whole[index] += 1
    return whole
