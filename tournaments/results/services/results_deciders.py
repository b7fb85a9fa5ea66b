"""The armageddon game that follows a draw, where the point system says so: made and taken back with the draw.

It is the second game of the pairing, with the same colours, and counts in no rating list but one of its own.
"""

from django.utils.translation import gettext as _

from players.refusals import Refused
from tournaments.models import Game
from tournaments.knockouts.services.matches import POOL_OF_PHASE
from tournaments.standings.points import Result, point_system

ARMAGEDDON = Game.Phase.ARMAGEDDON


def settle_decider(row: Game) -> None:
    """Make the armageddon game after a draw; take it back where there is none any more. Raises Refused where it has a
    result."""
    if row.number != 1 or row.pairing.round_id is None or point_system(row.tournament.point_system).after_draw is None:
        return
    decider = Game.objects.filter(pairing=row.pairing_id, number=2).first()
    drawn = row.result == Result.DRAW
    if drawn and decider is None:
        Game.objects.create(
            tournament_id=row.tournament_id,
            pairing_id=row.pairing_id,
            number=2,
            phase=ARMAGEDDON,
            pool=POOL_OF_PHASE[ARMAGEDDON],
            white_id=row.white_id,
            black_id=row.black_id,
        )
    elif decider is not None and not drawn:
        if decider.result:
            raise Refused(_("The armageddon game has a result: clear that one first."))
        decider.delete()
