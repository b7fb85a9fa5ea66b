"""Classes by rating, and tiers as a filter of the list and a limit of a tournament."""

import pytest
from django.test import Client

from players.models import AuditEvent, Player
from players.refusals import Refused
from ratings.lists.services import NewRule, NewStart, NewTier, set_rules, set_tiers
from ratings.lists.words import CLASSES, class_words
from ratings.models import RatingList
from ratings.systems import SYSTEMS
from tests import factory
from tests.test_registries import each_system
from tournaments.entries.services.entries import enter_players
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.rated_games.services.people import bring_starting_ratings

RATINGS = (1299.4, 1299.5, 1450, 2050)


EDGES = {
    2700: "title contender", 2699.4: "grandmaster class", 2699.5: "title contender", 2500: "grandmaster class",
    2400: "international master class", 2200: "national master class", 2000: "candidate master class",
    1800: "1st category", 1600: "2nd category", 1400: "3rd category", 1200: "average amateur", 1000: "amateur",
    999: "novice", 0: "novice",
}  # fmt: skip


def test_a_class_is_read_off_the_rating_as_it_is_shown_and_has_words() -> None:
    assert {rating: class_words(rating) for rating in EDGES} == EDGES
    lowest = [bound for bound, _words in CLASSES if bound is not None]
    assert len(CLASSES) == len(set(EDGES.values())) == 11
    assert lowest == sorted(lowest, reverse=True)


@each_system
def test_only_scales_like_elos_have_classes(system: object) -> None:
    assert system.elo_scale == (system.key not in {"league", "solo-zerg", "r2", "kd", "trueskill", "weng-lin", "egf"})  # type: ignore[attr-defined]
    assert system in SYSTEMS


@pytest.fixture
def four(standard: RatingList) -> list[Player]:
    players = factory.make_players(4)
    starts = [NewStart(p.pk, factory.MONDAY, rating, 40) for p, rating in zip(players, RATINGS, strict=True)]
    bring_starting_ratings(standard, starts, by=None)
    return players


@pytest.mark.django_db
def test_a_class_stands_next_to_the_rating_of_whoever_is_off_probation(client: Client, four: list[Player]) -> None:
    assert "candidate master class" in client.get("/ratings/standard/").text
    assert "candidate master class" in client.get(four[3].get_absolute_url()).text
    RatingList.objects.update(provisional_games=50)
    assert "candidate master class" not in client.get("/ratings/standard/").text
    assert "candidate master class" not in client.get(four[3].get_absolute_url()).text


@pytest.mark.django_db
def test_a_list_on_another_scale_shows_no_class_and_no_performance(client: Client, four: list[Player]) -> None:
    factory.play_all(factory.make_round_robin(four))
    assert "Performance" in client.get(four[3].get_absolute_url()).text
    set_rules(RatingList.objects.get(), [NewRule(factory.MONDAY, "league", {})], by=None)
    assert "master class" not in client.get("/ratings/standard/").text
    page = client.get(four[3].get_absolute_url()).text
    assert "master class" not in page
    assert "Performance" not in page


@pytest.fixture
def tiers(standard: RatingList) -> None:
    set_tiers(standard, [NewTier("Premier", None), NewTier("Second League", 2000), NewTier("Third", 1300)], by=None)


def shown(client: Client, query: str) -> list[int]:
    return [row.record.player.number for row in client.get(f"/ratings/standard/{query}").context["table"].rows]


@pytest.mark.django_db
def test_a_tier_filters_the_list_by_the_rating_shown(client: Client, four: list[Player], tiers: None) -> None:
    assert shown(client, "?tier=premier") == [4]
    assert shown(client, "?tier=second-league") == [3, 2], "1299.5 is shown as 1300"
    assert shown(client, "?tier=third") == [1]
    assert shown(client, "?tier=none") == [4, 3, 2, 1]
    assert "Second League" in client.get("/about/ratings/").text


@pytest.mark.django_db
def test_two_tiers_never_end_at_the_same_rating_and_one_nobody_can_stand_in_is_refused(
    standard: RatingList, tiers: None
) -> None:
    with pytest.raises(Refused, match="same rating"):
        set_tiers(standard, [NewTier("A", 1300), NewTier("B", 1300)], by=None)
    with pytest.raises(Refused, match="same name"):
        set_tiers(standard, [NewTier("A", 1300), NewTier("a", 1400)], by=None)
    assert standard.tiers.count() == 3
    set_tiers(factory.make_list("other", primary=False), [NewTier("Premier", None)], by=None)
    assert standard.tiers.count() == 3, "those of another list are its own"
    assert AuditEvent.objects.filter(action="list.tiers-changed").exists()
    with pytest.raises(Refused, match="Nobody"):
        create_tournament(NewTournament("Nobody's", tier_from=1300, tier_below=1300), by=None)


@pytest.mark.django_db
def test_the_administrator_writes_tiers_under_the_list(client: Client, standard: RatingList) -> None:
    client.force_login(factory.make_administrator())
    rule = standard.rules.get()
    form = {"name": "Standard", "provisional_games": "30", "public": "on", "primary": "on", "order": "1"}
    form |= {"reentry_games": "10"}
    form |= {"rules-TOTAL_FORMS": "1", "rules-INITIAL_FORMS": "1", "rules-0-id": str(rule.pk)}
    form |= {"rules-0-rating_list": str(standard.pk), "rules-0-valid_from": "1900-01-01", "rules-0-settings": "{}"}
    form |= {"rules-0-system": "elo", "tiers-TOTAL_FORMS": "1", "tiers-INITIAL_FORMS": "0"}
    form |= {"tiers-0-name": "Low", "tiers-0-below": "1300"}
    answer = client.post(f"/admin/ratings/ratinglist/{standard.pk}/change/", form)
    assert answer.status_code == 302
    assert [(tier.slug, tier.below) for tier in standard.tiers.all()] == [("low", 1300)]
    standard.refresh_from_db()
    assert standard.live_generation == 1, "tiers rate nobody"


@pytest.mark.django_db
def test_a_tournament_for_a_tier_takes_only_whoever_stands_in_it(client: Client, four: list[Player]) -> None:
    cup = create_tournament(NewTournament("Amateurs", tier_from=1300, tier_below=2000), by=None)
    with pytest.raises(Refused, match=r"Player #1 stands at 1299: this event is for 1300 and more\."):
        enter_players(cup, [four[0]], by=None)
    with pytest.raises(Refused, match=r"Player #4 stands at 2050: this event is for less than 2000\."):
        enter_players(cup, [four[3]], by=None)
    (newcomer,) = factory.make_players(5)[4:]
    entered = enter_players(cup, [four[1], four[2], newcomer], by=None)
    assert len(entered) == 3, "an unrated player counts with the list's start of 1500"
    assert "for ratings from 1300 to below 2000" in client.get(cup.get_absolute_url()).text
