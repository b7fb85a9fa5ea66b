"""What a result says of two people, in words: on keys of result entry, and where somebody says that one is wrong; and
stones and komi of a game of go."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.ground.figures import MINUS
from clubrating.web.formatting import written
from players.models import Player
from players.privacy.rules import Viewer, shown_name
from players.refusals import sign
from tournaments.standings.points import Result


def result_words(white: Player, black: Player, viewer: Viewer) -> dict[Result, str]:
    """What each result says of these two."""
    names = {"white": shown_name(white, viewer), "black": shown_name(black, viewer)}
    return {
        Result.WHITE_WINS: _("%(white)s wins") % names,
        Result.DRAW: _("draw"),
        Result.BLACK_WINS: _("%(black)s wins") % names,
        Result.BLACK_FORFEITS: _("%(black)s did not come") % names,
        Result.WHITE_FORFEITS: _("%(white)s did not come") % names,
        Result.BOTH_FORFEIT: _("neither came"),
        Result.NO_POINTS: _("played, no points for either"),
        Result.WHITE_DRAWS_BLACK_PENALISED: _("half a point for %(white)s, none for %(black)s") % names,
        Result.BLACK_DRAWS_WHITE_PENALISED: _("half a point for %(black)s, none for %(white)s") % names,
        Result.OPEN: _("no result"),
        Result.ADJOURNED: _("adjourned"),
    }


def handicap_words(stones: int, komi: float | None) -> str:
    """ "3 stones", "komi 5.5", "3 stones, komi 0.5"; "even" for none of both."""
    parts = [ngettext("%(count)s stone", "%(count)s stones", stones) % {"count": stones}] if stones else []
    parts += [] if komi is None else [_("komi %(points)s") % {"points": written(f"{komi:g}".replace("-", MINUS))}]
    return sign(", ").join(parts) or _("even")
