"""Somebody leaves an event, and may come back.

What it would mean is found out first and shown (`leaving`, `returning`). The answer carries `seen`; `withdraw_entry`
and `return_entry` take it and refuse where something else would happen than was shown.

- Rounds all known (round robin): the games that are left become forfeits at once (`forfeits`), and are taken back when
  the player returns, as far as nobody touched them. Whether the played ones count is worked out in the standings, by
  the event's `leaver_rule`.
- Rounds paired one by one: the player is not paired any more. A draft with the player in it has to go first.
- Knockout: the match that waits for a result is a walk-over for the opponent, and is to be played after all when the
  player returns before anything was played behind it. Double elimination: so is the one in the losers' bracket.

Source: FIDE General Regulations for Competitions (leavers of a round robin); C.04.2 (rounds after a withdrawal).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Max
from django.utils.translation import gettext as _

from players.models import AuditEvent
from players.refusals import Refused, Stale
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.corrections.services.changes import digest
from tournaments.entries.services.entries import find_entry
from tournaments.events.selectors.stages import name_sides, played_stages, system_of
from tournaments.knockouts.selectors.match_reach import matches_behind
from tournaments.knockouts.services.matches import seats_of_match
from tournaments.knockouts.services.rulings import rule_match, take_ruling_back
from tournaments.models import Entry, Game, LeaverRule, Pairing, Round, Seat, Stage, Tournament
from tournaments.pairing.base import BracketSystem, RoundSystem
from tournaments.registrations.services.queue import entry_back, entry_gone, move_up
from tournaments.standings.crosstable import Meeting, OwnGames, own_games
from tournaments.standings.points import DECIDED_RESULTS, Result
from tournaments.withdrawals.services.forfeits import Forfeit, forfeits_for, games_of, last_round_played, write_forfeits


# --- what it would mean -------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class WalkOver:
    """A match of a knockout that goes to the opponent without play, or is to be played after all."""

    match: Pairing
    opponent: Entry


@dataclass(frozen=True, slots=True)
class Consequences:
    """What leaving or returning does. `own`: the games the entry has in rounds known beforehand, and how many are
    completed. `forfeits` and `walk_overs` are given, or taken back; `still_open` are games the arbiter has to settle,
    `waiting` matches whose opponent is not known yet. `problems` say why it cannot be done now."""

    own: OwnGames
    forfeits: tuple[Forfeit, ...]
    walk_overs: tuple[WalkOver, ...]
    problems: tuple[str, ...]
    seen: str
    last_round: int = 0
    still_open: tuple[Game, ...] = ()
    waiting: tuple[Pairing, ...] = ()


def leaving(entry: Entry) -> Consequences:
    """What it would mean if the entry left now."""
    games, stages = games_of(entry), played_stages(entry.tournament)
    last = max(last_round_played(games), _last_paired(stages))
    forfeits = forfeits_for(entry, games, left=True, last_round=last)
    matches = _open_matches(entry, stages)
    walk_overs = [WalkOver(match, other) for match, other in matches if other is not None and not other.withdrawn]
    settled = {row.match.pk for row in walk_overs}
    return Consequences(
        own=_own(entry, games),
        last_round=last,
        forfeits=tuple(forfeits),
        walk_overs=tuple(walk_overs),
        still_open=tuple(_still_open(entry, forfeits, settled)),
        waiting=tuple(match for match, _other in matches if match.pk not in settled),
        problems=tuple(_problems(entry, stages, forfeits, walk_overs)),
        seen=_seen(entry, games, forfeits, walk_overs),
    )


def returning(entry: Entry) -> Consequences:
    """What it would mean if the entry came back now."""
    games = games_of(entry)
    forfeits, walk_overs = forfeits_for(entry, games, left=False), _given(entry)
    return Consequences(
        own=_own(entry, games),
        forfeits=tuple(forfeits),
        walk_overs=tuple(walk_overs),
        problems=tuple(_of_state(entry, may_be=True)),
        seen=_seen(entry, games, forfeits, walk_overs),
    )


def own_games_of(entry: Entry) -> OwnGames:
    """The games the entry has in rounds known beforehand, and how many are completed."""
    return _own(entry, games_of(entry))


def _own(entry: Entry, games: Sequence[Game]) -> OwnGames:
    first = [game for game in games if game.number == 1]
    return own_games(entry.player_id, [Meeting(0, row.white_id, row.black_id, Result(row.result)) for row in first])


def _seen(entry: Entry, games: Sequence[Game], forfeits: Sequence[Forfeit], walk_overs: Sequence[WalkOver]) -> str:
    lines = [f"{entry.pk} {entry.withdrawn}", *(f"{game.pk} {game.revision}" for game in games)]
    lines += [f"{row.game.pk} {row.result}" for row in forfeits]
    return digest([*lines, *(f"{row.match.pk} {row.opponent.pk}" for row in walk_overs)])


# --- why it cannot be done ----------------------------------------------------------------------------------------
def _problems(
    entry: Entry, stages: Sequence[Stage], forfeits: Sequence[Forfeit], walk_overs: Sequence[WalkOver]
) -> list[str]:
    found = _of_state(entry, may_be=False)
    if not entry.tournament.open_ended and not Round.objects.filter(stage__tournament=entry.tournament_id).exists():
        found.append(_("There are no rounds yet: remove the entry from the list instead, it leaves no trace."))
    seats = Seat.objects.filter(entry=entry, round__stage__in=_paired(stages), round__state=Round.State.DRAFT)
    seat = seats.select_related("round").first()
    if seat is not None:
        text = _("Round %(round)s is a draft with this player in it: delete the draft, and pair it anew afterwards.")
        found.append(text % {"round": seat.round.number})
    rounds = [*(row.game.pairing.round for row in forfeits), *(row.match.round for row in walk_overs)]
    drafts = [row.number for row in rounds if row is not None and row.state == Round.State.DRAFT]
    if drafts:
        text = _("Round %(round)s is a draft, so nothing can be decided in it: publish the rounds first.")
        found.append(text % {"round": min(drafts)})
    return found


def _of_state(entry: Entry, *, may_be: bool) -> list[str]:
    """`may_be`: whether the entry has to be withdrawn for it, or must not be."""
    if entry.tournament.closed:
        return [_("The event is over: open it again before you change its entries.")]
    if entry.withdrawn == may_be:
        return []
    if entry.withdrawn:
        return [_("The player is withdrawn already.")]
    return [_("The player is not withdrawn: there is nothing to take back.")]


# --- rounds paired one by one, and matches ------------------------------------------------------------------------
def _paired(stages: Sequence[Stage]) -> list[Stage]:
    return [stage for stage in stages if isinstance(system_of(stage), RoundSystem)]


def _last_paired(stages: Sequence[Stage]) -> int:
    """The last published round of the stages that are paired round by round."""
    rounds = Round.objects.filter(stage__in=_paired(stages)).exclude(state=Round.State.DRAFT)
    return rounds.aggregate(last=Max("number"))["last"] or 0


def _open_matches(entry: Entry, stages: Sequence[Stage]) -> list[tuple[Pairing, Entry | None]]:
    """The matches of a knockout that wait for the entry's result, each with the opponent where one is known."""
    brackets = [stage for stage in stages if isinstance(system_of(stage), BracketSystem)]
    rows = Pairing.objects.filter(stage__in=brackets, seats__entry=entry, superseded=False, advanced=None, bye="")
    found = []
    for match in rows.select_related("stage__tournament", "round"):
        others = [seat.entry for seat in seats_of_match(match).values() if seat.entry_id != entry.pk]
        found.append((match, others[0] if others else None))
    return found


def _given(entry: Entry) -> list[WalkOver]:
    """The walk-overs given when the entry left that can be taken back: nothing was played behind them."""
    events = AuditEvent.objects.filter(action="entry.withdrawn", subject_kind="entry", subject_key=entry.pk)
    keys: list[int] = []
    if event := events.order_by("-pk").first():
        # Matches decided since too: an opponent who came to be known had a walk-over at once.
        rulings = AuditEvent.objects.filter(action="match.ruled", subject_kind="pairing", pk__gt=event.pk, before={})
        keys = [*event.after.get("matches", []), *rulings.values_list("subject_key", flat=True)]
    rows = Pairing.objects.filter(pk__in=keys, seats__entry=entry, walk_over=True, ruled=True, superseded=False)
    matches = list(
        rows.exclude(advanced=entry).select_related("advanced__player", "round", "stage").order_by("-round__number")
    )
    # Of a double elimination the walk-over in the losers' bracket is taken back before the one that led there.
    given = {row.pk for row in matches}
    return [
        WalkOver(row, row.advanced)
        for row in matches
        if row.advanced and given.issuperset(behind.pk for behind in matches_behind(row))
    ]


def _still_open(entry: Entry, forfeits: Sequence[Forfeit], matches: set[int]) -> list[Game]:
    """Published games of the entry without a result that leaving does not settle."""
    seats = Seat.objects.filter(entry=entry, pairing__superseded=False).exclude(round__state=Round.State.DRAFT)
    games = Game.objects.filter(pairing__in=seats.values("pairing")).exclude(result__in=DECIDED_RESULTS)
    games = games.exclude(pk__in=[row.game.pk for row in forfeits]).exclude(pairing__in=matches)
    games = games.select_related("white", "black", "tournament", "pairing__round")
    found = list(games.order_by("pairing__round__number", "number", "pk"))
    name_sides(found)
    return found


# --- leaving and returning ----------------------------------------------------------------------------------------
@transaction.atomic
def withdraw_entry(
    entry_key: int, *, by: User | None, note: str = "", rule: str = "", seen: str | None = None
) -> Consequences:
    """The entry leaves. `rule` (a `LeaverRule`) changes the event's rule for all who leave; `seen` comes from
    `leaving`. Raises Refused, or Stale where it would mean something else by now."""
    entry = _lock(entry_key)
    change = _checked(leaving(entry), seen)
    before = {
        "last_round": entry.last_round,
        "leaver_rule": entry.tournament.leaver_rule,
        "results": {str(row.game.pk): row.game.result for row in change.forfeits},
    }
    _set_rule(entry.tournament, rule, by)
    # Before the walk-overs, because a withdrawn player is not put into a match for third place.
    _set(entry, withdrawn=True, last_round=change.last_round)
    forfeits = write_forfeits(change.forfeits, by=by)
    reason = AuditEvent.Reason.LEFT
    lost = Pairing.objects.filter(seats__entry=entry, walk_over=True).exclude(advanced=entry)
    earlier = set(lost.values_list("pk", flat=True))
    for row in change.walk_overs:
        rule_match(row.match.pk, advanced=row.opponent.pk, walk_over=True, by=by, reason=reason, knew=0)
    after = {
        "last_round": entry.last_round,
        "forfeits": forfeits,
        "matches": sorted(set(lost.values_list("pk", flat=True)) - earlier),
        "leaver_rule": rule or entry.tournament.leaver_rule,
    }
    write_audit("entry.withdrawn", entry, by=by, before=before, after=after, note=note)
    entry_gone(entry.pk, by=by)
    move_up(entry.tournament, by=by)
    return change


@transaction.atomic
def return_entry(entry_key: int, *, by: User | None, note: str = "", seen: str | None = None) -> Consequences:
    """The entry is back: forfeits and walk-overs as they were given are taken back. Raises Refused, or Stale where
    it would mean something else than `seen`, from `returning`."""
    entry = _lock(entry_key)
    change = _checked(returning(entry), seen)
    before = {"last_round": entry.last_round}
    _set(entry, withdrawn=False, last_round=None)
    forfeits = write_forfeits(change.forfeits, by=by)
    for row in change.walk_overs:
        take_ruling_back(row.match.pk, by=by, reason=AuditEvent.Reason.OTHER, knew=row.opponent.pk)
    write_audit("entry.returned", entry, by=by, before=before, after={"forfeits": forfeits}, note=note)
    entry_back(entry, by=by)
    return change


def _lock(entry_key: int) -> Entry:
    """The entry, behind the locks of the lists and of its event."""
    lock_lists()
    Tournament.objects.select_for_update(no_key=True).get(pk=find_entry(entry_key).tournament_id)
    return find_entry(entry_key)


def _checked(change: Consequences, seen: str | None) -> Consequences:
    if change.problems:
        raise Refused(change.problems[0])
    if seen is not None and seen != change.seen:
        raise Stale(_("Results or entries moved meanwhile, and it would mean something else now: look at it again."))
    return change


def _set(entry: Entry, *, withdrawn: bool, last_round: int | None) -> None:
    entry.withdrawn, entry.last_round = withdrawn, last_round
    entry.save(update_fields=["withdrawn", "last_round"])


def _set_rule(tournament: Tournament, rule: str, by: User | None) -> None:
    if not rule or rule == tournament.leaver_rule:
        return
    if rule not in LeaverRule.values:
        raise Refused(_("There is no such rule for leavers: choose one of the list."))
    Tournament.objects.filter(pk=tournament.pk).update(leaver_rule=rule, revision=F("revision") + 1)
    before, after = {"leaver_rule": tournament.leaver_rule}, {"leaver_rule": rule}
    write_audit("tournament.changed", tournament, by=by, before=before, after=after)
