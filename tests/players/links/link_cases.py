"""A device that opened a personal link."""

from django.test import Client

from players.club.services import update_club
from players.links.services.personal_links import make_personal_link
from players.models import Player


def switch_links_on() -> None:
    update_club({"personal_links": True}, by=None)


def phone_of(player: Player, *, guardian: str = "", client: Client | None = None) -> Client:
    """A browser that pressed the button on a fresh link of that player."""
    _link, secret = make_personal_link(player.pk, by=None, guardian=guardian)
    client = client or Client()
    assert client.post("/mine/link/", {"secret": secret}).status_code == 302
    return client
