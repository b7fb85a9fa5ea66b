"""The form of an event: what can be said of a new one, where an error stands, and what a closed event keeps."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import fields_of, url
from tests.tournaments.entries.entry_cases import events
from tests.tournaments.swiss_events import make_swiss, play_rounds
from tournaments.events.services.closing import close_event, reopen_event
from tournaments.events.services.events import open_event, update_tournament
from tournaments.models import Stage, Tournament
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
NEW = reverse("admin:tournaments_tournament_add")
CLOSED = "is closed, so its rules stand: open it again"


@pytest.fixture(scope="module", autouse=True)
def played(standard: RatingList) -> Stage:
    """A Swiss of two rounds, played and closed."""
    stage = make_swiss(factory.make_players(8), rounds=2, name="Closed Open")
    play_rounds(stage, 2)
    close_event(stage.tournament, by=None)
    return stage


def new(desk: Client, **said: str) -> str:
    """The answer to a new event's form."""
    form = fields_of(desk.get(NEW).content.decode()) | {"name": "Open", "play": "dutch", "pool": "standard"}
    return desk.post(NEW, form | said, follow=True).content.decode()


def row_of(html: str, field: str) -> str:
    """A field's part of the form, with its errors."""
    start = html.index(f"field-{field}")
    end = html.find('<div class="form-row', start)
    return html[html.rindex("<div", 0, start) : end]


# --- a new event ------------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_a_new_event_has_the_rounds_and_tie_breaks_that_were_said_or_the_usual_ones(desk: Client) -> None:
    new(desk, rounds="7", tiebreaks="bh, de")
    cup = Tournament.objects.get(name="Open")
    assert (factory.stage_of(cup).settings, cup.tiebreaks) == ({"rounds": 7}, "BH,DE")
    for play, codes in (("dutch", "BH/C1,BH,SB,DE"), ("once", "SB,WIN,DE"), ("keizer", "")):
        new(desk, name=f"New {play}", play=play)
        assert Tournament.objects.get(name=f"New {play}").tiebreaks == codes


@pytest.mark.extended
def test_a_new_event_has_the_points_that_were_said_or_the_usual_ones(desk: Client) -> None:
    for said, points in (({"point_system": "two"}, "two"), ({}, "classic")):
        new(desk, name=points, **said)
        assert Tournament.objects.get(name=points).point_system == points
    assert "Select a valid choice" in row_of(new(desk, name="Wrong", point_system="seven"), "point_system")


@pytest.mark.extended
def test_an_error_stands_at_its_field(desk: Client) -> None:
    for said, field, words in (
        ({"rounds": "0"}, "rounds", "greater than or equal to 1"),
        ({"rounds": "31"}, "rounds", "“31” is no value"),
        ({"rounds": "5", "play": "once"}, "rounds", "not set here"),
        ({"tiebreaks": "BH,XX"}, "tiebreaks", "There is no tie-break “XX”"),
        ({"tiebreaks": "BH", "play": "once"}, "tiebreaks", "BH cannot be used where everybody meets everybody"),
    ):
        assert words in row_of(new(desk, **said), field), said
    assert not Tournament.objects.filter(name="Open").exists()


# --- an event that is there -------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_a_wrong_tie_break_opens_the_rules_and_stands_at_its_field(desk: Client) -> None:
    event = make_swiss(factory.first_players(4)).tournament
    page = desk.get(url("change", event.pk)).content.decode()
    assert '<option value="" selected>as the points say</option>' in page, "a bye worth nothing special"
    assert "---------" not in page
    assert "swap_last_two" not in page, "only a round robin is asked about its last two rounds"
    assert 'name="rounds"' not in page
    cup = factory.make_round_robin(factory.first_players(4))
    assert "swap_last_two" in desk.get(url("change", cup.pk)).content.decode()
    assert page.count("<details><summary>") == 2, "the rules, and in them the codes"
    form = fields_of(page) | {"play": "dutch", "pool": "standard", "tiebreaks": "BH,BH"}
    html = desk.post(url("change", event.pk), form).content.decode()
    assert "The tie-break BH stands twice" in row_of(html, "tiebreaks")
    assert html.count("<details><summary>") == 1


def test_results_that_are_in_are_rated_anew_only_where_that_is_ticked(desk: Client) -> None:
    cup = factory.make_round_robin(factory.first_players(4))
    factory.play_round(cup, 1, [Result.DRAW, Result.DRAW])
    form = fields_of(desk.get(url("change", cup.pk)).text) | {"play": "once", "pool": "standard"}
    html = desk.post(url("change", cup.pk), {name: said for name, said in form.items() if name != "rated"}).text
    assert "2 results are in and would be rated anew" in row_of(html, "re_rate")
    assert Tournament.objects.get(pk=cup.pk).rated


# --- a closed event ---------------------------------------------------------------------------------------------------
def test_the_rules_of_a_closed_event_stand_and_what_is_none_can_be_changed(played: Stage) -> None:
    rules: list[dict[str, object]] = [{"tiebreaks": "DE"}, {"point_system": "football"}, {"allocated_bye": "loss"}]
    for rule in (*rules, {"tiebreak_edition": 2026}):
        with pytest.raises(Refused, match=CLOSED):
            update_tournament(played.tournament_id, rule, by=None)
    assert not events("tournament.changed")
    before = Tournament.objects.get()
    changes = {"place": "Town hall", "tiebreaks": before.tiebreaks, "starts_on": before.starts_on.replace(year=2024)}
    after = update_tournament(before.pk, changes, by=None)
    assert (after.place, after.swiss_edition, after.tiebreaks) == ("Town hall", before.swiss_edition, before.tiebreaks)


def test_the_form_of_a_closed_event_says_how_to_open_it(desk: Client, played: Stage) -> None:
    page = desk.get(url("change", played.tournament_id)).content.decode()
    form = fields_of(page) | {"pool": "standard", "rated": "on", "tiebreaks": "DE"}
    assert CLOSED in desk.post(url("change", played.tournament_id), form).content.decode()
    reopen_event(played.tournament, by=None)
    assert desk.post(url("change", played.tournament_id), form).status_code == 302
    assert Tournament.objects.get().tiebreaks == "DE"


def test_the_list_says_in_words_how_an_event_stands(desk: Client, played: Stage) -> None:
    """Django's red cross for "not over" looks like a fault."""
    factory.make_round_robin(factory.first_players(4), name="Running Cup")
    open_event("Evenings", pool="standard", by=None)
    html = desk.get(reverse("admin:tournaments_tournament_changelist")).content.decode()
    assert sorted(re.findall(r'<td class="field-state">([^<]*)</td>', html)) == ["open", "over", "without end"]
    assert "field-closed" not in html
