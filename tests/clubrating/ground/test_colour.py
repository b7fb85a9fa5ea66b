"""Who sees the colours: contrast in both themes, and the probation colour for whoever sees no red or no green."""

from itertools import combinations
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubrating.ground.colour import Deficiency, contrast, distance, seen_with, tokens_of
from tests import ROOT

STYLESHEET = ROOT / "static" / "css" / "club.css"
TOKENS = tokens_of(STYLESHEET.read_text(encoding="utf-8"))
THEMES = ("light", "dark")
colours = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")


def test_printed_values() -> None:
    assert contrast("#000000", "#ffffff") == 21
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)  # the well-known grey just below 4.5
    assert distance("#ffffff", "#000000") == pytest.approx(100, abs=0.01)
    assert distance("#ff0000", "#00ff00") == pytest.approx(170.6, abs=0.1)
    assert distance("#0000ff", "#ffff00") == pytest.approx(235.1, abs=0.1)


@given(colours, colours)
def test_contrast_and_distance_are_the_same_both_ways(one: str, other: str) -> None:
    assert contrast(one, other) == contrast(other, one) >= 1
    assert distance(one, other) == pytest.approx(distance(other, one))


@given(colours, st.sampled_from(get_args(Deficiency)))
def test_what_a_dichromat_sees_he_sees_alike_again(colour: str, deficiency: Deficiency) -> None:
    seen = seen_with(colour, deficiency)
    assert distance(seen_with(seen, deficiency), seen) < 12  # rounding and the edge of what a screen can show


@given(st.integers(0, 255), st.sampled_from(get_args(Deficiency)))
def test_greys_stay_grey(value: int, deficiency: Deficiency) -> None:
    grey = f"#{value:02x}" + f"{value:02x}" * 2
    assert distance(seen_with(grey, deficiency), grey) < 3


def test_red_and_green_come_close_for_a_dichromat() -> None:
    red, green = "#c00000", "#6b6b00"
    for deficiency in get_args(Deficiency):
        assert distance(seen_with(red, deficiency), seen_with(green, deficiency)) < distance(red, green) / 2


TEXT = ("ink", "ink-2", "accent", "probation", "good", "bad", *(f"series-{number}" for number in range(1, 7)))


GROUNDS = ("paper", "surface", "sunken")
# A colour and the ground it is written on.
WRITTEN = [
    *((name, ground) for name in TEXT for ground in GROUNDS),
    *((name, f"{name}-soft") for name in ("probation", "good", "bad")),
    *((name, "accent-soft") for name in ("ink", "ink-2", "accent")),
    ("on-accent", "accent"),
]


def least_contrast(name: str, ground: str) -> float:
    """Of both themes."""
    mark, below = TOKENS[name], TOKENS[ground]
    return min(contrast(getattr(mark, theme), getattr(below, theme)) for theme in THEMES)


def test_text_can_be_read_on_every_ground_and_on_its_tint() -> None:
    assert not [pair for pair in WRITTEN if least_contrast(*pair) < 4.5]


def test_controls_can_be_seen() -> None:
    assert not [ground for ground in GROUNDS if least_contrast("edge", ground) < 3]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("deficiency", get_args(Deficiency))
def test_probation_is_told_apart_by_whoever_sees_no_red_or_no_green(theme: str, deficiency: Deficiency) -> None:
    """From both inks and from the accent; and it can still be read on paper and on its own tint."""
    seen = {name: seen_with(getattr(token, theme), deficiency) for name, token in TOKENS.items()}
    for other in ("ink", "ink-2", "accent"):
        assert distance(seen["probation"], seen[other]) > 40, other
    assert contrast(seen["probation"], seen["paper"]) >= 4.5
    assert contrast(seen["probation"], seen["probation-soft"]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_the_three_colours_that_mean_something_are_far_apart(theme: str) -> None:
    for one, other in combinations(("accent", "probation", "good"), 2):
        assert distance(getattr(TOKENS[one], theme), getattr(TOKENS[other], theme)) > 40


def test_who_asks_for_more_contrast_gets_it() -> None:
    """The block of `prefers-contrast: more` comes after the tokens; its own two colours are read here."""
    more = tokens_of(STYLESHEET.read_text(encoding="utf-8").split("prefers-contrast: more")[1])
    for name in ("probation", "accent"):
        for theme in THEMES:
            paper = getattr(TOKENS["paper"], theme)
            assert contrast(getattr(more[name], theme), paper) >= 7 > 0
            assert contrast(getattr(more[name], theme), paper) > contrast(getattr(TOKENS[name], theme), paper)
