"""Corrections of a round's boards: who really sat there, and results that were entered on each other's board.

Not done here: a bracket's seats, which follow its results, and the games of a schedule, where everybody meets
everybody on a board of their own.
"""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.refusals import Refused
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.events.selectors.stages import system_of
from tournaments.knockouts.services.matches import image, seats_of
from tournaments.models import EntryMember, Game, Round, Seat
from tournaments.pairing.base import RoundSystem
from tournaments.rated_games.selectors.games import first_moments_of, people_at
from tournaments.rated_games.services.rating import follow_board, rerate
from tournaments.rated_games.services.rating_impact import ImpactRecorder
from tournaments.results.services.results import correct_result, lock_game, record_result
from tournaments.standings.points import RATED_RESULTS, Result, score_text, seen_from_black


# --- who sat there ------------------------------------------------------------------------------------------------
class Pair(NamedTuple):
    """The entries of a board, by key."""

    white: int
    black: int


@transaction.atomic
def take_seats(
    *, game: int, white: int, black: int, by: User | None, reason: str, note: str = "", revision: int | None = None
) -> Game:
    """Write down that those entries (by key) sat at the board of a game. Whoever was seated there gets the place the
    other has in the round: another board, a bye, or none. Each board keeps its result. Raises Stale, and Refused where
    the format has no such places, or where nothing would change."""
    lock_lists()
    row = lock_game(game, revision, lists=False)
    exchanged = _exchanges(row, Pair(white, black))
    seats = {seat.entry_id: seat for seat in _seats(row)}
    pairings = {seats[entry].pairing_id for pair in exchanged.items() for entry in pair}
    games = list(
        Game.objects.select_for_update(of=("self",), no_key=True)
        .select_related("white", "black", "tournament", "pairing__round")
        .filter(pairing__in=pairings)
        .order_by("pk")
    )
    rated = [each for each in games if each.result in RATED_RESULTS and each.tournament.rated]
    begin = first_moments_of(rated)
    people = {seat.entry_id: seat.entry.player for seat in seats.values()}
    taken = {people[gone].pk: people[come] for one, other in exchanged.items() for gone, come in _both(one, other)}
    partners = EntryMember.objects.filter(entry__in=seats).values_list("player", flat=True)
    impact = ImpactRecorder(begin, {*taken, *people_at(rated), *partners})
    before = {each.pk: {**image(each), **seats_of(each)} for each in games}
    before[row.pk]["seats"] = list(pair_of(row))
    for one, other in exchanged.items():
        _exchange(seats[one], seats[other])
    for each in games:
        each.white, each.black = taken.get(each.white_id, each.white), taken.get(each.black_id, each.black)
        each.revision += 1
        each.save(update_fields=["white", "black", "revision"])
        follow_board(each)
    for pool, moment in sorted(begin.items()):
        rerate(pool, moment, event=row.tournament_id)
    effect = impact.effect()
    for each in sorted(games, key=lambda each: each.pk != row.pk):
        after = {**image(each), **seats_of(each)}
        write_audit(
            "seats.exchanged", each, by=by, before=before[each.pk], after=after, effect=effect, reason=reason, note=note
        )
        effect = {}  # what moved stands with the board that was asked for
    return next(each for each in games if each.pk == row.pk)


def _both(one: int, other: int) -> tuple[tuple[int, int], tuple[int, int]]:
    return (one, other), (other, one)


def pair_of(row: Game) -> Pair:
    """The entries on the board of a game as they are seated."""
    entries = {seat.entry.player_id: seat.entry_id for seat in _seats(row)}
    return Pair(entries[row.white_id], entries[row.black_id])


def _seats(row: Game) -> list[Seat]:
    rows = Seat.objects.filter(round=row.pairing.round_id, superseded=False)
    return list(rows.select_related("entry__player").order_by("pk"))


def _exchanges(row: Game, wanted: Pair) -> Mapping[int, int]:
    """Who goes for whom. Raises Refused."""
    if not isinstance(system_of(row.pairing.stage), RoundSystem):
        raise Refused(_("The pairings of this format stand: only colours can be exchanged, as a correction of a game."))
    if row.pairing.round is None or row.pairing.round.state == Round.State.DRAFT:
        raise Refused(_("This round is a draft: change its boards there."))
    here = pair_of(row)
    if wanted == here:
        raise Refused(_("Nothing was changed: these two sit at this board already."))
    if wanted.white == wanted.black:
        raise Refused(_("A game needs two different players."))
    if wanted == (here.black, here.white) or wanted.white == here.black or wanted.black == here.white:
        raise Refused(_("Colours were the other way round? Exchange the colours first, then say who else sat there."))
    others = {seat.entry_id: seat.entry for seat in _seats(row)}
    _check_sides(row, here, wanted)
    for entry in wanted:
        if entry not in others or (entry not in here and others[entry].withdrawn):
            raise Refused(_("Choose somebody who is in this round: on another board, with a bye, or absent."))
    return {was: now for was, now in zip(here, wanted, strict=True) if was != now}


def _check_sides(row: Game, here: Pair, wanted: Pair) -> None:
    """In a match of teams players change places with their own side of that match. Raises Refused."""
    if row.pairing.match_id is None:
        return
    rows = Seat.objects.filter(pairing__match=row.pairing.match_id).values_list("entry", "line")
    line = dict(rows)
    if any(line.get(now) != line[was] for was, now in zip(here, wanted, strict=True)):
        raise Refused(_("Choose somebody of the same team who sits on another board of this match."))


def _exchange(one: Seat, other: Seat) -> None:
    # By way of a seat that does not count: the database refuses an entry twice in a round.
    Seat.objects.filter(pk=other.pk).update(superseded=True)
    Seat.objects.filter(pk=one.pk).update(entry=other.entry_id)
    Seat.objects.filter(pk=other.pk).update(entry=one.entry_id, superseded=False)


# --- results on each other's board --------------------------------------------------------------------------------
@transaction.atomic
def exchange_results(
    *,
    game: int,
    other: int,
    mirror: bool,
    by: User | None,
    reason: str,
    note: str = "",
    revision: int | None = None,
    bracket: str = "",
) -> Game:
    """Give two games each other's result and score; an open one gets it with its day, and the board it came from is
    open again. Stones and komi stay: they were agreed by who sat there. `mirror`: the same two people have the other
    colours there, so 1–0 becomes 0–1. Raises Stale, Refused or BracketMovesError."""
    lock_lists()
    row, there = lock_game(game, revision), lock_game(other)
    here_now, there_now = (
        seen_from_black(Result(each.result)) if mirror else Result(each.result) for each in (there, row)
    )
    score_here, score_there = (_score(each, mirror=mirror) for each in (there, row))
    same = (here_now, there_now) == (row.result, there.result)
    if same and (score_here, score_there) == (_score(row), _score(there)):
        raise Refused(_("Nothing was changed: both boards have this result."))
    _give(row, here_now, score_here, there.played_on, by=by, reason=reason, note=note, bracket=bracket)
    _give(there, there_now, score_there, row.played_on, by=by, reason=reason, note=note, bracket=bracket)
    return row


def _score(row: Game, *, mirror: bool = False) -> str | None:
    """The score of the game, as it is typed; None where its event keeps none."""
    points = (row.white_points, row.black_points)
    return score_text(*(reversed(points) if mirror else points)) if row.tournament.scores else None


def _give(
    row: Game,
    result: Result,
    score: str | None,
    day: date | None,
    *,
    by: User | None,
    reason: str,
    note: str,
    bracket: str,
) -> None:
    if result == row.result and score in (None, _score(row)):
        return
    if not row.result and day:
        record_result(game=row.pk, result=result, score=score, played_on=day, by=by)
    else:
        correct_result(game=row.pk, result=result, score=score, by=by, reason=reason, note=note, bracket=bracket)
