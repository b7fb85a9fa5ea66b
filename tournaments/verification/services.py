"""The second reading of results: somebody reads the slip again, without seeing what was entered.

The same result is kept as a `Reading` of the game at that revision; another one changes nothing. Where the event asks
for another reader, whoever entered the present result is refused.
"""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.refusals import Refused, Stale
from players.trail.services import write_audit
from tournaments.models import Game, Reading, SecondReading, Tournament
from tournaments.results.services.results import notation
from tournaments.standings.points import DECIDED_RESULTS, Result
from tournaments.verification.selectors import READ, entered_events, lack_another


class Differs(Refused):
    """The reader read another result than the one that `stands`. Nothing was changed."""

    def __init__(self, text: str, stands: Result) -> None:
        super().__init__(text)
        self.stands = stands


@transaction.atomic
def read_result(*, game: int, result: Result, by: User, revision: int) -> Reading:
    """Note that `by` read this result of a game (by key, as he knew it at that `revision`) a second time; read again by
    the same person it stays one reading. Raises Stale where the game is another by now, Differs where another result
    stands, Refused for a game without result and where somebody else has to read it."""
    row = Game.objects.select_for_update(of=("self",), no_key=True).select_related("tournament").filter(pk=game).first()
    if row is None or row.revision != revision:
        raise Stale(_("This board was changed meanwhile: read it again."))
    if row.result not in DECIDED_RESULTS:
        raise Refused(_("This board has no result yet: enter it first, then it can be read a second time."))
    if must_be_another(row.tournament) and (event := entered_events([game]).get(game)) and event.actor_id == by.pk:
        raise Refused(_("You entered this result, and the event asks for another reader: let somebody else read it."))
    if row.result != result:
        figures = {"stands": notation(Result(row.result)), "read": notation(result)}
        text = _("Entered was %(stands)s, you read %(read)s: say which stands.") % figures
        raise Differs(text, Result(row.result))
    reading, made = Reading.objects.get_or_create(game=row, revision=revision, by=by, defaults={"result": result})
    if made:
        write_audit(READ, row, by=by, after={"result": row.result, "revision": revision})
    return reading


def must_be_another(tournament: Tournament) -> bool:
    """Whether the event asks for a reader who did not enter the result, and there is another."""
    return tournament.second_reading == SecondReading.ANOTHER and not lack_another([tournament.pk])
