"""A list whose probation ends by evidence: places, filters, pages and files ask one rule; by count all is as ever."""

from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubrating.site.demo.services.scale import seed_scale
from ratings.ledger.services.ledger import settle_probations
from ratings.ledger.services.rebuild import fresh_replay
from ratings.lists.selectors.lists import count_rows, live_rows, on_probation
from ratings.lists.selectors.probation import standing_at, standing_of
from ratings.lists.services import NewRule, change_list
from ratings.models import PublishedRow, RatingList
from ratings.published.services import terms_of
from ratings.systems import rating_system
from ratings.systems.probation import Record
from ratings.systems.published import plain_terms, read_terms
from ratings.systems.replay import DatedRule
from tests import factory
from tournaments.corrections.services.list_changes import ListChange, change_rated_list
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.rated_games.services.rebuilding import play_of

pytestmark = pytest.mark.django_db
GAMES, EVIDENCE = 10, {"newcomer_k": "evidence"}


def ruled(**by_day: dict[str, object]) -> RatingList:
    """The club's list under those rules, `from_2100={…}`."""
    found = RatingList.objects.get()
    rules = [NewRule(date(int(day[-4:]), 1, 1), "elo", settings) for day, settings in by_day.items()]
    change_rated_list(ListChange(found.pk, {}, rules), by=None)
    return RatingList.objects.get()


@pytest.fixture(scope="module")
def known(world: None) -> RatingList:
    """A club of eighty with a probation of ten games, by evidence."""
    seed_scale(80, 500, today=factory.today())
    found = RatingList.objects.get()
    change_rated_list(ListChange(found.pk, {"provisional_games": GAMES}), by=None)
    return ruled(from_1900=EVIDENCE)


def test_one_rule_says_who_is_on_probation(known: RatingList) -> None:
    rows = list(live_rows(known).select_related("player"))
    new = {row.pk for row in rows if known.probation.holds(row)}
    assert new == set(live_rows(known).filter(on_probation(known)).values_list("pk", flat=True))
    assert {row.pk for row in rows if row.ranked} == {row.pk for row in rows if row.player.active} - new
    assert count_rows(known).provisional == len(new)
    assert any(row.games < GAMES and row.pk not in new for row in rows), "some leave before the tenth game"


def test_the_ledger_equals_a_fresh_replay(known: RatingList) -> None:
    _rows, states = fresh_replay(known, play_of(known))
    for row in live_rows(known):
        assert (row.deviation, row.rating) == (states[row.player_id].deviation, states[row.player_id].rating)


def test_pages_and_files_say_the_same(known: RatingList, client: Client) -> None:
    new = live_rows(known).filter(on_probation(known), player__active=True).exclude(games=0).select_related("player")
    row = new[0]
    done = known.probation.done(row)
    page = client.get(known.get_absolute_url() + "?show=provisional").text
    assert "the games tell less yet than 10 between equals" in page
    assert page.count(" of 10 games between equals") == count_rows(known).provisional
    person = client.get(row.player.get_absolute_url()).text
    assert f"the games so far tell as much as {done} of 10 between equals" in person
    assert "after 30 rated games at the latest" in person
    assert client.get(f"/api/v1/ratings/{known.slug}/rank/{row.player.number}/").json()["provisional"] is True
    assert "until their games tell as much as 10 between equals" in client.get(reverse("about-ratings")).text
    assert "10 between equals; not ranked yet" in client.get(reverse("ratings:wall", args=[known.slug])).text


def test_an_entry_keeps_what_the_games_told(known: RatingList, client: Client) -> None:
    rows = live_rows(known).filter(player__active=True, games__range=(2, GAMES - 1)).select_related("player")
    new, settled = (next(row for row in rows if known.probation.holds(row) is told) for told in (True, False))
    cup = factory.make_round_robin([new.player, settled.player])
    page = client.get(f"/tournaments/{cup.slug}/entries/").text
    assert page.count('<tr class="provisional') == 1
    assert page.count(f"as much as {known.probation.done(new)} of 10 games between equals") == 1


def test_a_published_list_says_by_what_its_probation_ends(known: RatingList) -> None:
    published = publish_list(known, factory.today() - timedelta(days=1), by=None)
    terms = read_terms(published.settings)
    assert terms == read_terms(plain_terms(terms_of(known, terms.on, terms.running)))
    assert terms.probation.deviations == tuple(known.evidence)
    rows = list(PublishedRow.objects.filter(published_list=published))
    assert any(row.games < GAMES and not row.provisional for row in rows)
    for row in rows:
        assert row.provisional == terms.probation.holds(Record(row.games, deviation=row.deviation))
    broken = {**published.settings, "provisional_deviations": [70.0, 80.0]}
    with pytest.raises(ValueError, match="deviations that end the probation rise"):
        read_terms(broken)
    # After many games under a large K another one tells nothing: the last deviations are the same to four decimals.
    level = {**published.settings, "provisional_deviations": [150.0, 96.7437, 96.7437]}
    assert read_terms(level).probation.latest == 9


def test_by_count_again_all_is_as_before(known: RatingList) -> None:
    counted = ruled(from_1900={})
    assert counted.evidence == []
    for row in live_rows(counted).select_related("player"):
        assert row.ranked == (row.player.active and row.games >= GAMES)


def test_a_rule_ends_it_from_its_own_day_on(known: RatingList, monkeypatch: pytest.MonkeyPatch) -> None:
    later = ruled(from_1900=EVIDENCE, from_2100={})
    assert later.evidence == known.evidence
    assert settle_probations() == 0
    monkeypatch.setattr(timezone, "localdate", lambda: date(2100, 1, 1))
    assert settle_probations() == 1
    for row in live_rows(RatingList.objects.get()).select_related("player"):
        assert row.ranked == (row.player.active and row.games >= GAMES)


def test_a_long_return_is_told_whole_and_no_k_where_none_follows(known: RatingList) -> None:
    assert [standing_at(RatingList(reentry_games=6), Record(99, left)).of for left in (5, 9)] == [6, 9]
    elo, row = rating_system("elo"), live_rows(known)[0]
    rules = (DatedRule(date.min, elo, elo.read_settings({"preset": preset})) for preset in ("us-chess", "club"))
    assert [standing_of(row, None, rule, date(2026, 1, 1)).k_now is None for rule in rules] == [True, False]


def test_more_games_ask_for_a_smaller_deviation(known: RatingList) -> None:
    once = known.evidence
    change_list(known, {"provisional_games": 2 * GAMES}, by=None)
    twice = RatingList.objects.get().evidence
    assert min(twice) < min(once)
