"""`manage.py export_person NUMBER`: everything the club keeps about one person, for that person."""

from typing import Any

from django.core.management.base import CommandParser

from clubrating.site.export.services import as_json, hand_out_own_data
from players.models import Player
from tournaments.management.club_command import ClubCommand
from tournaments.management.plain_command import bad_input


class Command(ClubCommand):
    help = """Write everything the club keeps about a person as JSON, on stdout, to be handed to that person. Other
people are named as the public sees them; the audit trail notes that it was done.

  manage.py export_person 17 > person-17.json"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("number", metavar="NUMBER", type=int, help="the player's number, as in the list of players")

    def run(self, *, number: int, **options: Any) -> None:
        player = Player.objects.filter(number=number).first()
        if player is None:
            raise bad_input(f"There is no player with the number {number}.")
        self.stdout.write(as_json(hand_out_own_data(player.pk, by=None)), ending="")
