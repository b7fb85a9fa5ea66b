"""A new event from a template: the form comes filled in, and what it makes can be played without a further setting."""

import re
from datetime import date

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import fields_of
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.rounds.round_cases import play
from tournaments.entries.services.entries import enter_players, number_by_rating
from tournaments.events.services.templates import EVENT_TEMPLATES, EventTemplate, event_template
from tournaments.events.services.tiebreaks import read_tiebreaks
from tournaments.formats.services import Calendar, form_stages, make_rounds
from tournaments.free_play.services import record_free_game
from tournaments.models import Game, Stage, Tournament
from tournaments.pairing import pairing_system
from tournaments.pairing.base import FreeSystem, PlanSystem, RoundSystem, read_options
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result, point_system

pytestmark = pytest.mark.django_db
ADD = reverse("admin:tournaments_tournament_add")
NEW = reverse("admin:tournaments_tournament_new")
TEMPLATES = {row.key: row for row in EVENT_TEMPLATES}
each = pytest.mark.parametrize("template", EVENT_TEMPLATES, ids=lambda row: row.key)


standard = club_and_list


def selected(html: str) -> dict[str, str]:
    """What the page's lists have chosen; a browser takes the first where nothing is."""
    found = {}
    for name, options in re.findall(r'<select [^>]*?name="(\w+)".*?>(.*?)</select>', html, re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', options) or re.search(r'value="([^"]*)"', options)
        found[name] = chosen[1] if chosen else ""
    return found


def made_from(desk: Client, template: EventTemplate, **said: str) -> Tournament:
    """The event a template's form makes, with a name and a first day."""
    html = desk.get(ADD, {"template": template.key}).content.decode()
    ticked = {"swap_last_two": "on"} if template.settings.get("swap_last_two") else {}
    form = fields_of(html) | ticked | selected(html) | {"name": "Club event", "starts_on": "2026-01-05"} | said
    answer = desk.post(ADD, form)
    assert answer.status_code == 302, re.findall('<ul class="errorlist".*?</ul>', answer.content.decode(), re.DOTALL)
    return Tournament.objects.get()


# --- the list ---------------------------------------------------------------------------------------------------------
def test_every_template_has_its_own_key_and_words_and_says_only_what_there_is() -> None:
    for values in zip(*((row.key, str(row.name), str(row.says)) for row in EVENT_TEMPLATES), strict=True):
        assert len(set(values)) == len(EVENT_TEMPLATES)
        assert all(values)
    for template in EVENT_TEMPLATES:
        read_options(pairing_system(template.system).options, template.settings)
        point_system(template.points)
        read_tiebreaks(template.tiebreaks, template.system)
        assert event_template(template.key) is template
    assert event_template("../etc") is None


def test_the_last_day_follows_from_the_first() -> None:
    monday, season, cup = date(2026, 1, 5), TEMPLATES["season-swiss"], TEMPLATES["cup"]
    assert season.last_day(monday) == date(2026, 3, 2), "nine Mondays"
    assert season.last_day(None) is None
    assert cup.last_day(monday) is None


@pytest.mark.extended
@each
def test_every_template_is_played_without_a_further_setting(
    desk: Client, standard: RatingList, template: EventTemplate
) -> None:
    """Through the form, then eight players, numbers, and the first round."""
    event = made_from(desk, template)
    stage = factory.stage_of(event)
    assert (stage.pairing_system, stage.settings) == (template.system, dict(template.settings))
    assert (event.second_reading, event.point_system) == (template.second_reading, template.points)
    assert event.ends_on == template.last_day(event.starts_on)
    _play(event, stage)
    assert Game.objects.filter(tournament=event).count() >= 1


def _play(event: Tournament, stage: Stage) -> None:
    players, system = factory.make_players(8), pairing_system(stage.pairing_system)
    if isinstance(system, FreeSystem):
        if system.ladder:
            enter_players(event, players, by=None)
        record_free_game(event, players[1], players[0], Result.DRAW, factory.MONDAY, by=None)
        return
    enter_players(event, players, by=None)
    number_by_rating(stage, by=None)
    if isinstance(system, RoundSystem):
        pair_next_round(stage, by=None, publish=True)
        return
    if isinstance(system, PlanSystem):
        form_stages(stage, by=None, seed=1)
        stage = Stage.objects.filter(tournament=event, order=2).get()
    make_rounds(stage, by=None, calendar=Calendar(event.starts_on))


def test_a_rapid_evening_is_two_games_against_each_opponent(desk: Client, standard: RatingList) -> None:
    stage = factory.stage_of(made_from(desk, TEMPLATES["rapid-evening"]))
    _play(stage.tournament, stage)
    first = list(Game.objects.order_by("pairing__board").values_list("white", "black"))
    play(factory.round_of(stage.tournament, 1), Result.DRAW, Result.DRAW, Result.DRAW, Result.DRAW)
    pair_next_round(stage, by=None, publish=True)
    second = Game.objects.filter(pairing__round__number=2).order_by("pairing__board")
    assert list(second.values_list("black", "white")) == first


# --- the form ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("pool", ["standard", "blitz"])
def test_a_pool_with_a_list_is_the_templates_and_another_left_open(
    desk: Client, standard: RatingList, pool: str
) -> None:
    if pool == "blitz":
        factory.make_list("blitz", pool="blitz", primary=False)
    event = made_from(desk, TEMPLATES["friday-blitz"])
    assert (event.pool, event.ends_on) == (pool, event.starts_on)


def test_what_the_arbiter_changes_on_the_form_holds(desk: Client, standard: RatingList) -> None:
    event = made_from(
        desk, TEMPLATES["weekend-five"], rounds="6", ends_on="2026-01-09", second_reading="", tiebreaks="BH"
    )
    assert factory.stage_of(event).settings == {"rounds": 6}
    assert (event.ends_on, event.second_reading, event.tiebreaks) == (date(2026, 1, 9), "", "BH")


def test_another_format_than_the_templates_takes_nothing_of_its_settings(desk: Client, standard: RatingList) -> None:
    assert factory.stage_of(made_from(desk, TEMPLATES["cup"], play="keizer")).settings == {}


# --- the page to choose on --------------------------------------------------------------------------------------------
def test_the_page_offers_every_template_every_event_and_the_empty_form(desk: Client, standard: RatingList) -> None:
    cup = factory.make_round_robin(factory.make_players(4))
    html = desk.get(NEW).content.decode()
    for template in EVENT_TEMPLATES:
        assert f"{ADD}?template={template.key}" in html
    assert reverse("admin:tournaments_tournament_copy", args=[cup.pk]) in html
    assert f'"{ADD}"' in html
    assert NEW in desk.get(reverse("admin:tournaments_tournament_changelist")).text, "the list of events leads to it"


def test_it_asks_as_much_for_many_events_as_for_few(desk: Client, standard: RatingList) -> None:
    players = factory.make_players(4)
    factory.make_round_robin(players)
    counts = []
    for _times in range(2):
        with CaptureQueriesContext(connection) as queries:
            desk.get(NEW)
        counts.append(len(queries))
        for number in range(3):
            factory.make_round_robin(players, name=f"Cup {number}")
    assert counts[0] == counts[1]


@pytest.mark.parametrize("role", ["assistant", "rating-officer"])
def test_whoever_makes_no_events_sees_none_of_it(client: Client, standard: RatingList, role: str) -> None:
    client.force_login(officer := factory.make_officer(role, role))
    officer.user_permissions.add(Permission.objects.get(codename="change_tournament"))  # who changes one makes none yet
    cup = factory.make_round_robin(factory.make_players(4))
    assert client.get(NEW).status_code == 403
    assert client.get(reverse("admin:tournaments_tournament_copy", args=[cup.pk])).status_code == 403
