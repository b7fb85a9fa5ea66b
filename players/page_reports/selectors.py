"""Reports of wrong words and figures, as officers see them."""

from players.models import PageReport

MAY_SEE = "players.view_player"  # who has more to do than enter results
LONGEST = 200
DONE_SHOWN = 30


def new_page_reports() -> list[PageReport]:
    """Those nobody has seen to, the oldest first. One query."""
    return list(PageReport.objects.filter(done_at=None).order_by("pk")[:LONGEST])


def done_page_reports() -> list[PageReport]:
    """Those done last. One query."""
    done = PageReport.objects.exclude(done_at=None).select_related("done_by")
    return list(done.order_by("-done_at", "-pk")[:DONE_SHOWN])


def count_new_page_reports() -> int:
    """How many wait. One query."""
    return PageReport.objects.filter(done_at=None).count()
