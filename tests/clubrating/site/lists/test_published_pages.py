"""Leaderboard and player page as published, as now known, and what explains the difference."""

from datetime import date, timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils.translation import override

from clubrating.site.lists import selectors
from clubrating.site.lists.tables import tenths
from players.models import AuditEvent, Player
from players.trail.services import write_audit
from ratings.lists.services import BEGINNING, NewRule, NewStart, change_list, create_list, set_rules
from ratings.models import PublishedList, RatingList, StartingRating
from tests import factory
from tests.clubrating.site.lists.list_pages import found_list
from tournaments.events.services.events import open_event, update_tournament
from tournaments.free_play.services import record_free_game
from tournaments.models import Game, Tournament
from tournaments.rated_games.services import past_lists
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.rated_games.services.people import bring_starting_ratings, change_player, drop_starting_rating
from tournaments.rated_games.services.rebuilding import rebuild_list
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("empty_cache")]

DAY = factory.MONDAY
ON = DAY + timedelta(days=10)  # two of the three rounds
PAGE = "/ratings/standard/"


@pytest.fixture(scope="module")
def published(world: None) -> PublishedList:
    factory.play_all(factory.make_round_robin(found_list((1800, 40), (1700, 40), players=4)), Result.WHITE_WINS)
    return publish_list(RatingList.objects.get(), ON, by=None)


def correct_the_first_game(reason: str = AuditEvent.Reason.WRONG_COLOURS) -> Game:
    game = Game.objects.order_by("sequence")[0]
    return correct_result(
        game=game.pk, result=Result.BLACK_WINS, by=factory.make_arbiter(), reason=reason, note="Seen by Finn Falk"
    )


def shown(client: Client, query: str) -> list[tuple[int | None, int, float]]:
    rows = client.get(f"{PAGE}?{query}").context["table"].rows
    return [(row.record.standing.place, row.record.player.number, row.record.standing.rating) for row in rows]


# --- the list -----------------------------------------------------------------------------------------------------
def test_as_published_and_as_now_known_are_two_pages_and_a_search_in_them_keeps_the_places(
    client: Client, published: PublishedList
) -> None:
    frozen, known = client.get(f"{PAGE}?on={ON}").text, client.get(f"{PAGE}?known={ON}").text
    assert "As published." in frozen
    assert f'href="?known={ON}"' in frozen
    assert "As known today." in known
    assert f'href="?on={ON}"' in known
    assert "Nothing has changed since" in frozen
    assert "Nothing has changed since" in known
    assert shown(client, f"on={ON}") == shown(client, f"known={ON}")
    assert [row[:2] for row in shown(client, f"on={ON}&q=brandt")] == [(2, 2)]
    assert [row[:2] for row in shown(client, f"known={ON}&q=brandt")] == [(2, 2)]
    Player.objects.filter(number=2).update(visibility="members")
    assert client.get(f"{PAGE}?on={ON}&q=brandt").context["found"] == 0


def test_a_day_between_shows_the_last_list_published_by_then(client: Client, published: PublishedList) -> None:
    page = client.get(f"{PAGE}?on={ON + timedelta(days=20)}").text
    assert "It was the last one published by 4 February 2026." in page
    assert f'href="?known={ON}"' in page
    known = client.get(f"{PAGE}?known={ON + timedelta(days=1)}").text
    assert "The last list published before, of 15 January 2026" in known
    assert "Nothing has changed since" not in known, "another day is compared with nothing"


def test_before_the_first_publication_page_and_file_say_so(client: Client, published: PublishedList) -> None:
    page = client.get(f"{PAGE}?on={DAY}")
    assert page.status_code == 404
    assert "By 5 January 2026 no list of Standard had been published." in page.text
    assert f'href="?known={DAY}"' in page.text
    assert len(shown(client, f"known={DAY}")) == 4
    answer = client.get(f"/ratings/standard/list.csv?on={DAY}")
    assert (answer.status_code, answer.text) == (404, "No list was published by that day.\n")


def test_a_day_that_is_none_gets_a_sentence(client: Client, published: PublishedList) -> None:
    sentences = {
        "on=yesterday": "Write the day as YYYY-MM-DD",
        "known=2026-1-5": "Write the day as YYYY-MM-DD",
        "known=": "Write the day as YYYY-MM-DD",
        "on=2026-02-30": "There is no such day in the calendar",
        "known=9999-12-31": "That day has not come yet",
        "on=1849-12-31": "lies before 1850",
        "on=2026-01-05&known=2026-01-05": "not for both",
        "on=٢٠٢٦-٠١-٠٥": "Write the day as YYYY-MM-DD",
    }
    for address in (PAGE, "/players/1-ada-alvarez/", "/ratings/standard/list.csv"):
        for query, sentence in sentences.items():
            page = client.get(f"{address}?{query}")
            assert page.status_code == 400, (address, query)
            assert sentence in page.text, (address, query)
    assert client.get(f"{PAGE}?known=1850-01-01").status_code == 200


def test_the_date_picker_leads_to_the_address_of_what_it_asks_for(client: Client, published: PublishedList) -> None:
    for kind, name in (("published", "on"), ("known", "known")):
        assert client.get(f"{PAGE}?day={ON}&as={kind}").headers["Location"] == f"{PAGE}?{name}={ON}"
    asked = client.get(f"/players/1-ada-alvarez/?list=standard&day={ON}&as=known")
    assert asked.headers["Location"] == f"/players/1-ada-alvarez/?list=standard&known={ON}"


def test_a_correction_shows_who_stands_otherwise_and_why_and_what_came_later_explains_nothing(
    client: Client, published: PublishedList, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = client.get(f"{PAGE}?on={ON}").context["table"].rows
    frozen = [(row.record.player.number, row.record.standing) for row in before]
    last = Game.objects.order_by("-sequence")[0]
    assert last.played_on is not None
    assert last.played_on > ON
    correct_result(game=last.pk, result=Result.DRAW, by=None)
    assert "Nothing has changed since" in client.get(f"{PAGE}?on={ON}").text
    correct_the_first_game()
    page = client.get(f"{PAGE}?on={ON}")
    assert [row.record.reason for row in page.context["change_table"].rows] == ["wrong-colours"]
    assert [(row.record.player.number, row.record.standing) for row in page.context["table"].rows] == frozen
    moved = {row.record.player.number: row.record.difference for row in page.context["difference_table"].rows}
    now = {row.player.number: row.rating for row in RatingList.objects.get().ratings.select_related("player")}
    assert set(moved) <= set(now)
    assert len(moved) >= 2
    monkeypatch.setattr("clubrating.site.lists.views.past_list.DIFFERENCES_SHOWN", 1)
    assert len(client.get(f"{PAGE}?on={ON}").context["difference_table"].rows) == 1
    assert all(abs(row.points or 0) > 0.1 for row in moved.values())
    for found in ("a result was corrected", "colours were exchanged", "arbiter"):
        assert found in page.text
    assert "Finn Falk" not in page.text, "name and note are for officers"
    assert shown(client, f"known={ON}") != shown(client, f"on={ON}")
    assert "are known otherwise now" in client.get(f"{PAGE}?known={ON}").text


def test_many_later_changes_do_not_hide_the_one_that_bears_on_the_list(
    client: Client, published: PublishedList, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "MOST", 1)
    correct_the_first_game()
    last = Game.objects.order_by("-sequence")[0]
    for result in (Result.DRAW, Result.BLACK_WINS):
        correct_result(game=last.pk, result=result, by=None)
    page = client.get(f"{PAGE}?on={ON}")
    assert [row.record.reason for row in page.context["change_table"].rows] == ["wrong-colours"]


def test_only_a_change_that_can_move_an_old_rating_explains_one(published: PublishedList) -> None:
    standard, cup, player = published.rating_list, Tournament.objects.get(), Player.objects.earliest("number")
    change_player(player.pk, {"title": "FM"}, by=None)
    update_tournament(cup.pk, {"name": "Cup of Winter"}, by=None)
    change_list(standard, {"name": "Usual"}, by=None)
    trial = create_list(name="Trial", slug="trial", pool="standard", by=None, primary=False)
    change_list(trial, {"provisional_games": 20}, by=None)
    bring_starting_ratings(trial, [NewStart(player.pk, DAY, 1500, 40)], by=None)
    assert selectors.changes_since(published) == []
    change_player(player.pk, {"birth_year": 2012}, by=None)
    update_tournament(cup.pk, {"starts_on": DAY + timedelta(1)}, by=None)
    change_list(standard, {"provisional_games": 20}, by=None)
    newcomer = factory.make_players(1)[0]
    for on in (ON, ON + timedelta(1)):
        bring_starting_ratings(standard, [NewStart(newcomer.pk, on, 1500, 40)], by=None)
    found = [change.action for change in selectors.changes_since(published)]
    assert found == ["starting-rating.entered", "list.changed", "tournament.changed", "player.changed"]
    for start in StartingRating.objects.filter(player=newcomer):
        drop_starting_rating(start.pk, by=None)
    assert [change.action for change in selectors.changes_since(published)] == ["starting-rating.removed", *found[1:]]


def test_a_late_result_of_another_pool_explains_nothing(published: PublishedList) -> None:
    white, black = factory.first_players(2)
    record_free_game(open_event("Rapid", pool="rapid", by=None).tournament, white, black, Result.DRAW, DAY, by=None)
    assert selectors.changes_since(published) == []


def test_a_late_result_of_the_lists_own_day_explains_a_difference_one_of_the_next_day_none(
    published: PublishedList,
) -> None:
    game = Game.objects.order_by("sequence")[0]
    for day, found in ((ON + timedelta(1), []), (ON, ["result.recorded"])):
        Game.objects.filter(pk=game.pk).update(played_on=day)
        write_audit("result.recorded", game, by=None, after={"played_on": day.isoformat()})
        assert [change.action for change in selectors.changes_since(published)] == found


@pytest.mark.parametrize(("language", "nothing"), [("en", "±0.0"), ("ru", "±0,0")])
def test_a_difference_that_rounds_to_nothing_has_no_direction(language: str, nothing: str) -> None:
    with override(language):
        assert [tenths(points) for points in (0.04, -0.04, 0.0)] == [nothing] * 3
        assert tenths(-0.06)[0] == "−"


def test_events_that_ended_since_are_named(client: Client, published: PublishedList) -> None:
    standard = RatingList.objects.get()
    set_rules(standard, [NewRule(BEGINNING, "elo", {"period": "event"})], by=None)
    rebuild_list(standard)
    on = DAY + timedelta(days=30)
    factory.play_all(factory.make_round_robin(factory.first_players(2), name="Zonal Cup"))
    publish_list(standard, on, by=None)
    factory.make_round_robin(factory.first_players(2), name="Spring Cup")
    Tournament.objects.update(closed=True)
    rebuild_list(standard)
    page = client.get(f"{PAGE}?on={on}").text
    assert "Over since, and counted from their last game on" in page
    assert page.index("Winter Cup") < page.index("Zonal Cup")
    assert "Spring Cup" not in page


def test_no_difference_is_told_of_whom_the_name_is_not(client: Client, published: PublishedList) -> None:
    """By how much a rating moved may tell an age, as on every other page."""
    Player.objects.filter(number__in=[1, 4]).update(visibility="initials")
    correct_the_first_game()
    rows = client.get(f"{PAGE}?on={ON}").context["difference_table"].rows
    cells = {row.record.player.number: (row.get_cell("published"), row.get_cell("points")) for row in rows}
    assert {number for number, (_, points) in cells.items() if points == "–"} == {1, 4} & set(cells)
    assert all("." not in rating for number, (rating, _) in cells.items() if number in (1, 4))
    assert "Ada Alvarez" not in client.get(f"{PAGE}?on={ON}").text


# --- the player's page --------------------------------------------------------------------------------------------
def test_a_correction_shows_on_a_players_page_of_that_day_and_where_he_was_in_no_list(
    client: Client, published: PublishedList
) -> None:
    game = correct_the_first_game()
    white = Player.objects.get(pk=game.white_id)
    for query in (f"on={ON}", f"known={ON}"):
        page = client.get(f"{white.get_absolute_url()}?{query}")
        frozen, standing = page.context["frozen"], page.context["standing"]
        assert frozen.rating != standing.rating
        assert "As published for 15 January 2026" in page.text
        assert "As known today for 15 January 2026" in page.text
    text = client.get(f"/players/1-ada-alvarez/?on={DAY - timedelta(days=1)}").text
    assert "no list of Standard had been published" in text
    assert "Not in the list that day." in text
    create_list(name="Rapid", slug="rapid", pool="rapid", by=None)
    assert "Not in the list that day." in client.get(f"/players/1-ada-alvarez/?list=rapid&known={ON}").text


# --- the file -----------------------------------------------------------------------------------------------------
def test_the_file_shows_names_as_the_viewer_may_see_them_and_of_a_private_list_is_for_officers(
    client: Client, published: PublishedList
) -> None:
    Player.objects.filter(number=1).update(visibility="initials")
    Player.objects.filter(number=2).update(visibility="hidden")
    address = f"/ratings/standard/list.csv?on={ON}"
    public = client.get(address)
    assert public.headers["Content-Disposition"] == f'attachment; filename="standard-{ON}.csv"'
    known = client.get(f"/ratings/standard/list.csv?known={ON}")
    assert known.headers["Content-Disposition"] == f'attachment; filename="standard-known-{ON}.csv"'
    assert ",1,A. A.," in public.text
    assert ",2,Player 2," in public.text
    client.force_login(factory.make_arbiter())
    assert ",1,Ada Alvarez," in client.get(address).text
    RatingList.objects.update(public=False)
    client.logout()
    assert client.get(address).status_code == 404


# --- what they cost -----------------------------------------------------------------------------------------------
def test_an_old_list_is_read_once_until_the_list_changes_and_today_is_a_day_like_any(
    client: Client, published: PublishedList, monkeypatch: pytest.MonkeyPatch
) -> None:
    today: date = factory.today()
    rows = client.get(PAGE).context["table"].paginated_rows
    now = [(row.record.place, row.record.player.number, row.record.rating) for row in rows]
    assert shown(client, f"known={today}") == now
    cache.clear()
    first = shown(client, f"known={ON}")
    with monkeypatch.context() as patched:
        patched.setattr(past_lists, "known_states", lambda *_: pytest.fail("read again"))
        assert shown(client, f"known={ON}") == first
    correct_the_first_game()
    assert shown(client, f"known={ON}") != first
