"""What the tests of the leaderboard share."""

from django.test import Client

from players.models import Club
from players.selectors import SESSION_KEY
from players.services.club import update_club

PAGE = "/ratings/standard/"


def numbers(client: Client, query: str = "") -> list[int]:
    """The players of a page, by number, in its order."""
    return [row.record.player.number for row in client.get(PAGE + query).context["table"].paginated_rows]


def as_member(client: Client) -> None:
    update_club({"pass_phrase": "open sesame"}, by=None)
    session = client.session
    session[SESSION_KEY] = Club.objects.get().pass_phrase_version
    session.save()
