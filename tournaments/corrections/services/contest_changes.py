"""Changes of contests with sides, as corrections: another result, other people or day, withdrawn, or forgotten."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from players.counters import GAME_SEQUENCE, GAME_SEQUENCE_STEP
from players.models import AuditEvent, Counter
from ratings.systems.base import Moment
from tournaments.contests.services import (
    ContestData,
    SideData,
    correct_contest,
    insert_contest,
    sides_of_image,
)
from tournaments.corrections.services.changes import Begin, Change, Fact, StreamLoaded, Why
from tournaments.loading.services.contests import load_contests
from tournaments.loading.services.streams import LoadReport
from tournaments.models import Contest, ContestMember, Tournament
from tournaments.rated_games.selectors.games import earliest


@dataclass(frozen=True, slots=True)
class ContestChange(Change):
    """Other sides, another day, withdrawn or put back (None: as it is); see `correct_contest`. `revision`: the one the
    form knew."""

    contest: int
    sides: tuple[SideData, ...] | None = None
    played_on: date | None = None
    withdrawn: bool | None = None
    revision: int | None = None

    def facts(self) -> list[Fact]:
        rows = Contest.objects.filter(pk=self.contest).values_list("pk", "revision")
        return [("contest", pk, revision) for pk, revision in rows]

    def begin(self) -> Begin:
        row = Contest.objects.select_related("tournament").get(pk=self.contest)
        if not row.tournament.rated or (row.withdrawn and self.withdrawn is not False):
            return {}
        return {row.pool: row.moment._replace(on=min(row.played_on, self.played_on or row.played_on))}

    def players(self) -> Iterable[int]:
        own = set(ContestMember.objects.filter(contest=self.contest).values_list("player", flat=True))
        return own | {player for side in self.sides or () for player in side.players}

    def event(self) -> Tournament:
        return Tournament.objects.get(contests=self.contest)

    def carry_out(self, why: Why) -> Contest:
        return correct_contest(
            self.contest,
            sides=self.sides,
            played_on=self.played_on,
            withdrawn=self.withdrawn,
            revision=self.revision,
            by=why.by,
            reason=why.reason,
            note=why.note,
            beside=why.beside,
        )


@dataclass(frozen=True, slots=True)
class ContestInserted(Change):
    """A contest that was forgotten when it was played; see `insert_contest`."""

    new: ContestData

    def facts(self) -> list[Fact]:
        event = self.event()
        return [("event", event.pk, event.revision)]

    def begin(self) -> Begin:
        event = self.event()
        last = Counter.objects.filter(name=GAME_SEQUENCE).values_list("value", flat=True).first() or 0
        return {event.pool: Moment(self.new.played_on, last + GAME_SEQUENCE_STEP)} if event.rated else {}

    def players(self) -> Iterable[int]:
        return self.new.players

    def event(self) -> Tournament:
        return Tournament.objects.get(pk=self.new.tournament)

    def carry_out(self, why: Why) -> Contest:
        return insert_contest(self.new, by=why.by, reason=why.reason, note=why.note)


@dataclass(frozen=True, slots=True)
class ContestsLoaded(StreamLoaded):
    """A file of contests; see `load_contests`."""

    def load(self) -> Callable[..., LoadReport]:
        return load_contests

    def begin(self) -> Begin:
        """From the first day in the file on: what is here already is rated again as it was."""
        last = Counter.objects.filter(name=GAME_SEQUENCE).values_list("value", flat=True).first() or 0
        days = ((rows[0].pool or self.pool, rows[0].played_on or self.today) for rows in self.rows)
        return earliest((pool, Moment(day, last + GAME_SEQUENCE_STEP)) for pool, day in days)


def undo_of_contest(event: AuditEvent) -> ContestChange | None:
    """The change that takes a contest's entry or correction back; None where it no longer stands as it was left."""
    row = Contest.objects.filter(pk=event.subject_key, revision=event.after.get("revision", -1)).first()
    if row is None:
        return None
    if event.action in ("contest.recorded", "contest.inserted"):
        return None if row.withdrawn else ContestChange(row.pk, withdrawn=True, revision=row.revision)
    before = event.before
    return ContestChange(
        row.pk,
        sides_of_image(before["sides"]),
        date.fromisoformat(before["played_on"]),
        before["withdrawn"],
        row.revision,
    )


def contest_change_from(fields: Mapping[str, Any]) -> ContestChange:
    """From the plain values a job carries."""
    sides = fields["sides"]
    return ContestChange(**{**fields, "sides": None if sides is None else _sides(sides)})


def contest_inserted_from(fields: Mapping[str, Any]) -> ContestInserted:
    """From the plain values a job carries."""
    new = fields["new"]
    on = date.fromisoformat(new["played_on"])
    return ContestInserted(ContestData(**{**new, "sides": _sides(new["sides"]), "played_on": on}))


def _sides(plain: Iterable[Mapping[str, Any]]) -> tuple[SideData, ...]:
    return tuple(
        SideData(side["place"], tuple(side["players"]), tuple(side["weights"]), side["score"]) for side in plain
    )
