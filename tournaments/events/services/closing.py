"""Closing an event, and opening it again: its final standings are published, and lists that rate by the event take it
in.

An event can be closed when nothing is open: no board without a result, no adjourned game, no match that is even. How
many rounds it has is not asked: rounds made one by one may end with any of them. Results nobody has read twice hold
nothing up. Results can be corrected either way. The audit trail keeps a digest of the final standings, so that a page
can say whether they were corrected since (`tournaments.events.selectors.finals`). What would move is found by doing it,
and taking it back.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.models import Player
from players.refusals import Refused, Stale, listed
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.corrections.services.changes import Begin
from tournaments.corrections.services.corrections import ListPreview, PlayerMove
from tournaments.corrections.services.jobs import LONG_TAIL
from tournaments.events.selectors.finals import CLOSED, STANDINGS, public_digest
from tournaments.events.selectors.stages import round_limit
from tournaments.models import Entry, Game, Pairing, Round, Tournament
from tournaments.rated_games.selectors.games import first_moment
from tournaments.rated_games.services.rating import rerate_event
from tournaments.rated_games.services.rating_impact import ImpactRecorder, ListEffect, count_from
from tournaments.standings.points import Result
from tournaments.teams.selectors.waiting import waiting_matches
from tournaments.verification.selectors import count_unread


@dataclass(frozen=True, slots=True)
class Closing:
    """What closing an event would do, or opening it again. `open`: what keeps it from being over, in words; `short`:
    that fewer rounds are made than it was to have, in words, for it may end so; `unread` results were not read twice,
    though the event asks for it. `lists` are those in which ratings would move; None where `behind`, the rated games
    from its first one on, are so many that nobody should wait for it. `seen`: the standings, for `close_event`."""

    open: tuple[str, ...]
    short: str
    unread: int
    lists: tuple[ListPreview, ...] | None
    behind: int
    seen: str


@transaction.atomic
def preview_closing(tournament: Tournament, *, by: User | None) -> Closing:
    """What closing an open event, or opening a closed one, would do. Raises Refused for an open-ended event."""
    _lock(tournament)
    begin = _begin(tournament)
    behind, still_open = count_from(begin), () if tournament.closed else tuple(_still_open(tournament))
    lists: tuple[ListPreview, ...] | None = ()
    if not still_open:
        lists = _moved(tournament, begin, by) if behind <= LONG_TAIL else None
    short = "" if tournament.closed else _short(tournament)
    return Closing(still_open, short, count_unread(tournament), lists, behind, public_digest(tournament))


def look_at_closing(tournament: Tournament) -> tuple[tuple[str, ...], str]:
    """What keeps an event from being closed, and whether it is shorter than planned, in words; nothing of ratings.
    Raises Refused for an open-ended event."""
    _refuse_endless(tournament)
    return tuple(_still_open(tournament)), _short(tournament)


@transaction.atomic
def close_event(tournament: Tournament, *, by: User | None, seen: str | None = None) -> None:
    """Say that no more games are to come, and publish the final standings. Raises Refused for an open-ended event, or
    one of which something is open; Stale where the standings are no longer those `seen`."""
    _lock(tournament)
    if still_open := listed(_still_open(tournament)):
        values = {"name": tournament.name, "open": still_open}
        raise Refused(_("“%(name)s” is not over (%(open)s): enter, clear or decide that first.") % values)
    if seen is not None and seen != public_digest(tournament):
        raise Stale(_("The standings changed meanwhile: look at them again, then close the event."))
    _set_closed(tournament, timezone.now(), by=by)


@transaction.atomic
def reopen_event(tournament: Tournament, *, by: User | None) -> None:
    """Say that games are to come after all: the standings are final no more."""
    _lock(tournament)
    _set_closed(tournament, None, by=by)


def _refuse_endless(tournament: Tournament) -> None:
    if tournament.open_ended:
        raise Refused(_("“%(name)s” has no end: its games count as they are played.") % {"name": tournament.name})


def _lock(tournament: Tournament) -> None:
    _refuse_endless(tournament)
    lock_lists()
    Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)


def _still_open(tournament: Tournament) -> Iterator[str]:
    """What keeps the event from being over. A match that still waits for a player has one before it that is open."""
    games = Game.objects.filter(tournament=tournament, pairing__superseded=False)
    if count := games.filter(result=Result.OPEN).count():
        text = ngettext("%(count)s board without a result", "%(count)s boards without a result", count)
        yield text % {"count": count}
    if count := games.filter(result=Result.ADJOURNED).count():
        yield ngettext("%(count)s adjourned game", "%(count)s adjourned games", count) % {"count": count}
    yield from waiting_matches(tournament)
    # Of a bracket: two have reached it, its games are over, nobody has won, nor gone on from the match it leads to.
    matches = Pairing.objects.filter(stage__tournament=tournament, slot__isnull=False, superseded=False, bye="")
    played = matches.filter(advanced=None, winner_to__advanced=None)
    played = played.exclude(games__result__in=(Result.OPEN, Result.ADJOURNED))
    if count := played.alias(seated=Count("seats")).filter(seated=2).count():
        yield ngettext("%(count)s match not decided", "%(count)s matches not decided", count) % {"count": count}


def _short(tournament: Tournament) -> str:
    made = Round.objects.filter(stage__tournament=tournament).count()
    if not made:
        return _("no round is made")
    stage = tournament.stages.order_by("order").first()
    limit = round_limit(stage) if stage else None
    if limit in (None, made):
        return ""
    return _("%(made)s of %(rounds)s rounds are made") % {"made": made, "rounds": limit}


def _begin(tournament: Tournament) -> Begin:
    """From where the lists of its pools are rated anew; nothing where nothing was played."""
    since = first_moment(tournament)
    return {} if since is None else dict.fromkeys(_pools(tournament), since)


def _pools(tournament: Tournament) -> list[str]:
    return sorted(set(Game.objects.filter(tournament=tournament).order_by().values_list("pool", flat=True)))


def _recorder(tournament: Tournament, begin: Begin) -> ImpactRecorder:
    return ImpactRecorder(begin, Entry.objects.filter(tournament=tournament).values_list("player", flat=True))


def _moved(tournament: Tournament, begin: Begin, by: User | None) -> tuple[ListPreview, ...]:
    """The lists in which ratings would move, found by doing it and taking it back."""
    with transaction.atomic():
        impact = _recorder(tournament, begin)
        _set_closed(tournament, None if tournament.closed else timezone.now(), by=by)
        moved = impact.moved()
        transaction.set_rollback(True)
    return tuple(_without_places(effect) for effect in moved if effect.moves)


def _without_places(effect: ListEffect) -> ListPreview:
    people = Player.objects.in_bulk([move.player for move in effect.moves])
    moves = tuple(PlayerMove(people[move.player], move, None, None) for move in effect.moves)
    return ListPreview(effect.rating_list, effect.games, moves, 0, ())


def _set_closed(tournament: Tournament, at: datetime | None, *, by: User | None) -> None:
    """Closed at that moment, or open. The trail keeps what the lists made of it."""
    closed = at is not None
    begin = _begin(tournament)
    impact = _recorder(tournament, begin)
    rows = Tournament.objects.filter(pk=tournament.pk, closed=not closed)
    if not rows.update(closed=closed, closed_at=at):
        return
    rerate_event(tournament, _pools(tournament))
    after = {STANDINGS: public_digest(tournament)} if closed else {}
    write_audit(CLOSED if closed else "event.reopened", tournament, by=by, after=after, effect=impact.effect())
