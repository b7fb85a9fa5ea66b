"""A name is found in free text however it is spelt there, and nothing else is touched."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.people.names import sort_key
from players.privacy.redaction import finder, parts_finder, redacted

LETTERS = st.text(st.characters(categories=["Lu", "Ll"]), min_size=3, max_size=12)


def without(name: str, text: str) -> str:
    found = finder([name])
    assert found
    return str(redacted(text, found, "#17"))


@pytest.mark.parametrize(
    "text",
    [
        "Viktor Korchnoi", "Korchnoi, Viktor", "KORCHNOI Viktor", "viktor-korchnoi", "viktor_korchnoi",
        "viktor%20korchnoi", "Korchnoi,Viktor", "VIKTOR  KORCHNOI",
    ],
)  # fmt: skip
def test_every_spelling_is_found(text: str) -> None:
    assert without("Viktor Korchnoi", f"said {text}, twice {text}.") == "said #17, twice #17."


@pytest.mark.parametrize("text", ["Viktor Korchnoia", "Aviktor Korchnoi", "Viktor", "Korchnoi", "Viktoria Korchnoi"])
def test_other_names_are_left(text: str) -> None:
    assert without("Viktor Korchnoi", text) == text


def test_accents_scripts_and_composition_do_not_hide_a_name() -> None:
    assert without("Анна Соколова", "Anna Sokolova, СОКОЛОВА Анна") == "#17, #17"
    assert without("José Núñez", unicodedata.normalize("NFD", "protest by José Núñez")) == "protest by #17"
    assert without("José Núñez", "Jose Nunez") == "#17"
    assert without("王小明", "请王小明注意") == "请#17注意"


def test_a_name_of_one_word_is_a_whole_word_and_can_be_left_out() -> None:
    assert without("Ann", "Ann and Anna") == "#17 and Anna"
    assert finder(["Ann"], least_words=2) is None
    assert finder([]) is None
    assert parts_finder(["Al Bo"]) is None


def test_parts_are_found_where_nobody_else_is_meant() -> None:
    found = parts_finder(["Viktor Korchnoi"])
    assert found
    assert redacted("Korchnoi came late, Viktor said; Viktoria won", found, "#17") == (
        "#17 came late, #17 said; Viktoria won"
    )


def test_a_name_cut_by_a_report_is_found() -> None:
    name = "Maximiliana Alexandrina Hohenzollern-Sigmaringen"
    assert "Hohenz" not in without(name, f"001 {name[:33]} 1800")


def test_lists_and_mappings_are_searched_to_the_bottom() -> None:
    found = finder(["Ada Alvarez"])
    assert found
    value = {"who": ["Ada Alvarez", 17, None, {"Ada Alvarez": True}], "n": 1.5}
    assert redacted(value, found, "#1") == {"who": ["#1", 17, None, {"#1": True}], "n": 1.5}


@given(LETTERS, LETTERS, st.text(max_size=30), st.text(max_size=30), st.booleans())
def test_nothing_of_the_full_name_is_left(given_name: str, family: str, before: str, behind: str, turned: bool) -> None:
    name = f"{given_name} {family}"
    spelt = f"{family}, {given_name}" if turned else name
    clean = without(name, f"{before} {spelt} {behind}")
    assert finder([name]).search(clean) is None  # type: ignore[union-attr]
    assert "#17" in clean
    assert without(name, clean) == clean


@given(st.text(max_size=60))
def test_text_without_the_name_stays_as_it_is_to_the_letter(text: str) -> None:
    if "planted" not in sort_key(text):
        assert without("Zebedee Planted", text) == text
