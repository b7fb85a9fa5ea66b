"""How long an arbiter waits for an answer in the minute in which two hundred players report their results by phone, on
a site as `bin/serve` runs it with a scratch database.

A phone opens its board, taps once, sends the tap a second time as a phone without a line does, and reads the answer.
Every second tap of a board enters its result and rates it. Meanwhile the arbiter enters results of another event by
the keys of the result page. The baseline is the same arbiter in calm minutes: calm and busy ones take turns.
"""

import json
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from secrets import token_urlsafe
from statistics import quantiles
from tempfile import TemporaryDirectory
from urllib.parse import urlencode, urlsplit, urlunsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from benchmarks.crowd import LONGEST, served
from benchmarks.databases import scratch_database
from benchmarks.measure import Measured, missing
from clubrating.site.welcome.services import set_up_club
from clubrating.web.links import COOKIE, remember_link
from players.club.services import update_club
from players.links.services.personal_links import make_personal_link, open_personal_link
from players.models import Player
from players.people.services import NewPlayer, create_players
from ratings.models import RatingList
from tournaments.entries.services.entries import enter_players, number_in_order
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import Game, PlayerResults, Tournament
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import pair_all_rounds

PHONES, MINUTES, MINUTE = 200, 3, 60.0  # a minute has so many seconds
DESK_PLAYERS, PAUSE = 40, (0.2, 0.6)  # seconds between two keys of the arbiter's
CALM, GOAL = "the same arbiter in calm minutes of the same run", 2
TOKEN = "c" * 32  # cookie and field of the same value: what the site asks of a form of its own


@dataclass(frozen=True, slots=True)
class Phone:
    """A player's device, and what it sends for its board."""

    cookie: str
    path: str
    values: dict[str, object]


class Line:
    """A connection that stays open, with cookies."""

    def __init__(self, port: int, cookies: str) -> None:
        self.line = HTTPConnection("127.0.0.1", port, timeout=LONGEST)
        self.headers = {"Cookie": f"csrftoken={TOKEN}; {cookies}"}

    def ask(self, method: str, path: str, body: str = "", kind: str = "", *, expected: int = 200) -> float:
        """Seconds until the answer is here. Raises AssertionError for another status."""
        headers = {**self.headers, "X-CSRFToken": TOKEN, **({"Content-Type": kind} if kind else {})}
        began = time.perf_counter()
        self.line.request(method, path, body or None, headers)
        answer = self.line.getresponse()
        answer.read()
        if answer.status != expected:
            raise AssertionError(f"{method} {path} answered {answer.status}")
        return time.perf_counter() - began


def measure_phones() -> Iterator[Measured]:
    """The 95th percentile of the arbiter's waits, busy over calm; then what was lost, and what the ledger says."""
    what = f"an arbiter's slowest twentieth beside {PHONES} phones that report in one minute, {connection.display_name}"
    if not os.environ.get("CLUB_SECRET_KEY"):
        yield missing(what, CALM, "pages need a secret: set CLUB_SECRET_KEY", GOAL)
        return
    with scratch_database(), TemporaryDirectory() as folder:
        events, desk, session = _make_club()
        connection.close()
        with served(Path(folder), DATABASE_URL=_address(), CLUB_SECRET_KEY=settings.SECRET_KEY) as port:
            calm, busy = _take_turns(port, events, desk, session)
        own, alone = quantiles(busy, n=20)[-1], quantiles(calm, n=20)[-1]
        yield Measured(what, CALM, own / alone, own, alone, GOAL)
        stand = Game.objects.filter(tournament__in=[event.pk for event in events], result="1-0").count()
        lost = sum(event.games.count() for event in events) - stand
        yield Measured("results of these phones that are not there afterwards", "none", float(lost), goal=0)
        wrong = sum(len(check_list(each)) for each in RatingList.objects.all())
        yield Measured("differences from a fresh replay after these minutes", "none", float(wrong), goal=0)


def _take_turns(port: int, events: list[Tournament], desk: Tournament, session: str) -> tuple[list[float], list[float]]:
    """What the arbiter waited in calm minutes and in busy ones."""
    arbiter, keys = Line(port, f"sessionid={session}"), _keys_of(desk)
    calm: list[float] = []
    busy: list[float] = []
    list(_enter(arbiter, keys, MINUTE / 10))  # what is loaded for the first time
    for event in events:
        calm.extend(_enter(arbiter, keys, MINUTE))
        rng, phones = Random(event.pk), _phones_of(event)
        with ThreadPoolExecutor(len(phones)) as hall:
            reports = [hall.submit(_report, port, phone, rng.uniform(0, MINUTE)) for phone in phones]
            busy.extend(_enter(arbiter, keys, MINUTE))
            wait(reports)
        for report in reports:
            report.result()
    return calm, busy


def _report(port: int, phone: Phone, after: float) -> None:
    time.sleep(after)
    line, body = Line(port, phone.cookie), urlencode({**phone.values, "csrfmiddlewaretoken": TOKEN})
    line.ask("GET", phone.path)
    for _tap in range(2):
        line.ask("POST", phone.path, body, "application/x-www-form-urlencoded", expected=302)
    line.ask("GET", phone.path)


def _enter(arbiter: Line, keys: Iterator[tuple[str, str]], seconds: float) -> Iterator[float]:
    """One key after another, as a hand presses them; how long each took to be answered."""
    rng, until = Random(1), time.monotonic() + seconds
    while time.monotonic() < until:
        path, body = next(keys)
        yield arbiter.ask("POST", path, body, "application/json")
        time.sleep(rng.uniform(*PAUSE))


def _keys_of(desk: Tournament) -> Iterator[tuple[str, str]]:
    """Address and body of each key, board by board."""
    today = timezone.localdate().isoformat()
    rows = desk.games.order_by("pairing__round__number", "pairing__board").values_list("pk", "pairing__round")
    for game, row in list(rows):
        values = {"game": game, "result": "1-0", "revision": 0, "played_on": today}
        yield f"/admin/tournaments/tournament/round/{row}/board/", json.dumps(values)


def _make_club() -> tuple[list[Tournament], Tournament, str]:
    """An event for each busy minute, its first round out; the arbiter's own event; the session of an officer."""
    password = token_urlsafe()
    set_up_club(name="Club", time_zone="UTC", username="officer", password=password, list_name="Standard")
    update_club({"personal_links": True}, by=None)
    players = create_players([NewPlayer(f"Player {number}") for number in range(PHONES)], by=None)
    today = timezone.localdate()
    events = []
    for minute in range(MINUTES):
        new = NewTournament(f"Open {minute}", "dutch", {"rounds": 3}, player_results=PlayerResults.AGREED)
        event = create_tournament(new, by=None)
        number_in_order(event.stages.get(), enter_players(event, players, by=None), by=None)
        pair_next_round(event.stages.get(), by=None, day=today, publish=True)
        events.append(event)
    desk = create_tournament(NewTournament("Desk", settings={"cycles": 2}, starts_on=today), by=None)
    some = enter_players(desk, players[:DESK_PLAYERS], by=None)
    number_in_order(desk.stages.get(), some, by=None)
    pair_all_rounds(desk.stages.get(), by=None, first_day=today)
    client = Client()
    client.force_login(User.objects.get(), settings.OFFICERS)
    return events, desk, client.cookies[settings.SESSION_COOKIE_NAME].value


def _phones_of(event: Tournament) -> list[Phone]:
    """Both sides of every board; a player's device is another one in every event."""
    return [
        Phone(
            _cookie_of(player),
            f"/tournaments/{event.slug}/games/{game.pk}/",
            {"player": player.number, "revision": game.revision, "claimed": "1-0"},
        )
        for game in event.games.select_related("white", "black")
        for player in (game.white, game.black)
    ]


def _cookie_of(player: Player) -> str:
    _link, secret = make_personal_link(player.pk, by=None)
    opened, response = open_personal_link(secret), HttpResponse()
    if opened is None:
        raise AssertionError("a fresh link opens")
    remember_link(response, opened[1])
    return f"{COOKIE}={response.cookies[COOKIE].value}"


def _address() -> str:
    """The scratch database as the site is told of it."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}"))
