"""What is kept of a photo is what is on the sheet, upright and small, and nothing else of the file."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.choosing import examples
from tests.tournaments.score_sheets.photo_cases import SECRETS, bomb, noise, photo, scans
from tournaments.score_sheets.photos import LARGEST, LONGEST_SIDE, MOST_BYTES, UnfitPhotoError, clean_photo


@pytest.mark.parametrize(
    ("kind", "mode"), [("JPEG", "RGB"), ("JPEG", "CMYK"), ("JPEG", "L"), ("PNG", "RGBA"), ("PNG", "P"), ("WEBP", "RGB")]
)
def test_no_metadata_are_kept_and_the_photo_stands_upright(kind: str, mode: str) -> None:
    came = photo(kind, mode=mode)
    assert Image.open(BytesIO(came)).getexif().get_ifd(0x8825), "a position came"
    assert b"Plantedtail" in came
    kept = clean_photo(came)
    shown = Image.open(BytesIO(kept))
    assert shown.format == "JPEG"
    assert not shown.getexif()
    assert set(shown.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
    assert not [secret for secret in SECRETS if secret in kept]
    assert shown.size == (40, 80)
    red, white = shown.convert("RGB").getpixel((20, 10)), shown.convert("RGB").getpixel((20, 70))
    assert isinstance(red, tuple)
    assert isinstance(white, tuple)
    assert white[1] > 240
    assert mode == "L" or red[1] < 60, "what lay left lies above"


def test_a_large_photo_becomes_small(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = clean_photo(noise((2600, 1700)))
    assert len(kept) <= LARGEST
    assert max(Image.open(BytesIO(kept)).size) <= LONGEST_SIDE
    kept = clean_photo(photo())
    monkeypatch.setattr("tournaments.score_sheets.photos.LARGEST", len(kept))
    monkeypatch.setattr("tournaments.score_sheets.photos.MOST_PIXELS", {"JPEG": 80 * 40})
    assert clean_photo(photo()) == kept, "just as large as it may be"


HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0" * 50


def test_a_photo_in_many_scans_with_a_thumbnail_and_a_film_behind_is_one() -> None:
    assert clean_photo(scans(50, exif=b"Exif\0\0" + photo()) + b"\xff\xda\0\x02" * 100)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "no photo"),
        (b"GIF89a" + b"\0" * 40, "no photo"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "no photo"),
        (b"%PDF-1.7", "no photo"),
        (b"MZ" + photo(), "no photo"),
        (HEIC, "HEIC"),
        (b"\0\0\0\x20ftypisom", "no photo"),
        (photo(size=(400, 400))[:700], "damaged"),
        (photo("PNG", size=(400, 400))[:200], "damaged"),
        (bomb(3_600), "12 megapixels"),
        (photo(size=(5_200, 5_200)), "25 megapixels"),
        (scans(51), "damaged"),
        (bomb(14_000), "no photo"),
        (b"x" * (MOST_BYTES + 1), "5 MB"),
        (b"x" * MOST_BYTES, "no photo"),
    ],
)
def test_what_is_no_photo_is_refused_with_a_sentence(data: bytes, says: str) -> None:
    with pytest.raises(UnfitPhotoError, match=says):
        clean_photo(data)


@pytest.mark.filterwarnings("ignore:Corrupt EXIF data")
@given(kind=st.sampled_from(["JPEG", "PNG", "WEBP"]), at=st.floats(0, 1, exclude_max=True), more=st.binary(max_size=20))
@examples(60)
def test_a_file_that_was_tampered_with_is_a_picture_or_refused(kind: str, at: float, more: bytes) -> None:
    came = photo(kind)
    place = int(at * len(came))
    try:
        kept = clean_photo(came[:place] + more + came[place + len(more) :])
    except UnfitPhotoError:
        return
    assert Image.open(BytesIO(kept)).format == "JPEG"
