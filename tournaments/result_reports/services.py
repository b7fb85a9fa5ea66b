"""Reports of wrong results: anybody says that a result should be another one, an arbiter corrects it or says why not.

A report never changes a result. The correction itself accepts it (`accept_reports`), or an officer declines it; whom to
reach is forgotten then. What people wrote stands in the report alone, not in the audit trail.
"""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.refusals import Refused
from players.trail.services import write_audit
from tournaments.models import Game, ResultReport, Round
from tournaments.standings.points import OUTCOMES, Result

MOST_OPEN = 5  # of one game: more of them tell nothing new
CLAIMS = tuple(code for code, outcome in OUTCOMES.items() if outcome.white and len(code) > 1)
_Open = ResultReport.State.OPEN


@transaction.atomic
def report_result(
    game: int, claimed: Result, *, role: str, words: str = "", contact: str = "", team: int | None = None
) -> ResultReport:
    """Note that somebody (`role`: visitor, member, …) says the game's result should be another one; `team`: whose
    captain says so. Raises Refused for a game the public does not see or without a result, for the result it has, and
    where many visitors said so already."""
    row = Game.objects.select_for_update(of=("self",)).select_related("pairing__round").filter(pk=game).first()
    if row is None or not is_public(row):
        raise Refused(_("This game is not there any more."))
    if not row.result:
        raise Refused(_("This board has no result yet: the arbiters enter it."))
    if claimed not in CLAIMS or claimed == row.result:
        raise Refused(_("That is the result that stands: choose the one it should be."))
    if team is None and ResultReport.objects.filter(game=row, state=_Open, by_team=None).count() >= MOST_OPEN:
        raise Refused(_("The arbiters have several reports of this result already. Thank you."))
    report = ResultReport.objects.create(
        game=row,
        stood=row.result,
        claimed=claimed.value,
        words=words.strip()[:500],
        contact=contact.strip()[:200],
        by_team_id=team,
    )
    values = {"game": row.pk, "stood": row.result, "claimed": claimed.value, **({"team": team} if team else {})}
    write_audit("result.reported", report, by=None, role=role, after=values)
    return report


def is_public(game: Game) -> bool:
    """Whether the public sees the game: of no draft, and of no bracket that was drawn again."""
    row = game.pairing.round
    return not game.pairing.superseded and (row is None or row.state != Round.State.DRAFT)


@transaction.atomic
def accept_reports(game: Game, *, by: User | None) -> int:
    """Settle the open reports that claimed the result the game has now; how many. One query where there are none."""
    claims = ResultReport.objects.filter(game=game, state=_Open, claimed=game.result)
    settled = list(claims) if game.result else []
    for report in settled:
        _settle(report.pk, ResultReport.State.ACCEPTED, by)
        write_audit("report.accepted", report, by=by, after={"game": game.pk})
    return len(settled)


@transaction.atomic
def decline_report(report: int, *, by: User | None, answer: str) -> None:
    """Leave the result as it is, for a reason. Raises Refused without one, and for a report that is settled already."""
    row = ResultReport.objects.select_for_update().filter(pk=report).first()
    if row is None or row.state != _Open:
        raise Refused(_("This report is settled already."))
    if not answer.strip():
        raise Refused(_("Say in a few words why the result stays: other officers read it."))
    _settle(row.pk, ResultReport.State.DECLINED, by, answer.strip()[:300])
    write_audit("report.declined", row, by=by, after={"game": row.game_id, "claimed": row.claimed})


def _settle(report: int, state: ResultReport.State, by: User | None, answer: str = "") -> None:
    ResultReport.objects.filter(pk=report).update(
        state=state, settled_at=timezone.now(), settled_by=by, answer=answer, contact=""
    )
