"""A QR code is an element of the page: no style, no script, nothing loaded, black on white in the dark too."""

from hypothesis import given
from hypothesis import strategies as st

from clubrating.web.formatting import qr_code


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=120))
def test_a_code_keeps_to_the_content_policy(text: str) -> None:
    picture = qr_code(text)
    assert picture.startswith("<svg")
    assert 'class="qr"' in picture
    assert "viewBox" in picture
    assert not any(word in picture for word in ("style", "script", "href"))
    assert "#fff" in picture


def test_the_same_text_has_the_same_code() -> None:
    assert qr_code("https://club.example/") == qr_code("https://club.example/") != qr_code("https://club.example/x")
