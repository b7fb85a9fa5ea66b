"""A report comes twice, or somebody is not easily told: nothing is written twice, and nobody is guessed."""

import re
from datetime import date
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from players.models import Player
from players.people.services import NewPlayer, create_player, set_identities
from players.refusals import Refused
from ratings.models import RatingList
from tests import factory
from tests.choosing import examples
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.interchange.trf_events import CUP, HEAD, PEOPLE, bring, everything
from tests.tournaments.interchange.trf_files import GOOD, players_from, real, report, row
from tournaments.corrections.services.game_changes import swap_colours
from tournaments.entries.services.names import BadRows
from tournaments.events.services.events import update_tournament
from tournaments.interchange.trf import Report, read_report, write_report
from tournaments.interchange.trf.games import games_of
from tournaments.knockouts.services.brackets import redraw_bracket
from tournaments.merging.services import merge_players
from tournaments.models import Entry, Game, Pairing, Tournament
from tournaments.rated_games.services.rebuilding import check_list
from tournaments.reports.selectors import report_of
from tournaments.reports.services.people import How, who_is_meant
from tournaments.results.services.results import correct_result
from tournaments.standings.points import Result

# --- twice --------------------------------------------------------------------------------------------------------
standard = club_and_list


@pytest.mark.extended
@pytest.mark.parametrize("name", GOOD)
def test_importing_twice_changes_nothing(name: str, standard: RatingList) -> None:
    assert bring(real(name), name="file").written
    before = everything()
    assert not bring(real(name), name="file").written
    assert everything() == before


@pytest.mark.django_db
class TwoImports(TestCase):
    """Two imports of one file equal one."""

    @pytest.mark.extended
    @examples(50)
    @given(count=st.integers(2, 7), played=st.integers(1, 4), seed=st.integers(0, 10_000))
    def test_two_imports_of_one_file_equal_one(self, count: int, played: int, seed: int) -> None:
        rating_list = RatingList.objects.first() or factory.make_list()
        read = swiss(count, played, Random(seed))
        cup = bring(read).tournament
        before = everything()
        assert not bring(read).written
        assert everything() == before
        assert check_list(rating_list) == []
        out = read_report(write_report(report_of(cup)))
        assert list(games_of(out)) == list(games_of(read))


def swiss(count: int, played: int, rng: Random) -> Report:
    """Rounds drawn at random, with any result, byes and absences."""
    codes = [("1", "0"), ("=", "="), ("0", "1"), ("+", "-"), ("-", "-"), ("W", "L"), ("=", "0"), ("0", "0")]
    rounds = []
    for _round in range(played):
        order = rng.sample(range(1, count + 1), count)
        pairs = list(zip(order[::2], order[1::2], strict=False))[: rng.randint(1, count)]
        rounds.append([(white, black, *rng.choice(codes)) for white, black in pairs])
    people = players_from(rounds, count)
    return Report(people, name="Random Cup", starts_on=date(2026, 1, 5))


def test_two_new_people_of_one_name_are_two_and_stay_so(standard: RatingList) -> None:
    twins = (*HEAD, row(1, "2 w 1", name="Smith, John"), row(2, "1 b 0", name="Smith, John"))
    assert bring(report(*twins)).plan.new_people == 2
    assert not bring(report(*twins)).written
    assert Player.objects.count() == 2


def test_a_corrected_result_a_merged_player_and_another_name_of_the_event_are_no_conflict(standard: RatingList) -> None:
    cup = bring(report(*CUP)).tournament
    game = Game.objects.get(result="1-0")
    swap_colours(game=game.pk, mirror=True, by=None, reason="other")
    correct_result(game=game.pk, result=Result.DRAW, by=None)
    assert not bring(report(*CUP)).written
    game.refresh_from_db()
    assert game.result == "1/2"
    keep = create_player(NewPlayer("Adriana Alvarez"), by=None)
    merge_players(keep=keep.pk, gone=Player.objects.get(name=PEOPLE[1]).pk, by=None, reason="duplicate")
    assert not bring(report(*CUP)).written
    update_tournament(cup.pk, {"name": "Memorial"}, by=None)
    for name in ("Winter Cup", "Memorial"):
        assert bring(report(f"012 {name}", *CUP[1:])).tournament == cup
    assert bring(report("012 Winter", *CUP[1:])).tournament != cup


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({4: row(1, "3 w =|2 b =|4 w +", name=PEOPLE[1]), 6: row(3, "1 b =|4 b =|", name=PEOPLE[3])}, "Round 1, 1 – 3"),
        ({5: row(2, "4 w W|1 w =|- - U", name=PEOPLE[2])}, "Round 3, number 2: the report has a bye"),
        ({5: row(2, "4 w W|1 w =|", name=PEOPLE[2])}, "Round 3 has byes here that are not in the report"),
        (
            {4: row(1, "3 w 1|2 b =", name=PEOPLE[1]), 7: row(4, "2 b L|3 w 0", name=PEOPLE[4])},
            "Round 3 has games here that are not in the report",
        ),
        ({7: row(4, "2 b L|3 w 0|1 b -", name="Dahl, Somebody")}, "Number 4, “Dahl, Somebody”, is not entered"),
    ],
)
def test_an_event_that_is_here_and_differs_is_refused(changed: dict[int, str], told: str, standard: RatingList) -> None:
    bring(report(*CUP))
    before = everything()
    with pytest.raises(Refused) as refusal:
        bring(report(*(changed.get(at, line) for at, line in enumerate(CUP))))
    assert str(refusal.value).startswith("“Winter Cup” is here already (winter-cup) and differs")
    assert told in str(refusal.value)
    assert everything() == before


def test_others_or_another_year_are_another_event_and_numbers_drawn_anew_a_conflict(standard: RatingList) -> None:
    bring(report(*CUP))
    done = bring(report("012 Winter Cup", "042 2026/09/04", *CUP[4:]))
    assert (done.written, done.plan.new_people, Player.objects.count()) == (True, 0, 4)
    names = ("Engel, Eva", "Falk, Finn", "Gull, Gail")
    others = [
        row(at, how, name=name) for at, how, name in zip((1, 2, 3), ("2 w 1", "1 b 0", "- - H"), names, strict=True)
    ]
    bring(report("012 Spring Cup", *HEAD[1:], *others))
    assert bring(report(*HEAD, *others)).tournament.slug == "winter-cup-3", "of the same name and day"
    assert not bring(report(*CUP)).written, "it is known among them"
    turned = (row(1, "2 w 1", name=PEOPLE[4]), row(2, "1 b 0", name=PEOPLE[3]), row(3, name=PEOPLE[2]))
    with pytest.raises(Refused, match="Number 1, “Dahl, Dag”, is not entered with that number"):
        bring(report(*HEAD, *turned, row(4, name="Falk, Finn")))
    two = (row(1, "2 w 1", name=PEOPLE[1]), row(2, "1 b 0", name=PEOPLE[2]))
    with pytest.raises(Refused, match="Number 3, “Hall, Hal”, is not entered"):
        bring(report(*HEAD, *two, row(3, name="Hall, Hal"), row(4, name="Ives, Ida")))
    ladder = factory.make_ladder([row.player for row in done.tournament.entries.order_by("number")])
    assert bring(report("012 Ladder", *CUP[4:])).tournament != ladder.tournament, "an event without end has no report"


def test_an_event_here_with_more_players_than_the_report_is_a_conflict(standard: RatingList) -> None:
    cup = bring(report(*CUP)).tournament
    Entry.objects.create(tournament=cup, player=create_player(NewPlayer("Somebody Else"), by=None), number=5)
    with pytest.raises(Refused, match="5 players are entered here, and the report has 4"):
        bring(report(*CUP))


@pytest.mark.extended
def test_an_event_of_our_own_is_known_by_its_report_while_it_runs_and_after_it(standard: RatingList) -> None:
    cup = factory.make_round_robin(factory.make_players(5))
    factory.play_round(cup, 1, [Result.WHITE_WINS, Result.DRAW])
    running = report_of(cup)
    assert bring(running).tournament == cup
    for number in range(2, 6):
        factory.play_round(cup, number, [Result.DRAW] * 2)
    before = everything()
    assert bring(running).tournament == cup, "what was open has its result now"
    assert bring(report_of(cup)).tournament == cup
    assert everything() == before


def test_a_bracket_is_known_by_its_report_with_its_byes_and_drawn_again_too(standard: RatingList) -> None:
    cup = factory.make_knockout(factory.make_players(3), seeding="lots")
    for seed in range(2, 6):
        assert bring(report_of(cup)).tournament == cup
        redraw_bracket(factory.stage_of(cup), by=None, reason="other", seed=seed)
    free = Pairing.objects.exclude(bye="").filter(superseded=False).get().advanced
    assert Pairing.objects.exclude(bye="").exclude(advanced=free).exists(), "others were free before"
    assert bring(report_of(cup)).tournament == cup


# --- who is meant -------------------------------------------------------------------------------------------------
def meant(name: str, **columns: str) -> tuple[How, int | None]:
    found = who_is_meant(report(row(1, name=name, **columns)).players)[0]
    return found.how, found.player.number if found.player else None


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("Núñez, María", "NUNEZ, Maria"), ("María Núñez", "Nunez, Maria"), ("Nunez, Maria", "Maria Nunez"),
        ("Nunez Maria", "Maria Nunez"), ("van der Berg, Jan", "Jan van der Berg"),
        ("Чигорин, Михаил", "Чигорин Михаил"),
        ("Ana Rita da Luz e Reis", "da Luz e Reis Ana Rita"),
        ("Silva, Ana Rita da Luz e Reis", "Ana Rita da Luz e Reis Silva"),
        ("Alexandrescu-Constantinescu, Maria Elena", "Alexandrescu-Constantinescu, Mari"),
    ],
)  # fmt: skip
def test_a_name_is_known_in_any_spelling_and_order(here: str, there: str, standard: RatingList) -> None:
    player = create_player(NewPlayer(here), by=None)
    assert meant(there) == (How.NAME, player.number)


def test_names_cut_short_in_a_file_mean_whoever_begins_so(standard: RatingList) -> None:
    one, other = (create_player(NewPlayer(f"{letter * 40}, Ada"), by=None) for letter in "xy")
    rows = [row(number, name=letter * 33) for number, letter in ((1, "x"), (2, "y"), (3, "z"))]
    assert [found.player for found in who_is_meant(report(*rows).players)] == [one, other, None]


def test_another_name_is_another_person_and_namesakes_are_told_apart_by_the_year(standard: RatingList) -> None:
    create_player(NewPlayer("Núñez, María"), by=None)
    for there in ("Nunez, Mario", "Nunez", "Maria Nunez Garcia"):
        assert meant(there) == (How.NEW, None), there
    old = create_player(NewPlayer("Smith, John", birth_year=1950), by=None)
    create_player(NewPlayer("John Smith", birth_year=1990), by=None)
    assert meant("Smith, John", birth="1950/01/01") == (How.NAME, old.number)
    assert meant("Smith, John") == (How.OPEN, None)


def test_the_fide_number_decides_before_the_name(standard: RatingList) -> None:
    ada, other = create_player(NewPlayer("Ada"), by=None), create_player(NewPlayer("Bo"), by=None)
    set_identities(ada, {"fide": "1503014", "national": "77"}, by=None)
    set_identities(other, {"national": "1503014"}, by=None)
    assert meant("Bo", fide="1503014") == (How.FIDE, ada.number)
    doubt = who_is_meant(report(row(1, name="Bo", fide="01503014")).players)[0].doubt
    assert doubt == f"the FIDE number 1503014 is that of Ada (#{ada.number}), whom the report calls “Bo”"
    cleo = create_player(NewPlayer("Cleo Costa"), by=None)
    set_identities(cleo, {"fide": "1503015"}, by=None)
    for same in ("Costa, Cleo", "Cleo Co"):  # in another order, and cut short
        assert not who_is_meant(report(row(1, name=same, fide="1503015")).players)[0].doubt
    assert meant("Ada", fide="9999999") == (How.NEW, None)
    assert meant("Bo", fide="9999999") == (How.NAME, other.number)
    assert meant("Ada", fide="123") == (How.NAME, ada.number)


def test_a_year_that_speaks_against_it_is_for_the_arbiter(standard: RatingList) -> None:
    create_player(NewPlayer("Smith, John", birth_year=1950), by=None)
    text = "line 5: “Smith, John” cannot be told: Smith, John (#1) is called so and was born in 1950, not in 1990."
    with pytest.raises(BadRows, match=re.escape(text)):
        bring(report(*HEAD, row(1, name="Smith, John", birth="1990")))
    nameless = row(1).replace("Player 1", "        ")
    with pytest.raises(BadRows, match="line 5: the player’s name is missing"):
        bring(report(*HEAD, nameless))
    assert not Tournament.objects.exists()


def test_the_arbiter_decides(standard: RatingList) -> None:
    old, young = (create_player(NewPlayer("Smith, John", birth_year=year), by=None) for year in (1950, 1990))
    lines = (*HEAD, row(1, "2 w 1", name="Smith, John"), row(2, "1 b 0", name="Smith, John"))
    done = bring(report(*lines), chosen={1: young, 2: None})
    entered = done.tournament.entries.order_by("number").values_list("player__number", flat=True)
    assert list(entered) == [young.number, Player.objects.latest("number").number]
    assert old.entries.count() == 0
    assert not bring(report(*lines)).written


def test_one_person_is_not_two_lines(standard: RatingList) -> None:
    ada = create_player(NewPlayer("Ada"), by=None)
    found = who_is_meant(report(row(1, name="Ada"), row(2, name="Ada")).players)
    assert [(one.how, one.player) for one in found] == [(How.NAME, ada), (How.OPEN, None)]
    twice = who_is_meant(report(row(1, name="Bo", fide="1503014"), row(2, name="Cy", fide="1503014")).players)
    assert (twice[1].how, twice[1].doubt) == (How.OPEN, "the FIDE number 1503014 stands in line 1 too")
