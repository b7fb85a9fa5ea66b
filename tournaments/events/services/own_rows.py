"""A row that an event has beside its own, filled in by an officer on a page: rules of entries, rules of an evening,
facts for papers."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from players.refusals import Refused, Stale
from tournaments.models import EntryRules, EventPapers, FreeRules, TeamRules


def check_revision(rules: EntryRules | FreeRules | TeamRules, revision: int | None) -> None:
    """Raises Stale where the rules are no longer those of that revision (0: there were none; None: whatever it is)."""
    if revision is not None and revision != rules.revision:
        raise Stale(_("Somebody else changed these rules meanwhile: look at them again, then change them."))


def check_row(row: EntryRules | FreeRules | EventPapers) -> None:
    """Raises Refused with the first thing that the table would not take."""
    try:
        row.full_clean(exclude=["tournament"])
    except ValidationError as error:
        raise Refused(error.messages[0]) from None
