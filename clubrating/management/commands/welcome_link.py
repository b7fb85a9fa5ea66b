"""`manage.py welcome_link`: where to set up an empty site."""

from typing import Any

from django.urls import reverse

from clubrating.site.welcome.services import setup_key
from players.people.selectors import current_club
from tournaments.management.club_command import ClubCommand


class Command(ClubCommand):
    help = """Print the path of the page on which an empty site is set up, with its key.

Prints nothing once the club is set up."""

    def run(self, **options: Any) -> None:
        if current_club() is None:
            self.stdout.write(f"{reverse('welcome')}?key={setup_key()}")
