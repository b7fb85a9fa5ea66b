"""How good the forecasts were: the lab's page over all events, its files, and the same for programs."""

import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Visibility
from players.people.services import update_player
from ratings.models import RatingList
from tests.factory import make_arbiter, make_players, make_round_robin, play_round
from tests.tournaments.event_pages.page_cases import BLACK, DRAW, WHITE, text_of
from tests.tournaments.forecasts.forecast_cases import forecast_now, store
from tournaments.forecasts.selectors.scores import club_scores
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("empty_cache")]
PAGE, DATA = "/lab/forecasts/", "/api/v1/tournaments/winter-cup/forecast/"


@pytest.fixture
def cup(standard: RatingList) -> Tournament:
    """Four players, all rounds over: number 1 won the event, and had half the chance before round 1."""
    cup = make_round_robin(make_players(4))
    store(cup, (0.5, 0.3, 0.15, 0.05))
    for number, results in enumerate(([WHITE, WHITE], [DRAW, WHITE], [DRAW, BLACK]), start=1):
        play_round(cup, number, results)
    return cup


def plain(address: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", text_of(Client(), address)).split())


def test_without_a_game_it_says_so(standard: RatingList) -> None:
    page = plain(PAGE)
    assert "No game that was forecast has been played yet." in page
    assert "Event by event" not in page


def test_the_score_of_all_events_and_of_each_with_its_plot(cup: Tournament) -> None:
    page = plain(PAGE)
    # White was given 0.65 of the point twice, and won: −ln 0.65.
    assert "Games 2 Loss per game 0.431 Ratings alone 0.693 Coin 0.693" in page
    assert "they lost 38 % less" in page
    assert "Winter Cup 2 0.431 0.693 0.693" in page
    assert "Winter Cup 1 50 %" in page, "what was given to who then won"
    assert "Predicted 65 %, made 100 %, in 2 games" in text_of(Client(), PAGE)
    assert Client().get(f"{PAGE}calibration.csv").text.splitlines() == ["expected,score,games", "0.65,1.0,2"]
    drawing = Client().get(f"{PAGE}calibration.svg")
    assert (drawing.status_code, drawing.headers["Content-Type"]) == (200, "image/svg+xml")
    assert f'href="{PAGE}"' in text_of(Client(), "/lab/proposal/")


@pytest.mark.extended
def test_another_event_takes_no_more_queries(cup: Tournament, standard: RatingList) -> None:
    def queries() -> int:
        cache.clear()
        with CaptureQueriesContext(connection) as found:
            club_scores()
            assert Client().get(PAGE).status_code == 200
        return len(found)

    first = queries()
    other = make_round_robin(make_players(4), name="Spring Cup")
    store(other)
    play_round(other, 1, [WHITE, WHITE])
    one_more = queries()
    assert one_more - first <= 8, "a few for each event that may be over, and none for its games"
    store(other)
    play_round(other, 2, [WHITE, WHITE])
    assert queries() == one_more


# --- for programs -----------------------------------------------------------------------------------------------------


def test_programs_are_told_what_the_page_tells(standard: RatingList) -> None:
    cup = make_round_robin(make_players(4))
    store(cup, (0.5, 0.3, 0.15, 0.05))
    play_round(cup, 1, [WHITE, WHITE])
    forecast_now(cup, (0.7, 0.2, 0.1, 0.0))
    found = Client().get(DATA).json()
    assert found["format"] == "round-robin"
    now, (before,) = found["now"], found["before_rounds"]
    ada = {"number": 1, "player": cup.entries.get(number=1).player.number, "name": "Ada Alvarez"}
    assert now["players"][0] == ada | {
        "first": 0.7, "places": [0.7, 0.1, 0.1, 0.1], "points": 3.0, "strength": 1500, "deviation": 80,
    }  # fmt: skip
    assert (now["before_round"], before["before_round"], before["method"]) == (None, 1, "sampled")
    assert [game["result"] for game in before["games"]] == ["1-0", "1-0"]
    assert [game["result"] for game in now["games"]] == [None, None]
    assert found["score"] == {"games": 2, "log_loss": 0.4308, "by_rating": 0.6931, "coin": 0.6931, "brier": 0.1225}


def test_without_an_answer_nobody_keeps_it_and_without_an_event_programs_are_told(standard: RatingList) -> None:
    response = Client().get(DATA)
    assert (response.status_code, response.json()) == (404, {"error": "There is no such tournament."})
    make_round_robin(make_players(4))
    response = Client().get(DATA)
    assert (response.json()["now"], response.json()["score"]) == (None, None)
    assert response.headers["Cache-Control"] == "no-store"


def test_programs_see_names_as_visitors_do(cup: Tournament) -> None:
    response = Client().get(DATA)
    assert response.json()["now"] is None, "an event that is over"
    assert "no-store" not in response.headers.get("Cache-Control", "")
    person = cup.entries.get(number=2).player
    update_player(person.pk, {"visibility": Visibility.HIDDEN}, by=None)
    assert "Brandt" not in Client().get(DATA).text
    officer = Client()
    officer.force_login(make_arbiter())
    assert "Brandt" in officer.get(DATA).text
