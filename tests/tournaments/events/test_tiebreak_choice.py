"""An event's tie-breaks: the usual ones by format, the free choice, what is refused, and the drawing of lots."""

import csv
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse

from players.models import AuditEvent
from players.privacy.rules import NOBODY
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages.page_cases import first_stage
from tests.tournaments.interchange.trf_events import bring
from tests.tournaments.interchange.trf_files import real, report, row
from tests.tournaments.real_events import DATA
from tournaments.events.selectors.events import event_data
from tournaments.events.selectors.standings import EventStandings, standings_of
from tournaments.events.services.closing import reopen_event
from tournaments.events.services.events import NewTournament, create_tournament, update_tournament
from tournaments.events.services.tiebreaks import default_tiebreaks, read_tiebreaks
from tournaments.models import Tournament
from tournaments.pairing import PAIRING_SYSTEMS
from tournaments.standings.points import Result
from tournaments.standings.tiebreaks import TIEBREAKS

pytestmark = pytest.mark.django_db
TOO_MANY = ",".join(f"{base}/{cut}{count}/P" for base in ("BH", "FB", "SB") for cut in "CM" for count in range(1, 9))


standard = club_and_list


@pytest.fixture(scope="module")
def cup(standard: RatingList) -> Tournament:
    return factory.make_round_robin(factory.make_players(5))


def made(system: str = "dutch", **rules: object) -> Tournament:
    return create_tournament(NewTournament("Cup", pairing_system=system, rules=dict(rules)), by=None)


def standings(event: Tournament) -> EventStandings:
    return standings_of(event_data(first_stage(Tournament.objects.get(pk=event.pk)), NOBODY))


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ({"point_system": "bridge"}, "no point system “bridge”"),
        ({"swiss_edition": 1999}, "no edition 1999"),
        ({"tiebreak_edition": 1999}, "no edition 1999"),
        ({"game": "ludo"}, "no such game"),
    ],
)
def test_rules_there_are_not_are_refused(cup: Tournament, rule: dict[str, object], words: str) -> None:
    with pytest.raises(Refused, match=words):
        update_tournament(cup.pk, rule, by=None)


# --- the usual ones -------------------------------------------------------------------------------------------------
def test_every_format_begins_with_its_usual_tie_breaks() -> None:
    usual = {"dutch": "BH/C1,BH,SB,DE", "round-robin": "SB,WIN,DE", "scheveningen": "SB,WIN,DE", "groups": "SB,WIN,DE"}
    usual |= {"knockout": "", "keizer": "", "by-hand": ""}
    assert {system: default_tiebreaks(system) for system in usual} == usual
    assert {system: made(system).tiebreaks for system in usual} == usual
    for system in PAIRING_SYSTEMS:
        codes = default_tiebreaks(system.key)
        assert read_tiebreaks(codes, system.key) == codes, system.key


def test_another_format_brings_its_own_unless_others_were_chosen() -> None:
    cup = made("dutch")
    assert update_tournament(cup.pk, {"pairing_system": "round-robin"}, by=None).tiebreaks == "SB,WIN,DE"
    chosen = made("dutch", tiebreaks="SB")
    assert update_tournament(chosen.pk, {"pairing_system": "round-robin"}, by=None).tiebreaks == "SB"
    buchholz = made("dutch", tiebreaks="BH")
    with pytest.raises(Refused, match="BH cannot be used where everybody meets everybody"):
        update_tournament(buchholz.pk, {"pairing_system": "round-robin"}, by=None)
    both = {"pairing_system": "round-robin", "tiebreaks": "SB,DE"}
    assert update_tournament(buchholz.pk, both, by=None).tiebreaks == "SB,DE"


# --- the choice -------------------------------------------------------------------------------------------------------
def test_what_cannot_be_chosen_is_refused_with_a_sentence() -> None:
    refused = {
        "BH,XX": r"There is no tie-break “XX”\. There are DE, WIN, WON",
        "BH/C": "says nothing: BH can be followed by /C1, /C2",
        "KS/C1": "There is no “KS/C1”",
        "BH,SB,BH": "The tie-break BH stands twice",
        TOO_MANY: "too many tie-breaks",
    }
    for codes, sentence in refused.items():
        with pytest.raises(Refused, match=sentence):
            made(tiebreaks=codes)
    buchholz_and_its_kin = ["BH", "BH/C1", "AOB", "FB"]
    for code in buchholz_and_its_kin:
        for system in ("round-robin", "groups", "scheveningen"):
            with pytest.raises(Refused, match=f"{code} cannot be used where everybody meets everybody"):
                made(system, tiebreaks=f"SB,{code}")
    assert not Tournament.objects.filter(name="Cup").exists()
    assert [made("by-hand", tiebreaks=code).tiebreaks for code in buchholz_and_its_kin] == buchholz_and_its_kin
    assert made(tiebreaks=" ks/l+1, bh/m1 ,,DE, TPN").tiebreaks == "KS/L+1,BH/M1,DE,TPN", "in capitals"
    assert made(tiebreaks="").tiebreaks == ""
    assert made(tiebreaks="DE,SB,DE").tiebreaks == "DE,SB,DE", "direct encounter may stand twice"
    assert len(made(tiebreaks=",".join(["DE"] * 67)).tiebreaks) == 200, "as long as may be"


def test_the_form_lists_every_code_of_the_format_and_answers_another(desk: Client, cup: Tournament) -> None:
    address = reverse("admin:tournaments_tournament_change", args=[cup.pk])
    page = desk.get(address).content.decode()
    for rule in TIEBREAKS:
        assert (f"<li><b>{rule.code}</b> {rule.name}: " in page) == (rule.code not in ("BH", "AOB", "FB"))
    assert "<details><summary>All codes</summary>" in page
    fields = {"name": cup.name, "pool": "standard", "rated": "on", "starts_on": str(cup.starts_on)}
    answer = desk.post(address, {**fields, "tiebreaks": "bh/c1"}).content.decode()
    assert "BH/C1 cannot be used where everybody meets everybody: FIDE forbids it." in answer
    assert desk.post(address, {**fields, "tiebreaks": "de,sb/c1"}).status_code == 302
    cup.refresh_from_db()
    assert cup.tiebreaks == "DE,SB/C1"


# --- lots -------------------------------------------------------------------------------------------------------------
def test_lots_are_drawn_once_when_they_are_first_chosen() -> None:
    cup = made()
    assert cup.tiebreak_lots is None
    first = update_tournament(cup.pk, {"tiebreaks": "BH,LOTS"}, by=None).tiebreak_lots
    assert first is not None
    update_tournament(cup.pk, {"tiebreaks": "BH"}, by=None)
    assert update_tournament(cup.pk, {"tiebreaks": "SB,LOTS"}, by=None).tiebreak_lots == first
    drawn = AuditEvent.objects.filter(action="tournament.lots_drawn")
    assert [event.after for event in drawn] == [{"seed": first}]
    assert made(tiebreaks="LOTS").tiebreak_lots is not None


def test_lots_part_whoever_is_left(standard: RatingList) -> None:
    cup = factory.make_round_robin(factory.make_players(4), name="Lots")
    factory.play_all(cup)
    update_tournament(cup.pk, {"tiebreaks": "SB"}, by=None)
    assert {row.place for row in standings(cup).rows} == {1}
    update_tournament(cup.pk, {"tiebreaks": "SB,LOTS"}, by=None)
    places = [(row.place, row.player) for row in standings(cup).rows]
    assert [place for place, _player in places] == [1, 2, 3, 4]
    assert [(row.place, row.player) for row in standings(cup).rows] == places


# --- what the standings are read off --------------------------------------------------------------------------------
def test_a_contest_has_the_events_rules_ratings_and_rounds(client: Client, cup: Tournament) -> None:
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    update_tournament(cup.pk, {"tiebreak_edition": 2023, "tiebreaks": "ARO,DE"}, by=None)
    contest = standings(cup).contest
    assert (contest.swiss, contest.edition, contest.rounds, contest.lots) == (False, 2023, 1, None)
    assert contest.ratings == {}, "nobody has a rating at entry"
    for page in ("/", ".csv"):
        assert client.get(f"/tournaments/{cup.slug}/standings{page}").status_code == 200, "a tie-break says nothing"
    cup.entries.filter(number=2).update(rating=1899.5)
    assert standings(cup).contest.ratings == {2: 1900}


def test_an_imported_swiss_has_the_standings_of_the_file(standard: RatingList) -> None:
    event = bring(real("hb2026_western_swiss_open.trf")).tournament
    reopen_event(event, by=None)
    update_tournament(event.pk, {"tiebreaks": "BH,BH/C1,SB,PS,REP,DE"}, by=None)
    ranked = standings(event)
    assert (ranked.contest.swiss, ranked.contest.edition, ranked.contest.rounds) == (True, 2026, 5)
    with (DATA / "standings" / "hb2026_western_swiss_open.standings.csv").open(encoding="utf-8") as lines:
        table = {int(line["tpn"]): line for line in csv.DictReader(lines)}
    columns = ("tbs_BH", "tbs_BH-C1", "tbs_SB", "tbs_PS", "tbs_REP")
    for found in ranked.rows:
        numbers = [worth and worth.number for worth in found.tiebreaks[:5]]
        assert numbers == [Fraction(table[found.player][name]) for name in columns]


def test_a_bye_of_a_round_just_paired_does_no_harm(standard: RatingList) -> None:
    """Everybody's sums go as far as the last paired round, also while its games are open."""
    lines = (row(1, "2 w 1|3 b  "), row(2, "1 b 0|- - U"), row(3, "- - H|1 w  "))
    event = bring(report("012 Cup", "092 Swiss", "042 2026/05/01", *lines)).tournament
    update_tournament(event.pk, {"tiebreaks": ",".join(rule.code for rule in TIEBREAKS)}, by=None)
    ranked = standings(event)
    assert {found.player: found.points for found in ranked.rows} == {1: 2, 2: 2, 3: 1}
    for found in ranked.rows:
        assert len(found.tiebreaks) == len(TIEBREAKS)


# --- reports ----------------------------------------------------------------------------------------------------------
def test_a_report_names_its_tie_breaks_with_modifiers(standard: RatingList) -> None:
    usual = "BH/C1,BH,SB,DE"
    kept = {
        "BH/C1,BH,SB/C1,DE/P": "BH/C1,BH,SB/C1,DE/P",
        "PTS,BH,ARO/C1": "BH,ARO/C1",
        "bh , sb": "BH,SB",
        "OTHER_WEIGHT,BH": usual,
        "BH:GP/C1": usual,
    }
    lines = (row(1, "2 w 1|3 b ="), row(2, "1 b 0|- - U"), row(3, "- - H|1 w ="))
    for number, (said, codes) in enumerate(kept.items()):
        event = bring(report(f"012 Cup {number}", "092 Swiss Dutch", f"202 {said}", *lines)).tournament
        assert event.tiebreaks == codes, said
        assert (f"202 {said}" in str(event.foreign_records)) == (codes == usual), said


def test_a_number_of_the_rules_that_is_sent_empty_is_asked_for(desk: Client, cup: Tournament) -> None:
    page = reverse("admin:tournaments_tournament_change", args=[cup.pk])
    shown = desk.get(page).context["adminform"].form
    sent = {field: shown[field].value() for field in shown.fields if shown[field].value() not in (None, False)}
    for name in ("half_byes", "half_byes_end"):
        answer = desk.post(page, {**sent, name: ""})
        assert answer.status_code == 200
        assert answer.context["adminform"].form.errors == {name: ["Enter a number, 0 for none."]}
