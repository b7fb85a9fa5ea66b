"""The adviser: what it says of a field, a hall and the formats asked for."""

from dataclasses import replace

import numpy
import pytest

from ratings.systems.draws import odds_of
from tournaments.forecast.adviser import ASSUMED_RATE, Advice, Field, advise, even_steps
from tournaments.forecast.formats import Format, Hall, Kind, usual_formats
from tournaments.pairing.base import PairingError

CLUB = Field(tuple(1400.0 + 40.0 * player for player in range(16)))
HALL = Hall(evenings=7, boards=8)
ROUND_ROBIN, SWISS = Format(Kind.ROUND_ROBIN), Format(Kind.SWISS, rounds=7)
KNOCKOUT, GROUPS = Format(Kind.KNOCKOUT), Format(Kind.GROUPS, groups=4)
ALL = (ROUND_ROBIN, SWISS, KNOCKOUT, GROUPS)


def of(form: Format, field: Field = CLUB, hall: Hall = HALL, samples: int = 200, seed: int = 1) -> Advice:
    return advise(field, hall, [form], samples=samples, seed=seed)[0]


def test_what_fits_seven_evenings_and_how_many_games_everybody_has() -> None:
    found = [(one.form, one.evenings, one.games_each, one.fewest, one.most) for one in advise(CLUB, HALL, ALL, seed=1)]
    assert found == [
        (ROUND_ROBIN, 15, 15.0, 15, 15), (SWISS, 7, 7.0, 7, 7),
        (KNOCKOUT, 4, 30 / 16, 1, 4), (GROUPS, 6, 62 / 16, 3, 6),
    ]  # fmt: skip
    assert [one.fits for one in advise(CLUB, HALL, ALL, seed=1)] == [False, True, True, True]


def test_one_sided_games_are_counted_exactly_and_who_never_draws_is_less_often_level() -> None:
    # Ten steps of 40 are 400 points, 0.909; nine are 0.888. Gaps of 10 … 15 steps: 6 + 5 + … + 1 of 120 pairs.
    assert of(ROUND_ROBIN).one_sided.value == 21 / 120
    assert of(ROUND_ROBIN).one_sided.error == pytest.approx(0.0, abs=1e-12)
    assert of(SWISS).one_sided.value < of(KNOCKOUT).one_sided.value, "a seeded first round is the most one-sided"
    decided = of(ROUND_ROBIN, Field((1500.0,) * 4, rate=0.0), samples=1000)
    # Four equals, six games without a draw: of 64 outcomes 24 are 3–2–1–0 and 8 are 3–1–1–1; the others are level on 2.
    assert abs(decided.tied_first.value - 32 / 64) <= 4 * decided.tied_first.error


@pytest.mark.parametrize("form", ALL, ids=lambda form: form.kind)
def test_among_equals_the_first_wins_as_often_as_any(form: Format) -> None:
    found = of(form, Field((1500.0,) * 16), samples=600).best_wins
    assert abs(found.value - 1 / 16) <= 4 * found.error


def test_more_games_find_the_best_more_often_and_only_points_can_be_level() -> None:
    once, twice = (of(form, samples=2000).best_wins for form in (ROUND_ROBIN, Format(Kind.ROUND_ROBIN, cycles=2)))
    assert twice.value - once.value > 4 * (twice.error + once.error) / 2
    assert of(KNOCKOUT).tied_first.value == of(GROUPS).tied_first.value == 0.0
    assert 0.0 < of(ROUND_ROBIN).tied_first.value < of(SWISS).tied_first.value < 1.0


def test_the_error_is_that_of_the_mean() -> None:
    assert of(KNOCKOUT, samples=800).best_wins.error == pytest.approx(of(KNOCKOUT).best_wins.error / 2, rel=0.1)
    chances = [of(KNOCKOUT, samples=50, seed=seed).best_wins for seed in range(60)]
    spread = float(numpy.std([chance.value for chance in chances], ddof=1))
    assert spread == pytest.approx(float(numpy.mean([chance.error for chance in chances])), rel=0.35)


@pytest.mark.extended
def test_what_else_is_asked_the_order_of_ratings_and_the_boards_change_no_chance() -> None:
    assert advise(CLUB, HALL, ALL, samples=50, seed=3)[1] == of(SWISS, samples=50, seed=3)
    assert of(SWISS, samples=50, seed=3) != of(SWISS, samples=50, seed=4)
    assert of(GROUPS, Field(CLUB.ratings[::-1])) == of(GROUPS)
    narrow = of(SWISS, hall=Hall(evenings=7, boards=4, rounds_an_evening=2))
    assert narrow == replace(of(SWISS), sittings=14)
    assert not of(SWISS, hall=Hall(evenings=7, boards=4)).fits


def test_an_unknown_field_draws_three_in_ten_and_stands_at_equal_steps() -> None:
    assert odds_of(0.5, ASSUMED_RATE).draw == pytest.approx(0.3)
    assert even_steps(4, 600.0) == (1800.0, 1600.0, 1400.0, 1200.0)
    assert even_steps(2, 0.0) == (1500.0, 1500.0)


def test_usual_formats_are_all_advised_on() -> None:
    small = Field((1800.0, 1700.0, 1650.0, 1500.0, 1420.0))
    formats = usual_formats(5, HALL)
    found = advise(small, HALL, formats, samples=20, seed=1)
    assert [one.form for one in found] == list(formats)
    assert all(one.samples == 20 and 0.0 <= one.best_wins.value <= 1.0 for one in found)


def test_what_cannot_be_asked() -> None:
    with pytest.raises(ValueError, match="two players"):
        Field((1500.0,))
    with pytest.raises(ValueError, match="at least two"):
        of(SWISS, samples=1)
    assert advise(Field((1500.0, 1400.0)), HALL, [usual_formats(2, HALL)[0]], samples=2, seed=1)[0].samples == 2
    with pytest.raises(PairingError):
        of(Format(Kind.SWISS, rounds=16))
