"""Which tie-breaks an event uses and in which order, and the drawing of lots among them.

The usual ones by format: in a Swiss those by the opponents' points, first without the lowest of them; in a round robin,
where everybody has the same opponents, Sonneborn-Berger, then wins, and the game against each other last, as in the
Candidates Tournament. FIDE prescribes no order (C.07, 4.1): every event may choose its own.
"""

from secrets import randbelow
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from players.refusals import Refused, said
from players.trail.services import write_audit
from tournaments.models import Tournament
from tournaments.pairing import pairing_system
from tournaments.pairing.base import SEED_BELOW, PlanSystem, ScheduleSystem
from tournaments.pairing.dutch.system import Dutch
from tournaments.standings.tiebreaks import TIEBREAKS, GroupTiebreak, Rule, tiebreak

SWISS, ROUND_ROBIN = "BH/C1,BH,SB,DE", "SB,WIN,DE"
LOTS = "LOTS"
_LONGEST = 200


def default_tiebreaks(system: str) -> str:
    """The usual tie-breaks of that pairing system; none where there is no table of points."""
    if _everybody_meets(system):
        return ROUND_ROBIN
    return SWISS if system == Dutch.key else ""


def usable_tiebreaks(system: str) -> tuple[Rule, ...]:
    """The tie-breaks that can be chosen in that pairing system, in the order of the regulations."""
    return tuple(rule for rule in TIEBREAKS if rule.round_robins or not _everybody_meets(system))


def read_tiebreaks(codes: str, system: str) -> str:
    """The list of codes as it is kept: in capitals, a comma between two. Raises Refused for a code or modifier that
    does not exist, one that stands twice, and one that cannot be used in that pairing system."""
    rules = [_read(code.strip(), system) for code in codes.split(",") if code.strip()]
    for at, rule in enumerate(rules):
        if rule in rules[:at] and not isinstance(rule, GroupTiebreak):
            raise Refused(_("The tie-break %(code)s stands twice: one of them is enough.") % {"code": rule.code})
    kept = ",".join(rule.code for rule in rules)
    if len(kept) > _LONGEST:
        raise Refused(_("These are too many tie-breaks: choose fewer."))
    return kept


def draw_lots(tournament: Tournament, *, by: User | None, seed: int | None = None) -> None:
    """Draw the lots of an event whose tie-breaks end with them, once; the caller saves the locked row."""
    if LOTS not in tournament.tiebreaks.split(",") or tournament.tiebreak_lots is not None:
        return
    tournament.tiebreak_lots = randbelow(SEED_BELOW) if seed is None else seed
    write_audit("tournament.lots_drawn", tournament, by=by, after={"seed": tournament.tiebreak_lots})


def _read(code: str, system: str) -> Rule:
    try:
        rule = tiebreak(code)
    except KeyError:
        values: dict[str, Any] = {"code": code, "codes": ", ".join(rule.code for rule in usable_tiebreaks(system))}
        raise Refused(_("There is no tie-break “%(code)s”. There are %(codes)s.") % values) from None
    except ValueError as refusal:
        raise Refused(said(refusal)) from None
    if rule.base not in {usable.base for usable in usable_tiebreaks(system)}:
        raise Refused(
            _("%(code)s cannot be used where everybody meets everybody: FIDE forbids it. Choose SB or KS instead.")
            % {"code": rule.code}
        )
    return rule


def _everybody_meets(system: str) -> bool:
    return bool(system) and isinstance(pairing_system(system), ScheduleSystem | PlanSystem)
