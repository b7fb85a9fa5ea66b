"""A QR code as elements of the page: attributes only, no style, on white in the dark too."""

import segno
from django.utils.safestring import SafeString, mark_safe


def qr_code(text: str) -> SafeString:
    """The text as an inline SVG of the class `qr`, with the quiet margin readers need."""
    code = segno.make(text, error="m", micro=False)
    return mark_safe(code.svg_inline(omitsize=True, border=4, dark="#000", light="#fff", svgclass="qr", lineclass=None))
