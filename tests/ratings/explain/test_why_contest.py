"""Why a contest with sides moved everybody: the words hold what the ledger holds, and hidden people stay hidden."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from ratings.explain import EXPLAINERS, explainer
from ratings.explain.base import Explainer, change_text
from ratings.explain.contests import ContestCase, MemberCase, SideCase, expected_places, first_places, in_short
from ratings.explain.sides import Member, SidesExplainer
from ratings.explain.views import contest_case_of
from ratings.lists.selectors.lists import contest_entries
from ratings.lists.services import NewRule, set_rules
from ratings.models import RatingList
from ratings.systems import rating_system
from ratings.systems.replay import DatedRule
from ratings.systems.weng_lin import Model
from tests import factory
from tests.tournaments.contests.contest_cases import DAY, make_evening, make_tables, play
from tournaments.models import Contest, Tournament
from tournaments.rated_games.services.rebuilding import rebuild_list

pytestmark = pytest.mark.django_db

TABLES = ["1: 1 2; 2: 3 4", "1: 5; 2: 1*0.5 2", "1: 3 5; 1: 6 2", "1: 2; 2: 4; 3: 1; 3: 6; 5: 5", "1: 6 5; 2: 1 3"]
WAYS = [("trueskill", {}), *(("weng-lin", {"model": model.value}) for model in Model), ("elo", {"preset": "constant"})]


@pytest.fixture(scope="module")
def evening(world: None) -> Tournament:
    factory.make_club()
    factory.make_players(6)
    event = make_tables()[1]
    for number, text in enumerate(TABLES):
        play(event, text, number)
    return event


def cases(system: str, raw: dict[str, str]) -> list[ContestCase]:
    rating_list = RatingList.objects.get()
    set_rules(rating_list, [NewRule(DAY, system, raw)], by=None)
    rebuild_list(rating_list)
    rating_list.refresh_from_db()
    everybody = set(Player.objects.values_list("pk", flat=True))
    contests = Contest.objects.order_by("sequence").values_list("pk", flat=True)
    return [contest_case_of(rating_list, contest_entries(rating_list, key), everybody) for key in contests]


@pytest.mark.parametrize(("system", "raw"), WAYS, ids=lambda value: value if isinstance(value, str) else "")
def test_the_arithmetic_of_two_sides_is_that_of_the_ledger(
    system: str, raw: dict[str, str], evening: Tournament
) -> None:
    words, told = explainer(system), 0
    for case in cases(system, raw):
        assert all(line.label and (line.numbers or line.note) for line in words.contest_lines(case))
        for side in case.sides:
            for member in side.members:
                numbers = words.member_numbers(case, side, member)
                told += bool(numbers)
                assert not numbers or numbers.endswith(f"= {change_text(member.change)}"), (system, numbers)
        if len(case.sides) == 2 and isinstance(words, SidesExplainer):
            better, worse = ([in_words(case, words, m) for m in side.members] for side in case.sides)
            compared = words.compare(case.settings, better, worse, case.shares_place(case.sides[0]))
            for is_better, own, side in ((True, better, case.sides[0]), (False, worse, case.sides[1])):
                for before, member in zip(own, side.members, strict=True):
                    change, deviation = words.moved(case.settings, before, own, compared, is_better=is_better)
                    assert change == pytest.approx(member.change, abs=1e-9)
                    assert deviation == pytest.approx(member.deviation_after, abs=1e-9)
    everybody, of_two = 20, 15
    assert told == (everybody if raw.get("model") in ("bt_full", "tm_full") or system == "elo" else of_two)


LOG = {"margin": "log", "margin_unit": 100, "margin_cap": 3}


@pytest.mark.parametrize(
    ("raw", "of_two", "of_three"),
    [
        (LOG, "ln(1 + 300 / 100) / ln 2 → 2", "Every two sides are compared by their own scores."),
        (LOG | {"sides": "sum", "normaliser": "half"}, "the sum of the members", "the factor is 1 up to"),
        ({"margin": "capped", "margin_cap": 400}, "S = ½ + ½ × 300 / 400 → 0.875", "a lead of 400 is 1"),
        ({"margin": "nfl"}, "ln(300 + 1) × 2.2 / (0.001 × (", "the places count alone"),
    ],
)
def test_scores_stand_in_the_computation_of_a_table(
    raw: dict[str, str], of_two: str, of_three: str, evening: Tournament
) -> None:
    points = make_evening("Victory points", scores="victory")
    play(points, "1=400: 1 2; 2=100: 3 4", 7)
    play(points, "1=260: 1; 2=240: 5; 3=30: 6", 8)
    words = explainer("elo")
    for case, part in zip(cases("elo", {"preset": "constant"} | raw)[-2:], (of_two, of_three), strict=True):
        assert part in " ".join(" ".join(line) for line in words.contest_lines(case))
        for side in case.sides:
            for member in side.members:
                assert words.member_numbers(case, side, member).endswith(f"= {change_text(member.change)}")


def in_words(case: ContestCase, words: SidesExplainer, member: MemberCase) -> Member:
    weight = member.weight if case.rule.system.key == "trueskill" else 1.0
    sigma = case.settings.sigma if member.deviation is None else member.deviation
    return Member(member.before, sigma, weight)


def table_of(*places: int) -> ContestCase:
    sides = (SideCase(place, (MemberCase(key, 25.0, 8.0, 1.0, 26.0),)) for key, place in enumerate(places))
    return ContestCase(tuple(sides), DatedRule(DAY, rating_system("trueskill"), None))


@pytest.mark.parametrize(
    ("places", "at", "expected", "change", "said"),
    [
        ((1, 2, 3, 4, 5), 3, 5, 7.1, "+7.1 although place 4 of 5: by the ratings place 5 was expected."),
        ((1, 2, 3, 4, 5), 1, 1, -2.0, "−2 although place 2 of 5: by the ratings place 1 was expected."),
        ((1, 2, 3), 0, 1, 2.5, "+2.5: place 1 of 3, as the ratings expected."),
        ((1, 2, 3), 1, 1, 2.0, "+2: place 2 of 3; by the ratings place 1 was expected."),  # neither above nor below
        ((1, 2), 0, 1, 0.0, "+0: place 1 of 2, as the ratings expected."),
        ((1, 2), 1, 2, 0.0, "+0: place 2 of 2, as the ratings expected."),
        ((1, 2), 1, 1, -3.0, "−3: place 2 of 2; by the ratings place 1 was expected."),
        ((1, 1, 3), 0, 2, 3.0, "+3: place 1 of 3, shared; by the ratings place 2 was expected."),
    ],
)
def test_a_sentence_for_every_member(places: tuple[int, ...], at: int, expected: int, change: float, said: str) -> None:
    case = table_of(*places)
    assert in_short(case, case.sides[at], expected, change, change_text(change)) == said


def test_places_that_ratings_expect_and_shares_left_behind() -> None:
    assert expected_places([1500.0, 1600.0, 1500.0]) == [2, 1, 2]
    case = table_of(1, 2, 2, 4)
    assert [case.score(side) for side in case.sides] == [1.0, 0.5, 0.5, 0.0]


def why(contest: Contest, slug: str = "tables") -> str:
    return reverse("ratings:why-contest", args=[slug, contest.pk])


def test_the_page_shows_sides_in_order_and_each_member_in_one_sentence(
    client: Client, evening: Tournament, django_assert_max_num_queries: Callable[[int], AbstractContextManager[None]]
) -> None:
    of_two, of_five = (Contest.objects.order_by("sequence")[at] for at in (0, 3))
    with django_assert_max_num_queries(7):
        text = client.get(why(of_five)).text
    assert text.index("Bo Brandt") < text.index("Dag Dahl") < text.index("Ada Alvarez") < text.index("Eva Engel")
    assert "place 1 of 5" in text
    assert "place 3 of 5, shared" in text
    with django_assert_max_num_queries(7):
        text = client.get(why(of_two)).text
    assert "place 2 of 2" in text
    assert "c = 18.63" in text, "four newcomers: c² = 4 (σ² + τ² + β²)"
    assert "How likely was first place?" in text
    assert "48 %; 48 %" in text
    assert "First place shared: 4 %." in text


@pytest.mark.parametrize(("system", "raw"), WAYS, ids=lambda value: value if isinstance(value, str) else "")
def test_before_a_contest_the_chance_of_first_place_is_what_was_expected(
    system: str, raw: dict[str, str], evening: Tournament
) -> None:
    """Of two sides the score that the arithmetic, or the ledger, expected."""
    words = explainer(system)
    for case in cases(system, raw):
        found = first_places(case)
        assert found is not None
        assert len(found.first) == len(case.sides)
        assert words.chances_line(case).numbers.count("%") == len(case.sides)
        if len(case.sides) == 2 and isinstance(words, SidesExplainer):
            better, worse = ([in_words(case, words, m) for m in side.members] for side in case.sides)
            compared = words.compare(case.settings, better, worse, case.shares_place(case.sides[0]))
            assert found.expected == pytest.approx(compared.expected, abs=1e-12)
        elif len(case.sides) == 2:
            assert found.expected == pytest.approx(case.sides[0].members[0].expected, abs=1e-12)


def test_a_list_of_shares_says_nothing_of_first_place(evening: Tournament) -> None:
    (case, *_) = cases("elo", {"preset": "constant", "margin": "share"})
    line = explainer("elo").chances_line(case)
    assert (line.numbers, line.note) == ("", "This list’s system says nothing of who will be first.")


def test_a_hidden_member_has_neither_name_nor_change(client: Client, evening: Tournament) -> None:
    Player.objects.filter(number=3).update(visibility="hidden")
    contest = Contest.objects.order_by("sequence")[0]
    page = client.get(why(contest))
    row = next(each for each in page.context["members"].rows if each.record.player.number == 3)
    assert "Cleo" not in page.text
    assert (row.get_cell("change"), row.get_cell("after")) == ("–", "–")
    assert {each.player.number for each in page.context["told"]} == {1, 2, 4}
    Player.objects.update(visibility="hidden")
    assert client.get(why(contest)).status_code == 404, "a page about nobody the viewer may see"


def test_other_lists_and_contests_have_no_such_page(client: Client, evening: Tournament) -> None:
    factory.make_list()
    contest = Contest.objects.order_by("sequence")[0]
    assert client.get(why(contest, "standard")).status_code == 404
    assert client.get(f"/ratings/tables/contests/{2**40}/why/").status_code == 404
    RatingList.objects.filter(slug="tables").update(public=False)
    assert client.get(why(contest)).status_code == 404


def test_a_system_without_words_of_its_own_has_a_decent_page(
    client: Client, evening: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EXPLAINERS, "trueskill", Explainer())
    page = client.get(why(Contest.objects.order_by("sequence")[3]))
    assert page.status_code == 200
    assert "place 1 of 5" in page.text


def test_a_system_without_words_of_its_own_shows_k_and_score_unless_the_change_was_rounded() -> None:
    case = table_of(1, 2, 3)
    for change, written in ((15.0, "20 × (1.000 − 0.250) = +15"), (14.0, "")):
        member = replace(case.sides[0].members[0], k=20.0, expected=0.25, change=change)
        assert Explainer().member_numbers(case, case.sides[0], member) == written
    assert Explainer().member_numbers(case, case.sides[0], case.sides[0].members[0]) == ""
    one, other = (case.sides[at].members[0] for at in (0, 1))
    assert Explainer().strength(None, SideCase(1, (one, replace(other, before=35.0)))) == 30.0, "the mean"
