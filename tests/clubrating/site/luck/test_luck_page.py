"""A player's luck page: parts that add up to what the ledger did, told only to whom changes may be told."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client

from clubrating.site.luck import services
from clubrating.site.luck.selectors import ALL_YEARS, SeasonLuck, luck_question, season_of, seasons_in
from clubrating.site.luck.services import ask_lucks
from clubrating.site.luck.words import GRADES, improving_words, luck_words, standing_words
from players.jobs.services import answer_of, job_of
from players.models import Job, Player, Visibility
from players.people.services import update_player
from players.refusals import Refused
from ratings.lab.luck import PARTS, Estimate
from ratings.lists.selectors.lists import latest_games
from ratings.lists.services import NewRule, NewStart, set_rules
from ratings.models import PlayerRating
from tests import factory
from tests.clubrating.site.research.backtest_cases import (
    BLACK,
    DRAW,
    WHITE,
    Played,
    answered,
    evenings,
    nobody_works,
    play,
    the_list,
)
from tests.tournaments.contests.contest_cases import play as play_table
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.rated_games.services.rebuilding import rebuild_list

pytestmark = pytest.mark.django_db
Raw = dict[str, object]
GAMES: list[Played] = [(0, 1, WHITE), (1, 0, DRAW), (2, 0, BLACK), (0, 2, DRAW)] * 3 + [(1, 2, WHITE)] * 4


@pytest.fixture(scope="module")
def people(world: None) -> list[Player]:
    """Three who met on evenings of 2026: the first in twelve games, the second in ten; a start comes in between."""
    factory.make_club()
    factory.make_list()
    people = factory.make_players(3)
    play(evenings(), people, GAMES)
    starts = [NewStart(each.pk, factory.MONDAY, 1500.0) for each in people]
    bring_starting_ratings(
        the_list(), [*starts, NewStart(people[0].pk, factory.MONDAY + timedelta(days=5), 1600.0)], by=None
    )
    return people


def page_of(player: Player, more: str = "") -> str:
    return f"{player.get_absolute_url()}luck/?list=standard{more}"


RULES = (
    ("elo", {}),
    ("elo", {"floor": 1495, "whole": True}),
    ("elo", {"period": "month"}),
    ("elo", {"preset": "fide", "period": "month"}),
    ("elo", {"preset": "us-chess", "period": "day"}),
    ("glicko", {"period": "day"}),
    ("glicko2", {}),
)


@pytest.mark.parametrize(("system", "settings"), RULES)
def test_every_season_adds_up_to_what_the_ledger_did(people: list[Player], system: str, settings: Raw) -> None:
    set_rules(the_list(), [NewRule(factory.MONDAY, system, settings)], by=None)
    rebuild_list(the_list())
    answer = answer_of(answered(luck_question(the_list())))
    assert answer is not None
    now = {row.player_id: row.rating for row in PlayerRating.objects.order_by("player")}
    found = {player.pk: seasons_in(answer, player.pk) for player in people}
    assert [player for player, seasons in found.items() if seasons] == list(now), "who left the list has no change"
    for player in now:
        (season,) = found[player]
        assert sum(season.parts[name].mean for name in PARTS) == pytest.approx(season.end - season.start, abs=0.01)
        assert (season.start, season.end) == (1500.0, pytest.approx(now[player], abs=0.001))


def test_the_page_shows_parts_that_add_up_to_the_shown_ratings(client: Client, people: list[Player]) -> None:
    answered(luck_question(the_list()))
    page = client.get(page_of(people[0]))
    season, shown = page.context["season"], page.context["shown"]
    assert (season.year, season.games, season.score) == (2026, 12, 9.0)
    assert sum(part.points for part in shown.parts) == shown.change == round(season.end) - round(season.start)
    assert season.parts["rule"].mean > 30.0, "the start of 1600 is the rule's"
    assert improving_words(season) in page.text
    assert "9 out of 12 games" in page.text
    assert "Luck or strength?" in client.get(people[0].get_absolute_url()).text


def test_few_games_tell_nothing_and_what_there_is_not_is_not_found(client: Client, people: list[Player]) -> None:
    answered(luck_question(the_list()))
    late = evenings("Late")
    newcomer = factory.make_players(5)[4]
    play(late, [people[0], newcomer], [(0, 1, WHITE)] * 2, first_day=40)
    answered(luck_question(the_list()))
    text = client.get(page_of(newcomer)).text
    assert "with fewer than 10 luck cannot be told from strength" in text
    assert "What it is made of" not in text
    for wrong in (page_of(people[0], "&season=2019"), page_of(people[0]).replace("standard", "nothing")):
        assert client.get(wrong).status_code == 404


def test_hidden_people_have_no_such_page(client: Client, people: list[Player]) -> None:
    update_player(people[1].pk, {"visibility": Visibility.MEMBERS}, by=None)
    update_player(people[2].pk, {"visibility": Visibility.INITIALS}, by=None)
    for hidden in Player.objects.filter(pk__in=[people[1].pk, people[2].pk]):
        assert client.get(page_of(hidden)).status_code == 404
        assert client.post(page_of(hidden)).status_code == 404


def test_an_old_address_leads_to_the_page_and_without_a_list_the_first_is_shown(
    client: Client, people: list[Player]
) -> None:
    answered(luck_question(the_list()))
    bare = page_of(people[0]).partition("?")[0]
    assert client.get(bare).context["season"] == client.get(page_of(people[0])).context["season"]
    moved = client.get(f"/players/{people[0].number}/luck/?list=standard")
    assert (moved.status_code, moved["Location"]) == (302, page_of(people[0]))


def test_seasons_of_several_years_and_tables_add_up_and_of_a_long_list_the_first_year_is_left_out(
    people: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    rapid = factory.make_list("rapid", pool="rapid", primary=False)
    for first_day, games in ((-40, GAMES[:6]), (0, GAMES)):
        play(evenings(f"Rapid {first_day}", "rapid"), people, games, first_day)
    tables = create_tournament(NewTournament("Tables", pool="rapid", pairing_system="free"), by=None)
    play_table(tables, "1: 1; 2: 2; 3: 3", 60)
    rapid.refresh_from_db()
    answer = answer_of(answered(luck_question(rapid)))
    assert answer is not None
    for player in people:
        whole, first, second = sorted(seasons_in(answer, player.pk), key=lambda each: each.year)
        assert (whole.year, first.year, second.year) == (ALL_YEARS, 2025, 2026)
        assert first.end == pytest.approx(second.start)
        assert second.end == pytest.approx(rapid.ratings.get(player=player).rating, abs=0.001), "after the table"
        assert (whole.start, whole.end, whole.games) == (first.start, second.end, first.games + second.games)
        for season in (whole, first, second):
            assert sum(season.parts[name].mean for name in PARTS) == pytest.approx(season.end - season.start, abs=0.01)
    monkeypatch.setattr(services, "MOST_GAMES", latest_games(rapid).count())
    assert services.ledger_of(rapid).is_whole
    monkeypatch.setattr(services, "MOST_GAMES", len(GAMES) + 1)
    Job.objects.all().delete()
    answer = answer_of(answered(luck_question(rapid)))
    assert answer is not None
    assert not answer["whole"]
    assert {season.year for player in people for season in seasons_in(answer, player.pk)} == {2026}


def test_nothing_is_worked_out_in_a_request_and_the_last_answer_stays(
    client: Client, people: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ask_lucks() == 1
    assert ask_lucks() == 0, "it is answered"
    play(evenings("Another"), people, [(0, 1, WHITE)], first_day=50)
    nobody_works(monkeypatch)
    page = client.get(page_of(people[0]))
    assert "Results have come since" in page.text
    assert page.context["shown"]
    assert client.post(page_of(people[0])).status_code == 302
    assert job_of(luck_question(the_list())) is not None
    assert client.get(page_of(people[0])).headers["Refresh"]


def test_lists_without_a_score_of_their_own_say_so(client: Client, people: list[Player]) -> None:
    for system in ("kd", "league", "bradley-terry"):
        set_rules(the_list(), [NewRule(factory.MONDAY, system, {})], by=None)
        assert "cannot be split" in client.get(page_of(people[0])).text
    assert ask_lucks() == 0
    with pytest.raises(Refused, match="cannot be split"):
        services.answer_luck(Job(subject_key=the_list().pk), lambda _done, _of: None)
    empty = factory.make_list("rapid", pool="rapid", primary=False)
    assert ask_lucks() == 0, "nor is one without games asked about"
    with pytest.raises(Refused, match="no rated game yet"):
        services.answer_luck(Job(subject_key=empty.pk), lambda _done, _of: None)
    with pytest.raises(Refused, match="deleted meanwhile"):
        services.answer_luck(Job(subject_key=999), lambda _done, _of: None)


def told(gain: float = 0.5, luck: float = 0.0, above: float = 0.0) -> SeasonLuck:
    known = {name: Estimate(0.0, 10.0) for name in (*PARTS, "above", "due")}
    known |= {"luck": Estimate(luck, 10.0), "above": Estimate(above, 10.0)}
    return SeasonLuck(2026, 20, 1500.0, 1510.0, 11.5, known, gain)


def test_what_is_said_follows_the_figures() -> None:
    grades = [improving_words(told(gain)) for gain in (1.0, 0.8, 0.2, 0.05, 0.0)]
    assert grades == [
        str(words) % {"percent": p} for (_least, words), p in zip(GRADES, (99, 80, 20, 5, 1), strict=True)
    ]
    assert [luck_words(told(luck=luck)) for luck in (25.0, 5.0, -25.0)] == [
        "Luck helped, clearly.",
        "Luck in these results cannot be told from none.",
        "It was bad luck, clearly.",
    ]
    assert "above the strength, by 5 to 45 points" in standing_words(told(above=25.0))
    assert "below the strength, by 5 to 45 points" in standing_words(told(above=-25.0))
    assert season_of(told().row()) == told()
    assert [replace(told(), games=games).is_enough for games in (9, 10)] == [False, True]
