"""`/lab/masters/` and a field of one's own: what is shown, what is refused, who never appears."""

from collections.abc import Callable
from itertools import combinations
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

from players.jobs.services import Question
from players.models import Job, JobChunk, Player, Visibility
from players.people.services import NewPlayer, create_players
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.tournaments.event_pages.page_cases import text_of
from tests.tournaments.forecasts.forecast_cases import answer
from tournaments.forecast.masters import Record, Rule
from tournaments.forecast.masters_study import Sizes, side_by_side
from tournaments.forecasts.selectors.own_masters import OwnEvent, own_event
from tournaments.forecasts.services import own_masters
from tournaments.forecasts.services.own_masters import answer_own_masters
from tournaments.models import Game, Round, Tournament
from tournaments.standings.points import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_time", "four")]
PAGE, OWN = "/lab/masters/", "/lab/masters/own/"
ASKED = {"rule": "score-rate", "stations": 2, "draw": "lots", "k": 20}


@pytest.fixture(scope="module")
def four(world: None) -> list[Player]:
    """Four players who all won, drew or lost against each other once."""
    factory.make_club()
    factory.make_list()
    people = factory.make_players(5)
    event = factory.make_round_robin(people[:4])
    factory.play_round(event, 1, [factory.Result.WHITE_WINS, factory.Result.DRAW])
    factory.play_round(event, 2, [factory.Result.WHITE_WINS, factory.Result.DRAW])
    factory.play_round(event, 3, [factory.Result.DRAW, factory.Result.DRAW])
    return people


@pytest.fixture
def club_list(four: list[Player]) -> RatingList:
    return RatingList.objects.get()


def address(people: list[Player], **more: object) -> str:
    lines = "\n".join(str(player.number) for player in people)
    rest = "".join(f"&{name}={value}" for name, value in {**ASKED, **more}.items())
    return f"{OWN}?list=standard&people={quote(lines)}{rest}"


def job_of(event: OwnEvent) -> Job:
    asked = event.question
    return Job(kind="masters", subject_key=event.rating_list.pk, payload=asked.payload, question=asked.key)


# --- the paper's eight --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("rule", Rule)
def test_every_rule_shows_both_methods_with_errors_and_the_exact_titles(client: Client, rule: Rule) -> None:
    page = text_of(client, f"{PAGE}?rule={rule.value}")
    assert page.count(">exactly ") == 8
    for words in ("Xu Yinchuan", "Monte Carlo played 100,000 events", "4 chains gave 40,000 samples", "Worst R̂"):
        assert words in page
    found = client.get(f"{PAGE}?rule={rule.value}").context["found"]
    assert [row.rating for row in found.rows] == sorted((row.rating for row in found.rows), reverse=True)
    assert max(float(found.apart), float(found.off)) < 4


def test_another_rule_there_is_not(client: Client) -> None:
    assert client.get(f"{PAGE}?rule=bold").status_code == 404


# --- a field of one's own -----------------------------------------------------------------------------------------
def test_the_form_proposes_the_first_of_the_list_and_asking_leads_to_an_address_to_share(
    client: Client, four: list[Player]
) -> None:
    form = client.get(OWN).context["form"]
    assert len(form["people"].initial.splitlines()) == 4, "the largest field there is"
    sent = client.post(OWN, {"list": "standard", "people": "\n".join(player.name for player in four[:2])})
    assert sent.status_code == 302
    assert sent["Location"].startswith(f"{OWN}?")
    page = client.get(sent["Location"])
    assert page.context["event"].written == tuple(player.number for player in four[:2])
    assert Job.objects.get(kind="masters").payload["stations"] == 3


def test_the_answer_is_there_for_everybody_and_its_figures_are_those_of_the_study(
    client: Client, four: list[Player], club_list: RatingList, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_masters, "SAMPLES", Sizes(400, 2))
    numbers = [player.number for player in four[:4]]
    event = own_event(club_list, numbers, ASKED)
    assert event is not None
    assert event.games == 6
    assert "Monte Carlo played" not in text_of(client, address(four[:4]))
    factory.make_list("rapid", pool="rapid", primary=False)
    RatingList.objects.filter(pk=club_list.pk).update(order=9)
    found = answer_own_masters(job_of(event), lambda done, of: None)
    assert found["exact"] == side_by_side(event.field, event.rule, 1, plan=event.plan, sizes=Sizes(400, 2))["exact"]
    answer(event.question, found)
    page = text_of(client, address(list(reversed(four[:4]))))
    assert "Monte Carlo played 400 events" in page, "by lots the order of names is no other question"
    for player in four[:4]:
        assert player.name in page


@pytest.mark.parametrize(
    ("rows", "change"),
    [
        (Round, {"state": Round.State.DRAFT}),
        (Game, {"pool": "rapid"}),
        (Game, {"result": Result.WHITE_FORFEITS}),
        (Tournament, {"entry_size": 2}),
    ],
)
def test_past_results_are_those_of_the_field_and_only_rated_games_of_two_in_the_pool_count(
    four: list[Player], club_list: RatingList, rows: Any, change: dict[str, Any]
) -> None:
    won = Game.objects.filter(result=Result.WHITE_WINS).select_related("white", "black").order_by("pk")[0]
    numbers = [won.white.number, won.black.number]
    event = own_event(club_list, numbers, ASKED)
    assert event is not None
    of_the_first = Record(1, 0, 0) if event.players[0] == won.white else Record(0, 0, 1)
    assert event.field.met == {(0, 1): of_the_first}
    whole = own_event(club_list, [player.number for player in four[:4]], ASKED)
    assert whole is not None
    assert set(whole.field.met) == set(combinations(range(4), 2)), "each pair once, the higher rated first"
    rows.objects.update(**change)
    without = own_event(club_list, numbers, ASKED)
    assert without is not None
    assert without.games == 0
    assert without.question.key != event.question.key, "an answer never outlives its facts"


def test_only_fixed_lines_hang_on_the_order_of_names(four: list[Player], club_list: RatingList) -> None:
    def key(people: list[Player], draw: str) -> str:
        event = own_event(club_list, [player.number for player in people], ASKED | {"draw": draw})
        assert event is not None
        return event.question.key

    turned = [four[1], four[0], *four[2:4]]
    assert key(turned, "lots") == key(four[:4], "lots")
    assert key(turned, "fixed") != key(four[:4], "fixed")


# --- what is refused ----------------------------------------------------------------------------------------------
def hide(player: Player) -> None:
    Player.objects.filter(pk=player.pk).update(visibility=Visibility.HIDDEN)


def show_initials(player: Player) -> None:
    Player.objects.filter(pk=player.pk).update(visibility=Visibility.INITIALS)


def make_minor(player: Player) -> None:
    Player.objects.filter(pk=player.pk).update(birth_year=2020)


@pytest.mark.parametrize("change", [hide, show_initials, make_minor])
def test_who_is_not_shown_by_name_or_under_age_cannot_be_chosen_nor_seen_afterwards(
    client: Client, four: list[Player], club_list: RatingList, change: Callable[[Player], None]
) -> None:
    asked = own_event(club_list, [player.number for player in four[:4]], ASKED)
    assert asked is not None
    change(four[0])
    client.force_login(factory.make_arbiter())
    page = text_of(client, address(four[:4]), 400)
    assert f"nobody who is shown to everybody by name is “{four[0].number}”" in page
    assert four[0].name not in page + text_of(client, OWN)
    with pytest.raises(Refused, match="not shown by name any more"):
        answer_own_masters(job_of(asked), lambda done, of: None)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("1\n2\n3", "There are 3 lines with players"),
        ("1\n1", "Line 2 repeats line 1."),
        ("1\nNobody Atall", "Line 2: nobody who is shown to everybody by name is “Nobody Atall”"),
        ("1\nTwin Twinsson", "Line 2: several are called “Twin Twinsson”. Write the number of one."),
        ("1\n5", "Each of them needs a rating in the list"),
        ("1\n999999999", "Line 2: nobody"),
        ("x" * 3000, "2000"),
        ("", "required"),
    ],
)
def test_a_field_that_is_none_is_refused_with_the_line(
    client: Client, four: list[Player], lines: str, says: str
) -> None:
    create_players([NewPlayer("Twin Twinsson")] * 2, by=None)
    page = text_of(client, f"{OWN}?list=standard&people={quote(lines)}", 400)
    assert says in page
    assert not Job.objects.exists()


@pytest.mark.parametrize("more", [{"rule": "bold"}, {"stations": "99"}, {"k": "15"}, {"draw": "x"}, {"list": "none"}])
def test_settings_there_are_not_are_refused(client: Client, four: list[Player], more: dict[str, str]) -> None:
    assert client.get(address(four[:2], **more)).status_code == 400


def test_a_club_without_a_public_list_says_so_and_answers_nothing_that_waits(
    client: Client, four: list[Player], club_list: RatingList
) -> None:
    asked = own_event(club_list, [player.number for player in four[:2]], ASKED)
    assert asked is not None
    RatingList.objects.update(public=False)
    assert "There is no public rating list" in text_of(client, OWN)
    with pytest.raises(Refused, match="no rating in the list"):
        answer_own_masters(job_of(asked), lambda done, of: None)


def test_a_question_that_failed_says_why(client: Client, four: list[Player], club_list: RatingList) -> None:
    event = own_event(club_list, [player.number for player in four[:2]], ASKED)
    assert event is not None
    job = answer(event.question, None)
    JobChunk.objects.update(done=False)
    Job.objects.filter(pk=job.pk).update(state=Job.State.FAILED, message="It broke off.")
    assert isinstance(event.question, Question)
    assert "It broke off." in text_of(client, address(four[:2]))
