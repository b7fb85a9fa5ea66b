"""The desk's pages as a browser without script sees and posts them."""

import re
from html import unescape

from django.contrib.messages import get_messages
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.visitor import Page
from tournaments.models import Game, Round


def url(name: str, key: int) -> str:
    return reverse(f"admin:tournaments_tournament_{name}", args=[key])


def shown(desk: Client, name: str, key: int) -> str:
    """A page of a tournament as it comes."""
    answer = desk.get(url(name, key))
    assert answer.status_code == 200
    return answer.content.decode()


def fields_of(html: str) -> dict[str, str]:
    """The values a browser would post of a page's forms: hidden inputs and chosen radios."""
    found = {}
    for tag in re.findall(r"<input[^>]*>", html):
        attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        chosen = " checked" in tag or attributes.get("type") not in ("radio", "checkbox")
        if chosen and "name" in attributes:
            found[attributes["name"]] = attributes.get("value", "")
    return found


def form_with(html: str, field: str) -> dict[str, str]:
    """The values of the form that has that field."""
    values = next(form.values for form in Page(html).forms if field in form.names)
    return {name: value for name, (value, *_more) in values.items()}


def sent(desk: Client, name: str, key: int, /, **data: object) -> str:
    """The form as the page shows it, with these values, sent: what was said, or the page that came back."""
    address = url(name, key)
    answer = desk.post(address, {**fields_of(desk.get(address).content.decode()), **data})
    if answer.status_code == 302:
        return " ".join(str(message) for message in get_messages(answer.wsgi_request))
    assert answer.status_code == 409, answer.status_code
    return answer.content.decode()


def shown_form(desk: Client, row: Round) -> dict[str, str]:
    return fields_of(desk.get(url("results", row.pk)).content.decode())


def games_of(row: Round) -> list[Game]:
    return list(Game.objects.filter(pairing__round=row).order_by("pairing__board", "number"))


def hidden_of(html: str) -> dict[str, list[str]]:
    """The hidden fields of the last form on a page: what carries a correction from its preview to its commit."""
    found: dict[str, list[str]] = {}
    for tag in re.findall(r'<input type="hidden"[^>]*>', html[html.rindex("<form") :]):
        attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        found.setdefault(attributes["name"], []).append(unescape(attributes["value"]))
    return found


def carried_out(desk: Client, answer: HttpResponse, **why: str) -> HttpResponse:
    """The correction an answer leads to, or shows, carried out by its own form."""
    address = answer["Location"] if answer.status_code == 302 else answer.wsgi_request.path  # type: ignore[attr-defined]
    page = desk.get(address) if answer.status_code == 302 else answer
    fields = hidden_of(page.content.decode())
    assert "seen" in fields, page.content.decode()
    return desk.post(address, {**fields, "do": "commit", "reason": "appeal", **why})  # type: ignore[return-value]


def save_shown(desk: Client, address: str, form: dict[str, str], reason: str = "other") -> HttpResponse:
    """A form whose saving is shown first: sent, and what the page carries sent again with a reason."""
    asked = desk.post(address, form)
    assert asked.status_code == 200
    assert b"Nothing is changed yet" in asked.content, asked.content
    carried = {name: unescape(value) for name, value in fields_of(asked.content.decode()).items()}
    return desk.post(address, carried | {"do": "commit", "reason": reason})
