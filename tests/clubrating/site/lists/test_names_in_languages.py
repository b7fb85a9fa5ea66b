"""The names of lists and tiers: each reader sees the one in the page's language, files and JSON keep the club's own."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from clubrating.site.pictures import views
from clubrating.site.pictures.drawing import Picture
from players.models import Player
from players.people.services import NewPlayer, create_player
from ratings.lists.services import NewTier, change_list, create_list, set_tiers
from ratings.models import PlayerRating, RatingList
from tests import desk_scene, factory
from tests.clubrating.ops.languages.test_untranslated import crawl
from tests.pseudo import Words
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.free_play.services import record_free_game
from tournaments.models import Game
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.standings.points import Result

OWN = "Ownlisted"  # in every list's and tier's own name, and in nothing else
CODES = [code for code, _language in settings.LANGUAGES]


def names(of: str) -> dict[str, str]:
    return {code: f"{of} {code}" for code in CODES}


def pair() -> tuple[Player, Player]:
    """Two who have met in the main list."""
    met = Game.objects.filter(pool="standard", white__visibility="public", black__visibility="public")
    game = met.exclude(result="").order_by("pk")[0]
    return game.white, game.black


@pytest.fixture(scope="module")
def scene(world: None) -> None:
    """A page of every kind, a second list with a player of its own, tiers, and every name in every language."""
    desk_scene.build()
    second = create_list(name="Second", slug="second", pool="second", by=None, order=2)
    own = create_player(NewPlayer("Only Second"), by=None)
    evenings = create_tournament(NewTournament("Second evenings", "free", pool="second"), by=None)
    one, two = pair()
    for week, (white, black) in enumerate([(one, two), (two, one), (one, own)]):
        day = factory.MONDAY + timedelta(weeks=week)
        record_free_game(evenings, white, black, Result.WHITE_WINS, day, by=None)
    publish_list(second, desk_scene.LAST_DAY, by=None)
    PlayerRating.objects.update(ranked=True)
    for row in RatingList.objects.all():
        probation = 30 if row.primary else 1
        named = {"name": f"{OWN} {row.pk}", "names": names(f"List{row.pk}"), "provisional_games": probation}
        change_list(row, named, by=None)
        tiers = [NewTier(f"{OWN} top", None, names("Top")), NewTier(f"{OWN} lower", 1500, names("Lower"))]
        set_tiers(row, tiers, by=None)


def asked_for() -> Iterator[str]:
    """Addresses that no link leads to, or that a crawler that tries few pages of a kind does not come to."""
    ranked, other = (player.slug for player in pair())
    yield "ratings/standard/?tier=ownlisted-top"
    for query in ("on=2020-01-01", f"known={desk_scene.LAST_DAY}", f"on={desk_scene.LAST_DAY}"):
        yield f"ratings/second/?{query}"
        yield f"players/{ranked}/?{query}"
    yield from (f"players/{ranked}/?list=second", f"players/{ranked}/games/", f"players/{ranked}/vs/{other}/")
    yield from ("players/compare/?p=2&p=3", "players/?q=Only", "tools/format/?list=second&top=3")


@pytest.mark.slow
@pytest.mark.django_db
def test_no_page_of_the_public_shows_an_own_name_to_whoever_reads_another(scene: None, client: Client) -> None:
    pages = crawl(client, "/zh-hans/", "/zh-hans/")
    assert len(pages) > 40
    for address in asked_for():
        pages[address] = client.get(f"/ru/{address}").text
        assert "List" in pages[address], address
    assert not [address for address, html in pages.items() if OWN in html]
    assert "Top ru" in pages["ratings/standard/?tier=ownlisted-top"]


@pytest.mark.slow
@pytest.mark.django_db
def test_the_desk_shows_own_names_only_where_they_are_written(scene: None) -> None:
    """What stands in a field is no word of the page, and the trail keeps what was written."""
    client = desk_scene.client_of(User.objects.get(username="founder"))
    found, opened = [], 0
    for address in desk_scene.addresses("admin/"):
        if address.name == "players_auditevent_changelist":
            continue
        response = client.get(f"/ru{address.path}")
        if response.status_code == 200 and "html" in response.headers["Content-Type"]:
            opened += 1
            words = Words(response.text).found
            found += [f"{address.path}: {text.strip()}" for text in words if OWN in text]
            # A pool goes by its list's name; its own word stands where the list is set up.
            if not address.name.startswith("ratings_ratinglist_"):
                found += [f"{address.path}: {text.strip()}" for text in words if text.strip() in ("standard", "second")]
    found += [text for text in Words(client.get("/ru/lab/proposal/").text).found if OWN in text]
    for action in ("publish", "rebuild"):
        asked = {"action": action, "_selected_action": list(RatingList.objects.values_list("pk", flat=True))}
        words = Words(client.post("/ru/admin/ratings/ratinglist/", asked).text).found
        found += [f"{action}: {text.strip()}" for text in words if OWN in text]
        assert any("List" in text for text in words)
    assert opened > 60
    assert not found


@pytest.mark.django_db
def test_what_leaves_the_site_for_people_has_the_language_and_what_is_for_programs_has_the_own_name(
    scene: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Picture] = []
    monkeypatch.setattr(views, "draw", lambda picture: drawn.append(picture) or b"")
    row = RatingList.objects.get(slug="standard")
    player = row.ratings.filter(player__visibility="public").order_by("pk")[0].player
    for address in (f"/ru/ratings/{row.slug}/picture.png", f"/ru/players/{player.slug}/picture.png"):
        assert client.get(address).status_code == 200
    assert drawn[0].title == drawn[1].lines[0] == f"List{row.pk} ru"
    feed = client.get("/zh-hans/feeds/lists.atom").text
    assert f"List{row.pk} zh-hans" in feed
    assert OWN not in feed
    assert client.get("/api/v1/ratings/").json()["ratings"][0]["name"] == row.name == f"{OWN} {row.pk}"
