"""Pages of a PDF, read back by another library: words in every script, the same bytes, what cannot be written named."""

import re
from collections.abc import Iterator
from io import BytesIO

import pytest
from pypdf import PdfReader

from clubrating.ground import fonts, pdf
from clubrating.ground.pdf import A4, A5, Pages, unwritable

NAMES = ["Žižka, Ada ½", "Иванова Ада", "王小明", "陳國強", "佐藤はるか", "김철수"]


def document(*texts: str, size: pdf.Size = A4, room: float = 400) -> bytes:
    pages = Pages("Свидетельство 王", language="zh-hant", author="Club", size=size)
    for place, text in enumerate(texts):
        if place:
            pages.turn()
        pages.text(50, 80, text, 20, bold=True, room=room)
    return pages.finish()


def read(made: bytes) -> PdfReader:
    return PdfReader(BytesIO(made))


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine without fonts."""
    monkeypatch.setattr(pdf, "FACES", ())
    forget()
    yield
    monkeypatch.undo()
    forget()


def forget() -> None:
    pdf._faces.cache_clear()
    pdf._face_of.cache_clear()


def test_a_document_is_read_back_as_it_was_written_and_made_of_the_same_bytes_again() -> None:
    made = document(*NAMES)
    found = read(made)
    assert ["".join(page.extract_text().split("\n")).strip() for page in found.pages] == NAMES
    assert found.metadata is not None
    assert (found.metadata.title, found.metadata.author) == ("Свидетельство 王", "Club")
    assert found.trailer["/Root"]["/Lang"] == "zh-hant"  # type: ignore[index]
    assert made == document(*NAMES)
    assert len(made) < 100_000, "fonts are cut down to the letters used"
    assert tuple(float(each) for each in read(document("x", size=A5)).pages[0].mediabox[2:]) == A5


def test_a_line_begins_at_its_place_ends_there_or_stands_around_it() -> None:
    """Where its letters begin is read in the page's own commands."""
    begins = []
    for align in ("left", "middle", "right"):
        pages = Pages("x", language="en")
        pages.text(300, 80, "MMMM", 20, align=align)
        content = read(pages.finish()).pages[0].get_contents()
        assert content is not None
        begins += [float(x) for x in re.findall(rb"1 0 0 1 ([\d.]+) [\d.]+ Tm", content.get_data())]
    left, middle, right = begins
    assert left == 300
    assert left - middle == pytest.approx((left - right) / 2, abs=0.01)
    assert left - right > 40


def test_a_text_without_room_is_cut_and_one_of_several_lines_is_broken_where_scripts_allow_it() -> None:
    (page,) = read(document("W" * 200)).pages
    assert page.extract_text().strip().endswith("…")
    pages = Pages("x", language="en")
    assert pages.lines_of("one two three", 10, 45) == ["one two", "three"]
    assert pages.lines_of("王小明王小明", 10, 32) == ["王小明", "王小明"]
    assert pages.lines_of("a\n\nb", 10, 40) == ["a", "", "b"]
    assert pages.paragraph(0, 100, "one two three", 10, room=45) == 127


def test_what_no_font_can_write_is_named_and_left_out(bare: None) -> None:
    assert unwritable(["Žižka", "Zizka", "Ада", "王小明", "שלום", "محمد"], "en") == ["Ада", "שלום", "محمد"]
    (page,) = read(document("Ada Ада")).pages
    assert page.extract_text().strip() == "Ada"


def test_a_font_that_is_not_there_or_cannot_be_embedded_is_passed_over() -> None:
    assert fonts.path_of("NoSuchFont.ttf") is None
    assert unwritable([*NAMES[:2]], "ru") == []
