"""Brackets in the tables: drawn with links, byes and colours, drawn again, refused where something is played."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.models import AuditEvent
from players.refusals import Refused
from tests.choosing import examples
from tests.factory import first_players, make_knockout, make_list, make_players, match_of, play_match, stage_of, told
from tournaments.knockouts.services.brackets import draw_bracket, redraw_bracket
from tournaments.models import Game, Pairing, ProhibitedPair, Round, Seat, Tournament
from tournaments.rounds.services.rounds import delete_rounds
from tournaments.standings.points import Result

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def twenty(world: None) -> None:
    make_players(20)


def lines_of(match: Pairing) -> list[str]:
    """Who sits in the line above and below, by first name; a dash where nobody does yet."""
    seats = {seat.line: seat.entry.player.name.split()[0] for seat in match.seats.all()}
    return [seats.get(1, "–"), seats.get(2, "–")]


def first_round(tournament: Tournament) -> list[list[str]]:
    matches = Pairing.objects.filter(round__stage__tournament=tournament, round__number=1, superseded=False)
    return [lines_of(match) for match in matches.order_by("slot")]


def test_eight_are_seeded_first_against_last() -> None:
    cup = make_knockout(first_players(8))
    assert told("bracket.drawn", cup).after == {"rounds": 3, "published": True, "seed": None, "matches": 7}
    assert sorted(map(sorted, first_round(cup))) == sorted(
        map(sorted, [["Ada", "Hana"], ["Bo", "Gio"], ["Cleo", "Finn"], ["Dag", "Eva"]])
    )
    assert Round.objects.filter(stage=stage_of(cup)).count() == 3


def test_every_match_leads_to_the_next_and_two_lead_to_each() -> None:
    stage = stage_of(make_knockout(first_players(8), third_place=True))
    matches = Pairing.objects.filter(stage=stage)
    final, third = matches.get(round__number=3, board=1), matches.get(round__number=3, board=2)
    assert [match.winner_to for match in matches.filter(round__number=2)] == [final, final]
    assert [match.loser_to for match in matches.filter(round__number=2)] == [third, third]
    assert all(match.winners_from.count() == 2 for match in matches.filter(round__number__gt=1, loser_to=None, board=1))
    assert final.winner_to is None


def test_the_first_seeds_have_the_byes_and_may_meet_at_once() -> None:
    cup = make_knockout(first_players(6))
    byes = Pairing.objects.filter(round__stage__tournament=cup, round__number=1).exclude(bye="")
    assert sorted(match.advanced.player.name.split()[0] for match in byes) == ["Ada", "Bo"]  # type: ignore[union-attr]
    assert not Game.objects.filter(pairing__in=byes).exists()
    assert {name for board in (1, 2) for name in lines_of(match_of(cup, 2, board))} == {"Ada", "Bo", "–"}
    cup = make_knockout(first_players(5))
    met = [match for match in Pairing.objects.filter(round__number=2, stage=stage_of(cup)) if match.seats.count() == 2]
    assert [sorted(lines_of(match)) for match in met] == [["Bo", "Cleo"]]
    assert Game.objects.get(pairing=met[0]).white.name.startswith("Bo"), "the better seed has White first"


@pytest.mark.extended
def test_lots_are_kept_and_draw_the_same_again_and_the_better_seed_has_white() -> None:
    eight = first_players(8)
    one, other = (make_knockout(eight, name=name, seeding="lots") for name in ("One", "Two"))
    assert stage_of(one).lots_seed == 1
    assert first_round(one) == first_round(other)
    assert first_round(one) != first_round(make_knockout(eight, name="Seeded"))
    for rule in ("seed", "upper"):
        cup = make_knockout(first_players(2), name=rule, first_colour=rule)
        assert Game.objects.get(tournament=cup).white.name.startswith("Ada"), rule
        assert cup.stages.get().lots_seed is None


def test_the_line_keeps_its_colour_whoever_wins_it() -> None:
    def whites(number: int) -> set[str]:
        games = Game.objects.filter(tournament=cup, number=1, pairing__round__number=number)
        return {name.split()[0] for name in games.values_list("white__name", flat=True)}

    cup = make_knockout(first_players(8), first_colour="odd")
    assert whites(1) == {"Ada", "Cleo", "Eva", "Gio"}  # 1, 3, 5, 7
    for board in range(1, 5):
        play_match(match_of(cup, 1, board), Result.BLACK_WINS)  # the lower line: 8, 5, 7, 6
    assert whites(2) == {"Hana", "Finn"}, "8 on line 1, 6 on line 3"


@pytest.mark.extended
def test_prohibited_pairs_do_not_meet_in_a_drawn_first_round() -> None:
    cup = make_knockout(first_players(4), seeding="lots")
    stage = stage_of(cup)
    delete_rounds(stage, by=None)
    ada, bo = cup.entries.order_by("pk")[:2]
    ProhibitedPair.objects.create(tournament=cup, first=ada, second=bo)
    for seed in range(12):
        draw_bracket(stage, by=None, seed=seed)
        assert ["Ada", "Bo"] not in map(sorted, first_round(cup))
        delete_rounds(stage, by=None)


def test_a_bracket_is_drawn_once_and_a_round_robin_has_none() -> None:
    stage = stage_of(make_knockout(first_players(4)))
    with pytest.raises(Refused, match="drawn already"):
        draw_bracket(stage, by=None)
    delete_rounds(stage, by=None)
    stage.pairing_system, stage.settings = "round-robin", {}
    stage.save()
    with pytest.raises(Refused, match="no bracket"):
        draw_bracket(stage, by=None)


def test_of_one_who_is_left_no_bracket_is_drawn_and_the_old_one_stays() -> None:
    cup = make_knockout(first_players(2))
    cup.entries.filter(number=2).update(withdrawn=True)
    with pytest.raises(Refused, match="at least two players"):
        redraw_bracket(stage_of(cup), by=None, reason="other")
    assert not Pairing.objects.filter(superseded=True).exists()


def test_drawn_again_the_old_bracket_is_kept_superseded() -> None:
    make_list()
    cup, other = (make_knockout(first_players(8), name=name, seeding="lots") for name in ("Cup", "Other Cup"))
    play_match(match_of(other, 1, 1), Result.WHITE_WINS)
    stage, before = stage_of(cup), first_round(cup)
    redraw_bracket(stage, by=None, reason="entry-error", seed=2)
    assert first_round(cup) != before
    assert first_round(other) == before, "another event's stays, and what was played there holds nobody up"
    assert Game.objects.filter(tournament=other).count() == 4
    assert Pairing.objects.filter(stage=stage, superseded=True).count() == 7
    assert Seat.objects.filter(pairing__superseded=True).count() == 8
    assert Game.objects.filter(pairing__stage=stage).count() == 4
    assert AuditEvent.objects.filter(action="bracket.superseded").exists()
    play_match(match_of(cup, 1, 1), Result.WHITE_WINS)
    with pytest.raises(Refused, match="were played"):
        redraw_bracket(stage, by=None, reason="entry-error")


@pytest.mark.extended
@examples(60)
@given(count=st.integers(2, 20), third=st.booleans(), seeding=st.sampled_from(["standard", "lots", "given"]))
def test_every_slot_gets_one_winner_and_the_upper_line_comes_from_above(count: int, third: bool, seeding: str) -> None:
    cup = make_knockout(first_players(count), third_place=third, seeding=seeding)
    matches = list(Pairing.objects.filter(stage=stage_of(cup)).select_related("round"))
    by_round: dict[int, list[Pairing]] = {}
    for match in matches:
        assert match.round is not None
        by_round.setdefault(match.round.number, []).append(match)
        fed = list(match.winners_from.all()) + list(match.losers_from.all())
        assert len(fed) in (0, 2)
    for row in by_round.values():
        slots = sorted(match.slot or 0 for match in row)
        assert slots == list(range(1, len(row) + 1))
    # Round by round two neighbours in the drawing feed the next place.
    for match in matches:
        if match.winner_to is not None:
            assert match.winner_to.slot == ((match.slot or 0) + 1) // 2
