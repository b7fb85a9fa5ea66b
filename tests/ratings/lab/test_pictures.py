"""The pictures: the grid is in them pixel for pixel, with numbers beside it and in the right colours."""

from pathlib import Path

import numpy
from PIL import Image

from ratings.lab import pictures
from ratings.lab.contenders import CONTENDERS, STUDY
from ratings.lab.pictures import COLUMNS, LOOKS, ROWS, Ink, draw_table, rating_inks, ruled_grid

ELO = LOOKS["elo"].scale


def elo_picture() -> pictures.Picture:
    grid = ruled_grid(ELO)
    draw_table(grid, 7, [1300.0, 1200.0, 1100.0, 1000.0, 900.0], [160.0, 160.0, 40.0, 80.0, 640.0], ELO)
    return pictures.rating_picture(grid, ELO, 10)


def pixels(image: Image.Image) -> numpy.ndarray:
    return numpy.asarray(image.convert("RGB"))


def test_the_grid_stands_in_the_picture_pixel_for_pixel_on_white_paper() -> None:
    picture = elo_picture()
    image = pictures.drawn(picture)
    assert image.size == (pictures.LEFT + COLUMNS + pictures.RIGHT, pictures.ABOVE + ROWS + pictures.BELOW)
    inner = pixels(image)[pictures.ABOVE : pictures.ABOVE + ROWS, pictures.LEFT : pictures.LEFT + COLUMNS]
    colours = numpy.array([rating_inks()[ink] for ink in Ink])
    assert (inner == colours[picture.grid]).all()
    assert {*picture.grid[:, 7].tolist()} >= {*Ink} - {Ink.DOTTED}
    found = pixels(pictures.drawn(elo_picture()))
    for edge in (found[0], found[-1], found[:, 0], found[:, -1]):
        assert (edge == 255).all()


def test_every_number_has_its_tick_and_figures_beside_it() -> None:
    picture = elo_picture()
    found = pixels(pictures.drawn(picture))
    for row, text in picture.rows:
        assert (found[pictures.ABOVE + row, pictures.LEFT - pictures.TICK : pictures.LEFT] == 0).all()
        beside = found[pictures.ABOVE + row - 7 : pictures.ABOVE + row + 8, : pictures.LEFT - pictures.TICK]
        # More figures, more ink; none would be blank paper.
        assert (beside < 128).all(axis=2).sum() > 6 * len(text)
    for column, text in picture.columns:
        foot = pictures.ABOVE + ROWS
        assert (found[foot : foot + pictures.TICK, pictures.LEFT + column] == 0).all()
        below = found[foot + pictures.TICK :, pictures.LEFT + column - 20 : pictures.LEFT + column + 21]
        assert (below < 128).all(axis=2).sum() > 6 * len(text)


def test_the_chart_of_the_index_is_in_the_systems_colours_and_numbers_differ() -> None:
    curves = [[20 * number + 10] * 50 for number in range(len(CONTENDERS))]
    found = pixels(pictures.drawn(pictures.index_picture(curves, CONTENDERS, 100)))
    shown = {tuple(pixel) for pixel in found[pictures.ABOVE : pictures.ABOVE + ROWS, pictures.LEFT + 25].tolist()}
    assert shown == {LOOKS[each.key].colour for each in CONTENDERS} | {(255, 255, 255)}
    fine, coarse = (pictures.drawn(pictures.rating_picture(ruled_grid(ELO), ELO, games)) for games in (10, 100))
    assert (pixels(fine)[: pictures.ABOVE + ROWS] == pixels(coarse)[: pictures.ABOVE + ROWS]).all()
    assert (pixels(fine)[pictures.ABOVE + ROWS :] != pixels(coarse)[pictures.ABOVE + ROWS :]).any()


def test_the_bitmap_holds_every_picture_unchanged_under_its_number() -> None:
    images = [
        pictures.drawn(elo_picture()),
        pictures.drawn(pictures.index_picture([[5, 9], [30, 12]], STUDY[3:5], 100)),
    ]
    bitmap = pictures.sheet(images)
    found = pixels(bitmap)
    step = pictures.NUMBER_HEIGHT + images[0].height
    assert bitmap.size == (images[0].width, step * len(images))
    for number, image in enumerate(images):
        top = number * step
        assert (found[top + pictures.NUMBER_HEIGHT : top + step] == pixels(image)).all()
        assert (found[top : top + pictures.NUMBER_HEIGHT, :40] < 128).any()
        assert (found[top : top + pictures.NUMBER_HEIGHT, 40:] == 255).all()


def test_files_are_png_that_read_back_and_two_are_byte_identical(tmp_path: Path) -> None:
    one, other = (pictures.save(pictures.drawn(elo_picture()), tmp_path / name) for name in ("one.png", "other.png"))
    assert one.read_bytes() == other.read_bytes()
    with Image.open(one) as read:
        assert (read.format, read.mode) == ("PNG", "P")
        assert (pixels(read) == pixels(pictures.drawn(elo_picture()))).all()
