"""A club with one of everything the desk has a page for, and the addresses of all those pages.

`addresses` reads every address of the site off the URL patterns, so a page added later is tried without anybody adding
it here; a kind of key that is not known yet fails with its name.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client
from django.utils import timezone

from clubrating import urls
from players.models import AuditEvent, Club, Job, Player
from players.page_reports.services import report_page
from players.people.services import NewPlayer, create_players
from ratings.lists.services import NewStart
from ratings.models import RatingList
from tests import factory
from tests.routes import routes
from tests.tournaments.event_pages import page_cases
from tournaments.contests.services import ContestData, SideData, record_contest
from tournaments.free_play.services import record_free_game
from tournaments.models import Contest, Entry, EntryRequest, Game, Pairing, Round, Stage, TeamMatch, Tournament
from tournaments.presence.services import report_absence
from tournaments.prizes.services import Fund, NewPrize, set_prizes
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.registrations.services.rules import NewRules, set_entry_rules
from tournaments.result_reports.services import report_result
from tournaments.results.services.results import correct_result
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.seasons.services import save_season
from tournaments.standings.points import Result
from tournaments.teams.services.events import NewTeamEvent, create_club, create_league, create_team_event
from tournaments.teams.services.line_ups import open_match
from tournaments.teams.services.rounds import make_fixtures
from tournaments.teams.services.teams import add_players, add_team

SECRET = "Plantedhidden"
LAST_DAY = factory.MONDAY + timedelta(days=60)


@dataclass(frozen=True)
class Address:
    """A page: the name of its view, the address, and the address with a key nobody has."""

    name: str
    path: str
    nowhere: str

    def __str__(self) -> str:
        return self.name


def build() -> Tournament:
    """The club, with an event of every format, corrections, a published list and work for the background; the Swiss
    whose second round is to be made."""
    factory.make_club()
    main = factory.make_list()
    hidden = create_players([NewPlayer(f"Hilde {SECRET}", visibility="hidden")], by=None)
    players = [*hidden, *factory.make_players(7)]
    bring_starting_ratings(main, [NewStart(players[1].pk, factory.MONDAY, 1800, 40)], by=None)
    factory.play_round(factory.make_round_robin(players), 1, [Result.WHITE_WINS, *[Result.DRAW] * 3])
    swiss = page_cases.make_event(players, "dutch", name="Open", rounds=3)
    pair_next_round(page_cases.first_stage(swiss), by=None, day=factory.MONDAY, publish=True)
    page_cases.play_open_round(swiss, *[Result.DRAW] * 4)
    factory.make_knockout(players[:4])
    page_cases.make_event(players, "keizer", name="Season")
    evenings = page_cases.make_event([], "free", name="Evenings")
    record_free_game(evenings, players[0], players[1], Result.WHITE_WINS, factory.MONDAY, by=None)
    record_contest(contest_of(evenings, players[:4]), by=None)
    game = Game.objects.filter(tournament__name="Winter Cup").exclude(result="").order_by("pk")[0]
    correct_result(game=game.pk, result=Result.DRAW, by=None, reason="appeal", note="on file")
    report_result(game.pk, Result.BLACK_WINS, role="visitor", words=f"{SECRET} lost", contact=SECRET)
    report_page("/about/glossary/", f"{SECRET} is no word", role="visitor")
    report_absence(Entry.objects.filter(tournament=swiss).order_by("pk")[2].pk, 2, by=None, role="member")
    set_prizes(swiss, Fund("€", "full", 100, one_each=True), [NewPrize("place", None, 1, 5_000)], by=None)
    take_entries(game.tournament)
    create_club("Guests", by=None)
    create_league("County", by=None)
    save_season(None, {"name": "Grand Prix", "slug": "gp"}, [swiss.pk, game.tournament_id], by=None)
    play_teams(players)
    publish_list(main, LAST_DAY, by=None)
    Job.objects.create(kind="rebuild-list", subject_key=main.pk)
    factory.make_administrator("founder")
    return swiss


def take_entries(event: Tournament) -> None:
    """A newcomer waits for an officer, and somebody stands on the waiting list."""
    set_entry_rules(event, NewRules(places=9), by=None)
    asked = {"tournament": event, "asked_at": timezone.now(), "address": f"{SECRET}@example.org"}
    for turn, state in ((1, EntryRequest.State.WAITING), (2, EntryRequest.State.LISTED)):
        EntryRequest.objects.create(**asked, name=f"Nora {SECRET}", state=state, turn=turn)  # type: ignore[misc]


def play_teams(people: Sequence[Player]) -> None:
    """Two teams of two, one match to be played and the boards of the other made."""
    rules = {"boards": 2, "settings": {"cycles": 2}}
    event = create_team_event(NewTeamEvent("Team cup", starts_on=factory.MONDAY, rules=rules), by=None)
    for name, own in (("Anchor", people[:2]), ("Bridge", people[2:4])):
        add_players(add_team(event.pk, name, by=None).pk, own, by=None)
    make_fixtures(event.pk, by=None, first_day=factory.MONDAY)
    open_match(TeamMatch.objects.get(round__number=2).pk, by=None)


def contest_of(event: Tournament, people: Sequence[Player]) -> ContestData:
    """Two against two, the first two won."""
    one, other, third, last = (player.pk for player in people)
    return ContestData(event.pk, (SideData(1, (one, other)), SideData(2, (third, last))), factory.MONDAY)


def keys() -> dict[str, int]:
    """A key for every kind of thing an address can name, by the word before it in the address."""
    swiss = Tournament.objects.get(name="Open")
    stage = Stage.objects.get(tournament=swiss)
    robin = Tournament.objects.get(name="Winter Cup")
    return {
        "tournament": robin.pk,
        "from": robin.pk,
        "stage": stage.pk,
        "round": Round.objects.get(stage=stage).pk,
        "entry": Entry.objects.filter(tournament=swiss).order_by("pk")[1].pk,
        "match": Pairing.objects.filter(slot__isnull=False).order_by("pk")[0].pk,
        "game": Game.objects.filter(tournament=robin).exclude(result="").order_by("pk")[0].pk,
        "player": Player.objects.order_by("pk")[1].pk,
        "table": Contest.objects.get().pk,
        "undo": AuditEvent.objects.get(action="result.corrected").pk,
        "user": User.objects.order_by("pk")[0].pk,
        "ratinglist": RatingList.objects.order_by("pk")[0].pk,
        "club": Club.objects.get().pk,
        "job": Job.objects.get().pk,
    }


def addresses(root: str) -> list[Address]:
    """Every address below that prefix; for a page about a thing with the key of one."""
    known = keys()
    unkeyed = ("(?P", "content_type_id", "<str:")
    wanted = {
        route: pattern.name
        for _, route, pattern in routes()
        if route.startswith(root) and pattern.name and not any(part in route for part in unkeyed)
    }
    paths = {route: "/" + filled(route, known) for route in wanted}
    nobodys = dict.fromkeys(known, 987654)
    return [Address(name, paths[route], "/" + filled(route, nobodys)) for route, name in wanted.items()]


def filled(route: str, known: dict[str, int]) -> str:
    """The route with keys for its blanks; a key that was not known yet is added to the known ones."""
    parts = route.split("/")
    for place, part in enumerate(parts):
        if not part.startswith("<"):
            continue
        kind = parts[place - 1]
        if kind not in known:
            model = next((m for m in apps.get_models() if m._meta.model_name == kind), None)
            assert model is not None, f"tests/desk_scene.py does not know what stands behind “{kind}” in {route}"
            row = model._default_manager.order_by("pk").first()
            known[kind] = row.pk if row else 1
        parts[place] = str(known[kind])
    return "/".join(parts)


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def refuse_plainly(patch: pytest.MonkeyPatch) -> None:
    """Refusals without a page from now on."""

    def refuse(_request: HttpRequest, exception: Exception) -> HttpResponse:
        return HttpResponse(status=404 if isinstance(exception, Http404) else 403)

    for status in (403, 404):
        patch.setattr(urls, f"handler{status}", refuse, raising=False)


def facts() -> dict[str, list[Any]]:
    """Every row of the club's own tables and of the accounts: what must not move."""
    found = {}
    with connection.cursor() as cursor:
        for name, sql in _questions().items():
            cursor.execute(sql)
            found[name] = cursor.fetchall()
    return found


@cache
def _questions() -> dict[str, str]:
    """The SQL of all rows of a table, by its name, put together once: that takes longer than reading the rows."""
    own = [model for model in apps.get_models() if model._meta.app_label in ("players", "ratings", "tournaments")]
    rows = {model._meta.label: model._default_manager.order_by("pk").values_list() for model in own}
    rows["users"] = User.objects.order_by("pk").values_list("username", "password", "is_active", "is_superuser")
    rows["roles"] = User.groups.through.objects.order_by("pk").values_list()
    return {name: str(query.query) for name, query in rows.items()}
