"""Pictures for messengers: what stands in them, who never does, and that no letter becomes a box."""

from io import BytesIO

import pytest
from django.test import Client
from PIL import Image

from clubrating.site.pictures import drawing, views
from clubrating.site.pictures.drawing import Picture, draw, writable
from players.models import Player
from ratings.models import RatingList
from tests import factory
from tests.clubrating.site.lists.list_pages import as_member
from tournaments.events.services.events import open_event
from tournaments.rated_games.services.people import change_player
from tournaments.standings.points import Result

CUP, LIST = "/tournaments/winter-cup/picture.png", "/ratings/standard/picture.png"


@pytest.fixture
def cast(standard: RatingList) -> list[Player]:
    players = factory.make_players(4)
    factory.play_all(factory.make_round_robin(players), Result.WHITE_WINS)
    RatingList.objects.get().ratings.update(ranked=True)
    return players


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Picture]:
    """What is handed to the pen."""
    seen: list[Picture] = []
    monkeypatch.setattr(views, "draw", lambda picture: seen.append(picture) or b"")
    return seen


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system without fonts: Pillow's own is left."""
    monkeypatch.setattr(drawing, "FACES", ())


def test_it_is_a_small_png_of_the_size_messengers_ask_for() -> None:
    packed = draw(Picture("Club", "Ada", "2051", ("Standard",), curve=((0.0, 0.0), (0.5, 1.0), (1.0, 0.5))))
    image = Image.open(BytesIO(packed))
    assert (image.format, image.size) == ("PNG", (1200, 630))
    assert len(packed) < 60_000
    assert packed == draw(Picture("Club", "Ada", "2051", ("Standard",), curve=((0.0, 0.0), (0.5, 1.0), (1.0, 0.5))))
    assert packed != draw(Picture("Club", "Ada", "2051", ("Standard",)))


@pytest.mark.parametrize("ends", [(0, 1), (1, 0)])
def test_a_curve_goes_to_a_dot_at_the_right_and_what_is_more_stands_higher(ends: tuple[int, int]) -> None:
    """Its box lies from 580, 270 to 1124, 566."""
    curve = tuple((float(x), float(height)) for x, height in enumerate(ends))
    pixels = Image.open(BytesIO(draw(Picture("Club", "Ada", curve=curve)))).convert("RGB")

    def is_blue(x: int, height: int) -> bool:
        red, _green, blue = pixels.getpixel((x, (566, 270)[height]))  # type: ignore[misc]
        return blue - red > 60  # all else is grey

    for x, height in zip((582, 1124), ends, strict=True):
        assert (is_blue(x, height), is_blue(x, 1 - height)) == (True, False)
    assert is_blue(1118, ends[1]), "the dot"


def test_a_long_title_stays_on_the_picture() -> None:
    pixels = Image.open(BytesIO(draw(Picture("Club", "W" * 300)))).convert("L")
    assert min(pixels.crop((1150, 120, 1200, 230)).getdata()) > 200, "the margin is empty"


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(
    ("text", "written"),
    [("Ada", "Ada"), ("Jürgen", "Jurgen"), ("3½ – 1", "3.5 - 1"), ("佐藤はるか", None), ("Анна", None), ("", "")],
)
def test_what_no_font_can_write_is_written_plainer_or_not_at_all(text: str, written: str | None) -> None:
    assert writable(text) == written


@pytest.mark.django_db
@pytest.mark.usefixtures("bare")
def test_without_fonts_a_name_is_a_number_and_words_are_english(
    client: Client, cast: list[Player], drawn: list[Picture]
) -> None:
    change_player(cast[0].pk, {"name": "佐藤はるか"}, by=None)
    client.get(f"/zh-hans{Player.objects.get(pk=cast[0].pk).get_absolute_url()}picture.png")
    (picture,) = drawn
    assert picture.title == f"Player {cast[0].number}"
    assert picture.lines[0] == "Standard"
    assert picture.lines[-1] == "3 rated games"


@pytest.mark.django_db
def test_each_picture_says_what_its_page_says(client: Client, cast: list[Player], drawn: list[Picture]) -> None:
    for address in (f"{cast[0].get_absolute_url()}picture.png", LIST, CUP):
        assert client.get(address).headers["Content-Type"] == "image/png"
    person, rating_list, event = drawn
    row = cast[0].ratings.get()
    assert (person.title, person.figure) == (cast[0].name, f"{row.rating:.0f}?")
    assert len(person.curve) == 3
    assert [one.name for one in rating_list.rows] == [one.player.name for one in RatingList.objects.get().ratings.all()]
    places = client.get("/tournaments/winter-cup/standings/").context["table"].rows
    assert [one.place for one in event.rows] == [str(one.record.place) for one in places]
    assert event.lines[0].endswith("4 players")
    RatingList.objects.get().ratings.update(ranked=False)
    newcomer = factory.make_players(5)[4]
    tables = open_event("Evenings", pool="standard", by=None).tournament
    for address in (cast[0].get_absolute_url(), newcomer.get_absolute_url(), tables.get_absolute_url()):
        client.get(f"{address}picture.png")
    on_probation, unrated, evenings = drawn[3:]
    assert (on_probation.lines[1], on_probation.figure[-1:]) == ("on probation", "?")
    assert (unrated.title, unrated.figure, unrated.lines) == (newcomer.name, "", ("Not rated yet.",))
    assert (evenings.title, evenings.rows) == ("Evenings", ())


@pytest.mark.django_db
@pytest.mark.parametrize("visibility", ["initials", "members", "hidden"])
def test_nobody_is_named_whom_not_everybody_may_see(
    client: Client, cast: list[Player], drawn: list[Picture], visibility: str
) -> None:
    change_player(cast[1].pk, {"visibility": visibility}, by=None)
    as_member(client)  # who sees the names on the pages
    found = Player.objects.get(pk=cast[1].pk)
    assert client.get(f"/players/{found.slug}/picture.png").status_code == 404
    assert client.get(f"/players/{cast[1].slug}/picture.png").status_code == 404
    for address in (LIST, CUP):
        client.get(address)
        names = [row.name for row in drawn[-1].rows]
        assert f"Player {found.number}" in names
        assert "B. B." not in names
        assert cast[1].name not in names
    page = client.get(f"/players/{found.slug}/")
    assert "picture.png" not in page.text, "the club’s icon instead"


@pytest.mark.django_db
def test_pages_point_to_their_pictures_in_their_language(client: Client, cast: list[Player]) -> None:
    for page in (cast[0].get_absolute_url(), "/ratings/standard/", "/ru/tournaments/winter-cup/"):
        text = client.get(page).text
        assert f'<meta property="og:image" content="http://testserver{page}picture.png">' in text
        assert '<meta name="twitter:card" content="summary_large_image">' in text
    assert client.get("/ratings/nothing/picture.png").status_code == 404
    assert client.get("/tournaments/nothing/picture.png").status_code == 404


@pytest.mark.django_db
def test_a_picture_is_drawn_once_for_every_change_of_the_club(client: Client, cast: list[Player]) -> None:
    first = client.get(LIST)
    assert first.headers["ETag"]
    assert client.get(LIST, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    assert client.get(LIST).content == first.content
