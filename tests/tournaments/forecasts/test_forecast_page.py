"""The forecast page: what it shows while an event runs and once it is over, to whom, and how many queries it takes."""

import re

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Job, Visibility
from players.people.services import update_player
from players.privacy.rules import NOBODY
from ratings.models import RatingList
from tests import factory
from tests.factory import make_players, make_round_robin, play_round
from tests.tournaments.event_pages.page_cases import BLACK, DRAW, WHITE, keizer_club, text_of
from tests.tournaments.forecasts.forecast_cases import facts, forecast_now, store
from tests.tournaments.swiss_events import make_swiss, play_rounds
from tournaments.forecast.needs import Verdict
from tournaments.forecasts.selectors.forecasts import EventForecast, forecast_from, stored_forecasts
from tournaments.forecasts.selectors.needs import needs_question, stand
from tournaments.forecasts.selectors.scores import Score
from tournaments.forecasts.views.forecast import Heat, course_of, place_groups, rows_of
from tournaments.models import Tournament
from tournaments.templatetags.forecasts import score_sentence

pytestmark = pytest.mark.django_db
PAGE = "/tournaments/winter-cup/forecast/"
TITLES = (0.5, 0.3, 0.15, 0.05)
HUGE = f"player={'9' * 5000}"


@pytest.fixture
def cup(standard: RatingList) -> Tournament:
    """Four players, Berger: 1–4 2–3 | 4–3 1–2 | 2–4 3–1; one round is played, before both of the first two it was
    forecast."""
    cup = make_round_robin(make_players(4))
    store(cup, TITLES)
    play_round(cup, 1, [WHITE, WHITE])
    store(cup, (0.6, 0.2, 0.1, 0.1))
    return cup


def plain(client: Client, address: str) -> str:
    """The page's words, without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", text_of(client, address)).split())


# --- while it runs ----------------------------------------------------------------------------------------------------
def test_what_is_said_now_stands_first_and_without_it_the_last_one_and_says_so(client: Client, cup: Tournament) -> None:
    page = plain(client, PAGE)
    assert "before round 2" in page
    assert "This is what was said before the round." in page
    assert "Work out the forecast as it stands now" in page
    forecast_now(cup, (0.7, 0.2, 0.1, 0.0))
    page = plain(client, PAGE)
    assert "as it stands now" in page
    assert "Ada Alvarez 1.5 points · strength 1500 ± 80 70 % 1 1–3" in page
    assert "The rest of the event was played out 4,000 times." in page
    assert "Work out the forecast" not in page
    assert not client.get(PAGE).has_header("Refresh")
    play_round(cup, 2, [WHITE, WHITE])
    assert "Work out the forecast" in plain(client, PAGE), "another result, another question"


def test_where_nothing_was_said_there_is_the_button(client: Client, standard: RatingList) -> None:
    make_round_robin(make_players(4))
    page = plain(client, PAGE)
    assert "Nobody has asked for a forecast of this event yet." in page
    assert "Work out the forecast as it stands now" in page
    assert "Place by place" not in page
    assert "How good were the forecasts?" not in page


def test_the_button_asks_and_while_it_is_worked_out_the_page_looks_again(
    client: Client, cup: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("clubrating.web.questions.ask", lambda question, by: asked.append(question.kind))
    response = client.post(f"{PAGE}?player=2&top=3")
    assert (response.status_code, response.headers["Location"]) == (302, f"{PAGE}?player=2&top=3")
    assert asked == ["forecast"]
    Job.objects.filter(pk=forecast_now(cup).pk).update(state=Job.State.RUNNING, finished_at=None, progress=40)
    response = client.get(PAGE)
    assert (response.headers["Refresh"], response.headers["Cache-Control"]) == ("4", "no-store")
    assert "40 %" in response.text
    assert "before round 2" in plain(client, PAGE), "the older one stands meanwhile"


def test_who_has_won_and_who_cannot_is_marked(client: Client, standard: RatingList) -> None:
    cup = make_round_robin(make_players(4))
    play_round(cup, 1, [WHITE, WHITE])  # 1 beats 4, 2 beats 3
    play_round(cup, 2, [BLACK, WHITE])  # 3 beats 4, 1 beats 2
    forecast_now(cup, (0.8, 0.1, 0.1, 0.0))
    assert stand(facts(cup))[4] is Verdict.LOST
    page = plain(client, PAGE)
    assert re.search(r"Dag Dahl cannot win any more 1\.5 points · strength 1500 ± 80 0 %", page)
    assert page.count("cannot win any more") == 1
    assert "has won" not in page


def test_nothing_sampled_is_shown_as_impossible(cup: Tournament) -> None:
    job = forecast_now(cup, (1.0, 0.0, 0.0, 0.0))
    sampled = forecast_of(cup, job)
    job.delete()
    assert [round(row.title, 3) for row in rows_of(sampled, {}, None, 2)] == [99.999, 0.001, 0.001, 0.001]
    exact = forecast_of(cup, forecast_now(cup, (1.0, 0.0, 0.0, 0.0), method="exact"))
    assert [(row.title, row.verdict) for row in rows_of(exact, {}, None, 2)][:2] == [(100.0, "sure"), (0.0, "lost")]


def forecast_of(event: Tournament, job: Job) -> EventForecast:
    assert job.finished_at is not None
    return forecast_from(facts(event), job.chunks.get().result, job.finished_at)


def test_the_course_has_a_point_for_every_forecast(cup: Tournament) -> None:
    stored, now = stored_forecasts(facts(cup)), forecast_of(cup, forecast_now(cup, (0.7, 0.2, 0.1, 0.0)))
    drawing = course_of(stored, now, 3, None, NOBODY)
    assert drawing is not None
    first = drawing.curves[0]
    assert (first.name, list(first.xs), list(first.means)) == ("Ada Alvarez", [1.0, 2.0, 3.0], [50.0, 60.0, 70.0])
    again = course_of(stored, now, 2, None, NOBODY)
    assert again is not None
    assert list(again.curves[0].means) == [50.0, 70.0], "what stands now takes the place of what was said for the round"
    assert [mark.value for mark in drawing.wide.columns] == [1.0, 2.0, 3.0], "no half rounds"
    assert course_of(stored[:1], None, 2, None, NOBODY) is None


def test_whom_one_chose_is_among_the_curves(standard: RatingList) -> None:
    cup = make_round_robin(make_players(8))
    chances = (0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.06, 0.04)
    store(cup, chances)
    play_round(cup, 1, [DRAW] * 4)
    store(cup, chances)
    stored = stored_forecasts(facts(cup))
    for chosen, last in ((None, "Finn Falk"), (8, "Hana Hora")):
        drawing = course_of(stored, None, 2, chosen, NOBODY)
        assert drawing is not None
        assert (len(drawing.curves), drawing.curves[-1].name) == (6, last)


def test_of_many_places_the_last_stand_together_and_there_is_a_shade_for_every_tenth() -> None:
    for places, last in ((4, (4, 4)), (16, (16, 16)), (17, (11, 17)), (60, (11, 60))):
        groups = place_groups(places)
        assert groups[-1] == last
        assert [place for first, until in groups for place in range(first, until + 1)] == list(range(1, places + 1))
    assert [Heat(percent).step for percent in (0, 0.4, 0.5, 9.9, 10, 55, 99, 100)] == [0, 0, 1, 1, 2, 6, 10, 10]


def test_the_tab_leads_there_where_the_games_to_come_have_their_chances(client: Client, cup: Tournament) -> None:
    for part in ("", "standings/", "entries/", "rounds/1/"):
        assert f'href="{PAGE}"' in text_of(client, f"/tournaments/winter-cup/{part}")
    page = text_of(client, f"{PAGE}?player=2")
    assert "White wins 50 %, draw 30 %, Black wins 20 %" in page
    assert "The games of round 2" in page
    assert page.count('<tr aria-current="true">') == 2, "chosen, in the table of titles and in that of places"


# --- what do I need ---------------------------------------------------------------------------------------------------
def test_what_somebody_needs_and_then_with_the_tiebreaks_asked_for(client: Client, cup: Tournament) -> None:
    play_round(cup, 2, [WHITE, WHITE])
    address = f"{PAGE}?player=1&top=1"
    page = plain(client, address)
    assert "Ada Alvarez : first place A draw is enough, whatever the others do." in page
    assert "against Cleo Costa Enough? win is enough draw is enough loss tie-breaks decide" in page
    assert "Try all endings, with the tie-breaks" in page
    assert client.get(f"{PAGE}needs/?player=1").status_code == 405, "a question is posted, not opened"
    response = client.post(f"{PAGE}needs/?player=1&top=1")
    assert response.headers["Location"] == f"{address}#needs"
    assert Job.objects.filter(question=needs_question(facts(cup), 1).key, state=Job.State.DONE).exists()
    page = plain(client, address)
    assert "tie-breaks decide" not in page
    assert "Try all endings" not in page


@pytest.mark.extended
def test_whom_there_is_not_nobody_can_ask_for(client: Client, cup: Tournament) -> None:
    long = f"player=1&top={'9' * 5000}"
    for asked in ("player=9", "player=x", "player=1&top=4", "top=0", "top=x", "player=²", HUGE, long):
        assert client.get(f"{PAGE}?{asked}").status_code == 404, asked
        assert client.post(f"{PAGE}needs/?{asked}").status_code == 404, asked


@pytest.mark.parametrize("forecast", [True, False])
def test_once_it_is_over_what_was_said_stands_beside_what_came(client: Client, cup: Tournament, forecast: bool) -> None:
    cup = cup if forecast else make_round_robin(make_players(4), name="Spring Cup")
    if not forecast:
        play_round(cup, 1, [WHITE, WHITE])
    play_round(cup, 2, [DRAW, WHITE])
    play_round(cup, 3, [DRAW, DRAW])
    address = f"/tournaments/{cup.slug}/forecast/"
    page = plain(client, address)
    assert "Who will win?" not in page
    assert "What do I need?" not in page
    assert ("The event is over, and no forecast of it was kept." in page) is not forecast
    assert ("What was given to who then won: before round 1 50 %, before round 2 60 %." in page) is forecast
    assert ("Scored on 4 games." in page) is forecast
    assert ("Ada Alvarez – Dag Dahl 1–0" in page) is forecast
    assert client.post(address).status_code == 200, "there is nothing to be asked any more"
    assert not client.get(address).has_header("Refresh")


def test_knockouts_and_swisses_are_forecast_in_their_own_words_and_other_events_never(
    client: Client, standard: RatingList
) -> None:
    cup = factory.make_knockout(make_players(4))
    factory.play_match(factory.match_of(cup, 1, 1), WHITE)
    forecast_now(cup)
    page = plain(client, f"/tournaments/{cup.slug}/forecast/?player=1")
    assert "Points Strength" not in page
    assert "Round 2" in page
    assert "cannot win any more" in page
    assert "Places that can still come: " in page
    stage = make_swiss(make_players(8), rounds=4)
    play_rounds(stage, 1, WHITE)
    forecast_now(stage.tournament)
    page = plain(client, f"/tournaments/{stage.tournament.slug}/forecast/?player=1")
    assert "in a Swiss nobody knows who will meet whom" in page
    assert "The games of round" not in page, "the next one is not paired"
    keizer = keizer_club(make_players(4), [])
    assert client.get(f"/tournaments/{keizer.slug}/forecast/").status_code == 404
    assert "/forecast/" not in text_of(client, f"/tournaments/{keizer.slug}/")


# --- for whom ---------------------------------------------------------------------------------------------------------
def test_names_are_as_the_viewer_may_see_them(client: Client, cup: Tournament) -> None:
    person = cup.entries.get(number=1).player
    update_player(person.pk, {"visibility": Visibility.HIDDEN}, by=None)
    forecast_now(cup)
    page = text_of(client, f"{PAGE}?player=1")
    assert "Alvarez" not in page
    assert f"Player {person.number}" in page
    client.force_login(factory.make_arbiter())
    assert "Alvarez" in text_of(client, f"{PAGE}?player=1")


def test_a_draft_does_not_show_through(client: Client, standard: RatingList) -> None:
    cup = make_round_robin(make_players(4))
    row = factory.round_of(cup, 3)
    row.state = "draft"
    row.save()
    assert "Nothing can be said of this player" in plain(client, f"{PAGE}?player=1")


def queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as found:
        assert client.get(address).status_code == 200
    return len(found)


def test_as_many_queries_for_many_players_and_rounds(client: Client, standard: RatingList) -> None:
    small, large = make_round_robin(make_players(4), name="Small"), make_round_robin(make_players(10), name="Large")
    counts = []
    for event, rounds in ((small, 1), (large, 4)):
        for number in range(1, rounds + 1):
            store(event)
            play_round(event, number, [DRAW] * (factory.stage_of(event).field.count() or event.entries.count() // 2))
        forecast_now(event)
        counts.append(queries(client, f"/tournaments/{event.slug}/forecast/?player=1"))
    assert counts[0] == counts[1] <= 20


def test_the_page_is_kept_until_something_moves(client: Client, cup: Tournament, settings: object) -> None:
    kept = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "forecasts"}
    settings.CACHES = {**settings.CACHES, "pages": kept}  # type: ignore[attr-defined]
    caches["pages"].clear()
    forecast_now(cup)
    first = client.get(PAGE)
    again = client.get(PAGE, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    play_round(cup, 2, [WHITE, WHITE])
    assert client.get(PAGE, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def test_a_score_in_a_sentence() -> None:
    for loss, said in (
        (0.6, "they lost 8 % less. Against a coin they saved 13 %"),
        (0.7, "they lost 8 % more. A coin would have done better, by 1 %"),
    ):
        sentence = score_sentence(Score(200, loss, 0.2, 0.65))
        assert said in sentence
        assert "few games" not in sentence
    level = "as good as the ratings alone. A coin would have done as well."
    assert level in score_sentence(Score(200, 0.69, 0.2, 0.69))
    assert score_sentence(Score(1, 0.6, 0.2, 0.65)).startswith("Scored on 1 game.")
    assert "With so few games chance decides more than skill." in score_sentence(Score(99, 0.6, 0.2, 0.65))
