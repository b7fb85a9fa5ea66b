"""A slip of the key put right at once: while nothing rests on a fresh result, another one takes its place.

What may rest on it: a later round, match or part of the event; a published list; or more rated games than a keystroke
may rate again. Everything else goes through its preview (`tournaments.corrections.services.corrections`).
"""

from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.ground.marks import joined
from players.models import AuditEvent
from players.refusals import Refused
from ratings.lists.services import lock_lists
from ratings.models import PublishedList
from tournaments.knockouts.selectors.match_reach import matches_behind
from tournaments.models import Game, Pairing, Round, StageEntry, Tournament
from tournaments.rated_games.services.rating_impact import count_from
from tournaments.results.services.results import correct_result, lock_game
from tournaments.rounds.selectors.progress import rounds_paired_from
from tournaments.standings.points import Result

SHORT_TAIL = 200  # rated games from this one on
FRESH = timedelta(days=1)  # today and yesterday: an evening may end after midnight


class NeedsPreviewError(Refused):
    """Something rests on the result: the change goes through the page that shows what it would move."""


@transaction.atomic
def change_quickly(*, game: int, result: Result, by: User | None, revision: int, score: str | None = None) -> Game:
    """Replace or clear the recorded result of a game (by key), as `correct_result` does for the reason of a slip.
    Raises Stale where somebody else was faster, NeedsPreviewError where something rests on the result, and Refused."""
    _lock_event(game)
    row = lock_game(game, revision, lists=False)
    if words := what_rests_on(row):
        raise NeedsPreviewError(joined(words, _("So look first at what another result would move.")))
    slip = AuditEvent.Reason.ENTRY_ERROR
    return correct_result(game=game, result=result, by=by, revision=revision, score=score, reason=slip)


def what_rests_on(game: Game) -> str:
    """Why the recorded result of a game cannot be replaced without a preview, as a sentence; empty where it can."""
    row = game.pairing.round
    if row is None or row.state != Round.State.PUBLISHED:
        return _("This board stands in no round that is being played.")
    if game.tournament.closed:
        return _("The event is over.")
    if game.played_on is None or game.played_on < timezone.localdate() - FRESH:
        return _("Only results of games of today and yesterday are replaced at once.")
    return _later_play(game, row) or _later_lists(game)


def _later_play(game: Game, row: Round) -> str:
    if game.pairing.slot is not None:
        if _has_later_game(game) or matches_behind(game.pairing):
            return _("A later game of the bracket was played.")
        return _later_part(game)
    if paired := rounds_paired_from(row):
        return _("Round %(number)s was paired from this result.") % {"number": paired[0].number}
    later = Round.objects.filter(stage=row.stage_id, number__gt=row.number, pairings__games__result__gt="")
    if first := later.order_by("number").first():
        return _("Round %(number)s has results already.") % {"number": first.number}
    if _has_later_game(game):
        return _("A later game of this board was played.")
    return _later_part(game)


def _has_later_game(game: Game) -> bool:
    """An armageddon game, or the next one of a match."""
    return Game.objects.filter(pairing=game.pairing_id, number__gt=game.number).exclude(result="").exists()


def _later_part(game: Game) -> str:
    stage = game.pairing.stage
    if StageEntry.objects.filter(stage__tournament=stage.tournament_id, stage__part__gt=stage.part).exists():
        return _("The next part of the event was filled from these results.")
    return ""


def _later_lists(game: Game) -> str:
    if not game.tournament.rated or game.moment is None:
        return ""
    if PublishedList.objects.filter(rating_list__pool=game.pool, on__gte=game.moment.on).exists():
        return _("A rating list with this result was published.")
    if count_from({game.pool: game.moment}) > SHORT_TAIL:
        return _("Many games were rated after this one.")
    return ""


def _lock_event(game: int) -> None:
    """The lists, then the event: nobody pairs a round from the result while it changes."""
    found = Game.objects.filter(pk=game).values_list("pool", "tournament_id").first()
    if found is None:
        return  # `lock_game` says so
    pool, event = found
    is_match = Pairing.objects.filter(games=game, slot__isnull=False).exists()
    lock_lists(None if is_match else pool)
    Tournament.objects.select_for_update(no_key=True).get(pk=event)
