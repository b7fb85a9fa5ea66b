"""The committee's proposals: what would change, worked out beside the ledger, and adopted as a dated rule like any."""

import csv
import re
from datetime import date, timedelta
from io import StringIO
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubrating.site.research.selectors import proposal_question
from clubrating.site.research.services import MOVED, answer_proposal
from players.jobs.services import answer_of
from players.models import AuditEvent, Job, Player
from ratings.lists.services import NewRule, set_rules
from ratings.models import LedgerEntry, PlayerRating, PublishedRow, RatingList
from ratings.systems import rating_system
from ratings.systems.base import PlayerState
from ratings.systems.replay import DatedRule, DatedRules, replay
from tests import factory
from tests.clubrating.site.research.backtest_cases import (
    BLACK,
    DRAW,
    WHITE,
    answered,
    evenings,
    nobody_works,
    play,
    the_list,
)
from tests.tournaments.admin_pages import save_shown
from tests.visitor import Page
from tournaments.models import Tournament
from tournaments.rated_games.selectors.games import rated_games
from tournaments.rated_games.services.past_lists import publish_list
from tournaments.rated_games.services.rebuilding import check_list, rebuild_list

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_are_enough")]
PAGE = "/lab/proposal/"
K10 = {"preset": "club", "k_rule": "constant", "k": 10.0}
TURN = factory.MONDAY + timedelta(days=3)
GAMES = [(0, 1, WHITE), (1, 2, DRAW), (2, 0, BLACK), (0, 1, WHITE), (1, 2, WHITE), (2, 0, DRAW)]


@pytest.fixture(scope="module")
def people(world: None) -> list[Player]:
    factory.make_club()
    factory.make_list()
    return factory.make_players(3)


@pytest.fixture(scope="module")
def event(people: list[Player]) -> Tournament:
    """Six evenings, the last three of them from TURN on."""
    RatingList.objects.update(provisional_games=2)
    event = evenings()
    play(event, people, GAMES)
    rebuild_list(the_list())
    return event


@pytest.fixture
def committee(client: Client, event: Tournament) -> Client:
    client.force_login(factory.make_rating_officer())
    return client


def proposed(settings: dict[str, Any], since: date = TURN, system: str = "elo") -> Job:
    return answered(proposal_question(the_list(), system, settings, since))


def values_of(job: Job) -> dict[str, Any]:
    found: dict[str, Any] = answer_of(job)
    return found


def form(**changed: str) -> dict[str, str]:
    return {"list": "standard", "way": "elo", "k": "10", "since": TURN.isoformat(), "settings": ""} | changed


def fresh(*rules: tuple[date, dict[str, Any]]) -> dict[int, PlayerState]:
    """The list's games rated from nothing by Elo with those settings, each from its day on."""
    elo = rating_system("elo")
    dated = DatedRules([DatedRule(day, elo, elo.read_settings(settings)) for day, settings in rules])
    states: dict[int, PlayerState] = {}
    list(replay(rated_games("standard"), (), states=states, birth_years={}, rules=dated))
    return states


# --- what would change ----------------------------------------------------------------------------------------------
def test_the_present_rule_changes_nothing(event: Tournament) -> None:
    found = values_of(proposed({"preset": "club"}))
    assert (found["moved"], found["places"], found["mean_move"], found["movers"]) == (0, 0, 0.0, [])
    assert found["means"]["now"] == found["means"]["then"]
    assert found["worths"]["now"] == found["worths"]["then"]
    assert found["prediction"]["systems"]["proposed"]["difference"] == {"mean": 0.0, "low": 0.0, "high": 0.0}
    assert (found["games"], found["rated"]) == (6, 3)


def test_another_k_gives_what_a_fresh_replay_gives_and_writes_nothing(event: Tournament) -> None:
    def ledger() -> list[tuple[object, ...]]:
        return [*LedgerEntry.objects.order_by("pk").values_list(), *PlayerRating.objects.order_by("pk").values_list()]

    before, revision = ledger(), the_list().revision
    now, then = fresh((date.min, {})), fresh((date.min, {}), (TURN, K10))
    found = values_of(proposed(K10))
    assert {row[0]: (row[1]["rating"], row[2]["rating"]) for row in found["movers"]} == {
        player: (now[player].rating, then[player].rating) for player in now
    }
    moves = [abs(row[2]["rating"] - row[1]["rating"]) for row in found["movers"]]
    assert moves == sorted(moves, reverse=True)
    assert min(moves) >= MOVED
    assert found["mean_move"] == pytest.approx(sum(moves) / 3)
    assert (found["worths"]["then"]["low"], found["worths"]["then"]["high"]) == (10.0, 10.0)
    assert found["worths"]["now"]["k"] == 40.0
    for key, own, _then in found["movers"]:
        row = PlayerRating.objects.get(player=key, generation=the_list().live_generation)
        assert (own["rating"], own["games"], own["place"] is not None) == (row.rating, row.games, row.ranked)
    proposed({}, system="glicko2")
    assert (ledger(), the_list().revision) == (before, revision)


def test_a_later_rule_of_the_list_ends_it(event: Tournament) -> None:
    rules = [NewRule(date(1900, 1, 1), "elo", {}), NewRule(TURN + timedelta(days=1), "elo", {"preset": "constant"})]
    set_rules(the_list(), rules, by=None)
    rebuild_list(the_list())
    later = {"preset": "constant"}
    then = fresh((date.min, {}), (TURN, K10), (TURN + timedelta(days=1), later))
    values = {row[0]: row[2]["rating"] for row in values_of(proposed(K10))["movers"]}
    assert len(values) == 2  # whoever did not play that day moves by next to nothing
    assert values == {player: then[player].rating for player in values}


def test_a_day_to_come_moves_nobody_and_too_few_games_predict_nothing(
    client: Client, event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = proposed(K10, since=factory.today() + timedelta(days=30))
    assert values_of(job)["moved"] == 0
    assert "No game falls under the proposed rule yet" in client.get(f"{PAGE}{job.pk}/").text
    monkeypatch.undo()  # as many as for a club are asked for
    monkeypatch.undo()  # as many as for a club are asked for
    job = proposed(K10)
    assert values_of(job)["prediction"] is None
    assert "There are too few games to tell." in client.get(f"{PAGE}{job.pk}/").text


def test_k_by_evidence_is_proposed_from_a_day_on_as_any_rule_is(client: Client, event: Tournament) -> None:
    by_evidence = {"preset": "club", "newcomer_k": "evidence"}
    games = max(PlayerRating.objects.values_list("games", flat=True))
    RatingList.objects.update(provisional_games=games + 1)
    then, job = fresh((date.min, {}), (TURN, by_evidence)), proposed(by_evidence)
    found = values_of(job)
    assert found["worths"]["then"]["high"] > found["worths"]["now"]["high"] == 40.0
    assert found["movers"]
    assert all(row[2]["rating"] == then[row[0]].rating for row in found["movers"])
    elo, rated = rating_system("elo"), the_list()
    ends = elo.probation(elo.read_settings(by_evidence), rated.provisional_games)
    moved = [(rated.probation.holds(row), ends.holds(then[row.player_id])) for row in rated.ratings.all()]
    assert [found["off"], found["again"]] == [moved.count((True, False)), moved.count((False, True))] != [0, 0]
    page = client.get(f"{PAGE}{job.pk}/").text
    assert "Newcomers’ K is what their games so far call for" in page
    assert f"Off probation at once: {found['off']}" in page


@pytest.mark.parametrize("system", ["glicko", "league", "solo-zerg", "r2", "kd", "bradley-terry"])
def test_every_system_can_be_proposed(client: Client, event: Tournament, system: str) -> None:
    job = proposed({}, system=system)
    assert job.state == Job.State.DONE, job.message
    assert client.get(f"{PAGE}{job.pk}/").status_code == 200


def test_it_tells_how_far_it_is_and_settings_no_system_takes_are_refused(event: Tournament) -> None:
    lines: list[tuple[int, int]] = []
    job = Job(subject_key=the_list().pk, payload={"system": "elo", "settings": K10, "from": TURN.isoformat()})
    answer_proposal(job, lambda done, of: lines.append((done, of)))
    assert [done for done, _of in lines] == sorted(done for done, _of in lines)
    assert {of for _done, of in lines} == {100}
    refused = answered(proposal_question(the_list(), "elo", {"colour": 1}, TURN))
    assert refused.state == Job.State.FAILED
    assert "has no setting" in refused.message


# --- who asks, who reads --------------------------------------------------------------------------------------------
def test_only_who_may_change_lists_proposes(client: Client, event: Tournament) -> None:
    job = proposed(K10)
    assert '<form class="form' not in client.get(PAGE).text
    assert client.post(PAGE, form()).status_code == 403
    assert client.post(f"{PAGE}{job.pk}/").status_code == 403
    client.force_login(factory.make_arbiter())
    assert "Work out what would change" not in client.get(PAGE).text
    assert client.post(PAGE, form()).status_code == 403
    assert client.post(f"{PAGE}{job.pk}/").status_code == 403
    assert Job.objects.count() == 1


def test_a_proposal_is_asked_for_and_waits_for_a_worker(committee: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    nobody_works(monkeypatch)
    sent = committee.post(PAGE, form())
    (job,) = Job.objects.all()
    assert sent["Location"] == f"{PAGE}{job.pk}/"
    assert (job.kind, job.subject_key, job.payload) == (
        "proposal", the_list().pk, {"system": "elo", "settings": K10, "from": TURN.isoformat()},
    )  # fmt: skip
    assert job.requested_by is not None
    page = committee.get(f"{PAGE}{job.pk}/")
    assert page.headers["Refresh"] == "4"
    assert f'href="{PAGE}{job.pk}/"' in committee.get(PAGE).text
    assert Client().get(f"{PAGE}{job.pk}/").status_code == 404
    assert f'href="{PAGE}{job.pk}/"' not in Client().get(PAGE).text


def test_the_form_opens_with_nothing_set_and_tells_what_is_wrong(committee: Client) -> None:
    asked = committee.get(PAGE).context["form"]
    assert [asked[name].value() for name in ("list", "k", "settings")] == ["standard", None, "{}"]
    assert not asked.is_open
    assert next(key for key, _words in asked.fields["way"].choices) == "elo"
    for changed, words in (
        ({"k": "0"}, "must lie between"),
        ({"way": "glicko"}, "has no setting"),
        ({"k": "", "settings": "[1]"}, "Write names and values in braces, or nothing."),
        ({"k": "", "settings": '{"colour": 1}'}, "has no setting"),
        ({"since": "1900-01-01"}, "A rule of the list begins on that day already"),
        ({"list": "nothing"}, "Select a valid choice"),
    ):
        page = committee.post(PAGE, form(**changed))
        assert page.status_code == 200, changed
        assert words in page.text, changed
    assert not Job.objects.exists()


def test_an_answered_one_is_for_whoever_may_read_the_list(client: Client, event: Tournament) -> None:
    address = f"{PAGE}{proposed(K10).pk}/"
    page = client.get(address)
    assert "What would change under Elo, K 10?" in page.text
    assert "Adopt it" not in page.text
    assert f'href="{address}"' in client.get(PAGE).text
    for language in ("ru", "zh-hans", "zh-hant"):
        for each in (PAGE, address):
            assert client.get(f"/{language}{each}").status_code == 200, (language, each)
    RatingList.objects.update(public=False)
    assert client.get(address).status_code == 404
    assert f'href="{address}"' not in client.get(PAGE).text
    client.force_login(factory.make_arbiter())
    assert client.get(address).status_code == 200


def test_names_are_shown_as_the_reader_may_see_them(client: Client, event: Tournament, people: list[Player]) -> None:
    job = proposed(K10)
    assert people[0].name not in str(values_of(job))
    Player.objects.filter(pk=people[0].pk).update(visibility="hidden")
    page = client.get(f"{PAGE}{job.pk}/").text
    assert "Alvarez" not in page
    assert f"Player {people[0].number}" in page
    client.force_login(factory.make_rating_officer())
    assert "Ada Alvarez" in client.get(f"{PAGE}{job.pk}/").text


def test_who_is_no_more_is_left_out_and_whoever_is_on_probation_marked(client: Client, event: Tournament) -> None:
    RatingList.objects.update(provisional_games=5)
    job = proposed(K10)
    chunk = job.chunks.get()
    chunk.result["movers"].append([999, *chunk.result["movers"][0][1:]])
    chunk.save()
    page = client.get(f"{PAGE}{job.pk}/")
    assert len(page.context["movers"].rows) == len(re.findall('<tr class="[^"]*provisional', page.text)) == 3
    assert "on probation" in page.text


def test_other_jobs_and_old_systems_are_not_found(client: Client, event: Tournament) -> None:
    other = Job.objects.create(kind="backtest", subject_key=the_list().pk, state=Job.State.DONE)
    gone = proposed(K10)
    Job.objects.filter(pk=gone.pk).update(payload={**gone.payload, "system": "no-more"})
    for key in (other.pk, gone.pk, 999):
        assert client.get(f"{PAGE}{key}/").status_code == 404
    assert client.get(PAGE).status_code == 200


def test_after_a_result_officers_can_have_it_worked_out_anew(committee: Client, event: Tournament) -> None:
    job = proposed(K10)
    address = f"{PAGE}{job.pk}/"
    assert "Results have come since." not in committee.get(address).text
    play(event, list(Player.objects.order_by("pk")), [(0, 1, DRAW)], first_day=6)
    assert "Work it out anew" in committee.get(address).text
    public = Client().get(address).text
    assert "Results have come since." in public
    assert "Work it out anew" not in public
    again = committee.post(address)
    newer = Job.objects.order_by("pk").last()
    assert newer is not None
    assert again["Location"] == f"{PAGE}{newer.pk}/" != address
    assert values_of(newer)["games"] == 7


def test_the_drift_is_a_drawing_with_its_figures(client: Client, event: Tournament) -> None:
    job = proposed(K10)
    means = values_of(job)["means"]
    rows = list(csv.reader(StringIO(client.get(f"{PAGE}{job.pk}/drift.csv").text)))
    assert [(int(row[0]), float(row[1]), float(row[3])) for row in rows[1:]] == [
        (now[0], now[1], then[1]) for now, then in zip(means["now"], means["then"], strict=True)
    ]
    drawing = ElementTree.fromstring(client.get(f"{PAGE}{job.pk}/drift.svg").content.strip())
    assert len(drawing.findall(".//{*}polyline")) == 2
    fitted = proposed({}, system="bradley-terry", since=date(1950, 1, 1))
    assert client.get(f"{PAGE}{fitted.pk}/drift.svg").status_code == 404
    assert "There is no course to draw" in client.get(f"{PAGE}{fitted.pk}/").text


def test_queries_do_not_grow(
    client: Client, event: Tournament, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first = f"{PAGE}{proposed(K10).pk}/"
    client.get(first)
    with django_assert_num_queries(6):  # the club, the job, the lists, the answer, the people, the rules
        client.get(first)
    play(event, factory.make_players(5)[3:], [(0, 1, WHITE)], first_day=6)
    second = f"{PAGE}{proposed(K10).pk}/"
    with django_assert_num_queries(6):
        client.get(second)
    client.get(PAGE)
    with django_assert_num_queries(3):  # the club, the lists, the proposals
        client.get(PAGE)


# --- adoption -------------------------------------------------------------------------------------------------------
def adopt(committee: Client, address: str) -> None:
    """Open the form the proposal leads to, and save it as it is."""
    form = next(each for each in Page(committee.get(address).text).forms if "rules-TOTAL_FORMS" in each.values)
    saved = save_shown(committee, address.partition("#")[0], {**form.values, "_save": "Save"})
    assert saved.status_code == 302, saved.text


@pytest.mark.parametrize("place", [0, 1])
def test_adopting_is_a_dated_rule_that_rewrites_no_published_list(committee: Client, place: int) -> None:
    """From the day that was tried, which lies behind, and from the first of next month."""
    published = publish_list(the_list(), factory.MONDAY + timedelta(days=4), by=None)
    rows, digest = list(PublishedRow.objects.order_by("pk").values_list()), published.digest
    before = ledger_before(TURN)
    adoptions = committee.get(f"{PAGE}{proposed(K10).pk}/").context["adoptions"]
    assert [each.is_past for each in adoptions] == [True, False]
    adopt(committee, adoptions[place].address)

    assert [rule.valid_from for rule in the_list().rules.all()] == [date(1900, 1, 1), adoptions[place].since]
    assert the_list().rules.last().settings == K10  # type: ignore[union-attr]
    published.refresh_from_db()
    assert list(PublishedRow.objects.order_by("pk").values_list()) == rows
    assert published.digest == digest
    assert ledger_before(TURN) == before
    assert check_list(the_list()) == []
    assert AuditEvent.objects.filter(action="list.rules-changed").exists()
    moved = fresh((date.min, {}), (adoptions[place].since, K10))
    live = PlayerRating.objects.filter(generation=the_list().live_generation)
    assert dict(live.values_list("player", "rating")) == {player: state.rating for player, state in moved.items()}


def ledger_before(day: date) -> list[tuple[object, ...]]:
    """What the live ledger says of the games before a day."""
    rows = LedgerEntry.objects.filter(generation=the_list().live_generation, game__played_on__lt=day)
    names = [field.name for field in LedgerEntry._meta.fields if field.name not in ("id", "generation")]
    found = list(rows.order_by("order").values_list(*names))
    assert len(found) == 3
    return found


def test_a_day_on_which_a_rule_begins_is_not_offered(committee: Client) -> None:
    job = proposed(K10)
    set_rules(the_list(), [NewRule(date(1900, 1, 1), "elo", {}), NewRule(TURN, "elo", {})], by=None)
    (only,) = committee.get(f"{PAGE}{job.pk}/").context["adoptions"]
    assert not only.is_past
