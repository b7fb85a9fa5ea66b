"""What the arbiter decides in a knockout: who goes on without a score (a walk-over, lots), and extra games."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.refusals import Refused, Stale
from players.trail.services import write_audit
from ratings.lists.services import lock_lists
from tournaments.knockouts.selectors.match_reach import matches_behind, played_in
from tournaments.knockouts.services.matches import (
    KEEP,
    Ruling,
    advance,
    game_row,
    games_of,
    is_fed,
    match_game,
    match_settings,
    seats_of_match,
    settle_match,
    snapshot_of_match,
    state_by,
)
from tournaments.models import Game, Pairing, Round, Stage
from tournaments.pairing.matches import ARMAGEDDON, PHASES, next_game
from tournaments.rated_games.selectors.games import first_moments_of
from tournaments.rated_games.services.rating_impact import ImpactRecorder


@transaction.atomic
def rule_match(
    pairing_key: int,
    *,
    advanced: int,
    walk_over: bool = False,
    by: User | None,
    reason: str = "",
    note: str = "",
    bracket: str = "",
    knew: int | None = None,
) -> Pairing:
    """The arbiter says who goes on (an entry, by key), whatever the score. Games still open are not played any more.
    `knew`: who went on when the form was made, 0 for nobody. Raises Stale, Refused, or BracketMovesError where later
    matches were played and `bracket` does not say what becomes of them."""
    match = _lock(pairing_key)
    _check(match, knew, bracket)
    seats = seats_of_match(match).values()
    if len(seats) < 2 and is_fed(match):
        raise Refused(_("The other player is not known yet: decide the match before this one first."))
    entry = next((seat.entry for seat in seats if seat.entry_id == advanced), None)
    if entry is None:
        raise Refused(_("Whoever goes on must be one of the two of this match."))
    if entry.withdrawn and walk_over:
        raise Refused(_("A walk-over cannot go to somebody who withdrew."))
    before, impact = snapshot_of_match(match), _recorder(match)
    Game.objects.filter(pairing=match, result="").delete()
    advance(match, entry, Ruling(by, bracket, reason, note))
    Pairing.objects.filter(pk=match.pk).update(ruled=True, walk_over=walk_over)
    match.refresh_from_db()
    after, effect = snapshot_of_match(match), impact.effect()
    write_audit("match.ruled", match, by=by, before=before, after=after, effect=effect, reason=reason, note=note)
    return match


@transaction.atomic
def take_ruling_back(
    pairing_key: int, *, by: User | None, reason: str = "", note: str = "", bracket: str = "", knew: int | None = None
) -> Pairing:
    """Let the games decide again. Raises as `rule_match`."""
    match = _lock(pairing_key)
    _check(match, knew, bracket)
    if not match.ruled:
        raise Refused(_("Nothing was ruled here: the games decide."))
    before, impact = snapshot_of_match(match), _recorder(match)
    Pairing.objects.filter(pk=match.pk).update(ruled=False, walk_over=False)
    settle_match(match, Ruling(by, bracket, reason, note))
    match.refresh_from_db()
    after, effect, action = snapshot_of_match(match), impact.effect(), "match.ruling_taken_back"
    write_audit(action, match, by=by, before=before, after=after, effect=effect, reason=reason, note=note)
    return match


@transaction.atomic
def add_extra_games(pairing_key: int, *, phase: str, games: int = 1, by: User | None) -> list[Game]:
    """Extra games of an even match; several of one phase are played until nobody can be caught. Raises Refused."""
    match = _lock(pairing_key)
    if phase not in PHASES or not 1 <= games <= (1 if phase == ARMAGEDDON else 9):
        raise Refused(_("Choose a kind of game, and one to nine of them (armageddon is one)."))
    made, seats = games_of(match), seats_of_match(match)
    state = state_by(match, seats, made)
    if len(seats) < 2 or match.ruled or state.winner:
        raise Refused(_("This match is decided, or waits for its players: there is nothing more to play."))
    if any(not game.result for game in made) or len(made) < match_settings(match.stage)["games"]:
        raise Refused(_("A game of this match is still open: enter its result first."))
    if match_settings(match.stage)["extra"]:
        raise Refused(_("The settings say what is played after an even match: those games come by themselves."))
    coming = [next_game(match_game(made[-1], seats[1]), phase, upper_starts=True)]
    for _more in range(games - 1):
        coming.append(next_game(coming[-1], phase, upper_starts=True))
    write_audit("match.extra_games", match, by=by, after={"phase": phase, "games": games})
    return Game.objects.bulk_create(game_row(match, game, seats) for game in coming)


def _lock(pairing_key: int) -> Pairing:
    """The match, with the lists and its stage locked. Raises Refused where it is none, or still a draft."""
    lock_lists()
    match = (
        Pairing.objects.select_related("stage__tournament", "round")
        .filter(pk=pairing_key, superseded=False, slot__isnull=False, bye="")
        .first()
    )
    if match is None or match.round is None:
        raise Refused(_("This is no match of a bracket, or the bracket was drawn again."))
    if match.round.state == Round.State.DRAFT:
        raise Refused(_("Round %(number)s is a draft: publish it first.") % {"number": match.round.number})
    Stage.objects.select_for_update(no_key=True).get(pk=match.stage_id)
    match.refresh_from_db(fields=["advanced", "ruled", "walk_over"])
    return match


def _check(match: Pairing, knew: int | None, bracket: str) -> None:
    if knew is not None and knew != (match.advanced_id or 0):
        raise Stale(_("Somebody else decided this match meanwhile: look at it again."))
    if bracket == KEEP:
        raise Refused(_("What is decided here moves the bracket: let it follow, or leave the match as it is."))


def _recorder(match: Pairing) -> ImpactRecorder:
    """A record of the lists in which games of later matches are rated: they go if the bracket follows."""
    games = played_in(matches_behind(match))
    players = {player for game in games for player in (game.white_id, game.black_id)}
    return ImpactRecorder(first_moments_of(games), players)
