"""Django's own pages at the club's desk: what they say, and that none of them leads to a door that is shut."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.template import Context, Template
from django.test import Client, RequestFactory
from django.urls import reverse

from clubrating.web.admin import administrator, officer
from ratings.models import PlayerRating, RatingList
from tests import factory
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


@pytest.mark.extended
@pytest.mark.parametrize("language", ["", "/ru"])
def test_every_sheet_of_paper_says_what_it_is_from_without_a_script(client: Client, language: str) -> None:
    factory.make_club()
    factory.make_round_robin(factory.make_players(4), name='The "Old" Cup')
    page = client.get(f"{language}/tournaments/the-old-cup/standings/").text
    title = page.partition("<title>")[2].partition("</title>")[0]
    assert "Test Club" in title
    assert f' data-running="{title.replace(chr(34), "&quot;")}">' in page.partition("<head>")[0]
    client.force_login(factory.make_administrator())
    page = client.get(reverse("admin:players_player_changelist")).text
    assert re.search(r'<div class="named-on-paper" data-running="[^"]+ · [^"]*Test Club[^"]* · \d{4}-\d\d-\d\d">', page)


def test_a_title_is_said_again_within_an_attribute() -> None:
    page = Template('<html data-running="{% again "title" %}">{% block title %}{% endblock %}')
    own = Template('{% extends page %}{% block title %}A "b" & {{ c }}{% endblock %}')
    assert own.render(Context({"page": page, "c": '"'})) == (
        '<html data-running="A &quot;b&quot; & &quot;">A "b" & &quot;'
    )


@pytest.fixture
def office(client: Client, standard: RatingList) -> Client:
    client.force_login(factory.make_administrator())
    return client


def read(office: Client, name: str, *args: object) -> str:
    return office.get(reverse(f"admin:{name}", args=args)).content.decode()


def test_the_trail_of_an_account_is_the_audit_trail(office: Client) -> None:
    user = User.objects.get(username="admin")
    answer = office.get(reverse("admin:auth_user_history", args=[user.pk]))
    assert answer.status_code == 302
    assert answer["Location"].endswith(f"?subject_kind=user&subject_key={user.pk}")


def test_a_rating_officer_reads_no_account_and_no_trail_of_one(client: Client, standard: RatingList) -> None:
    client.force_login(user := factory.make_rating_officer())
    assert client.get(reverse("admin:auth_user_history", args=[user.pk])).status_code == 403


def test_whoever_is_not_signed_in_is_no_officer() -> None:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    for who in (officer, administrator):
        with pytest.raises(PermissionDenied):
            who(request)


def test_a_changed_password_ends_on_ones_own_account(office: Client) -> None:
    assert office.get("/admin/password_change/done/")["Location"] == reverse("account")


def test_computed_rows_offer_no_trail_they_do_not_have(office: Client, standard: RatingList) -> None:
    factory.play_round(factory.make_round_robin(factory.make_players(4)), 1, [Result.WHITE_WINS, Result.DRAW])
    row = PlayerRating.objects.first()
    assert row is not None
    page = read(office, "ratings_playerrating_change", row.pk)
    assert "historylink" not in page
    assert f"<h2>{row}" not in page
    assert "historylink" in read(office, "ratings_ratinglist_change", standard.pk)


def test_those_who_sign_in_are_accounts_in_every_place(office: Client) -> None:
    user = User.objects.get(username="admin")
    assert "Accounts" in read(office, "index")
    pages = [
        read(office, "auth_user_changelist"),
        read(office, "auth_user_change", user.pk),
        read(office, "auth_user_add"),
    ]
    for page in pages:
        assert "Users" not in page
        assert "Add user" not in page
    assert "1 account" in pages[0]
    assert "accounts are closed, not deleted" in pages[1]


def test_all_results_are_only_offered_where_some_are_hidden(office: Client) -> None:
    factory.make_players(2)
    page = reverse("admin:players_player_changelist")
    assert "Show all" not in office.get(page).content.decode()
    found = office.get(page, {"q": "Ada"}).content.decode()
    assert "1 found" in found
    assert "Show all" in found


def test_days_are_written_as_everywhere_on_the_site(office: Client, standard: RatingList) -> None:
    factory.play_round(factory.make_round_robin(factory.make_players(4)), 1, [Result.WHITE_WINS, Result.DRAW])
    page = read(office, "ratings_ledgerentry_changelist")
    assert "5 Jan 2026" in page
    assert "2 rows" in page
    assert "a.m." not in read(office, "auth_user_changelist")


def test_every_field_of_a_row_says_what_it_is(office: Client, standard: RatingList) -> None:
    page = read(office, "ratings_ratinglist_change", standard.pk)
    assert 'aria-label="Valid from, row 1"' in page
    assert 'aria-label="System, row 1"' in page
