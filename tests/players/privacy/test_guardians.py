"""Guardians of minors: for officers only, the full name public only with their consent, forgotten at the age for it."""

import json
from datetime import date
from typing import Any

import pytest
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import AuditEvent, Club, Guardian, Player, Visibility
from players.people.services import NewPlayer, create_player, update_player
from players.privacy.rules import has_consent
from players.privacy.services import NewGuardian, forget_guardians, of_age_now, set_guardians
from players.refusals import Refused
from tests import factory

pytestmark = pytest.mark.django_db
DAY = date(2026, 1, 5)
CONSENT = NewGuardian("Gudrun Plantedguardian", "gudrun@example.org", allows_name=True, told_on=DAY)
NO_CONSENT = NewGuardian("Gudrun Plantedguardian")


def year(age: int) -> int:
    return timezone.localdate().year - age


@pytest.fixture
def kim(club: Club) -> Player:
    return create_player(NewPlayer("Kim Kidd", birth_year=year(12)), by=None)


def level(player: Player) -> str:
    return Player.objects.get(pk=player.pk).visibility


# --- consent --------------------------------------------------------------------------------------------------------
def test_a_minors_name_is_public_only_with_consent(kim: Player) -> None:
    lou = create_player(NewPlayer("Lou Kidd", birth_year=year(10)), by=None)
    set_guardians(lou.pk, [CONSENT], by=None)
    for guardians in ([], [NO_CONSENT], [NewGuardian("Gudrun Plantedguardian", told_on=DAY)]):
        set_guardians(kim.pk, guardians, by=None)
        with pytest.raises(Refused, match="only with a guardian’s consent"):
            update_player(kim.pk, {"visibility": "public"}, by=None)
    set_guardians(kim.pk, [CONSENT], by=None)
    update_player(kim.pk, {"visibility": "public"}, by=None)
    update_player(kim.pk, {"sex": "f"}, by=None)
    assert level(kim) == Visibility.PUBLIC
    assert has_consent(lou), "another minor's guardians stay as they are"


@pytest.mark.parametrize("visibility", ["members", "hidden", "initials", ""])
def test_every_narrower_level_needs_no_consent(kim: Player, visibility: str) -> None:
    update_player(kim.pk, {"visibility": visibility}, by=None)
    assert level(kim) == (visibility or Visibility.INITIALS)


def test_nobody_new_is_a_public_minor(club: Club) -> None:
    with pytest.raises(Refused, match="only with a guardian’s consent"):
        create_player(NewPlayer("Lou", birth_year=year(10), visibility="public"), by=None)
    assert not Player.objects.exists()
    assert create_player(NewPlayer("Lou", birth_year=year(30), visibility="public"), by=None).visibility == "public"


def test_a_year_and_a_level_given_together_are_judged_together(club: Club) -> None:
    [ada] = factory.make_players(1)
    with pytest.raises(Refused, match="consent"):
        update_player(ada.pk, {"birth_year": year(9), "visibility": "public"}, by=None)
    update_player(ada.pk, {"birth_year": year(9)}, by=None)
    assert level(ada) == Visibility.INITIALS, "a minor found out is shown by initials, without asking"


@pytest.mark.parametrize("left", [[], [NO_CONSENT]])
def test_a_consent_withdrawn_takes_effect_at_once(kim: Player, left: list[NewGuardian]) -> None:
    set_guardians(kim.pk, [CONSENT], by=None)
    update_player(kim.pk, {"visibility": "public"}, by=None)
    set_guardians(kim.pk, left, by=None)
    assert level(kim) == Visibility.INITIALS
    set_guardians(kim.pk, [CONSENT], by=None)
    update_player(kim.pk, {"visibility": "hidden"}, by=None)
    set_guardians(kim.pk, left, by=None)
    assert level(kim) == Visibility.HIDDEN, "it opens nothing"


def test_one_consent_of_two_is_enough(kim: Player) -> None:
    set_guardians(kim.pk, [CONSENT, NewGuardian("Gregor Plantedguardian")], by=None)
    update_player(kim.pk, {"visibility": "public"}, by=None)
    set_guardians(kim.pk, [CONSENT], by=None)
    assert level(kim) == Visibility.PUBLIC
    assert has_consent(kim)


# --- what is kept ---------------------------------------------------------------------------------------------------
def test_guardians_are_replaced_as_a_whole_and_audited_without_names(kim: Player) -> None:
    set_guardians(kim.pk, [CONSENT], by=None)
    set_guardians(kim.pk, [CONSENT], by=None)
    set_guardians(kim.pk, [], by=None)
    events = AuditEvent.objects.filter(action="player.guardians").order_by("pk")
    assert [event.after for event in events] == [
        {"guardians": 1, "allows_name": True},
        {"guardians": 0, "allows_name": False},
    ]
    assert [event.before["guardians"] for event in events] == [0, 1]
    trail = json.dumps(list(AuditEvent.objects.values("before", "after", "note")))
    assert "Planted" not in trail
    assert "example.org" not in trail


@pytest.mark.parametrize(
    ("guardian", "reason"),
    [
        (NewGuardian("…"), "needs a name"),
        (NewGuardian("x" * 101), "longer than 100"),
        (NewGuardian("Gudrun", "x" * 201), "longer than 200"),
        (NewGuardian("Gudrun", allows_name=True), "needs the day"),
        (NewGuardian("Gudrun", allows_name=True, told_on=date(2199, 1, 1)), "not given on a day to come"),
    ],
)
def test_a_guardian_of_no_use_is_refused_and_nothing_changes(kim: Player, guardian: NewGuardian, reason: str) -> None:
    set_guardians(kim.pk, [CONSENT], by=None)
    with pytest.raises(Refused, match=reason):
        set_guardians(kim.pk, [guardian], by=None)
    assert Guardian.objects.get().name == CONSENT.name


def test_there_may_be_four_with_a_long_contact_and_a_consent_of_today(kim: Player) -> None:
    four = [NewGuardian(f"Gudrun {number}", "x" * 200, True, timezone.localdate()) for number in range(4)]
    set_guardians(kim.pk, four, by=None)
    assert kim.guardians.count() == 4


def test_who_is_of_age_has_no_guardians(club: Club) -> None:
    for birth_year in (None, year(30)):
        player = create_player(NewPlayer("Ada", birth_year=birth_year), by=None)
        with pytest.raises(Refused, match="minors only"):
            set_guardians(player.pk, [NO_CONSENT], by=None)


def test_there_are_not_endlessly_many(kim: Player) -> None:
    with pytest.raises(Refused, match="More than 4"):
        set_guardians(kim.pk, [NO_CONSENT] * 5, by=None)


def test_the_database_refuses_a_consent_without_its_day(kim: Player) -> None:
    with pytest.raises(IntegrityError):
        Guardian.objects.create(player=kim, name="Gudrun", allows_name=True)


@pytest.mark.parametrize(("age", "kept"), [(17, True), (18, True), (19, False)])
def test_guardians_go_in_the_year_in_which_everybody_of_that_year_is_of_age(kim: Player, age: int, kept: bool) -> None:
    lou = create_player(NewPlayer("Lou Kidd", birth_year=year(5)), by=None)
    for minor in (lou, kim):
        set_guardians(minor.pk, [CONSENT, CONSENT], by=None)
    then = date(kim.birth_year + age, 6, 1)  # type: ignore[operator]
    assert list(of_age_now(then)) == ([] if kept else [kim])
    assert forget_guardians(then) == (0 if kept else 1)
    assert (kim.guardians.exists(), lou.guardians.exists()) == (kept, True)
    event = AuditEvent.objects.filter(action="player.guardians").latest("pk")
    assert event.after["guardians"] == (2 if kept else 0)
    assert forget_guardians(then) == 0


# --- the desk -------------------------------------------------------------------------------------------------------
def post(desk: Client, player: Player, guardians: list[dict[str, str]], **data: str) -> Any:
    player = Player.objects.get(pk=player.pk)
    form = {"name": player.name, "birth_year": str(player.birth_year or ""), "visibility": player.visibility}
    form |= {"active": "on", "revision": str(player.revision), "identities-TOTAL_FORMS": "0"}
    form |= {"identities-INITIAL_FORMS": "0", "guardians-INITIAL_FORMS": "0"}
    form["guardians-TOTAL_FORMS"] = str(len(guardians))
    form |= {f"guardians-{at}-{name}": value for at, one in enumerate(guardians) for name, value in one.items()}
    address = reverse("admin:players_player_change", args=[player.pk])
    return desk.post(address, {**form, **data}, follow=True)


def test_a_consent_and_the_public_name_are_saved_with_one_form(desk: Client, kim: Player) -> None:
    html = post(desk, kim, [], visibility="public").content.decode()
    assert "only with a guardian’s consent" in html
    assert level(kim) == Visibility.INITIALS
    given = {"name": "Gudrun Plantedguardian", "allows_name": "on", "told_on": "2026-01-05"}
    answer = post(desk, kim, [given], visibility="public")
    assert "was changed" in answer.content.decode()
    assert level(kim) == Visibility.PUBLIC
    assert Guardian.objects.get().told_on == DAY


def test_a_consent_without_its_day_comes_back_on_the_form(desk: Client, kim: Player) -> None:
    html = post(desk, kim, [{"name": "Gudrun", "allows_name": "on"}]).content.decode()
    assert "A consent needs the day on which it was given." in html
    assert not Guardian.objects.exists()


def test_guardians_stand_on_a_minors_page_only(desk: Client, kim: Player) -> None:
    [ada] = factory.make_players(1)
    set_guardians(kim.pk, [CONSENT], by=None)
    pages = {
        player: desk.get(reverse("admin:players_player_change", args=[player.pk])).content.decode()
        for player in (kim, ada)
    }
    assert "Plantedguardian" in pages[kim]
    assert "guardians-TOTAL_FORMS" not in pages[ada]


def test_whoever_may_only_look_at_people_sees_no_guardian(client: Client, kim: Player) -> None:
    set_guardians(kim.pk, [CONSENT], by=None)
    client.force_login(factory.make_rating_officer())
    html = client.get(reverse("admin:players_player_change", args=[kim.pk])).content.decode()
    assert "Kim Kidd" in html
    assert "Planted" not in html


def test_those_of_age_are_listed_and_their_guardians_forgotten(desk: Client, kim: Player) -> None:
    changelist, page = reverse("admin:players_player_changelist"), reverse("admin:players_player_of_age")
    assert "of age now" not in desk.get(changelist).content.decode()
    set_guardians(kim.pk, [CONSENT], by=None)
    Player.objects.filter(pk=kim.pk).update(birth_year=year(19))
    assert "1 of age now" in desk.get(changelist).content.decode()
    assert "Kim Kidd" in desk.get(page).content.decode()
    assert "Guardians of 1 player are gone" in desk.post(page, follow=True).content.decode()
    assert not Guardian.objects.exists()
    assert "Nobody" in desk.get(page).content.decode()


def test_an_assistant_has_no_such_page(client: Client, kim: Player) -> None:
    client.force_login(factory.make_assistant())
    for name in ("of_age", "duplicates"):
        assert client.get(reverse(f"admin:players_player_{name}")).status_code == 403
