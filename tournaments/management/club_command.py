"""What our commands that work on the club's database share: the club's day, and its refusals as sentences."""

import zoneinfo
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandParser
from django.db import OperationalError, ProgrammingError
from django.utils import timezone

from players.models import AuditEvent, Player
from players.people.selectors import current_club
from players.refusals import Refused
from players.trail.services import RESULT_REASONS, acting_from
from ratings.lists.services import ensure_main_list
from ratings.models import RatingList
from tournaments.entries.services.names import BadRows
from tournaments.interchange.tables_csv import UnreadableFileError
from tournaments.management.plain_command import PlainCommand, bad_input, first
from tournaments.rated_games.services.rating_impact import ListEffect, Move
from tournaments.rated_games.services.rebuilding import rebuild_list


class ClubCommand(PlainCommand):
    """A command that works on the club's database, on the club's day."""

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            club = current_club()
            here = acting_from(f"command {type(self).__module__.rpartition('.')[2]}")
            with timezone.override(zoneinfo.ZoneInfo(club.time_zone) if club else None), here:
                self.run(**options)
        except BadRows as refusal:
            for row in refusal.rows:
                self.stderr.write(str(row))
            raise bad_input(f"Nothing was changed. Bad rows: {len(refusal.rows)}, see above.") from None
        except (Refused, UnreadableFileError, ImproperlyConfigured) as refusal:
            raise bad_input(str(refusal)) from None
        except (OperationalError, ProgrammingError) as error:
            reason = str(error).partition("\n")[0]
            raise bad_input(
                f"The database cannot be used ({reason}). If it is new, run “manage.py migrate” first."
            ) from None

    def make_first_list(self, pool: str) -> int:
        """A database without any list gets its first one, so that what is brought in is rated; how many games were."""
        made = ensure_main_list(pool=pool, by=None)
        rated = rebuild_list(made)
        self.stderr.write(f"There was no rating list: “{made.name}” is made for the pool {pool}; {rated} games rated.")
        return rated


def add_reason(parser: CommandParser, otherwise: AuditEvent.Reason) -> None:
    """Arguments that say why ratings move, for the trail and the public page of corrections."""
    codes = [str(reason) for reason in RESULT_REASONS]
    text = f"where ratings move that stand, why: {', '.join(codes)} (default: {otherwise})"
    parser.add_argument("--reason", choices=codes, metavar="CODE", help=text)
    parser.add_argument("--note", default="", metavar="TEXT", help="a note to the reason, for officers")


def list_called(slug: str) -> RatingList:
    """The rating list of that address. Raises CommandError naming those there are."""
    found = RatingList.objects.filter(slug=slug).first()
    if found is None:
        known = ", ".join(RatingList.objects.values_list("slug", flat=True)) or "none yet"
        raise bad_input(f"There is no rating list “{slug}”; there are: {known}.")
    return found


def moves_in_words(lists: Iterable[ListEffect]) -> Iterator[str]:
    """What a change moves, for a dry run: a line a list, then who moves most."""
    for row in lists:
        yield f"{row.rating_list.name}: {row.games} games would be rated anew, {len(row.moves)} ratings would move:"
        people = Player.objects.in_bulk([move.player for move in row.moves])
        yield from first([_move(people[move.player], move) for move in row.moves])


def _move(player: Player, move: Move) -> str:
    was, now = ("–" if rating is None else f"{rating:.1f}" for rating in (move.rating_before, move.rating_after))
    return f"  {player.name} (#{player.number}) {was} → {now}"
