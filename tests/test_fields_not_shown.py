"""Fields a form does not show: sent along by whoever may send the form, with a valid token, they change nothing.

Every form of every page is sent as it stands, and once more with a value for each column of the club's tables and of
the accounts that it has no field for. Whatever becomes of it, the facts are the same both times.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import count
from typing import Any
from unittest.mock import patch

import pytest
from django.apps import apps
from django.db import connection, models
from django.test import Client
from django.urls import reverse

from players.club.services import update_club
from players.officers.roles import ADMINISTRATOR, ARBITER, ASSISTANT, RATING_OFFICER
from tests import desk_scene
from tests.test_hostile_input import nothing_kept
from tests.test_twin_clubs import Clock, restart_keys
from tests.test_who_may import client_as, is_for
from tests.test_whose_object import forms_on, sent
from tests.visitor import Form
from tournaments.models import Game, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
OWN = ("players", "ratings", "tournaments", "auth")
WRITES = re.compile(rf'(INSERT \w+( \w+)*|UPDATE|DELETE FROM) "({"|".join(OWN)})_')


@pytest.fixture(scope="module", autouse=True)
def scene(world: None) -> Tournament:
    swiss = desk_scene.build()
    update_club({"pass_phrase": "open sesame"}, by=None)
    return swiss


def planted(field: models.Field) -> str:  # type: ignore[type-arg]
    """Something that column would take, and that stands in none."""
    if field.is_relation:
        row = field.related_model._default_manager.order_by("-pk").first()  # type: ignore[union-attr]
        return str(row.pk) if row else "1"
    if isinstance(field, models.DateTimeField):
        return "2020-02-02 12:00:00"
    if isinstance(field, models.DateField):
        return "2020-02-02"
    if isinstance(field, models.BooleanField):
        return "on"
    if isinstance(field, models.IntegerField | models.FloatField | models.DecimalField):
        return "7"
    return str(field.choices[-1][0]) if field.choices else "planted"


def columns() -> dict[str, str]:
    """A value for every column by its name in a form, and what an account has besides."""
    found = {"role": ADMINISTRATOR, "groups": "1", "user_permissions": "1", "officers": "1"}
    for model in apps.get_models():
        if model._meta.app_label in OWN:
            for field in model._meta.concrete_fields:
                found |= {field.name: planted(field), field.attname: planted(field)}
    # A round has one of each for every board, and refuses a form with others; an action that asks first is sent again
    # with “confirmed”, which is a column of passkeys too.
    for name in ("board", "revision", "confirmed"):
        del found[name]
    return found


def outcome(client: Client, address: str, values: dict[str, object]) -> tuple[int, list[object]]:
    """The answer's status, and every row that was written. It is taken back."""
    written: list[object] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if WRITES.match(sql):
            # PostgreSQL's driver wraps JSON in objects of which no two are equal.
            written.append((sql, params if many else [getattr(value, "obj", value) for value in params or ()]))
        return execute(sql, params, many, context)

    with nothing_kept(), patch("django.utils.timezone.datetime", Clock), connection.execute_wrapper(note):
        restart_keys()
        Clock.ticks = count()
        return client.post(address, values).status_code, written


def pages(kind: str) -> Iterator[str]:
    """The addresses with forms for that reader."""
    yield from (each.path for each in desk_scene.addresses("account/"))
    yield from (
        each.path for each in desk_scene.addresses("admin/") if each.name != "logout" and kind in is_for(each.name)
    )
    game = Game.objects.filter(tournament__name="Winter Cup").exclude(result="").order_by("-pk")[0]
    yield reverse("tournaments:report", args=[game.tournament.slug, game.pk])
    yield reverse("tournaments:absent", args=["open"])
    yield reverse("members")


def filled(form: Form, values: dict[str, object], extra: dict[str, str]) -> dict[str, object]:
    """The same with something in every empty field: the last of its choices, or what its column takes."""
    empty = [name for name in form.names if name and values.get(name) in (None, [""])]
    empty = [name for name in empty if name not in {button for button, _value, _words in form.buttons}]
    return {**values, **{name: form.choices.get(name, [extra.get(name, "7")])[-1] for name in empty}}


def faults_of(client: Client, address: str, form: Form, extra: dict[str, str]) -> Iterator[str]:
    more = {name: value for name, value in extra.items() if name not in form.names}
    for values in sent(form):
        before = outcome(client, address, values)
        if not before[1]:
            values = filled(form, values, extra)
            before = outcome(client, address, values)
        suspects = [*more] if outcome(client, address, {**more, **values}) != before else []
        while len(suspects) > 1:  # half of them at a time
            half = suspects[: len(suspects) // 2]
            differs = outcome(client, address, {**{name: more[name] for name in half}, **values}) != before
            suspects = half if differs else suspects[len(half) :]
        yield from (f"{name} sent to {address} with {values}" for name in suspects)


# Whoever may do most first: what others are shown in the same way is not sent again.
KINDS = (ADMINISTRATOR, RATING_OFFICER, ARBITER, ASSISTANT, "member", "nobody")


def as_shown(address: str, form: Form) -> tuple[object, ...]:
    return address, form.action, frozenset(form.names), tuple(form.buttons)


def test_a_field_that_is_not_shown_changes_nothing() -> None:
    extra, faults, tried = columns(), list[str](), dict[tuple[object, ...], str]()
    for kind in KINDS:
        client = client_as(kind)
        for address in pages(kind):
            for form in forms_on(client, address):
                if tried.setdefault(as_shown(address, form), kind) == kind:
                    faults += [f"{kind}: {fault}" for fault in faults_of(client, form.action or address, form, extra)]
    assert not faults, "\n".join(faults)
    assert Counter(tried.values())[ADMINISTRATOR] > 50
    assert {"member", "nobody"} <= set(tried.values())
