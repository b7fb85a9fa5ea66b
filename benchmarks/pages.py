"""Queries and time of the public pages of a tournament of 60 players and 7 rounds, on a scratch database."""

import os
from collections.abc import Iterator
from datetime import date
from secrets import token_urlsafe

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from benchmarks.databases import scratch_database
from benchmarks.measure import Measured, missing, seconds
from benchmarks.rounds import simulated
from benchmarks.site import pages_made_anew
from clubrating.site.welcome.services import set_up_club
from tournaments.models import Tournament
from tournaments.reports.services.importing import import_report
from tournaments.reports.services.plan import Terms

MOST_QUERIES = 8
LIMIT = 0.5  # seconds
PAGES = ("tournament", "standings", "crosstable", "entries")
TIMES = 5


def measure_pages() -> Iterator[Measured]:
    """Every page: its queries against the most there may be, its time against half a second."""
    if not os.environ.get("CLUB_SECRET_KEY"):
        yield missing("public pages", f"{LIMIT:g} s", "pages need a secret: set CLUB_SECRET_KEY", goal=1)
        return
    with scratch_database(), pages_made_anew():
        set_up_club(name="Club", time_zone="UTC", username="officer", password=token_urlsafe(), list_name="Standard")
        event = import_report(simulated(60, 7), Terms(today=date(2026, 9, 1)), by=None).tournament
        for name in PAGES:
            yield from _measure(name, event)


def _measure(name: str, event: Tournament) -> Iterator[Measured]:
    address, client = (
        reverse(f"tournaments:{name}", args=[event.slug]),
        Client(SERVER_NAME="localhost", headers={"X-Forwarded-Proto": "https"}),
    )

    def ask() -> None:
        answer = client.get(address)
        if answer.status_code != 200:
            raise AssertionError(f"{address} answered {answer.status_code}")

    ask()
    with CaptureQueriesContext(connection) as queries:
        ask()
    asked = len(queries)
    best = min(seconds(ask) for _time in range(TIMES))
    what = f"the {name} page of 60 players after 7 rounds"
    yield Measured(f"queries of {what}", f"{MOST_QUERIES}", asked / MOST_QUERIES, goal=1)
    yield Measured(what, f"{LIMIT:g} s", best / LIMIT, best, LIMIT, goal=1)
