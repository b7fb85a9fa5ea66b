"""Published lists: frozen once, never rewritten, with a digest anybody can compute."""

import json
from datetime import date, timedelta
from hashlib import sha256

import pytest
from django.contrib.admin import site
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client

from players.models import AuditEvent, Player
from players.refusals import Refused
from ratings.lists.selectors.listing import listing_when_published
from ratings.lists.selectors.published import published_days
from ratings.lists.services import BEGINNING, NewRule, NewStart, change_list, set_rules
from ratings.models import PublishedList, PublishedRow, RatingList, StartingRating
from ratings.systems.published import SealedRow, canonical, list_digest, plain_terms, read_terms
from tests import factory
from tests.clubrating.site.lists.list_pages import found_list
from tournaments.models import Game, Tournament
from tournaments.rated_games.services.past_lists import known_states, preview_publication, publish_list, terms_on
from tournaments.rated_games.services.people import bring_starting_ratings, change_player
from tournaments.rated_games.services.rebuilding import rebuild_list
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db

DAY = factory.MONDAY
LATER = DAY + timedelta(days=30)


@pytest.fixture(scope="module")
def field(world: None) -> list[Player]:
    players = found_list((1800, 40), (1700, 40), players=4)
    factory.play_all(factory.make_round_robin(players), Result.WHITE_WINS)
    return players


@pytest.fixture
def standard(field: list[Player]) -> RatingList:
    return RatingList.objects.get(slug="standard")


def rows_of(published: PublishedList) -> list[tuple[object, ...]]:
    columns = ("player__number", "place", "rating", "games", "provisional", "deviation")
    return list(published.rows.order_by("pk").values_list(*columns))


def test_a_day_in_the_middle_is_published_as_it_stood_then(standard: RatingList, field: list[Player]) -> None:
    published = publish_list(standard, DAY, by=None)
    assert {row[3] for row in rows_of(published)} == {41, 1}


def test_ratings_of_another_list_and_of_a_rebuild_are_not_those_of_the_list(
    standard: RatingList, field: list[Player]
) -> None:
    (newcomer,), live = factory.make_players(1), standard.live_generation
    known = known_states(standard, LATER)
    beside = factory.make_list("trial", pool="trial", primary=False)
    for rating_list, generation in ((beside, live), (standard, live + 1)):
        row = standard.ratings.filter(generation=live)[0]
        row.pk, row.player, row.rating_list, row.generation = None, newcomer, rating_list, generation
        row.save(force_insert=True)
    assert known_states(standard, LATER) == known


def test_a_preview_is_of_the_list_and_day_asked_for(standard: RatingList, field: list[Player]) -> None:
    beside = factory.make_list("trial", primary=False)
    change_list(beside, {"provisional_games": 2}, by=None)
    rebuild_list(beside)
    found = [preview_publication(each, on) for each in (standard, beside) for on in (DAY, LATER)]
    assert [(each.on, each.ranked, each.provisional) for each in found] == [
        (DAY, 2, 2),
        (LATER, 2, 2),
        (DAY, 0, 4),
        (LATER, 4, 0),
    ]


def test_a_published_list_stays_whatever_is_corrected_or_brought_later(
    standard: RatingList, field: list[Player]
) -> None:
    published = publish_list(standard, LATER, by=None)
    before = rows_of(published), published.settings, published.digest
    correct_result(game=Game.objects.order_by("sequence")[0].pk, result=Result.BLACK_WINS, by=None)
    StartingRating.objects.filter(player=field[0]).update(rating=2000)
    change_player(field[0].pk, {"birth_year": 2014, "active": False}, by=None)
    rebuild_list(standard)
    published.refresh_from_db()
    assert (rows_of(published), published.settings, published.digest) == before


def test_a_second_publication_of_a_day_is_refused_by_the_database_too(
    standard: RatingList, field: list[Player]
) -> None:
    publish_list(standard, LATER, by=None)
    with pytest.raises(Refused, match=r"is published for 4 Feb 2026 already, .* never rewritten"):
        publish_list(standard, LATER, by=None)
    publish_list(standard, DAY, by=None)  # an earlier day not published yet may follow
    assert PublishedList.objects.count() == 2
    with pytest.raises(IntegrityError), transaction.atomic():
        PublishedList.objects.create(rating_list=standard, on=LATER, settings={}, digest="")


def test_a_day_to_come_and_an_empty_list_are_refused(standard: RatingList, field: list[Player]) -> None:
    with pytest.raises(Refused, match="has not come yet"):
        publish_list(standard, factory.today() + timedelta(days=1), by=None)
    with pytest.raises(Refused, match="Nobody was in Standard"):
        publish_list(standard, DAY - timedelta(days=1), by=None)
    assert not AuditEvent.objects.filter(action="list.published").exists()


def test_the_days_of_a_list_are_its_own_the_latest_first(standard: RatingList) -> None:
    rapid = factory.make_list("rapid", pool="rapid", primary=False)
    PublishedList.objects.create(rating_list=rapid, on=DAY, settings={}, digest="")
    for on in (DAY, DAY + timedelta(days=7)):
        publish_list(standard, on, by=None)
    assert published_days([standard]) == {standard.pk: [DAY + timedelta(days=7), DAY]}


def test_a_list_is_frozen_with_places_and_probation_and_the_trail_keeps_who_published(
    standard: RatingList, field: list[Player]
) -> None:
    published = publish_list(standard, LATER, by=factory.make_arbiter())
    event = AuditEvent.objects.get(action="list.published")
    assert (event.role, event.subject_key) == ("arbiter", published.pk)
    assert event.after == {"list": "standard", "on": "2026-02-04", "players": 4, "digest": published.digest}
    live = list(standard.ratings.order_by("-rating", "reached_order").values_list("player__number", "rating", "games"))
    assert [(row[0], row[2], row[3]) for row in rows_of(published)] == live
    assert [row[1] for row in rows_of(published)] == [1, 2, None, None]
    assert [row[4] for row in rows_of(published)] == [False, False, True, True]


def test_settings_tell_all_a_list_is_computed_from(standard: RatingList, field: list[Player]) -> None:
    rules = [NewRule(BEGINNING, "elo", {}), NewRule(LATER, "glicko", {}), NewRule(date(2099, 1, 1), "kd", {})]
    set_rules(standard, rules, by=None)
    change_list(standard, {"reentry_years": 3, "provisional_games": 5}, by=None)
    later, beside = LATER + timedelta(days=1), factory.make_list("trial", primary=False)
    for rating_list, on in ((standard, later), (beside, DAY)):
        bring_starting_ratings(rating_list, [NewStart(field[2].pk, on, 1500, 40)], by=None)
    set_rules(beside, [NewRule(LATER, "glicko", {})], by=None)
    Player.objects.filter(pk=field[0].pk).update(number=99)
    assert [system for _day, system, _settings in terms_on(beside, DAY).rules] == ["glicko"], "it holds before its day"
    rebuild_list(standard)
    standard.refresh_from_db()
    found = publish_list(standard, LATER, by=None).settings
    assert [rule["system"] for rule in found["rules"]] == ["elo", "glicko"], "one of the future is not in force"
    assert found["rules"][0]["valid_from"] == "1900-01-01"
    assert (found["list"], found["pool"], found["on"]) == ("standard", "standard", "2026-02-04")
    assert (found["provisional_games"], found["reentry"]) == (5, {"days": 1096, "games": 10})
    assert found["starting_ratings"][0] == {"number": 2, "on": "2026-01-05", "rating": 1700.0, "games": 40}
    assert len(found["starting_ratings"]) == 2, "neither one to come nor another list's"
    assert read_terms(found) == terms_on(standard, LATER)


def test_running_events_are_told_where_a_list_rates_by_the_event(standard: RatingList, field: list[Player]) -> None:
    assert publish_list(standard, DAY, by=None).settings["running_events"] == []
    set_rules(standard, [NewRule(BEGINNING, "elo", {"period": "event"})], by=None)
    Tournament.objects.update(closed=True)
    rebuild_list(standard)
    on = DAY + timedelta(days=1)
    assert publish_list(standard, on, by=None).settings["running_events"] == ["winter-cup"]
    assert publish_list(standard, LATER, by=None).settings["running_events"] == []


def test_the_digest_is_what_the_page_says_and_sees_every_figure_and_every_setting(
    standard: RatingList, field: list[Player]
) -> None:
    """Lines in the order of numbers, the settings last, SHA-256: docs/published-lists.md."""
    published = publish_list(standard, LATER, by=None)
    rows = sorted(published.rows.values_list("player__number", "rating", "games", "provisional"))
    lines = [f"{number};{rating:.4f};{games};{int(provisional)}" for number, rating, games, provisional in rows]
    settings = json.dumps(published.settings, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert published.digest == sha256("\n".join([*lines, settings]).encode()).hexdigest()
    sealed, terms = [SealedRow(1, 1500.0, 3, True), SealedRow(2, 1400.00004, 30, False)], {"pool": "standard"}
    digest = list_digest(sealed, terms)
    assert digest == list_digest(reversed(sealed), terms), "the order of rows is not the digest's affair"
    assert digest == list_digest([sealed[0], sealed[1]._replace(rating=1400.0)], terms), "four decimals"
    others = [{"number": 3}, {"rating": 1500.0001}, {"games": 4}, {"provisional": False}]
    changed = {list_digest([sealed[0]._replace(**other), sealed[1]], terms) for other in others}
    assert len({digest, *changed, list_digest(sealed, {"pool": "rapid"})}) == 6


def test_terms_survive_the_way_through_text_and_another_shape_is_refused(
    standard: RatingList, field: list[Player]
) -> None:
    terms = terms_on(standard, LATER)
    plain = plain_terms(terms)
    assert read_terms(json.loads(canonical(plain))) == terms
    shapes: list[dict[str, object]] = [{"on": "x"}, {"rules": 3}, {"reentry": {"days": "x"}}]
    shapes.append({"starting_ratings": [{"number": 1}]})
    for wrong in shapes:
        with pytest.raises(ValueError, match=r"settings|isoformat|invalid literal"):
            read_terms({**plain, **wrong})
    nothing: list[object] = [None, [], {}, "settings", 7]
    for each in nothing:
        with pytest.raises(ValueError, match="settings"):
            read_terms(each)
    strange = {**plain, "rules": [{**plain["rules"][0], "system": "magic"}]}
    with pytest.raises(ValueError, match="no rating system “magic”"):
        read_terms(strange).dated_rules()
    published = publish_list(standard, LATER, by=None)
    published.settings = strange
    assert listing_when_published(published).value(1500.0, 80.0) == 1500.0


# --- command and administration -----------------------------------------------------------------------------------
def test_publish_list_publishes_today_or_the_day_told(
    standard: RatingList, field: list[Player], capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("publish_list", "standard", "--on", "2026-02-04", "--dry-run")
    assert capsys.readouterr().out == (
        "standard as of 2026-02-04 would be published: 4 players, 2 ranked, 2 on probation.\n"
    )
    assert not PublishedList.objects.exists()
    call_command("publish_list", "standard", "--on", "2026-02-04")
    call_command("publish_list", "standard")
    assert PublishedList.objects.get(on=LATER).digest in capsys.readouterr().out
    assert PublishedList.objects.filter(on=factory.today()).exists()


def test_publish_list_refuses_with_a_sentence(standard: RatingList, field: list[Player]) -> None:
    for arguments, sentence in (
        ("nothing", "There is no rating list “nothing”"),
        ("standard --on 2099-01-01", "has not come yet"),
        ("standard --on soon", "write YYYY-MM-DD"),
    ):
        with pytest.raises(CommandError, match=sentence) as refused:
            call_command("publish_list", *arguments.split())
        assert refused.value.returncode == 2 or "argument" in str(refused.value)


def test_nobody_changes_a_published_list_in_the_administration(standard: RatingList, field: list[Player]) -> None:
    published = publish_list(standard, LATER, by=None)
    client = Client()
    client.force_login(factory.make_administrator())
    page = f"/admin/ratings/publishedlist/{published.pk}/"
    assert published.digest in client.get("/admin/ratings/publishedlist/").text
    assert published.digest in client.get(page + "change/").text
    assert client.get("/admin/ratings/publishedlist/add/").status_code == 403
    assert client.post(page + "change/", {"digest": "x"}).status_code == 403
    assert client.post(page + "delete/", {"post": "yes"}).status_code == 403
    assert PublishedRow not in site._registry


def test_a_list_is_published_from_the_administration_after_a_look(standard: RatingList, field: list[Player]) -> None:
    client = Client()
    client.force_login(factory.make_administrator())
    asked = {"action": "publish", "_selected_action": [standard.pk]}
    page = client.post("/admin/ratings/ratinglist/", asked)
    assert "4 players, 2 of them ranked" in page.text
    assert not PublishedList.objects.exists()
    done = client.post("/admin/ratings/ratinglist/", {**asked, "confirmed": "yes"}, follow=True)
    assert "is published" in done.text
    assert PublishedList.objects.get().on == factory.today()
    again = client.post("/admin/ratings/ratinglist/", asked, follow=True)
    assert "never rewritten" in again.text
