"""Notes on played results: what an arbiter tells everybody of one without changing it. No rating moves by them."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.refusals import Refused, Stale
from players.trail.services import write_audit
from tournaments.knockouts.services.matches import seats_of
from tournaments.models import Footnote, Game
from tournaments.results.services.results import lock_game

LONGEST = 300
NOTED = "result.noted"


@transaction.atomic
def note_result(*, game: int, text: str, seen: str, by: User | None, reason: str, note: str = "") -> Game:
    """Write what stands beside the result of a game (by key), in place of the note that was `seen` there; no text takes
    it away. `note` is for officers. Raises Stale where another stands by now; Refused for a game without a result, a
    text that is too long, and the same text again."""
    text, row = " ".join(text.split()), lock_game(game)
    stands = Footnote.objects.filter(game=row).values_list("text", flat=True).first() or ""
    if stands != seen:
        raise Stale(_("Somebody else changed the note meanwhile: look at it, then write yours again."))
    if text and not row.result:
        raise Refused(_("This board has no result yet: there is nothing to say of it."))
    if len(text) > LONGEST:
        raise Refused(_("A note has at most %(most)s characters: say it shorter.") % {"most": LONGEST})
    if text == stands:
        raise Refused(_("Nothing was changed: this note stands already."))
    if text:
        Footnote.objects.update_or_create(game=row, defaults={"text": text})
    else:
        Footnote.objects.filter(game=row).delete()
    before, after = ({**seats_of(row), "footnote": each} for each in (stands, text))
    write_audit(NOTED, row, by=by, before=before, after=after, reason=reason, note=note)
    return row
