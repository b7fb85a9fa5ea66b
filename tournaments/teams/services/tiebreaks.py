"""The tie-breaks of a team event as they are kept."""

from django.utils.translation import gettext as _

from players.refusals import Refused, said
from tournaments.standings.team_tiebreaks import TEAM_TIEBREAKS, team_tiebreak


def read_team_tiebreaks(codes: str) -> str:
    """The list of codes, a comma between two. Raises Refused for a code or modifier that does not exist, and for one
    that stands twice."""
    rules = []
    for code in (code.strip() for code in codes.split(",") if code.strip()):
        try:
            rule = team_tiebreak(code)
        except KeyError:
            values = {"code": code[:20], "codes": ", ".join(rule.code for rule in TEAM_TIEBREAKS)}
            raise Refused(_("There is no tie-break “%(code)s”. There are %(codes)s.") % values) from None
        except ValueError as refusal:
            raise Refused(said(refusal)) from None
        if rule in rules:
            raise Refused(_("The tie-break %(code)s stands twice: one of them is enough.") % {"code": rule.code})
        rules.append(rule)
    return ",".join(rule.code for rule in rules)
