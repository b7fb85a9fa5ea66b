"""Contests corrected, withdrawn, moved, merged and undone: after any of it the ledger is the same as a fresh replay."""

from random import Random

import pytest

from players.models import AuditEvent, Player
from players.refusals import Refused, Stale
from ratings.lists.services import create_list
from ratings.models import ContestEntry
from tests import factory
from tests.tournaments.contests.contest_cases import day, play, ratings, sides, table, the_list
from tests.tournaments.corrections.correction_cases import RESULTS, correct, dump, is_exact, same
from tournaments.contests.services import correct_contest
from tournaments.corrections.services.changes import Change, GameInserted, ImportanceChange, ResultChange, facts_digest
from tournaments.corrections.services.contest_changes import ContestChange, ContestInserted
from tournaments.corrections.services.corrections import commit, preview, undo_of
from tournaments.corrections.services.game_changes import ForgottenGame
from tournaments.corrections.services.jobs import from_payload, to_payload
from tournaments.corrections.services.merge_changes import PlayersMerged
from tournaments.models import Contest, ContestMember, Game, Tournament
from tournaments.rated_games.services.rebuilding import rebuild_list

pytestmark = pytest.mark.django_db


@pytest.mark.extended
def test_a_corrected_contest_rates_everybody_who_was_or_is_in_it(tables: Tournament) -> None:
    create_list(name="Second", slug="second", pool="tables", by=None, system="trueskill")
    first = play(tables, "1: 1; 2: 2; 3: 3")
    play(tables, "1: 3; 2: 1; 3: 4", day=1)
    was = ratings()
    done = correct(ContestChange(first.pk, sides("1: 5; 2: 2; 3: 3"), revision=0), reason="wrong-player")
    assert {move.player.number for move in done.lists[0].moves} == {1, 3, 4, 5}  # 2 is second as before
    assert is_exact()
    undo = undo_of(AuditEvent.objects.get(action="contest.corrected"))
    assert isinstance(undo, ContestChange)
    correct(undo)
    assert ratings() == was
    assert is_exact()


@pytest.mark.extended
def test_a_withdrawn_contest_counts_nowhere_and_can_be_put_back(tables: Tournament) -> None:
    first = play(tables, "1: 1; 2: 2; 3: 3")
    play(tables, "1: 3; 2: 1; 3: 4", day=1)
    was = ratings()
    correct(ContestChange(first.pk, withdrawn=True), reason="duplicate")
    assert set(ratings()) == {1, 3, 4}
    tables.refresh_from_db()
    assert tables.game_count == 1
    assert is_exact()
    undo = undo_of(AuditEvent.objects.get(action="contest.corrected"))
    assert undo is not None
    correct(undo)
    assert ratings() == was


def test_the_entry_of_a_table_is_undone_by_withdrawing_it(tables: Tournament) -> None:
    play(tables, "1: 1; 2: 2; 3: 3")
    undo = undo_of(AuditEvent.objects.get(action="contest.recorded"))
    assert undo is not None
    correct(undo)
    assert ratings() == {}


def test_stale_forms_and_changes_of_nothing_are_refused(tables: Tournament) -> None:
    row = play(tables, "1: 1; 2: 2; 3: 3")
    with pytest.raises(Refused, match="Nothing was changed"):
        correct_contest(row.pk, sides=sides("1: 1; 2: 2; 3: 3"), by=None, reason="appeal")
    correct_contest(row.pk, sides=sides("1: 2; 2: 1; 3: 3"), by=None, reason="appeal", revision=0)
    with pytest.raises(Stale):
        correct_contest(row.pk, sides=sides("1: 3; 2: 1; 3: 2"), by=None, reason="appeal", revision=0)
    to_come = (factory.today() - day(0)).days + 1
    with pytest.raises(Refused, match="lies in the future"):
        correct_contest(row.pk, played_on=day(to_come), by=None, reason="appeal")
    with pytest.raises(Refused, match="lies in the future"):
        play(tables, "1: 1; 2: 2; 3: 3", to_come)


@pytest.mark.extended
def test_one_contest_moves_to_another_day(tables: Tournament) -> None:
    first = play(tables, "1: 1; 2: 2; 3: 3")
    play(tables, "1: 3; 2: 1; 3: 4", day=1)
    correct(ContestChange(first.pk, played_on=day(2)))
    assert [row.order for row in ContestEntry.objects.filter(contest=first)] == [first_order(first)] * 3
    assert is_exact()
    correct(ContestChange(first.pk, played_on=day(-1)))
    assert is_exact(), "and before the other one"


def first_order(contest: Contest) -> int:
    contest.refresh_from_db()
    return contest.moment.order


def test_a_merge_shown_before_a_contest_was_entered_is_stale(tables: Tournament) -> None:
    keys = {player.number: player.pk for player in Player.objects.all()}
    merge = PlayersMerged(keep=keys[1], gone=keys[4])
    before = facts_digest(merge)
    play(tables, "1: 4; 2: 2; 3: 5")
    assert facts_digest(merge) != before


def test_two_records_of_one_person_become_one_and_two_again(tables: Tournament) -> None:
    play(tables, "1: 1; 2: 2; 3: 3")
    play(tables, "1: 4; 2: 2; 3: 5", day=1)
    out = play(tables, "1: 4; 2: 6; 3: 7", day=2)
    correct(ContestChange(out.pk, withdrawn=True), reason="duplicate")
    was = ratings()
    keys = {player.number: player.pk for player in Player.objects.all()}
    correct(PlayersMerged(keep=keys[1], gone=keys[4]), reason="duplicate")
    assert set(ratings()) == {1, 2, 3, 5}, "what was withdrawn stays so"
    assert is_exact()
    undo = undo_of(AuditEvent.objects.get(action="players.merged"))
    assert undo is not None
    correct(undo)
    assert ratings() == was
    correct(PlayersMerged(keep=keys[1], gone=keys[4]), reason="duplicate")
    with pytest.raises(Refused, match="met each other"):
        preview(PlayersMerged(keep=keys[1], gone=keys[2]), by=None)


@pytest.mark.extended
def test_another_importance_counts_for_tables_too_and_sees_those_entered_meanwhile(tables: Tournament) -> None:
    create_list(name="Elo", slug="elo", pool="tables", by=None, system="elo")
    play(tables, "1: 1; 2: 2; 3: 3")
    change = ImportanceChange(tables.pk, 2.0)
    shown = preview(change, by=None)
    late = play(tables, "1: 4; 2: 5; 3: 6")
    with pytest.raises(Stale):
        commit(change, shown.seen, reason="appeal", by=None)
    correct(change)
    late.refresh_from_db()
    assert late.importance == 2.0
    first = ContestEntry.objects.filter(rating_list__slug="elo").order_by("order", "side").first()
    assert first is not None
    assert first.change == pytest.approx(2 * 20.0)  # K 40, two sides left behind: K (S − E) shared by n − 1
    assert is_exact()


class Evenings:
    """Random entries and corrections of games and contests."""

    def __init__(self, seed: int, event: Tournament) -> None:
        self.random, self.event = Random(seed), event

    def sides(self) -> str:
        people = self.random.sample(range(1, 9), self.random.randint(3, 8))
        cuts = sorted(self.random.sample(range(1, len(people)), self.random.randint(2, len(people) - 1)))
        groups = [people[a:b] for a, b in zip([0, *cuts], [*cuts, len(people)], strict=True)]
        order = sorted(self.random.randint(1, 3) for _ in groups)
        places = [order.index(one) + 1 for one in order]
        return "; ".join(f"{place}: {' '.join(map(str, who))}" for place, who in zip(places, groups, strict=True))

    def date(self) -> int:
        return self.random.randint(0, 60)

    def changes(self) -> Change:
        kind = self.random.randrange(6)
        contests = list(Contest.objects.order_by("pk"))
        games = list(Game.objects.filter(result__in=RESULTS).order_by("pk"))
        if kind == 0 or not contests:
            return ContestInserted(table(self.event, self.sides(), self.date()))
        if kind == 1:
            ada, bo = self.random.sample(factory.first_players(8), 2)
            result = self.random.choice(RESULTS)
            return GameInserted(ForgottenGame(self.event.pk, ada.pk, bo.pk, result, day(self.date())))
        contest = self.random.choice(contests)
        if kind == 2:
            return ContestChange(contest.pk, withdrawn=not contest.withdrawn)
        if kind == 3 and games:
            game = self.random.choice(games)
            return ResultChange(game.pk, next(code for code in RESULTS if code != game.result))
        if kind == 4:
            return ContestChange(contest.pk, played_on=day(61 + self.random.randrange(20)), withdrawn=False)
        return ContestChange(contest.pk, sides(self.sides()))


@pytest.mark.parametrize(("seed", "count"), [(1, 12), pytest.param(2, 25, marks=pytest.mark.slow)])
def test_the_ledger_equals_a_fresh_replay_after_anything(tables: Tournament, seed: int, count: int) -> None:
    create_list(name="Weng–Lin", slug="weng-lin", pool="tables", by=None, system="weng-lin")
    evenings = Evenings(seed, tables)
    for number in range(count):
        change = from_payload(to_payload(evenings.changes()))
        before = dump()
        try:
            shown = preview(change, by=None)
        except Refused:  # nothing was changed
            assert isinstance(change, ContestChange)
            continue
        assert dump() == before
        assert same(shown, commit(change, shown.seen, reason="appeal", by=None))
        assert is_exact(), (number, change)
        if number % 5 == 4:
            now = ratings()
            rebuild_list(the_list())
            assert ratings() == now
            assert is_exact()
    assert ContestMember.objects.exists()
