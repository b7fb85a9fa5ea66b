"""A tiny club whose back-test can be worked out by hand, and answers without a worker."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from clubrating.site.jobs import services as questions
from players.jobs.services import Question, ask
from players.models import Job, Player
from ratings.models import RatingList
from tests.factory import MONDAY
from tournaments.events.services.events import open_event
from tournaments.free_play.services import record_free_game
from tournaments.models import Tournament
from tournaments.standings.points import Result

FEW = 4
WHITE, BLACK, DRAW = Result.WHITE_WINS, Result.BLACK_WINS, Result.DRAW
Played = tuple[int, int, Result]  # places of White and Black among the people, and how it ended


def the_list() -> RatingList:
    return RatingList.objects.get(slug="standard")


def evenings(name: str = "Evenings", pool: str = "standard") -> Tournament:
    return open_event(name, pool=pool, by=None).tournament


def play(event: Tournament, people: Sequence[Player], games: Sequence[Played], first_day: int = 0) -> None:
    """A game a day, from a day of January 2026 on."""
    for day, (white, black, result) in enumerate(games, start=first_day):
        on = MONDAY + timedelta(days=day)
        record_free_game(event, people[white], people[black], result, on, by=None)


def answered(question: Question) -> Job:
    """The question asked; the tests' backend answers it in the same moment."""
    job = ask(question)
    job.refresh_from_db()
    return job


class Queue:
    """A queue no worker looks at: what is asked waits."""

    def __init__(self) -> None:
        self.waiting: list[int] = []

    def enqueue(self, chunk_key: int) -> None:
        self.waiting.append(chunk_key)


def nobody_works(monkeypatch: pytest.MonkeyPatch) -> Queue:
    """From here on what is asked waits, and whoever works it out all the same fails."""

    def never(*_args: object) -> None:
        raise AssertionError("worked out within the request")

    queue = Queue()
    monkeypatch.setattr(questions, "answer_chunk", queue)
    monkeypatch.setattr(questions, "ANSWERERS", dict.fromkeys(questions.ANSWERERS, never))
    return queue
