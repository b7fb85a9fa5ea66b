"""Reports of wrong words and figures: anybody says of a page what is wrong on it; an officer sees to it and says so.

A report changes nothing else. What people wrote stands in the report alone, not in the audit trail, and is deleted some
time after an officer was done with it. Wrong results have reports of their own (`tournaments.result_reports`).
"""

from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.models import PageReport
from players.refusals import Refused
from players.trail.services import write_audit

MOST_OPEN = 300  # more of them nobody reads
LONGEST = 1000
KEPT = timedelta(days=90)  # after it was done


@transaction.atomic
def report_page(address: str, words: str, *, role: str) -> PageReport:
    """Note what somebody (`role`: visitor, member, …) finds wrong on the page at that address of this site, which may
    be empty. The address comes from `clubrating.web.own_pages`. Sent twice it is noted once. Raises Refused without
    words, and where the officers have very many already."""
    said = words.strip()[:LONGEST]
    if not said:
        raise Refused(_("Say in a few words what is wrong."))
    waiting = PageReport.objects.filter(done_at=None)
    known = waiting.filter(address=address, words=said).first()
    if known is not None:
        return known
    if waiting.count() >= MOST_OPEN:
        raise Refused(_("The officers have very many reports at present. Please try again in some days."))
    report = PageReport.objects.create(address=address, words=said)
    write_audit("page.reported", report, by=None, role=role)
    return report


@transaction.atomic
def settle_page_report(report: int, *, by: User) -> None:
    """An officer has seen to it. Raises Refused for one that is done already, or is gone."""
    row = PageReport.objects.select_for_update().filter(pk=report, done_at=None).first()
    if row is None:
        raise Refused(_("Somebody has seen to this report already."))
    row.done_at, row.done_by = timezone.now(), by
    row.save(update_fields=["done_at", "done_by"])
    write_audit("page-report.done", row, by=by)


def forget_page_reports() -> int:
    """Delete those done more than `KEPT` ago; how many there were."""
    return PageReport.objects.filter(done_at__lt=timezone.now() - KEPT).delete()[0]
