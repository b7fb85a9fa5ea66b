"""What becomes of a report in the club: event, people, entries, rounds, results, ratings."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import AuditEvent, Player, PlayerIdentity
from players.services.people import NewPlayer, create_player
from players.services.refusals import Refused
from ratings.models import LedgerEntry, RatingList
from ratings.services.lists import BEGINNING, NewRule, NewStart, set_rules
from tests import factory
from tests.tournaments.trf_events import CUP, PEOPLE, TODAY, bring, round_robin
from tests.tournaments.trf_files import real, report, row
from tournaments.interchange.trf import read_report, write_report
from tournaments.models import Game, Pairing, Round, Tournament
from tournaments.selectors.reports import report_of
from tournaments.services.prohibited import prohibited_of
from tournaments.services.rating import bring_starting_ratings, check_list


# --- what is made of a report -------------------------------------------------------------------------------------
def test_the_event_is_made_with_its_place_days_and_editions(standard: RatingList) -> None:
    cup = bring(report(*CUP)).tournament
    assert (cup.name, cup.slug, cup.place) == ("Winter Cup", "winter-cup", "Antwerp")
    assert (cup.starts_on, cup.ends_on) == (date(2026, 1, 5), date(2026, 1, 19))
    assert (cup.swiss_edition, cup.tiebreak_edition, cup.point_system) == (2025, 2023, "classic")
    assert (cup.rated, cup.pool, cup.closed) == (True, "standard", True)


def test_people_are_added_with_what_the_report_says_and_no_day_of_birth(standard: RatingList) -> None:
    bring(report(*CUP))
    ada, bo, cleo, _dag = Player.objects.order_by("number")
    assert (ada.name, ada.sex, ada.title, ada.birth_year) == ("Alvarez, Ada", "f", "WFM", None)
    assert PlayerIdentity.objects.values_list("player", "scheme", "value").get() == (ada.pk, "fide", "1503014")
    assert (bo.birth_year, bo.visibility, cleo.birth_year, cleo.visibility) == (2015, "initials", 1990, "public")


def test_entries_have_numbers_and_the_ratings_of_the_report(standard: RatingList) -> None:
    cup = bring(report(*CUP)).tournament
    entries = list(cup.entries.order_by("number").values_list("number", "rating", "rating_on"))
    assert entries == [(1, 1900, date(2026, 1, 5)), *((number, None, None) for number in (2, 3, 4))]


def test_results_and_byes_keep_their_kinds(standard: RatingList) -> None:
    cup = bring(report(*CUP)).tournament
    games = Game.objects.filter(tournament=cup).order_by("sequence")
    assert list(games.values_list("pairing__round__number", "result")) == [
        (1, "1-0"),
        (1, "W"),
        (2, "1/2"),
        (2, "0-1/2"),
        (3, "+-"),
    ]
    byes = Pairing.objects.exclude(bye="").values_list("round__number", "bye", "seats__entry__number")
    assert list(byes) == [(3, "half", 2)]
    assert LedgerEntry.objects.count() == 2


def test_who_is_absent_to_the_end_has_left(standard: RatingList) -> None:
    cup = bring(report(*CUP)).tournament
    left = cup.entries.filter(withdrawn=True)
    assert list(left.values_list("number", "last_round")) == [(3, 2)]


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


def test_without_any_day_the_games_count_as_played_today(standard: RatingList) -> None:
    plan = bring(report("012 Cup", *CUP[4:])).plan
    assert set(Game.objects.values_list("played_on", flat=True)) == {TODAY}
    assert plan.notes()[-1] == "The report names no day: its games count as played today."


def test_no_game_lies_in_the_future(standard: RatingList) -> None:
    plan = bring(report("012 Cup", "042 2027/01/01", *CUP[4:])).plan
    assert set(Game.objects.values_list("played_on", flat=True)) == {TODAY}
    assert "lie in the future" in plan.notes()[-1]


def test_a_day_of_another_age_is_refused(standard: RatingList) -> None:
    with pytest.raises(Refused, match="check the year"):
        bring(report("012 Cup", "042 1066/10/14", *CUP[4:]))
    assert not Tournament.objects.exists()


def test_a_round_robin_by_the_tables_is_made_one_others_are_paired_by_hand(standard: RatingList) -> None:
    for name, system in (("hb2026_western_minor_rr6", "round-robin"), ("hb2025_junior_club_champ_rr8", "by-hand")):
        stage = bring(real(f"{name}.trf")).tournament.stages.get()
        assert (stage.pairing_system, stage.settings) == (system, {})


def test_a_double_round_robin_keeps_its_settings(standard: RatingList) -> None:
    stage = bring(round_robin(4, double=True, swap_last_two=True)).tournament.stages.get()
    assert (stage.pairing_system, stage.settings) == ("round-robin", {"cycles": 2, "swap_last_two": True})


def test_a_running_round_robin_has_the_rounds_that_are_to_come(standard: RatingList) -> None:
    cup = bring(round_robin(5, 2)).tournament
    assert Round.objects.filter(stage__tournament=cup).count() == 5
    assert Game.objects.filter(tournament=cup, result="").count() == 6
    assert set(Pairing.objects.exclude(bye="").values_list("bye", flat=True)) == {"pab"}
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


def test_what_the_event_has_no_place_for_is_kept(standard: RatingList) -> None:
    cup = bring(report("102 Jan Jansen", "XXZ 3", "QQQ whatever", "### a word", *CUP)).tournament
    assert cup.foreign_records.split("\n") == ["### a word", "102 Jan Jansen", "XXZ 3", "QQQ whatever"]
    assert [record.line for record in report_of(cup, version=16).records] == ["XXZ 3", "QQQ whatever"]


def test_who_should_not_meet_is_known_from_then_on(standard: RatingList) -> None:
    cup = bring(report("XXP 1 2 4", "XXP 2 3", *CUP)).tournament
    assert prohibited_of(cup) == {frozenset(pair) for pair in ((1, 2), (1, 4), (2, 4), (2, 3))}
    said = [record.line for record in report_of(cup, version=16).records]
    assert said == ["XXP 1 2", "XXP 1 4", "XXP 2 3", "XXP 2 4"]
    assert not bring(report("XXP 1 2 4", "XXP 2 3", *CUP)).written


@pytest.mark.parametrize("line", ["XXP 1 9", "XXP 1", "XXP 1 1", "XXP one two"])
def test_a_line_of_such_pairs_that_is_none_is_kept(line: str, standard: RatingList) -> None:
    cup = bring(report(line, *CUP)).tournament
    assert (prohibited_of(cup), cup.foreign_records) == (frozenset(), line)


def test_an_unrated_event_rates_nobody(standard: RatingList) -> None:
    bring(report(*CUP), rated=False)
    assert not LedgerEntry.objects.exists()


def test_a_pool_nobody_rates_is_refused(standard: RatingList) -> None:
    with pytest.raises(Refused, match="No rating list rates the pool “blitz”"):
        bring(report(*CUP), pool="blitz")


def test_a_report_without_name_is_called_as_the_caller_says(standard: RatingList) -> None:
    assert bring(report(*CUP[4:]), name="from-file").tournament.name == "from-file"
    with pytest.raises(Refused, match="has no name"):
        bring(report(*CUP[4:]))


# --- ratings ------------------------------------------------------------------------------------------------------
def test_the_ledger_equals_a_replay(standard: RatingList) -> None:
    bring(real("hb2025_koshnitsky.trf"))
    assert LedgerEntry.objects.count() == 94
    assert check_list(standard) == []


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
    bring_starting_ratings(standard, [NewStart(_known().pk, date(2025, 1, 1), 1800)], by=None)
    bring(real("hb2026_western_minor_rr6.trf"))
    assert LedgerEntry.objects.filter(rating_list=standard).exists()
    assert check_list(standard) == []


def _known() -> Player:
    return create_player(NewPlayer("Player001, HB2026"), by=None)


def test_an_event_after_all_others_is_no_correction(standard: RatingList) -> None:
    bring(report(*CUP))
    event = AuditEvent.objects.get(action="report.imported")
    assert (event.reason, event.effect) == ("", {})
    assert (event.after["players"], event.after["new_players"], event.after["games"]) == (4, 4, 5)


def test_no_name_stands_in_the_audit_trail(standard: RatingList) -> None:
    bring(report(*CUP))
    trail = str(list(AuditEvent.objects.values_list("before", "after", "effect", "note")))
    assert not [name for name in PEOPLE.values() if name.split(",")[0] in trail]


def test_a_large_event_is_written_in_bulk(standard: RatingList) -> None:
    """Three questions for each new person (the people's own service), and no more for rounds and games."""
    with CaptureQueriesContext(
        connection,
    ) as queries:
        done = bring(real("hb2026_rookies_juniors_cup.trf"))
    assert (len(done.plan.people), done.plan.games) == (70, 227)
    assert len(queries) < 4 * 70 + 60
    with CaptureQueriesContext(connection) as queries:
        assert not bring(real("hb2026_rookies_juniors_cup.trf")).written
    assert len(queries) < 20
