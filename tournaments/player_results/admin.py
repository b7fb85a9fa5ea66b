"""What players said of the boards of a round, for its arbiters: shown on top of the result page, and entered with one
button where both sides agree and the event waits for an arbiter."""

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from clubrating.ground.numbers import whole_number
from clubrating.web.admin import officer
from tournaments.events.admin.event_page import check_may_enter
from tournaments.models import Round
from tournaments.player_results.services import enter_agreed


def agreed(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """Enter the boards that were seen as agreed, and go back to the page of results."""
    return _agreed(request, key)


@require_POST
def _agreed(request: HttpRequest, key: int) -> HttpResponse:
    row = get_object_or_404(Round.objects.select_related("stage__tournament"), pk=key)
    check_may_enter(request, row.stage.tournament)
    seen = [pair for text in request.POST.getlist("board") if (pair := _pair(text))]
    entered = enter_agreed(row.pk, seen, by=officer(request))
    said = ngettext("%(count)s result is entered.", "%(count)s results are entered.", entered) % {"count": entered}
    messages.success(request, said)
    if left := len(seen) - entered:
        text = ngettext(
            "%(count)s board was changed meanwhile: look at it below.",
            "%(count)s boards were changed meanwhile: look at them below.",
            left,
        )
        messages.warning(request, text % {"count": left})
    return redirect("admin:tournaments_tournament_results", row.pk)


def _pair(text: str) -> tuple[int, int] | None:
    """ "17.3" as game 17 and its revision 3; None for anything else."""
    game, revision = (whole_number(part) for part in text.partition(".")[::2])
    return None if game is None or revision is None else (game, revision)
