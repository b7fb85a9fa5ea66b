"""The tie-breaks of a team event as they are kept."""

from django.utils.translation import gettext as _

from players.refusals import Refused
from tournaments.standings.tiebreaks import TIEBREAKS, tiebreak, tiebreaks_of


def read_team_tiebreaks(codes: str) -> str:
    """The list of codes, a comma between two. Raises Refused for a code or modifier that does not exist, and for one
    that stands twice."""
    wanted = [code.strip() for code in codes.split(",") if code.strip()]
    for code in wanted:
        try:
            tiebreak(code)
        except (KeyError, ValueError):
            known = ", ".join(rule.code for rule in TIEBREAKS)
            text = _("There is no tie-break “%(code)s”: choose from %(codes)s.")
            raise Refused(text % {"code": code[:20], "codes": known}) from None
        if wanted.count(code) > 1:
            raise Refused(_("“%(code)s” stands twice: remove one.") % {"code": code[:20]})
    return ",".join(rule.written if hasattr(rule, "written") else rule.code for rule in tiebreaks_of(",".join(wanted)))
