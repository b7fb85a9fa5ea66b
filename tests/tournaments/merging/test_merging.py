"""Two records of one person: merged, parted again, and refused where they are two."""

from datetime import date

import pytest
from django.utils import timezone

from players.models import AuditEvent, Player
from players.people.selectors import list_players, players_like, players_merged_away
from players.people.services import NewPlayer, create_player, set_identities
from players.privacy.rules import OFFICER
from players.refusals import Refused, Stale
from players.trail.services import write_audit
from ratings.lists.services import NewStart, create_list
from ratings.models import PlayerRating, RatingList, StartingRating
from tests import factory
from tests.tournaments.corrections.correction_cases import EVENT, correct, dump, is_exact, other_result, stream
from tests.tournaments.entries.entry_cases import club_and_list, make_event
from tournaments.corrections.services.changes import GameInserted
from tournaments.corrections.services.corrections import preview, undo_of
from tournaments.corrections.services.game_changes import ForgottenGame
from tournaments.corrections.services.merge_changes import MergeUndone, PlayersMerged
from tournaments.entries.services.entries import enter_players
from tournaments.events.services.events import NewTournament, create_tournament, update_tournament
from tournaments.loading.services.streams import load_games
from tournaments.merging.services import merge_players, undo_merge
from tournaments.models import Game, Tournament
from tournaments.rated_games.services.people import bring_starting_ratings
from tournaments.results.services.results import correct_result, record_result
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.rounds.services.rounds import delete_round
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db
standard = club_and_list


@pytest.fixture(scope="module", autouse=True)
def cup(standard: RatingList) -> Tournament:
    """Four players, all rounds played; the first has a rating brought along."""
    players = factory.make_players(4)
    bring_starting_ratings(standard, [NewStart(players[0].pk, date(2025, 12, 1), 1850, 29)], by=None)
    cup = factory.make_round_robin(players)
    for number in (1, 2, 3):
        factory.play_round(cup, number, [Result.WHITE_WINS, Result.DRAW])
    return cup


@pytest.fixture(scope="module")
def twin(cup: Tournament, standard: RatingList) -> Player:
    """Ada once more, misspelt: two evenings rated in two lists, an entry of her own and a rating brought along."""
    create_list(name="Glicko", slug="glicko", pool="standard", by=None, system="glicko2", settings={"period": "month"})
    january = ("2026-01-06,Ada Alvares,Bo Brandt,1", "2026-01-08,Ada Alvarez,Cleo Costa,0")
    later = (
        "2026-01-15,Dag Dahl,Bo Brandt,1/2",
        "2026-02-06,Cleo Costa,Ada Alvares,1",
        "2026-02-12,Bo Brandt,Cleo Costa,0",
    )
    load_games(stream(*january, *later), by=None, event_name=EVENT, today=timezone.localdate())
    misspelt = Player.objects.get(name="Ada Alvares")
    bring_starting_ratings(standard, [NewStart(misspelt.pk, date(2025, 11, 1), 1700, 12)], by=None)
    others = Player.objects.filter(name__in=("Bo Brandt", "Dag Dahl")).order_by("number")
    factory.make_round_robin([misspelt, *others], name="Spring Cup")
    return misspelt


@pytest.mark.extended
def test_a_merge_moves_everything_and_can_be_undone(twin: Player) -> None:
    ada = Player.objects.get(name="Ada Alvarez")
    facts = [f"tournaments_{name}" for name in ("game", "entry")]
    facts += ["players_player", "ratings_startingrating", "ratings_playerrating"]
    before = dump()
    done = correct(PlayersMerged(keep=ada.pk, gone=twin.pk), reason="duplicate")
    twin.refresh_from_db()
    assert twin.merged_into == ada
    assert not Game.objects.filter(white=twin).exists()
    assert not PlayerRating.objects.filter(player=twin).exists()
    assert StartingRating.objects.filter(player=ada).count() == 2
    assert Tournament.objects.get(name="Spring Cup").entries.filter(player=ada).exists()
    assert [line.move.after for line in done.lists[0].moves if line.player == twin] == [None]
    assert is_exact()

    write_audit("players.merged", ada, by=None)  # that somebody else was merged later is another matter
    undo = undo_of(AuditEvent.objects.get(action="players.merged", subject_key=twin.pk))
    assert isinstance(undo, MergeUndone)
    correct(undo, reason="wrong-player")
    twin.refresh_from_db()
    assert twin.merged_into is None
    assert is_exact()
    after = dump()
    assert [len(after[name]) for name in facts] == [len(before[name]) for name in facts]
    assert after["ratings_startingrating"] == before["ratings_startingrating"]
    assert after["tournaments_entry"] == before["tournaments_entry"]
    assert undo_of(AuditEvent.objects.get(action="players.merged", subject_key=twin.pk)) is None


@pytest.mark.extended
def test_lists_are_rated_anew_from_the_first_rated_game_of_who_goes() -> None:
    bo, twin, kept = factory.make_players(3)
    late = factory.make_round_robin([bo, twin], name="Late", first_day=date(2026, 3, 2))
    game, merge = late.games.get(), PlayersMerged(keep=kept.pk, gone=twin.pk)
    assert preview(merge, by=None).lists == (), "it is still open"
    record_result(game=game.pk, result=Result.WHITE_FORFEITS, played_on=date(2026, 3, 2), by=None)
    assert preview(merge, by=None).lists == ()
    correct_result(game=game.pk, result=Result.DRAW, by=None)
    assert {row.games for row in preview(merge, by=None).lists} == {1}
    update_tournament(late.pk, {"rated": False}, by=None)
    assert preview(merge, by=None).lists == ()


def test_of_the_outside_numbers_those_move_that_the_one_kept_has_none_like() -> None:
    """Whatever numbers anybody else has."""
    ada, twin, other = factory.make_players(3)
    for player, numbers in (
        (ada, {"fide": "4100018"}),
        (twin, {"fide": "4100026", "national": "A-1"}),
        (other, {"national": "O-1"}),
    ):
        set_identities(player, numbers, by=None)
    merge_players(keep=ada.pk, gone=twin.pk, by=None, reason="duplicate")
    assert dict(ada.identities.values_list("scheme", "value")) == {"fide": "4100018", "national": "A-1"}
    assert dict(twin.identities.values_list("scheme", "value")) == {"fide": "4100026"}
    boss = factory.make_administrator()
    undo_merge(AuditEvent.objects.get(action="players.merged"), by=boss, reason="wrong-player")
    told = factory.told("players.unmerged", twin, boss)
    assert (told.before["keep"], told.before["gone"], told.reason) == (ada.number, twin.number, "wrong-player")
    assert dict(ada.identities.values_list("scheme", "value")) == {"fide": "4100018"}
    assert dict(twin.identities.values_list("scheme", "value")) == {"fide": "4100026", "national": "A-1"}
    assert dict(other.identities.values_list("scheme", "value")) == {"national": "O-1"}


def test_a_merge_cannot_be_undone_once_its_games_were_changed(twin: Player, standard: RatingList) -> None:
    ada, bo = (Player.objects.get(name=name) for name in ("Ada Alvarez", "Bo Brandt"))
    correct(PlayersMerged(keep=ada.pk, gone=twin.pk))
    event = AuditEvent.objects.get(action="players.merged")
    new = factory.make_round_robin([ada, bo], name="Summer Cup")
    assert new.games.exists()
    bring_starting_ratings(standard, [NewStart(bo.pk, date(2025, 12, 1), 1500, 3)], by=None)
    assert undo_of(event) == MergeUndone(event.pk), "games elsewhere and ratings of others are no hindrance"
    game = Game.objects.get(pk=event.before["white"][0])
    correct_result(game=game.pk, result=other_result(game), by=None)
    assert undo_of(event) is None
    with pytest.raises(Stale, match="no longer be undone"):
        preview(MergeUndone(event.pk), by=None)


def test_what_cannot_be_two_of_is_told(twin: Player, standard: RatingList) -> None:
    ada, bo, cleo = Player.objects.order_by("number")[:3]
    spare = create_player(NewPlayer("Ada Again"), by=None)
    bring_starting_ratings(standard, [NewStart(spare.pk, date(2025, 12, 1), 1500, 3)], by=None)
    factory.make_round_robin([ada, twin, cleo], name="Both")
    Game.objects.filter(white__in=(ada, twin), black__in=(ada, twin)).delete()
    for gone, words in (
        (bo, "They met each other in “Winter Cup”"),
        (ada, "with the same record"),
        (spare, "starting rating from 1 Dec 2025"),
        (twin, "Both are entered in “Both”"),
    ):
        with pytest.raises(Refused, match=words):
            preview(PlayersMerged(ada.pk, gone.pk), by=None)


def test_a_merged_record_is_merged_once_and_a_file_still_knows_its_name(twin: Player) -> None:
    ada, spare = Player.objects.get(name="Ada Alvarez"), create_player(NewPlayer("Spare"), by=None)
    correct(PlayersMerged(ada.pk, twin.pk))
    with pytest.raises(Refused, match="merged into another already"):
        preview(PlayersMerged(spare.pk, twin.pk), by=None)
    rows = stream("2026-01-06,Ada Alvares,Bo Brandt,1", "2026-03-06,Ada Alvares,Bo Brandt,0")
    report = load_games(rows, by=None, event_name=EVENT, today=factory.MONDAY)
    assert (report.loaded, report.known, report.new_players) == (1, 1, 0)
    assert Game.objects.order_by("-pk")[0].white == ada
    evenings, bo = Tournament.objects.get(open_ended=True), Player.objects.get(name="Bo Brandt")
    new = ForgottenGame(evenings.pk, twin.pk, bo.pk, Result.DRAW, factory.MONDAY)
    with pytest.raises(Refused, match="was merged into another"):
        preview(GameInserted(new), by=None)


@pytest.mark.parametrize("number", [1, 2])
def test_a_merge_cannot_be_undone_once_its_entry_played_on_with_either_colour(number: int) -> None:
    """The games made since name whoever was kept: they would stand on boards of the other one's entry."""
    players, kept = factory.make_players(4), create_player(NewPlayer("Kept One"), by=None)
    event_of_four = make_event(players, "keizer")
    first, stage = event_of_four.entries.filter(number=number), event_of_four.stages.get()
    merge_players(keep=kept.pk, gone=players[number - 1].pk, by=None, reason="duplicate")
    event = AuditEvent.objects.get(action="players.merged")
    assert undo_of(event) == MergeUndone(event.pk)
    row = pair_next_round(stage, by=None)
    assert undo_of(event) is None
    with pytest.raises(Stale, match="no longer be undone"):
        undo_merge(event, by=None, reason="other")
    assert first.get().player == kept
    delete_round(row.pk, by=None)
    undo_merge(event, by=None, reason="other")
    assert first.get().player == players[number - 1]


def test_nobody_is_entered_under_a_record_merged_meanwhile() -> None:
    """The form was opened before: its player is read again, locked."""
    ada, bo, twin = factory.make_players(3)
    cup = create_tournament(NewTournament("Cup"), by=None)
    merge_players(keep=ada.pk, gone=twin.pk, by=None, reason="duplicate")
    assert twin.merged_into is None
    with pytest.raises(Refused, match=f"Player #{twin.number} was merged into another: choose that one"):
        enter_players(cup, [bo, twin], by=None)
    assert not cup.entries.exists()


def test_a_file_that_has_an_old_name_means_who_was_kept_in_the_end(standard: RatingList) -> None:
    kept, one, other = (create_player(NewPlayer(name), by=None) for name in ("Zoe Kept", "Zoe One", "Zoe Other"))
    merge_players(keep=one.pk, gone=other.pk, by=None, reason="duplicate")
    merge_players(keep=kept.pk, gone=one.pk, by=None, reason="duplicate")
    twin = create_player(NewPlayer("Zoe One"), by=None)
    merge_players(keep=kept.pk, gone=twin.pk, by=None, reason="duplicate")
    names = ["Zoe Other", "Zoe One", "Zoe Kept"]
    assert players_merged_away(names) == {"Zoe Other": [kept], "Zoe One": [kept]}
    assert [list(list_players(OFFICER, search=search)) for search in ("zoe", f"#{one.number}")] == [[kept], []]
    assert players_like("kept, zoe") == [kept]
    assert players_like("…") == []
