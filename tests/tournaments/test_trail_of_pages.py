"""Every page that changes a fact leaves a line that says who, as what, from where, and what was moved.

And every action on a list of rows is first shown: the first post changes nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from players.models import AuditEvent, Club, Player
from ratings.models import RatingList
from ratings.services.lists import NewStart
from tests import factory
from tests.tournaments.admin_pages import url
from tests.visitor import Page
from tournaments.models import Entry, Game, Round, Stage, Tournament
from tournaments.services.closing import close_event
from tournaments.services.rating import bring_starting_ratings
from tournaments.services.rounds import delete_rounds
from tournaments.standings.points import Result

ADMIN = "admin:"
Data = dict[str, object]
pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Scene:
    """A club with a league before its rounds, a cup under way and a knockout."""

    players: list[Player]
    cup: Tournament
    knockout: Tournament
    new: Tournament
    standard: RatingList


@pytest.fixture(scope="module")
def scene(world: None) -> Scene:
    factory.make_club()
    standard = factory.make_list()
    players = factory.make_players(6)
    cup = factory.make_round_robin(players[:4])
    factory.play_round(cup, 1, [Result.DRAW, Result.DRAW])
    knockout = factory.make_knockout(players[:4])
    new = factory.make_round_robin(players[:4], name="New Cup")
    delete_rounds(factory.stage_of(new), by=None)
    factory.make_administrator("boss")
    return Scene(players, cup, knockout, new, standard)


@pytest.fixture
def office(client: Client, scene: Scene) -> Client:
    client.force_login(User.objects.get(username="boss"))
    return client


def stage(event: Tournament) -> int:
    return Stage.objects.get(tournament=event).pk


def round_of(event: Tournament, number: int) -> int:
    return Round.objects.get(stage__tournament=event, number=number).pk


def entry(event: Tournament, number: int) -> int:
    return Entry.objects.get(tournament=event, number=number).pk


def game(event: Tournament) -> Game:
    return Game.objects.filter(tournament=event).exclude(result="").order_by("pk")[0]


def _form(html: str) -> Data:
    """What stands in the largest form of a page, as a browser without script sends it."""
    form = max(Page(html).forms, key=lambda each: len(each.names))
    return {name: values for name, values in form.values.items() if name and name not in ("q", "remove", "player")}


def change(kind: str, key: int) -> str:
    return reverse(f"{ADMIN}{kind}_change", args=[key])


# What is done, on which page, with which fields besides those that stand in its form; the action it leaves.
ACTIONS: dict[str, tuple[str, Callable[[Scene], str], Callable[[Scene], Data]]] = {
    "a round out of sight": (
        "round.unpublished",
        lambda scene: url("unpublish", round_of(scene.cup, 2)),
        lambda _scene: {"reason": "paired-wrongly"},
    ),
    "all rounds deleted": (
        "rounds.deleted",
        lambda scene: url("delete_rounds", scene.knockout.pk),
        lambda _scene: {"reason": "left"},
    ),
    "the bracket drawn again": (
        "bracket.superseded",
        lambda scene: url("redraw", stage(scene.knockout)),
        lambda _scene: {"reason": "other"},
    ),
    "rounds made": (
        "rounds.paired",
        lambda scene: url("rounds", scene.new.pk),
        lambda scene: {"days_between": "7", "stage": stage(scene.new)},
    ),
    "rounds planned": (
        "round.planned",
        lambda scene: url("rounds", scene.cup.pk),
        lambda scene: {"do": "plan", f"day-{round_of(scene.cup, 2)}": "2026-02-03"},
    ),
    "an entry taken back": (
        "entry.removed",
        lambda scene: url("entries", scene.new.pk),
        lambda scene: {"remove": entry(scene.new, 4)},
    ),
    "a player entered": (
        "entry.made",
        lambda scene: url("entries", scene.new.pk),
        lambda _scene: {"names": "Eva Engel"},
    ),
    "numbers by lot": (
        "numbers.given",
        lambda scene: url("entries", scene.new.pk),
        lambda _scene: {"do": "lots", "seed": "7"},
    ),
    "somebody withdrawn": ("entry.withdrawn", lambda scene: url("withdraw", entry(scene.cup, 1)), lambda _scene: {}),
    "an event's data": (
        "tournament.changed",
        lambda scene: change("tournaments_tournament", scene.cup.pk),
        lambda _scene: {"place": "Hall 2"},
    ),
    "an event deleted": (
        "tournament.deleted",
        lambda scene: reverse("admin:tournaments_tournament_delete", args=[scene.new.pk]),
        lambda _scene: {"post": "yes"},
    ),
    "a result corrected": (
        "result.corrected",
        lambda scene: f"{reverse('admin:tournaments_game_correct')}?c={game(scene.cup).pk},1,1-0,",
        lambda _scene: {"do": "commit", "reason": "appeal"},
    ),
    "colours exchanged": (
        "colours.swapped",
        lambda scene: reverse("admin:tournaments_game_swap", args=[game(scene.cup).pk]),
        lambda _scene: {"do": "commit", "reason": "wrong-colours"},
    ),
    "a person's data": (
        "player.changed",
        lambda scene: change("players_player", scene.players[5].pk),
        lambda _scene: {"title": "FM"},
    ),
    "a person deleted": (
        "player.deleted",
        lambda scene: reverse("admin:players_player_delete", args=[scene.players[5].pk]),
        lambda _scene: {"post": "yes"},
    ),
    "the club's name": (
        "club.changed",
        lambda _scene: change("players_club", Club.objects.get().pk),
        lambda _scene: {"name": "Other Club"},
    ),
    "a starting rating": (
        "starting-rating.entered",
        lambda _scene: reverse("admin:ratings_startingrating_add"),
        lambda scene: {
            "rating_list": scene.standard.pk, "on": "2025-01-01", "rating": "1700", "games": "4",
            "source": "club", "who": "#6",
        },
    ),
    "a list's settings": (
        "list.changed",
        lambda scene: change("ratings_ratinglist", scene.standard.pk),
        lambda _scene: {"provisional_games": "12"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ACTIONS)
def test_every_page_leaves_a_line_with_who_as_what_from_where_and_what(office: Client, scene: Scene, name: str) -> None:
    action, page, data = ACTIONS[name]
    address, before = page(scene), AuditEvent.objects.count()
    shown = office.get(address)
    answer = office.post(address, {**_form(shown.content.decode()), **data(scene)}, follow=True)
    assert answer.status_code == 200, answer.content.decode()[-3000:]
    written = AuditEvent.objects.order_by("-pk")[: AuditEvent.objects.count() - before]
    lines = [event for event in written if event.action == action]
    assert lines, f"{[event.action for event in written]} {answer.content.decode()[-2500:]}"
    for event in written:
        assert (event.actor, event.role) == (User.objects.get(username="boss"), "administrator")
        assert event.origin.startswith(ADMIN), event.action
        assert event.before != event.after, event.action


# --- actions on lists of rows -------------------------------------------------------------------------------------
def _actions() -> list[tuple[type[Model], str]]:
    return [
        (model, name)
        for model, pages in admin.site._registry.items()
        for name in (pages.actions or ())
        if isinstance(pages, ModelAdmin) and isinstance(name, str)
    ]


def dump() -> dict[str, list[object]]:
    """Every row of the club's own tables."""
    models = [model for app in ("players", "ratings", "tournaments") for model in apps.get_app_config(app).get_models()]
    return {model.__name__: list(model._default_manager.order_by("pk").values()) for model in models}


def test_the_lists_have_actions() -> None:
    assert {name for _model, name in _actions()} >= {"publish", "rebuild", "close", "reopen"}


@pytest.mark.parametrize(("model", "action"), _actions(), ids=str)
def test_the_first_post_of_an_action_shows_what_it_would_do(
    office: Client, scene: Scene, model: type[Model], action: str
) -> None:
    standard = RatingList.objects.get(pk=scene.standard.pk)
    bring_starting_ratings(standard, [NewStart(scene.players[0].pk, factory.MONDAY, 1850, 29)], by=None)
    done = factory.make_round_robin(scene.players[:2], name="Done")
    factory.play_all(done)
    if action == "reopen":
        close_event(done, by=None)
    keys = [str(key) for key in model._default_manager.values_list("pk", flat=True)]
    assert keys, "there is a row to choose"
    before = dump()
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    answer = office.post(address, {"action": action, "_selected_action": keys})
    assert answer.status_code == 200
    assert dump() == before, "the first post changes nothing"
    [form] = [form for form in Page(answer.content.decode()).forms if form.values.get("action") == [action]]
    assert form.buttons, "a button says so"
    office.post(address, {**form.values, **{name: value for name, value, _words in form.buttons if name}})
    assert dump() != before, "the second does it"


def test_no_row_is_deleted_by_the_framework_s_own_action(office: Client, scene: Scene) -> None:
    request = office.get(reverse("admin:index")).wsgi_request
    for pages in admin.site._registry.values():
        assert "delete_selected" not in pages.get_actions(request), pages
