"""Names of lists and tiers in the site's languages: what may be one, who writes them, and when readers see them."""

from typing import Any

import pytest
from django.test import Client

from players.models import AuditEvent
from players.refusals import Refused
from ratings.lists.services import NewTier, change_list, create_list, ensure_main_list, set_tiers
from ratings.models import RatingList
from tests import factory
from tests.visitor import Page

pytestmark = pytest.mark.django_db


def test_a_page_changes_with_the_names_and_where_none_is_given_the_own_one_is_read(
    standard: RatingList, client: Client
) -> None:
    set_tiers(standard, [NewTier("Premier", None, {"ru": "Премьер"}), NewTier("Rest", 1500)], by=None)
    before = {code: client.get(f"{prefix}/ratings/standard/") for code, prefix in (("en", ""), ("ru", "/ru"))}
    change_list(standard, {"names": {"ru": "Классика"}}, by=None)
    tag = before["ru"].headers["ETag"]
    after = client.get("/ru/ratings/standard/", headers={"If-None-Match": tag})
    assert (after.status_code, "Классика" in after.text, "Премьер" in after.text) == (200, True, True)
    assert "Rest" in after.text
    english = client.get("/ratings/standard/", headers={"If-None-Match": after.headers["ETag"]})
    assert (english.status_code, "Standard" in english.text, "Premier" in english.text) == (200, True, True)


@pytest.mark.parametrize(
    ("given", "words"),
    [({"de": "Klassik"}, "no language “de”"), ({"ru": "x" * 61}, "Русский is longer than 60"), ({"ru": "—"}, "letter")],
)
def test_names_that_cannot_be_are_refused_and_nothing_is_written(
    standard: RatingList, given: dict[str, str], words: str
) -> None:
    for refused in (
        lambda: change_list(standard, {"name": "New", "names": given}, by=None),
        lambda: create_list(name="New", names=given, slug="new", pool="new", by=None),
        lambda: set_tiers(standard, [NewTier("New", None, given)], by=None),
    ):
        with pytest.raises(Refused, match=words.replace("60", "[46]0")):
            refused()
    assert [(row.name, row.names, row.tiers.count()) for row in RatingList.objects.all()] == [("Standard", {}, 0)]


def test_names_are_kept_clean_and_stand_in_the_trail(standard: RatingList) -> None:
    change_list(standard, {"names": {"ru": "x" * 60}}, by=None)
    change_list(standard, {"names": {"ru": " Клас\u200bсика\x07 ", "en": ""}}, by=None)
    set_tiers(standard, [NewTier("Premier", None, {"ru": "Премьер"})], by=None)
    standard.refresh_from_db()
    assert standard.names == {"ru": "Классика"}
    tiers, names = AuditEvent.objects.filter(action__startswith="list.").order_by("-pk")[:2]
    assert (tiers.after, names.after) == ({"Premier": None, "Premier (ru)": "Премьер"}, {"names": standard.names})
    set_tiers(standard, [NewTier("★", None), NewTier("Щ" * 40, 1500)], by=None)
    assert [tier.slug for tier in standard.tiers.all()] == ["tier-1", ("shch" * 40)[:40]], "it fits its column"


@pytest.mark.parametrize("name", ["Standard", "标准"])
def test_a_clubs_first_list_is_named_in_every_language_where_it_has_the_usual_name(name: str) -> None:
    usual = {"en": "Standard", "ru": "Классика", "zh-hans": "标准", "zh-hant": "標準"}
    made = ensure_main_list(name=name, by=None)
    assert made.names | {code: name for code, text in usual.items() if text == name} == usual
    thursdays = ensure_main_list(name="Thursdays " * 4, by=None)
    assert (thursdays.slug, thursdays.names) == ("thursdays-thursdays-thursdays", {})


def test_an_officer_writes_the_names_of_a_list_and_of_its_tiers(client: Client, standard: RatingList) -> None:
    client.force_login(factory.make_administrator())
    address = f"/admin/ratings/ratinglist/{standard.pk}/change/"
    set_tiers(standard, [NewTier("Premier", None, {"zh-hant": "甲組"})], by=None)
    page_text = client.get(address).text
    form = next(each for each in Page(page_text).forms if "names_ru" in each.names)
    assert form.values["tiers-0-names_zh-hant"] == ["甲組"]
    assert "row 1, 繁體中文" in page_text, "a screen reader is told the row and the language"
    sent: dict[str, Any] = {**form.values, "names_ru": "Классика", "tiers-0-names_ru": "Премьер"}
    assert client.post(address, sent).status_code == 302
    standard.refresh_from_db()
    assert standard.names == {"ru": "Классика"}
    assert standard.tiers.get().names == {"ru": "Премьер", "zh-hant": "甲組"}
    too_long = client.post(address, {**sent, "names_ru": "x" * 61, "tiers-0-id": str(standard.tiers.get().pk)})
    assert "60" in "".join(too_long.context["adminform"].form.errors["names"])
