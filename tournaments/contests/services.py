"""Contests with sides: recorded, corrected, withdrawn and put back, each by one service in one transaction.

A contest is kept in the order in which its sides were entered; what a replay gets is its one form
(`ratings.systems.sides`). One of a day after which others are rated is a correction, as for games: `record_contest`
refuses it (`LateContestError`), `insert_contest` enters it with a reason.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.counters import GAME_SEQUENCE, GAME_SEQUENCE_STEP, take_numbers
from players.models import Player
from players.refusals import Refused, Stale, said
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from ratings.systems.base import Moment
from ratings.systems.sides import PlayedSide, in_one_form, read_places
from tournaments.events.services.counts import count_contests
from tournaments.models import Contest, ContestMember, ContestSide, Tournament
from tournaments.rated_games.selectors.games import contests_in, rated_in
from tournaments.rated_games.services.rating import rerate
from tournaments.rated_games.services.rating_impact import ImpactRecorder, RatedBeside
from tournaments.results.services.results import check_day

MAX_SCORE = 1e9


@dataclass(frozen=True, slots=True)
class SideData:
    """A side as entered: its place, its players by key with each one's share of the contest (empty: all the whole
    contest), and its score where the event has scores."""

    place: int
    players: tuple[int, ...]
    weights: tuple[float, ...] = ()
    score: float | None = None

    def as_played(self) -> PlayedSide:
        return PlayedSide(self.place, self.players, self.weights or (1.0,) * len(self.players), self.score)


@dataclass(frozen=True, slots=True)
class ContestData:
    """A contest as entered; event by key. `importance`: None for that of the event."""

    tournament: int
    sides: tuple[SideData, ...]
    played_on: date
    importance: float | None = None

    @property
    def players(self) -> frozenset[int]:
        """Whoever takes part."""
        return frozenset(player for side in self.sides for player in side.players)


class ContestEnteredError(Refused):
    """The same sides with the same places on the same day stand there already."""


class LateContestError(Refused):
    """Games or contests of later days are rated already."""


# --- recording ----------------------------------------------------------------------------------------------------
@transaction.atomic
def record_contest(new: ContestData, *, by: User | None, again: bool = False) -> Contest:
    """Write a contest of an event without rounds and rate it. `again`: the same was played twice that day. Raises
    ContestEnteredError, LateContestError, or Refused with a sentence."""
    event = lock_event(new.tournament)
    entered = is_entered(new)
    row = _make(new, event)  # whatever is wrong with it is said first; what follows takes it back
    if entered and not again:
        raise ContestEnteredError(_("This table is entered already: tick to enter it again."))
    if is_late(event, new.played_on):
        raise LateContestError(_("Games of later days are rated already: this one is a correction."))
    _rate(row)
    write_audit("contest.recorded", row, by=by, after=image(row))
    return row


@transaction.atomic
def insert_contest(new: ContestData, *, by: User | None, reason: str, note: str = "") -> Contest:
    """Write a contest that was forgotten when it was played, behind the others of its day. Raises Refused."""
    event = lock_event(new.tournament)
    impact = ImpactRecorder({event.pool: Moment(new.played_on)} if event.rated else {}, new.players)
    row = _make(new, event)
    _rate(row)
    effect = impact.effect()
    write_audit("contest.inserted", row, by=by, after=image(row), effect=effect, reason=reason, note=note)
    return row


def is_entered(new: ContestData) -> bool:
    """Whether a contest of that day with the same sides and places stands in the event."""
    same_day = Contest.objects.filter(tournament=new.tournament, played_on=new.played_on, withdrawn=False)
    likely = same_day.filter(members__player__in=new.players).distinct()
    wanted = sorted((side.place, sorted(side.players)) for side in new.sides)
    return any(sorted((side.place, sorted(side.players)) for side in sides_of(contest)) == wanted for contest in likely)


def is_late(event: Tournament, played_on: date) -> bool:
    """Whether a contest of that day would open a tail: it is rated, and so is something of a later day."""
    if not event.rated:
        return False
    later = {"played_on__gt": played_on}
    return rated_in(event.pool).filter(**later).exists() or contests_in(event.pool).filter(**later).exists()


def lock_event(key: int) -> Tournament:
    lock_lists(Tournament.objects.values_list("pool", flat=True).get(pk=key))
    return Tournament.objects.select_for_update(no_key=True).get(pk=key)


def _make(new: ContestData, event: Tournament) -> Contest:
    """The row, not rated yet; the lists of its pool are locked. Raises Refused."""
    if not event.open_ended:
        raise Refused(_("“%(name)s” has rounds: a free table does not belong there.") % {"name": event.name})
    check_day(new.played_on)
    sides = checked_sides(new.sides, event)
    sequence = take_numbers(GAME_SEQUENCE, step=GAME_SEQUENCE_STEP)[0]
    row = Contest.objects.create(
        tournament=event,
        pool=event.pool,
        importance=event.importance if new.importance is None else new.importance,
        own_importance=new.importance is not None,
        played_on=new.played_on,
        sequence=sequence,
        label=f"table-{sequence}",
        recorded_at=timezone.now(),
    )
    write_sides(row, sides)
    count_contests(event, 1)
    return row


def checked_sides(sides: Sequence[SideData], event: Tournament) -> tuple[SideData, ...]:
    """The sides with places as 1-2-2-4. Raises Refused for what is no contest, for two players alone, which is a game,
    and for scores where the event has none, or places that contradict them."""
    try:
        in_one_form([side.as_played() for side in sides])
        places = read_places([side.place for side in sides])
    except ValueError as reason:
        raise Refused(said(reason)) from None
    if len(sides) == 2 and all(len(side.players) == 1 for side in sides):
        raise Refused(_("Two players alone play a game: enter it as a game."))
    placed = tuple(
        SideData(place, side.players, side.weights, side.score) for side, place in zip(sides, places, strict=True)
    )
    check_scores(placed, event)
    people = [player for side in sides for player in side.players]
    gone = Player.objects.filter(pk__in=people, merged_into__isnull=False)
    if merged := gone.order_by("number").first():
        text = _("Player %(number)s was merged into another: choose that one.")
        raise Refused(text % {"number": merged.number})
    return placed


def check_scores(sides: Sequence[SideData], event: Tournament) -> None:
    """Raises Refused for scores where the event has none, and for places that contradict them."""
    scores = [side.score for side in sides]
    given = [score for score in scores if score is not None]
    if not given:
        return
    if not event.scores:
        raise Refused(
            _("“%(name)s” has no scores: leave them out, or say at the event what its scores are.")
            % {"name": event.name}
        )
    if len(given) < len(scores):
        raise Refused(_("A score is missing: every side has one, or none has."))
    if not all(abs(score) <= MAX_SCORE for score in given):  # infinity and NaN fail this too
        raise Refused(_("A score is no number that can be written down."))
    sign = 1 if event.low_score_wins else -1
    in_order = sorted((place, sign * score) for place, score in zip((side.place for side in sides), given, strict=True))
    contradictions = (
        worse < better or (place == next_place and better != worse)
        for (place, better), (next_place, worse) in pairwise(in_order)
    )
    if any(contradictions):
        raise Refused(_("The places contradict the scores: correct one of the two."))


# --- correcting ---------------------------------------------------------------------------------------------------
@transaction.atomic
def correct_contest(
    contest: int,
    *,
    by: User | None,
    reason: str,
    note: str = "",
    sides: Sequence[SideData] | None = None,
    played_on: date | None = None,
    withdrawn: bool | None = None,
    revision: int | None = None,
    beside: RatedBeside | None = None,
) -> Contest:
    """Other sides, places, scores or members, another day, withdrawn or put back; None leaves a thing as it is. The
    lists are rated anew from the earlier of its two places in time, unless they are already (`beside`). Raises Stale or
    Refused."""
    row = lock_contest(contest, revision)
    before, was = image(row), row.moment
    old = set(ContestMember.objects.filter(contest=row).values_list("player", flat=True))
    wanted = old if sides is None else {player for side in sides for player in side.players}
    day = row.played_on if played_on is None else played_on
    begin = min(was, was._replace(on=day))
    impact = ImpactRecorder({row.pool: begin} if row.tournament.rated else {}, old | wanted)
    if day != row.played_on:
        check_day(day)
        row.played_on = day
    if withdrawn is not None and withdrawn != row.withdrawn:
        count_contests(row.tournament, -1 if withdrawn else 1)
        row.withdrawn = withdrawn
    if sides is not None:
        checked = checked_sides(sides, row.tournament)
        ContestSide.objects.filter(contest=row).delete()
        write_sides(row, checked)
    if {**image(row), "revision": 0} == {**before, "revision": 0}:
        raise Refused(_("Nothing was changed: the table stands like this already."))
    row.revision += 1
    row.save(update_fields=["played_on", "withdrawn", "revision"])
    if beside is None:
        _rate(row, begin)
    after, effect = image(row), impact.effect(beside)
    write_audit("contest.corrected", row, by=by, before=before, after=after, effect=effect, reason=reason, note=note)
    return row


def lock_contest(key: int, revision: int | None = None) -> Contest:
    """The contest with its event, locked after the lists of its pool. Raises Stale where it is no longer the one the
    form knew."""
    pool = Contest.objects.filter(pk=key).values_list("pool", flat=True).first() or ""
    lock_lists(pool)
    rows = Contest.objects.select_for_update(of=("self",), no_key=True).select_related("tournament")
    row = rows.filter(pk=key).first()
    if row is None or row.pool != pool or (revision is not None and row.revision != revision):
        raise Stale(_("Somebody else changed this table meanwhile: look at it again."))
    if row.game_id is not None:
        raise Refused(_("This contest follows a board of a round: correct the result there."))
    return row


# --- rows ---------------------------------------------------------------------------------------------------------
@transaction.atomic
def write_sides(row: Contest, sides: Sequence[SideData]) -> None:
    """The sides and their members, in the order of entry."""
    made = ContestSide.objects.bulk_create(
        ContestSide(contest=row, line=line, place=side.place, score=side.score) for line, side in enumerate(sides, 1)
    )
    ContestMember.objects.bulk_create(
        ContestMember(contest=row, side=side, player_id=player, weight=weight)
        for side, data in zip(made, sides, strict=True)
        for player, weight in zip(data.as_played().players, data.as_played().weights, strict=True)
    )


def sides_of(contest: Contest) -> tuple[SideData, ...]:
    """The sides of a contest in the order of entry, members by key."""
    sides: dict[int, list[tuple[int, float]]] = {}
    heads: dict[int, tuple[int, float | None]] = {}
    rows = ContestMember.objects.filter(contest=contest).order_by("side__line", "player")
    for line, place, score, player, weight in rows.values_list(
        "side__line", "side__place", "side__score", "player", "weight"
    ):
        heads[line] = (place, score)
        sides.setdefault(line, []).append((player, weight))
    return tuple(
        SideData(heads[line][0], tuple(who for who, _w in people), tuple(w for _who, w in people), heads[line][1])
        for line, people in sides.items()
    )


def image(row: Contest) -> dict[str, Any]:
    """What the audit trail keeps: enough to put the contest back, and to see whether it still stands so. Players by
    number: `sides` has place, score and members with their shares."""
    sides = sides_of(row)
    numbers = dict(Player.objects.filter(contests__contest=row).values_list("pk", "number"))
    return {
        "tournament": row.tournament.slug,
        "played_on": row.played_on.isoformat(),
        "withdrawn": row.withdrawn,
        "revision": row.revision,
        "sides": [
            [side.place, side.score, [[numbers[who], w] for who, w in zip(side.players, side.weights, strict=True)]]
            for side in sides
        ],
    }


def sides_of_image(kept: Sequence[Any]) -> tuple[SideData, ...]:
    """The sides an image has."""
    numbers = [number for _place, _score, members in kept for number, _weight in members]
    keys = dict(Player.objects.filter(number__in=numbers).values_list("number", "pk"))
    return tuple(
        SideData(place, tuple(keys[number] for number, _w in members), tuple(w for _n, w in members), score)
        for place, score, members in kept
    )


def _rate(row: Contest, since: Moment | None = None) -> None:
    if row.tournament.rated:
        rerate(row.pool, since or row.moment, event=row.tournament_id)
