"""The study's charts as pictures: a grid of inks on white paper, with numbers at its axes.

Pillow writes the files and sets the numbers; what stands where comes from `ratings.lab.dots`. The pictures carry no
words, so they are the same in every language. They are paletted PNG files, and the same grid gives the same bytes.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy
from PIL import Image, ImageDraw, ImageFont

from ratings.lab.contenders import Contender
from ratings.lab.dots import (
    PAPER_INKS,
    Colour,
    Grid,
    Ink,
    Scale,
    axis_numbers,
    game_numbers,
    index_grid,
    index_inks,
    index_scale,
    rating_inks,
)

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


def save(image: Image.Image, path: Path) -> Path:
    """Write a picture as PNG. The path."""
    image.save(path, format="PNG")
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
    """The pixels by the numbers of their colours in `known`, which learns the ones it has not met."""
    pixels, palette = numpy.asarray(image), image.getpalette() or []
    numbers = numpy.zeros(PALETTE_SIZE, dtype=numpy.uint8)
    for ink in numpy.unique(pixels):
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
