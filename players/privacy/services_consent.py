"""Whether a minor's full name may be public: only while somebody who speaks for him has allowed it."""

from django.utils import timezone
from django.utils.translation import gettext as _

from players.models import Guardian, Player, Visibility
from players.privacy.rules import is_minor
from players.refusals import Refused


def has_consent(player: Player) -> bool:
    """Whether a guardian allows the full name to be public, and told us so."""
    return Guardian.objects.filter(player=player, allows_name=True, told_on__isnull=False).exists()


def check_public(visibility: str, birth_year: int | None, player: Player | None = None) -> None:
    """Raises Refused for a minor's name to be shown to everybody without consent; `player` is nobody for a new one."""
    if visibility != Visibility.PUBLIC or not is_minor(birth_year, timezone.localdate()):
        return
    if player is None or not has_consent(player):
        raise Refused(
            _(
                "A minor’s full name is public only with a guardian’s consent: record the guardian on the player’s "
                "page first, or choose initials."
            )
        )
