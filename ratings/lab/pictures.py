"""The study's charts as pictures: grids of inks, and PNG files of them with numbers at the axes.

Source: the Russian study of six rating systems, its thirteen charts. One column is the table after so many games, every
player's rating is a dot in the colour of what he costs the disorder index, and where dots share a pixel the worse
colour stays. A grid holds the numbers of inks, ordered so that the worse one is the greater; paper and lines have the
lowest, so that any dot covers them.

Readings where the study is silent: a player with nobody below him costs nothing and is green; all charts are equally
high, whatever their range; KD, whose ratings are between 0 and 100, has its lines every 10 instead of every 500.

Pictures hold no words, so they are the same in every language, and the same grid gives the same bytes.
"""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from io import BytesIO
from math import ceil, floor, log10
from pathlib import Path
from typing import NamedTuple

import numpy
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from ratings.lab.contenders import Contender
from ratings.lab.table import penalty

# --- grids -----------------------------------------------------------------------------------------------------------
Grid = NDArray[numpy.uint8]
Colour = tuple[int, int, int]

COLUMNS = 1000
ROWS = 701
DOT_EVERY = 4  # pixels from dot to dot of a dotted line
INDEX_STEP = 20.0


class Ink(IntEnum):
    """What a pixel of a chart of ratings shows; the greater covers the smaller."""

    PAPER = 0
    DOTTED = 1
    ZERO = 2
    GREEN = 3
    DARK_GREEN = 4
    RED = 5
    DARK_RED = 6


FIRST_CURVE = Ink.GREEN  # in the chart of the index: the ink of the first system, the next ones follow


class Scale(NamedTuple):
    """What the rows of a chart stand for: `top` the first, `bottom` the last; a dotted line at every `step`."""

    top: float
    bottom: float = -500.0
    step: float = 500.0


class Look(NamedTuple):
    """How a system is drawn: the range of its own charts, and its colour (red, green, blue) among all the others."""

    scale: Scale
    colour: Colour


ELO_SCALE = Scale(1600.0)
LOOKS: Mapping[str, Look] = {
    "league": Look(Scale(10_000.0), (58, 190, 70)),
    "solo-zerg": Look(Scale(3100.0), (0, 120, 60)),
    "r2": Look(Scale(3100.0), (235, 45, 40)),
    "kd": Look(Scale(100.0, bottom=-5.0, step=10.0), (150, 0, 25)),
    "elo": Look(ELO_SCALE, (0, 0, 0)),
    "glicko": Look(ELO_SCALE, (140, 140, 140)),
    "elo-k20": Look(ELO_SCALE, (0, 90, 200)),
    "elo-k32": Look(ELO_SCALE, (90, 170, 245)),
    "fide": Look(ELO_SCALE, (0, 150, 160)),
    "glicko-c": Look(Scale(2100.0), (150, 60, 190)),
    "glicko2": Look(ELO_SCALE, (225, 130, 0)),
}
NEW_LOOK = Look(ELO_SCALE, (200, 60, 150))  # a system that is not in the table
FLAT = 3.0  # times the range of ratings: a scale so high shows too little of them
PAPER_INKS: dict[int, Colour] = {Ink.PAPER: (255, 255, 255), Ink.DOTTED: (170, 170, 170), Ink.ZERO: (0, 0, 0)}


def look_of(contender: Contender) -> Look:
    """How a contender is drawn."""
    return LOOKS.get(contender.key, NEW_LOOK)


def scale_for(low: float, high: float) -> Scale:
    """A scale with room for all ratings from `low` to `high`: the smallest of the study's own, so that charts can be
    compared; where they would lie flat in it, or none has room, at most ten steps of 1, 2 or 5 times a power of ten."""
    roomy = [look.scale for look in LOOKS.values() if look.scale.bottom <= low and high <= look.scale.top]
    own = min(roomy, key=height, default=None)
    if own and height(own) <= FLAT * (high - low):
        return own
    # Never so small that a step is lost in the digits of the ratings.
    least = max(high - low, 1.0, 1e-6 * max(abs(low), abs(high))) / 9
    power = 10.0 ** floor(log10(least))
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= least)
    return Scale((floor(high / step) + 1) * step, bottom=min(floor(low / step) * step, low), step=step)


def height(scale: Scale) -> float:
    """From bottom to top, in points."""
    return scale.top - scale.bottom


def table_order(order: Sequence[int], ratings: Sequence[float]) -> list[int]:
    """The places of a table in the order of these ratings, highest first; equals keep their order in `order`. A new
    list: the table itself is left as it is."""
    return sorted(order, key=lambda place: -ratings[place])


def points_of(strengths: Sequence[float]) -> NDArray[numpy.int64]:
    """What each player of a sorted table costs by true strength, against the one below him, 0 … 3; the last one has
    nobody below him and costs nothing."""
    return numpy.array([*map(penalty, strengths, strengths[1:]), 0], dtype=numpy.int64)


def rows_of(values: Sequence[float], scale: Scale) -> NDArray[numpy.int64]:
    """The rows nearest to these values, the first row at the top; half-way goes down the chart."""
    heights = (scale.top - numpy.asarray(values, dtype=float)) * (ROWS - 1) / (scale.top - scale.bottom)
    return numpy.asarray(numpy.floor(heights + 0.5), dtype=numpy.int64)


def lines_of(scale: Scale) -> list[float]:
    """The values at which a chart has its lines, 0 among them, lowest first."""
    # A step such as 0.2 is no whole number of anything: ends that are lines but for the last digits are lines.
    first, last = ceil(scale.bottom / scale.step - 1e-6), floor(scale.top / scale.step + 1e-6)
    return [number * scale.step for number in range(first, last + 1)]


def ruled_grid(scale: Scale) -> Grid:
    """An empty chart: paper, a dotted line at every step, a black one at 0."""
    grid = numpy.full((ROWS, COLUMNS), Ink.PAPER, dtype=numpy.uint8)
    values = lines_of(scale)
    for value, row in zip(values, rows_of(values, scale), strict=True):
        if value == 0.0:
            grid[row, :] = Ink.ZERO
        else:
            grid[row, ::DOT_EVERY] = Ink.DOTTED
    return grid


def draw_table(grid: Grid, column: int, ratings: Sequence[float], strengths: Sequence[float], scale: Scale) -> None:
    """Put a sorted table into a column: a dot a player, in his colour; none below the bottom or above the top."""
    values = numpy.asarray(ratings, dtype=float)
    drawn = (values >= scale.bottom) & (values <= scale.top)
    inks = (points_of(strengths) + Ink.GREEN).astype(numpy.uint8)
    numpy.maximum.at(grid[:, column], rows_of(values[drawn].tolist(), scale), inks[drawn])


def index_scale(curves: Sequence[Sequence[float]]) -> Scale:
    """From 0 to the first dotted line that no curve crosses."""
    highest = max((value for curve in curves for value in curve[:COLUMNS]), default=0.0)
    return Scale(INDEX_STEP * max(1, ceil(highest / INDEX_STEP)), bottom=0.0, step=INDEX_STEP)


def index_grid(curves: Sequence[Sequence[float]], scale: Scale) -> Grid:
    """The chart of the index: curve i in ink FIRST_CURVE + i, a column a value, later curves over earlier ones."""
    grid = ruled_grid(scale)
    for number, curve in enumerate(curves):
        rows = rows_of(curve[:COLUMNS], scale)
        for column, row in enumerate(rows):
            before = rows[max(0, column - 1)]
            # Filled from the row of the column before, so that a curve has no gaps.
            grid[min(row, before) : max(row, before) + 1, column] = FIRST_CURVE + number
    return grid


def rating_inks() -> dict[int, Colour]:
    """The colours of a chart of ratings by ink."""
    return PAPER_INKS | {
        Ink.GREEN: LOOKS["league"].colour,
        Ink.DARK_GREEN: LOOKS["solo-zerg"].colour,
        Ink.RED: LOOKS["r2"].colour,
        Ink.DARK_RED: LOOKS["kd"].colour,
    }


def index_inks(contenders: Sequence[Contender]) -> dict[int, Colour]:
    """The colours of the chart of the index by ink."""
    return PAPER_INKS | {FIRST_CURVE + number: look_of(each).colour for number, each in enumerate(contenders)}


def axis_numbers(scale: Scale) -> list[tuple[int, str]]:
    """Rows and the numbers to stand beside them: of every line, and of the top."""
    values = sorted({*lines_of(scale), scale.top})
    return [(int(row), f"{value:g}") for value, row in zip(values, rows_of(values, scale), strict=True)]


def game_numbers(games_a_column: int) -> list[tuple[int, str]]:
    """Columns and the numbers of games to stand below them: the first and every hundredth."""
    return [(column - 1, f"{column * games_a_column}") for column in (1, *range(100, COLUMNS + 1, 100))]


# --- pictures --------------------------------------------------------------------------------------------------------
LEFT, RIGHT, ABOVE, BELOW = 64, 36, 16, 34  # margins, in pixels
TICK, GAP = 5, 4  # a tick's length, the space from it to its number
TEXT_SIZE = 14
NUMBER_SIZE, NUMBER_HEIGHT = 20, 32  # of the charts in the bitmap of all of them
GREYS = 16  # shades between ink and paper, for smooth figures
FIRST_GREY = 64  # inks of charts stay below
PALETTE_SIZE = 256


class Picture(NamedTuple):
    """A grid with what it takes to read it: the colours of its inks, numbers beside rows and below columns."""

    grid: Grid
    colours: Mapping[int, Colour]
    rows: Sequence[tuple[int, str]]
    columns: Sequence[tuple[int, str]]


def rating_picture(grid: Grid, scale: Scale, games_a_column: int) -> Picture:
    """A chart of ratings."""
    return Picture(grid, rating_inks(), axis_numbers(scale), game_numbers(games_a_column))


def index_picture(curves: Sequence[Sequence[float]], contenders: Sequence[Contender], games_a_column: int) -> Picture:
    """The chart of the index: one curve a contender, in their order."""
    scale = index_scale(curves)
    return Picture(index_grid(curves, scale), index_inks(contenders), axis_numbers(scale), game_numbers(games_a_column))


def drawn(picture: Picture) -> Image.Image:
    """The picture with its margins, ticks and numbers, paletted."""
    height, width = picture.grid.shape
    paper = Image.new("L", (LEFT + width + RIGHT, ABOVE + height + BELOW), 255)
    pen, font = ImageDraw.Draw(paper), ImageFont.load_default(TEXT_SIZE)
    for row, text in picture.rows:
        pen.line([(LEFT - TICK, ABOVE + row), (LEFT - 1, ABOVE + row)], fill=0)
        pen.text((LEFT - TICK - GAP, ABOVE + row), text, fill=0, font=font, anchor="rm")
    for column, text in picture.columns:
        foot = ABOVE + height
        pen.line([(LEFT + column, foot), (LEFT + column, foot + TICK - 1)], fill=0)
        pen.text((LEFT + column, foot + TICK + GAP), text, fill=0, font=font, anchor="ma")
    pixels = _greys(paper)
    pixels[ABOVE : ABOVE + height, LEFT : LEFT + width] = picture.grid
    return _paletted(pixels, picture.colours)


def sheet(pictures: Sequence[Image.Image]) -> Image.Image:
    """All the charts one below the other in a single bitmap, each under its number. Charts may give one ink different
    colours; the bitmap's palette holds the colours of all of them."""
    known: dict[Colour, int] = {}
    strips = []
    for number, picture in enumerate(pictures, 1):
        strips += [_renumbered(_strip(number, picture.width), known), _renumbered(picture, known)]
    bitmap = Image.fromarray(numpy.concatenate(strips))
    bitmap.putpalette([value for colour in known for value in colour])
    return bitmap


def png(image: Image.Image) -> bytes:
    """A picture as a PNG file."""
    file = BytesIO()
    image.save(file, format="PNG")
    return file.getvalue()


def save(image: Image.Image, path: Path) -> Path:
    """Write a picture as PNG. The path."""
    path.write_bytes(png(image))
    return path


def _greys(paper: Image.Image) -> Grid:
    """The margins' shades as inks; white is the paper's own."""
    levels = numpy.asarray(paper, dtype=numpy.uint8) // (256 // GREYS)
    return numpy.where(levels == GREYS - 1, Ink.PAPER, levels + FIRST_GREY).astype(numpy.uint8)


def _strip(number: int, width: int) -> Image.Image:
    """A chart's number, to stand above it."""
    paper = Image.new("L", (width, NUMBER_HEIGHT), 255)
    font = ImageFont.load_default(NUMBER_SIZE)
    ImageDraw.Draw(paper).text((GAP, NUMBER_HEIGHT // 2), f"{number}", fill=0, font=font, anchor="lm")
    return _paletted(_greys(paper), PAPER_INKS)


def _renumbered(image: Image.Image, known: dict[Colour, int]) -> Grid:
    """The pixels by the numbers of their colours in `known`, to which new colours are added."""
    pixels, palette = numpy.asarray(image), image.getpalette() or []
    numbers = numpy.zeros(PALETTE_SIZE, dtype=numpy.uint8)
    for ink in numpy.flatnonzero(image.histogram()):
        red, green, blue = palette[3 * ink : 3 * ink + 3]
        numbers[ink] = known.setdefault((red, green, blue), len(known))
    return numpy.asarray(numbers[pixels], dtype=numpy.uint8)


def _paletted(pixels: Grid, colours: Mapping[int, Colour]) -> Image.Image:
    palette = [(255, 255, 255)] * (FIRST_GREY + GREYS)
    for ink, colour in colours.items():
        palette[ink] = colour
    for level in range(GREYS):
        shade = level * 255 // (GREYS - 1)
        palette[FIRST_GREY + level] = (shade, shade, shade)
    image = Image.fromarray(pixels)
    image.putpalette([value for colour in palette for value in colour])
    return image
