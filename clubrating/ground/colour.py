"""Colours by numbers: contrast, what dichromats see, and how far two colours are apart. Pure.

Contrast: WCAG 2.2, "relative luminance" and "contrast ratio". Dichromacy: Viénot, Brettel and Mollon (1999), "Digital
video colourmaps for checking the legibility of displays by dichromats", protanopia and deuteranopia. Distance: CIE 1976
(ΔE*ab) under D65; about 2.3 can just be told apart.
"""

import math
import re
from dataclasses import dataclass
from typing import Literal

Deficiency = Literal["protanopia", "deuteranopia"]
Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

_TO_LMS: Matrix = ((17.8824, 43.5161, 4.11935), (3.45565, 27.1554, 3.86714), (0.0299566, 0.184309, 1.46709))
_TO_RGB: Matrix = (
    (0.0809444479, -0.130504409, 0.116721066),
    (-0.0102485335, 0.0540193266, -0.113614708),
    (-0.000365296938, -0.00412161469, 0.693511405),
)
_SEEN: dict[Deficiency, Matrix] = {
    "protanopia": ((0, 2.02344, -2.52581), (0, 1, 0), (0, 0, 1)),
    "deuteranopia": ((1, 0, 0), (0.494207, 0, 1.24827), (0, 0, 1)),
}
_TO_XYZ: Matrix = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
_D65: Triple = (0.95047, 1.0, 1.08883)


@dataclass(frozen=True, slots=True)
class Token:
    """A colour of the stylesheet: its name and what it is in the light and in the dark, as #rrggbb."""

    name: str
    light: str
    dark: str


def tokens_of(stylesheet: str) -> dict[str, Token]:
    """The colours `--name: light-dark(#…, #…)` of a stylesheet by name, the first of each: those of no preference."""
    found: dict[str, Token] = {}
    for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", stylesheet):
        found.setdefault(name, Token(name, light, dark))
    return found


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 … 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def seen_with(colour: str, deficiency: Deficiency) -> str:
    """What somebody with that deficiency sees instead."""
    linear = _times(_TO_RGB, _times(_SEEN[deficiency], _times(_TO_LMS, _linear(colour))))
    return "#" + "".join(f"{round(255 * _encoded(value)):02x}" for value in linear)


def distance(one: str, other: str) -> float:
    """ΔE*ab of two colours."""
    return math.dist(_lab(one), _lab(other))


def _linear(colour: str) -> Triple:
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return _decoded(red), _decoded(green), _decoded(blue)


def _decoded(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _encoded(value: float) -> float:
    value = min(max(value, 0.0), 1.0)
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


def _luminance(colour: str) -> float:
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _times(matrix: Matrix, vector: Triple) -> Triple:
    one, two, three = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return one, two, three


def _lab(colour: str) -> Triple:
    x, y, z = (_root(value / white) for value, white in zip(_times(_TO_XYZ, _linear(colour)), _D65, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _root(value: float) -> float:
    return value ** (1 / 3) if value > (6 / 29) ** 3 else value / (3 * (6 / 29) ** 2) + 4 / 29
