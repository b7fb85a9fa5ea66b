"""Fonts of the machine, for pictures and papers (pure): none is part of this project.

Names of files as Pillow looks them up in the system's folders of fonts, in the order in which they are tried. Bold and
plain of one family stand together.
"""

from PIL import ImageFont

FACES = (
    ("DejaVuSans-Bold.ttf", "DejaVuSans.ttf"),
    ("NotoSans-Bold.ttf", "NotoSans-Regular.ttf"),
    ("LiberationSans-Bold.ttf", "LiberationSans-Regular.ttf"),
    ("Arial Bold.ttf", "Arial.ttf"),
    ("arialbd.ttf", "arial.ttf"),
    ("NotoSansCJK-Bold.ttc", "NotoSansCJK-Regular.ttc"),
    ("wqy-microhei.ttc", "wqy-microhei.ttc"),
    ("wqy-zenhei.ttc", "wqy-zenhei.ttc"),
    ("DroidSansFallbackFull.ttf", "DroidSansFallbackFull.ttf"),
    ("PingFang.ttc", "PingFang.ttc"),
    ("msyhbd.ttc", "msyh.ttc"),
)


def path_of(face: str) -> str | None:
    """Where the system has that font; None where it has not."""
    try:
        return str(ImageFont.truetype(face, 8).path)
    except OSError:
        return None
