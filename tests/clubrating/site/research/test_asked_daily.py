"""Questions that are asked of themselves once a day, where results have come since."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from pytest_django import Settings

from clubrating.site.luck.selectors import LUCK
from clubrating.site.research.selectors import BACKTEST, backtest_question, games_up_to_enough, has_enough_games
from clubrating.site.research.services import ask_backtests
from players.jobs.services import last_answered
from players.models import Job, Player
from ratings.models import RatingList
from tests import factory
from tests.clubrating.site.research.backtest_cases import (
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

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_are_enough", "club_time")]


@pytest.fixture(scope="module")
def event(world: None) -> Tournament:
    """As many games as are enough."""
    factory.make_club()
    factory.make_list()
    event = evenings()
    play(event, factory.make_players(2), [(0, 1, WHITE)] * FEW)
    return event


def one_more_game(event: Tournament) -> None:
    play(event, list(Player.objects.order_by("pk")), [(1, 0, DRAW)], first_day=FEW)


def put_back_a_day() -> None:
    for job in Job.objects.all():
        Job.objects.filter(pk=job.pk).update(requested_at=job.requested_at - timedelta(days=1))


def test_a_list_with_new_results_is_asked_about_once_a_day(event: Tournament) -> None:
    for kind, about in ((LUCK, the_list().pk), (BACKTEST, None)):
        Job.objects.create(kind=kind, subject_key=about, state=Job.State.DONE)
    assert ask_backtests(factory.today()) == 1
    one_more_game(event)
    assert ask_backtests(factory.today()) == 0  # today's evening goes on
    put_back_a_day()
    assert ask_backtests(factory.today()) == 1
    assert [job.subject_key for job in Job.objects.filter(kind=BACKTEST, subject_key__gt=0)] == [the_list().pk] * 2


def test_nothing_is_asked_again_not_even_what_failed_until_the_facts_move(event: Tournament) -> None:
    ask_backtests(factory.today())
    put_back_a_day()
    assert ask_backtests(factory.today()) == 0
    Job.objects.update(state=Job.State.FAILED)
    assert ask_backtests(factory.today()) == 0
    one_more_game(event)
    assert ask_backtests(factory.today()) == 1


def test_small_and_private_lists_are_left_alone(event: Tournament) -> None:
    factory.make_list("rapid", pool="rapid", primary=False)
    assert (games_up_to_enough(the_list()), has_enough_games(the_list())) == (FEW, True)
    assert not has_enough_games(RatingList.objects.get(slug="rapid"))
    RatingList.objects.filter(slug="standard").update(public=False)
    assert ask_backtests(factory.today()) == 0


def test_daily_asks_and_puts_old_answers_away(
    event: Tournament, settings: Settings, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path
    old = answered(backtest_question(the_list()))
    Job.objects.filter(pk=old.pk).update(requested_at=old.requested_at - timedelta(days=61))
    queue = nobody_works(monkeypatch)
    out = StringIO()
    call_command("daily", stdout=out)
    assert "old answers to questions of the site, put away: 1" in out.getvalue()
    assert "back-tests of rating lists, asked for anew: 1" in out.getvalue()
    assert sorted(Job.objects.values_list("kind", flat=True)) == sorted([BACKTEST, LUCK])
    assert len(queue.waiting) == 2
    assert not Job.objects.filter(pk=old.pk).exists()


def test_the_last_answer_is_found_by_kind_and_list(event: Tournament) -> None:
    assert last_answered(BACKTEST, the_list().pk) is None
    first = answered(backtest_question(the_list()))
    one_more_game(event)
    second = answered(backtest_question(the_list()))
    assert first != second
    assert last_answered(BACKTEST, the_list().pk) == second
    assert last_answered(BACKTEST, 999) is None
    assert last_answered("proposal", the_list().pk) is None
