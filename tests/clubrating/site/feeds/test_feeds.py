"""Feeds, the site map, what search engines and messengers are told: all of it public, none of it about the private."""

from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from clubrating.site.feeds import views
from players.models import Player, Visibility
from ratings.models import PublishedRow, RatingList, RatingListRule
from tests import factory
from tests.tournaments.contests.contest_cases import make_evening, play
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages import page_cases
from tests.tournaments.teams.team_cases import make_team_event
from tests.tournaments.teams.team_cases import play as play_teams
from tournaments.event_pages.selectors.feeds import recent_news
from tournaments.free_play.services import record_free_game
from tournaments.models import Contest, Pairing, Round, TeamMatch, Tournament
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"
RESULTS, LISTS, CUP = "/feeds/results.atom", "/feeds/lists.atom", "/tournaments/winter-cup/results.atom"


standard = club_and_list


@pytest.fixture(scope="module")
def cup(standard: RatingList) -> Tournament:
    cup = factory.make_round_robin(factory.make_players(4))
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    publish_list(standard, factory.MONDAY, by=None)
    return cup


def entries(address: str) -> list[dict[str, str]]:
    response = Client().get(address)
    assert response.headers["Content-Type"].startswith("application/atom+xml")
    found = []
    for entry in ElementTree.fromstring(response.content).iter(f"{ATOM}entry"):
        link = entry.find(f"{ATOM}link")
        assert link is not None
        words = {row.tag.removeprefix(ATOM): row.text or "" for row in entry}
        found.append({**words, "link": link.get("href", "")})
    return found


@pytest.mark.parametrize("address", [RESULTS, CUP])
def test_a_round_is_one_piece_of_news(cup: Tournament, address: str) -> None:
    (entry,) = entries(address)
    assert entry["title"] == "Winter Cup, round 1"
    assert entry["link"].endswith("/tournaments/winter-cup/rounds/1/")
    assert entry["summary"].count("<li>") == 2
    assert "½–½" in entry["summary"]
    assert entry["updated"]
    assert Client().get(CUP.replace("winter-cup", "nowhere")).status_code == 404


def test_the_latest_news_come_first_and_forfeits_are_none(cup: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    factory.play_round(cup, 2, [Result.WHITE_FORFEITS, Result.BLACK_FORFEITS])
    assert [news.round for news in recent_news()] == [1]
    factory.play_round(cup, 3, [Result.DRAW, Result.BOTH_FORFEIT])
    boards = [(news.round, [game.pairing.board for game in news.games]) for news in recent_news()]
    assert boards == [(3, [1]), (1, [1, 2])]
    assert [news.round for news in recent_news(1)] == [3]
    for limit, most, expected in (("MOST_RESULTS", 2, [1, 1]), ("LOOKED_AT", 2, [1])):
        with monkeypatch.context() as few:
            few.setattr(f"tournaments.event_pages.selectors.feeds.{limit}", most)
            assert [len(news.games) for news in recent_news()] == expected


def test_of_two_events_each_tells_its_own_and_what_does_not_count_is_no_news(cup: Tournament) -> None:
    other = factory.make_round_robin(factory.make_players(4), name="Other Cup")
    factory.play_round(other, 2, [Result.DRAW, Result.DRAW])
    assert [(news.tournament, news.round) for news in recent_news(slug="other-cup")] == [(other, 2)]
    assert [(news.tournament, news.round) for news in recent_news(slug="winter-cup")] == [(cup, 1)]
    played = Pairing.objects.filter(round__stage__tournament=other, round__number=2)
    Pairing.objects.filter(pk=played[0].pk).update(superseded=True)
    assert [len(news.games) for news in recent_news(slug="other-cup")] == [1]
    for rows, change in (
        (Round.objects.filter(stage__tournament=other), {"state": Round.State.DRAFT}),
        (Tournament.objects.filter(pk=cup.pk), {"entry_size": 2}),
    ):
        rows.update(**change)
    assert recent_news() == []


def test_an_evening_of_free_play_is_news_too(cup: Tournament) -> None:
    one, other = factory.make_players(2)
    evenings = page_cases.make_event([], "free", name="Evenings")
    for day in range(2):
        on = factory.MONDAY + timedelta(days=day)
        record_free_game(evenings, one, other, Result.DRAW, on, by=None)
    later, sooner, _round = found = entries(RESULTS)
    assert (later["title"], sooner["title"]) == ("Evenings, 6 January 2026", "Evenings, 5 January 2026")
    assert len({entry["id"] for entry in found}) == 3


def test_a_published_list_with_its_first_places(cup: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    (entry,) = entries(LISTS)
    assert entry["title"] == "Standard of 5 January 2026"
    assert entry["link"].endswith("/ratings/standard/?on=2026-01-05")
    standard, player = RatingList.objects.get(), Player.objects.earliest("number")
    PublishedRow.objects.filter(player=player).update(rating=1500.0, deviation=40.0, place=1)
    (entry,) = entries(LISTS)
    assert f"<li>{player.name} 1500</li>" in entry["summary"]
    RatingListRule.objects.create(rating_list=standard, valid_from=factory.today(), system="weng-lin")
    RatingList.objects.update(cautious=True)
    assert entries(LISTS) == [entry], "in the figures of its day"
    for later in (2, 1):
        publish_list(standard, factory.MONDAY + timedelta(days=later), by=None)
    days = [each["link"][-2:] for each in entries(LISTS)]
    monkeypatch.setattr(views, "MOST_LISTS", 2)
    assert (days, [each["link"][-2:] for each in entries(LISTS)]) == (["07", "06", "05"], ["07", "06"])
    RatingList.objects.update(public=False)
    assert entries(LISTS) == []


def test_feeds_stand_in_the_language_of_their_address(cup: Tournament) -> None:
    assert "/ru/tournaments/winter-cup/rounds/1/" in Client().get(f"/ru{RESULTS}").text


@pytest.mark.parametrize("address", [RESULTS, LISTS, CUP, "/", "/tournaments/winter-cup/", "/sitemap.xml"])
@pytest.mark.parametrize("level", [Visibility.INITIALS, Visibility.MEMBERS, Visibility.HIDDEN])
def test_nobody_private_is_named_whoever_asks(cup: Tournament, address: str, level: str) -> None:
    """A feed is kept and passed on: an officer's session makes no difference."""
    private = Player.objects.latest("number")
    Player.objects.filter(pk=private.pk).update(visibility=level)
    officer = Client()
    officer.force_login(factory.make_arbiter())
    clients = [Client(), officer] if address.endswith((".atom", ".xml")) else [Client()]
    for client in clients:
        assert private.name not in client.get(address).text


@pytest.mark.parametrize("address", [RESULTS, LISTS])
def test_the_number_of_queries_does_not_grow(cup: Tournament, standard: RatingList, address: str) -> None:
    with CaptureQueriesContext(connection) as few:
        Client().get(address)
    factory.play_round(cup, 2, [Result.DRAW, Result.DRAW])
    publish_list(standard, factory.MONDAY + timedelta(days=40), by=None)
    with CaptureQueriesContext(connection) as many:
        Client().get(address)
    assert len(many) == len(few)


def test_tables_are_news_of_their_own_event_until_they_are_taken_out(
    cup: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (make_evening(name) for name in ("First", "Second"))
    record_free_game(first, *factory.first_players(2), Result.DRAW, factory.MONDAY, by=None)
    table, _other = (play(event, "1: 1; 2: 2; 3: 3") for event in (first, second))
    last = play(first, "1: 2; 2: 1; 3: 3")
    with monkeypatch.context() as few:
        few.setattr("tournaments.event_pages.selectors.feeds.MOST_TABLES", 1)
        assert [shown.contest for shown in recent_news(slug=first.slug)[0].tables] == [last]
    (news,) = recent_news(slug=first.slug)
    assert (news.at, len(news.games)) == (last.recorded_at, 1), "as late as the last of both"
    assert (news.tournament, len(news.tables), news.tables[0].contest) == (first, 2, table), "in order of entry"
    drawn = Pairing.objects.filter(round__number=1)[0]
    Contest.objects.filter(pk=table.pk).update(pairing=drawn)
    for rows, sound, gone in (
        (Pairing.objects.filter(pk=drawn.pk), {"superseded": False}, {"superseded": True}),
        (Round.objects.filter(pk=drawn.round_id), {"state": Round.State.PUBLISHED}, {"state": Round.State.DRAFT}),
        (Contest.objects.filter(pk=table.pk), {"withdrawn": False}, {"withdrawn": True}),
    ):
        for change, count in ((gone, 1), (sound, 2)):
            rows.update(**change)
            assert sum(len(news.tables) for news in recent_news(slug=first.slug)) == count


def test_a_round_of_teams_tells_its_matches_and_the_clubs_calendar_only_these(standard: RatingList) -> None:
    event = make_team_event(3, boards=1, size=1)
    match = TeamMatch.objects.filter(away__isnull=False, round__number=2).select_related("home", "away").get()
    play_teams(match, [Result.DRAW])
    (news,) = recent_news(slug=event.slug)
    assert [(news.tournament, each.row) for _facts, each in news.matches] == [(event, match)]
    (entry,) = entries(f"/tournaments/{event.slug}/results.atom")
    assert f"<ul><li>{match.home.name} ½ : ½ {match.away.name}, finished</li></ul>" in entry["summary"]
    Round.objects.filter(stage__tournament=event).update(planned_on=factory.today())
    TeamMatch.objects.update(played_on=factory.today())
    calendar = Client().get("/tournaments/calendar.ics").text
    assert (calendar.count("BEGIN:VEVENT"), calendar.count("UID:team-match.")) == (3, 3)


def test_the_site_map_has_every_public_page_in_every_language_and_nobodys(cup: Tournament) -> None:
    factory.make_list("trial", primary=False)
    RatingList.objects.filter(slug="trial").update(public=False)
    for is_over in (False, True):
        Tournament.objects.update(closed=is_over, ends_on=factory.MONDAY)
        text = Client().get("/sitemap.xml").text
        assert ("<lastmod>" in text) is is_over, "while an event runs its pages change"
    for code, _name in settings.LANGUAGES:
        prefix = "" if code == "en" else f"/{code}"
        for path in ("/", "/ratings/standard/", "/tournaments/winter-cup/", "/tools/elo/"):
            assert f"<loc>http://testserver{prefix}{path}</loc>" in text
    assert "/players/" not in text
    assert "/ratings/trial/" not in text
    assert 'hreflang="zh-hant"' in text


def test_search_engines_are_kept_from_people_and_doors(cup: Tournament) -> None:
    robots = Client().get("/robots.txt").text
    for path in ("/admin/", "/account/", "/players/"):
        assert f"Disallow: {path}" in robots
    assert "Sitemap: http://testserver/sitemap.xml" in robots
    player = Player.objects.earliest("number")
    for path in ("/players/", player.get_absolute_url(), f"/ru{player.get_absolute_url()}", "/api/v1/players/"):
        assert Client().get(path).headers["X-Robots-Tag"] == "noindex"
    assert "X-Robots-Tag" not in Client().get("/ratings/standard/").headers


def test_a_link_shows_the_club_and_its_icon(cup: Tournament) -> None:
    page = Client().get("/ru/tournaments/winter-cup/").text
    assert '<meta property="og:site_name" content="Test Club">' in page
    assert '<meta property="og:url" content="http://testserver/ru/tournaments/winter-cup/">' in page
    assert '<meta property="og:image" content="http://testserver/ru/tournaments/winter-cup/picture.png">' in page
    assert '<link rel="apple-touch-icon" href="/static/img/icon.png">' in page


def test_browsers_find_the_icon_where_they_look_for_it() -> None:
    assert Client().get("/favicon.ico").headers["Location"] == "/static/img/icon.png"
