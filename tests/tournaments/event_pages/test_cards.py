"""A player's card in an event: round by round, every stage he plays in, and where every tie-break comes from."""

import re
from collections.abc import Callable
from fractions import Fraction
from math import prod

import pytest
from django.test import Client

from players.models import Player, Visibility
from players.privacy.rules import NOBODY
from ratings.models import LedgerEntry, RatingList
from tests import factory
from tests.factory import make_players, make_round_robin, play_all, play_round
from tests.tournaments.event_pages.page_cases import (
    DRAW,
    WHITE,
    draw_cup,
    form_groups,
    keizer_club,
    make_event,
    play_match,
    play_stage,
    text_of,
)
from tests.tournaments.events.open_events import NAMES, real_swiss, small_swiss
from tournaments.entries.services.entries import enter_players
from tournaments.event_pages.selectors.cards import Card, card_of, cut_reasons
from tournaments.events.selectors.events import facts_of, stages_at
from tournaments.events.selectors.standings import standings_of
from tournaments.events.services.events import NewTournament, create_tournament
from tournaments.models import Entry, Tournament
from tournaments.standings.tiebreaks import Part, Worth
from tournaments.templatetags.cards import anchor, part_text, result_text, sum_text, worth_text
from tournaments.withdrawals.services.withdrawals import withdraw_entry

pytestmark = pytest.mark.django_db
OPEN = "/tournaments/open/"
SUMS = "BH/C1,BH/M1,BH,AOB,FB,SB,SB/C1,KS,PS,WIN,WON,BPG,BWG,REP,STD,DE"


@pytest.fixture(scope="module", autouse=True)
def standard(world: None) -> RatingList:
    """The open of five, whose pages most tests read, stands beside every other event."""
    factory.make_club()
    standard = factory.make_list()
    small_swiss()
    return standard


@pytest.fixture(scope="module")
def real_open(standard: RatingList) -> Tournament:
    return real_swiss(SUMS)


def tied_by(tiebreaks: str) -> None:
    Tournament.objects.filter(slug="open").update(tiebreaks=tiebreaks)


def cards(slug: str) -> dict[int, Card]:
    """Everybody's card, by start number."""
    facts = facts_of(stages_at(slug), NOBODY)[0]
    table = standings_of(facts)
    found = {}
    for entry in Entry.objects.filter(tournament__slug=slug).order_by("number"):
        card = card_of(facts, table, entry.pk)
        assert card is not None
        assert entry.number is not None
        found[entry.number] = card
    return found


# --- round by round -----------------------------------------------------------------------------------------------
def test_a_card_says_place_points_number_rating_and_every_round(client: Client) -> None:
    page = text_of(client, f"{OPEN}entries/1/")
    assert '<h2 id="card"><bdi>Alvarez, Ada</bdi></h2>' in page
    for name, value in (("Place", "1"), ("Points", "3"), ("Start number", "1")):
        assert f"<dt>{name}</dt><dd>{value}</dd>" in page
    assert '<dt>Rating at entry</dt><dd class="rating">1900</dd>' in page
    assert f'href="{Player.objects.get(name="Alvarez, Ada").get_absolute_url()}">The player’s own page' in page
    rounds = text_of(client, f"{OPEN}entries/3/").split('id="rounds"')[1].split("</table>")[0]
    rows = rounds.split("<tr>")[2:]
    assert "half-point bye" in rows[0]
    assert "<b>½</b>" in rows[0]
    assert '<span class="side black"></span><span class="hidden">Black, </span>' in rows[1]
    assert "Dahl, Dag" in rows[1]
    assert '<span class="won">1</span>' in rows[1]
    assert "<b>1½</b>" in rows[1]
    assert '<span class="lost">−</span></span> <span class="alt">not played</span>' in rows[2]
    assert "<b>2</b>" in rows[3]


def test_a_change_is_the_ledgers_and_leads_to_its_reason_and_an_unrated_event_has_none(client: Client) -> None:
    factory.make_list("second", primary=False)  # rates the same games
    cup = make_round_robin(make_players(2), cycles=2)
    game = play_round(cup, 1, [WHITE])[0]
    change = LedgerEntry.objects.get(game=game, rating_list__slug="standard").white_change
    page = text_of(client, f"/tournaments/{cup.slug}/entries/1/")
    why = f"/ratings/standard/why/{game.pk}/{game.white.number}/"
    assert f'<a class="worth" href="{why}">+{change:.0f}<span' in page
    text_of(client, why)
    cup = make_round_robin(make_players(2))
    Tournament.objects.update(rated=False)
    play_all(cup)
    assert "Change" not in text_of(client, f"/tournaments/{cup.slug}/entries/1/")


def test_cards_can_be_leafed_through_and_who_is_not_entered_has_none(client: Client) -> None:
    middle = text_of(client, f"{OPEN}entries/2/")
    assert f'href="{OPEN}entries/1/" rel="prev"' in middle
    assert f'href="{OPEN}entries/3/" rel="next"' in middle
    assert 'rel="prev"' not in text_of(client, f"{OPEN}entries/1/")
    assert 'rel="next"' not in text_of(client, f"{OPEN}entries/5/")
    for address in ("nowhere/entries/1/", "open/entries/0/", "open/entries/6/", "open/entries/99/"):
        text_of(client, f"/tournaments/{address}", status=404)


def test_who_left_and_who_came_late_is_said_and_who_counts_for_nobody_has_no_place(client: Client) -> None:
    cup = make_round_robin(make_players(4))
    withdraw_entry(Entry.objects.get(tournament=cup, number=4).pk, by=None)
    Entry.objects.filter(tournament=cup, number=3).update(first_round=2)
    assert "Withdrawn" in text_of(client, f"/tournaments/{cup.slug}/entries/4/")
    assert "In the event from round 2 on." in text_of(client, f"/tournaments/{cup.slug}/entries/3/")
    cup = make_round_robin(make_players(6))
    play_round(cup, 1, [WHITE, DRAW, DRAW])
    withdraw_entry(Entry.objects.get(tournament=cup, number=6).pk, by=None)
    page = text_of(client, f"/tournaments/{cup.slug}/entries/6/")
    assert "<dt>Place</dt>" not in page
    assert "does not count" in page


def test_without_rounds_a_card_says_so_and_without_a_number_there_is_none(client: Client) -> None:
    cup = make_event(make_players(4), "round-robin")
    assert "Nothing is paired yet" in text_of(client, f"/tournaments/{cup.slug}/entries/1/")
    cup = create_tournament(NewTournament("Later Cup"), by=None)
    (ada,) = make_players(1)
    enter_players(cup, [ada], by=None)
    assert f'href="{ada.get_absolute_url()}"' in text_of(client, "/tournaments/later-cup/entries/")


# --- the ways to it -----------------------------------------------------------------------------------------------
def test_names_lead_to_the_card(client: Client) -> None:
    link = f'<a class="name" data-player="1" href="{OPEN}entries/1/"><bdi>Alvarez, Ada</bdi></a>'
    parts = ("standings/", "crosstable/", "entries/", "rounds/1/", "rounds/1/?order=name", "progress/", "calendar/")
    for part in parts:
        assert link in text_of(client, OPEN + part), part


# --- several stages and other formats -------------------------------------------------------------------------------
def test_a_card_holds_every_stage(client: Client) -> None:
    """Numbers of a group are its own; the card goes by the event's."""
    stages = form_groups(make_players(8), groups=2)
    for stage in stages[:2]:
        play_stage(stage)
    row = stages[1].field.select_related("entry").get(number=1)
    page = text_of(client, f"/tournaments/cup/entries/{row.entry.number}/")
    assert "Group B" in page
    assert "place 1, 3 points" in page
    assert 'id="sb-3"' in page
    assert "Group A</h2>" not in page


def test_a_card_of_a_knockout_shows_matches_and_byes(client: Client) -> None:
    cup = draw_cup(make_players(4), games=2)
    play_match(cup, 1, 1, DRAW, WHITE)
    page = text_of(client, "/tournaments/cup/entries/1/")
    assert "Dag Dahl" in page
    assert "game 2" in page
    assert "Bo Brandt" not in page
    draw_cup(make_players(3), name="Three")
    assert "bye: goes on without a match" in text_of(client, "/tournaments/three/entries/1/")


def test_a_card_of_a_keizer_list_shows_what_rounds_brought(client: Client) -> None:
    keizer_club(make_players(4), [[WHITE, DRAW]])
    page = text_of(client, "/tournaments/keizer/entries/1/")
    assert "<dt>Keizer points</dt>" in page
    assert "Brought" in page
    assert "How the tie-breaks come about" not in page


# --- privacy --------------------------------------------------------------------------------------------------------
def test_who_is_not_public_has_a_card_by_number_and_officers_see_name_and_change(client: Client) -> None:
    """Initials lead to the player's own page; no number that would tell a change of the rating stands there."""
    for visibility in (Visibility.INITIALS, Visibility.MEMBERS, Visibility.HIDDEN):
        Player.objects.filter(name=NAMES[3]).update(visibility=visibility)
        pages = {number: text_of(client, f"{OPEN}entries/{number}/") for number in (1, 3, 4)}
        assert not [number for number, page in pages.items() if "Costa" in page], visibility
        assert "change num" not in pages[3]
        assert "num change" not in pages[3]
        assert ("The player’s own page" in pages[3]) == (visibility == Visibility.INITIALS)
    client.force_login(factory.make_arbiter())
    page = text_of(client, f"{OPEN}entries/3/")
    assert "Costa, Cleo" in page
    assert "num change" in page


# --- tie-breaks that explain themselves -----------------------------------------------------------------------------
def test_every_value_of_the_standings_leads_to_its_working(client: Client) -> None:
    tied_by("BH/C1,BH,SB,WIN,PS,KS,DE,BPG")
    links = re.findall(r'class="worth" href="([^"#]+)#([^"]+)"', text_of(client, f"{OPEN}standings/"))
    assert len(links) >= 5 * 7
    pages = {address: text_of(client, address) for address in {address for address, _place in links}}
    assert not [(address, place) for address, place in links if f'id="{place}"' not in pages[address]]
    tied_by("BH,SB,WIN,WON,BPG,PS")
    assert text_of(client, f"{OPEN}entries/1/").count(">Theirs<") == 2


def test_hovering_a_value_shows_the_sum_with_the_cut_in_brackets(client: Client) -> None:
    tied_by("BH/C1")
    page = text_of(client, f"{OPEN}standings/")
    titles = re.findall(r'#bh-c1" title="([^"]+)"><span class="hidden">BH/C1</span> ([^<]+)<span', page)
    assert len(titles) == 5
    for title, value in titles:
        assert title.endswith(f"= {value}")
        assert title.count("(") == title.count(")") == 1


def test_the_parts_on_the_card_come_to_the_value(real_open: Tournament) -> None:
    found = cards(real_open.slug)
    assert list(found) == list(range(1, 36))
    for working in (working for card in found.values() for working in card.workings):
        worth = working.worth
        if worth is None or worth.how not in ("sum", "count"):
            continue
        kept = [line.part.amount for line in working.lines if not line.part.cut]
        assert sum(kept, Fraction(0)) == worth.number, working.rule.code
        for line in working.lines:
            if line.part.factors:
                assert prod(line.part.factors) == line.part.amount


def test_a_part_names_opponent_and_both_sides_points() -> None:
    tied_by("SB")
    (working,) = cards("open")[1].workings
    by_round = {line.part.round: line for line in working.lines}
    assert by_round[1].opponent is not None
    assert by_round[1].opponent.number == 4
    assert (by_round[2].score, by_round[2].taken) == (5, 1), "half a point from 2½"
    assert by_round[3].opponent is None, "won by forfeit: nobody was met"
    assert by_round[3].due is not None
    assert by_round[3].due.number == 3


def summand(amount: int, *factors: int, of: int, opponent: int = 1, cut: bool = False) -> Part:
    note = "" if opponent else "Not played."
    return Part(of, opponent, Fraction(amount), tuple(map(Fraction, factors)), cut, note)


def test_a_round_missed_is_cut_first_and_of_products_that_of_the_lowest_opponent() -> None:
    parts = [summand(2, of=1), summand(4, of=2, opponent=0, cut=True), summand(6, of=3, cut=True)]
    assert cut_reasons(parts, {2}, low=1) == ["", "missed", ""]
    assert cut_reasons(parts, (), low=1) == ["", "", ""], "a bye that was given is no missed round"
    parts = [summand(3, 3, 1, of=1, cut=True), summand(0, 5, 0, of=2), summand(4, 8, 1, of=3)]
    assert cut_reasons(parts, (), low=1) == ["lowest", "", ""]
    plain = [summand(0, 3, 0, of=1, cut=True), summand(0, 5, 0, of=2)]
    assert cut_reasons(plain, (), low=1) == ["", ""], "it is the lowest product too"
    for score, reason in ((8, "highest"), (7, ""), (5, "lowest")):  # the cut product is between the two that are kept
        parts = [summand(6, score, of=1, cut=True), summand(0, 5, of=2), summand(8, 8, of=3)]
        assert cut_reasons(parts, (), low=1) == [reason, "", ""]


def test_what_is_cut_is_marked_and_missed_rounds_say_how_they_count(client: Client) -> None:
    """Cleo asked for half-point byes in rounds 1 and 4: her card says why more than the lowest is cut."""
    tied_by("BH/C1")
    page = text_of(client, f"{OPEN}entries/2/")
    assert page.count('<tr class="cut">') == 1
    assert "Cut: left out." in page
    assert "counts as a game against a dummy" in page
    assert text_of(client, f"{OPEN}entries/3/").count("A round missed of one’s own will goes first") == 1
    (working,) = cards("open")[3].workings
    assert [line.reason for line in working.lines if line.part.cut] == ["missed"]


def test_a_tiebreak_without_value_says_why(client: Client) -> None:
    tied_by("DE,ARO")
    page = text_of(client, f"{OPEN}entries/1/")
    assert "The player is tied with nobody" in page
    assert "It cannot be used in this event" in page
    assert '<td class="num">–</td>' in text_of(client, f"{OPEN}standings/")


def test_a_round_robin_explains_its_sums_too(client: Client) -> None:
    cup = make_round_robin(make_players(4))
    play_round(cup, 1, [WHITE, DRAW])
    page = text_of(client, f"/tournaments/{cup.slug}/entries/1/")
    assert 'id="sb"' in page
    assert "SB · Sonneborn-Berger: 0" in page
    assert page.count("no result yet") == 2, "an open game is said to be open"


# --- how values are written -----------------------------------------------------------------------------------------
def part(amount: str, *factors: str, of: int = 1, cut: bool = False) -> Part:
    return Part(of, 1, Fraction(amount), tuple(map(Fraction, factors)), cut)


WRITTEN: list[tuple[Worth | None, str]] = [
        (Worth(Fraction("16.5"), (part("9"), part("7.5"), part("4", cut=True))), "9 + 7½ + (4) = 16½"),
        (Worth(Fraction("7.75"), (part("4", "4", "1"), part("3.75", "7.5", "0.5"))), "4 × 1 + 7½ × ½ = 7¾"),
        (Worth(Fraction(1950), (part("2000"), part("1900")), "mean"), "mean of 2000, 1900 = 1950"),
        (Worth(Fraction(2), (part("1", of=3), part("1", of=5)), "count"), "rounds 3, 5: 2"),
        (Worth(Fraction(1), (part("1"),), "place"), "place 1 among those tied"),
        (Worth(Fraction(2022), (part("1950"), part("72", of=0)), "table"), "by the table from 1950: 2022"),
        (Worth(Fraction(7), how="number"), "7"),
        (Worth(Fraction(0)), "0"),
        (None, "cannot be worked out here"),
    ]  # fmt: skip


def test_a_sum_is_written_out_and_small_words_of_tiebreaks() -> None:
    assert [sum_text(worth) for worth, _text in WRITTEN] == [text for _worth, text in WRITTEN]
    assert anchor("BH/C1") == "bh-c1"
    assert anchor("SB", "-2") == "sb-2"
    assert worth_text(None) == "–"
    assert worth_text(Worth(Fraction(49, 4))) == "12¼"
    assert part_text(part("4", cut=True)) == "(4)"
    assert result_text(Worth(Fraction(3), how="count")) == "Rounds: 3"


# --- queries ----------------------------------------------------------------------------------------------------------
def test_a_card_needs_few_queries_for_groups_and_for_an_officer(
    client: Client, django_assert_max_num_queries: Callable[..., object], real_open: Tournament
) -> None:
    stages = form_groups(make_players(16), groups=4)
    for stage in stages[:4]:
        play_stage(stage)
    with django_assert_max_num_queries(8):
        text_of(client, "/tournaments/cup/entries/1/")
    client.force_login(factory.make_arbiter())
    with django_assert_max_num_queries(8):
        text_of(client, f"/tournaments/{real_open.slug}/entries/1/")
