"""Background work: rebuild a list beside the running site, carry out a correction with a long tail.

Such a correction rates the lists with the change beside the live ones (`ratings.ledger.services.rebuild`), from the
games and contests as they would be after it. Then one short transaction changes the fact, writes the audit event, rates
what arrived meanwhile and lets the new ledgers take over. Corrections that make or delete a game or a contest, or move
people, are carried out in one transaction instead: what they make has no key to be rated under before.

How a chunk is leased and finished: `players.jobs.services`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from heapq import merge
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _
from django_tasks import task

from players.jobs.services import finish_job, lease_chunk, report_progress
from players.models import Job, JobChunk
from players.refusals import Refused, Stale
from players.trail.services import acting_from
from ratings.ledger.services.ledger import count_rated_rows, rate_from, reads_handicap
from ratings.ledger.services.rebuild import (
    Built,
    GamesOf,
    Tell,
    abandon,
    build,
    clear_generations,
    fresh_replay,
    take_over,
)
from ratings.ledger.services.rows import in_batches
from ratings.lists.services import lock_lists
from ratings.models import RatingList
from ratings.systems.base import Handicap, Moment, PlayedGame
from ratings.systems.replay import Row
from ratings.systems.sides import GamesAndContests, Played, PlayedContest
from tournaments.corrections.services.changes import (
    Begin,
    Change,
    ColoursSwapped,
    GameInserted,
    GameRemoved,
    ImportanceChange,
    ResultChange,
    ResultChanges,
    ResultsExchanged,
    SeatsTaken,
    Why,
    facts_digest,
)
from tournaments.corrections.services.contest_changes import (
    ContestChange,
    ContestInserted,
    contest_change_from,
    contest_inserted_from,
)
from tournaments.corrections.services.fact_changes import HandicapChange, StartsMoved
from tournaments.corrections.services.game_changes import ForgottenGame
from tournaments.corrections.services.merge_changes import MergeUndone, PlayersMerged
from tournaments.knockouts.selectors.match_reach import games_behind
from tournaments.models import Contest, Game
from tournaments.rated_games.selectors.games import count_rated, rated_contests, rated_games
from tournaments.rated_games.services.people import StartMove
from tournaments.rated_games.services.rating_impact import (
    ListEffect,
    RatedBeside,
    effect_of,
    effect_of_generation,
    effect_of_states,
)
from tournaments.rated_games.services.rebuilding import ListGames, play_of, rebuild_list
from tournaments.standings.points import Result

REBUILD = "rebuild-list"
CORRECTION = "correct"
LONG_TAIL = 5000  # games rated again within the request that asks for it; more is background work
KINDS: tuple[type, ...] = (
    ResultChange,
    ResultChanges,
    ColoursSwapped,
    HandicapChange,
    SeatsTaken,
    ResultsExchanged,
    GameRemoved,
    GameInserted,
    ImportanceChange,
    PlayersMerged,
    MergeUndone,
    StartsMoved,
    ContestChange,
    ContestInserted,
)
# What keeps its games, so that they can be rated before the facts change.
_BESIDE = (ResultChange, ResultChanges, ColoursSwapped, HandicapChange, ContestChange)


# --- a change as a job carries it --------------------------------------------------------------------------------
def to_payload(change: Change) -> dict[str, Any]:
    """The change as plain values. Raises TypeError for a kind that no job carries (a whole file)."""
    if not is_for_a_job(change):
        raise TypeError(f"{type(change).__name__} is not carried by a job.")
    return {"kind": type(change).__name__, "fields": _plain(asdict(change))}  # type: ignore[call-overload]


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value.isoformat() if isinstance(value, date) else value


def from_payload(payload: dict[str, Any]) -> Change:
    """The change that `to_payload` wrote down."""
    kind = {each.__name__: each for each in KINDS}[payload["kind"]]
    fields = _typed(payload["fields"])
    if kind is ResultChanges:
        return ResultChanges(tuple(ResultChange(**_typed(each)) for each in fields["changes"]))
    if kind is GameInserted:
        return GameInserted(ForgottenGame(**_typed(fields["new"])))
    if kind is StartsMoved:
        moves = ({**move, "on": date.fromisoformat(move["on"])} for move in fields["moves"])
        return StartsMoved(tuple(StartMove(**move) for move in moves))
    if kind is ContestChange:
        return contest_change_from(fields)
    if kind is ContestInserted:
        return contest_inserted_from(fields)
    change: Change = kind(**fields)
    return change


def _typed(fields: dict[str, Any]) -> dict[str, Any]:
    typed = dict(fields)
    if typed.get("played_on"):
        typed["played_on"] = date.fromisoformat(typed["played_on"])
    if typed.get("handicap"):
        typed["handicap"] = Handicap(*typed["handicap"])
    if "result" in typed:
        typed["result"] = Result(typed["result"])
    return typed


# --- carrying it out ---------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Overlay(GamesOf):
    """A list's games and contests with some of them as they would be after the change: `changed` (kind and key) give
    way to those."""

    rating_list: RatingList
    changed: frozenset[tuple[str, int | str]]
    games: tuple[PlayedGame, ...]
    contests: tuple[PlayedContest, ...]

    def all(self) -> Played:
        return self._laid_over(play_of(self.rating_list), 0)

    def since(self, moment: Moment) -> tuple[Moment, Played, bool]:
        begin, play, from_nothing = ListGames(self.rating_list).since(moment)
        return begin, self._laid_over(play, 0 if from_nothing else begin.order), from_nothing

    def _laid_over(self, play: Played, since: int) -> Played:
        """`play` begins with that order key."""
        if isinstance(play, GamesAndContests):
            kept = (row for row in play.contests if ("contest", row.contest) not in self.changed)
            laid = (row for row in self.contests if row.order >= since)
            contests = list(merge(kept, laid, key=lambda row: row.order))
            return GamesAndContests(self._games_laid_over(play.games, since), contests)
        return self._games_laid_over(play, since)

    def _games_laid_over(self, games: Iterable[PlayedGame], since: int) -> list[PlayedGame]:
        kept = (game for game in games if ("game", game.game) not in self.changed)
        laid = (game for game in self.games if game.order >= since)
        return list(merge(kept, laid, key=lambda game: game.order))


def carry_out_beside(change: Change, facts: str, why: Why, *, tell: Tell | None = None) -> None:
    """Rate the lists with the change first, then make it. `facts`: digest of the facts it was asked for
    (`facts_digest`). Raises Stale or Refused; then nothing is changed."""
    begin = change.begin()
    built = []
    try:
        for rating_list in RatingList.objects.filter(pool__in=begin).order_by("pk"):
            built.append(build(rating_list, _after(change, why, rating_list), tell=tell))
        with transaction.atomic():
            _take_over_all(change, facts, why, begin, built)
    finally:
        for each in built:
            abandon(each)
            clear_generations(each.rating_list)


@transaction.atomic
def carry_out_at_once(change: Change, facts: str, why: Why) -> None:
    """Make the change and rate what hangs on it in one transaction. Raises Stale or Refused."""
    lock_lists()
    check_facts(change, facts)
    change.carry_out(why)


def check_facts(change: Change, facts: str) -> str:
    """The digest of the facts the change rests on. Raises Stale where it is not `facts`."""
    if facts_digest(change) != facts:
        raise Stale(_("This was changed by somebody else meanwhile: look at it again."))
    return facts


def is_rated_beside(change: Change) -> bool:
    """Whether `carry_out_beside` can do it: not where matches of a knockout hang on it, whose games may go."""
    if isinstance(change, ImportanceChange):
        return not Contest.objects.filter(tournament=change.tournament).exists()  # no result changes
    event = change.event()
    if event is not None and event.entry_size > 1 and not isinstance(change, ContestChange):
        return False  # what is rated is made only when the result changes
    if not isinstance(change, _BESIDE):
        return False
    games = [key for kind, key, _revision in change.facts() if kind == "game"]
    return not any(map(games_behind, Game.objects.filter(pk__in=games).select_related("pairing")))


def is_for_a_job(change: Change) -> bool:
    """Whether a job can carry it: a whole file of games is loaded where it is."""
    return isinstance(change, KINDS)


def effects_beside(change: Change, why: Why) -> Iterator[ListEffect]:
    """What the change would move, list by list, computed in memory; nothing waits for it."""
    begin = change.begin()
    for rating_list in RatingList.objects.filter(pool__in=begin).order_by("order", "pk"):
        yield _effect_beside(rating_list, begin[rating_list.pool], _after(change, why, rating_list))


def _effect_beside(rating_list: RatingList, since: Moment, after: _Overlay) -> ListEffect:
    """From the tail, where the list needs no more and nobody is rating it; else from nothing."""
    first, games, from_nothing = after.since(since)
    rated = None if from_nothing else rate_from(rating_list, first, games)
    if rated is None:
        rows, states = fresh_replay(rating_list, after.all())
        return effect_of_states(rating_list, states, _rated_since(rows, since))
    among = None if len(rated.stored) > len(rated.people) else rated.people
    return effect_of_states(rating_list, rated.states, _rated_since(rated.rows, since), among)


def _rated_since(rows: Iterable[Row], since: Moment) -> int:
    return count_rated_rows(rows, since.order)


def _after(change: Change, why: Why, rating_list: RatingList) -> _Overlay:
    """The list's games as they would be: the change is made without rating anything, looked at, and taken back."""
    changed = frozenset((kind, key) for kind, key, _revision in change.facts() if kind in ("game", "contest"))
    keys = [key for kind, key in changed if kind == "game"]
    tables = [key for kind, key in changed if kind == "contest"]
    handicaps = reads_handicap(rating_list)
    with transaction.atomic():
        lock_lists()
        change.carry_out(replace(why, beside=RatedBeside()))
        parts = [rated_games(rating_list.pool, among=some, handicaps=handicaps) for some in in_batches(keys)]
        games = tuple(merge(*parts, key=lambda game: game.order))
        contests = tuple(rated_contests(rating_list.pool, among=tables)) if tables else ()
        transaction.set_rollback(True)
    return _Overlay(rating_list, changed, games, contests)


def _take_over_all(change: Change, facts: str, why: Why, begin: Begin, built: Sequence[Built]) -> None:
    lock_lists()
    check_facts(change, facts)
    effect = effect_of(
        effect_of_generation(each.rating_list, each.generation, begin[each.rating_list.pool]) for each in built
    )
    change.carry_out(replace(why, beside=RatedBeside(effect)))
    for each in built:
        if not take_over(each, ListGames(each.rating_list)):
            raise Stale(_("The list was being rated anew meanwhile: ask for the correction again."))


# --- jobs --------------------------------------------------------------------------------------------------------
@transaction.atomic
def request_rebuild(rating_list: RatingList, *, by: User | None) -> Job:
    """Ask for a list to be rated from nothing in the background; a job already waiting for the list is returned."""
    waiting = Job.objects.filter(kind=REBUILD, subject_key=rating_list.pk, state=Job.State.WAITING).first()
    if waiting:
        return waiting
    return _queue(Job.objects.create(kind=REBUILD, subject_key=rating_list.pk, requested_by=by))


@transaction.atomic
def request_correction(change: Change, facts: str, why: Why) -> Job:
    """Ask for a correction with a long tail to be carried out in the background. `facts`: digest of the facts its
    preview rested on; if they move meanwhile, the job fails and changes nothing."""
    payload = {**to_payload(change), "facts": facts}
    payload |= {"reason": why.reason, "note": why.note, "bracket": why.bracket}
    return _queue(Job.objects.create(kind=CORRECTION, payload=payload, requested_by=why.by))


def _queue(job: Job) -> Job:
    run_chunk.enqueue(JobChunk.objects.create(job=job, number=1).pk)
    return job


@task()
def run_chunk(chunk_key: int) -> None:
    """Carry out one chunk; a chunk already done, or leased to another worker, is left alone."""
    chunk = lease_chunk(chunk_key)
    if chunk is None:
        return
    try:
        with acting_from(f"job {chunk.job.kind}"):
            message = _correct(chunk) if chunk.job.kind == CORRECTION else _rebuild(chunk)
    except Refused as refusal:
        finish_job(chunk, Job.State.FAILED, str(refusal))
    except Exception:
        finish_job(chunk, Job.State.FAILED, _("The work broke off; nothing was changed. Ask for it again."))
        raise
    else:
        finish_job(chunk, Job.State.DONE, message)


def _rebuild(chunk: JobChunk) -> str:
    rating_list = RatingList.objects.filter(pk=chunk.job.subject_key or 0).first()
    if rating_list is None:
        raise Refused(_("The list was deleted meanwhile."))
    games = rebuild_list(rating_list, tell=_progress_of(chunk, count_rated(rating_list.pool)))
    return _("%(count)s games rated.") % {"count": games}


def _correct(chunk: JobChunk) -> str:
    """Carry a correction out; done twice it is refused the second time, since its facts have moved."""
    payload = chunk.job.payload
    change = from_payload(payload)
    why = Why(chunk.job.requested_by, payload["reason"], payload["note"], payload.get("bracket", ""))
    if is_rated_beside(change):
        games = max((count_rated(pool) for pool in change.begin()), default=0)
        carry_out_beside(change, payload["facts"], why, tell=_progress_of(chunk, games))
    else:
        carry_out_at_once(change, payload["facts"], why)
    return _("Corrected; every rating behind it follows.")


def rate_anew(rating_list: RatingList, *, by: User | None) -> Job | None:
    """Rate a list from nothing: at once where that is quick, else in the background; then its job is returned."""
    if count_rated(rating_list.pool) > LONG_TAIL:
        return request_rebuild(rating_list, by=by)
    rebuild_list(rating_list)
    return None


def _progress_of(chunk: JobChunk, games: int) -> Callable[[int], None]:
    return lambda rated: report_progress(chunk, rated, games)
