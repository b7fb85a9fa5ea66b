"""`/metrics`: figures for Prometheus, in its text format.

Requests are counted as they are answered (`clubrating.ops.logs.middleware`), by the name of the route: no address and
no personal data is included. Everything else is read when the page is asked for. The prometheus_client library writes
the format and adds up several processes; how that is set up: `clubrating.ops.health.counters`.

Access: whoever sends the token of CLUB_METRICS_TOKEN (`Authorization: Bearer …`), and administrators who are signed in;
401 for a wrong token, 404 for everybody else.
"""

from collections.abc import Iterator

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest, values
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from clubrating.ops.health import state
from players.models import Job

_OWN = CollectorRegistry()  # of this process
# From a cached page to one that reads a year of games.
BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)  # seconds
_REQUESTS = Counter("club_requests", "Requests answered.", ["route", "status"], registry=_OWN)
_SECONDS = Histogram("club_request_seconds", "How long answers took.", ["route"], registry=_OWN, buckets=BUCKETS)


def count_request(route: str, status: int, seconds: float) -> None:
    """One more request was answered."""
    _REQUESTS.labels(route, status).inc()
    _SECONDS.labels(route).observe(seconds)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """All figures; 401 for a wrong token, 404 without one."""
    authorization = request.headers.get("Authorization", "")
    if authorization:
        if not (settings.METRICS_TOKEN and constant_time_compare(authorization, f"Bearer {settings.METRICS_TOKEN}")):
            return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    elif not (request.user.is_active and request.user.is_staff and request.user.is_superuser):
        return HttpResponseNotFound("There is nothing here.\n", content_type="text/plain; charset=utf-8")
    return HttpResponse(_counted() + generate_latest(_State()), content_type=CONTENT_TYPE_LATEST)


def _counted() -> bytes:
    return generate_latest(MultiProcessCollector(None) if values.ValueClass._multiprocess else _OWN)


class _State(Collector):
    """What `state` says, at the moment it is asked."""

    def collect(self) -> Iterator[Metric]:
        found = {part.name: part for part in state.parts()}
        status = GaugeMetricFamily("club_part_status", "0 ok, 1 needs somebody, 2 keeps visitors out.", labels=["part"])
        for part in found.values():
            status.add_metric([part.name], state.LEVELS.index(part.status))
        yield status
        for part_name, figure, name, text in _GAUGES:
            value = found[part_name].figures.get(figure) if part_name in found else None
            if value is not None:
                yield GaugeMetricFamily(name, text, value=value)
        if "jobs" in found:
            jobs = GaugeMetricFamily("club_jobs", "Background jobs by state.", labels=["state"])
            for each in Job.State.values:
                jobs.add_metric([each], found["jobs"].figures[each] or 0)
            yield jobs
        yield from _of_the_database()


_GAUGES = (
    ("migrations", "pending", "club_migrations_pending", "Migrations the database waits for."),
    ("queue", "waiting", "club_queue_length", "Tasks that wait for a worker."),
    ("queue", "oldest_seconds", "club_queue_lag_seconds", "How long the oldest of them has been waiting."),
    ("queue", "at_work", "club_queue_at_work", "Pieces of background work somebody is at."),
    ("queue", "lost", "club_queue_lost", "Pieces of background work whose worker went away."),
    ("backup", "age_seconds", "club_backup_age_seconds", "Age of the newest backup that was read back whole."),
    ("offsite", "age_seconds", "club_offsite_age_seconds", "Age of the newest backup that was carried off site."),
    ("room", "free_bytes", "club_room_bytes", "Room on the disk of CLUB_DATA."),
)


def _of_the_database() -> Iterator[Metric]:
    try:
        size, (players, results) = state.database_bytes(), state.numbers_given()
    except DatabaseError:
        return
    yield GaugeMetricFamily("club_database_bytes", "Size of the database.", value=size)
    yield GaugeMetricFamily("club_player_numbers", "Player numbers given so far.", value=players)
    yield GaugeMetricFamily("club_results", "Results recorded so far; gaps count.", value=results)
