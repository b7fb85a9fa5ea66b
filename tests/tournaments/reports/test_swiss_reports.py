"""A Swiss as a tournament report: recognised, brought in with all that the next round needs, and taken out again."""

from pathlib import Path

import pytest

from players.models import AuditEvent
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.databases import rolled_back
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages.page_cases import make_event
from tests.tournaments.interchange.trf_events import bring
from tests.tournaments.interchange.trf_files import real, report, row
from tests.tournaments.rounds.round_cases import entries, entry
from tests.tournaments.swiss_events import BLACK, DRAW, WHITE, make_swiss, play_rounds
from tournaments.entries.services.late import enter_late
from tournaments.entries.services.prohibited import prohibit
from tournaments.events.services.events import update_tournament
from tournaments.formats.services import change_running_settings
from tournaments.interchange.trf import VERSIONS, Report, read_report, write_report
from tournaments.models import ByeKind, ByeRequest, Entry, Pairing, ProhibitedPair, Stage, Tournament
from tournaments.presence.services import request_bye
from tournaments.reports.selectors import report_of
from tournaments.reports.services.terms import BY_HAND, asked_byes, format_of, kept_apart, swiss_settings
from tournaments.rounds.selectors.field import pairing_field
from tournaments.rounds.services.by_hand import compare
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.withdrawals.services.withdrawals import withdraw_entry

# Six players, one round of three played: 1 v 4, 5 v 2, 3 v 6.
PEOPLE = (
    row(1, "4 w 1", rating="2000"),
    row(2, "5 b 1", rating="1900"),
    row(3, "6 w =", rating="1800"),
    row(4, "1 b 0", rating="1700"),
    row(5, "2 w 0", rating="1600"),
    row(6, "3 b =", rating="1500"),
)
HEAD = ("012 Open", "042 2026/01/05", "092 Individual: Swiss-System")


standard = club_and_list


def swiss(*lines: str) -> Report:
    return report(*HEAD, *lines, *PEOPLE)


def brought(*lines: str) -> Stage:
    return factory.stage_of(bring(swiss(*lines)).tournament)


def test_two_games_against_each_opponent_survive_a_report_that_names_no_rules_of_fide(standard: RatingList) -> None:
    stage = make_swiss(factory.make_players(6), rounds=4, games=2)
    play_rounds(stage, 2, WHITE)
    taken = out_of(stage)
    assert (taken.coded_kind, taken.kind) == ("", "Individual: Swiss-System, two games against each opponent")
    assert format_of(taken).settings["games"] == 2
    play_rounds(stage, 1)
    assert format_of(out_of(stage)).settings["games"] == 2
    assert "games" not in format_of(swiss()).settings


def test_where_rounds_are_made_one_by_one_nobody_says_how_many_there_are(standard: RatingList) -> None:
    event = make_event(factory.make_players(4), "keizer", name="Winter")
    pair_next_round(factory.stage_of(event), by=None, publish=True)
    assert report_of(event).rounds is None


def out_of(stage: Stage, version: int = 26) -> Report:
    tournament = Tournament.objects.get(pk=stage.tournament_id)
    return read_report(write_report(report_of(tournament, version=version), version))


# --- what it is ---------------------------------------------------------------------------------------------------
def test_a_swiss_is_known_by_its_type_or_by_its_shape() -> None:
    swisses = ("092 Individual: Swiss-System", "092 Individual: Swiss-System (Dutch)", "092 FIDE_DUTCH_2025",
               "192 FIDE_DUTCH_2026_BAKU", "092 Tournament", "012 x")  # fmt: skip
    others = ("092 Individual: Swiss-System (Dubov)", "092 Swiss Lim", "192 FIDE_BURSTEIN_2025", "092 Team Swiss",
              "092 Keizer", "092 Knock-out", "XXC rank", "142 31")  # fmt: skip
    for lines, key in ((swisses, "dutch"), (others, BY_HAND)):
        for line in lines:
            assert format_of(report("012 Open", line, *PEOPLE)).key == key, line
    people = (row(1, "2 w 1|2 b 1|3 w 1"), row(2, "1 b 0|1 w 0|- - U"), row(3, "- - U|4 w 1|1 b 0"), row(4, "|3 b 0"))
    assert format_of(report("012 x", *people)).key == BY_HAND, "two who met twice"
    assert format_of(report("092 Swiss", *people)).key == "dutch"
    people = (row(1, "2 w +|3 w 1|2 w 1"), row(2, "1 b -|4 b 1|1 b 0"), row(3, "4 w 1|1 b 0|- - H"))
    assert format_of(report("012 x", *people, row(4, "3 b 0|2 w 0|- - H"))).key == "dutch", "a forfeit is no meeting"


def test_two_games_are_those_of_the_same_boards_with_colours_exchanged() -> None:
    four = (row(3, "4 w 1|2 b 1"), row(4, "3 b 0|1 w 0"))
    for people, games in (
        ((row(1, "2 w 1|2 b 1"), row(2, "1 b 0|1 w 0")), 2),
        ((row(1, "2 w 1|2 w 1"), row(2, "1 b 0|1 b 0")), None),
        ((row(1, "2 w 1|4 b 1"), row(2, "1 b 0|3 w 0"), *four), None),
    ):
        assert swiss_settings(report(*people)).get("games") == games, people


def test_entries_alone_are_a_swiss_only_by_the_type() -> None:
    assert format_of(report("012 x", row(1), row(2))).key == BY_HAND
    assert format_of(report("092 Swiss", row(1))).key == BY_HAND, "nobody to play against"
    settings = format_of(report("092 Swiss", row(1), row(2))).settings
    assert settings == {"first_colour": "white", "acceleration": "none"}, "how many rounds is for the club to say"


def test_settings_are_those_of_the_report_and_the_first_colour_is_seen_from_round_1() -> None:
    for lines, rounds, colour, acceleration in (
        (["XXR 5"], 5, "white", "none"),
        (["142 7", "152 B"], 7, "black", "none"),
        (["XXC black1"], 1, "black", "none"),
        (["192 FIDE_DUTCH_2026_BAKU"], 1, "white", "baku"),
    ):
        settings = {"rounds": rounds, "first_colour": colour, "acceleration": acceleration}
        assert format_of(swiss(*lines)).settings == settings, lines
    people = (row(1, "3 b 1"), row(2, "4 w 1"), row(3, "1 w 0"), row(4, "2 b 0"))
    assert format_of(report("092 Swiss", *people)).settings["first_colour"] == "black"


@pytest.mark.parametrize(("day", "edition"), [("2025/06/01", 2025), ("2026/06/01", 2026)])
def test_the_edition_is_that_of_the_day(standard: RatingList, day: str, edition: int) -> None:
    cup = bring(report("012 Open", f"042 {day}", "192 FIDE_DUTCH_2025", *PEOPLE)).tournament
    assert cup.swiss_edition == edition


# --- what the next round needs ------------------------------------------------------------------------------------
def test_an_imported_swiss_goes_on_with_the_byes_asked_for(standard: RatingList) -> None:
    stage = brought("XXR 5", "240 H   2    3", "240 Z   3    1    4", "240 F   4    5")
    rows = ByeRequest.objects.order_by("round_number", "entry__number")
    said = list(rows.values_list("round_number", "entry__number", "kind"))
    assert said == [(2, 3, "half"), (3, 1, "zero"), (3, 4, "zero"), (4, 5, "full")]
    assert "240" not in stage.tournament.foreign_records
    assert stage.pairing_system == "dutch"
    second = pair_next_round(stage, by=None)
    assert (second.number, second.pairings.exclude(bye="half").count()) == (2, 3)


def test_what_counts_as_a_bye_asked_for() -> None:
    assert asked_byes(swiss("XXR 5", "240 H   1    3", "240 H   9    2"), {}) == {}, "what is past is in the rounds"
    assert asked_byes(swiss("XXR 1", "XXZ 2", "240 H   2    3"), {}) == {}, "the event is complete"
    assert asked_byes(swiss("240 H   2    3"), {}) == asked_byes(report("XXZ 1", row(1), row(2)), {}) == {}
    assert asked_byes(swiss("XXR 2", "240 H   2    3"), {}) == {(2, 3): ByeKind.HALF}, "the last round"
    absences = asked_byes(swiss("XXR 5", "XXZ 2 3", "240 H   2    3"), {})
    assert absences == {(2, 2): ByeKind.ZERO, (2, 3): ByeKind.HALF}
    people = (row(1, "4 w 1|- - H"), row(2, "3 b 1|- - Z"), row(3, "2 w 0|"), row(4, "1 b 0|- - U"))
    assert asked_byes(report("XXR 5", *people), {}) == {(2, 1): ByeKind.HALF, (2, 2): ByeKind.ZERO}
    assert asked_byes(report("XXR 5", *people), {2: 1}) == {(2, 1): ByeKind.HALF}, "whoever left asks for nothing"
    absent = (row(1, "2 w 1|- - Z"), row(2, "1 b 0|- - Z"))
    assert asked_byes(report("XXR 5", *absent), {}) == {}, "a column in which all are absent"


def test_pairs_kept_apart_to_the_end_come_along(standard: RatingList) -> None:
    brought("XXR 5", "260   1   5    1    2    3")
    pairs = ProhibitedPair.objects.values_list("first__number", "second__number")
    assert sorted(pairs) == [(1, 2), (1, 3), (2, 3)]


def test_pairs_kept_apart_for_some_rounds_stay_in_the_report_and_hold_in_those_rounds(standard: RatingList) -> None:
    for line in ("260   1   3    1    2", "260   3   5    1    2", "260   1   5    1"):
        assert kept_apart(swiss("XXR 5", line), "260") == (), line
    assert kept_apart(swiss("XXR 5", "260   2   5    1    2"), "260") == ((1, 2),), "from the next round on"
    stage = brought("XXR 5", "260   1   3    1    2")
    assert pairing_field(stage, 2, []).prohibited == {frozenset((1, 2))}
    assert pairing_field(stage, 4, []).prohibited == frozenset()
    assert not ProhibitedPair.objects.exists()


def test_virtual_points_of_the_report_are_paired_by(standard: RatingList) -> None:
    stage = brought("XXR 5", "XXA    1  1.0  0.5")
    assert pairing_field(stage, 2, []).accelerated == {1: (2, 1)}
    assert "XXA    1  1.0  0.5" in [record.line for record in out_of(stage).records]


# --- out ----------------------------------------------------------------------------------------------------------
@pytest.fixture
def running(standard: RatingList) -> Stage:
    """Eight players, two rounds of five played, two pairs kept apart, byes asked for, and one who left."""
    stage = make_swiss(factory.make_players(8), first_colour="black", acceleration="baku")
    play_rounds(stage, 2, WHITE, DRAW, BLACK)
    prohibit(stage.tournament, entries(stage, 1, 2), by=None)
    request_bye(entry(stage, 3).pk, 4, ByeKind.HALF, by=None)
    request_bye(entry(stage, 5).pk, 3, ByeKind.ZERO, by=None)
    request_bye(entry(stage, 8).pk, 3, ByeKind.ZERO, by=None)
    withdraw_entry(entry(stage, 8).pk, by=None)
    return stage


def lines_of(stage: Stage, version: int = 26) -> list[str]:
    return write_report(report_of(stage.tournament, version=version), version).decode().splitlines()


def test_each_version_says_all_a_swiss_needs_in_its_own_words(running: Stage) -> None:
    byes = {"240 H   4    3", "240 Z   4    8", "240 Z   5    8"}
    own = {"092 Individual: Swiss-System (Dutch)", "142 5", "152 B", "192 FIDE_DUTCH_BAKU", "260   1   5    1    2"}
    other = make_swiss(factory.first_players(6), name="Other")
    request_bye(entry(other, 6).pk, 4, ByeKind.HALF, by=None)
    assert own | byes | {"240 Z   3    5    8"} <= set(lines_of(running))
    older = lines_of(running, 16)
    assert {"XXR 5", "XXC black1", "XXP 1 2", "240 Z   3    5    8", "240 Z   5    8", "XXZ 5 8"} <= set(older)
    assert not any(line.startswith(("192", "260", "142", "152", "XXS")) for line in older)
    Tournament.objects.update(allocated_bye="draw")
    assert "XXS W=1.0 D=0.5 L=0.0 PAB=0.5" in lines_of(Stage.objects.get(pk=running.pk), 16)
    Tournament.objects.update(allocated_bye="")
    update_tournament(running.tournament.pk, {"swiss_edition": 2026}, by=None)
    running.tournament.refresh_from_db()
    assert "192 FIDE_DUTCH_2025_BAKU" in lines_of(running), "the name those rules have in reports"
    play_rounds(running, 1)
    said = {line for line in lines_of(running) if line.startswith("240")}
    assert said == byes, "of the round that is public no more, and who has left is away to the end"


@pytest.mark.extended
def test_read_brought_in_taken_out_and_read_it_is_the_same(running: Stage) -> None:
    requests = ByeRequest.objects.values_list("entry__number", "round_number", "kind")
    asked = list(requests.filter(entry__withdrawn=False))
    for version in VERSIONS:
        with rolled_back():
            first = out_of(running, version)
            copy = copied(running, version)
            assert copy.pk != running.pk
            again = out_of(copy, version)
            assert again.players == first.players, version
            assert (again.rounds, again.first_colour, again.kind) == (5, "b", first.kind), version
            assert {record.line for record in again.records} == {record.line for record in first.records}, version
            assert sorted(requests.filter(entry__tournament=copy.tournament)) == sorted(asked), version
            if version == 26:
                assert copy.settings == {"rounds": 5, "first_colour": "black", "acceleration": "baku"}
                here, there = ([entry(stage, number).pk for number in range(1, 8)] for stage in (running, copy))
                assert pairing_field(copy, 3, there) == pairing_field(running, 3, here)


def copied(stage: Stage, version: int) -> Stage:
    """The event taken out and brought in again under another name."""
    read = out_of(stage, version)
    Tournament.objects.filter(pk=stage.tournament_id).update(name="Another", slug="another")
    return factory.stage_of(bring(read).tournament)


def people_of(stage: Stage) -> list[tuple[int | None, bool, int | None]]:
    return list(stage.tournament.entries.order_by("number").values_list("number", "withdrawn", "last_round"))


@pytest.mark.extended
def test_who_has_left_has_left_in_the_copy(standard: RatingList) -> None:
    stage = make_swiss(factory.make_players(8))
    for played in (1, 2, 3):
        play_rounds(stage, 1)
        for version in VERSIONS:
            with rolled_back():
                withdraw_entry(entry(stage, 8).pk, by=None)
                copy = copied(stage, version)
                assert people_of(copy) == people_of(stage), (played, version)
                assert not ByeRequest.objects.filter(entry__tournament=copy.tournament).exists(), (played, version)
                assert "240" not in copy.tournament.foreign_records, (played, version)


@pytest.mark.extended
def test_with_one_round_to_come_who_has_left_asks_for_a_bye_in_the_copy(standard: RatingList) -> None:
    """A report cannot tell the two apart; nobody is called a leaver for missing the last round."""
    stage = make_swiss(factory.make_players(8))
    play_rounds(stage, 4)
    withdraw_entry(entry(stage, 8).pk, by=None)
    asked = ByeRequest.objects.values_list("entry__number", "round_number", "kind")
    for version in VERSIONS:
        with rolled_back():
            copy = copied(stage, version)
            assert asked.get() == (8, 5, "zero"), version
            row = pair_next_round(copy, by=None)
            assert row.seats.get(entry__number=8).pairing.bye == "zero", version


def one_comes_late() -> tuple[Stage, Entry]:
    """Eight players, two rounds of five played; the ninth comes to the third."""
    cast = factory.make_players(9)
    stage = make_swiss(cast[:8])
    play_rounds(stage, 2)
    [late] = enter_late(stage.tournament, [cast[8]], by=None)
    return stage, late


@pytest.mark.extended
def test_who_comes_late_comes_late_in_the_copy(standard: RatingList) -> None:
    stage, late = one_comes_late()
    for version in VERSIONS:
        with rolled_back():
            copy = copied(stage, version)
            assert (entry(copy, late.number or 0).withdrawn, late.first_round) == (False, 3), version
            row = pair_next_round(copy, by=None)
            assert row.seats.filter(entry__number=late.number).exclude(pairing__bye="zero").exists(), version


def test_late_ones_and_leavers_are_known_again(standard: RatingList) -> None:
    cast = factory.make_players(9)
    stage = make_swiss(cast[:8])
    play_rounds(stage, 1)
    enter_late(stage.tournament, [cast[8]], by=None)
    withdraw_entry(entry(stage, 2).pk, by=None)
    play_rounds(stage, 1)
    for version in VERSIONS:
        again = bring(out_of(stage, version))
        assert (again.tournament.pk, again.written) == (stage.tournament_id, False), version
    earlier = out_of(stage)
    pair_next_round(stage, by=None, publish=True)
    assert bring(earlier).tournament == stage.tournament, "a round that is open since does no harm"


def test_ratings_leave_as_they_are_shown_and_lots_are_a_word_of_our_own(standard: RatingList) -> None:
    stage = make_swiss(factory.make_players(4))
    play_rounds(stage, 1)
    Entry.objects.filter(number=1).update(rating=1900.5)
    assert out_of(stage).players[0].rating == 1901
    for tiebreaks, lines in (("BH,LOTS", ["202 BH"]), ("LOTS", [])):
        Tournament.objects.update(tiebreaks=tiebreaks)
        assert [record.line for record in out_of(stage).records if record.tag == "202"] == lines


def test_a_report_that_draws_lots_has_them_drawn_at_once(standard: RatingList) -> None:
    stage = brought("XXR 5", "202 BH,LOTS")
    assert stage.tournament.tiebreaks == "BH,LOTS"
    assert stage.tournament.tiebreak_lots is not None
    seed = AuditEvent.objects.get(action="tournament.lots_drawn").after["seed"]
    update_tournament(stage.tournament_id, {"place": "Town"}, by=None)
    assert Tournament.objects.get().tiebreak_lots == stage.tournament.tiebreak_lots == seed


def test_a_changed_number_of_rounds_leaves_with_the_report_and_its_own_code_stays(standard: RatingList) -> None:
    stage = brought("192 FIDE_DUTCH_2024", "142 5")
    change_running_settings(stage.pk, {"rounds": 7}, by=None)
    assert out_of(stage).rounds == 7
    assert [record.line for record in out_of(stage).records if record.tag == "192"] == ["192 FIDE_DUTCH_2024"]


@pytest.mark.parametrize("name", ["hb2025_koshnitsky.trf", "hb2026_western_swiss_open.trf"])
def test_real_swisses_become_swisses(standard: RatingList, name: str) -> None:
    """Byes, half-point byes and a forfeit among them: what is in the club's tables is all the engine needs."""
    read = real(name)
    stage = factory.stage_of(bring(read).tournament)
    assert (stage.pairing_system, stage.settings["rounds"]) == ("dutch", read.rounds)
    assert stage.rounds.count() == read.played_rounds
    if name.startswith("hb2026"):
        assert [compare(row) for row in stage.rounds.order_by("number")] == [[]] * 5, "paired the same way"


@pytest.mark.extended
@pytest.mark.real_data
@pytest.mark.parametrize("name", ["hb2024_rapid2", "hb2024_presidents_blitz", "hb2025_july_rapid"])
def test_and_every_other_one_that_no_hand_has_touched(standard: RatingList, real_data: Path, name: str) -> None:
    """The rules of 2026 give every one of their rounds, so that edition is chosen."""
    read = read_report((real_data / "swiss" / f"{name}.trf").read_bytes())
    stage = factory.stage_of(bring(read).tournament)
    Tournament.objects.update(swiss_edition=2026)
    rounds = stage.rounds.select_related("stage__tournament").order_by("number")
    assert [compare(row) for row in rounds] == [[]] * read.played_rounds


def test_a_bye_of_who_came_late_is_held_against_the_report_from_the_first_round_of_theirs(standard: RatingList) -> None:
    """The rounds before are byes in the report and nothing here."""
    stage, late = one_comes_late()
    later = make_event([], "dutch", name="Later Still")
    Entry.objects.create(tournament=later, player=late.player, number=20, first_round=5)
    request_bye(late.pk, 3, ByeKind.ZERO, by=None)
    play_rounds(stage, 1)
    read = out_of(stage)
    assert not bring(read).written
    Pairing.objects.filter(round__number=3, bye=ByeKind.ZERO).update(bye=ByeKind.HALF)
    with pytest.raises(Refused, match=f"Round 3, number {late.number}: the report has a zero-point bye"):
        bring(read)
