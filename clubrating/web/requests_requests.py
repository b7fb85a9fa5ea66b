"""What `ClubMiddleware` adds to a request, for the type checker's sake."""

from django.http import HttpRequest

from players.models import Club
from players.privacy.rules import Viewer


class ClubRequest(HttpRequest):
    """A request to a page of a club that is set up."""

    club: Club
    viewer: Viewer
