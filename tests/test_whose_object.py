"""Objects as well as addresses: an address is for somebody, and so is what its blanks name and a form brings.

Every public address with an object its reader does not see; every form of somebody else's event sent to one's own, with
a valid token. `tests/test_who_may.py` asks which pages
are for whom.
"""

from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection, models
from django.db.models import F
from django.test import Client
from django.urls import reverse

from players.club.services import update_club
from players.models import AuditEvent, Job, Player
from players.people.selectors import SESSION_KEY
from players.people.services import NewPlayer, create_players
from ratings.lists.services import NewStart, create_list
from ratings.models import RatingList
from tests import desk_scene, factory
from tests.choosing import everything
from tests.routes import routes
from tests.test_hostile_input import nothing_kept
from tests.tournaments.event_pages import page_cases
from tests.visitor import Form, Page
from tournaments.challenges.services import accept, challenge
from tournaments.evenings.services import arrive, open_evening
from tournaments.free_boards.services.rules import NewFreeRules, set_free_rules
from tournaments.free_play.services import record_free_game
from tournaments.models import Contest, Entry, Evening, Game, Pairing, Round, Stage, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.result_reports.services import report_result
from tournaments.results.services.results import correct_result
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db

MINE, THEIRS = "Mine", "Theirs"
FORMATS = ("dutch", "round-robin", "knockout", "keizer", "free", "ladder")


@pytest.fixture(scope="module", autouse=True)
def scene(world: None) -> None:
    """Two clubs' worth of events of every format: those the officers of each role run, and somebody else's."""
    factory.make_club()
    factory.make_list()
    update_club({"pass_phrase": "open sesame"}, by=None)
    hidden = create_players([NewPlayer("Hilde Plantedhidden", visibility="hidden")], by=None)
    players = [*hidden, *factory.make_players(5)]
    secret = create_list(name="Secret", slug="secret", pool="secret", by=None)
    bring_starting_ratings(secret, [NewStart(players[1].pk, factory.MONDAY, 1777, 50)], by=None)
    RatingList.objects.filter(pk=secret.pk).update(public=False)
    Job.objects.create(kind="rebuild-list", subject_key=secret.pk)
    factory.make_administrator("founder")
    other = factory.make_arbiter("other")
    own = [factory.make_arbiter("me"), factory.make_assistant("helper")]
    factory.make_rating_officer("rater")
    for whose, officers in ((MINE, own), (THEIRS, [other])):
        for event in _events(whose, players):
            event.officers.set(officers)


def _events(whose: str, players: list[Player]) -> Iterator[Tournament]:
    swiss = page_cases.make_event(players, "dutch", name=f"{whose} dutch", rounds=3)
    pair_next_round(page_cases.first_stage(swiss), by=None, day=factory.MONDAY, publish=True)
    page_cases.play_open_round(swiss, *[Result.DRAW] * 3)
    pair_next_round(page_cases.first_stage(swiss), by=None, day=factory.MONDAY + timedelta(days=7))
    game = Game.objects.filter(tournament=swiss).exclude(result="").order_by("pk")[0]
    correct_result(game=game.pk, result=Result.WHITE_WINS, by=None, reason="appeal", note="on file")
    report_result(game.pk, Result.BLACK_WINS, role="visitor")
    yield swiss
    robin = factory.make_round_robin(players, name=f"{whose} round-robin")
    factory.play_round(robin, 1, [Result.WHITE_WINS, Result.DRAW, Result.DRAW])
    yield robin
    yield factory.make_knockout(players[:4], name=f"{whose} knockout")
    yield page_cases.make_event(players, "keizer", name=f"{whose} keizer")
    evening = page_cases.make_event([], "free", name=f"{whose} free")
    record_free_game(evening, players[1], players[2], Result.WHITE_WINS, factory.MONDAY, by=None)
    yield evening
    ladder = factory.make_ladder(players[1:], name=f"{whose} ladder").tournament
    set_free_rules(ladder, NewFreeRules(challenges=True, check_in=True), by=None)
    entries = Entry.objects.filter(tournament=ladder).order_by("number")
    first, second, third, fourth = entries[:4]
    challenge(ladder, second.player_id, first.pk)
    accept(challenge(ladder, fourth.player_id, third.pk).pk, None)
    door = open_evening(ladder, by=None)
    for entry in (first, second):
        arrive(door.pk, entry.player)
    yield ladder


def client_of(username: str) -> Client:
    """Signed in, with a valid token in everything sent."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.get(username=username))
    client.get("/account/password/")
    client.defaults["HTTP_X_CSRFTOKEN"] = client.cookies["csrftoken"].value
    return client


# --- public addresses ---------------------------------------------------------------------------------------------
def _hidden() -> dict[str, list[tuple[object, ...]]]:
    """For every public address with blanks: what stands in them that its readers do not see. Nothing in the list: what
    the blanks name is everybody's, or no row at all."""
    swiss, other = (Tournament.objects.get(name=f"{whose} dutch") for whose in (MINE, THEIRS))
    event = swiss.slug
    draft = Game.objects.filter(tournament=swiss, pairing__round__number=2).order_by("pk")[0].pk
    played, foreign = (Game.objects.filter(tournament=each).exclude(result="")[0].pk for each in (swiss, other))
    job = Job.objects.get(kind="rebuild-list").pk
    names = "tournament standings crosstable progress bracket forecast ask-needs prizes absent entries feed calendar"
    names += " event-calendar files statistics tv print games report file enter"
    api = "tournament entries standings forecast rounds tables"
    # Of an event that has no teams there is nothing to see.
    blanks = {"match": (event, 1, 1), "team": (event, 1), "team-calendar": (event, 1)}
    teams = {name: blanks.get(name, (event,)) for name in (*blanks, "matches", "teams", "best")}
    return {
        **{f"players:{name}": [("1",), ("1-hilde-plantedhidden",)] for name in ("player", "games", "luck", "picture")},
        "players:choose-opponent": [("1",)],
        "players:vs": [("1", "2-ada-alvarez"), ("2-ada-alvarez", "1")],
        **{f"ratings:{name}": [("secret",)] for name in ("list", "file", "json", "wall", "picture", "forecast")},
        "ratings:why": [("secret", played, 2), ("standard", draft, 2), ("standard", played, 1)],
        "ratings:why-contest": [("secret", 1), ("standard", 1)],
        **{f"tournaments:{name}": [] for name in names.split()},
        **{f"tournaments:{name}": [each] for name, each in teams.items()},
        "tournaments:round": [(event, 2)],
        "tournaments:why": [(event, 2, 2)],
        **{f"tournaments:{name}": [(event, 2)] for name in ("certificate", "certificate-file", "ask-certificate")},
        **{f"tournaments:{name}": [(event, draft), (event, foreign)] for name in ("board", "report", "sheets")},
        "tournaments:sheet": [(event, draft, 1), (event, played, 1), (event, foreign, 1)],
        "tournaments:card": [(event, 99)],
        # Nobody challenges anybody there; and without a link the code of an evening opens nothing.
        "tournaments:challenges": [(event,)],
        "tournaments:here": [(event, "guessed"), (event, Evening.objects.latest("pk").door_code)],
        # Without a host that may frame them there are none.
        **{f"embed:{name}": [(event,)] for name in ("standings", "pairings")},
        "embed:list": [("secret",)],
        "leagues:league": [("no-league",)],
        "seasons:season": [],
        "seasons:file": [],
        "api:ranks": [("secret",)],
        "api:rank": [("secret", 2)],
        "api:player": [(1,)],
        "api:round": [(event, 2)],
        **{f"api:{name}": [] for name in api.split()},
        **{f"api:{name}": [(event,)] for name in ("matches", "teams")},
        "api:board": [(event, 2, 1)],
        "api:withdrawal": [],
        "api:check-in": [],
        **{f"api:{name}": [] for name in ("absence", "result", "correction")},
        **{f"lab:{name}": [(job,)] for name in ("run", "cancel", "proposed", "drift-svg", "drift-csv")},
        "lab:file": [(job, "ratings.csv")],
        **{f"lab:{name}": [] for name in ("scenario", "scenario-svg", "scenario-csv", "diary-svg", "diary-csv")},
        **{f"lab:{name}": [] for name in ("calibration-svg", "calibration-csv", "typed-dots")},
        "mail-link": [("nobodys-key",)],
        "mail-kind": [("1-paired-nobodys",)],
        "tournaments:own-entry": [(event, "nobodys-secret"), ("no-event", "nobodys-secret")],
        "account-link": [("MQ", "set-password"), ("MQ", "abc-def")],
        "account-passkey-remove": [],  # leads to signing in; a stranger’s one: test_passkeys
        "add-my-passkey": [(1,)],
        "event-picture": [],
        "captains:enter": [("nobodys-secret",)],
        **{f"captains:{name}": [(1, 1)] for name in ("match", "advice")},
        "captains:team": [(1,)],
        "api:": [],
    }


@pytest.mark.usefixtures("plain_refusals")
@pytest.mark.parametrize("kind", ["nobody", "member"])
def test_no_public_address_opens_what_its_reader_does_not_see(kind: str) -> None:
    hidden = _hidden()
    public = {route.name for route in routes() if "<" in route.path and not route.path.startswith("admin/")}
    assert public == hidden.keys(), "say what the blanks of a new address may hide"
    client = Client(enforce_csrf_checks=True)
    token = {"HTTP_X_CSRFTOKEN": Page(client.get("/members/").text).forms[0].values["csrfmiddlewaretoken"][0]}
    if kind == "member":
        client.post("/members/", {"pass_phrase": "open sesame"}, **token)
        assert SESSION_KEY in client.session
    before, faults = desk_scene.facts(), []
    for name, objects in hidden.items():
        for blanks in objects:
            for ask in (client.get, client.post):
                answer = ask(reverse(name, args=blanks), **token)
                if answer.status_code not in (403, 404, 405, 410):
                    faults.append(f"{name} {blanks}: {answer.status_code} to {ask.__name__}")
    assert not faults, "\n".join(faults)
    assert desk_scene.facts() == before


# --- forms of others' objects -------------------------------------------------------------------------------------
def keys_of(event: Tournament) -> dict[str, int]:
    """A key for every kind of thing of that event, by the word before it in the address."""

    def first(model: type[models.Model], **where: object) -> int:
        row = model._default_manager.filter(**where).order_by("-pk").first()
        return row.pk if row else 987654

    played = Game.objects.filter(tournament=event).exclude(result="").order_by("pk").first()
    lines = AuditEvent.objects.filter(action="result.corrected", subject_key=played.pk if played else None)
    return {
        "tournament": event.pk,
        "from": event.pk,
        "stage": first(Stage, tournament=event),
        "round": first(Round, stage__tournament=event),
        "entry": first(Entry, tournament=event),
        "match": first(Pairing, stage__tournament=event, slot__isnull=False),
        "game": played.pk if played else first(Game, tournament=event),
        "table": first(Contest, tournament=event),
        "undo": next((line.pk for line in lines), 987654),
    }


def pages_of(event: Tournament) -> dict[str, str]:
    """The addresses of the administration about that event, its games and rounds, by their routes."""
    known = keys_of(event)
    return {
        route: "/" + desk_scene.filled(route, known)
        for _, route, _ in routes()
        if route.startswith("admin/tournaments/") and "<" in route and not set(route.split("/")) & {"season", "r"}
    }


def forms_on(client: Client, address: str) -> list[Form]:
    answer = client.get(address, follow=True)
    if not answer.headers.get("Content-Type", "").startswith("text/html"):
        return []
    return [form for form in Page(answer.text).forms if form.method == "post" and "logout" not in form.action]


def sent(form: Form) -> Iterator[dict[str, object]]:
    """What each button of the form sends; the token comes with the client. In short of buttons that every board has
    those of one board: what stands in the fields, of all boards, is sent with each."""
    buttons = form.buttons or [("", "", "")]
    if not everything():
        buttons = list(
            {(name.rstrip("0123456789"), value): (name, value, words) for name, value, words in buttons}.values()
        )
    values = {name: value for name, value in form.values.items() if name != "csrfmiddlewaretoken"}
    for name, value, _words in buttons:
        yield {**values, **({name: value} if name else {})}


@cache
def ways_to_event(model: type[models.Model]) -> tuple[str, ...]:
    """The lookups that lead from a row to its event, one for each of its keys that do."""
    if model is Tournament:
        return ("pk",)
    keys = [field for field in model._meta.concrete_fields if field.is_relation]
    found = [
        (field.name, ways_to_event(field.related_model))
        for field in keys
        if field.related_model._meta.app_label == "tournaments" and field.related_model is not model
    ]
    return tuple(name if ways == ("pk",) else f"{name}__{ways[0]}" for name, ways in found if ways)


def rows_of(event: Tournament) -> dict[str, list[Any]]:
    """Every row of the event; and no row joins two events."""
    found = {}
    for model in apps.get_app_config("tournaments").get_models():
        first, *others = ways_to_event(model) or ("",)
        rows = model._default_manager.order_by("pk")
        for other in others:
            assert not rows.exclude(**{first: F(other)}).filter(**{f"{other}__isnull": False}).exists(), model
        found[model.__name__] = list(rows.filter(**{first: event.pk}).values_list()) if first else []
    return found


@cache
def forms_of(event: str) -> list[tuple[str, str, Form]]:
    """Every form of every page of that event, with its route and address: the same for all who try to send it."""
    boss, pages = client_of("founder"), pages_of(Tournament.objects.get(name=event))
    return [(route, address, form) for route, address in pages.items() for form in forms_on(boss, address)]


@pytest.mark.parametrize(
    "system", [pytest.param(name, marks=[pytest.mark.slow] * (name != "dutch")) for name in FORMATS]
)
@pytest.mark.parametrize("who", ["me", "helper"])
@pytest.mark.usefixtures("plain_refusals")
def test_a_form_of_anothers_event_sent_to_ones_own_takes_nothing_from_it(system: str, who: str) -> None:
    """Every form of every page of somebody else's event, with the keys that stand in it."""
    mine, theirs = (Tournament.objects.get(name=f"{whose} {system}") for whose in (MINE, THEIRS))
    forms, client = forms_of(theirs.name), client_of(who)
    ours, before, faults, taken, writes = pages_of(mine), rows_of(theirs), list[str](), 0, list[str]()

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        writes.extend([sql] if sql.startswith(("INSERT", "UPDATE", "DELETE")) else [])
        return execute(sql, *rest)

    for route, address, form in forms:
        for values in sent(form):
            for to in (ours[route], address):
                writes.clear()
                with nothing_kept(), connection.execute_wrapper(note):
                    answer = client.post(to, values)
                    if writes and rows_of(theirs) != before:
                        faults.append(f"{address} sent to {to}: {answer.status_code}, {values}")
                    taken += to != address and answer.status_code != 403
    assert not faults, "\n".join(faults)
    assert taken > (20 if who == "me" else 1), "one's own addresses are open, and the token is valid"
