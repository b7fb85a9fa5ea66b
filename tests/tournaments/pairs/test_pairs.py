"""Pairs that enter together: paired as one, a result for the pair, and a contest that rates both of its players."""

import pytest

from players.models import AuditEvent, Player
from players.refusals import Refused
from ratings.models import LedgerEntry, PlayerRating, RatingList
from tests import factory
from tests.tournaments.pairs.pair_cases import enter_pairs, game_between, make_doubles, make_event, make_lists
from tournaments.contests.services import correct_contest, sides_of
from tournaments.corrections.services.board_changes import take_seats
from tournaments.corrections.services.changes import ResultChange
from tournaments.corrections.services.corrections import commit, preview, undo_of
from tournaments.corrections.services.game_changes import swap_colours
from tournaments.corrections.services.jobs import is_rated_beside
from tournaments.entries.selectors import candidates_for, entries_of
from tournaments.entries.services.entries import enter_players, remove_entry
from tournaments.events.services.copying import copy_event
from tournaments.events.services.events import NewTournament, create_tournament, update_tournament
from tournaments.knockouts.services.brackets import draw_bracket
from tournaments.merging.services import merge_players, stands
from tournaments.models import Contest, Entry, EntryMember, Game, Tournament
from tournaments.rated_games.selectors.games import people_at
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.reports.selectors import report_of
from tournaments.results.services.results import correct_result, record_result
from tournaments.rounds.services.next_round import pair_next_round
from tournaments.standings.points import Result
from tournaments.undo.services.undo import last_undoable, undo

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def club(world: None) -> list[Player]:
    factory.make_club()
    make_lists()
    return factory.make_players(8)


@pytest.fixture
def doubles(club: list[Player]) -> Tournament:
    """1+2, 3+4 and 5+6 meet each other once."""
    return make_doubles(club[:6])


def ratings() -> dict[int, float]:
    """By number, less the start; players without a rating are missing."""
    rows = PlayerRating.objects.filter(rating_list__slug="doubles").select_related("player")
    return {row.player.number: round(row.rating - 1500, 9) for row in rows}


def play(game: Game, result: Result, **more: object) -> Game:
    return record_result(game=game.pk, result=result, played_on=factory.MONDAY, by=None, **more)  # type: ignore[arg-type]


def is_replayed() -> bool:
    return all(check_list(row) == [] for row in RatingList.objects.filter(pool="doubles"))


# --- entering -----------------------------------------------------------------------------------------------------
def test_a_pair_of_whom_one_has_no_deviation_is_counted(club: list[Player]) -> None:
    rated_in = RatingList.objects.get(slug="doubles")
    for player, deviation in zip(club[:4], (50.0, None, 50.0, 80.0), strict=True):
        PlayerRating.objects.create(
            rating_list=rated_in, generation=rated_in.live_generation, player=player, rating=1500, peak=1500, games=5,
            deviation=deviation, reached_order=1, wins=5, draws=0, losses=0, ranked=False,
        )  # fmt: skip
    event = make_event(club[:4])
    assert [entry.rating_deviation for entry in event.entries.order_by("number")] == [None, 80.0]


def test_a_pair_is_one_entry_with_two_members_in_order(club: list[Player]) -> None:
    event = make_event(club[:4])
    members = EntryMember.objects.filter(tournament=event).order_by("entry__number", "order")
    assert list(members.values_list("entry__number", "player__number")) == [(1, 1), (1, 2), (2, 3), (2, 4)]
    assert [entry.player.number for entry in Entry.objects.filter(tournament=event)] == [1, 3]
    with pytest.raises(Refused, match="knows single players"):
        report_of(event)


@pytest.mark.parametrize("alone", [True, False])
def test_nobody_enters_twice_neither_first_nor_as_a_partner(club: list[Player], alone: bool) -> None:
    event = make_event(club[:4])
    again = (club[1], club[4]) if alone else (club[4], club[1])
    with pytest.raises(Refused, match="Player #2 is entered already"):
        enter_pairs(event, again)


def test_a_pair_has_two_players_and_a_single_entry_one(club: list[Player]) -> None:
    with pytest.raises(Refused, match="2 players enter together"):
        enter_players(make_event(club[:4]), [club[4]], by=None)
    singles = create_tournament(NewTournament("Singles"), by=None)
    with pytest.raises(Refused, match="everybody plays alone"):
        enter_pairs(singles, club[4:6])


def test_a_partner_in_one_event_is_free_for_another(club: list[Player]) -> None:
    event, other = make_event(club[:4]), make_event(club[4:8])
    found = candidates_for(event, search="", ticked=()).rows
    assert {row.player.number for row in found} == {5, 6, 7, 8}
    assert [entry.number for entry in entries_of(event, [club[1]]).values()] == [1]
    assert entries_of(event, [club[5]]) == {}
    assert entries_of(other, [club[5]])[club[5].pk].tournament == other


# --- the result of a pair -----------------------------------------------------------------------------------------
def test_both_players_of_a_pair_are_rated_by_the_mean_of_their_side(doubles: Tournament, club: list[Player]) -> None:
    game = play(game_between(doubles, club[0], club[2]), Result.WHITE_WINS)
    assert not is_rated_beside(ResultChange(game.pk, Result.DRAW)), "its contest is made only when the result changes"
    won, lost = ((1, 2), (3, 4)) if game.white == club[0] else ((3, 4), (1, 2))
    assert ratings() == {**dict.fromkeys(won, 10), **dict.fromkeys(lost, -10)}, "K 20, equals: 20 × ½"
    contest = Contest.objects.get(game=game)
    assert [(side.place, side.players) for side in sides_of(contest)] == [(1, keys(won)), (2, keys(lost))]
    assert not LedgerEntry.objects.exists(), "nobody played a game of two"
    assert is_replayed()


def keys(numbers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(Player.objects.filter(number__in=numbers).order_by("pk").values_list("pk", flat=True))


def test_a_draw_of_unequal_pairs_by_hand_and_a_score_where_the_event_has_one(club: list[Player]) -> None:
    event = make_doubles(club[:6], scores="goals")
    play(game_between(event, club[0], club[2]), Result.WHITE_WINS, score="21-15")
    first = Contest.objects.get()
    assert [side.score for side in sides_of(first)] == [21, 15]
    before = ratings()
    play(game_between(event, club[0], club[4]), Result.DRAW)
    # 1500 + before[1] against 1500, K 20: 20 × (½ − 1/(1 + 10^(−10/400))) for the pair that stood 10 higher or lower.
    moved = 20 * (0.5 - 1 / (1 + 10 ** (-before[1] / 400)))
    assert ratings()[1] == pytest.approx(before[1] + moved, abs=1e-6)
    assert ratings()[5] == ratings()[6] == pytest.approx(-moved, abs=1e-6)
    assert is_replayed()


def test_a_forfeit_counts_in_the_standings_and_in_no_list(doubles: Tournament, club: list[Player]) -> None:
    play(game_between(doubles, club[0], club[2]), Result.BLACK_FORFEITS)
    assert not Contest.objects.exists()
    assert ratings() == {}


# --- corrections --------------------------------------------------------------------------------------------------
@pytest.mark.extended
def test_a_corrected_pair_is_rated_as_if_it_had_been_right(doubles: Tournament, club: list[Player]) -> None:
    game = play(game_between(doubles, club[0], club[2]), Result.WHITE_WINS)
    play(game_between(doubles, club[0], club[4]), Result.DRAW)
    before, change = ratings(), ResultChange(game.pk, Result.BLACK_WINS)
    shown = preview(change, by=None)
    assert ratings() == before, "a preview moves nothing"
    assert {move.player.number for each in shown.lists for move in each.moves} == {1, 2, 3, 4, 5, 6}
    commit(change, seen=shown.seen, reason=AuditEvent.Reason.ENTRY_ERROR, by=None)
    after = ratings()
    assert after[1] == after[2] != before[1]
    assert is_replayed()
    last = AuditEvent.objects.filter(action="result.corrected").get()
    assert last.effect["doubles"]["players"] == 6
    undo = undo_of(last)
    assert undo is not None
    commit(undo, seen=preview(undo, by=None).seen, reason=AuditEvent.Reason.ENTRY_ERROR, by=None)
    assert ratings() == before
    assert is_replayed()


def test_a_cleared_board_leaves_the_lists_and_comes_back(doubles: Tournament, club: list[Player]) -> None:
    game = play(game_between(doubles, club[0], club[2]), Result.WHITE_WINS)
    before = ratings()
    correct_result(game=game.pk, result=Result.OPEN, by=None)
    assert Contest.objects.get().withdrawn
    assert ratings() == {}
    correct_result(game=game.pk, result=Result.WHITE_WINS, by=None)
    assert ratings() == before
    assert is_replayed()


def test_the_contest_of_a_board_is_corrected_at_the_board_alone(doubles: Tournament, club: list[Player]) -> None:
    play(game_between(doubles, club[0], club[2]), Result.WHITE_WINS)
    with pytest.raises(Refused, match="correct the result there"):
        correct_contest(Contest.objects.get().pk, withdrawn=True, by=None, reason="entry-error")


def test_how_many_play_together_stands_once_somebody_is_entered(doubles: Tournament) -> None:
    with pytest.raises(Refused, match="Somebody is entered already"):
        update_tournament(doubles.pk, {"entry_size": 3}, by=None)
    with pytest.raises(Refused, match="from 1 to 8 players"):
        make_event([], entry_size=9)
    with pytest.raises(Refused, match="Without rounds nobody is paired"):
        make_event([], "free")
    with pytest.raises(Refused, match="from 1 to 8 players"):
        update_tournament(make_event([]).pk, {"entry_size": 9}, by=None)
    empty = make_event([])
    assert update_tournament(empty.pk, {"entry_size": 3}, by=None).entry_size == 3, "whoever is entered elsewhere"


# --- other formats ------------------------------------------------------------------------------------------------
def test_a_bracket_of_pairs_follows_its_results(club: list[Player]) -> None:
    event = make_event(club, "knockout")
    draw_bracket(factory.stage_of(event), by=None, seed=1, first_day=factory.MONDAY)
    for board in (1, 2):
        factory.play_match(factory.match_of(event, 1, board), Result.WHITE_WINS)
    final = Game.objects.get(pairing=factory.match_of(event, 2, 1))
    assert {final.white, final.black} == {club[0], club[2]}, "first members of the pairs seeded first and second"
    play(final, Result.WHITE_WINS)
    assert Contest.objects.filter(withdrawn=False).count() == 3
    first = Game.objects.get(pairing=factory.match_of(event, 1, 1))
    won = Result.BLACK_WINS if first.result == Result.WHITE_WINS else Result.WHITE_WINS
    correct_result(game=first.pk, result=won, by=None, bracket="follow")
    assert Contest.objects.filter(withdrawn=False).count() == 2, "the final is to be played anew"
    assert is_replayed()


@pytest.mark.extended
def test_a_swiss_of_pairs_is_paired_by_their_points(club: list[Player]) -> None:
    event = make_event(club, "dutch")
    stage = factory.stage_of(event)
    for _number in (1, 2):
        row = pair_next_round(stage, by=None, day=factory.MONDAY, publish=True)
        for game in Game.objects.filter(pairing__round=row):
            play(game, Result.WHITE_WINS)
    met = {frozenset(pair) for pair in Game.objects.values_list("white", "black")}
    assert len(met) == Contest.objects.count() == 4, "nobody meets the same pair twice"
    assert is_replayed()


def test_colours_and_places_exchanged_move_the_contest(club: list[Player]) -> None:
    event = make_event(club, "dutch")
    row = pair_next_round(factory.stage_of(event), by=None, day=factory.MONDAY, publish=True)
    games = [play(game, Result.WHITE_WINS) for game in Game.objects.filter(pairing__round=row).order_by("pk")]
    swap_colours(game=games[0].pk, mirror=False, by=None, reason="wrong-player")
    assert agree()
    one, other = (Entry.objects.get(tournament=event, player=game.white) for game in games)
    black = Entry.objects.get(tournament=event, player=Game.objects.get(pk=games[0].pk).black)
    take_seats(game=games[0].pk, white=other.pk, black=black.pk, by=None, reason="wrong-player")
    assert agree()
    assert one != other
    assert is_replayed()


def agree() -> bool:
    """Whether every contest has the sides and places of its game."""
    places = {"1-0": [1, 2], "1/2": [1, 1], "0-1": [2, 1]}
    for contest in Contest.objects.filter(withdrawn=False).select_related("game"):
        assert contest.game is not None
        partners = dict(
            EntryMember.objects.filter(tournament=contest.tournament).values_list("player", "entry__player")
        )
        firsts = [{partners[key] for key in side.players} for side in sides_of(contest)]
        if firsts != [{contest.game.white_id}, {contest.game.black_id}]:
            return False
        if [side.place for side in sides_of(contest)] != places[contest.game.result]:
            return False
    return True


# --- people -------------------------------------------------------------------------------------------------------
def test_a_partner_entered_twice_is_made_one_and_rated_as_one(doubles: Tournament, club: list[Player]) -> None:
    play(game_between(doubles, club[0], club[2]), Result.WHITE_WINS)
    merge_players(keep=club[6].pk, gone=club[1].pk, by=None, reason="entry-error")
    assert EntryMember.objects.filter(tournament=doubles, player=club[6]).exists()
    assert set(ratings()) == {1, 7, 3, 4}
    assert agree()
    assert is_replayed()
    with pytest.raises(Refused, match="Both are entered"):
        merge_players(keep=club[6].pk, gone=club[4].pk, by=None, reason="entry-error")


def test_a_merge_of_partners_can_be_undone_until_their_pair_plays_on(doubles: Tournament, club: list[Player]) -> None:
    """Whatever others play there, and whoever was kept plays elsewhere."""
    other = make_doubles([club[7], club[6], *club[2:4]])
    play(game_between(other, club[7], club[2]), Result.DRAW)
    merge_players(keep=club[6].pk, gone=club[1].pk, by=None, reason="duplicate")
    merge = AuditEvent.objects.get(action="players.merged")
    play(game_between(doubles, club[2], club[4]), Result.DRAW)
    assert stands(merge)
    play(game_between(doubles, club[0], club[4]), Result.DRAW)
    assert not stands(merge)


def test_a_removed_pair_comes_back_whole(club: list[Player]) -> None:
    event = make_event(club[:4])
    remove_entry(Entry.objects.get(tournament=event, player=club[0]).pk, by=None)
    assert EntryMember.objects.filter(tournament=event).count() == 2
    last = last_undoable(event)
    assert last is not None
    undo(last.event.pk, by=None, seen=last.seen)
    assert EntryMember.objects.filter(tournament=event).count() == 4


def test_a_copied_event_has_the_same_pairs(doubles: Tournament, club: list[Player]) -> None:
    Player.objects.filter(pk=club[3].pk).update(active=False)
    copy = copy_event(doubles, name="Next year", starts_on=None, with_entries=True, by=None)
    assert set(EntryMember.objects.filter(tournament=copy).values_list("player__number", flat=True)) == {1, 2, 5, 6}


def test_at_a_board_sit_the_partners_of_its_own_event(doubles: Tournament, club: list[Player]) -> None:
    one, two, three, four, *_others, seven, eight = club
    game = game_between(make_doubles([one, seven, three, eight]), one, three)
    assert people_at([game]) == {each.pk for each in (one, seven, three, eight)}
    assert people_at([game_between(doubles, one, three)]) == {each.pk for each in (one, two, three, four)}
