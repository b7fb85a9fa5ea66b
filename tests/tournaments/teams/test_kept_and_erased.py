"""A team event is kept like any other: copied, deleted and brought back, handed out, backed up; and forgets a name."""

from pathlib import Path

import pytest
from pytest_django import Settings

from clubrating.ops.backups.restoring import restore_backup
from clubrating.ops.backups.snapshot import write_backup
from clubrating.site.export.selectors import own_data
from clubrating.site.export.services import club_files
from players.models import AuditEvent, Player
from players.people.services import NewPlayer, create_player
from players.refusals import Refused
from ratings.models import RatingList
from tests.factory import MONDAY, today
from tests.tournaments.teams.team_cases import make_team_event, match_between, play, team
from tests.tournaments.undo.undo_cases import facts, taken_back
from tournaments.captains.services import make_link
from tournaments.erasure.services.erasure import anonymise_player, what_goes
from tournaments.events.services.copying import copy_event
from tournaments.events.services.events import delete_tournament
from tournaments.merging.services import merge_players, undo_merge
from tournaments.models import Entry, LineUp, Team, TeamMatch, TeamPenalty, TeamPlayer, TeamRules, Tournament
from tournaments.standings.points import Result
from tournaments.teams.services.line_ups import hand_in
from tournaments.teams.services.matches import Ruling, penalise, rule_on_match, set_absent
from tournaments.teams.services.teams import add_players, change_player, change_team

WIN, DRAW = Result.WHITE_WINS, Result.DRAW
ZOE = "Zoë Plantedname"


@pytest.fixture(scope="module")
def event(standard: RatingList) -> Tournament:
    """Four teams of three; Zoë, a reserve of Anchor, is its captain; line-ups of a match with a note of hers."""
    event = make_team_event(season="2025/26", promoted=1)
    anchor, zoe = team(event, "Anchor"), create_player(NewPlayer(ZOE, birth_year=1970), by=None)
    add_players(anchor.pk, [zoe], by=None, reserve=True)
    change_team(anchor.pk, by=None, captain=zoe.pk)
    match = match_between(event, "Anchor", "Bridge")
    squad = TeamPlayer.objects.filter(team=anchor).order_by("-place")
    hand_in(match.pk, anchor.pk, [row.pk for row in squad[:2]], by=None, note="Zoë comes late")
    return event


def zoe() -> Player:
    return Player.objects.get(name=ZOE)


def lists(event: Tournament) -> list[tuple[object, ...]]:
    """Who plays for which team, in order."""
    columns = ("team__number", "team__name", "team__captain", "entry__player", "reserve", "nominated")
    return list(
        TeamPlayer.objects.filter(team__tournament=event).order_by("team__number", "place").values_list(*columns)
    )


# --- copied ---------------------------------------------------------------------------------------------------------
def test_a_copy_has_the_rules_and_the_teams_and_no_round(event: Tournament) -> None:
    copy = copy_event(event, name="League again", starts_on=today(), with_entries=True, by=None)
    assert lists(copy) == lists(event)
    rules = TeamRules.objects.get(tournament=copy)
    assert (rules.boards, rules.promoted, rules.season) == (2, 1, "")
    assert not TeamMatch.objects.filter(round__stage__tournament=copy).exists()
    assert Entry.objects.filter(tournament=copy, number=None).count() == 0


def test_who_left_a_team_or_the_club_is_not_copied(event: Tournament) -> None:
    first, second, *_rest = TeamPlayer.objects.filter(team=team(event, "Bridge")).order_by("place")
    change_player(first.pk, by=None, until=MONDAY)
    Player.objects.filter(pk__in=[second.entry.player_id, zoe().pk]).update(active=False)
    copy = copy_event(event, name="League again", starts_on=today(), with_entries=True, by=None)
    gone = {first.entry.player_id, second.entry.player_id, zoe().pk}
    assert [row for row in lists(event) if row[3] not in gone and row[1] != "Anchor"] == [
        row for row in lists(copy) if row[1] != "Anchor"
    ]
    assert team(copy, "Anchor").captain is None


def test_a_copy_without_people_has_the_rules_alone(event: Tournament) -> None:
    copy = copy_event(event, name="League again", starts_on=today(), with_entries=False, by=None)
    assert TeamRules.objects.filter(tournament=copy).exists()
    assert not Team.objects.filter(tournament=copy).exists()


# --- deleted ----------------------------------------------------------------------------------------------------------
def test_a_deleted_event_comes_back_with_teams_line_ups_and_boards(event: Tournament) -> None:
    LineUp.objects.update(note="")
    play(match_between(event, "Castle", "Delta"), [])
    with taken_back(event):
        delete_tournament(event.pk, by=None)
        assert not Team.objects.exists()


def test_what_a_captain_wrote_is_not_kept_of_a_deleted_event(event: Tournament) -> None:
    make_link(team(event, "Anchor").pk, by=None)
    delete_tournament(event.pk, by=None)
    assert "comes late" not in str(AuditEvent.objects.get(action="tournament.deleted").before)


def test_what_the_arbiter_decided_keeps_an_event(event: Tournament) -> None:
    match = match_between(event, "Castle", "Delta")
    set_absent(match.pk, "home", by=None, reason="other")
    before = facts()
    with pytest.raises(Refused, match="stays in the books"):
        delete_tournament(event.pk, by=None)
    set_absent(match.pk, "", by=None, reason="other")
    penalise(team(event, "Delta").pk, by=None, reason="late", match_points=-2)
    with pytest.raises(Refused, match="stays in the books"):
        delete_tournament(event.pk, by=None)
    assert {**facts(), "TeamMatch": 0} == {**before, "TeamMatch": 0}


# --- merged -----------------------------------------------------------------------------------------------------------
def test_of_two_records_the_place_in_the_team_and_the_captaincy_move(event: Tournament) -> None:
    again = create_player(NewPlayer("Zoe Plantedname"), by=None)
    gone = zoe()
    change_team(team(event, "Delta").pk, by=None, captain=again.pk)
    merge_players(keep=again.pk, gone=gone.pk, by=None, reason="duplicate")
    assert team(event, "Anchor").captain == again
    assert TeamPlayer.objects.filter(team__name="Anchor", entry__player=again, reserve=True).exists()
    undo_merge(AuditEvent.objects.get(action="players.merged"), by=None, reason="undone")
    assert (team(event, "Anchor").captain, team(event, "Delta").captain) == (gone, again)
    assert TeamPlayer.objects.filter(team__name="Anchor", entry__player=gone).exists()


def test_who_stands_in_two_teams_of_an_event_is_two_persons(event: Tournament) -> None:
    other = TeamPlayer.objects.filter(team__name="Delta")[0].entry.player
    with pytest.raises(Refused, match="Both are entered"):
        merge_players(keep=other.pk, gone=zoe().pk, by=None, reason="duplicate")


# --- erased -----------------------------------------------------------------------------------------------------------
def test_captains_and_arbiters_words_forget_who_is_erased(event: Tournament) -> None:
    match, far = match_between(event, "Anchor", "Bridge"), match_between(event, "Castle", "Delta")
    rule_on_match(match.pk, Ruling(2, 2, "Zoë was ill"), by=None)
    rule_on_match(far.pk, Ruling(4, 0, f"as {ZOE} saw, Zoë of Oz too"), by=None)
    penalise(team(event, "Anchor").pk, by=None, reason="Zoë and Plantedname, late", match_points=-2)
    castle = team(event, "Castle")
    penalise(castle.pk, by=None, reason="Zoë of Oz, late", match_points=-2)
    board = TeamPlayer.objects.filter(team=castle)[:2]
    hand_in(far.pk, castle.pk, [row.pk for row in board], by=None, note="Zoë of Oz comes")
    what_goes(zoe())
    anonymise_player(zoe().pk, by=None)
    number = f"#{Player.objects.get(name='').number}"
    assert set(LineUp.objects.values_list("note", flat=True)) == {f"{number} comes late", "Zoë of Oz comes"}
    assert [TeamMatch.objects.get(pk=row.pk).ruling for row in (match, far)] == [
        f"{number} was ill",
        f"as {number} saw, Zoë of Oz too",
    ]
    reasons = set(TeamPenalty.objects.values_list("reason", flat=True))
    assert reasons == {f"{number} and {number}, late", "Zoë of Oz, late"}
    trail = str(list(AuditEvent.objects.values_list("before", "after", "note")))
    assert "Zoë comes" not in trail
    assert "Zoë was" not in trail
    assert "Plantedname" not in trail


# --- handed out, backed up --------------------------------------------------------------------------------------------
def test_a_person_s_data_say_which_team_and_which_board(event: Tournament) -> None:
    found = own_data(zoe())
    assert [row["name"] for row in found["tournaments.Team"]] == ["Anchor"]
    assert [row["reserve"] for row in found["tournaments.TeamPlayer"]] == [True]
    assert [row["board"] for row in found["tournaments.LineUpPlace"]] == [1]


def test_everything_comes_back_from_a_backup_and_the_club_s_files_have_the_event(
    event: Tournament, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    play(match_between(event, "Anchor", "Bridge"), [WIN, DRAW])
    penalise(team(event, "Anchor").pk, by=None, reason="late", match_points=-2)
    before = (facts(), list(TeamPenalty.objects.values_list()))
    files = {name: text for name, text in club_files(today()) if event.slug in name}
    assert ZOE in files[f"tournaments/{event.slug}/entries.csv"]
    write_backup(tmp_path / "club.zip")
    TeamPenalty.objects.all().delete()
    restore_backup(tmp_path / "club.zip")
    assert (facts(), list(TeamPenalty.objects.values_list())) == before
