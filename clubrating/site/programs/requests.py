"""A request of the write API, from its headers to the deed: whose token, which event, what is asked, and the answer.

Everything that is wrong is answered as `{"error": sentence}`, with the `field` it is about where there is one. Cookies
are not looked at, so another site's page can send nothing in somebody's name; no other site's page may read an answer.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from clubrating.accounts.backend import OfficerBackend
from clubrating.site.programs.description.writing import WRITING
from clubrating.site.programs.shapes import problem_in
from clubrating.web.rate_limits import RateLimit, address_of
from clubrating.web.requests import ClubRequest
from players.models import ApiToken
from players.programs.services import KeyUsedError, answer_once, token_of
from players.refusals import Refused, Stale
from players.trail.services import BY_PROGRAM, acting_from
from tournaments.downloads.api import NO_EVENT
from tournaments.models import Tournament

LARGEST = 20_000  # bytes of a body
LONGEST_KEY = 100
EACH_TOKEN = RateLimit("token", 300, 60)
WRONG_TOKENS = RateLimit("wrong-token", 30, 600)
JSON = "application/json"

View = Callable[..., HttpResponse]


class Problem(Exception):  # noqa: N818 - it is an answer
    """Why nothing is done, as it is answered."""

    def __init__(self, status: int, error: str, **more: Any) -> None:
        super().__init__(error)
        self.status, self.data = status, {"error": error, **more}


@dataclass(frozen=True, slots=True)
class Call:
    """Who asks what of which event: the officer of the token, and the body, which is of the shape described."""

    officer: User
    event: Tournament
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Deed:
    """What an address does: the officer must have the right at that moment, the token the scope."""

    name: str
    scope: str
    may: Callable[[User, Tournament], bool]
    do: Callable[..., tuple[int, dict[str, Any]]]


def writing(deed: Deed) -> View:
    """The view of an address that writes."""
    return csrf_exempt(partial(_write, deed))


def by_method(read: View, write: View) -> View:
    """One address to read by GET and to write by POST."""

    def view(request: HttpRequest, **blanks: Any) -> HttpResponse:
        return (read if request.method in ("GET", "HEAD") else write)(request, **blanks)

    return csrf_exempt(view)


def show_token(request: ClubRequest) -> HttpResponse:
    """What the token is, for a program that tries it out."""
    try:
        token, officer = _whose(request)
    except Problem as problem:
        return _answer(problem.status, problem.data)
    event = Tournament.objects.filter(pk=token.event).first() if token.event else None
    values = {
        "name": token.name,
        "officer": officer.get_username(),
        "scopes": token.scopes.split(","),
        "event": event.slug if event else None,
        "expires_at": token.expires_at.isoformat(timespec="seconds"),
    }
    return _answer(200, values)


def _write(deed: Deed, request: ClubRequest, slug: str, **blanks: Any) -> HttpResponse:
    try:
        if request.method != "POST":
            raise Problem(405, "Only POST writes here.")
        token, officer = _whose(request)
        call = Call(officer, _event_for(token, officer, deed, slug), _body(request, WRITING[deed.name].body))
        do = partial(_carry_out, deed, call, blanks)
        with acting_from(f"{BY_PROGRAM}{token.pk}"):
            key = _key(request)
            status, text = answer_once(token, key, _digest(request, call.body), do) if key else do()
    except Problem as problem:
        return _answer(problem.status, problem.data)
    except KeyUsedError as refusal:
        return _answer(422, {"error": str(refusal), "field": "Idempotency-Key"})
    except Stale as refusal:
        return _answer(409, {"error": str(refusal), "stale": True})
    except Refused as refusal:
        return _answer(409, {"error": str(refusal)})
    return _sent(HttpResponse(text, status=status, content_type=JSON))


def _carry_out(deed: Deed, call: Call, blanks: dict[str, Any]) -> tuple[int, str]:
    status, data = deed.do(call, **blanks)
    return status, json.dumps(data, ensure_ascii=False)


# --- who ------------------------------------------------------------------------------------------------------------
def _whose(request: HttpRequest) -> tuple[ApiToken, User]:
    """The token and its officer, who is looked up anew: closed accounts and such without the second factor that the
    club asks for are nobody."""
    scheme, _blank, secret = request.headers.get("Authorization", "").partition(" ")
    token = token_of(secret.strip()) if scheme.lower() == "bearer" else None
    if token is None:
        raise _wrong_token(address_of(request))
    if settings.RATE_LIMITS:
        if EACH_TOKEN.is_exceeded_by(str(token.pk)):
            raise _too_many(EACH_TOKEN)
        EACH_TOKEN.count(str(token.pk))
    officer = OfficerBackend().get_user(token.officer_id)
    if officer is None or not officer.is_staff:
        raise Problem(403, "The officer of this token has no account any more.")
    if settings.SECOND_FACTOR_REQUIRED and not officer.has_factor:  # type: ignore[attr-defined]
        raise Problem(403, "The officer of this token has to turn on a second factor first.")
    return token, officer


def _wrong_token(address: str) -> Problem:
    """Wrong ones are counted by address; a valid one works all the same, since a whole hall may have one address."""
    if settings.RATE_LIMITS and WRONG_TOKENS.is_exceeded_by(address):
        return _too_many(WRONG_TOKENS)
    WRONG_TOKENS.count(address)
    return Problem(401, "Send a token that is valid: Authorization: Bearer club_…")


def _too_many(limit: RateLimit) -> Problem:
    return Problem(429, f"Too many requests: ask again in {limit.seconds} seconds.", seconds=limit.seconds)


def _event_for(token: ApiToken, officer: User, deed: Deed, slug: str) -> Tournament:
    if deed.scope not in token.scopes.split(","):
        raise Problem(403, f"This token is not for {deed.scope}: its scopes are {token.scopes}.")
    event = Tournament.objects.filter(slug=slug).first()
    if token.event is not None and (event is None or event.pk != token.event):
        raise Problem(403, "This token is for another event.")
    if event is None:
        raise Problem(404, NO_EVENT)
    if not deed.may(officer, event):
        raise Problem(403, "The officer of this token may not do that in this event.")
    return event


# --- what -----------------------------------------------------------------------------------------------------------
def _body(request: HttpRequest, shape: Any) -> dict[str, Any]:
    if request.content_type != JSON:
        raise Problem(415, f"Send the body as JSON: Content-Type: {JSON}")
    if len(request.body) > LARGEST:
        raise Problem(413, f"The body is larger than {LARGEST} bytes.")
    try:
        body = json.loads(request.body.decode(), parse_constant=_no_number, object_pairs_hook=_once_each)
        text = json.dumps(body, ensure_ascii=False)
    except (ValueError, RecursionError):
        raise Problem(400, "The body is no JSON in UTF-8, or a field stands there twice.") from None
    if not _is_text(text):  # before anything of it stands in an answer
        raise Problem(400, "A text holds a character that nobody can type.")
    if found := problem_in(body, shape):
        raise Problem(400, found[1], field=found[0])
    return dict(body)


def _is_text(text: str) -> bool:
    """Without halves of characters and without the character 0, which databases refuse."""
    return "\\u0000" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, whose fields mean the same to every reader."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field stands there twice")
    return found


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no JSON")


def _key(request: HttpRequest) -> str:
    key = request.headers.get("Idempotency-Key", "")
    if len(key) > LONGEST_KEY or not (key.isascii() and key.isprintable()):
        text = f"Idempotency-Key has at most {LONGEST_KEY} letters, digits and signs."
        raise Problem(400, text, field="Idempotency-Key")
    return key


def _digest(request: HttpRequest, body: dict[str, Any]) -> str:
    return hashlib.sha256(f"{request.path}\0{json.dumps(body, sort_keys=True)}".encode()).hexdigest()


# --- the answer -----------------------------------------------------------------------------------------------------
def _answer(status: int, data: dict[str, Any]) -> HttpResponse:
    response = JsonResponse(data, status=status, json_dumps_params={"ensure_ascii": False})
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if status == 405:
        response.headers["Allow"] = "POST"
    if status == 429:
        response.headers["Retry-After"] = str(data["seconds"])
    return _sent(response)


def _sent(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "no-store"
    return response
