"""Events of several parts: groups then a knockout, and a series of stations, from the plan to the last match."""

from collections.abc import Callable

import pytest
from django.db.models import Q

from players.refusals import Refused
from ratings.models import RatingList
from tests.factory import MONDAY, make_arbiter, make_list, make_players, play_match, told
from tournaments.corrections.services.changes import ResultChange, ResultChanges
from tournaments.corrections.services.corrections import preview
from tournaments.entries.services.entries import enter_players, number_in_order
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.formats.services import (
    Calendar,
    dissolve_stages,
    form_stages,
    has_moved,
    make_rounds,
    qualify,
    requalify,
)
from tournaments.knockouts.services.rulings import rule_match
from tournaments.models import Game, Pairing, Round, Stage, StageEntry, Tournament
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.results.services.results import correct_result, record_result
from tournaments.standings.points import Result, seen_from_black
from tournaments.withdrawals.services.withdrawals import return_entry, withdraw_entry

pytestmark = pytest.mark.django_db
WEEKLY = Calendar(MONDAY)


def event(system: str, count: int, **settings: object) -> Tournament:
    """An event of that format with its numbers given."""
    new = NewTournament("Cup", pairing_system=system, settings=dict(settings), starts_on=MONDAY)
    tournament = create_tournament(new, by=None)
    entries = enter_players(tournament, make_players(count), by=None)
    number_in_order(tournament.stages.get(), entries, by=None)
    return tournament


def formed(system: str = "groups", count: int = 8, **settings: int) -> list[Stage]:
    tournament = event(system, count, **settings)
    return form_stages(tournament.stages.get(), by=None, seed=1)


def made_in(tournament: Tournament) -> tuple[int, int, int]:
    """How many stages, rounds and games."""
    rounds = Round.objects.filter(stage__tournament=tournament)
    return tournament.stages.count(), rounds.count(), tournament.games.count()


def names_in(stage: Stage) -> list[str]:
    rows = StageEntry.objects.filter(stage=stage).order_by("number")
    return [row.entry.player.name.split()[0] for row in rows]


def better_number_wins(stage: Stage) -> None:
    """Every open game of the stage goes to whoever was entered first."""
    while game := Game.objects.filter(pairing__stage=stage, result="").order_by("pk").first():
        result = Result.WHITE_WINS if game.white_id < game.black_id else Result.BLACK_WINS
        record_result(game=game.pk, result=result, played_on=MONDAY, by=None)


def all_drawn(stage: Stage) -> None:
    for game in Game.objects.filter(pairing__stage=stage):
        record_result(game=game.pk, result=Result.DRAW, played_on=MONDAY, by=None)


def played_groups(
    knockout_too: bool = True, play: Callable[[Stage], None] = better_number_wins, **settings: int
) -> list[Stage]:
    """Both groups played to the end, and the knockout made."""
    *groups, knockout = formed("groups", 8, **settings)
    for group in groups:
        make_rounds(group, by=None, calendar=WEEKLY)
        play(group)
    if knockout_too:
        make_rounds(knockout, by=None, calendar=WEEKLY)
    return [*groups, knockout]


@pytest.fixture(autouse=True)
def standard(db: None) -> None:
    make_list()


def test_groups_are_formed_by_the_serpentine_and_the_knockout_waits() -> None:
    a, b, knockout = formed()
    assert (names_in(a), names_in(b)) == (["Ada", "Dag", "Eva", "Hana"], ["Bo", "Cleo", "Finn", "Gio"])
    assert names_in(knockout) == []
    assert (a.part, b.part, knockout.part) == (1, 1, 2)


@pytest.mark.extended
def test_rounds_count_through_the_event_and_the_first_two_of_each_group_go_on_crossed() -> None:
    a, b, knockout = played_groups()
    numbers = [list(stage.rounds.values_list("number", flat=True)) for stage in (a, b, knockout)]
    assert numbers == [[1, 2, 3], [1, 2, 3], [4, 5]], "groups play side by side"
    pairs = [
        sorted(seat.entry.player.name.split()[0] for seat in match.seats.all())
        for match in Pairing.objects.filter(stage=knockout, round__number=4).order_by("slot")
    ]
    assert pairs == [["Ada", "Cleo"], ["Bo", "Dag"]]
    better_number_wins(knockout)
    final = Pairing.objects.get(stage=knockout, round__number=5)
    assert final.advanced is not None
    assert final.advanced.player.name.startswith("Ada")
    assert not check_list(RatingList.objects.get())


def test_nobody_goes_on_before_the_groups_are_over() -> None:
    a, b, knockout = formed()
    make_rounds(a, by=None, calendar=WEEKLY)
    better_number_wins(a)
    with pytest.raises(Refused, match="Group B is not over"):
        make_rounds(knockout, by=None, calendar=WEEKLY)
    make_rounds(b, by=None, calendar=WEEKLY)
    with pytest.raises(Refused, match="Group B is not over"):
        qualify(knockout, by=None)


def test_who_is_equal_in_everything_goes_on_by_lot_only() -> None:
    *_groups, knockout = played_groups(knockout_too=False, play=all_drawn)
    with pytest.raises(Refused, match=r"Group A these are equal in everything: #1, #4, #5, #8"):
        make_rounds(knockout, by=None, calendar=WEEKLY)
    assert not StageEntry.objects.filter(stage=knockout).exists()
    first = [entry.pk for entry in qualify(knockout, by=None, lots=True)]
    assert [entry.pk for entry in qualify(knockout, by=None, lots=True)] == first, "the same lots again"


def test_a_tie_among_those_who_stay_behind_holds_nobody_up() -> None:
    def first_wins(group: Stage) -> None:
        first = StageEntry.objects.get(stage=group, number=1).entry.player_id
        for game in Game.objects.filter(pairing__stage=group):
            wins = {game.white_id: Result.WHITE_WINS, game.black_id: Result.BLACK_WINS}
            record_result(game=game.pk, result=wins.get(first, Result.DRAW), played_on=MONDAY, by=None)

    *_groups, knockout = played_groups(knockout_too=False, play=first_wins, groups=2, qualifiers=1)
    assert [entry.player.name.split()[0] for entry in qualify(knockout, by=None)] == ["Ada", "Bo"]


def test_a_corrected_group_result_is_noticed_and_the_field_can_be_taken_back() -> None:
    formed("stations", 4, stations=2)
    a, _b, knockout = played_groups(groups=2, qualifiers=1)
    event("groups", 8)
    games = Game.objects.filter(pairing__stage=a)
    won = [game for game in games if "Ada" in (game.white.name[:3], game.black.name[:3])]
    turned = [ResultChange(row.pk, seen_from_black(Result(row.result)), revision=row.revision) for row in won[:2]]
    shown = preview(ResultChanges(tuple(turned)), by=None)
    assert shown.requalified == (knockout,)
    assert {move.player.name.split()[0] for move in shown.standings} >= {"Ada"}
    assert not has_moved(knockout), "a preview changes nothing"
    for game in won:
        correct_result(game=game.pk, result=seen_from_black(Result(game.result)), by=None)
    assert has_moved(knockout)
    correct_result(game=won[0].pk, result=Result.OPEN, by=None)
    assert has_moved(knockout), "while the group is not over again too"
    assert names_in(knockout) == ["Ada", "Bo"]
    correct_result(game=won[0].pk, result=seen_from_black(Result(won[0].result)), by=None)
    requalify(knockout, by=(officer := make_arbiter()))
    assert told("stage.emptied", knockout.tournament, officer).before == {"stage": "Knockout"}
    assert not knockout.rounds.exists()
    make_rounds(knockout, by=None, calendar=WEEKLY)
    assert names_in(knockout) == ["Dag", "Bo"]
    assert {row.entry.tournament for row in StageEntry.objects.filter(stage=knockout)} == {knockout.tournament}


def test_who_withdrew_does_not_go_on() -> None:
    a, _b, knockout = played_groups(knockout_too=False)
    a.tournament.entries.filter(player__name__startswith="Ada").update(withdrawn=True)
    assert "Ada" not in [entry.player.name.split()[0] for entry in qualify(knockout, by=None)]
    a.tournament.entries.exclude(player__name__startswith="Bo").update(withdrawn=True)
    field = names_in(knockout)
    with pytest.raises(Refused, match="From group A 2 go on, and it has only 0"):
        qualify(knockout, by=None)
    assert names_in(knockout) == field


def test_a_field_played_in_is_not_taken_back() -> None:
    *_groups, knockout = played_groups()
    play_match(Pairing.objects.filter(stage=knockout, round__number=4)[0], Result.WHITE_WINS)
    with pytest.raises(Refused, match="were played"):
        requalify(knockout, by=None)


@pytest.mark.extended
def test_stations_are_drawn_one_after_the_other_by_the_sources_rule() -> None:
    stations = formed("stations", 8, stations=3)
    assert [stage.name for stage in stations] == ["Station 1", "Station 2", "Station 3"]
    for number, station in enumerate(stations):
        make_rounds(station, by=None, calendar=WEEKLY, seed=number)
        assert list(station.rounds.values_list("number", flat=True)) == [3 * number + step for step in (1, 2, 3)]
        semis = Pairing.objects.filter(stage=station, round__number=3 * number + 2)
        fed = {frozenset(semi.winners_from.values_list("board", flat=True)) for semi in semis}
        assert fed == {frozenset({1, 4}), frozenset({2, 3})}
        better_number_wins(station)
    assert Game.objects.exclude(result="").count() == 21
    assert not check_list(RatingList.objects.get())


def test_stages_are_formed_once_and_taken_apart_while_nothing_is_played() -> None:
    other = formed()[0]
    make_rounds(other, by=None, calendar=WEEKLY)
    better_number_wins(other)
    before = made_in(other.tournament)
    a, _b, _knockout = formed()
    plan = Stage.objects.get(tournament=a.tournament, order=1)
    make_rounds(a, by=None, calendar=WEEKLY)
    with pytest.raises(Refused, match="formed already"):
        form_stages(plan, by=None)
    names = ["Group A", "Group B", "Knockout"]
    assert told("stages.formed", plan.tournament).after == {"seed": 1, "stages": names}
    dissolve_stages(plan, by=(officer := make_arbiter()))
    assert told("stages.dissolved", plan.tournament, officer).before == {"stages": names}
    assert made_in(plan.tournament) == (1, 0, 0)
    assert made_in(other.tournament) == before == (4, 3, 6)
    event("groups", 8)
    a, _b, _knockout = form_stages(plan, by=None, seed=2)
    assert Stage.objects.get(tournament=other.tournament, order=1).lots_seed == 1
    assert {row.entry.tournament for row in StageEntry.objects.filter(stage=a)} == {a.tournament}
    make_rounds(a, by=None, calendar=WEEKLY)
    better_number_wins(a)
    with pytest.raises(Refused, match="Results are recorded"):
        dissolve_stages(plan, by=None)


def test_stages_with_a_match_the_arbiter_decided_are_not_taken_apart() -> None:
    first, *_stations = formed("stations", 4, stations=2)
    make_rounds(first, by=None, calendar=WEEKLY)
    match = Pairing.objects.filter(stage=first, round__number=1)[0]
    rule_match(match.pk, advanced=match.seats.all()[0].entry_id, walk_over=True, by=None)
    with pytest.raises(Refused, match="decided by the arbiter"):
        dissolve_stages(Stage.objects.get(order=1), by=None)
    second, *_stations = formed("stations", 4, stations=2)
    dissolve_stages(Stage.objects.get(tournament=second.tournament, order=1), by=None)
    assert first.tournament.stages.count() == 3


def test_what_cannot_be_formed_is_told_and_nothing_is_made() -> None:
    unnumbered = create_tournament(NewTournament("Cup", pairing_system="groups"), by=None)
    enter_players(unnumbered, make_players(8), by=None)
    whole, closed = event("round-robin", 4), event("groups", 8)
    Tournament.objects.filter(pk=closed.pk).update(closed=True)
    for cup, sentence in (
        (event("groups", 5, groups=4), "at least"),
        (unnumbered, "pairing number"),
        (whole, "one part only"),
        (closed, "The event is over"),
    ):
        with pytest.raises(Refused, match=sentence):
            form_stages(cup.stages.get(), by=None)
    assert Stage.objects.count() == 4
    for cup, sentence in ((whole, "one part only"), (closed, "The event is over")):
        with pytest.raises(Refused, match=sentence):
            dissolve_stages(cup.stages.get(), by=None)


def test_who_left_before_the_groups_rounds_were_made_forfeits_them_at_once() -> None:
    a, b, _knockout = formed()
    make_rounds(a, by=None, calendar=WEEKLY)
    bo = b.tournament.entries.get(player__name__startswith="Bo")
    withdraw_entry(bo.pk, by=None)
    with pytest.raises(Refused, match="publish the rounds at once"):
        make_rounds(b, by=None, calendar=Calendar(MONDAY, publish=False))
    make_rounds(b, by=None, calendar=WEEKLY)
    games = Game.objects.filter(pairing__stage=b).filter(Q(white=bo.player) | Q(black=bo.player))
    assert {game.result for game in games} <= {Result.WHITE_FORFEITS, Result.BLACK_FORFEITS}
    assert games.count() == 3
    return_entry(bo.pk, by=None)
    assert {game.result for game in games.all()} == {""}
