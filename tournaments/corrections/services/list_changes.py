"""Another rule of a rating list, or another length of its probation: the list is rated anew, and the trail says what
that moved. A long list is rated in the background; then only its preview says what moves."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from players.models import Job
from ratings.ledger.services.ledger import count_rated_rows
from ratings.ledger.services.rebuild import fresh_replay
from ratings.lists.services import NewRule, change_list, lock_lists, set_rules
from ratings.models import RatingList
from ratings.systems.base import Moment
from tournaments.corrections.services.jobs import LONG_TAIL, request_rebuild
from tournaments.rated_games.selectors.games import count_rated
from tournaments.rated_games.services.rating import rerate_list
from tournaments.rated_games.services.rating_impact import Effect, ImpactRecorder, ListEffect, effect_of_states
from tournaments.rated_games.services.rebuilding import play_of

PROBATION = {"provisional_games", "reentry_years", "reentry_games"}
FIRST = Moment(date.min)


@dataclass(frozen=True, slots=True)
class ListChange:
    """What is to change of a list (by key): fields, and its dated rules, where they change."""

    rating_list: int
    fields: Mapping[str, Any]
    rules: Sequence[NewRule] | None = None

    @property
    def moves(self) -> bool:
        """Whether ratings or places hang on it."""
        return self.rules is not None or bool(PROBATION & self.fields.keys())

    def since(self) -> Moment:
        """From when on games may be rated otherwise: the day of the first rule that changes; the first of all rules
        holds for everything before the second."""
        if self.rules is None or PROBATION & self.fields.keys():
            return FIRST
        rows = RatingList.objects.get(pk=self.rating_list).rules.all()
        old = [(row.valid_from, row.system, str(row.settings)) for row in rows]
        new = [(rule.valid_from, rule.system, str(dict(rule.settings))) for rule in self.rules]
        changed = min((rule for rule in {*old, *new} if (rule in old) != (rule in new)), default=None)
        return FIRST if changed is None or changed[0] <= min({*old, *new})[0] else Moment(changed[0])


@transaction.atomic
def change_rated_list(change: ListChange, *, by: User | None, reason: str = "", note: str = "") -> Job | None:
    """Carry it out and rate the list anew; the job that does so where its games are many. Raises Refused."""
    pool = RatingList.objects.values_list("pool", flat=True).get(pk=change.rating_list)
    rating_list = next(row for row in lock_lists(pool) if row.pk == change.rating_list)
    is_long = count_rated(pool) > LONG_TAIL
    impact = ImpactRecorder({pool: change.since()}, None) if change.moves and not is_long else None
    jobs: list[Job] = []

    def follow() -> Effect:
        if impact is None:
            jobs.append(request_rebuild(rating_list, by=by))
            return {}
        rating_list.refresh_from_db()
        rerate_list(rating_list, FIRST)
        return impact.effect()

    _write(rating_list, change, by, {"reason": reason, "note": note, "follow": follow})
    return jobs[0] if jobs else None


def effects_of_list_change(change: ListChange, by: User | None) -> Iterable[ListEffect]:
    """What it would move, from a replay in memory: the change is made, looked at, and taken back."""
    with transaction.atomic():
        rating_list = RatingList.objects.get(pk=change.rating_list)
        _write(rating_list, change, by, {})
        rating_list.refresh_from_db()
        rows, states = fresh_replay(rating_list, play_of(rating_list))
        effect = effect_of_states(rating_list, states, count_rated_rows(rows))
        transaction.set_rollback(True)
    return [effect]


def _write(rating_list: RatingList, change: ListChange, by: User | None, how: dict[str, Any]) -> None:
    """The list is rated with the last of the two."""
    alone = change.rules is None and change.moves
    change_list(rating_list, change.fields, by=by, **(how if alone else {}))
    if change.rules is not None:
        set_rules(rating_list, change.rules, by=by, **how)
