"""Initials, sorting and addresses of names in any script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.people.names import clean_name, given_first, halves_of, initials, search_key, slug_part, sort_key


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Dmitri Korchnoi", "D. K."),
        ("Korchnoi, Dmitri", "D. K."),
        ("Анна Соколова", "А. С."),
        ("陈思远", "陈."),
        ("Jean-Baptiste Kouassi", "J. K."),
        ("bo", "B."),
        ("Praggnanandhaa R", "P. R."),
    ],
)
def test_initials_are_first_letters_given_name_first(name: str, shown: str) -> None:
    assert initials(name) == shown


def test_a_name_is_found_in_its_own_script_and_in_latin_letters() -> None:
    key = search_key("Соколова, Анна")
    assert "соколова" in key
    assert "sokolova anna" in key
    assert "anna sokolova" in key


def test_names_sort_by_latin_letters_family_name_first_after_a_comma() -> None:
    names = ["Łukasz Wiśniewski", "Ada Alvarez", "Þórdís Hall", "Nakamura, Hikaru"]
    assert sorted(names, key=sort_key) == ["Ada Alvarez", "Łukasz Wiśniewski", "Nakamura, Hikaru", "Þórdís Hall"]


def test_addresses_are_latin() -> None:
    assert slug_part("Соколова, Анна") == "anna-sokolova"
    assert slug_part("Nguyễn Thị Hạnh") == "nguyen-thi-hanh"


def test_a_name_is_composed_and_trimmed() -> None:
    assert given_first("Korchnoi, ") == "Korchnoi"
    assert clean_name("  Jose\u0301 \t\u200bRuiz\n") == "José Ruiz"


def test_by_which_parts_the_database_looks_for_a_word_one_letter_off() -> None:
    assert halves_of("alvarez") == ("alv", "arez", "alavrez")
    assert halves_of("bole") == ("bo", "le", "bloe")
    assert halves_of("abc") == halves_of("соколова") == ()


@given(st.text(max_size=80))
def test_any_text_makes_an_address_of_letters_digits_and_hyphens(text: str) -> None:
    part = slug_part(text)
    assert part.isascii()
    assert not set(part) - set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert len(part) <= 60


@given(st.text(max_size=80))
def test_initials_never_hold_a_whole_word(text: str) -> None:
    assert all(len(part) <= 4 for part in initials(text).split())
