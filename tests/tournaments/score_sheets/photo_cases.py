"""Photos as phones make them, and files that are none."""

from io import BytesIO

from PIL import Image
from PIL.ExifTags import GPS, Base
from PIL.PngImagePlugin import PngInfo

SECRETS = (b"Exif", b"Plantedphone", b"Plantedcomment", b"Plantedtail", b"http://ns.adobe.com", b"<script")
ORIENTATION_RIGHT = 6  # to be turned a quarter to the right


def picture(size: tuple[int, int] = (80, 40), mode: str = "RGB") -> Image.Image:
    """Red on the left, white on the right."""
    made = Image.new("RGB", size, "white")
    made.paste("red", (0, 0, size[0] // 2, size[1]))
    return made.convert(mode)


def photo(kind: str = "JPEG", size: tuple[int, int] = (80, 40), mode: str = "RGB", **how: object) -> bytes:
    """With a position, a camera and a comment, lying on its side; behind it a page with a script."""
    exif, written = Image.Exif(), BytesIO()
    exif[Base.Make], exif[Base.Orientation] = "Plantedphone", ORIENTATION_RIGHT
    exif.get_ifd(Base.GPSInfo)[GPS.GPSLatitude] = (52.0, 31.0, 12.0)
    options: dict[str, object] = {"exif": exif, **how}
    if kind == "JPEG":
        options |= {"comment": b"Plantedcomment", "xmp": b"<x:xmpmeta>http://ns.adobe.com</x:xmpmeta>"}
    if kind == "PNG":
        info = PngInfo()
        info.add_text("Comment", "Plantedcomment")
        options["pnginfo"] = info
    picture(size, mode).save(written, kind, **options)
    return written.getvalue() + b"Plantedtail<script>alert(1)</script>"


def noise(size: tuple[int, int]) -> bytes:
    """A picture that no compression makes small."""
    written = BytesIO()
    Image.effect_noise(size, 200).convert("RGB").save(written, "JPEG", quality=60)
    return written.getvalue()


def bomb(side: int) -> bytes:
    """A few kilobytes that would be a very large picture."""
    written = BytesIO()
    Image.new("1", (side, side)).save(written, "PNG")
    return written.getvalue()


def scans(count: int, **how: object) -> bytes:
    """A JPEG that says the same again and again."""
    written = BytesIO()
    picture().save(written, "JPEG", progressive=True, **how)
    made = written.getvalue()
    last = made.rindex(b"\xff\xda")
    before = made.count(b"\xff\xda", made.rindex(b"\xff\xc2"))
    return made[:last] + made[last:-2] * (count - before + 1) + made[-2:]
