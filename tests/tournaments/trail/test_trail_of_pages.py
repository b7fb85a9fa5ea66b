"""Every page that changes a fact leaves a line that says who, as what, from where, and what was moved.

And every action on a list of rows is first shown: the first post changes nothing.
"""

from dataclasses import dataclass

import pytest
from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from players.models import AuditEvent, Club, Player
from ratings.lists.services import NewStart
from ratings.models import RatingList
from tests import databases, factory
from tests.tournaments.admin_pages import url
from tests.tournaments.corrections import correction_cases
from tests.visitor import Page
from tournaments.events.services.closing import close_event
from tournaments.models import Entry, Game, Round, Stage, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.rounds.services.rounds import delete_rounds
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


def row(kind: str, key: int, page: str = "change") -> str:
    return reverse(f"{ADMIN}{kind}_{page}", args=[key])


def actions(at: Scene) -> dict[str, tuple[str, str, Data]]:
    """What is done: the action it leaves, on which page, with which fields besides those that stand in its form."""
    second = round_of(at.cup, 2)
    commit: Data = {"do": "commit", "reason": "appeal"}
    start: Data = {"on": "2025-01-01", "rating": "1700", "games": "4", "source": "club", "who": "#6"}
    start["rating_list"] = str(at.standard.pk)
    correct = f"{reverse('admin:tournaments_game_correct')}?c={game(at.cup).pk},1,1-0,"
    return {
        "a round out of sight": ("round.unpublished", url("unpublish", second), {"reason": "paired-wrongly"}),
        "all rounds deleted": ("rounds.deleted", url("delete_rounds", at.knockout.pk), {"reason": "left"}),
        "the bracket drawn again": ("bracket.superseded", url("redraw", stage(at.knockout)), {"reason": "other"}),
        "rounds made": ("rounds.paired", url("rounds", at.new.pk), {"days_between": "7", "stage": stage(at.new)}),
        "rounds planned": ("round.planned", url("rounds", at.cup.pk), {"do": "plan", f"day-{second}": "2026-02-03"}),
        "an entry taken back": ("entry.removed", url("entries", at.new.pk), {"remove": entry(at.new, 4)}),
        "a player entered": ("entry.made", url("entries", at.new.pk), {"names": "Eva Engel"}),
        "numbers by lot": ("numbers.given", url("entries", at.new.pk), {"do": "lots", "seed": "7"}),
        "somebody withdrawn": ("entry.withdrawn", url("withdraw", entry(at.cup, 1)), {}),
        "an event's data": ("tournament.changed", row("tournaments_tournament", at.cup.pk), {"place": "Hall 2"}),
        "an event deleted": ("tournament.deleted", row("tournaments_tournament", at.new.pk, "delete"), {"post": "yes"}),
        "a result corrected": ("result.corrected", correct, commit),
        "colours exchanged": ("colours.swapped", row("tournaments_game", game(at.cup).pk, "swap"), commit),
        "a person's data": ("player.changed", row("players_player", at.players[5].pk), {"title": "FM"}),
        "a person deleted": ("player.deleted", row("players_player", at.players[5].pk, "delete"), {"post": "yes"}),
        "the club's name": ("club.changed", row("players_club", Club.objects.get().pk), {"name": "Other Club"}),
        "a starting rating": (
            "starting-rating.entered",
            reverse("admin:ratings_startingrating_add"),
            {**start, "who": "#6"},
        ),
        "a list's settings": ("list.changed", row("ratings_ratinglist", at.standard.pk), {"provisional_games": "12"}),
    }


def test_every_page_leaves_a_line_with_who_as_what_from_where_and_what(office: Client, scene: Scene) -> None:
    boss = User.objects.get(username="boss")
    for name, (action, address, data) in actions(scene).items():
        with databases.rolled_back():
            before = AuditEvent.objects.count()
            shown = office.get(address)
            answer = office.post(address, {**_form(shown.content.decode()), **data})
            if b"Nothing is changed yet" in answer.content:
                carried = {**_form(answer.content.decode()), "do": "commit", "reason": "other"}
                answer = office.post(address, carried)
            assert answer.status_code == 302, f"{name}: {answer.content.decode()[-3000:]}"
            written = AuditEvent.objects.order_by("-pk")[: AuditEvent.objects.count() - before]
            left = [event.action for event in written]
            assert action in left, f"{name}: {left} {answer.content.decode()[-2500:]}"
            for event in written:
                assert (event.actor, event.role) == (boss, "administrator"), name
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


def dump() -> dict[str, list[tuple[object, ...]]]:
    """Every row of the club's own tables."""
    return {
        name: rows
        for name, rows in correction_cases.dump().items()
        if name.startswith(("players_", "ratings_", "tournaments_"))
    }


def test_the_lists_have_actions() -> None:
    assert {name for _model, name in _actions()} >= {"publish", "rebuild", "close", "reopen"}


@pytest.mark.extended
@pytest.mark.parametrize(("model", "action"), _actions(), ids=str)
def test_the_first_post_of_an_action_only_shows(office: Client, scene: Scene, model: type[Model], action: str) -> None:
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
