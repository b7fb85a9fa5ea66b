"""Find your board: a name says where its bearer plays, in any script, and never more than the viewer may see."""

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from players.models import Player, Visibility
from players.privacy.rules import NOBODY, OFFICER
from ratings.models import RatingList
from tests import factory
from tests.tournaments.event_pages.page_cases import (
    DRAW,
    WHITE,
    draw_cup,
    form_groups,
    keizer_club,
    play_bracket,
    play_match,
    text_of,
)
from tournaments.event_pages.selectors.finding import name_key, people_called, where_is
from tournaments.events.selectors.event_data import Entrant
from tournaments.events.selectors.events import facts_of, stages_at
from tournaments.events.selectors.standings import standings_of
from tournaments.models import Tournament
from tournaments.withdrawals.services.withdrawals import withdraw_entry


def found(client: Client, event: Tournament, asked: str, part: str = "") -> str:
    """What the page says to that question."""
    page = text_of(client, f"/tournaments/{event.slug}/{part}?q={asked}")
    return page[page.index('role="status"') : page.index('id="live"')]


def entrants(*names: str) -> list[Entrant]:
    numbered = enumerate(names, start=1)
    people = [Player(pk=at, number=at, name=name, visibility=Visibility.PUBLIC) for at, name in numbered]
    return [Entrant(person.pk, person.pk, person, None, None, 0, False, card=10 * person.pk) for person in people]


def names_called(text: str, *names: str) -> list[str]:
    return [person.player.name for person in people_called(text, entrants(*names), NOBODY)]


def test_hidden_names_stand_by_number_and_not_by_the_alphabet() -> None:
    people = entrants("Zoe", "Ada", "Mia")
    for person in people:
        person.player.sort_name = person.player.name.lower()
    for person in people[:2]:
        person.player.visibility = Visibility.HIDDEN
    in_order = sorted(people, key=lambda person: name_key(person, NOBODY))
    assert [person.number for person in in_order] == [3, 1, 2]


# --- who is meant -------------------------------------------------------------------------------------------------
def test_words_are_looked_for_in_any_order_and_script_and_a_number_is_the_start_number() -> None:
    anna, ada, haruka = cast = ("Соколова, Анна", "Ada Alvarez", "佐藤はるか")
    for asked, called in {"anna sok": anna, "АННА": anna, "佐藤": haruka, "alvarez, ada": ada}.items():
        assert names_called(asked, *cast) == [called]
    assert names_called("nobody", *cast) == []
    assert names_called("20", "Ada 20th", "Bo Brandt") == ["Bo Brandt"]
    assert names_called("2", "Ada 2nd", "Bo Brandt") == [], "the number of the card"


@pytest.mark.extended
@given(st.text(max_size=12))
def test_whatever_is_typed_is_answered(text: str) -> None:
    assert set(names_called(text, "Ada Alvarez", "Bo Brandt")) <= {"Ada Alvarez", "Bo Brandt"}


@pytest.mark.parametrize("level", [Visibility.INITIALS, Visibility.MEMBERS, Visibility.HIDDEN])
def test_a_name_that_is_not_shown_is_not_found(level: str) -> None:
    people = entrants("Kerem Private")
    people[0].player.visibility = level
    assert people_called("private", people, NOBODY) == []
    assert people_called("private", people, OFFICER) == people


# --- what is said -------------------------------------------------------------------------------------------------
@pytest.mark.django_db
@pytest.mark.parametrize("part", ["", "rounds/1/", "standings/"])
def test_board_colour_opponent_and_place_are_told(client: Client, cup: Tournament, part: str) -> None:
    factory.play_round(cup, 1, [WHITE, DRAW])
    number = 1 if part == "rounds/1/" else 2
    said = found(client, cup, "Bo", part)
    assert f"Round {number}: Bo Brandt has board" in said
    assert "Place" in said
    assert "Card, round by round" in said


@pytest.mark.django_db
def test_the_last_part_tells_the_place_and_whoever_does_not_count_has_none(client: Client, cup: Tournament) -> None:
    parts = []
    for number in (1, 2):
        factory.play_round(cup, number, [WHITE, DRAW])
        facts = facts_of(stages_at(cup.slug), NOBODY)[0]
        parts.append((facts, standings_of(facts)))
    told = [[where_is(one, known, None, NOBODY).points for one in facts.entrants] for known in (parts, parts[1:])]
    assert told[0] == told[1]
    assert sum(told[0]) == 8, "points of two rounds, in halves"
    gone = factory.bye_of(factory.round_of(cup, 1)).seats.get().entry
    withdraw_entry(gone.pk, by=None)
    said = found(client, cup, gone.player.name)
    assert "Card, round by round" in said
    assert "Place" not in said


@pytest.mark.django_db
def test_a_bye_is_told_in_its_words_and_the_row_marked_in_every_table(client: Client, cup: Tournament) -> None:
    name = factory.bye_of(factory.round_of(cup, 1)).seats.get().entry.player.name
    assert f"{name} in round 1: bye: a free round, no points." in found(client, cup, name, "rounds/1/")
    page = text_of(client, f"/tournaments/{cup.slug}/?q=bo+brandt")
    assert page.count('aria-current="true"><t') + page.count('<tr aria-current="true"') == 2
    assert '<tr aria-current="true"' not in text_of(client, f"/tournaments/{cup.slug}/?q=")
    assert "Nobody here is shown by a name with “Zzz” in it." in found(client, cup, "Zzz")


@pytest.mark.django_db
def test_groups_and_keizer_answer_too_and_of_many_only_the_first_are_told(client: Client, standard: RatingList) -> None:
    cup = factory.make_round_robin(factory.make_players(16))
    said = found(client, cup, "extra")
    assert said.count("has board") == 5
    assert "And 3 more: write more of the name." in said
    people = factory.make_players(8)
    groups = form_groups(people)[0].tournament
    assert "Ada Alvarez has board" in found(client, groups, "ada")
    keizer = keizer_club(people[:6], [[WHITE, DRAW, DRAW]])
    said = found(client, keizer, "ada")
    assert "Round 1: Ada Alvarez has board" in said
    assert "Place" not in said


@pytest.mark.django_db
def test_a_knockout_tells_the_match_and_who_is_out(client: Client, standard: RatingList) -> None:
    cup = draw_cup(factory.make_players(4))
    assert "Round 1: Ada Alvarez has board 1 with" in found(client, cup, "ada")
    play_bracket(cup, 1)
    said = [found(client, cup, name.split()[0]) for name in factory.CAST[:4]]
    assert sum("is not paired in round 2." in words for words in said) == 2
    small = draw_cup(factory.first_players(3), name="Small")
    said = [found(client, small, name.split()[0]) for name in factory.CAST[:3]]
    assert sum("in round 1: bye" in words for words in said) == 1


@pytest.mark.django_db
def test_both_players_of_a_board_are_told_their_own_colour(client: Client, cup: Tournament) -> None:
    game = cup.games.filter(pairing__round__number=1).exclude(black=None).select_related("white", "black")[0]
    board = game.pairing.board if game.pairing else 0
    white, black = game.white.name, game.black.name
    assert f"Round 1: {white} has board {board} with White, against {black}." in found(client, cup, white, "rounds/1/")
    assert f"Round 1: {black} has board {board} with Black, against {white}." in found(client, cup, black, "rounds/1/")


@pytest.mark.django_db
def test_in_a_bracket_is_told_who_waits_for_an_opponent(client: Client, standard: RatingList) -> None:
    cup = draw_cup(factory.make_players(4))
    play_match(cup, 1, 1, WHITE)
    said = [found(client, cup, name.split()[0], "rounds/2/") for name in factory.CAST[:4]]
    assert sum("match 1 of round 2; the opponent is to come." in words for words in said) == 1
