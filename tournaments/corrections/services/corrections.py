"""Correction = preview, then commit: what would move is found by doing it, and taking it back.

Preview and commit run the same services on the same change, so they cannot disagree. A preview rolls its transaction
back and carries a `Seen`: digests of the facts it rests on (with their revisions), of the lists' revisions, and of what
it showed. The commit computes them again and refuses where facts or effect have moved; results that came in meanwhile
and change nothing of the effect do no harm. A change with a long tail is committed by a job (`jobs`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.models import AuditEvent, Job, Player
from players.privacy.rules import OFFICER
from players.refusals import Refused, Stale
from ratings.lists.selectors.lists import ranked_players
from ratings.lists.services import lock_lists
from ratings.models import PublishedList, RatingList
from tournaments.corrections.services.changes import (
    Begin,
    Change,
    ColoursSwapped,
    GameRemoved,
    ImportanceChange,
    ResultChange,
    SeatsTaken,
    Why,
    digest,
    facts_digest,
)
from tournaments.corrections.services.contest_changes import undo_of_contest
from tournaments.corrections.services.fact_changes import HandicapChange, moved_back, note_before
from tournaments.corrections.services.game_changes import is_deleted_when_removed
from tournaments.corrections.services.jobs import (
    LONG_TAIL,
    carry_out_at_once,
    check_facts,
    effects_beside,
    is_for_a_job,
    is_rated_beside,
    request_correction,
)
from tournaments.corrections.services.merge_changes import MergeUndone
from tournaments.events.selectors.events import facts_of
from tournaments.events.selectors.standings import standings_of
from tournaments.formats.services import moved_stages
from tournaments.loading.services.streams import LoadReport
from tournaments.merging.services import stands
from tournaments.models import Game, Stage, Tournament
from tournaments.rated_games.services.rating_impact import ImpactRecorder, ListEffect, Move, count_from
from tournaments.results.services.footnotes import NOTED
from tournaments.standings.points import Result

MOST_PLACES = 50_000  # in a longer list places are not compared
_BESIDE = ""  # of an effect that was shown and is worked out in the background
_NO_REASON = AuditEvent.Reason.OTHER  # a preview writes it, and takes it back


class Seen(NamedTuple):
    """What a preview rested on and showed, as digests; `str` and `read` carry it through a form."""

    facts: str
    lists: str
    effect: str

    def __str__(self) -> str:
        return "-".join(self)

    @classmethod
    def read(cls, text: str) -> "Seen":
        """From a form; something else is no preview's, so it is stale."""
        parts = text.split("-")
        return cls(*parts) if len(parts) == 3 else cls("", "", "")


@dataclass(frozen=True, slots=True)
class PlayerMove:
    """One player's part: ratings, places and probation before and after; None for what there is not."""

    player: Player
    move: Move
    place_before: int | None
    place_after: int | None

    @property
    def shows(self) -> bool:
        """Whether anybody would notice: a tenth of a point, a place, or the end of a probation."""
        points = self.move.difference
        return points is None or abs(points) >= 0.05 or self.place_before != self.place_after or self.move.exit != 0


@dataclass(frozen=True, slots=True)
class ListPreview:
    """What moves in one list. `replaced`: others who change places; `published`: frozen lists that stay as they are."""

    rating_list: RatingList
    games: int
    moves: tuple[PlayerMove, ...]
    replaced: int
    published: tuple[PublishedList, ...]

    @property
    def shown(self) -> list[PlayerMove]:
        """The moves anybody would notice, the largest first."""
        return [row for row in self.moves if row.shows]

    @property
    def exits_gained(self) -> list[Player]:
        """Whose probation ends with the change."""
        return [row.player for row in self.moves if row.move.exit > 0]

    @property
    def exits_lost(self) -> list[Player]:
        """Who is on probation again."""
        return [row.player for row in self.moves if row.move.exit < 0]


class Placed(NamedTuple):
    """A line of an event's standings; `points` in the smallest unit, `unit` of them a point."""

    place: int
    points: int
    unit: int


@dataclass(frozen=True, slots=True)
class StandingMove:
    """A player whose line in the event's standings changes."""

    player: Player
    before: Placed
    after: Placed


@dataclass(frozen=True, slots=True)
class Preview:
    """What a change moves, and the `seen` that its commit has to bring. `behind`: rated games from the earliest
    changed one on, before the change. `requalified`: stages of the event into which others would go by the standings
    after it; they stay as they are until the arbiter takes their field back. `report` of a file to be loaded."""

    lists: tuple[ListPreview, ...]
    standings: tuple[StandingMove, ...]
    behind: int
    since: date | None
    seen: Seen
    report: LoadReport | None = None
    requalified: tuple[Stage, ...] = ()

    @property
    def is_long(self) -> bool:
        """Whether so many games stand behind it that the commit is for the background."""
        return self.behind > LONG_TAIL


def preview(change: Change, *, by: User | None, bracket: str = "") -> Preview:
    """What the change would move; behind a long tail without places and standings. Writes nothing. Raises Refused or
    Stale, as carrying it out would, and BracketMovesError where `bracket` has to be chosen first."""
    begin, why = change.begin(), Why(by, _NO_REASON, bracket=bracket)
    behind = count_from(begin)
    if behind > LONG_TAIL:
        effects = effects_beside(change, why) if is_rated_beside(change) else change.effects(why)
        if effects is not None:
            return _preview_beside(change, effects, begin, behind)
    with transaction.atomic():
        shown = _carry_out(change, why, begin, None)
        transaction.set_rollback(True)
    return shown


def commit(
    change: Change, seen: Seen, *, reason: str, note: str = "", by: User | None, bracket: str = ""
) -> Preview | Job:
    """Carry the change out, as the preview with that `seen` showed it; what moved. With a long tail it is the job that
    will carry it out in the background. Raises Stale where the facts or the effect moved since; Refused without a
    reason, and as the service refuses."""
    if reason not in AuditEvent.Reason.values or not reason:
        raise Refused(_("A correction needs a reason: choose one."))
    why = Why(by, reason, note, bracket)
    begin = change.begin()
    behind = count_from(begin)
    if is_for_a_job(change) and behind > LONG_TAIL:
        check_facts(change, seen.facts)
        return request_correction(change, seen.facts, why)
    with transaction.atomic():
        done = _carry_out(change, why, begin, seen)
        if seen.effect != _BESIDE and done.seen.effect != seen.effect:
            raise Stale(_("Other results came in meanwhile, and the effect is another now: look at it again."))
    return done


def commit_at_once(change: Change, *, reason: str, by: User | None, note: str = "") -> Job | None:
    """Carry out a change that nobody looked at before, since it can be undone; the job where its tail is long. Raises
    Stale or Refused."""
    why, facts = Why(by, reason, note), facts_digest(change)
    if count_from(change.begin()) > LONG_TAIL:
        return request_correction(change, facts, why)
    carry_out_at_once(change, facts, why)
    return None


def undo_of(event: AuditEvent) -> Change | None:
    """The change that takes a correction back; None where what it changed no longer stands as it left it."""
    if event.action == "players.merged":
        return MergeUndone(event.pk) if _is_merged(event) and stands(event) else None
    if event.action == "event.importance":
        left = Tournament.objects.filter(pk=event.subject_key, importance=event.after["importance"]).exists()
        return ImportanceChange(event.subject_key, event.before["importance"]) if left else None
    if event.subject_kind == "startingrating":
        return moved_back(event)
    if event.subject_kind == "contest":
        return undo_of_contest(event)
    if event.action == NOTED:
        return note_before(event)
    found = Game.objects.filter(pk=event.subject_key, revision=event.after.get("revision", -1))
    game = found.select_related("tournament").first()
    if game is None or event.subject_kind != "game":
        return None
    if event.action == "result.corrected":
        day = date.fromisoformat(event.before["played_on"])
        score = event.before.get("score") if game.tournament.scores else None
        return ResultChange(game.pk, Result(event.before["result"]), day, game.revision, score)
    if event.action == "handicap.corrected":
        return HandicapChange(game.pk, event.before["handicap"], event.before["komi"], game.revision)
    if event.action == "colours.swapped":
        return ColoursSwapped(game.pk, event.before["mirror"], game.revision)
    if event.action == "seats.exchanged" and "seats" in event.before:
        white, black = event.before["seats"]
        return SeatsTaken(game.pk, white, black, game.revision)
    if event.action == "game.inserted" and is_deleted_when_removed(game):
        return GameRemoved(game.pk, game.revision)
    return None


def _is_merged(event: AuditEvent) -> bool:
    """Whether this is the merge that holds: a record may be merged, given back, and merged again."""
    latest = AuditEvent.objects.filter(
        subject_kind="player", subject_key=event.subject_key, action__in=("players.merged", "players.unmerged")
    ).first()
    return latest == event


def _preview_beside(change: Change, effects: Iterable[ListEffect], begin: Begin, behind: int) -> Preview:
    facts = facts_digest(change)
    nowhere: Places = {key: {} for key in RatingList.objects.filter(pool__in=begin).values_list("pk", flat=True)}
    return Preview(
        lists=list_previews(effects, begin, nowhere, nowhere),
        standings=(),
        behind=behind,
        since=_first_day(begin),
        seen=Seen(facts, _revisions(_lists_of(begin)), _BESIDE),
    )


def _first_day(begin: Begin) -> date | None:
    return min((moment.on for moment in begin.values()), default=None)


# --- doing it -----------------------------------------------------------------------------------------------------
def _carry_out(change: Change, why: Why, found: Begin, seen: Seen | None) -> Preview:
    """Change, rate and compare. `found`: where it began before the lists were locked. Where `seen` is given its facts
    must still be those."""
    if found:
        # All lists at once: what the change reaches (a match, a merge) may lie in other pools, and one pool's lists
        # after another's would wait for each other.
        lock_lists()
    begin = change.begin()
    facts = facts_digest(change) if seen is None else check_facts(change, seen.facts)
    behind, event = count_from(begin), change.event()
    impact = ImpactRecorder(begin, change.players())
    lists, standings = _lists_of(begin), standings_lines(event)
    revisions, places = _revisions(lists), _places_of(lists)
    moved = {stage.pk for stage in moved_stages(event)}
    report = change.carry_out(why)
    shown = list_previews(impact.moved(), begin, places, places_now(begin))
    after = standings_lines(event)
    moves = ((player, standings.get(player), now) for player, now in after.items())
    report = report if isinstance(report, LoadReport) else None
    return Preview(
        lists=shown,
        standings=tuple(StandingMove(player, was, now) for player, was, now in moves if was is not None and was != now),
        behind=behind,
        since=_first_day(begin),
        seen=Seen(facts, revisions, digest([*effect_lines(shown), repr(report)])),
        report=report,
        requalified=tuple(stage for stage in moved_stages(event) if stage.pk not in moved),
    )


def _lists_of(begin: Begin) -> list[RatingList]:
    return list(RatingList.objects.filter(pool__in=begin).order_by("pk"))


def _revisions(lists: Iterable[RatingList]) -> str:
    return digest(f"{row.slug} {row.revision}" for row in lists)


def effect_lines(lists: Iterable[ListPreview]) -> Iterable[str]:
    """The effect as it is compared: differences to one decimal, probation exits, who comes and goes. How many games
    are rated behind it is no part of it: a new result that moves nobody else does no harm."""
    for row in lists:
        for line in sorted(row.moves, key=lambda line: line.player.number):
            difference = line.move.difference
            text = "–" if difference is None else f"{difference:.1f}".replace("-0.0", "0.0")
            if text != "0.0" or line.move.exit:
                yield f"{row.rating_list.slug} {line.player.number} {text} {line.move.exit}"


Places = Mapping[int, Mapping[int, int]]  # list → player → place


def places_now(begin: Begin) -> Places:
    """Everybody's place in the lists of those pools; nobody's in a list of more than `MOST_PLACES`."""
    return _places_of(_lists_of(begin))


def _places_of(lists: Iterable[RatingList]) -> Places:
    return {row.pk: _places_in(row) for row in lists}


def _places_in(rating_list: RatingList) -> dict[int, int]:
    keys = list(ranked_players(rating_list)[: MOST_PLACES + 1])
    return {} if len(keys) > MOST_PLACES else {player: place for place, player in enumerate(keys, start=1)}


def list_previews(
    effects: Iterable[ListEffect], begin: Begin, before: Places, after: Places
) -> tuple[ListPreview, ...]:
    shown = []
    for effect in effects:
        was, now = before[effect.rating_list.pk], after[effect.rating_list.pk]
        people = Player.objects.in_bulk([move.player for move in effect.moves])
        moves = tuple(
            PlayerMove(people[move.player], move, was.get(move.player), now.get(move.player)) for move in effect.moves
        )
        replaced = {player for player in was.keys() | now.keys() if was.get(player) != now.get(player)} - people.keys()
        since = begin[effect.rating_list.pool].on
        published = PublishedList.objects.filter(rating_list=effect.rating_list, on__gte=since).order_by("on")
        shown.append(ListPreview(effect.rating_list, effect.games, moves, len(replaced), tuple(published)))
    return tuple(shown)


def standings_lines(event: Tournament | None) -> dict[Player, Placed]:
    """Everybody's line in the standings of the event, or of his group; brackets have none."""
    found: dict[Player, Placed] = {}
    if event is None or event.open_ended:
        return found
    # The stages alone: what pages join to the event besides (prizes, entries) is not asked for.
    stages = Stage.objects.filter(tournament=event).select_related("tournament").order_by("order")
    for facts in facts_of(list(stages), OFFICER):
        made = standings_of(facts)
        rows = () if facts.is_bracket else made.rows
        found |= {made.entrants[row.player].player: Placed(row.place, row.points, made.points.unit) for row in rows}
    return found
