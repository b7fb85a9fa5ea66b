"""What the tests of the leaderboard share."""

from django.test import Client

from players.club.services import update_club
from players.models import Club, Player
from players.people.selectors import SESSION_KEY
from ratings.lists.services import NewStart
from tests import factory
from tournaments.rated_games.services.people import bring_starting_ratings

PAGE = "/ratings/standard/"


def numbers(client: Client, query: str = "") -> list[int]:
    """The players of a page, by number, in its order."""
    return [row.record.player.number for row in client.get(PAGE + query).context["table"].paginated_rows]


def as_member(client: Client) -> None:
    update_club({"pass_phrase": "open sesame"}, by=None)
    session = client.session
    session[SESSION_KEY] = Club.objects.get().pass_phrase_version
    session.save()


def found_list(*brought: tuple[float, int], players: int = 0) -> list[Player]:
    """A club with its list, and players of whom the first bring these ratings and numbers of games."""
    factory.make_club()
    standard = factory.make_list()
    everybody = factory.make_players(players or len(brought))
    starts = [NewStart(one.pk, factory.MONDAY, *own) for one, own in zip(everybody, brought, strict=False)]
    bring_starting_ratings(standard, starts, by=None)
    return everybody
