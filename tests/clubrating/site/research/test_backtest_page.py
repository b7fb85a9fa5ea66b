"""How well do our ratings predict? The sentence follows from the games; nothing long is done while somebody waits."""

import csv
from collections.abc import Callable
from io import StringIO
from math import log
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from clubrating.site.research.backtested import VERDICTS, BackTested, Tried
from clubrating.site.research.selectors import backtest_question, club_history, facts_of
from clubrating.site.research.services import answer_backtest
from players.jobs.services import answer_of, ask
from players.models import Job, Player
from ratings.models import RatingList
from tests import factory
from tests.clubrating.site.research.backtest_cases import (
    BLACK,
    DRAW,
    FEW,
    WHITE,
    answered,
    evenings,
    nobody_works,
    play,
    the_list,
)
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_are_enough")]
PAGE = "/lab/backtest/"


@pytest.fixture(scope="module")
def people(world: None) -> list[Player]:
    factory.make_club()
    factory.make_list()
    return factory.make_players(2)


@pytest.fixture(scope="module")
def event(people: list[Player]) -> Tournament:
    """Ada beat Bo on four evenings; on the last one Bo had White. Two evenings are scored."""
    event = evenings()
    play(event, people, [(0, 1, WHITE), (0, 1, WHITE), (0, 1, WHITE), (1, 0, BLACK)])
    return event


def answer() -> Job:
    return answered(backtest_question(the_list()))


# --- the figures, by hand -------------------------------------------------------------------------------------------
def chances() -> list[float]:
    """Ada's expected scores: both begin at 1500, a newcomer's K is 40."""
    lead, found = 0.0, []
    for _game in range(4):
        expected = 1 / (1 + 10 ** (-lead / 400))
        found.append(expected)
        lead += 2 * 40 * (1 - expected)
    return found


def test_the_sentence_follows_from_the_games(client: Client, event: Tournament) -> None:
    answer()
    found = client.get(PAGE).context["found"]
    third, fourth = chances()[2:]
    loss = -(log(third) + log(fourth)) / 2
    assert found.own.log_loss == pytest.approx(loss)
    assert found.own.brier == pytest.approx(((1 - third) ** 2 + (1 - fourth) ** 2) / 2)
    assert (0.6 < third < 0.7, 0.6 < fourth < 0.7) == (True, True)
    less = round(100 * (1 - loss / log(2)))
    assert found.sentence == (
        "Where our ratings expected the favourite to score 60 to 70 %, the favourite scored 100 %; "
        f"over all games they err {less} % less than a coin."
    )
    expected = f"{100 * (third + fourth) / 2:.1f} %"
    assert f"Of these games there were 2: {expected} expected, 100.0 % scored." in found.favourite


def test_ratings_that_err_more_than_a_coin_are_not_flattered(client: Client, event: Tournament) -> None:
    people = list(Player.objects.order_by("pk"))
    play(event, people, [(1, 0, WHITE)] * 4, first_day=4)
    answer()
    found = client.get(PAGE).context["found"]
    assert found.own.log_loss > log(2)
    assert "more than a coin." in found.sentence


def test_who_always_says_a_half_errs_as_much_as_a_coin() -> None:
    bins: list[dict[str, Any]] = [
        {"low": at / 10, "high": (at + 1) / 10, "games": 0, "expected": None, "score": None, "interval": [0, 1]}
        for at in range(10)
    ]
    bins[5] |= {"games": 4, "expected": 0.5, "score": 0.5}
    one = {"log_loss": log(2), "brier": 0.25, "calibration": bins, "fitted_slope": None, "untold": 0}
    values = {"systems": {"club": one | {"difference": {"mean": 0.0, "low": 0.0, "high": 0.0}}}}
    found = BackTested(values, at=None)  # type: ignore[arg-type]
    assert found.sentence.endswith("50 to 60 %, the favourite scored 50 %; over all games they err as much as a coin.")


def test_the_interval_gives_the_verdict() -> None:
    for mean, low, high, verdict in (
        (0.01, 0.005, 0.02, "worse"), (-0.01, -0.02, -0.005, "better"), (-0.01, -0.02, 0.005, "unshown"),
        (0.01, 0.0, 0.02, "unshown"), (0.01, None, None, "unshown"), (0.0, 0.0, 0.0, "same"),
        (0.0, None, None, "same"),
    ):  # fmt: skip
        assert Tried("elo", 0.6, 0.2, mean, low, high).verdict == verdict


# --- the page -------------------------------------------------------------------------------------------------------
def test_every_system_stands_with_a_word_best_first_and_can_be_chosen(client: Client, event: Tournament) -> None:
    answer()
    page = client.get(PAGE)
    rows = page.context["found"].systems
    assert {each.key for each in rows} == {"coin", *(each.key for each in club_history(the_list()).entrants)}
    assert [each.log_loss for each in rows] == sorted(each.log_loss for each in rows)
    for each in rows:
        if each.key != "club":
            assert str(VERDICTS[each.verdict]) in page.text
    assert "used here" in page.text
    assert "All 4 rated games of the list" in page.text
    assert "the scored games lie on 2 days. So few days make an interval too narrow to be trusted." in page.text
    for address in ("/lab/diary/", "/about/ratings/"):
        assert 'href="/lab/backtest/"' in client.get(address).text
    for language in ("ru", "zh-hans", "zh-hant"):
        with translation.override("en"):
            assert client.get(f"/{language}{PAGE}?system=league").status_code == 200, language
    page = client.get(f"{PAGE}?system=coin")
    assert [round(point.expected) for point in page.context["calibration"].points] == [50]
    assert client.get(f"{PAGE}?system=nobody").status_code == 404
    assert client.get("/lab/backtest/calibration.svg?system=nobody").status_code == 404


def test_the_files_are_the_table_and_the_plot(client: Client, event: Tournament) -> None:
    values = answer_of(answer())
    found = client.get(PAGE).context["found"]
    rows = list(csv.reader(StringIO(client.get("/lab/backtest/systems.csv").text)))
    assert rows[0] == ["system", "log_loss", "brier", "difference", "low", "high", "verdict"]
    assert [(row[0], float(row[1]), float(row[2]), float(row[3]), row[6]) for row in rows[1:]] == [
        (each.key, each.log_loss, each.brier, each.mean, each.verdict) for each in found.systems
    ]
    assert {row[0]: row[4] for row in rows[1:]} == {
        key: str(each["difference"]["low"]) for key, each in values["systems"].items()
    }
    bins = list(csv.reader(StringIO(client.get("/lab/backtest/calibration.csv?system=coin").text)))
    assert bins[1][0] == "0.5"
    drawing = ElementTree.fromstring(client.get("/lab/backtest/calibration.svg").content.strip())
    points = client.get(PAGE).context["calibration"].points
    assert len(drawing.findall(".//{*}circle")) == len(points) == 2


def test_another_list_can_be_chosen(client: Client, event: Tournament) -> None:
    factory.make_list("rapid", pool="rapid", primary=False)
    answer()
    assert client.get(PAGE).context["list"].slug == "standard"
    assert "There are 0 rated games yet" in client.get(f"{PAGE}?list=rapid").text
    assert client.get(f"{PAGE}?list=nothing").status_code == 404
    RatingList.objects.filter(slug="rapid").update(public=False)
    assert client.get(f"{PAGE}?list=rapid").status_code == 404
    client.force_login(factory.make_arbiter())
    assert client.get(f"{PAGE}?list=rapid").status_code == 200


# --- how the question stands ----------------------------------------------------------------------------------------
def test_too_few_games_are_told_and_not_asked_about(
    client: Client, people: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()  # as many as for a club are asked for
    rapid = factory.make_list("rapid", pool="rapid", primary=False)
    play(evenings("Rapid evenings", pool="rapid"), people, [(0, 1, WHITE)])
    page = client.get(f"{PAGE}?list=rapid")
    assert "There is 1 rated game yet; with fewer than 100 nobody can tell luck from judgement." in page.text
    assert "Work it out now" not in page.text
    job = answered(backtest_question(rapid))
    assert (job.state, job.message) == (
        Job.State.FAILED,
        "Too few rated games to judge by: there must be at least 100.",
    )


def test_not_asked_yet_it_can_be_asked_by_anybody(
    client: Client, event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = nobody_works(monkeypatch)
    assert "Work it out now" in client.get(PAGE).text
    sent = client.post(f"{PAGE}?list=standard")
    assert (sent.status_code, sent["Location"]) == (302, "/lab/backtest/?list=standard")
    (job,) = Job.objects.all()
    assert (job.kind, job.subject_key, job.state) == ("backtest", the_list().pk, Job.State.WAITING)
    client.post(f"{PAGE}?list=standard")
    assert Job.objects.count() == len(queue.waiting) == 1


def test_under_way_the_page_loads_itself_anew_and_a_failure_can_be_asked_again(
    client: Client, event: Tournament
) -> None:
    ask(backtest_question(the_list()))
    Job.objects.update(state=Job.State.RUNNING, progress=40)
    page = client.get(PAGE)
    assert page.headers["Refresh"] == "4"
    assert "no-store" in page.headers["Cache-Control"]
    assert "40 %" in page.text
    Job.objects.update(state=Job.State.FAILED, message="It broke off.")
    page = client.get(PAGE)
    assert "It broke off." in page.text
    assert "Work it out now" in page.text


def test_after_a_result_the_last_answer_stands_with_its_day(client: Client, event: Tournament) -> None:
    answer()
    before, facts = client.get(PAGE), facts_of(the_list())
    assert "Results have come since" not in before.text
    play(event, list(Player.objects.order_by("pk")), [(0, 1, DRAW)], first_day=4)
    since = facts_of(the_list())
    assert since != facts
    Player.objects.update(name="Somebody Else")
    assert facts_of(the_list()) == since, "names are none of the facts"
    page = client.get(PAGE)
    assert "Results have come since" in page.text
    assert "The figures below are as of" in page.text
    assert page.context["found"].sentence == before.context["found"].sentence
    assert "Work it out now" in page.text
    answer()
    assert "All 5 rated games" in client.get(PAGE).text


def test_no_page_works_anything_out(client: Client, event: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    answer()
    play(event, list(Player.objects.order_by("pk")), [(0, 1, DRAW)], first_day=4)
    nobody_works(monkeypatch)
    monkeypatch.setattr("ratings.lab.measures.replay", None)
    for address in (PAGE, f"{PAGE}?system=league", "/lab/backtest/systems.csv", "/lab/backtest/calibration.svg"):
        assert client.get(address).status_code == 200
    assert client.post(PAGE).status_code == 302


def test_only_the_last_games_are_taken_and_the_page_says_so(
    client: Client, event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [club_history(the_list(), most=most).whole for most in (3, 4, 5)] == [False, True, True]
    games = club_history(the_list()).history.games
    assert len(games) == FEW
    assert [game.day for game in club_history(the_list(), most=3).history.games] == [game.day for game in games[1:]]
    monkeypatch.setattr("clubrating.site.research.services.MOST_GAMES", 3)
    answer()
    assert "The last 3 rated games of the list" in client.get(PAGE).text


def test_it_tells_how_far_it_is_and_a_list_that_is_gone_is_refused(event: Tournament) -> None:
    lines: list[tuple[int, int]] = []
    answer_backtest(Job(subject_key=the_list().pk), lambda done, of: lines.append((done, of)))
    systems = len(club_history(the_list()).entrants) + 1
    assert lines == [(at, systems) for at in range(systems)]
    with pytest.raises(Exception, match="The list was deleted meanwhile"):
        answer_backtest(Job.objects.create(kind="backtest", subject_key=999), lambda done, of: None)


def test_queries_do_not_grow(
    client: Client, event: Tournament, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    count: Callable[[int], Any] = django_assert_num_queries
    client.get(PAGE)
    with count(5):  # the club, the lists, no job, no earlier one, a few games
        client.get(PAGE)
    answer()
    factory.make_list("blitz", pool="blitz", primary=False)
    client.get(PAGE)
    with count(4):  # the club, the lists, the job, its answer
        client.get(PAGE)
