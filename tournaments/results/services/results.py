"""Results: the only services that write one. Everything else follows from them.

`record_result` for an open board, `correct_result` for one that has a result (clearing it is a correction too). Each
locks the game, writes the fact, rates what depends on it and writes one audit event, in one transaction.

`settle_armageddon`: the armageddon game that follows a draw, where the point system says so: the second game of the
pairing, with the same colours, in a rating list of its own.
"""

from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.counters import GAME_SEQUENCE, GAME_SEQUENCE_STEP, take_numbers
from players.models import AuditEvent
from players.refusals import Refused, Stale, said
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from ratings.systems.base import Moment
from tournaments.events.services.counts import count_change
from tournaments.knockouts.selectors.match_reach import games_behind
from tournaments.knockouts.services.matches import POOL_OF_PHASE, Ruling, image, rate_game, seats_of, settle_match
from tournaments.models import BoardGame, Game, Pairing, Round, Tournament
from tournaments.rated_games.selectors.games import earliest, first_moments_of, people_at
from tournaments.rated_games.services.rating_impact import ImpactRecorder, RatedBeside
from tournaments.result_reports.services import accept_reports
from tournaments.rounds.services.follow_up import queue_after_result
from tournaments.standings.points import OUTCOMES, RATED_RESULTS, Result, agrees, point_system, read_score, score_text

# --- recording and correcting -------------------------------------------------------------------------------------
EARLIEST_DAY = date(1850, 1, 1)


def game_on_board(row: Round, board: int) -> Game:
    """The latest game on a board of a round. Raises Refused for a bye and for a board that does not exist."""
    pairing = Pairing.objects.filter(round=row, board=board, superseded=False).first()
    if pairing is None:
        raise Refused(_("Round %(round)s has no board %(board)s.") % {"round": row.number, "board": board})
    if pairing.bye:
        raise Refused(_("Board %(board)s is a bye: there is no result to enter.") % {"board": board})
    game = Game.objects.filter(pairing=pairing).order_by("-number").first()
    if game is None:
        raise Refused(_("Board %(board)s waits for its players: there is no result to enter.") % {"board": board})
    return game


@transaction.atomic
def record_result(
    *,
    game: int,
    result: Result,
    played_on: date,
    by: User | None,
    revision: int | None = None,
    score: str | None = None,
    role: str = "",
    beside: RatedBeside | None = None,
) -> Game:
    """Write the first result of a game (by key) and rate it; in a knockout its match follows. `score`: "21-15", of an
    event that keeps scores; `role`: of somebody without an account, for the audit trail. An adjourned game is still
    without one: it counts on the day it ends, and in the order of replay from then on. Raises Stale where
    somebody else was faster, Refused for a day in the future, an empty result or a round that is still a draft."""
    row = lock_game(game, revision)
    resumed = row.result == Result.ADJOURNED != result
    if row.result and not resumed:
        text = _("This board has a result already: %(result)s. To change it is a correction.")
        raise Stale(text % {"result": notation(row.result)})
    if not result:
        raise Refused(_("No result was given."))
    check_day(played_on)
    before = image(row) if resumed else {}
    if row.pairing.round and row.pairing.round.state == Round.State.DRAFT:
        raise Refused(_("Round %(number)s is a draft: publish it first.") % {"number": row.pairing.round.number})
    if row.sequence is None or resumed:
        row.sequence = take_numbers(GAME_SEQUENCE, step=GAME_SEQUENCE_STEP)[0]
    row.played_on = played_on
    row.importance = row.importance if row.own_importance else row.tournament.importance
    if not row.handicap and row.komi is None:
        row.komi = usual_komi(row.tournament)
    _write(row, result, score)
    settle(row, Ruling(by, beside=beside))
    write_audit("result.recorded", row, by=by, before=before, after=image(row), role=role)
    if result in RATED_RESULTS and beside is None:
        rate_game(row)
    queue_after_result(row)
    return row


def settle(row: Game, ruling: Ruling) -> None:
    """Let what hangs on a game follow its result: the match of a knockout, or the armageddon game after a draw."""
    if row.pairing.slot is not None:
        settle_match(row.pairing, ruling)
    else:
        settle_armageddon(row)


@transaction.atomic
def correct_result(
    *,
    game: int,
    result: Result,
    by: User | None,
    revision: int | None = None,
    played_on: date | None = None,
    score: str | None = None,
    reason: str = AuditEvent.Reason.ENTRY_ERROR,
    note: str = "",
    bracket: str = "",
    beside: RatedBeside | None = None,
) -> Game:
    """Change or clear a recorded result and replay the ledger from that game on; the audit event keeps what it moved.

    `played_on` moves the game to another day; it keeps its place within the day's sequence. A cleared result keeps
    its place too, and can be put back. `score`: as for `record_result`, empty for none, None to leave it; what was not
    played loses it. `bracket`: what becomes of a knockout's later matches that were played, where
    the winner changes (`tournaments.knockouts.services.matches`). `beside`: the lists are rated already. Raises Stale,
    Refused or BracketMovesError.
    """
    row = lock_game(game, revision)
    if row.played_on is None or row.sequence is None:
        raise Refused(_("This board has no result yet: there is nothing to correct."))
    if row.result == Result.ADJOURNED != result:
        return _finish(row, result, played_on, score, by=by, beside=beside)
    before, was_on = {**image(row), **seats_of(row)}, row.played_on
    day = was_on if played_on is None else played_on
    if (result, day) == (row.result, was_on) and score in (None, score_text(row.white_points, row.black_points)):
        raise Refused(_("Nothing was changed: the board has this result already."))
    rated = row.result in RATED_RESULTS or result in RATED_RESULTS
    impact = impact_of_game(row, min(was_on, day), rated=rated)
    if day != was_on:
        check_day(day)
        row.played_on = day
    _write(row, result, score)
    settle(row, Ruling(by, bracket, reason, note, beside))
    if rated and beside is None:
        rate_game(row, min(was_on, day))
    after, effect = {**image(row), **seats_of(row)}, impact.effect(beside)
    accept_reports(row, by=by)
    write_audit("result.corrected", row, by=by, before=before, after=after, effect=effect, reason=reason, note=note)
    return row


def _finish(
    row: Game, result: Result, played_on: date | None, score: str | None, *, by: User | None, beside: RatedBeside | None
) -> Game:
    """An adjourned game ends, or is open again: neither corrects anything, since it counted for nothing."""
    if result:
        day = played_on or timezone.localdate()
        return record_result(game=row.pk, result=result, played_on=day, score=score, by=by, beside=beside)
    before = image(row)
    _write(row, result)
    settle(row, Ruling(by, beside=beside))
    write_audit("result.recorded", row, by=by, before=before, after=image(row))
    return row


def notation(code: str, none: str = "") -> str:
    """A result as it is written: 1–0, ½–½, + −; `none` where there is no result."""
    result = Result(code)
    if result == Result.ADJOURNED:
        return _("adjourned")
    if result == Result.OPEN:
        return none
    white, black = OUTCOMES[result].shown
    return f"{white}–{black}" if white not in "+−" else f"{white} {black}"


def lock_game(game: int, revision: int | None = None, *, lists: bool = True) -> Game:
    """The game with its event, locked after the lists of its pool; a match has games in several, so after all lists.
    Without `lists` it alone, for what moves no rating, or where they are locked already. Raises Stale where it is no
    longer the one the form knew."""
    # Taken with get(), which asks for no order: to write one for so many columns takes Django longer than all the rest.
    moved = Stale(_("This game is not there any more, or was moved: look at its round again."))
    try:
        pool, slot = Game.objects.values_list("pool", "pairing__slot").get(pk=game)
        if lists:
            lock_lists(pool if slot is None else None)
        locked = Game.objects.select_for_update(of=("self",), no_key=True)
        row = locked.select_related("tournament", "white", "black", "pairing__stage", "pairing__round").get(pk=game)
    except Game.DoesNotExist:
        raise moved from None
    if row.pool != pool:
        raise moved
    row.pairing.stage.tournament = row.tournament  # not read twice
    if revision is not None and row.revision != revision:
        text = _("Somebody else entered %(result)s here meanwhile, and that stands. Enter yours again to change it.")
        raise Stale(text % {"result": notation(row.result, _("no result"))})
    return row


def check_day(day: date) -> None:
    """Raises Refused for a day on which no game can have been played: one to come, or one of another age."""
    if day > timezone.localdate():
        raise Refused(_("%(day)s lies in the future: a result needs a day on which it was played.") % {"day": day})
    if day < EARLIEST_DAY:
        raise Refused(_("%(day)s cannot be the day of a club game: check the year.") % {"day": day})


def day_of(row: Round) -> date:
    """The planned day, else the event's day nearest to today; today where that is still to come."""
    today = timezone.localdate()
    return min(row.planned_on or row.stage.tournament.nearest_day(today), today)


def impact_of_game(row: Game, since: date, *, rated: bool) -> ImpactRecorder:
    """A record of the lists behind a locked game, from that day on; of none where nothing is rated."""
    if not rated or not row.tournament.rated or row.sequence is None:
        return ImpactRecorder({}, ())
    behind = games_behind(row)
    begin = earliest([*first_moments_of(behind).items(), (row.pool, Moment(since, row.sequence))])
    return ImpactRecorder(begin, people_at([row, *behind]))


def _write(row: Game, result: Result, score: str | None = None) -> None:
    _write_score(row, result, score)
    count_change(row, row.result, result)
    row.result = result
    row.recorded_at = timezone.now() if result else None
    row.revision += 1
    row.save(
        update_fields=[
            *("result", "played_on", "sequence", "importance", "komi", "recorded_at", "revision", "white_points"),
            "black_points",
        ]
    )


def usual_komi(event: Tournament) -> float | None:
    """The komi of even games of an event of go."""
    return event.komi if event.game == BoardGame.GO else None


def _write_score(row: Game, result: Result, text: str | None) -> None:
    """The score typed, or the one it has, where the result leaves it one. Raises Refused."""
    event = row.tournament
    if text and not event.scores:
        raise Refused(_("“%(name)s” keeps no scores: say in its settings what they are.") % {"name": event.name})
    if not event.scores:
        return  # the margin of a loaded game stays
    stands = score_text(row.white_points, row.black_points)
    try:
        score = read_score(stands if text is None else text)
    except ValueError as reason:
        raise Refused(said(reason)) from None
    if score is not None and text is None and not OUTCOMES[result].played:
        score = None
    if score is not None and not agrees(result, score, low_wins=event.low_score_wins):
        values = {"score": score_text(*score), "result": notation(result, _("no result"))}
        raise Refused(_("%(score)s contradicts %(result)s: type the right score, or empty its field first.") % values)
    row.white_points, row.black_points = score or (None, None)


# --- the armageddon game after a draw -----------------------------------------------------------------------------
ARMAGEDDON = Game.Phase.ARMAGEDDON


def settle_armageddon(row: Game) -> None:
    """Make the armageddon game after a draw, or take it back. Raises Refused where it has a result."""
    if row.number != 1 or row.pairing.round_id is None or point_system(row.tournament.point_system).after_draw is None:
        return
    armageddon = Game.objects.filter(pairing=row.pairing_id, number=2).first()
    drawn = row.result == Result.DRAW
    if drawn and armageddon is None:
        Game.objects.create(
            tournament_id=row.tournament_id,
            pairing_id=row.pairing_id,
            number=2,
            phase=ARMAGEDDON,
            pool=POOL_OF_PHASE[ARMAGEDDON],
            white_id=row.white_id,
            black_id=row.black_id,
        )
    elif armageddon is not None and not drawn:
        if armageddon.result:
            raise Refused(_("The armageddon game has a result: clear that one first."))
        armageddon.delete()
