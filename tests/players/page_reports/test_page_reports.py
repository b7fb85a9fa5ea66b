"""A visitor says what is wrong on a page; officers read it, see to it, and it is forgotten. No secret is kept."""

from datetime import timedelta
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override
from pytest_django import Settings

from clubrating.web.forms import TRAP
from clubrating.web.own_pages import OF_ONE_READER, SECRETS, public_path
from players.models import AuditEvent, PageReport
from players.page_reports import selectors, services
from players.page_reports.services import KEPT, LONGEST, forget_page_reports, report_page, settle_page_report
from players.page_reports.views import LIMIT
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.routes import routes
from tests.visitor import Visitor
from tournaments.erasure.services.erasure import anonymise_player

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club")]
WORDS = "Boris won in round 3, not Ada"


# --- whoever reports ----------------------------------------------------------------------------------------------
def test_from_any_page_to_the_officers_and_back_without_an_account() -> None:
    visitor = Visitor()
    visitor.open("/ru/about/glossary/")
    visitor.open("/about/glossary/")
    visitor.click("Something wrong here?")
    visitor.sees("/about/glossary/", "Who you are is not asked")
    visitor.send("Tell the officers", words=f" {WORDS} ")
    visitor.sees("The officers have your report.")
    visitor.click("Back to the page")
    report = PageReport.objects.get()
    assert (report.address, report.words, report.done_at) == ("/about/glossary/", WORDS, None)
    event = AuditEvent.objects.get(action="page.reported")
    assert (event.actor, event.role, event.before, event.after, event.note) == (None, "visitor", {}, {}, "")


@pytest.mark.parametrize(
    "path",
    [
        *("//evil.example/", "https://evil.example/", "javascript:alert(1)", "/no/such/page/", "", "/\\evil.example/"),
        *("/players/\x00/", "/about/glossary", "/players/" + "x" * 300 + "/", "/captain/link/abcdef/"),
        *(
            "/mine/mail/abcdef/",
            "/ru/mine/mail/off/abcdef/",
            "/tournaments/cup/enter/abcdef/",
            "/account/link/1/abcdef/",
        ),
        "/tournaments/cup/here/abcdef/",
    ],
)
def test_what_is_no_page_of_ours_and_what_carries_a_secret_is_kept_and_shown_nowhere(path: str) -> None:
    client = Client()
    page = client.get(f"/wrong/?of={quote(path)}")
    assert page.context["of"] == ""
    assert "Say also which page you mean." in page.text
    client.post("/wrong/", {"of": path, "words": WORDS})
    assert PageReport.objects.get().address == ""


def test_every_part_of_an_address_is_known_to_be_public_or_secret() -> None:
    """Whoever adds an address with another part says here, or in `SECRETS`, what it is."""
    public = {"slug", "other", "name", "key", "system", "kind", "chart"}
    for route in routes():
        parts = getattr(route.pattern.pattern, "converters", {})
        if not f"/{route.path}".startswith(OF_ONE_READER):
            assert {name for name, kind in parts.items() if kind.regex != "[0-9]+"} <= public | SECRETS, route
    for path in ("/players/12-anna/", "/ru/players/12-anna/"):
        public_path.cache_clear()
        for reader in ("zh-hans", "en"):
            with override(reader):
                assert public_path(path) == path, "in whatever language it is asked"
    assert public_path("/captain/teams/3/") == "/captain/teams/3/"


def test_a_page_with_a_secret_does_not_pass_it_on_and_one_in_a_frame_has_no_such_link(
    standard: RatingList, settings: Settings
) -> None:
    settings.EMBED_HOSTS = ["https://club.example"]
    page = Client().get("/captain/link/abcdef/")
    assert 'href="/wrong/"' in page.text
    assert "of=" not in page.text.partition("/wrong/")[2][:40]
    framed = Client().get("/embed/ratings/standard/")
    assert (framed.status_code, "/wrong/" in framed.text) == (200, False)


def test_programs_are_thanked_and_a_flood_or_nothing_said_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    assert client.post("/wrong/", {"words": WORDS, TRAP: "x"}).status_code == 302
    for words in ("", " ", "x" * 1001):
        assert client.post("/wrong/", {"words": words}).status_code == 400
    assert not PageReport.objects.exists()
    monkeypatch.setattr(services, "MOST_OPEN", 0)
    full = client.post("/wrong/", {"words": WORDS})
    assert (full.status_code, WORDS in full.text) == (409, True), "what was typed stays"
    for _time in range(LIMIT.tries):
        LIMIT.count("127.0.0.1")
    assert client.post("/wrong/", {"words": WORDS}).status_code == 429


def test_what_is_done_leaves_room_for_others_and_what_is_sent_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_OPEN", 1)
    settle_page_report(report_page("", WORDS, role="visitor").pk, by=factory.make_arbiter())
    for _time in range(LIMIT.tries - 1):
        LIMIT.count("127.0.0.1")
    assert [Client().post("/wrong/", {"words": WORDS}).status_code for _time in range(2)] == [302, 429]
    monkeypatch.undo()
    assert len(report_page("", "x" * (LONGEST + 1), role="visitor").words) == LONGEST


# --- whoever sees to it -------------------------------------------------------------------------------------------
def test_the_desk_tells_of_it_and_an_officer_is_done_with_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    report = report_page("/about/glossary/", f"<script>{WORDS}", role="visitor")
    desk, arbiter = Client(), factory.make_arbiter()
    desk.force_login(arbiter)
    assert "A visitor reported 1 mistake." in desk.get(reverse("admin:index")).text
    text = desk.get("/admin/mistakes/").text
    assert f"&lt;script&gt;{WORDS}" in text
    assert 'href="/about/glossary/"' in text
    assert desk.post("/admin/mistakes/", {"done": report.pk}).status_code == 302
    report.refresh_from_db()
    assert (report.done_by, report.done_at is not None) == (arbiter, True)
    assert "reported 1 mistake" not in desk.get(reverse("admin:index")).text
    said = (("", WORDS), ("", WORDS), ("/players/", WORDS), ("", "Other words"))
    assert len({report_page(*each, role="visitor").pk for each in said} - {report.pk}) == 3, "sent twice is noted once"
    in_order = list(PageReport.objects.order_by("pk"))
    for each in in_order[:1:-1]:
        settle_page_report(each.pk, by=arbiter)
    page = desk.get("/admin/mistakes/").context
    assert page["waiting"] == in_order[1:2]
    assert page["done"] == [*in_order[2:], report], "the last one first"
    monkeypatch.setattr(selectors, "DONE_SHOWN", 2)
    assert desk.get("/admin/mistakes/").context["done"] == in_order[2:]
    for again in (report.pk, "x", "9" * 30):
        assert desk.post("/admin/mistakes/", {"done": again}).status_code == 409
    assert AuditEvent.objects.filter(action="page-report.done", actor=arbiter).count() == 3


def test_an_assistant_and_the_public_do_not_read_them() -> None:
    report_page("", WORDS, role="visitor")
    client = Client()
    assert client.get("/admin/mistakes/").status_code == 302
    client.force_login(factory.make_assistant())
    assert client.get("/admin/mistakes/").status_code == 403
    assert "reported 1 mistake" not in client.get(reverse("admin:index")).text


def test_the_list_costs_the_same_however_many_there_are() -> None:
    desk = Client()
    desk.force_login(arbiter := factory.make_arbiter())
    counts = []
    for _time in range(2):
        for _report in range(3):
            settle_page_report(report_page("", "done", role="visitor").pk, by=arbiter)
            report_page("", f"{WORDS} {PageReport.objects.count()}", role="visitor")
        with CaptureQueriesContext(connection) as asked:
            desk.get("/admin/mistakes/")
        counts.append(len(asked))
    assert counts[0] == counts[1]


# --- and is forgotten ---------------------------------------------------------------------------------------------
def test_what_is_done_is_deleted_after_three_months_and_what_is_not_stays() -> None:
    arbiter = factory.make_arbiter()
    for _time in range(2):
        settle_page_report(report_page("", WORDS, role="visitor").pk, by=arbiter)
    PageReport.objects.filter(pk=PageReport.objects.first().pk).update(done_at=timezone.now() - KEPT - timedelta(1))  # type: ignore[union-attr]
    report_page("", WORDS, role="visitor")
    assert forget_page_reports() == 1
    assert PageReport.objects.count() == 2


def test_an_erased_person_is_in_no_report_and_in_no_address_of_one() -> None:
    player = factory.make_players(1)[0]
    report = report_page(player.get_absolute_url(), f"{player.name} is spelt wrongly", role="visitor")
    anonymise_player(player.pk, by=None)
    report.refresh_from_db()
    assert report.words == f"#{player.number} is spelt wrongly"
    assert not any(part.lower() in report.address for part in player.name.split())


def test_a_settled_report_cannot_be_settled_again() -> None:
    with pytest.raises(Refused, match="already"):
        settle_page_report(0, by=factory.make_arbiter())


def test_a_report_says_something() -> None:
    with pytest.raises(Refused, match="what is wrong"):
        report_page("/about/glossary/", " \n", role="member")
    assert not PageReport.objects.exists()
