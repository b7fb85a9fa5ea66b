"""Matches of a bracket: whoever wins goes on, and everything follows from the results of the games.

`settle_match` is called after every change of a game. Where a decided match changes its winner and the next one was
played already, the arbiter decides: `FOLLOW` clears what was played there, `KEEP` lets the bracket stand.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import ProtectedError, Q
from django.utils.translation import gettext as _

from players.models import AuditEvent
from players.refusals import Refused
from players.trail.services import write_audit
from tournaments.events.selectors.stages import field_of, system_of
from tournaments.knockouts.selectors.match_reach import matches_behind, played_in
from tournaments.models import Colour, Entry, Game, Pairing, Round, Seat, Stage
from tournaments.pairing.base import BracketSystem, read_options
from tournaments.pairing.double_elimination import SECOND_FINAL
from tournaments.pairing.knockout import is_white_above
from tournaments.pairing.matches import MatchGame, MatchState, match_state
from tournaments.rated_games.services.rating import follow_board, rerate
from tournaments.rated_games.services.rating_impact import RatedBeside
from tournaments.standings.points import RATED_RESULTS, Result, score_text

FOLLOW, KEEP = "follow", "keep"
# Games of these phases count in a list of their own; armageddon's unequal times make it no game to rate by.
POOL_OF_PHASE = {Game.Phase.RAPID: "rapid", Game.Phase.BLITZ: "blitz", Game.Phase.ARMAGEDDON: "armageddon"}
UPPER, LOWER = 1, 2


class BracketMovesError(Refused):
    """A decided match gets another winner, and these later `matches` are decided or played already, with `games`."""

    def __init__(self, matches: Sequence[Pairing]) -> None:
        self.matches = tuple(matches)
        self.games = tuple(played_in(matches))
        super().__init__(_("The next match was played already: choose whether the bracket follows, or stays as it is."))


@dataclass(frozen=True, slots=True)
class Ruling:
    """Who changes the bracket, and what is to become of later matches that were played: `FOLLOW`, `KEEP`, or empty to
    be asked. `reason` and `note` go to the results that are cleared. `beside`: the lists are rated already."""

    by: User | None
    bracket: str = ""
    reason: str = ""
    note: str = ""
    beside: RatedBeside | None = None


def is_match(pairing: Pairing) -> bool:
    """Whether the pairing is a match of a knockout."""
    return isinstance(system_of(pairing.stage), BracketSystem)


def games_of(pairing: Pairing) -> list[Game]:
    """The match's games in order."""
    return list(Game.objects.filter(pairing=pairing).order_by("number"))


def state_by(pairing: Pairing, seats: Mapping[int, Seat], games: Iterable[Game]) -> MatchState:
    """How the match stands by its games and those seats; see `match_state`."""
    upper = seats.get(UPPER)
    settings = match_settings(pairing.stage)
    return match_state(
        [match_game(game, upper) for game in games],
        best_of=settings["games"],
        extra=settings["extra"],
        upper_starts=upper is None or upper.colour == Colour.WHITE,
    )


def match_game(game: Game, upper: Seat | None) -> MatchGame:
    """A game as the rules of matches read it."""
    white_above = upper is not None and game.white_id == upper.entry.player_id
    return MatchGame(game.number, game.phase, white_above, Result(game.result))


def match_settings(stage: Stage) -> dict[str, Any]:
    """All settings of the stage's pairing system."""
    system = system_of(stage)
    return read_options(system.options, stage.settings) if system else {}


def seats_of_match(pairing: Pairing) -> dict[int, Seat]:
    """The seats taken, by line and in the order of the lines."""
    rows = Seat.objects.filter(pairing=pairing, line__isnull=False).select_related("entry__player").order_by("line")
    return {seat.line: seat for seat in rows if seat.line is not None}


# --- after a game changed -----------------------------------------------------------------------------------------
@transaction.atomic
def settle_match(pairing: Pairing, ruling: Ruling) -> None:
    """Bring a match and those behind it up to its games. Raises BracketMovesError where the ruling has to be asked."""
    stages = Stage.objects.select_for_update(of=("self",), no_key=True).select_related("tournament")
    stage = stages.get(pk=pairing.stage_id)
    pairing.refresh_from_db()
    pairing.stage = stage  # not read again
    games, seats = games_of(pairing), seats_of_match(pairing)
    state = state_by(pairing, seats, games)
    _mark_surplus(games, state, ruling)
    if not pairing.ruled:
        seat = seats.get(state.winner)
        advance(pairing, seat.entry if seat else None, ruling)
        pairing.refresh_from_db(fields=["advanced", "ruled"])
    if len(seats) == 2 and not pairing.ruled:
        Game.objects.bulk_create(game_row(pairing, coming, seats) for coming in state.to_come)


def _mark_surplus(games: Iterable[Game], state: MatchState, ruling: Ruling) -> None:
    """Games without a result that are not needed go; those played too many are marked, and leave the ratings."""
    for game in games:
        surplus = game.number in state.surplus
        if surplus and not game.result:
            delete_game(game)
        elif surplus != game.surplus:
            Game.objects.filter(pk=game.pk).update(surplus=surplus)
            _rate(game, ruling)


def games_to_make(pairing: Pairing, seats: dict[int, Seat]) -> list[Game]:
    """The first game of a match whose two seats are known, not saved yet."""
    if len(seats) < 2:
        return []
    return [game_row(pairing, MatchGame(1, Game.Phase.CLASSICAL, seats[UPPER].colour == Colour.WHITE), seats)]


def game_row(pairing: Pairing, coming: MatchGame, seats: dict[int, Seat]) -> Game:
    """A game to be played, in the pool of its phase, not saved yet."""
    white, black = (UPPER, LOWER) if coming.upper_is_white else (LOWER, UPPER)
    stage = pairing.stage
    return Game(
        tournament_id=stage.tournament_id,
        pairing=pairing,
        number=coming.number,
        phase=coming.phase,
        pool=POOL_OF_PHASE.get(Game.Phase(coming.phase), stage.pool or stage.tournament.pool),
        white_id=seats[white].entry.player_id,
        black_id=seats[black].entry.player_id,
    )


def _rate(game: Game, ruling: Ruling) -> None:
    if ruling.beside is None and game.result in RATED_RESULTS:
        rate_game(game)


def rate_game(game: Game, since: date | None = None) -> None:
    """Rate the lists behind the game anew, from its place in time on, or from the day it stood at before. Of entries of
    more than one the contest follows first: that is what is rated."""
    follow_board(game)
    if game.tournament.rated and game.moment:
        rerate(game.pool, game.moment._replace(on=since or game.moment.on), event=game.tournament_id)


def delete_game(game: Game) -> None:
    """Raises Refused while a list that is being rebuilt holds the game."""
    try:
        game.delete()
    except ProtectedError:
        raise Refused(_("A rating list is being rebuilt and still holds this game: try again in a minute.")) from None


# --- who goes on ----------------------------------------------------------------------------------------------
def advance(pairing: Pairing, winner: Entry | None, ruling: Ruling) -> None:
    """Write who goes on (None: nobody yet), and let the next matches follow."""
    if pairing.advanced_id == (winner.pk if winner else None):
        return
    behind = matches_behind(pairing) if pairing.advanced_id else []
    if behind and not ruling.bracket:
        raise BracketMovesError(behind)
    if behind and ruling.bracket == KEEP:
        Pairing.objects.filter(pk=pairing.pk).update(ruled=True)
        return
    Pairing.objects.filter(pk=pairing.pk).update(advanced=winner)
    seats = seats_of_match(pairing).values() if winner else ()
    loser = next((seat.entry for seat in seats if winner and seat.entry_id != winner.pk), None)
    if is_first_final(pairing):
        follow_final(pairing, winner, ruling)
        return
    # Who withdrew is no player of the match for third place; in a losers' bracket the opponent has a walk-over.
    last = pairing.loser_to is not None and pairing.loser_to.winner_to_id is None
    goes = [(pairing.winner_to, winner), (pairing.loser_to, None if loser and loser.withdrawn and last else loser)]
    places = [(target, _line_in(target, pairing), entry) for target, entry in goes if target is not None]
    # First everybody leaves: final and match for third place are one round, and nobody sits in it twice.
    for target, line, entry in places:
        seated = Seat.objects.filter(pairing=target, line=line).values_list("entry", flat=True)
        if entry is None or entry.pk != seated.first():
            take_seat(target, line, None, ruling)
    for target, line, entry in places:
        take_seat(target, line, entry, ruling)


def is_first_final(pairing: Pairing) -> bool:
    """Whether a second final may follow: the final of a double elimination whose settings want one."""
    if not match_settings(pairing.stage).get(SECOND_FINAL) or pairing.winner_to_id != pairing.loser_to_id:
        return False
    return first_final(pairing) is None


def first_final(pairing: Pairing) -> Pairing | None:
    """The final before this one, of the same two; None where it is no second final."""
    return Pairing.objects.filter(winner_to=pairing, loser_to=pairing, superseded=False).first()


def follow_final(pairing: Pairing, winner: Entry | None, ruling: Ruling) -> None:
    """Make the second final where the one from the losers' bracket (the line below) has won the first; take it back
    where he has not."""
    seats, second = seats_of_match(pairing), pairing.winner_to
    needed = winner is not None and len(seats) == 2 and seats[LOWER].entry_id == winner.pk
    if needed and second is None:
        second = _make_second_final(pairing)
    if second is None:
        return
    for line in (UPPER, LOWER):
        take_seat(second, line, seats[line].entry if needed else None, ruling)
    if not needed and second.round is not None:
        second.round.delete()  # with the match in it
        pairing.refresh_from_db(fields=["winner_to", "loser_to"])


def _make_second_final(first: Pairing) -> Pairing:
    """In a round of its own, the day of the first: nobody sits twice in a round."""
    assert first.round is not None
    before = first.round
    row = Round.objects.create(
        stage=first.stage,
        number=before.number + 1,
        state=before.state,
        planned_on=before.planned_on,
        planned_at=before.planned_at,
    )
    second = Pairing.objects.create(stage=first.stage, round=row, board=1, slot=1)
    Pairing.objects.filter(pk=first.pk).update(winner_to=second, loser_to=second)
    first.winner_to = first.loser_to = second
    return second


def _line_in(target: Pairing, feeder: Pairing) -> int:
    """The feeder higher up in the bracket fills the line above."""
    feeders = Pairing.objects.filter(Q(winner_to=target) | Q(loser_to=target), superseded=False)
    first = feeders.order_by("round__number", "slot").first()
    return UPPER if first is not None and first.pk == feeder.pk else LOWER


def take_seat(target: Pairing, line: int, entry: Entry | None, ruling: Ruling) -> None:
    """Put somebody into a line of a match, or nobody; whoever was there leaves, with the games played there."""
    seats = seats_of_match(target)
    if (seats[line].entry_id if line in seats else None) == (entry.pk if entry else None):
        return
    if line in seats:
        _clear(target, ruling)
        seats.pop(line).delete()
    Seat.objects.filter(pairing=target).update(colour=Colour.NONE)
    if entry is not None:
        seats[line] = Seat(pairing=target, round=target.round, entry=entry, line=line)
        _give_colours(target, seats)
        seats[line].save()
        _open(target, seats, ruling)


def _give_colours(pairing: Pairing, seats: dict[int, Seat]) -> None:
    """Colours of the first game, once both are known; a seat taken before is saved with its own."""
    if len(seats) < 2:
        return
    seeds = {entry.pk: number for number, entry in field_of(pairing.stage).items()}
    upper, lower = (seeds.get(seats[line].entry_id, 0) for line in (UPPER, LOWER))
    settings = match_settings(pairing.stage)
    above = has_white_above(settings["first_colour"], pairing, upper, lower)
    if settings.get(SECOND_FINAL) and (first := first_final(pairing)):
        above = seats_of_match(first)[UPPER].colour == Colour.BLACK  # colours change from final to final
    seats[UPPER].colour, seats[LOWER].colour = (Colour.WHITE, Colour.BLACK) if above else (Colour.BLACK, Colour.WHITE)
    for seat in seats.values():
        if seat.pk:
            seat.save(update_fields=["colour"])


def _open(pairing: Pairing, seats: dict[int, Seat], ruling: Ruling) -> None:
    """The first game of a match whose two players are known; a walk-over where one of them withdrew meanwhile."""
    here = [seat.entry for seat in seats.values() if not seat.entry.withdrawn]
    if pairing.ruled:
        return
    if len(seats) == 2 and len(here) == 1:
        advance(pairing, here[0], ruling)
        Pairing.objects.filter(pk=pairing.pk).update(ruled=True, walk_over=True)
        pairing.refresh_from_db()
        after, reason = snapshot_of_match(pairing), AuditEvent.Reason.OTHER
        write_audit("match.ruled", pairing, by=ruling.by, after=after, reason=reason)
    else:
        Game.objects.bulk_create(games_to_make(pairing, seats))


def has_white_above(rule: str, pairing: Pairing, upper: int, lower: int) -> bool:
    """Whether the line above has White in the first game: by the lot of this match, by the seeds, or by the place."""
    if rule == "lots":
        place = f"{pairing.round.number if pairing.round else 0} {pairing.slot}"
        return Random(f"{pairing.stage.lots_seed} {place}").random() < 0.5
    return is_white_above(rule, pairing.slot or 1, upper < lower)


def is_fed(pairing: Pairing) -> bool:
    """Whether a match before this one is still to send somebody: it waits for its players, or for a result."""
    feeders = Pairing.objects.filter(Q(winner_to=pairing) | Q(loser_to=pairing), superseded=False, advanced=None)
    return any(_is_open(row) for row in feeders.select_related("stage__tournament"))


def _is_open(pairing: Pairing) -> bool:
    seats, games = seats_of_match(pairing), games_of(pairing)
    return len(seats) < 2 or any(not game.result for game in games) or bool(state_by(pairing, seats, games).to_come)


def image(row: Game) -> dict[str, Any]:
    """What the audit trail keeps of a game: enough to put it back, and to see whether it still stands so. The score
    only where the event keeps scores."""
    day = row.played_on.isoformat() if row.played_on else ""
    kept = {"result": row.result, "played_on": day, "revision": row.revision}
    score = score_text(row.white_points, row.black_points)
    return {**kept, "score": score} if row.tournament.scores else kept


def seats_of(row: Game) -> dict[str, int]:
    """Both players by number: a later correction may exchange them."""
    return {"white": row.white.number, "black": row.black.number}


def snapshot_of_match(match: Pairing) -> dict[str, object]:
    """Who goes on, and where this was: enough for the trail to be read once the bracket is drawn again."""
    people = [seat.entry.player.number for seat in seats_of_match(match).values()]
    return {
        "advanced": match.advanced.player.number if match.advanced else None,
        "ruled": match.ruled,
        "walk_over": match.walk_over,
        "tournament": match.stage.tournament.slug,
        "round": match.round.number if match.round else None,
        "board": match.board,
        **dict(zip(("white", "black"), people, strict=False)),
    }


# --- taking a match back ------------------------------------------------------------------------------------------
def _clear(pairing: Pairing, ruling: Ruling) -> None:
    for game in reversed(games_of(pairing)):
        _void(game, ruling)
    Pairing.objects.filter(pk=pairing.pk).update(ruled=False, walk_over=False)
    pairing.refresh_from_db()
    advance(pairing, None, ruling)


def _void(game: Game, ruling: Ruling) -> None:
    """A game of a match that is not to be: out of the ledger, into the audit trail, and gone."""
    if game.result:
        before = {**image(game), **seats_of(game), "tournament": game.tournament.slug, "behind": True}
        Game.objects.filter(pk=game.pk).update(result=Result.OPEN)
        _rate(game, ruling)
        write_audit("game.removed", game, by=ruling.by, before=before, reason=ruling.reason, note=ruling.note)
    delete_game(game)
