"""Which format? The page in each of its states, its figures against the pure answer, its file, and what it asks of the
database; a field of the club's own brings ratings and no names."""

import csv
import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from clubrating.site.jobs.services import answer_chunk
from clubrating.web.questions import QUESTIONS
from players.models import Job, JobChunk
from ratings.models import RatingList
from ratings.systems.draws import rate_between_equals
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list
from tests.visitor import Page
from tournaments.builders import services as service
from tournaments.builders.services import advice_of
from tournaments.builders.views.format_answer import format_words
from tournaments.forecast.adviser import Advice, Field, advise, even_steps
from tournaments.forecast.formats import Format, Hall, Kind, usual_formats

pytestmark = pytest.mark.django_db

PAGE = "/tools/format/"
ASKED = {"field": "8", "evenings": "4", "first_evening": "2026-12-01"}
AT = f"{PAGE}?field=8&evenings=4&first_evening=2026-12-01"
FILE = AT.replace("?", "formats.csv?")
FEW = 60  # samples


standard = club_and_list


class Queue:
    """Where questions wait until a worker comes."""

    def __init__(self) -> None:
        self.chunks: list[int] = []

    def enqueue(self, chunk: int) -> None:
        self.chunks.append(chunk)

    def work(self) -> None:
        while self.chunks:
            answer_chunk.call(self.chunks.pop())


@pytest.fixture(autouse=True)
def queue(monkeypatch: pytest.MonkeyPatch) -> Iterator[Queue]:
    """Few samples, nothing asked before, and no worker but the test."""
    waiting = Queue()
    monkeypatch.setattr(service, "SAMPLES", FEW)
    monkeypatch.setattr("clubrating.site.jobs.services.answer_chunk", waiting)
    cache.clear()
    yield waiting
    cache.clear()


@pytest.fixture
def answered(client: Client, standard: RatingList, queue: Queue) -> str:
    """The page of a question a worker has answered."""
    client.post(PAGE, ASKED)
    queue.work()
    return client.get(AT).text


def pure() -> tuple[Advice, ...]:
    field = Field(tuple(round(rating) for rating in even_steps(8, 600)), rate_between_equals(0.3))
    hall = Hall(4, 4)
    return advise(field, hall, usual_formats(8, hall), samples=FEW, seed=service.SEED)


def plain(text: str) -> str:
    return " ".join(text.split())


# --- states -------------------------------------------------------------------------------------------------------
def test_opened_it_asks_for_a_field_and_plays_nothing_out_itself(
    client: Client, standard: RatingList, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(*_asked: Any, **_more: Any) -> None:
        raise AssertionError("work in a request")

    monkeypatch.setattr(service, "advise", work)
    assert "Say who plays and how many evenings there are" in client.get(PAGE).text
    for tools in ("/tools/", "/tools/elo/"):
        assert f'href="{PAGE}"' in client.get(tools).text
    page = client.get(AT)
    assert "Nobody has asked this yet." in page.text
    assert "Refresh" not in page.headers
    assert not Job.objects.exists(), "looking is not asking"
    assert client.post(PAGE, ASKED).status_code == 302


def test_sent_it_is_asked_and_leads_to_its_address(client: Client, standard: RatingList) -> None:
    answer = client.post(PAGE, {**ASKED, "field": "Ada 1850\nBo 1700\nCleo 1600"})
    assert answer["Location"] == f"{PAGE}?field=1850%0A1700%0A1600&evenings=4&first_evening=2026-12-01"
    job = Job.objects.get()
    assert (job.kind, job.state) == ("advice", Job.State.WAITING)
    assert job.payload["ratings"] == [1850, 1700, 1600]
    assert "Ada" not in str(job.payload)


def test_the_same_question_is_asked_once_whoever_asks(client: Client, answered: str) -> None:
    Client().post(PAGE, {**ASKED, "boards": "4", "every": "14"})
    assert Job.objects.count() == 1, "boards enough are four; days between evenings are only reckoned with"
    client.post(PAGE, {**ASKED, "evenings": "5"})
    assert Job.objects.count() == 2


def test_under_way_it_says_how_far_it_is_and_failed_it_can_be_asked_again(client: Client, standard: RatingList) -> None:
    client.post(PAGE, ASKED)
    Job.objects.update(state=Job.State.RUNNING, progress=42)
    page = client.get(AT)
    assert '<progress max="100" value="42"' in page.text
    assert (page.headers["Refresh"], page.headers["Cache-Control"]) == ("4", "no-store")
    assert "Play them out" not in page.text
    Job.objects.update(state=Job.State.FAILED, message="The work broke off; ask for it again.")
    failed = client.get(AT).text
    assert "The work broke off; ask for it again." in failed
    assert "Nobody has asked this yet" not in failed
    assert 'action="?field=8&amp;evenings=4&amp;first_evening=2026-12-01"' in failed
    assert client.post(AT)["Location"] == AT
    assert Job.objects.filter(state=Job.State.WAITING).count() == 1


def test_the_button_carries_a_token_and_too_many_questions_are_refused(standard: RatingList, client: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(PAGE, ASKED).status_code == 403
    (form,) = [form for form in Page(strict.get(PAGE).text).forms if "evenings" in form.names]
    assert "csrfmiddlewaretoken" in form.names
    for _try in range(QUESTIONS.tries):
        QUESTIONS.count("127.0.0.1")
    page = client.post(PAGE, ASKED, follow=True).text
    assert "Too many questions from here within an hour." in page
    assert not Job.objects.exists()
    client.force_login(arbiter := factory.make_arbiter())
    client.post(PAGE, ASKED)
    assert Job.objects.get().requested_by == arbiter, "who is known may go on"


def test_bad_input_keeps_the_form_and_asks_nothing(client: Client, standard: RatingList) -> None:
    page = client.post(PAGE, {"field": "Ada 1850\nBo", "evenings": "0"}).text
    for words in ("Line 2: there is no rating in it.", "Write a number from 1 to 100.", "Ada 1850"):
        assert words in page
    assert not Job.objects.exists()
    files = {f"{PAGE}formats.csv?field=1&evenings=4": 400, f"{PAGE}formats.csv": 400, FILE: 404}
    assert {file: client.get(file).status_code for file in files} == files, "404: not answered yet"


# --- the answer ---------------------------------------------------------------------------------------------------
def test_the_figures_on_the_page_are_those_of_the_pure_answer(answered: str) -> None:
    """A round a week from Tuesday 1 December: a knockout of eight takes three, all play all seven, twice fourteen."""
    assert advice_of(JobChunk.objects.get().result) == pure()
    assert Job.objects.get().progress == 100
    for day in ("15 Dec 2026", "12 Jan 2027", "2 Mar 2027"):
        assert f"Last evening: {day}" in plain(answered)
    table = answered[answered.index("<tbody>") :]
    rows = [plain(row) for row in table.split("<tr>")[1:]]
    for row, one in zip(rows, pure(), strict=True):
        games = f"{one.most}" if one.fewest == one.most else f"{one.fewest}–{one.most}"
        assert format_words(one.form) in row
        assert f'<td class="num nowrap">{100 * one.best_wins.value:.0f} %' in row
        assert f"Games each: {games}." in row
        assert f'<td class="num">{one.evenings}' in row
        assert ("does not fit" in row) is not one.fits


def test_both_pictures_and_the_file_have_every_format(answered: str, client: Client) -> None:
    assert answered.count('<svg class="wide"') == answered.count('<svg class="narrow"') == 2
    for number, one in enumerate(pure(), start=1):
        assert answered.count(f"{number} · {format_words(one.form)}</text>") == 2
    hollow = sum(not one.fits for one in pure())
    assert answered.count('<g class="hollow">') == 4 * hollow > 0
    lines = list(csv.DictReader(io.StringIO(client.get(FILE).content.decode())))
    for line, one in zip(lines, pure(), strict=True):
        assert (line["format"], line["fits"]) == (one.form.kind.value, "yes" if one.fits else "no")
        assert float(line["best_wins"]) == pytest.approx(one.best_wins.value, abs=5e-5)
        assert float(line["best_wins_error"]) == pytest.approx(one.best_wins.error, abs=5e-5)
        assert (int(line["games_fewest"]), int(line["games_most"])) == (one.fewest, one.most)
    robin = lines[0]
    assert (robin["evenings"], robin["last_evening"], robin["cycles"], robin["rounds"]) == ("7", "2027-01-12", "1", "")


def test_an_answer_costs_the_same_queries_however_many_play(
    client: Client, standard: RatingList, queue: Queue, django_assert_num_queries: Callable[..., Any]
) -> None:
    for field in ("4", "40"):
        client.post(PAGE, {**ASKED, "field": field})
        queue.work()
        client.get(AT.replace("field=8", f"field={field}"))
        # The club; the main list and how often it draws; the job and its answer.
        with django_assert_num_queries(5):
            client.get(AT.replace("field=8", f"field={field}"))


# --- in words -----------------------------------------------------------------------------------------------------
def test_formats_in_words() -> None:
    assert "; ".join(format_words(form) for form in usual_formats(16, Hall(5, 8))) == (
        "Round robin; Round robin: twice; Swiss, 4 rounds; Swiss, 5 rounds; Knockout; Knockout, 2 games a match; "
        "2 groups, then knockout; 4 groups, then knockout"
    )
    assert format_words(Format(Kind.SWISS, rounds=1)) == "Swiss, 1 round"


def test_the_advice_follows_from_the_figures(
    client: Client, standard: RatingList, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    for evenings, samples, begins in (
        ("1", FEW, "None of these formats fits. The shortest takes 3 evenings: Swiss, 3 rounds."),
        ("3", FEW, "Among those that fit there is no difference beyond chance for the best player between:"),
        ("5", 1500, "Of those that fit, the best player has the best chance in this one: Knockout ("),
    ):
        monkeypatch.setattr(service, "SAMPLES", samples)
        client.post(PAGE, {"field": "8", "evenings": evenings})
        queue.work()
        page = client.get(f"{PAGE}?field=8&evenings={evenings}").text
        assert begins in plain(page)
        assert ("Most games for everybody" in page) is (evenings != "1")


def test_only_arbiters_are_led_to_a_new_event_with_its_format_filled_in(
    client: Client, answered: str, django_user_model: Any
) -> None:
    assert "Make it a tournament" not in answered
    client.force_login(factory.make_arbiter())
    page = client.get(AT).text
    address = "/admin/tournaments/tournament/add/?play=dutch&amp;rounds=3&amp;starts_on=2026-12-01"
    assert address in page
    form = client.get(address.replace("&amp;", "&")).text
    assert '<option value="dutch" selected>' in form
    assert 'value="2026-12-01"' in form
    for play in ("once", "twice", "knockout", "groups"):
        assert f"?play={play}&amp;starts_on" in page
        assert f'<option value="{play}">' in form
    assert 'href="/tools/format/"' in client.get("/admin/tournaments/tournament/new/").text
