"""Lists and their rules: made, changed, refused."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.db.models import F

from players.models import AuditEvent, Player
from players.refusals import Refused
from ratings.lists.selectors.chances import chances_at
from ratings.lists.selectors.grades import lists_without_stones
from ratings.lists.selectors.history import Reset, careers, common_standings, contest_rows_of, drawn_share, resets_of
from ratings.lists.selectors.lists import (
    around,
    contest_entries,
    find_list,
    foremost_ratings,
    latest_games,
    live_ratings,
    live_rows,
    main_list_of,
    main_of,
    newcomers,
    period_step,
    primary_list,
    public_lists,
    rated_games_of,
    rating_of,
    ratings_now,
    standings_of,
)
from ratings.lists.services import NewRule, NewStart, change_list, create_list, ensure_main_list, rules_of, set_rules
from ratings.models import ContestEntry, LedgerEntry, PlayerRating, RatingList, RatingStep
from ratings.systems.base import Period
from tests import factory
from tests.tournaments.contests.contest_cases import play
from tournaments.events.services.closing import close_event
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import Contest
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
DAY = factory.MONDAY


def test_a_new_list_has_one_rule_that_holds_from_the_beginning_and_a_later_one_from_its_day(
    standard: RatingList,
) -> None:
    rule = rules_of(standard).on(date(1990, 1, 1))
    made = factory.told("list.created", standard).after
    assert made == {"slug": "standard", "pool": "standard", "system": "elo"}
    assert (rule.system.key, rule.settings.start) == ("elo", 1500)
    rules = [NewRule(date(2027, 1, 1), "elo", {"scale": 200}), NewRule(date(1900, 1, 1), "elo", {})]
    set_rules(standard, rules, by=None)
    found = rules_of(standard)
    assert [found.on(day).settings.scale for day in (date(2026, 12, 31), date(2027, 1, 1))] == [400, 200]
    told = create_list(name="A", slug="a", pool="a", by=None, settings={"newcomer_k": "evidence"})
    assert create_list(name="B", slug="b", pool="b", by=None, system="weng-lin").cautious
    told.refresh_from_db()
    assert (told.cautious, bool(told.evidence)) == (False, True)


@pytest.mark.parametrize(
    ("data", "words"),
    [({"system": "magic"}, "no rating system"), ({"settings": {"start": "high"}}, "start is no number")],
)
def test_a_list_with_impossible_settings_is_not_made(db: None, data: dict[str, object], words: str) -> None:
    with pytest.raises(Refused, match=words):
        create_list(name="X", slug="x", pool="x", by=None, **data)  # type: ignore[arg-type]
    assert not RatingList.objects.exists()


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ([], "at least one rule"),
        ([NewRule(date(2026, 1, 1), "elo", {})] * 2, "one day"),
        ([NewRule(date(2026, 1, 1), "elo", {"k_rule": "none"})], "k_rule"),
    ],
)
def test_rules_that_cannot_be_are_refused_and_the_old_ones_stay(
    standard: RatingList, rules: list[NewRule], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        set_rules(standard, rules, by=None)
    assert standard.rules.count() == 1


def test_a_changed_list_leaves_one_audit_event(standard: RatingList) -> None:
    other = factory.make_list("other", primary=False)
    change_list(standard, {"provisional_games": 20, "slug": "another"}, by=None)
    cautious = NewRule(date(2099, 1, 1), "weng-lin", {})
    set_rules(other, [NewRule(date(1900, 1, 1), "elo", {"scale": 200, "newcomer_k": "evidence"}), cautious], by=None)
    assert rules_of(standard).on(date(2026, 1, 1)).settings.scale == 400
    other.refresh_from_db()
    assert (other.provisional_games, other.cautious, bool(other.evidence)) == (30, True, True)
    change_list(standard, {}, by=None)
    standard.refresh_from_db()
    assert (standard.provisional_games, standard.slug) == (20, "standard"), "the address is the list's identity"
    assert (standard.cautious, standard.evidence) == (False, [])
    event = AuditEvent.objects.get(action="list.changed")
    assert (event.before, event.after) == ({"provisional_games": 30}, {"provisional_games": 20})


def test_each_list_speaks_for_itself_a_private_one_to_nobody_and_a_generation_that_is_not_live_never(
    standard: RatingList,
) -> None:
    one, other, third = factory.make_players(3)
    early, late, secret = (factory.make_list(slug, pool="rapid", primary=False) for slug in ("early", "late", "secret"))
    for row, order, public in ((standard, 9, True), (early, 2, True), (late, 2, True), (secret, 0, False)):
        RatingList.objects.filter(pk=row.pk).update(order=order, public=public)
    for number, (row, people) in enumerate(
        ((standard, [one]), (late, [one, other, third]), (early, [one, other]), (secret, [one, other, third]))
    ):
        starts = [NewStart(each.pk, DAY, 1500 + 100 * number, 40) for each in people]
        bring_starting_ratings(row, starts, by=None)
        bring_starting_ratings(row, [replace(starts[0], on=DAY + timedelta(days=1), rating=1000 + number)], by=None)
    for beside in PlayerRating.objects.filter(player=one):
        beside.pk, beside.generation, beside.rating = None, beside.generation + 1, 2222.0
        beside.save(force_insert=True)
    steps = RatingStep.objects.get(rating_list=late, before__isnull=False)
    steps.pk, steps.generation = None, steps.generation + 1
    steps.save(force_insert=True)
    said = {key: (row.rating_list, row.rating) for key, row in foremost_ratings([one.pk, other.pk, third.pk]).items()}
    assert said == {one.pk: (standard, 1000), other.pk: (early, 1700), third.pk: (late, 1600)}
    own = [(row.rating_list, row.rating) for row in standings_of(one)]
    assert own == [(early, 1002), (late, 1001), (standard, 1000)]
    assert [(own.rating, his.rating) for own, his in common_standings(one, other)] == [(1002, 1700), (1001, 1600)]
    assert {key: row.rating for key, row in ratings_now(late, [one.pk]).items()} == {one.pk: 1001}
    assert [main_list_of(pool) for pool in ("standard", "rapid", "blitz")] == [standard, secret, None]
    lists = list(RatingList.objects.order_by("-order"))  # standard, late, early, secret
    assert [main_of(some) for some in (lists, lists[1:3], lists[1:])] == [standard, early, secret]
    assert primary_list() == standard
    assert [find_list("secret"), find_list("secret", private=True)] == [None, secret]
    assert [row.slug for row in public_lists()] == ["early", "late", "standard"]
    assert [row.slug for row in lists_without_stones("rapid")] == ["early", "late"]
    (row,) = live_ratings().filter(rating_list=late, player=one)
    assert resets_of(row) == [Reset(DAY + timedelta(days=1), 1600, 1001)]
    set_rules(secret, [NewRule(DAY, "elo", {"margin": "share"})], by=None)  # it expects points and no place
    assert chances_at("rapid", [[[one], [other]]], DAY).rating_list == early


def answers(rating_list: RatingList, one: Player, other: Player) -> dict[str, object]:
    """What the readers of a list say of it and of two players, one of whom played contests too."""
    entry = LedgerEntry.objects.filter(game__tournament__name="Winter Cup", rating_list=rating_list).earliest("pk")
    row = live_ratings().get(rating_list=rating_list, player=one)
    contest = Contest.objects.get()
    tables = [[[one], [other]], [[other], [one]]]
    return {
        "career": careers(one, [rating_list]),
        "contests": list(contest_rows_of(rating_list, one)),
        "members": contest_entries(rating_list, contest.pk),
        "games": list(rated_games_of(rating_list, one)),
        "step": period_step(entry, one, Period.EVENT),
        "latest": list(latest_games(rating_list)),
        "drawn": drawn_share(rating_list),
        "rows": list(live_rows(rating_list)),
        "around": list(around(rating_list, row)),
        "resets": resets_of(row),
        "row": rating_of(rating_list, one.number),
        "chances": chances_at("standard", tables, DAY),
    }


def test_rows_of_another_list_and_of_a_generation_that_is_not_live_are_in_no_answer(standard: RatingList) -> None:
    one, other, third = factory.make_players(3)
    later = DAY + timedelta(days=60)
    set_rules(standard, [NewRule(date(1900, 1, 1), "elo", {"period": "event"}), NewRule(later, "elo", {})], by=None)
    bring_starting_ratings(standard, [NewStart(each.pk, DAY, 1500, 40) for each in (one, other, third)], by=None)
    for number, name in enumerate(("Winter Cup", "Summer Cup")):
        first_day = DAY + timedelta(days=28 * number)
        cup = factory.make_round_robin([one, other], name=name, first_day=first_day, cycles=2)
        factory.play_all(cup, Result.WHITE_WINS)
        close_event(cup, by=None)
    evening = create_tournament(NewTournament("Tables", pairing_system="free", starts_on=later), by=None)
    play(evening, "1: 1; 2: 2; 3: 3", day=60)
    beside = factory.make_list("beside", primary=False)
    RatingList.objects.filter(pk=standard.pk).update(order=9)
    standard.refresh_from_db()
    said = answers(standard, one, other)
    assert said["resets"] == [], "a period is none"
    assert chances_at("standard", [], DAY).rating_list == standard, "the main list, whatever the order"
    here = {"rating_list": standard, "generation": standard.live_generation}
    for model in (LedgerEntry, ContestEntry, RatingStep, PlayerRating):
        for row in model.objects.filter(**here):
            for of, generation in ((standard, standard.live_generation + 1), (beside, beside.live_generation)):
                row.pk, row.rating_list, row.generation = None, of, generation
                row.save(force_insert=True)
    LedgerEntry.objects.exclude(**here).update(order=RatingStep.objects.latest("order").order)
    RatingStep.objects.exclude(**here).update(order=F("order") - 1, after=1.0)
    PlayerRating.objects.exclude(**here).update(rating=1.0)
    RatingStep.objects.filter(rating_list=beside, kind="event").update(kind="start", before=None, **here)
    assert answers(standard, one, other) == said
    there = rating_of(beside, one.number)
    assert there is not None
    assert there.rating_list == beside


def test_the_main_list_is_taken_over_by_its_name_or_made(standard: RatingList) -> None:
    factory.make_list("aside", primary=False)
    assert ensure_main_list(name="Standard", by=None) == standard
    assert not AuditEvent.objects.filter(action="list.changed", after__primary=False).exists()
    other = ensure_main_list(name="Blitz", pool="blitz", by=None)
    standard.refresh_from_db()
    assert (other.primary, standard.primary) == (True, False)
    again = ensure_main_list(name="STANDARD", by=None)
    other.refresh_from_db()
    assert (again, again.name, again.primary, other.primary) == (standard, "STANDARD", True, False)


def test_newcomers_of_the_last_day_are_all_looked_at(standard: RatingList, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ratings.lists.selectors.lists.LATEST_GAMES", 1)
    players = factory.make_players(4)
    factory.play_round(factory.make_round_robin(players), 1, [Result.DRAW] * 2)
    assert [row.player for row in newcomers(standard, 2)] == players[:2]
