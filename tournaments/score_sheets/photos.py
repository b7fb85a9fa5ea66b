"""A photo as it came becomes a picture that tells nothing but what is on the sheet.

Pure: bytes in, bytes out. The picture is decoded and drawn anew, so no metadata survive (position, camera, time, a
thumbnail, a comment) and nothing that was hidden behind or inside the file. Read are JPEG, PNG and WebP, known by their
content alone; of moving pictures the first one is kept. Colour profiles are not followed: a sheet is ink on paper.
"""

import re
import struct
from io import BytesIO
from threading import Lock

from PIL import Image, ImageOps, UnidentifiedImageError

from clubrating.ground.marks import marked, sentence

MOST_BYTES = 5_000_000
# Decoded at once: up to 250 megabytes of memory for a moment. A camera's JPEG may be larger than other pictures, since
# it is decoded smaller.
MOST_PIXELS = {"JPEG": 25_000_000, "MPO": 25_000_000, "PNG": 12_000_000, "WEBP": 12_000_000}
MOST_SCANS = 50  # of a JPEG; cameras and browsers need ten. A few bytes make one that takes as long as a whole picture.
LONGEST_SIDE, LARGEST = 2000, 500_000  # pixels and bytes of what is kept
_QUALITIES = (82, 70, 55, 40)
_FORMATS = ("JPEG", "PNG", "WEBP")
# The kinds of the box file format that phones write photos in, besides JPEG.
_HEIF = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"avif", b"avis"}
# What decoders raise for files that are damaged or made up.
_MADE_UP = (ValueError, SyntaxError, TypeError, LookupError, ArithmeticError, AttributeError, AssertionError)
_BROKEN = (*_MADE_UP, OSError, EOFError, RuntimeError, MemoryError, struct.error)
# Marks between the parts of a JPEG that have a length behind them, and the one at its end.
_MARK, _SCAN, _END = re.compile(rb"\xff[\x02-\xcf\xd9-\xfe]"), b"\xff\xda", b"\xff\xd9"
_ONE_AT_A_TIME = Lock()  # within a process, so that its memory has a bound


class UnfitPhotoError(ValueError):
    """It cannot be kept; the marked text says why and what to do."""


def clean_photo(data: bytes) -> bytes:
    """The photo as a JPEG of at most `LARGEST` bytes and `LONGEST_SIDE` pixels a side, upright, without metadata.
    Raises UnfitPhotoError for what is no photo of a known kind, is damaged or too large."""
    if len(data) > MOST_BYTES:
        values = {"most": f"{MOST_BYTES // 1_000_000}"}
        raise UnfitPhotoError(sentence("A photo has at most %(most)s MB: choose a smaller size.", **values))
    if data[4:8] == b"ftyp" and data[8:12] in _HEIF:
        raise UnfitPhotoError(
            marked(
                "This is a HEIC photo, which browsers do not show. Choose JPEG in the camera’s settings (“Most "
                "compatible”), or take a screenshot of the photo and send that."
            )
        )
    if _scans(data) > MOST_SCANS:
        raise UnfitPhotoError(marked("This photo is damaged: take it again, or send another one."))
    try:
        with _ONE_AT_A_TIME:
            return _within_bounds(_drawn(data))
    except UnfitPhotoError:
        raise
    except (UnidentifiedImageError, Image.DecompressionBombError):
        raise UnfitPhotoError(marked("This is no photo: send a JPEG, PNG or WebP picture.")) from None
    except _BROKEN:
        raise UnfitPhotoError(marked("This photo is damaged: take it again, or send another one.")) from None


def _scans(data: bytes) -> int:
    """How many scans a JPEG's first picture has; 0 for other files. Its thumbnail and what stands behind it are none of
    its own."""
    at = scans = 0
    while data[:3] == b"\xff\xd8\xff" and (mark := _MARK.search(data, at)) and mark[0] != _END:
        scans += mark[0] == _SCAN
        at = mark.end() + int.from_bytes(data[mark.end() : mark.end() + 2])
    return scans


def _drawn(data: bytes) -> Image.Image:
    """The picture alone, on a sheet of its own: what the file says besides stays with the file."""
    with Image.open(BytesIO(data), formats=_FORMATS) as photo:
        most = MOST_PIXELS[photo.format or "PNG"]
        if photo.width * photo.height > most:
            values = {"most": f"{most // 1_000_000}"}
            raise UnfitPhotoError(sentence("A photo has at most %(most)s megapixels: choose a smaller size.", **values))
        photo.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))  # a JPEG is decoded smaller, which saves memory
        photo.thumbnail((LONGEST_SIDE, LONGEST_SIDE))  # in its place, before it is copied
        upright = ImageOps.exif_transpose(photo)
        sheet = Image.new("RGB", upright.size, "white")
        clear = upright.convert("RGBA") if "A" in upright.getbands() or "transparency" in upright.info else None
        sheet.paste(clear or upright.convert("RGB"), mask=clear)
        return sheet


def _within_bounds(sheet: Image.Image) -> bytes:
    """As a JPEG: coarser, then smaller, until it is small enough."""
    while True:
        for quality in _QUALITIES:
            written = BytesIO()
            sheet.save(written, "JPEG", quality=quality, optimize=True)
            if written.tell() <= LARGEST:
                return written.getvalue()
        sheet.thumbnail((max(1, sheet.width * 3 // 4), max(1, sheet.height * 3 // 4)))
