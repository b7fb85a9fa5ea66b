"""The picture a messenger shows beside a link: 1200 by 630 pixels, a title, a figure, a few rows or a curve (pure).

Words in, a PNG out, the same for the same words on the same machine. Fonts are the system's own, tried in the order of
`FACES`, and last the one inside Pillow, which has little more than ASCII; none is part of this project. A text is drawn
by the first of them that has all of its characters, so nothing becomes a row of boxes: what no font can write is
written without its accents, or left out (`writable` is None). Letters that join or run from right to left need a Pillow
with Raqm, which its wheels have.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont, features

from clubrating.ground.fonts import FACES

WIDTH, HEIGHT = 1200, 630
_SCALE = 2  # drawn larger and made smaller: smooth lines
_MARGIN = 64
_PAPER, _INK, _SOFT, _RULE, _LINE = "#fbfaf6", "#1c1e21", "#56595f", "#ddd9cf", "#17568f"

_BUILT_IN = ""
# What a font may lack, and what then says the same.
_PLAIN = str.maketrans({"–": "-", "—": "-", "−": "-", "’": "'", "…": "...", "½": ".5", "\u00a0": " ", "·": "-"})

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table: place, name, figure."""

    place: str
    name: str
    figure: str


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn. `figure` is large, `lines` stand below it. Beside them are either `rows` or a `curve`, the latter
    as spots between 0 and 1, from left to right and from below."""

    club: str
    title: str
    figure: str = ""
    lines: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    curve: tuple[Spot, ...] = ()


def draw(picture: Picture) -> bytes:
    """The PNG file."""
    image = Image.new("RGB", (WIDTH * _SCALE, HEIGHT * _SCALE), _PAPER)
    pen = _Pen(ImageDraw.Draw(image))
    pen.text((_MARGIN, 44), picture.club, 30, room=WIDTH - 2 * _MARGIN, ink=_SOFT)
    pen.line([(_MARGIN, 100), (WIDTH - _MARGIN, 100)], 3, _INK)
    pen.line([(_MARGIN, 106), (WIDTH - _MARGIN, 106)], 1, _INK)
    pen.text((_MARGIN, 132), picture.title, 68, room=WIDTH - 2 * _MARGIN, bold=True)
    below = 240.0
    if picture.figure:
        pen.text((_MARGIN, below), picture.figure, 132, room=460, bold=True)
        below += 166
    room = 460 if picture.curve else WIDTH - 2 * _MARGIN
    for line in picture.lines:
        pen.text((_MARGIN, below), line, 36, room=room, ink=_SOFT)
        below += 54
    for row in picture.rows:
        pen.text((_MARGIN, below), row.place, 38, room=80, ink=_SOFT)
        pen.text((_MARGIN + 96, below), row.name, 38, room=720, bold=True)
        pen.text((WIDTH - _MARGIN, below), row.figure, 38, room=220, right=True)
        below += 58
        pen.line([(_MARGIN, below - 6), (WIDTH - _MARGIN, below - 6)], 1, _RULE)
    if picture.curve:
        pen.curve(picture.curve, (580, 270, WIDTH - _MARGIN - 12, HEIGHT - _MARGIN))
    small = image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    packed = BytesIO()
    small.quantize(64).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def writable(text: str) -> str | None:
    """The text as some font here can write it, if need be with plainer signs or without accents; None where none can.
    Letters are never replaced by those of another script: how a name is read is for its bearer to say."""
    without_marks = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    for tried in (text, text.translate(_PLAIN), without_marks.translate(_PLAIN)):
        if _face_for(tried, bold=True) is not None and _face_for(tried, bold=False) is not None:
            return tried
    return None


class _Pen:
    """Draws in the picture's own pixels; what cannot be written is left out."""

    def __init__(self, on: ImageDraw.ImageDraw) -> None:
        self.on = on

    def text(
        self, at: Spot, text: str, size: int, *, room: float, bold: bool = False, ink: str = _INK, right: bool = False
    ) -> None:
        """The text in one line: smaller, down to two thirds, and then cut, where there is no room."""
        shown = writable(text)
        if not shown:
            return
        face = _face_for(shown, bold=bold)
        for smaller in range(size, size * 2 // 3, -2):
            font = _font(face or _BUILT_IN, smaller * _SCALE)
            if font.getlength(shown) <= room * _SCALE:
                break
        while font.getlength(shown) > room * _SCALE and len(shown) > 1:
            shown = shown.removesuffix("...")[:-1].rstrip() + "..."
        self.on.text((at[0] * _SCALE, at[1] * _SCALE), shown, ink, font, anchor="ra" if right else "la")

    def line(self, spots: Sequence[Spot], width: int, ink: str) -> None:
        self.on.line([(x * _SCALE, y * _SCALE) for x, y in spots], ink, width * _SCALE, joint="curve")

    def curve(self, spots: Sequence[Spot], box: tuple[float, float, float, float]) -> None:
        """The curve in that box (left, top, right, bottom), with its end as a dot."""
        left, top, right, bottom = box
        for height in (top, (top + bottom) / 2, bottom):
            self.line([(left, height), (right, height)], 1, _RULE)
        drawn = [(left + (right - left) * x, bottom - (bottom - top) * y) for x, y in spots]
        self.line(drawn, 5, _LINE)
        x, y = (value * _SCALE for value in drawn[-1])
        self.on.ellipse([x - 20, y - 20, x + 20, y + 20], fill=_LINE, outline=_PAPER, width=6)


# --- fonts ------------------------------------------------------------------------------------------------------------
def _face_for(text: str, *, bold: bool) -> str | None:
    """The first face that has every character; None where none has."""
    if any(unicodedata.bidirectional(each) in ("R", "AL") for each in text) and not features.check("raqm"):
        return None
    faces = [*(both[0 if bold else 1] for both in FACES), _BUILT_IN]
    return next((face for face in faces if all(_has(face, each) for each in set(text))), None)


@lru_cache(maxsize=64)
def _font(face: str, size: int) -> Font:
    """Raises OSError where the system has no such font."""
    return ImageFont.truetype(face, size) if face else ImageFont.load_default(size)


@lru_cache(maxsize=64)
def _sample(face: str) -> tuple[Font, bytes] | None:
    """A small font of the face and what it draws for a character that it lacks; None where the system has none."""
    try:
        font = _font(face, 24)
    except OSError:
        return None
    return font, bytes(font.getmask("\uffff"))


@lru_cache(maxsize=5000)
def _has(face: str, character: str) -> bool:
    """Whether the face has the character: it draws something else than for one that nobody has."""
    sample = _sample(face)
    if sample is None or unicodedata.category(character) == "Cn":
        return False
    font, missing = sample
    return character.isspace() or unicodedata.category(character) == "Cf" or bytes(font.getmask(character)) != missing
