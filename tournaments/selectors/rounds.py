"""How far rounds are: boards with two players, and how many of those have a result. Front page and desk read it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any

from django.db.models import Count, F, Q, QuerySet

from tournaments.models import Round, Tournament
from tournaments.standings.points import DECIDED_RESULTS

# Groups that may be played side by side.
MOST_GROUPS = 16
_GAMES = Q(pairings__superseded=False, pairings__games__isnull=False)


@dataclass(frozen=True, slots=True)
class RoundProgress:
    """A round, how many boards have two players, and how many of those a result."""

    round: Round
    boards: int
    done: int

    @property
    def tournament(self) -> Tournament:
        return self.round.stage.tournament

    @property
    def open(self) -> int:
        return self.boards - self.done

    @property
    def complete(self) -> bool:
        return not self.open


def rounds_of(tournament: Tournament) -> list[RoundProgress]:
    """The tournament's rounds in order, drafts among them."""
    rounds = _with_counts(Round.objects.filter(stage__tournament=tournament))
    return _progress(rounds.order_by("stage__order", "number"))


def rounds_to_enter(today: date) -> list[RoundProgress]:
    """Published rounds that wait for results: everything due by today, and of each tournament the next one, by day;
    groups side by side have each their own."""
    waiting = _with_counts(Round.objects.filter(state=Round.State.PUBLISHED)).filter(done__lt=F("boards"))
    following: dict[int, int] = {}
    shown = []
    for row in _progress(waiting.order_by("stage__tournament_id", "number", "stage__order")):
        planned, number = row.round.planned_on, row.round.number
        if number == following.setdefault(row.tournament.pk, number) or (planned is not None and planned <= today):
            shown.append(row)
    return sorted(shown, key=lambda row: row.round.planned_on or date.max)


def rounds_now(today: date) -> list[RoundProgress]:
    """Of each event the round that is on: planned for today, or earlier with open boards; the latest day first, then
    the most open boards. Where a day has several rounds it is the first with open boards, else the last; groups side by
    side are counted as one round."""
    rounds = _with_counts(Round.objects.filter(state=Round.State.PUBLISHED, planned_on__lte=today))
    rounds = rounds.filter(Q(planned_on=today) | Q(done__lt=F("boards")), boards__gt=0)
    on: dict[int, RoundProgress] = {}
    for row in _side_by_side(_progress(rounds.order_by("-planned_on", "stage__tournament_id", "number"))):
        shown = on.setdefault(row.tournament.pk, row)
        if shown.complete and shown.round.planned_on == row.round.planned_on:
            on[row.tournament.pk] = row
    return sorted(on.values(), key=lambda row: (row.round.planned_on or date.min, row.open), reverse=True)


def next_rounds(today: date, count: int = 5) -> list[Round]:
    """Published rounds of the coming days; of groups side by side one."""
    rounds = Round.objects.filter(state=Round.State.PUBLISHED, planned_on__gt=today)
    rounds = rounds.select_related("stage__tournament").order_by("planned_on", "pk")
    shown: dict[tuple[int, int], Round] = {}
    for row in rounds[: count * MOST_GROUPS]:
        shown.setdefault((row.stage.tournament_id, row.number), row)
    return list(shown.values())[:count]


def _with_counts(rounds: QuerySet[Round]) -> QuerySet[Any]:
    return rounds.select_related("stage__tournament").annotate(
        boards=Count("pairings__games", filter=_GAMES),
        done=Count("pairings__games", filter=_GAMES & Q(pairings__games__result__in=DECIDED_RESULTS)),
    )


def _side_by_side(rows: Iterable[RoundProgress]) -> Iterator[RoundProgress]:
    """Rounds of the same number and day of one event, following each other, as one."""
    for _key, group in groupby(rows, key=lambda row: (row.round.planned_on, row.tournament.pk, row.round.number)):
        same = list(group)
        yield RoundProgress(same[0].round, sum(row.boards for row in same), sum(row.done for row in same))


def _progress(rounds: QuerySet[Any]) -> list[RoundProgress]:
    return [RoundProgress(row, row.boards, row.done) for row in rounds]
