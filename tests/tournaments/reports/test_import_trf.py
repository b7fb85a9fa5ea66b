"""What becomes of a report in the club: event, people, entries, rounds, results, ratings."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import AuditEvent, Player, PlayerIdentity
from players.people.services import NewPlayer, create_player, set_identities
from players.privacy.rules import NOBODY
from players.refusals import Refused
from ratings.lists.services import BEGINNING, NewRule, NewStart, set_rules
from ratings.models import LedgerEntry, RatingList
from tests import factory
from tests.tournaments.entries.entry_cases import club_and_list, prohibited_of
from tests.tournaments.interchange.trf_events import CUP, PEOPLE, TODAY, bring, round_robin
from tests.tournaments.interchange.trf_files import real, report, row
from tournaments.interchange.trf import read_report, write_report
from tournaments.models import Game, Pairing, Round, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.reports.selectors import report_of
from tournaments.reports.services.plan import Terms, plan_import

# --- what is made of a report -------------------------------------------------------------------------------------
standard = club_and_list


def test_a_report_becomes_an_event_with_people_entries_results_and_byes(standard: RatingList) -> None:
    cup = bring(report(*CUP)).tournament
    first, last = date(2026, 1, 5), date(2026, 1, 19)
    assert (cup.name, cup.slug, cup.place, cup.starts_on, cup.ends_on) == (
        "Winter Cup", "winter-cup", "Antwerp", first, last,
    )  # fmt: skip
    assert (cup.swiss_edition, cup.tiebreak_edition, cup.point_system) == (2025, 2023, "classic")
    assert (cup.rated, cup.pool, cup.closed) == (True, "standard", True)
    ada, bo, cleo, _dag = Player.objects.order_by("number")
    assert (ada.name, ada.sex, ada.title, ada.birth_year) == ("Alvarez, Ada", "f", "WFM", None), "no day of birth"
    assert PlayerIdentity.objects.values_list("player", "scheme", "value").get() == (ada.pk, "fide", "1503014")
    assert (bo.birth_year, bo.visibility, cleo.birth_year, cleo.visibility) == (2015, "initials", 1990, "public")
    entries = list(cup.entries.order_by("number").values_list("number", "rating", "rating_on"))
    assert entries == [(1, 1900, first), *((number, None, None) for number in (2, 3, 4))]
    left = cup.entries.filter(withdrawn=True)
    assert list(left.values_list("number", "last_round")) == [(3, 2)], "absent to the end"
    games = Game.objects.filter(tournament=cup).order_by("sequence").values_list("pairing__round__number", "result")
    assert list(games) == [(1, "1-0"), (1, "W"), (2, "1/2"), (2, "0-1/2"), (3, "+-")]
    byes = Pairing.objects.exclude(bye="").values_list("round__number", "bye", "seats__entry__number")
    assert list(byes) == [(3, "half", 2)]
    assert LedgerEntry.objects.count() == 2
    event = AuditEvent.objects.get(action="report.imported")
    assert (event.reason, event.effect) == ("", {}), "after all others it is no correction"
    assert [event.after[name] for name in ("players", "new_players", "games")] == [4, 4, 5]
    trail = str(list(AuditEvent.objects.values_list("before", "after", "effect", "note")))
    assert not [name for name in PEOPLE.values() if name.split(",")[0] in trail], "no name stands in the trail"


def test_while_it_runs_one_missed_round_is_no_leaving(standard: RatingList) -> None:
    cup = bring(report("XXR 5", *CUP)).tournament
    assert not cup.entries.filter(withdrawn=True).exists()
    assert not cup.closed
    byes = Pairing.objects.exclude(bye="").order_by("bye").values_list("bye", "seats__entry__number")
    assert list(byes) == [("half", 2), ("zero", 3)]


def test_rounds_are_played_on_their_days_or_evenly_from_the_first_to_the_last(standard: RatingList) -> None:
    cup = bring(report(*CUP)).tournament
    days = set(Game.objects.filter(tournament=cup).values_list("pairing__round__number", "played_on"))
    assert sorted(days) == [(1, date(2026, 1, 5)), (2, date(2026, 1, 12)), (3, date(2026, 1, 19))]
    assert set(Round.objects.values_list("state", "planned_on")) == {("published", None)}
    other = report("012 Cup", "042 2026/02/01", f"{'132':<91}26/02/01  26/02/03", *CUP[4:])
    cup = bring(other).tournament
    planned = Round.objects.filter(stage__tournament=cup).order_by("number").values_list("planned_on", flat=True)
    assert list(planned) == [date(2026, 2, 1), date(2026, 2, 3), None]


def test_a_number_that_is_another_members_is_told(standard: RatingList) -> None:
    ada = create_player(NewPlayer("Ada"), by=None)
    set_identities(ada, {"fide": "1503014"}, by=None)
    read = report("012 Cup", "042 2026/01/05", row(1, "2 w 1", name="Bo", fide="1503014"), row(2, "1 b 0"))
    told = "\n".join(bring(read).plan.notes())
    assert f"the FIDE number 1503014 is that of Ada (#{ada.number}), whom the report calls “Bo”" in told


def test_a_report_of_byes_alone_is_told_and_has_no_round(standard: RatingList) -> None:
    done = bring(report("012 Byes", "042 2026/01/05", row(1, "- - H"), row(2, "- - Z", name="Berg, Bo")))
    assert "No round of the report has a game: its byes are left out." in done.plan.notes()
    assert not Round.objects.exists()


def test_what_is_no_title_no_year_no_last_day_or_no_place_of_ours_is_left_out(standard: RatingList) -> None:
    head = ("012 Cup", f"022 {'x' * 120}", "042 2026/01/05", "052 2026/01/01")
    people = (row(1, "2 w 1", title="AFM", birth="1066/10/14"), row(2, "1 b 0", name="Berg, Bo", birth="1850/01/01"))
    cup = bring(report(*head, *people)).tournament
    assert (cup.place, cup.ends_on) == ("x" * 100, None)
    found = Player.objects.order_by("number").values_list("title", "birth_year")
    assert list(found) == [("", None), ("", 1850)]


def test_without_any_day_or_with_one_to_come_the_games_count_as_played_today(standard: RatingList) -> None:
    nameless = "The report names no day: its games count as played today."
    assert bring(report("012 Cup", *CUP[4:])).plan.notes()[-1] == nameless
    assert "lie in the future" in bring(report("012 Cup", "042 2027/01/01", *CUP[4:])).plan.notes()[-1]
    by_rounds = report("012 Cup", f"{'132':<91}26/02/01  26/02/03", *CUP[4:])
    for read in (report("012 Today", f"042 {TODAY:%Y/%m/%d}", *CUP[4:]), by_rounds):
        plan = plan_import(read, Terms(today=TODAY))
        assert not [note for note in plan.notes() if note == nameless or "in the future" in note]
    assert set(Game.objects.values_list("tournament", "played_on")) == {
        (cup.pk, TODAY) for cup in Tournament.objects.all()
    }
    assert Tournament.objects.count() == 2
    with pytest.raises(Refused, match="check the year"):
        bring(report("012 Cup", "042 1066/10/14", *CUP[4:]))
    assert Tournament.objects.count() == 2


def test_a_round_robin_by_the_tables_is_made_one_others_are_paired_by_hand(standard: RatingList) -> None:
    for name, system in (("hb2026_western_minor_rr6", "round-robin"), ("hb2025_junior_club_champ_rr8", "by-hand")):
        stage = bring(real(f"{name}.trf")).tournament.stages.get()
        assert (stage.pairing_system, stage.settings) == (system, {})
    double = bring(round_robin(4, double=True, swap_last_two=True)).tournament.stages.get()
    assert (double.pairing_system, double.settings) == ("round-robin", {"cycles": 2, "swap_last_two": True})


def test_a_running_round_robin_has_the_rounds_that_are_to_come(standard: RatingList) -> None:
    done = bring(round_robin(5, 2))
    cup = done.tournament
    assert done.plan.games == 4, "a board without a result is no game yet"
    assert Round.objects.filter(stage__tournament=cup).count() == 5
    assert Game.objects.filter(tournament=cup, result="").count() == 6
    assert list(Pairing.objects.exclude(bye="").values_list("bye", flat=True)) == ["pab"] * 5, "one a round"
    assert not bring(round_robin(5, 2)).written


def test_the_boards_of_a_round_robin_are_those_of_the_tables(standard: RatingList) -> None:
    cup = bring(round_robin(6)).tournament
    boards = Pairing.objects.filter(round__stage__tournament=cup, round__number=2, seats__colour="w")
    assert list(boards.order_by("board").values_list("seats__entry__number", flat=True)) == [6, 5, 1]


@pytest.mark.parametrize(("points", "worth"), [("0.0", "loss"), ("1.0", "win"), ("0.5", "draw")])
def test_what_the_free_day_brings_is_seen_from_the_points(points: str, worth: str, standard: RatingList) -> None:
    free = {1: "- - U|3 w 0|2 b 0", 2: "3 b 0|- - U|1 w 1", 3: "2 w 1|1 b 1|- - U"}
    own = {1: points, 2: str(float(points) + 1), 3: str(float(points) + 2)}
    cup = bring(report("012 Three", *(row(number, free[number], points=own[number]) for number in free))).tournament
    assert cup.allocated_bye == worth
    out = read_report(write_report(report_of(cup)))
    assert [player.points for player in out.players] == list(own.values())
    assert out.notes == ()


def test_a_point_system_of_ours_is_taken_over(standard: RatingList) -> None:
    cup = bring(report("XXS W=3 D=1 L=0 PAB=3", *CUP)).tournament
    assert (cup.point_system, cup.foreign_records) == ("football", "")
    assert [player.points for player in report_of(cup).players] == ["7.0", "5.0", "1.0", "0.0"]
    assert "XXS W=3.0 D=1.0 L=0.0 PAB=3.0" in write_report(report_of(cup, version=16), 16).decode()


def test_points_that_are_none_of_ours_leave_as_they_came_and_the_rest_of_the_edition_is_said(
    standard: RatingList,
) -> None:
    cup = bring(report("XXS W=10 D=5 L=1", *CUP)).tournament
    said = {record.tag: record.line for record in report_of(cup).records}
    assert said["XXS"] == "XXS W=10 D=5 L=1"
    assert said["202"] == f"202 {cup.tiebreaks}"
    assert not said.keys() & {"162"}


def test_what_the_event_has_no_place_for_is_kept(standard: RatingList) -> None:
    cup = bring(report("102 Jan Jansen", "XXZ 3", "QQQ whatever", "### a word", *CUP)).tournament
    assert cup.foreign_records.split("\n") == ["### a word", "102 Jan Jansen", "XXZ 3", "QQQ whatever"]
    assert [record.line for record in report_of(cup, version=16).records] == ["XXZ 3", "QQQ whatever"]
    seen = report_of(cup, version=16, viewer=NOBODY)
    assert (seen.records, seen.chief_arbiter) == ((), ""), "for officers alone"


def test_who_should_not_meet_is_known_from_then_on(standard: RatingList) -> None:
    none = ("XXP 1", "XXP 1 1")
    cup = bring(report(*none, "012 Cup", "042 2026/06/05", *CUP[4:])).tournament
    assert (prohibited_of(cup), cup.foreign_records.split("\n")) == (frozenset(), [*none]), "no pairs, and kept"
    cup = bring(report("XXP 1 2 4", "XXP 2 3", *CUP)).tournament
    assert prohibited_of(cup) == {frozenset(pair) for pair in ((1, 2), (1, 4), (2, 4), (2, 3))}
    said = [record.line for record in report_of(cup, version=16).records]
    assert said == ["XXP 1 2", "XXP 1 4", "XXP 2 3", "XXP 2 4"]
    assert report_of(cup, version=16, viewer=NOBODY).records == (), "a wish is nobody else's business"
    assert not bring(report("XXP 1 2 4", "XXP 2 3", *CUP)).written


def test_name_pool_and_rating_are_as_the_caller_says(standard: RatingList) -> None:
    assert bring(report(*CUP[4:]), name="from-file", rated=False).tournament.name == "from-file"
    assert not LedgerEntry.objects.exists()
    with pytest.raises(Refused, match="has no name"):
        bring(report(*CUP[4:]))
    with pytest.raises(Refused, match="No rating list rates the pool “blitz”"):
        bring(report(*CUP), pool="blitz")


# --- ratings ------------------------------------------------------------------------------------------------------
def test_the_ledger_equals_a_replay(standard: RatingList) -> None:
    bring(real("hb2025_koshnitsky.trf"))
    assert LedgerEntry.objects.count() == 94
    assert check_list(standard) == []


@pytest.mark.extended
def test_an_earlier_event_moves_what_came_after_and_says_so(standard: RatingList) -> None:
    factory.play_all(factory.make_round_robin(factory.make_players(4), first_day=date(2026, 3, 2)))
    bring(report(*CUP))
    event = AuditEvent.objects.get(action="report.imported")
    assert (event.reason, event.effect["standard"]["games"]) == ("late-report", 8)
    assert event.after["days"] == ["2026-01-05", "2026-01-19"]
    assert check_list(standard) == []


@pytest.mark.parametrize("preset", ["fide", "fide-simple"])
def test_lists_by_the_event_take_a_finished_one_in(preset: str, standard: RatingList) -> None:
    set_rules(standard, [NewRule(BEGINNING, "elo", {"preset": preset})], by=None)
    known = create_player(NewPlayer("Player001, HB2026"), by=None)
    bring_starting_ratings(standard, [NewStart(known.pk, date(2025, 1, 1), 1800)], by=None)
    bring(real("hb2026_western_minor_rr6.trf"))
    assert LedgerEntry.objects.filter(rating_list=standard).exists()
    assert check_list(standard) == []


@pytest.mark.extended
def test_a_large_event_is_written_in_bulk(standard: RatingList) -> None:
    """Three questions for each new person (the people's own service), and no more for rounds and games."""
    with CaptureQueriesContext(connection) as queries:
        done = bring(real("hb2026_rookies_juniors_cup.trf"))
    assert (len(done.plan.people), done.plan.games) == (70, 227)
    assert len(queries) < 4 * 70 + 60
    with CaptureQueriesContext(connection) as queries:
        assert not bring(real("hb2026_rookies_juniors_cup.trf")).written
    assert len(queries) < 20
