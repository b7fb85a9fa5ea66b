"""A photo as it came becomes a picture that tells nothing but what is on the sheet.

Pure: bytes in, bytes out. The picture is decoded and drawn anew, so no metadata survive (position, camera, time, a
thumbnail, a comment) and nothing that was hidden behind or inside the file. Read are JPEG, PNG and WebP, known by their
content alone; of moving pictures the first one is kept. Colour profiles are not followed: a sheet is ink on paper.
"""

import struct
from io import BytesIO

from PIL import Image, ImageOps, UnidentifiedImageError

from clubrating.ground.marks import marked, sentence

MOST_BYTES = 5_000_000
MOST_PIXELS = 25_000_000  # decoded at once: a hundred megabytes of memory at most
LONGEST_SIDE, LARGEST = 2000, 500_000  # pixels and bytes of what is kept
_QUALITIES = (82, 70, 55, 40)
_FORMATS = ("JPEG", "PNG", "WEBP")
# The kinds of the box file format that phones write photos in, besides JPEG.
_HEIF = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"avif", b"avis"}
# What decoders raise for files that are damaged or made up.
_BROKEN = (OSError, ValueError, SyntaxError, TypeError, IndexError, EOFError, OverflowError, struct.error)


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
    try:
        return _within_bounds(_drawn(data))
    except UnfitPhotoError:
        raise
    except (UnidentifiedImageError, Image.DecompressionBombError):
        raise UnfitPhotoError(marked("This is no photo: send a JPEG, PNG or WebP picture.")) from None
    except _BROKEN:
        raise UnfitPhotoError(marked("This photo is damaged: take it again, or send another one.")) from None


def _drawn(data: bytes) -> Image.Image:
    """The picture alone, on a sheet of its own: what the file says besides stays with the file."""
    with Image.open(BytesIO(data), formats=_FORMATS) as photo:
        if photo.width * photo.height > MOST_PIXELS:
            values = {"most": f"{MOST_PIXELS // 1_000_000}"}
            raise UnfitPhotoError(sentence("A photo has at most %(most)s megapixels: choose a smaller size.", **values))
        photo.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))  # a JPEG is decoded smaller, which saves memory
        photo.load()
        upright = ImageOps.exif_transpose(photo)
        upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
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
