"""A person's own data handed out on request: the rows of `clubrating.site.export.selectors`, to be written as JSON and as
a page. That it was handed out stands in the audit trail; what was in it does not."""

import json
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.models import Player
from players.trail.services import write_audit
from players.refusals import Refused
from players.officers.roles import ADMINISTRATOR, role_of
from clubrating.site.export.selectors import Row, own_data

FORMAT = 1


@transaction.atomic
def hand_out_own_data(player_key: int, *, by: User | None) -> dict[str, Any]:
    """Everything about the person, as it is to be written down. For administrators and commands. Raises Refused for
    anybody else, and for a record that was merged into another's."""
    if role_of(by) not in (ADMINISTRATOR, "system"):
        raise Refused(_("Only an administrator hands out a person’s data."))
    player = Player.objects.select_related("merged_into").get(pk=player_key)
    if player.merged_into is not None:
        told = {"number": player.number, "other": player.merged_into.number}
        raise Refused(_("Player %(number)s was merged into player %(other)s: ask for that one.") % told)
    tables: dict[str, list[Row]] = own_data(player)
    write_audit("player.data-handed-out", player, by=by, after={"tables": len(tables)})
    return {"format": FORMAT, "person": player.number, "made": timezone.now().isoformat(), "tables": tables}


def as_json(data: dict[str, Any]) -> str:
    """The text of the file."""
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
