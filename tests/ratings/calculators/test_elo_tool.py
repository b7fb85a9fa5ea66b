"""The Elo calculator: the source's example, bad input, no database."""

from itertools import product

import pytest
from django.db import OperationalError
from django.test import Client, RequestFactory
from django.utils.html import escape
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from ratings.calculators.views.elo import SCORES, elo, way_of
from ratings.explain.elo import k_words
from ratings.lists.forms import ways
from ratings.lists.words import PRESETS
from ratings.systems import SYSTEMS
from ratings.systems.base import PlayerState
from ratings.systems.k_factors import K_RULES
from tests.factory import MONDAY

# A page takes its time, and one field is much like the next.
FEW = settings(max_examples=25, deadline=None)


def cells(text: str) -> list[str]:
    return [part.split("<")[0] for part in text.split('class="num change">')[1:]]


def ask(rf: RequestFactory, **asked: object) -> str:
    """The page's text, made by the view alone: no client, no session, no database."""
    return " ".join(elo(rf.get("/tools/elo/", asked)).content.decode().split())


@pytest.mark.django_db
def test_the_first_sources_example_stands_there_ready_for_the_clubs_name_at_most(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(1):
        assert cells(client.get("/tools/elo/").text) == ["+18", "−9", "+8", "−4", "−2", "+1"]
    newcomer = client.get("/tools/elo/?a=1500&ga=3&b=1500&gb=50").text
    assert cells(newcomer) == ["+20", "−10", "0", "0", "−20", "+10"]
    for rating, refused in ((101, True), (100, False)):
        text = client.get(f"/tools/elo/?a={rating}&b=20&system=kd").text
        assert ("In this system nobody stands above 100." in text) is refused, rating


def test_bad_input_is_answered_at_the_field_with_its_limits(rf: RequestFactory) -> None:
    for query in ("a=", "a=x", "a=99999", "a=-1", "ga=1.5", "system=none", "a=nan", "a=inf"):
        text = ask(rf, **dict([query.split("=")]))
        assert 'class="error"' in text, query
        assert "Fill in both ratings" in text, query
    assert "Write a number from 0 to 4000." in ask(rf, a="4001")
    assert "Write a number from 1 to 120." in ask(rf, ya="0")
    assert "Write a number from 0.1 to 1000." in ask(rf, ka="0")
    assert "Write a number from 0 to 100." in ask(rf, draws="101")


@pytest.mark.parametrize("tool", ["", "elo/", "event/", "performance/", "expected/", "schedule/", "bracket/"])
def test_the_tools_work_without_a_database(client: Client, monkeypatch: pytest.MonkeyPatch, tool: str) -> None:
    def no_database() -> None:
        raise OperationalError("unable to open database file")

    monkeypatch.setattr("clubrating.web.middleware.current_club", no_database)
    page = client.get(f"/tools/{tool}")
    assert page.status_code == 200
    assert "Club Rating" in page.text


def test_the_menu_has_every_system_and_every_preset_and_every_k_reason_in_words() -> None:
    wanted = [(system.key, preset) for system in SYSTEMS for preset in system.presets or ("",)]
    assert len(ways()) == len(wanted)
    assert {system.key for _words, system, _raw in ways().values()} == {system.key for system in SYSTEMS}
    assert [way for way in wanted if way[1] and way not in PRESETS] == []
    codes = {step.reason for rule in K_RULES.values() for step in rule.steps} | {"everybody", "fixed"}
    worded = {code: k_words(code) for code in codes}
    assert [code for code, words in worded.items() if words == code and code != "everybody"] == []
    assert len(set(worded.values())) == len(codes)


@pytest.mark.extended
@pytest.mark.django_db
@pytest.mark.parametrize("way", list(ways()))
def test_every_way_answers_with_what_it_knows(client: Client, way: str) -> None:
    rating = "60" if way == "kd" else "1700"
    text = client.get(f"/tools/elo/?a={rating}&ga=40&b=50&gb=40&system={way}").text
    assert 'class="error"' not in text
    changes = cells(text)
    assert len(changes) == 6
    assert "None" not in text
    if way in ("league", "solo-zerg", "r2", "kd"):
        assert changes[2:4] == ["–", "–"]
        assert "It knows no draws either" in text
        assert "This system knows no expected score." in text
    elif way == "bradley-terry":
        assert changes == ["–"] * 6
        assert "It fits all games of a list at once" in text
    else:
        assert "–" not in changes
        assert "It knows no draws" not in text


def test_every_system_stands_beside_the_others_with_both_sides_and_both_new_ratings(rf: RequestFactory) -> None:
    text = ask(rf, a=2344, ga=100, b=2777, gb=100, system="elo")
    table = text[text.index('id="all"') :]
    for words, _system, _raw in ways().values():
        assert escape(str(words)) in table
    row = table[table.index("Elo, FIDE’s K, logistic") :].split("</tr>")[0]
    assert [part.split("<")[0] for part in row.split('class="num">')[1:]] == ["0.076", "+18", "+8", "−2"]
    assert "2362 : 2768" in row
    assert '<span class="alt">−9</span>' in row


def test_what_a_system_asks_for_changes_its_answer(rf: RequestFactory) -> None:
    for more, system, win in (
        ({}, "elo-fide-simple", "+10"), ({"ya": 15}, "elo-fide-simple", "+20"),
        ({"ka": 32}, "elo-fide-simple", "+16"), ({"pa": 2410}, "elo", "+5"),
        ({"ga": 5}, "elo", "+20"), ({"da": 30, "db": 30}, "glicko", "+3"),
        ({"da": 30, "db": 30, "va": 0.06}, "glicko2", "+3"),
    ):  # fmt: skip
        text = ask(rf, **{"a": 1800, "ga": 100, "b": 1800, "gb": 100, "system": system, **more})
        assert cells(text)[0] == win


def test_rarer_fields_are_folded_away_until_they_are_used_and_links_ask_the_same_question(rf: RequestFactory) -> None:
    assert "<details>" in ask(rf)
    assert "<details open>" in ask(rf, ya=15)
    assert "<details open>" in ask(rf, ya="old")
    text = ask(rf, a=1800, ga=40, b=1700, gb=50, ya=15, system="elo")
    assert "?a=1800&amp;ga=40&amp;b=1700&amp;gb=50&amp;ya=15&amp;system=glicko2" in text
    assert "counts from 0 to 100" in ask(rf, a=2344)
    assert "a scale of its own" in ask(rf, a=2344)
    text = ask(rf, a=1800, b=1700, system="bradley-terry")
    assert ("It fits all games of a list at once" in text, "It knows no draws" in text) == (True, False)


def test_the_bar_shows_draws_where_their_share_is_given_and_refuses_too_many(rf: RequestFactory) -> None:
    bare, drawn = ask(rf), ask(rf, draws="10")
    assert "2344: 7.6 % of the points" in bare
    assert 'class="draw"' not in bare
    for said in ("2344 wins 2.6 %", "draw 10.0 %", "2777 wins 87.4 %", 'class="draw" x="2.6'):
        assert said in drawn
    assert "At this expected score at most 15.3 % of the games can be drawn." in ask(rf, draws="20")
    assert "draw 100.0 %" in ask(rf, a=2344, b=2344, draws="100"), "as many as there can be"


@FEW
@given(
    a=st.integers(0, 4000),
    b=st.integers(0, 4000),
    ga=st.integers(0, 60),
    gb=st.integers(0, 60),
    score=st.sampled_from(SCORES),
)
def test_zero_sum_systems_give_what_they_take(a: int, b: int, ga: int, gb: int, score: float) -> None:
    own, other = PlayerState(a, ga, a), PlayerState(b, gb, b)
    for key in ("elo-constant", "elo-xiangqi"):
        outcome = next((each for each in way_of(key, own, other, MONDAY).outcomes if each.score == score), None)
        assert outcome is not None
        assert (outcome.own.change or 0) + (outcome.other.change or 0) == pytest.approx(0, abs=1e-9)


@pytest.mark.django_db
def test_the_tools_answer_in_every_language(client: Client) -> None:
    tools = ("", "elo/", "event/", "performance/", "expected/", "schedule/?names=5", "bracket/?names=5")
    for code, tool in product(("ru", "zh-hans", "zh-hant"), tools):
        assert client.get(f"/{code}/tools/{tool}").status_code == 200, (code, tool)
