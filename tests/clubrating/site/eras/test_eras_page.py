"""X of then against Y of now: asked by anybody, answered once, and never about somebody who is not shown."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubrating.site.eras import forms, selectors, services
from clubrating.site.eras.selectors import eras_question
from players.jobs.services import answer_of
from players.models import Job, Player, Visibility
from players.people.services import NewPlayer, create_players
from ratings.history.whole_history import When
from tests import factory
from tests.clubrating.site.research.backtest_cases import (
    BLACK,
    DRAW,
    WHITE,
    answered,
    evenings,
    nobody_works,
    play,
    the_list,
)
from tests.factory import MONDAY
from tournaments.models import Game

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_are_enough")]
ADA, BO, CID, DORA, EVE = range(5)
LAST = MONDAY + timedelta(days=9)


@pytest.fixture
def few_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (selectors, services):
        monkeypatch.setattr(module, "FEWEST_GAMES", 4)


@pytest.fixture(scope="module")
def people(world: None) -> list[Player]:
    """Ada met Cid, and Cid met Bo later; Dora and Eve met each other alone."""
    factory.make_club()
    factory.make_list()
    people = factory.make_players(5)
    games = [(ADA, CID, WHITE), (CID, ADA, DRAW), (ADA, CID, WHITE), (CID, BO, WHITE), (BO, CID, DRAW)]
    play(evenings(), people, [*games, (DORA, EVE, BLACK), (CID, BO, WHITE), (CID, BO, WHITE)])
    return people


def address(one: Player, other: Player, on: Any = MONDAY, until: Any = LAST) -> str:
    return f"/tools/eras/?a={one.number}&on_a={on}&b={other.number}&on_b={until}"


def answer(one: Player, other: Player) -> Any:
    whens = When(one.pk, MONDAY.toordinal()), When(other.pk, LAST.toordinal())
    return answer_of(answered(eras_question(the_list(), *whens)))


def test_the_sentence_the_bridge_and_both_careers_stand_on_the_page(client: Client, people: list[Player]) -> None:
    found = answer(people[ADA], people[BO])
    page = client.get(address(people[ADA], people[BO]))
    score = round(100 * found["prediction"]["score"])
    assert found["since"] == MONDAY.toordinal()
    assert score > 60  # she beat whoever beat him
    assert f"would be expected to score {score} of 100 points against" in page.text
    assert [row.player for row in page.context["found"].carriers] == [people[CID]]
    assert [(link.player, link.games) for link in page.context["found"].chain] == [(people[CID], 3), (people[BO], 4)]
    assert page.text.count("<polygon") == 4
    days = [point.on for career in page.context["found"].careers for point in career.points if point.is_asked]
    assert days == [MONDAY, LAST]
    for stronger, words in ((0.5, "it was Ada"), (0.026, "it was Bo"), (0.975, "one was Ada"), (0.02, "one was Bo")):
        page.context["found"].values["prediction"]["stronger"] = stronger
        assert words in page.context["found"].verdict


@pytest.mark.parametrize("given", [{"handicap": 2}, {"komi": 6.5}])
def test_games_in_which_a_side_was_given_something_tell_nothing(people: list[Player], given: dict[str, float]) -> None:
    games = selectors.history_games(the_list())
    Game.objects.filter(white=people[DORA]).update(**given)
    assert selectors.history_games(the_list()) == [game for game in games if game.first != people[DORA].pk]


def test_nothing_is_said_of_two_whom_no_chain_of_games_joins(client: Client, people: list[Player]) -> None:
    assert answer(people[ADA], people[EVE])["assumed"] == pytest.approx(1.0)
    page = client.get(address(people[ADA], people[EVE]))
    assert "No chain of games joins the two" in page.text
    assert "of 100 points" not in page.text


def test_whoever_is_not_shown_is_neither_found_nor_named_as_a_bridge(client: Client, people: list[Player]) -> None:
    answer(people[ADA], people[BO])
    for visibility in (Visibility.INITIALS, Visibility.HIDDEN):
        Player.objects.filter(pk=people[CID].pk).update(visibility=visibility)
        page = client.get(address(people[ADA], people[BO]))
        assert page.context["found"].carriers == []
        assert [link.games for link in page.context["found"].chain] == [None, None], "both games were his"
        assert "somebody not shown" in page.text
        assert f"#{people[CID].number}" not in page.text
        assert "Nobody of this name or number is found." in client.get(address(people[CID], people[BO])).text


def test_one_press_asks_and_the_model_of_the_last_answer_is_used_again(
    client: Client, people: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = answer(people[ADA], people[BO])
    monkeypatch.setattr(services, "tuned", None)
    monkeypatch.setattr(services, "MODEL_KEPT", timedelta(0))
    assert answer(people[ADA], people[CID])["model"] == known["model"]
    queue = nobody_works(monkeypatch)
    place = address(people[DORA], people[EVE], LAST)
    assert "Work it out now" in client.get(place).text
    assert client.post(place)["Location"] == place
    assert client.get(place).headers["Refresh"] == "4"
    assert len(queue.waiting) == Job.objects.filter(state=Job.State.WAITING).count() == 1


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("a=nobody&b=1", "Nobody of this name or number is found."),
        ("a=1&b=2&on_a=1999-01-01", "choose that day or a later one"),
        ("a=1&b=2&on_a=2999-01-01", "This day has not come yet"),
        ("a=1&b=1", "this is the same one"),
        ("a=1&b=2&on_a=yesterday", "Enter a valid date."),
        ("a=1&b=6", "No rated game in this list"),
    ],
)
def test_what_cannot_be_asked_is_told_at_the_field(
    client: Client, people: list[Player], query: str, words: str
) -> None:
    create_players([NewPlayer("Never Played")], by=None)
    page = client.get(f"/tools/eras/?{query}")
    assert (page.status_code, words in page.text) == (200, True)
    assert Job.objects.count() == 0
    assert client.get(f"/tools/eras/?{query}&list=nothing").status_code == 404


def test_the_worker_answers_nothing_before_the_first_game_or_of_too_few(
    people: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    whens = When(people[ADA].pk, MONDAY.toordinal()), When(people[BO].pk, MONDAY.toordinal())
    early = answered(eras_question(the_list(), *whens))
    assert (early.state, early.message) == (Job.State.FAILED, "Nobody can be compared before the first rated game.")
    for module in (selectors, services):
        monkeypatch.setattr(module, "FEWEST_GAMES", 9)
    few = answered(eras_question(the_list(), whens[0], When(people[BO].pk, LAST.toordinal())))
    assert (few.state, "there must be at least 9" in few.message) == (Job.State.FAILED, True)


def test_a_name_that_several_have_leads_to_a_choice(
    client: Client, people: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    kims = create_players([NewPlayer("Ada Kim"), NewPlayer("Bo Kim")], by=None)
    page = client.get("/tools/eras/?a=Kim&b=2")
    assert "Several people are found" in page.text
    assert page.context["form"].found["a"] == kims
    monkeypatch.setattr(forms, "MOST_FOUND", 1)
    assert client.get("/tools/eras/?a=Kim&b=2").context["form"].found["a"] == kims[:1]


def test_the_page_asks_few_questions(
    client: Client, people: list[Player], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    answer(people[ADA], people[BO])
    client.get("/tools/eras/")
    with django_assert_max_num_queries(12):
        client.get(address(people[ADA], people[BO]))
