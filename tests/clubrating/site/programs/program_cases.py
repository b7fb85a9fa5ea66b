"""A program with a token, and a club it can write to."""

import json
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve

from clubrating.site.programs.description.base import ERROR
from clubrating.site.programs.description.writing import WRITING
from clubrating.site.programs.shapes import problem_in
from players.programs.services import SCOPES, make_token

API = "/api/v1/"
CUP = f"{API}tournaments/winter-cup/"
BOARD = f"{CUP}rounds/1/boards/1/"


@dataclass(frozen=True)
class Program:
    """It has no cookies, and its requests are checked for a form's token as those of a browser are."""

    secret: str

    def post(self, address: str, body: Any = None, *, key: str = "", **headers: str) -> HttpResponse:
        given = {"authorization": f"Bearer {self.secret}", **({"idempotency-key": key} if key else {}), **headers}
        data = body if isinstance(body, str | bytes) else json.dumps(body or {})
        kind = given.pop("content-type", "application/json")
        return as_described(
            address, Client(enforce_csrf_checks=True).post(address, data, content_type=kind, headers=given)
        )

    def get(self, address: str) -> HttpResponse:
        return Client().get(address, headers={"authorization": f"Bearer {self.secret}"})


def as_described(address: str, answer: HttpResponse) -> HttpResponse:
    """The answer, which is one that the address is described with."""
    endpoint = WRITING[resolve(address).url_name or ""]
    taken = answer.status_code in (endpoint.status, *endpoint.also)
    assert taken or answer.status_code in endpoint.refusals, f"{answer.status_code} of {endpoint.name}"
    assert problem_in(answer.json(), endpoint.answer if taken else ERROR) is None
    return answer


def program_of(officer: User, *scopes: str, event: int | None = None) -> Program:
    return Program(make_token(officer=officer, name="Door", scopes=scopes or SCOPES, days=7, event=event)[1])
