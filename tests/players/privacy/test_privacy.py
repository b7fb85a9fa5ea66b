"""Who may see whose name: the table of `players.privacy.rules`, level by level and viewer by viewer."""

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.backends.base import SessionBase

from players.models import Player, Visibility
from players.people.selectors import viewer_of
from players.privacy.rules import MEMBER, NOBODY, OFFICER, Viewer, is_minor, levels_seen, sees_page, shown_name

SHOWN = {
    Visibility.PUBLIC: ("Dana Kor", "Dana Kor", "Dana Kor"),
    Visibility.INITIALS: ("D. K.", "Dana Kor", "Dana Kor"),
    Visibility.MEMBERS: ("Player 17", "Dana Kor", "Dana Kor"),
    Visibility.HIDDEN: ("Player 17", "Player 17", "Dana Kor"),
}
CASES = [
    (level, viewer, name)
    for level, names in SHOWN.items()
    for viewer, name in zip((NOBODY, MEMBER, OFFICER), names, strict=True)
]


def player(visibility: str) -> Player:
    return Player(number=17, name="Dana Kor", visibility=visibility)


@pytest.mark.parametrize(("level", "viewer", "name"), CASES)
def test_each_viewer_sees_what_the_level_allows(level: str, viewer: Viewer, name: str) -> None:
    assert shown_name(player(level), viewer) == name


def test_only_staff_whose_account_is_open_look_as_officers() -> None:
    for is_active, is_staff in ((True, True), (True, False), (False, True)):
        viewer = viewer_of(User(is_active=is_active, is_staff=is_staff), SessionBase(), None)
        assert viewer == (OFFICER if is_active and is_staff else NOBODY)


def test_an_unknown_level_counts_as_hidden() -> None:
    assert shown_name(player("new-level"), MEMBER) == "Player 17"


def test_whoever_is_shown_by_number_has_no_public_page() -> None:
    assert [sees_page(player(level), NOBODY) for level in Visibility.values] == [True, True, False, False]


def test_a_search_looks_only_at_names_the_viewer_may_read() -> None:
    assert levels_seen(NOBODY) == [Visibility.PUBLIC]
    assert Visibility.HIDDEN not in levels_seen(MEMBER)
    assert set(levels_seen(OFFICER)) == set(Visibility.values)


@pytest.mark.parametrize(("born", "minor"), [(2008, True), (2007, False), (2015, True), (None, False)])
def test_only_the_year_is_known_so_a_minor_is_one_to_the_end_of_the_year(born: int | None, minor: bool) -> None:
    assert is_minor(born, date(2026, 11, 21)) is minor


def test_an_address_of_somebody_not_public_is_the_bare_number() -> None:
    assert player(Visibility.PUBLIC).slug == "17-dana-kor"
    assert {player(level).slug for level in (Visibility.INITIALS, Visibility.MEMBERS, Visibility.HIDDEN)} == {"17"}


def test_a_player_as_text_is_a_number() -> None:
    assert str(player(Visibility.PUBLIC)) == "#17"
