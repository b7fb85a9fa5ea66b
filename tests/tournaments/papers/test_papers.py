"""Papers of an event at the desk: the facts typed, the checklist, both reports, the list of players, certificates."""

from copy import copy
from dataclasses import replace
from datetime import time
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from players.models import AuditEvent
from players.people.services import NewPlayer, create_players, set_identities
from players.privacy.rules import NOBODY
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.swiss_events import WHITE, make_swiss, play_rounds
from tests.visitor import Page
from tournaments.events.services.closing import close_event
from tournaments.events.services.events import open_event
from tournaments.interchange.fide_list import read_fide_list
from tournaments.interchange.trf import write_report
from tournaments.models import Entry, EventPapers, Game, Round, Tournament
from tournaments.papers.selectors import honours_of, list_rows, proposed_papers, rate_of, summary_of
from tournaments.papers.services import NewPapers, checked_code, set_federations, set_papers
from tournaments.prizes.services import Fund, NewPrize, set_prizes
from tournaments.reports.selectors import papers_of, report_of
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = pytest.mark.django_db
standard = club_and_list
FACTS = NewPapers(
    federation="ger",
    organiser=" Chess  Friends ",
    chief_arbiter="Doe, Jane (1234567)",
    deputies="Roe, Rick (7654321)\nPoe, Pat",
    time_control="40/90+30, 30 + 30",
    appeals="No appeals.",
)
NAMES = ("Alvarez, Ada", "Иванова Анна", "Hidden, Hilde", "Dahl, Dag")


@pytest.fixture(scope="module", autouse=True)
def event(standard: RatingList) -> Tournament:
    """Four players, two of three rounds played; 1 to 3 have FIDE numbers, 2 and 3 a reading, 3 is hidden. Beside it an
    event of others with the same numbers."""
    hidden = {"visibility": "hidden", "reading": "Hidden, H."}
    data = [{"title": "FM", "sex": "f", "birth_year": 2012}, {"reading": "Ivanova, Anna"}, hidden, {}]
    people = create_players([NewPlayer(name, **more) for name, more in zip(NAMES, data, strict=True)], by=None)  # type: ignore[arg-type]
    for number, player in enumerate(people[:3], start=1):
        set_identities(player, {"fide": f"10{number}"}, by=None)
    set_identities(people[3], {"national": "44"}, by=None)
    stage = make_swiss(people, rounds=3)
    play_rounds(stage, 2, WHITE, WHITE)
    factory.make_round_robin(factory.make_players(4), name="Beside")
    return stage.tournament


@pytest.fixture
def boss(client: Client) -> Client:
    client.force_login(factory.make_arbiter())
    return client


def url(page: str, event: Tournament) -> str:
    return reverse(f"admin:tournaments_tournament_{page}", args=[event.pk])


def texts(content: bytes) -> list[str]:
    return [" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(content)).pages]


def test_what_is_typed_stands_in_the_report_of_officers_and_in_no_other(event: Tournament) -> None:
    papers = set_papers(event, FACTS, by=None, revision=0)
    assert (papers.organiser, papers.federation) == ("Chess Friends", "GER")
    assert set_papers(event, FACTS, by=None).revision == 1, "the same again changes nothing"
    other = factory.make_round_robin(factory.first_players(2))
    assert not any(report_of(other).texts("182")), "nobody said who paired"
    set_papers(other, NewPapers(federation="AUS"), by=None)
    lines = write_report(report_of(other), 26).decode().splitlines()
    assert ("032 AUS" in lines, "182 Club Rating" in lines) == (True, False), "a round robin has its tables"
    first, officer = Entry.objects.get(tournament=event, number=1).pk, factory.make_arbiter()
    strange = other.entries.values_list("pk", flat=True)[0]
    with pytest.raises(Refused, match="1 of these players are not in this event"):
        set_federations(event, {first: "GER", strange: "GER"}, by=officer)
    codes = {entry.pk: "fra" if entry.pk == first else "" for entry in event.entries.all()}
    assert [set_federations(event, codes, by=officer) for _again in range(2)] == [1, 0]
    assert factory.told("papers.federations", event, officer).after == {"entries": [first]}
    told = factory.told("papers.changed", event)
    assert (told.before, told.after["federation"]) == ({}, "GER")
    made = report_of(event)
    lines = write_report(made, 26).decode().splitlines()
    wanted = ["032 GER", "102 Doe, Jane (1234567)", "112 Roe, Rick (7654321)", "112 Poe, Pat", "122 40/90+30, 30+30"]
    assert set(wanted) | {"182 Club Rating", "222 40/5400+30:1800+30"} <= set(lines)
    assert [player.federation for player in made.players] == ["FRA", "", "", ""]
    assert not {"182", "222"} & {
        line[:3] for line in write_report(report_of(event, version=16), 16).decode().splitlines()
    }
    assert "Doe" not in write_report(report_of(event, viewer=NOBODY), 26).decode()
    trail = " ".join(f"{row.before} {row.after}" for row in AuditEvent.objects.filter(action__startswith="papers."))
    assert "GER" in trail
    assert "Doe" not in trail


def test_a_code_of_a_federation_is_three_letters_or_nothing() -> None:
    assert [checked_code(code) for code in (" ger ", "")] == ["GER", ""]
    for code in ("GE", "GERM", "GE1", "ÖST"):
        with pytest.raises(Refused, match="three letters"):
            checked_code(code)


@pytest.mark.parametrize(
    ("changes", "says"),
    [({"federation": "GE"}, "three letters"), ({"time_control": "G/90"}, "90\\+30"), ({"organiser": "x" * 101}, "100")],
)
def test_what_cannot_be_used_is_refused_and_changes_nothing(
    event: Tournament, changes: dict[str, str], says: str
) -> None:
    with pytest.raises(Refused, match=says):
        set_papers(event, NewPapers(**changes), by=None)
    with pytest.raises(Refused, match="not in this event"):
        set_federations(event, {0: "GER"}, by=None)
    assert not EventPapers.objects.exists()


def test_what_another_program_said_is_proposed_and_what_is_typed_goes_before_it(event: Tournament) -> None:
    arbiter = "Old Arbiter " + "x" * 100
    event.foreign_records = f"032 aus\n102 {arbiter}\n112 One\n112 Two\n122 90+30\n222 1\nFED AUS 1 2"
    found = proposed_papers(event)
    assert (found.federation, found.time_control, found.deputies) == ("AUS", "90+30", "One\nTwo")
    assert found.chief_arbiter == arbiter[:100], "no more than may be typed"
    event.save()
    set_papers(event, FACTS, by=None)
    rate = rate_of(event, papers_of(event))
    assert rate is not None
    assert rate.typed == "40/90+30, 30+30"
    made = report_of(event)
    assert (made.federation, made.chief_arbiter, list(made.texts("222"))) == (
        "GER",
        FACTS.chief_arbiter,
        ["40/5400+30:1800+30"],
    )
    assert [player.federation for player in made.players] == ["AUS", "AUS", "", ""]


def test_the_page_lists_what_is_missing_with_the_place_to_mend_it_and_loses_nothing(
    boss: Client, event: Tournament
) -> None:
    page = url("papers", event)
    shown = boss.get(page)
    assert "No FIDE number" in shown.text
    assert "Dahl, Dag" in shown.text
    assert (
        reverse("admin:players_player_change", args=[Entry.objects.get(number=4, tournament=event).player_id])
        in shown.text
    )
    form = next(form.values for form in Page(shown.text).forms if "revision" in form.values)
    refused = boss.post(page, {**form, "federation": "GER", "time_control": "soon"})
    assert refused.status_code == 409
    assert 'value="soon"' in refused.text
    assert boss.post(page, {**form, "federation": "GER"}).status_code == 302
    assert boss.post(page, {**form, "federation": "FRA"}).status_code == 409, "an old tab"
    assert EventPapers.objects.get().federation == "GER"
    assert "The federation of the event is missing" not in boss.get(page).text


def test_federations_are_typed_for_everybody_at_once(boss: Client, event: Tournament) -> None:
    page = url("federations", event)
    first = Entry.objects.get(tournament=event, number=1)
    field = f"federation-{first.pk}"
    refused = boss.post(page, {field: "1"})
    assert (refused.status_code, 'value="1"' in refused.text) == (409, True)
    assert boss.post(page, {field: "fra", "rest": "ger"}).status_code == 302
    assert [player.federation for player in report_of(event).players] == ["FRA", "GER", "GER", "GER"]


def test_pages_and_papers_ask_no_more_for_more_players(
    boss: Client, event: Tournament, django_assert_max_num_queries: object
) -> None:
    for page, most in (("papers", 34), ("federations", 18), ("certificates", 30)):
        with django_assert_max_num_queries(most):  # type: ignore[operator]
            assert boss.get(url(page, event)).status_code == 200


def test_the_arbiters_report_says_what_is_known_on_one_sheet(boss: Client, event: Tournament) -> None:
    set_papers(event, FACTS, by=None)
    Round.objects.filter(stage__tournament=event, number=1).update(planned_on=factory.MONDAY, planned_at=time(19, 30))
    factory.make_round_robin(factory.first_players(4))  # its rounds have other hours
    for number, (code, rating) in enumerate((("FRA", 1800), ("GER", 1801), ("GER", None)), start=1):
        Entry.objects.filter(tournament=event, number=number).update(federation=code, rating=rating)
    short = Game.objects.filter(tournament=event).order_by("pk")[0]
    Game.objects.filter(pk=short.pk).update(result=Result.WHITE_WINS_UNRATED)
    summary = summary_of(event)
    assert (summary.rated, summary.average, summary.titles) == (2, 1801, (("FM", 1),))
    assert summary.federations == (("GER", 2), ("FRA", 1), ("", 1))
    assert 0 < summary.missing < len(summary.findings)
    answer = boss.get(url("papers", event), {"as": "pdf"})
    assert answer["Content-Type"] == "application/pdf"
    assert b"/DisplayDocTitle true" in answer.content, "a reader's window is called by the title, as PDF/UA wants it"
    (sheet,) = texts(answer.content)
    for text in (
        "Open",
        "GER",
        "2 of 3",
        "40/90+30, 30+30",
        "Doe, Jane (1234567)",
        "Poe, Pat",
        "Organiser Chess Friends",
        "1: 5 Jan 19:30; 2: –",
        "4 played",
        "4, of them 2 with a rating and 2 without",
        "Average rating 1801",
        "FM 1",
        "GER 2, FRA 1, not known 1 Of the host federation 2",
        "No appeals.",
    ):
        assert text in sheet
    assert not [name for name in NAMES if name in sheet], "no player is named"
    assert answer.content == boss.get(url("papers", event), {"as": "pdf"}).content


def test_what_is_missing_follows_from_the_events_pool_game_and_state(event: Tournament) -> None:
    set_papers(event, FACTS, by=None)
    closed = copy(event)
    closed.pool, closed.game, closed.closed = "blitz", "go", True
    words = ("a blitz game has 3 to 10", "no event of chess", "not closed")
    for each, found in ((event, [False, False, True]), (closed, [True, True, False])):
        texts = " ".join(finding.text for finding in summary_of(each).findings)
        assert [word in texts for word in words] == found


def test_the_list_of_players_is_read_as_fides_own(boss: Client, event: Tournament) -> None:
    Entry.objects.filter(tournament=event, player__title="FM").update(rating=1850.5)
    content = boss.get(url("player_list", event)).content
    rows = list(read_fide_list(BytesIO(content), "players.txt"))
    assert [(row.fide_id, row.name, row.title, row.birth_year, row.sex, row.ratings) for row in rows] == [  # type: ignore[union-attr]
        ("102", "Ivanova, Anna", "", None, "", {}),
        ("101", NAMES[0], "FM", 2012, "f", {"standard": 1851}),
        ("103", NAMES[2], "", None, "", {}),
    ]
    Entry.objects.filter(tournament=event, number=2).update(number=None)
    assert [row.fide_id for row in list_rows(event)] == ["101", "103", "102"], "who has no number yet stands last"
    Entry.objects.filter(tournament=event, number=4).update(withdrawn=True)
    assert [row.fide_id for row in list_rows(event)] == ["101", "102"]


def test_who_has_left_has_no_certificate_and_a_round_counts_once_it_has_begun(event: Tournament) -> None:
    pair_next_round(event.stages.get(), by=None, day=factory.MONDAY, publish=True)
    withdraw_entry(event.entries.get(number=4).pk, by=None)
    honours = honours_of(event)
    assert honours is not None
    assert ({each.entrant.number for each in honours.people}, honours.rounds) == ({1, 2, 3}, 2)


def test_certificates_are_a_page_each_with_places_and_prizes_once_the_event_is_closed(
    boss: Client, event: Tournament
) -> None:
    set_prizes(event, Fund("€", "full", 100, one_each=True), [NewPrize("place", None, 1, 5_000)], by=None)
    page, keys = url("certificates", event), list(Entry.objects.filter(tournament=event).values_list("pk", flat=True))
    asked = {"who": keys, "paper": "a5", "places": "on", "prizes": "on"}
    before, honours = boss.get(page, asked), honours_of(event)
    assert honours is not None
    assert not [each for each in honours.people if each.wins], "prizes are given when the event is closed"
    assert not [text for text in texts(before.content) if "Place 1" in text]
    close_event(event, by=None)
    sheets = texts(boss.get(page, asked).content)
    assert len(sheets) == 4
    assert all(any(name in sheet for sheet in sheets) for name in NAMES)
    assert "Place 1 2 points in 2 rounds Place 1: 50 €" in sheets[0]
    assert "Places 2–3 1 point in 2 rounds" in sheets[1]
    assert "Place 4 Place and day" in sheets[3], "who has no points is told of none"
    assert PdfReader(BytesIO(before.content)).pages[0].mediabox[2] < 600
    plain = texts(boss.get(page, {"who": keys, "paper": "a4"}).content)
    assert not [sheet for sheet in plain if "rounds" in sheet or "€" in sheet]
    assert len(texts(boss.get(page, {"who": keys[:1], "paper": "a4"}).content)) == 1
    assert boss.get(page, {"who": ["0"], "paper": "a4"}).status_code == 400
    assert boss.get(page, {"paper": "a4"}).status_code == 400


def test_no_more_are_ticked_than_fit_into_a_file_and_what_no_font_writes_is_said_before(
    boss: Client, event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.papers.admin.MOST_CERTIFICATES", 3)
    set_papers(event, replace(FACTS, remarks="שלום"), by=None)
    Tournament.objects.filter(pk=event.pk).update(place="תל אביב")
    shown = boss.get(url("certificates", event)).text
    assert shown.count("checked") == 3
    assert "At most 3 certificates" in shown
    keys = [str(each.pk) for each in Entry.objects.filter(tournament=event)]
    refused = boss.get(url("certificates", event), {"who": keys, "paper": "a4"})
    assert (refused.status_code, refused.headers["Content-Type"][:9]) == (400, "text/html")
    assert boss.get(url("certificates", event), {"who": keys[:3], "paper": "a4"}).headers["Content-Type"][-3:] == "pdf"
    monkeypatch.setattr("tournaments.papers.admin.MOST_CERTIFICATES", len(keys))
    assert "certificates fit into" not in boss.get(url("certificates", event)).text, "just as many as there are"
    for text, page in (("שלום", "papers"), ("תל אביב", "papers"), ("תל אביב", "certificates")):
        assert text in boss.get(url(page, event)).text.split("leaves those out:")[1].split("</p>")[0]


def test_an_event_without_rounds_has_no_papers_and_one_of_pairs_no_report(boss: Client, event: Tournament) -> None:
    evenings = open_event("Thursdays", pool="standard", by=None).tournament
    with pytest.raises(Refused, match="no papers"):
        set_papers(evenings, FACTS, by=None)
    for page in ("papers", "federations", "player_list", "certificates"):
        assert boss.get(url(page, evenings)).status_code == 404, page
    Tournament.objects.filter(pk=event.pk).update(entry_size=2)
    assert "an event of pairs has none" in boss.get(url("papers", event)).text
    answer = boss.get(url("papers", event), {"as": "pdf"}, follow=True)
    assert "an event of pairs has none" in answer.text


def test_a_rate_of_play_of_another_program_that_cannot_be_read_is_none(event: Tournament) -> None:
    event.foreign_records = "122 at ease"
    assert rate_of(event, proposed_papers(event)) is None
