"""Who may do what: every address of the administration, opened and posted to, as every role and as nobody.

The table says which roles a page is for. Everybody else is turned away by it: no page, no name, and nothing moves. A
page that is added is for administrators until it stands in the table.
"""

from collections.abc import Callable, Mapping
from functools import cache

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve

from players.club.services import update_club
from players.models import AuditEvent
from players.officers.roles import ADMINISTRATOR, ARBITER, ASSISTANT, RATING_OFFICER, ROLES
from players.people.selectors import SESSION_KEY
from tests import desk_scene, factory
from tests.choosing import everything
from tests.visitor import Form, Page
from tournaments.events.services.events import NewTournament, create_tournament, delete_tournament
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

Opened = Callable[[str], dict[desk_scene.Address, HttpResponse]]

EVERYBODY = frozenset({"nobody", "member", *ROLES})
OFFICERS = frozenset(ROLES)
HALL = frozenset({ADMINISTRATOR, ARBITER, ASSISTANT})
ARBITERS = frozenset({ADMINISTRATOR, ARBITER})
RATERS = frozenset({ADMINISTRATOR, RATING_OFFICER})
ALL_BUT_ASSISTANTS = OFFICERS - {ASSISTANT}
NO_ROLE: frozenset[str] = frozenset()


def named(roles: frozenset[str], *views: str) -> dict[str, frozenset[str]]:
    """Those views are for those roles; several of one model are written “model: page page”."""
    found = {}
    for each in views:
        model, _, pages = each.partition(": ")
        found |= dict.fromkeys([f"{model}_{page}" for page in pages.split()] or [model], roles)
    return found


# By the name of the view; what is not named is for administrators only. An account's own page asks who is there, and
# what completes a field finds nothing for anybody when it is asked without one.
FOR: Mapping[str, frozenset[str]] = {
    **named(OFFICERS, "index", "jsi18n"),
    **named(EVERYBODY, "login", "logout", "password_change", "password_change_done"),
    **named(HALL, "tournaments_tournament: results board agreed read check_in"),
    **named(
        ALL_BUT_ASSISTANTS,
        "page-reports",
        "tournaments_tournament: changelist change history",
        "tournaments_game: changelist change correct swap seats elsewhere remove undo insert reports handicap footnote",
        "players_player: changelist change",
        "ratings_ratinglist: changelist change",
        "ratings_startingrating: changelist change",
        "ratings_playerrating: changelist change",
        "ratings_ledgerentry: changelist change",
    ),
    **named(ARBITERS, "players_player: add delete merge duplicates federation members of_age links link_sheet"),
    **named(
        RATERS,
        *("tournaments_game: history", "tournaments_season: history", "players_player: history"),
        *("tournaments_leagueclub: history", "tournaments_league: history"),
        *("players_club: history", "players_auditevent: changelist change", "players_job: changelist change"),
        *("ratings_ratinglist: history add", "ratings_startingrating: history add delete"),
        *("ratings_ratingstep: changelist change", "ratings_publishedlist: changelist change"),
    ),
    **named(NO_ROLE, "autocomplete", "tournaments_game: add delete", "players_club: add delete"),
    **named(NO_ROLE, "ratings_ratinglist: delete", "auth_user: delete"),
    **named(NO_ROLE, "tournaments_leagueclub: delete", "tournaments_league: delete"),
}


# Computed, or written by services: nobody adds, changes or deletes them here.
READ_ONLY = ("auditevent", "job", "playerrating", "ledgerentry", "ratingstep", "publishedlist")


def is_for(name: str) -> frozenset[str]:
    if name in FOR:
        return FOR[name]
    if name.endswith(("_add", "_delete", "_history")) and name.split("_")[1] in READ_ONLY:
        return NO_ROLE
    if name.startswith("tournaments_"):
        return ARBITERS
    return frozenset({ADMINISTRATOR})


@pytest.fixture(scope="module")
def scene(world: None) -> Tournament:
    swiss = desk_scene.build()
    update_club({"pass_phrase": "open sesame"}, by=None)
    return swiss


@pytest.fixture(scope="module")
def opened(scene: Tournament) -> Opened:
    """What each kind of visitor gets of every address, asked once for all tests. Assistants, who are turned away by
    most, get the page that says so, which is the same for all."""

    @cache
    def answers(kind: str) -> dict[desk_scene.Address, HttpResponse]:
        with transaction.atomic(), pytest.MonkeyPatch.context() as patch:
            if kind != ASSISTANT:
                desk_scene.refuse_plainly(patch)
            client = client_as(kind)
            found = {each: client.get(each.path) for each in desk_scene.addresses("admin/") if each.name != "logout"}
            transaction.set_rollback(True)
        return found

    return answers


@pytest.fixture(scope="module")
def forms(opened: Opened) -> dict[desk_scene.Address, list[Form]]:
    """Every form of every page as the administrator gets it."""
    pages = {each: Page(answer.text) for each, answer in opened(ADMINISTRATOR).items() if answer.status_code == 200}
    return {
        each: [form for form in page.forms if form.method == "post" and "logout" not in form.action]
        for each, page in pages.items()
    }


def client_as(kind: str) -> Client:
    makers = {
        ADMINISTRATOR: factory.make_administrator,
        RATING_OFFICER: factory.make_rating_officer,
        ARBITER: factory.make_arbiter,
        ASSISTANT: factory.make_assistant,
    }
    if kind in makers:
        return desk_scene.client_of(makers[kind]())
    client = Client()
    if kind == "member":
        client.post("/members/", {"pass_phrase": "open sesame"})
        assert SESSION_KEY in client.session
    return client


def is_turned_away(answer: HttpResponse) -> bool:
    """To the login, to where one came from, or with a 403 or 404."""
    if answer.status_code == 302:
        return "/login/" in answer["Location"]
    return answer.status_code in (403, 404, 405)


@pytest.mark.parametrize("kind", ["nobody", "member", *ROLES])
def test_a_page_opens_for_whom_it_is_made_and_for_nobody_else(opened: Opened, kind: str) -> None:
    faults = []
    for each, answer in opened(kind).items():
        if kind in is_for(each.name):
            if answer.status_code not in (200, 302, 404, 405) or (
                answer.status_code == 302 and "/login/" in answer["Location"]
            ):
                faults.append(f"{each.name} {each.path} does not open: {answer.status_code}")
        elif not is_turned_away(answer):
            faults.append(f"{each.name} {each.path} opens: {answer.status_code}")
        elif desk_scene.SECRET in answer.content.decode(errors="replace"):
            faults.append(f"{each.name} tells a name")
    assert not faults, "\n".join(faults)


PRIVATE = ("account", "account-password", "account-factor")


@pytest.mark.parametrize("kind", ["nobody", "member", *ROLES])
def test_an_account_has_its_own_pages_and_nobody_else_has_any(scene: Tournament, kind: str) -> None:
    client = client_as(kind)
    pages = {each.name: each.path for each in desk_scene.addresses("account/")}
    assert set(PRIVATE) <= set(pages)
    for name in PRIVATE:
        assert is_turned_away(client.get(pages[name])) == (kind not in OFFICERS), name
    for name in ("account-forgotten", "account-code"):
        assert client.get(pages[name]).status_code in (200, 302)


def press_every_button(client: Client, address: desk_scene.Address, forms: list[Form]) -> tuple[int, list[str]]:
    """How many of those forms and buttons were sent, and which of them were taken."""
    sent, taken = 0, []
    for form in forms:
        for name, value, _words in form.buttons or [("", "", "")]:
            answer = client.post(form.action or address.path, {**form.values, **({name: value} if name else {})})
            sent += 1
            if not is_turned_away(answer):
                taken.append(f"{address.name}: {answer.status_code} for {name}={value}")
    return sent, taken


@pytest.mark.usefixtures("plain_refusals")
@pytest.mark.parametrize("kind", ["nobody", "member", RATING_OFFICER, ARBITER, ASSISTANT])
def test_what_an_administrator_may_send_moves_nothing_from_anybody_it_is_not_made_for(
    forms: dict[desk_scene.Address, list[Form]], kind: str
) -> None:
    """Every form of every page as the administrator gets it, each of its buttons, sent by somebody else."""
    client, faults, sent = client_as(kind), [], 0
    before = desk_scene.facts()
    for each, found in forms.items():
        if kind not in is_for(each.name):
            # Whoever has no account is turned away before anything that is sent is read.
            filled = found if kind in ROLES or everything() else []
            count, taken = press_every_button(client, each, [*filled, Form("", "post")])
            sent, faults = sent + count, faults + taken
    assert not faults, "\n".join(faults)
    assert desk_scene.facts() == before
    assert sent > 40


ACTIONS = ("close", "reopen", "publish", "rebuild", "delete_selected")


@pytest.mark.usefixtures("plain_refusals")
@pytest.mark.parametrize("kind", ["nobody", "member", RATING_OFFICER, ARBITER, ASSISTANT])
def test_no_bulk_action_works_for_anybody_it_is_not_made_for(scene: Tournament, kind: str) -> None:
    client, before = client_as(kind), desk_scene.facts()
    mine = {ARBITER: {"tournaments_tournament_changelist"}, RATING_OFFICER: {"ratings_ratinglist_changelist"}}
    for each in desk_scene.addresses("admin/"):
        if not each.name.endswith("_changelist") or each.name in mine.get(kind, set()):
            continue
        for action in ACTIONS:  # confirmed at once: what asks first is done as well as what does not
            data = {"action": action, "_selected_action": [1, 2, 3, 4, 5], "index": 0, "confirmed": "1", "post": "yes"}
            answer = client.post(each.path, data)
            assert answer.status_code in (200, 302, 403, 404)
            if is_turned_away(answer) and not everything():
                break  # the list is closed, whatever is to be done with its rows
    assert desk_scene.facts() == before


@pytest.mark.usefixtures("plain_refusals")
@pytest.mark.parametrize("kind", [ARBITER, ASSISTANT])
def test_an_event_of_others_is_closed_to_an_arbiter_it_does_not_name(
    forms: dict[desk_scene.Address, list[Form]], kind: str
) -> None:
    """Every page of an event, and every game of it."""
    client, other = client_as(kind), factory.make_arbiter("other")
    for event in Tournament.objects.all():
        event.officers.add(other)
    before, faults = desk_scene.facts(), []
    about = [
        each
        for each in desk_scene.addresses("admin/tournaments/")
        if any(part.isdigit() for part in each.path.split("/"))
    ]
    assert len(about) > 25
    for each in about:
        if each.name.endswith("_copy") or each.name.startswith(("tournaments_season", "tournaments_league")):
            continue  # to begin an event like another's takes nothing from it; a season, a league: events of many
        readable = each.name.endswith(("_change", "_history"))
        if not readable and not is_turned_away(client.get(each.path)):
            faults.append(f"{each.name} opens")
        faults += press_every_button(client, each, forms.get(each, []))[1]
    assert not faults, "\n".join(faults)
    assert desk_scene.facts() == before


def test_a_deleted_event_is_brought_back_by_those_who_ran_it(scene: Tournament) -> None:
    founder, other = User.objects.get(username="founder"), factory.make_arbiter("other")
    clients = {role: client_as(role) for role in (ADMINISTRATOR, RATING_OFFICER, ARBITER, ASSISTANT)}
    for officers, may in (([], {ADMINISTRATOR, ARBITER}), ([other], {ADMINISTRATOR})):
        event = create_tournament(NewTournament(f"Deleted with {len(officers)} officers"), by=None)
        event.officers.set(officers)
        delete_tournament(event.pk, by=founder)
        page = f"/admin/tournaments/tournament/undo/{AuditEvent.objects.latest('pk').pk}/"
        assert {role for role, client in clients.items() if not is_turned_away(client.get(page))} == may
        for role in clients.keys() - may:
            assert is_turned_away(clients[role].post(page, {})), role
        assert not Tournament.objects.filter(name=event.name).exists()


def test_the_trail_leads_a_rating_officer_to_no_closed_door(scene: Tournament) -> None:
    """He reads all of it, and runs no event: what a line is about is shown to him as far as he may go."""
    client = client_as(RATING_OFFICER)
    trail = client.get("/admin/players/auditevent/")
    keys = AuditEvent.objects.filter(subject_kind__in=("entry", "round")).values_list("pk", flat=True)[:3]
    lines = [client.get(f"/admin/players/auditevent/{key}/change/") for key in keys]
    found = {link for page in (trail, *lines) for link, _words in Page(page.text).links if "/admin/t" in link}
    assert len(found) > 3
    shut = {link for link in found if client.get(link).status_code != 200}
    assert not shut


@pytest.mark.parametrize("kind", [RATING_OFFICER, ASSISTANT])
def test_no_page_leads_to_a_closed_door(opened: Opened, kind: str) -> None:
    """What a page offers, whoever reads it may open."""
    found: dict[str, str] = {}
    for each, answer in opened(kind).items():
        if kind in is_for(each.name) and each.name != "jsi18n":
            links = Page(answer.text).links if answer.status_code == 200 else []
            found |= {link.partition("#")[0]: each.name for link, _words in links if link.startswith("/admin/")}
    assert len(found) > 10
    client, known = client_as(kind), {each.path: answer for each, answer in opened(kind).items()}
    shut = {f"{name} → {link}" for link, name in found.items() if is_turned_away(known.get(link) or client.get(link))}
    assert not shut, "\n".join(sorted(shut))


# What no link of the scene leads to: what the program asks for or only sends to, rows that are read in their list, and
# what waits for something the scene has not: juniors come of age, stones, an entry withdrawn, groups, names pasted.
UNLED = {
    *named(NO_ROLE, "login", "password_change", "password_change_done", "auth_user_password_change", "jsi18n"),
    *named(NO_ROLE, "players_auditevent: change", "players_job: change", "players_club: change"),
    *named(NO_ROLE, "ratings_ledgerentry: change", "ratings_playerrating: change", "ratings_publishedlist: change"),
    *named(NO_ROLE, "ratings_ratingstep: change", "players_player: of_age", "tournaments_game: handicap"),
    *named(NO_ROLE, "tournaments_tournament: board close delete_round format from_names history match numbers"),
    *named(NO_ROLE, "tournaments_tournament: return starts table team"),
}
# Whoever runs no event comes to no page of one, and reads the whole trail in one place; nobody is awaited at the door.
UNLED_FOR = {
    RATING_OFFICER: {
        *named(NO_ROLE, "tournaments_game: elsewhere seats", "players_club: history", "tournaments_season: history"),
        *named(NO_ROLE, "tournaments_league: history", "tournaments_leagueclub: history"),
    },
    ASSISTANT: {"tournaments_tournament_check_in"},
}


@pytest.mark.parametrize("kind", ROLES)
def test_a_link_leads_to_every_page_that_is_for_somebody(opened: Opened, kind: str) -> None:
    """A link that is shown to nobody, or to the others only, is missed where it is needed."""
    answers = {each: answer for each, answer in opened(kind).items() if kind in is_for(each.name)}
    led = set()
    for answer in answers.values():
        for link, _words in Page(answer.text).links if answer.status_code == 200 else []:
            if link.startswith("/admin/"):
                led.add(resolve(link.partition("#")[0].partition("?")[0]).url_name)
    open_to = {each.name for each, answer in answers.items() if answer.status_code in (200, 302)}
    assert open_to - led - UNLED == UNLED_FOR.get(kind, set())


@pytest.mark.usefixtures("plain_refusals")
def test_a_page_about_nothing_is_not_found(scene: Tournament) -> None:
    """A key nobody has: 404, or back to a list, never a broken page."""
    client = client_as(ADMINISTRATOR)
    for each in desk_scene.addresses("admin/"):
        if each.nowhere != each.path:
            assert client.get(each.nowhere).status_code in (302, 403, 404, 405), each.name
            assert client.post(each.nowhere, {}).status_code in (302, 403, 404, 405), each.name
