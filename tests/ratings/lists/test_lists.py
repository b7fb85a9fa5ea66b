"""Lists and their rules: made, changed, refused."""

from datetime import date

import pytest

from players.models import AuditEvent
from players.refusals import Refused
from ratings.lists.services import NewRule, change_list, create_list, ensure_main_list, rules_of, set_rules
from ratings.models import RatingList
from tests import factory

pytestmark = pytest.mark.django_db


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


def test_the_main_list_is_taken_over_by_its_name_or_made(standard: RatingList) -> None:
    factory.make_list("aside", primary=False)
    assert ensure_main_list(name="Standard", by=None) == standard
    assert not AuditEvent.objects.filter(action="list.changed", after__primary=False).exists()
    other = ensure_main_list(name="Blitz", pool="blitz", by=None)
    standard.refresh_from_db()
    assert (other.primary, standard.primary) == (True, False)
