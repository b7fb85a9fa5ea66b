"""Log records without personal data.

A member's name stands in addresses of pages (`/players/12-anna-karlsen/`), in searches and in the messages of many
exceptions. So no record carries a path, a query string, a user's name, a visitor's address or an exception's message: a
page is named by its route, an exception by its type and traceback (`failures`). Every record carries the id of its
request, which the visitor gets too (`X-Request-ID`).

Plain lines, or a JSON object a line (`CLUB_LOG=json`), then of every request too.
"""

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import lru_cache
from types import TracebackType
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils.translation import override

from clubrating.ops.logs.failures import without_words
from clubrating.web.languages import plain_path

UNKNOWN, STATIC = "unknown", "static"


def route_of(request: HttpRequest) -> str:
    """The view's name, the same in every language; “static” for files, “unknown” where nothing is at the address."""
    if request.resolver_match is not None:
        return request.resolver_match.view_name
    return route_at(request.path_info)


@lru_cache(maxsize=1024)
def route_at(path: str) -> str:
    """The same of an address that was not resolved, as of a page from the cache."""
    if path.startswith(f"/{settings.STATIC_URL.strip('/')}/"):
        return STATIC
    try:
        with override(settings.LANGUAGE_CODE):
            return resolve(plain_path(path)).view_name
    except Resolver404:
        return UNKNOWN


NOBODYS = "-"  # a record outside any request
request_id: ContextVar[str] = ContextVar("request_id", default=NOBODYS)

ExcInfo = tuple[type[BaseException] | None, BaseException | None, TracebackType | None]

# What a record of a request says besides, in JSON.
OF_REQUESTS = ("method", "route", "status", "milliseconds")
# These write addresses of pages or of visitors into their messages.
_DJANGOS = ("django.request", "django.security")
_SERVERS = ("Invalid request from", "Error handling request", "Exception while serving")


class WithoutPeople(logging.Filter):
    """Of every handler. A refusal, a closed site's among them, is dropped: the line of its request has it."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        if record.name.startswith(_DJANGOS):
            status, request = getattr(record, "status_code", 0), getattr(record, "request", None)
            if record.name == "django.request" and not record.exc_info:
                return False
            route = route_of(request) if request is not None else NOBODYS
            record.msg, record.args = f"answered {status or NOBODYS} at {route}", None
        elif record.name.startswith(("gunicorn", "waitress")) and str(record.msg).startswith(_SERVERS):
            is_refusal = str(record.msg).startswith(_SERVERS[0])
            record.msg = "a request that is none was refused" if is_refusal else "error while answering a request"
            record.args = None
        return True


class PlainLines(logging.Formatter):
    """A line for a person."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name} [{request_id}]: {message}", style="{")

    def format(self, record: logging.LogRecord) -> str:
        record.exc_text = None  # another handler may have put the exception's message there
        return super().format(record)

    def formatException(self, ei: ExcInfo | tuple[None, None, None]) -> str:  # noqa: N802 (the library's name)
        return without_words(ei[1]) if ei[1] is not None else ""


class JsonLines(PlainLines):
    """A JSON object a line: time (UTC), level, logger, message, request, and of a request what `OF_REQUESTS` names."""

    def format(self, record: logging.LogRecord) -> str:
        values: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, tz=UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request": getattr(record, "request_id", NOBODYS),
        }
        values |= {name: getattr(record, name) for name in OF_REQUESTS if hasattr(record, name)}
        if record.exc_info:
            values["exception"] = self.formatException(record.exc_info)
        return json.dumps(values, ensure_ascii=False)
