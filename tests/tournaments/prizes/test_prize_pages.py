"""The prizes of an event: entered at the desk, worked out from its standings, shown without telling what is private."""

from datetime import date
from itertools import product

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import AuditEvent, Player
from players.people.services import NewPlayer, create_players
from players.privacy.rules import MEMBER, NOBODY, OFFICER
from players.refusals import Refused, Stale
from ratings.models import RatingList
from tests import factory
from tests.tournaments.admin_pages import fields_of
from tests.tournaments.entries.entry_cases import club_and_list
from tests.tournaments.event_pages import page_cases
from tests.tournaments.event_pages.page_cases import text_of
from tournaments.events.selectors.events import facts_of, stages_at
from tournaments.events.services.closing import close_event
from tournaments.events.services.events import delete_tournament
from tournaments.models import Entry, Prize, PrizeFund, Tournament
from tournaments.prizes.selectors import Prizes, fund_of, prizes_of
from tournaments.prizes.services import LARGEST, MOST_PRIZES, Fund, NewPrize, prizes_digest, set_prizes
from tournaments.standings.points import Result
from tournaments.undo.services.undo import undo, undo_at

pytestmark = pytest.mark.django_db
FULL = Fund("€", "full", 100, one_each=True)
PLACES = [NewPrize("place", None, rank, amount) for rank, amount in enumerate((10_000, 6_000, 2_000), start=1)]


standard = club_and_list


@pytest.fixture(scope="module", autouse=True)
def cup(standard: RatingList) -> Tournament:
    """Four players; a junior and a woman among them. 1 beats everybody, 2 and 3 draw, 4 loses to all."""
    people = (("Ada Alvarez", 1990, "f"), ("Bo Brandt", 1950, "m"), ("Kerem Kid", 2012, "m"), ("Dag Dahl", None, "m"))
    players = create_players([NewPlayer(name, birth_year=year, sex=sex) for name, year, sex in people], by=None)
    event = factory.make_round_robin(players)
    for number in (1, 2, 3):
        results = []
        for game in event.games.filter(pairing__round__number=number).order_by("pairing__board"):
            one, other = players.index(game.white) + 1, players.index(game.black) + 1
            won = Result.WHITE_WINS if one < other else Result.BLACK_WINS
            results.append(Result.DRAW if {one, other} == {2, 3} else won)
        factory.play_round(event, number, results)
    return event


def read(event: Tournament, viewer: object = OFFICER) -> Prizes:
    fund = fund_of(event)
    assert fund is not None
    return prizes_of(fund, facts_of(stages_at(event.slug), viewer), viewer)  # type: ignore[arg-type]


def won(found: Prizes) -> list[tuple[str, int]]:
    return [(winner.entrant.player.name, winner.amount) for winner in found.winners]


def page(event: Tournament) -> str:
    return reverse("tournaments:prizes", args=[event.slug])


# --- who wins -----------------------------------------------------------------------------------------------------
def test_equal_points_share_and_each_has_one_prize_or_all_of_them(cup: Tournament) -> None:
    set_prizes(cup, FULL, PLACES, by=None)
    shared = [("Ada Alvarez", 10_000), ("Bo Brandt", 4_000), ("Kerem Kid", 4_000)]
    assert won(read(cup)) == shared, "the tie-break decides nothing"
    junior = NewPrize("junior", 18, 1, 5_000)
    set_prizes(cup, FULL, [*PLACES, junior], by=None)
    assert won(read(cup)) == [("Ada Alvarez", 10_000), ("Bo Brandt", 6_000), ("Dag Dahl", 2_000), ("Kerem Kid", 5_000)]
    set_prizes(cup, Fund("€", "full", 100, one_each=False), [*PLACES, junior], by=None)
    assert won(read(cup))[-2:] == [("Kerem Kid", 4_000), ("Kerem Kid", 5_000)]


def test_categories_are_those_of_the_year_the_event_begins_in(cup: Tournament) -> None:
    """In 2026: born in 2012 is 14, born in 1950 is 76; nobody has a rating."""
    ada, bo, kerem = (["Ada Alvarez"], ["Bo Brandt"], ["Kerem Kid"])
    categories: dict[tuple[str, int | None], list[str]] = {
        ("junior", 13): [], ("junior", 14): kerem, ("junior", 35): kerem, ("senior", 60): bo, ("senior", 76): bo,
        ("senior", 77): [], ("woman", None): ada, ("newcomer", None): ada, ("below", 1400): [],
    }  # fmt: skip
    for (kind, limit), winners in categories.items():
        set_prizes(cup, FULL, [NewPrize(kind, limit, 1, 500)], by=None)
        found = read(cup)
        assert [row.entrant.player.name for row in found.winners] == winners, (kind, limit)
        assert len(found.unclaimed) == 1 - len(winners), (kind, limit)
    set_prizes(cup, FULL, [NewPrize("junior", limit, 1, 500) for limit in (18, 13)], by=None)
    assert [prize.limit for prize in read(cup).announced] == [13, 18]
    Tournament.objects.filter(pk=cup.pk).update(starts_on=date(2025, 1, 6))
    assert [winner.first.limit for winner in read(cup).winners] == [13], "the year before he was of that age still"


def test_a_rating_limit_looks_at_the_snapshot_at_entry(cup: Tournament) -> None:
    Entry.objects.filter(tournament=cup, number=2).update(rating=1399.4, rating_games=50, rating_list="standard")
    Entry.objects.filter(tournament=cup, number=1).update(rating=1400, rating_games=50, rating_list="standard")
    set_prizes(cup, FULL, [NewPrize("below", 1400, 1, 500), NewPrize("newcomer", None, 1, 300)], by=None)
    assert won(read(cup)) == [("Bo Brandt", 500), ("Kerem Kid", 300)]
    kerem = Entry.objects.filter(tournament=cup, player__name="Kerem Kid")
    kerem.update(rating=1500, rating_games=29, rating_list="standard")
    assert won(read(cup)) == [("Bo Brandt", 500), ("Kerem Kid", 300)], "a rating of 29 games is provisional"
    kerem.update(rating_games=30)
    assert won(read(cup)) == [("Bo Brandt", 500), ("Dag Dahl", 300)]


def test_a_knockout_gives_by_how_far_one_came_a_keizer_list_by_its_score_and_groups_not_at_all() -> None:
    event = page_cases.draw_cup(factory.make_players(4))
    set_prizes(event, FULL, [*PLACES, NewPrize("place", None, 4, 0, "a book")], by=None)
    assert won(read(event)) == []
    page_cases.play_bracket(event, 2)
    found = [(winner.amount, winner.thing) for winner in read(event).winners]
    assert found == [(10_000, ""), (6_000, ""), (1_000, ""), (1_000, "a book")]
    event = page_cases.keizer_club(factory.make_players(4), [[Result.WHITE_WINS, Result.DRAW]])
    set_prizes(event, FULL, PLACES, by=None)
    assert sum(winner.amount for winner in read(event).winners) == 18_000
    stages = page_cases.form_groups(factory.make_players(8), groups=2, name="Groups")
    event = stages[0].tournament
    set_prizes(event, FULL, PLACES, by=None)
    page_cases.play_stage(stages[0])
    assert not read(event).ordered
    assert "without a common order" in Client().get(page(event)).text


# --- entering -----------------------------------------------------------------------------------------------------
def test_prizes_that_cannot_be_are_refused(cup: Tournament) -> None:
    refused = (
        ([NewPrize("place", None, 1, 0)], "money, a thing, or both"),
        ([NewPrize("place", 18, 1, 5)], "belongs to juniors"),
        ([NewPrize("junior", None, 1, 5)], "belongs to juniors"),
        ([NewPrize("senior", 121, 1, 5)], "Check the age"),
        ([NewPrize("junior", 0, 1, 5)], "Check the age"),
        ([NewPrize("below", 4001, 1, 5)], "Check the age"),
        ([NewPrize("place", None, 0, 5)], "what each prize is for"),
        ([NewPrize("place", None, 501, 5)], "what each prize is for"),
        ([NewPrize("king", None, 1, 5)], "what each prize is for"),
        ([NewPrize("place", None, 1, -5)], "money, a thing"),
        ([NewPrize("place", None, 1, -5, "a book")], "money, a thing"),
        ([NewPrize("place", None, 1, LARGEST + 1)], "money, a thing"),
        ([NewPrize("place", None, 1, 5)] * 2, "Two prizes are for the same"),
        ([NewPrize("place", None, rank, 5) for rank in range(1, 102)], "Up to 100"),
    )
    for prizes, words in refused:
        with pytest.raises(Refused, match=words):
            set_prizes(cup, FULL, prizes, by=None)
    for fund in (Fund("€", "half", 100, one_each=True), Fund("€", "full", 7, one_each=True)):
        with pytest.raises(Refused, match="shared and rounded"):
            set_prizes(cup, fund, PLACES, by=None)
    with pytest.raises(Refused, match="has no end"):
        set_prizes(page_cases.make_event([], "free", name="Evenings"), FULL, PLACES, by=None)
    assert not PrizeFund.objects.exists()
    ranks = [NewPrize("place", None, rank, LARGEST) for rank in (1, *range(403, 501))]
    limits = [NewPrize("below", 4000, 1, 1), NewPrize("senior", 120, 1, 0, "a book"), NewPrize("junior", 1, 1, 5)]
    assert set_prizes(cup, FULL, [*ranks[2:], *limits], by=None) == MOST_PRIZES


def test_the_trail_keeps_figures_and_no_words_and_a_deleted_event_comes_back_with_its_prizes(cup: Tournament) -> None:
    for _time in range(2):
        set_prizes(cup, FULL, [NewPrize("place", None, 1, 0, "the Zoë cup")], by=None)
    [event] = AuditEvent.objects.filter(action="prizes.changed")
    assert event.after == {"sharing": "full", "step": 100, "one_each": True, "prizes": [["place", None, 1, 0, True]]}
    seen = prizes_digest(cup)
    set_prizes(cup, FULL, [], by=None, seen=seen)
    with pytest.raises(Stale):
        set_prizes(cup, FULL, PLACES, by=None, seen=seen)
    new = page_cases.make_event(factory.make_players(2), "round-robin")
    set_prizes(new, FULL, PLACES, by=None)
    delete_tournament(new.pk, by=None)
    assert not Prize.objects.exists()
    found = undo_at(AuditEvent.objects.get(action="tournament.deleted"))
    assert found is not None
    undo(found.event.pk, by=None, seen=found.seen)
    assert [prize.amount for prize in Prize.objects.order_by("pk")] == [10_000, 6_000, 2_000]


def test_of_two_events_each_has_its_own_prizes(cup: Tournament) -> None:
    other = page_cases.make_event(factory.first_players(2), "round-robin", name="Older Cup")
    seen = prizes_digest(cup)
    set_prizes(other, Fund("fr.", "hort", 50, one_each=False), PLACES[:1], by=None)
    assert fund_of(cup) is None
    set_prizes(cup, FULL, PLACES, by=None, seen=seen)
    trail = AuditEvent.objects.filter(action="prizes.changed").latest("pk")
    assert trail.before == {"prizes": []}, "it had none before"
    set_prizes(cup, FULL, [], by=None)
    fund = fund_of(other)
    assert fund is not None
    assert (fund.currency, [prize.amount for prize in fund.prizes.all()]) == ("fr.", [10_000])


def form_of(desk: Client, event: Tournament) -> tuple[str, dict[str, str]]:
    address = reverse("admin:tournaments_tournament_prizes", args=[event.pk])
    return address, fields_of(desk.get(address).text)


CHOICES = {"sharing": "hort", "step": "50", "currency": "fr.", "one_each": "on"}


def test_prizes_are_entered_row_by_row_and_emptied_rows_take_them_away(desk: Client, cup: Tournament) -> None:
    address, form = form_of(desk, cup)
    rows = {"prize-0-kind": "place", "prize-0-money": "120.50", "prize-1-kind": "place", "prize-1-thing": "a book"}
    more = {"prize-2-kind": "junior", "prize-2-limit": "18", "prize-2-rank": "1", "prize-2-money": "30"}
    answer = desk.post(address, {**form, **CHOICES, **rows, **more})
    assert answer.status_code == 302
    found = Prize.objects.order_by("pk").values_list("kind", "limit", "rank", "amount", "thing")
    places = [("place", None, 1, 12_050, ""), ("place", None, 2, 0, "a book")]
    assert list(found) == [*places, ("junior", 18, 1, 3_000, "")]
    fund = PrizeFund.objects.get()
    assert (fund.currency, fund.sharing, fund.step) == ("fr.", "hort", 50)
    shown = desk.get(address).text
    assert 'value="120.5' in shown
    assert "3 prizes are saved." in shown
    address, form = form_of(desk, cup)
    answer = desk.post(address, {**form, **CHOICES, **rows, **more, "prize-2-limit": "", "prize-2-money": "77"})
    assert answer.status_code == 409
    assert "belongs to juniors" in answer.text
    assert 'value="77"' in answer.text, "a refusal keeps what was typed"
    emptied = {name: "" if name.endswith(("money", "thing")) else value for name, value in form.items()}
    desk.post(address, {**emptied, **CHOICES, **{f"prize-{row}-kind": "place" for row in range(3)}})
    assert not PrizeFund.objects.exists()
    assert Client().get(page(cup)).status_code == 404
    set_prizes(cup, FULL, PLACES, by=None)
    answer = desk.post(address, {**form, **CHOICES, **rows})
    assert (answer.status_code, Prize.objects.count()) == (409, 3), "somebody else saved others meanwhile"
    assert fields_of(answer.text)["seen"] == prizes_digest(cup), "sent again it holds"


# --- the public page ----------------------------------------------------------------------------------------------
def test_the_page_is_provisional_until_the_event_is_closed(cup: Tournament) -> None:
    assert "/prizes/" not in Client().get(cup.get_absolute_url()).text
    set_prizes(cup, FULL, PLACES, by=None)
    assert page(cup) in Client().get(cup.get_absolute_url()).text
    text = Client().get(page(cup)).text
    for words in ("as it stands now", "100\u00a0€", "Places 2–3", "40\u00a0€", "180\u00a0€ in all", "divided equally"):
        assert words in text
    close_event(cup, by=None)
    text = Client().get(page(cup)).text
    assert "final" in text
    assert "as it stands now" not in text


def test_things_are_won_with_and_without_money(cup: Tournament) -> None:
    prizes = [
        NewPrize("place", None, 1, 10_000, "a cup"),
        NewPrize("place", None, 2, 0, "a book"),
        NewPrize("place", None, 4, 0, "a pen"),
    ]
    set_prizes(cup, Fund("€", "none", 100, one_each=True), prizes, by=None)
    text = text_of(Client(), page(cup))
    winners, announced = text.split('aria-labelledby="announced"')
    assert "<b>100 €</b><br>a cup</td>" in winners
    assert '<td class="num">a pen</td>' in winners
    assert "100 €<br>a cup</td>" in announced
    assert '<td class="num">a book</td>' in announced
    assert "the tie-breaks decide: prizes are not shared" in announced
    assert "divided equally" not in announced
    assert "Left over by rounding" not in winners
    last = winners.rpartition("<tr>")[2]
    assert "Dag Dahl" in last
    assert '<td class="num second">0</td><td class="num">a pen</td>' in last, "the fourth, without any point"


def test_what_rounding_leaves_over_is_told_and_things_alone_have_no_sum(cup: Tournament) -> None:
    odd = [NewPrize("place", None, rank, 1_050) for rank in (2, 3)]
    set_prizes(cup, Fund("€", "full", 1_000, one_each=True), odd, by=None)
    assert "Left over by rounding: 1 €." in text_of(Client(), page(cup))
    assert "21 € in all" in text_of(Client(), page(cup))
    set_prizes(cup, FULL, [NewPrize("place", None, 1, 0, "a cup")], by=None)
    assert "in all" not in text_of(Client(), page(cup)).partition("announced")[2]


def test_a_category_tells_nobodys_age_whose_name_is_not_shown(cup: Tournament) -> None:
    """Whoever Kerem, shown by initials, may be: the public reads the same. He is tied for second with Bo."""
    junior, senior = NewPrize("junior", 14, 1, 5_000), NewPrize("senior", 60, 1, 3_000)
    pages: dict[bool, set[str]] = {True: set(), False: set()}
    for one_each, year in product(pages, (2012, 1950, None)):
        fund = Fund("€", "full", 100, one_each=one_each)
        Player.objects.filter(name="Kerem Kid").update(birth_year=year, visibility="initials")
        set_prizes(cup, fund, [junior, senior, *PLACES], by=None)
        found = read(cup, NOBODY)
        assert found.withheld
        assert found.rest == 0
        certain = [("Ada Alvarez", 10_000)]
        shared = [("Bo Brandt", 4_000), ("Kerem Kid", 4_000)]
        assert won(found) == (certain if one_each else certain + shared), (one_each, year)
        assert found.unclaimed == ()
        pages[one_each].add(Client().get(page(cup)).text)
        for knows in (MEMBER, OFFICER):
            assert not read(cup, knows).withheld
            assert (("Kerem Kid", 5_000) in won(read(cup, knows))) == (year == 2012)
    assert [len(texts) for texts in pages.values()] == [1, 1]
    assert "kept private" in pages[True].pop()
    beyond = [NewPrize("place", None, rank, 1_000) for rank in (4, 5)]
    set_prizes(cup, Fund("€", "full", 100, one_each=False), [junior, *PLACES, *beyond], by=None)
    assert [prize.rank for prize in read(cup, NOBODY).unclaimed] == [5]


def test_whoever_stands_above_all_who_are_not_shown_is_named_and_without_such_prizes_everybody(cup: Tournament) -> None:
    set_prizes(cup, FULL, [NewPrize("woman", None, 1, 50_000), *PLACES], by=None)
    assert won(read(cup, NOBODY)) == [("Ada Alvarez", 50_000)], "she is first, whoever the others are"
    Player.objects.filter(name="Ada Alvarez").update(visibility="hidden")
    assert won(read(cup, NOBODY)) == []
    assert "Who wins what" in Client().get(page(cup)).text
    Player.objects.filter(name="Ada Alvarez").update(name="")
    assert not read(cup, OFFICER).withheld, "of who was erased nothing is left to hide"
    set_prizes(cup, FULL, [*PLACES, NewPrize("newcomer", None, 1, 100)], by=None)
    assert len(won(read(cup, NOBODY))) == 4
    assert not read(cup, NOBODY).withheld


def test_the_page_costs_the_same_however_many_prizes_and_players(cup: Tournament) -> None:
    def queries(event: Tournament) -> int:
        Client().get(page(event))
        with CaptureQueriesContext(connection) as found:
            Client().get(page(event))
        return len(found)

    set_prizes(cup, FULL, PLACES[:1], by=None)
    few = queries(cup)
    other = factory.make_round_robin(factory.make_players(6), name="Big", first_day=date(2026, 3, 2))
    factory.play_all(other)
    set_prizes(other, FULL, [*PLACES, NewPrize("junior", 18, 1, 5), NewPrize("woman", None, 1, 5)], by=None)
    assert queries(other) == few
