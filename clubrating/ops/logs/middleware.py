"""Every request gets an id, the visitor's address, a line in the log, a place in the counters, and our headers: also
what another middleware answers, a redirect to https or a file. It asks the database nothing.
"""

import logging
import re
from time import perf_counter
from uuid import uuid4

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from clubrating.ops.health.metrics import count_request
from clubrating.ops.logs.records import request_id, route_of
from clubrating.web.devices import note_device
from clubrating.web.links import note_link
from clubrating.web.middleware import add_headers, note_address
from clubrating.web.readings import note_wish
from clubrating.web.requests import GetResponse

HEADER = "X-Request-ID"
LOG = logging.getLogger("club.requests")
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
# What a name may be made of: enough for every proxy's, nothing that could write a second line into a log.
_WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")


class RequestMiddleware:
    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began, name = perf_counter(), _given_name(request) or uuid4().hex
        before = request_id.set(name)
        try:
            note_address(request)
            note_device(request)
            note_link(request)
            note_wish(request)
            response = self.get_response(request)
            _log(request, response.status_code, perf_counter() - began)
        finally:
            request_id.reset(before)
        response.headers[HEADER] = name
        add_headers(response)
        return response


def _given_name(request: HttpRequest) -> str:
    """The name a proxy of ours gave; "" where there is none, or a visitor may have written it himself."""
    name = request.headers.get(HEADER, "") if settings.PROXIES else ""
    return name if _WELL_FORMED.fullmatch(name) else ""


def _log(request: HttpRequest, status: int, seconds: float) -> None:
    route = route_of(request)
    method = request.method if request.method in METHODS else "OTHER"
    count_request(route, status, seconds)
    milliseconds = round(seconds * 1000, 1)
    values = {"method": method, "route": route, "status": status, "milliseconds": milliseconds}
    LOG.info("%s %s %s, %s ms", method, route, status, milliseconds, extra=values)
