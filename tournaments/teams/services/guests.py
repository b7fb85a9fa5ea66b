"""Players put on a team's list by their names. Whom nobody knows yet may come as a guest: a new player, whom the public
sees by initials until he or she agrees to more.
"""

from collections.abc import Sequence
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Visibility
from players.people.names import clean_name
from players.people.services import NewPlayer, create_players
from players.refusals import Refused
from tournaments.entries.services.entries import match_names
from tournaments.entries.services.names import look_up
from tournaments.models import TeamPlayer
from tournaments.teams.services.teams import add_players

MOST_AT_ONCE = 100


class NamesRefused(Refused):
    """`problems`: a sentence for each line; `unknown`: names nobody has, who may be made as guests."""

    def __init__(self, problems: Sequence[str], unknown: Sequence[str]) -> None:
        self.problems, self.unknown = tuple(problems), tuple(unknown)
        super().__init__(" ".join(problems))


@transaction.atomic
def add_by_names(
    team_key: int,
    lines: Sequence[str],
    *,
    by: User | None,
    make_guests: bool = False,
    since: date | None = None,
    reserve: bool = False,
) -> tuple[list[TeamPlayer], int]:
    """Put the players those lines name on the list, in their order; with `make_guests` also new ones. The rows, and how
    many players are new. Raises NamesRefused for lines that name nobody; Refused as `add_players`."""
    if len(lines) > MOST_AT_ONCE:
        raise Refused(_("A team takes %(most)s lines at once: send fewer.") % {"most": MOST_AT_ONCE})
    wanted = [name for line in lines if (name := clean_name(line))]
    people = look_up(wanted)
    unknown = [name for name in dict.fromkeys(wanted) if people.is_new(name) and not name.startswith("#")]
    if make_guests and unknown:
        create_players((NewPlayer(name, visibility=Visibility.INITIALS) for name in unknown), by=by)
    named = match_names(lines)
    if named.problems:
        raise NamesRefused(named.problems, () if make_guests else unknown)
    if not named.players:
        raise Refused(_("Nobody was chosen: tick players or paste their names."))
    rows = add_players(team_key, named.players, by=by, since=since, reserve=reserve)
    return rows, len(unknown) if make_guests else 0
