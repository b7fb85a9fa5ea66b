"""A stranger types a system: what it does is shown before he starts, the study is made once for everybody, and whatever
is wrong is said at its field."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubrating.web.rate_limits import RateLimit
from players.models import Job
from ratings.lab.engine import PLAIN
from ratings.lab.typed import EXAMPLES
from ratings.lab.typed_study import dot_charts, typed_document, typed_report
from ratings.lab_pages import services
from ratings.lab_pages.charts import result_document
from ratings.lab_pages.forms import written
from ratings.lab_pages.services import MOST_WAITING, TYPED_RUN
from ratings.lab_pages.views import typed as page_of
from tests import factory

PAGE = "/lab/typed/"
LEAGUE = written(EXAMPLES["league"])
UNDEFINED = {"start": "1000", "winner": "w + 10", "loser": "l - 10 / (w - l)"}  # of two who stand level
pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def club(world: None) -> None:
    factory.make_club()
    factory.make_list()


@pytest.fixture(scope="module")
def six() -> dict[str, Any]:
    """The six on the games of the short study."""
    return typed_document(games=3000, replications=1, seed=1, engine=PLAIN, tell=lambda done: None)


@pytest.fixture(autouse=True)
def _short(club: None, six: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A short study, of the six as of the typed one."""
    small = {"games": 3000, "replications": 1, "predicted_games": 400, "predicted": 1}
    kept = {"typed": six, "scenarios": result_document("scenarios")}
    monkeypatch.setattr(page_of, "result_document", kept.__getitem__)
    monkeypatch.setattr(services, "typed_report", lambda rules, **told: typed_report(rules, **told, **small))
    monkeypatch.setattr(services, "dot_charts", lambda rules, engine: dot_charts(rules, engine=engine, games=300))
    monkeypatch.setattr(services, "best_engine", lambda: PLAIN)


def sent(client: Client, fields: dict[str, str]) -> Any:
    """The page to which the form leads."""
    return client.post(PAGE, fields, follow=True)


def tried(client: Client, fields: dict[str, str]) -> tuple[str, Any]:
    """The page once somebody has pressed the button on it, and its address."""
    address = client.post(PAGE, fields)["Location"]
    return address, client.post(address, follow=True)


@pytest.mark.parametrize("key", EXAMPLES)
def test_an_example_fills_in_the_form_and_its_address_is_the_system(client: Client, key: str) -> None:
    fields = written(EXAMPLES[key])
    form = client.get(PAGE, {"example": key}).context["form"]
    assert {name: form[name].value() for name in fields} == fields
    assert sent(client, fields).context["form"].rules == EXAMPLES[key]
    assert not Job.objects.exists(), "checking asks for nothing"


def test_what_some_games_come_to_is_shown_before_the_study(client: Client) -> None:
    page = sent(client, LEAGUE)
    assert "1168.00" in page.text, "1125 beats 1200: trunc(75 / 25) + 30 + 10 = 43"
    assert "Run the study" in page.text
    undefined = sent(client, UNDEFINED | {"above": "1000", "factor": "0.5"})  # a newcomer may stand on the line
    assert "Line 1, character 8: here something is divided by zero." in undefined.text
    assert undefined.context["tries"][0].played is not None, "the others are worked out all the same"


def test_the_study_is_made_once_for_everybody_and_stands_beside_the_six(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    address, page = tried(client, LEAGUE)
    assert Job.objects.get().payload["rules"] == EXAMPLES["league"].document
    tried(Client(), LEAGUE | {"winner": f"{LEAGUE['winner']}  "})
    assert Job.objects.count() == 1
    assert len(page.context["systems"].rows) == len(page.context["measures"].rows) == 7
    assert "Typed system" in page.text
    assert "Index and ratings are those of League, to the last digit." in page.text
    for other_rule in ({"loser": "l - b - 1"}, {"start": "1750"}):  # the second has League's index
        assert "last digit" not in tried(client, LEAGUE | other_rule)[1].text
    assert page.context["calibration"].points
    other = client.get(f"{address}&system=kd").context
    assert other["calibration"].points != page.context["calibration"].points
    assert other["course"].curves[0].means != page.context["course"].curves[0].means
    assert client.get(f"{address}&system=chess").status_code == 404
    assert page.context["course"].curves[0].name == "640"
    assert len(page.context["standings"].rows) == 140
    query = address.partition("?")[2]
    answer = client.get(f"/lab/typed.json?{query}").json()
    assert (answer["state"], answer["rules"]["loser"]) == ("done", "l - b")
    for name in ("index.svg", "index.csv", "calibration.csv", "course.csv"):
        assert client.get(f"/lab/typed/{name}?{query}").status_code == 200, name
    for which in ("first", "all"):
        assert client.get(f"/lab/typed/dots/{which}.png?{query}").content.startswith(b"\x89PNG")
    assert "dots" not in answer["figures"]
    assert client.get(f"/lab/typed/dots/last.png?{query}").status_code == 404
    with django_assert_max_num_queries(6):
        client.get(address)


def test_a_formula_the_study_stops_at_is_an_answer_with_field_place_and_game(client: Client) -> None:
    address, page = tried(client, UNDEFINED)
    assert "The loser’s new rating" in page.text
    assert "Line 1, character 8: here something is divided by zero." in page.text
    assert "two players rated 1000.00 and 1000.00" in page.text
    assert "divided by zero" in client.get(address.replace("typed/", "typed.json")).json()["stopped"]
    assert Job.objects.get().state == Job.State.DONE


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"winner": "w +"}, "winner", "Line 1, character 4: the formula ends too soon."),
        ({"values": "b = 1\nc = x"}, "values", "Line 2, character 5: there is no name “x” here"),
        ({"loser": "w" * 10_240}, "loser", "at most 1200 characters (it has 10240)"),
        ({"loser": "__import__('os').system('x')"}, "loser", "Line 1, character 1: “_” means nothing in a formula."),
        ({"start": "nan"}, "start", "Enter a number."),
        ({"floor": "2000"}, "floor", "A newcomer would stand below it"),
        ({"above": "500", "factor": "0.5"}, "above", "A newcomer would stand above it"),
        ({"above": "5000"}, "factor", "go together"),
        ({"values": "b = w" + "\n" * 1100 + "c = w", "k": "1" + " " * 1000 + "+ 1"}, "__all__", "too long for a link"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_at_its_field(client: Client, fields: dict[str, str], field: str, words: str) -> None:
    page = sent(client, {"start": "1000", "winner": "w", "loser": "l", **fields})
    assert page.status_code == 200
    assert words in " ".join(page.context["form"].errors[field])
    assert words.replace("'", "&#x27;") in page.text


def test_visitors_are_braked_and_only_so_many_systems_wait(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind, state in ((TYPED_RUN, Job.State.DONE), ("forecast", Job.State.WAITING)):
        Job.objects.bulk_create(Job(kind=kind, state=state, question=f"{kind} {at}") for at in range(MOST_WAITING))
    known = tried(client, UNDEFINED)[1]
    assert "two players rated" in known.text, "what is over and other kinds of questions hold up nobody"
    Job.objects.bulk_create(Job(kind=TYPED_RUN, question=f"{at}") for at in range(MOST_WAITING))
    before, full = Job.objects.count(), "Many typed systems are waiting"
    assert full in tried(client, UNDEFINED | {"start": "800"})[1].text
    assert Job.objects.count() == before
    assert full not in tried(client, UNDEFINED)[1].text, "it is answered"
    Job.objects.exclude(payload={}).update(state=Job.State.WAITING)
    assert full not in tried(client, UNDEFINED)[1].text, "it is asked for"
    Job.objects.all().delete()
    monkeypatch.setattr(page_of, "TYPED_SYSTEMS", RateLimit("one-only", 1, 60))
    tried(client, UNDEFINED)
    assert "Too many questions" in tried(client, UNDEFINED | {"start": "800"})[1].text
    assert Job.objects.count() == 1


def test_only_the_newest_figures_are_kept_and_a_link_whose_figures_went_offers_the_study(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is under way stays, and so does the answer to another kind of question."""
    waiting = Job.objects.create(kind=TYPED_RUN, question="waits")
    monkeypatch.setattr(services, "MOST_KEPT", 2)
    address, _page = tried(client, UNDEFINED)
    other = Job.objects.create(kind="forecast", question="other", state=Job.State.DONE)
    tried(client, UNDEFINED | {"start": "800"})
    assert "Run the study" not in client.get(address).text
    tried(client, UNDEFINED | {"start": "900"})
    kept = Job.objects.exclude(pk__in=(waiting.pk, other.pk))
    assert [job.payload["rules"]["start"] for job in kept.order_by("pk")] == [800.0, 900.0]
    assert Job.objects.count() == 4
    assert "Run the study" in client.get(address).text


def test_what_there_is_not_is_not_found(client: Client) -> None:
    assert client.get(PAGE, {"example": "chess"}).status_code == 404
    assert client.get("/lab/typed/index.svg", LEAGUE).status_code == 404
    assert client.get("/lab/typed.json", {"winner": "w +"}).status_code == 400
