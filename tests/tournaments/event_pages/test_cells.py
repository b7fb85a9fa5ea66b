"""Cells of the event tables: names as the viewer may see them, and the words that stand in templates too."""

from django.utils.translation import override

from players.models import Player, Visibility
from players.privacy.rules import NOBODY, OFFICER
from tournaments.event_pages import cells
from tournaments.events.selectors.event_data import BoardData, Entrant
from tournaments.standings.points import Result
from tournaments.templatetags.cards import card_link


def person(**facts: object) -> Entrant:
    player = Player(pk=7, number=7, name="Ada <Alvarez>", visibility=facts.pop("visibility", Visibility.PUBLIC))
    given = {"rating": 1549.4, "games": 40, "of": 30, "withdrawn": False, "card": 3} | facts
    return Entrant(1, 3, player, **given)  # type: ignore[arg-type]


def test_a_name_is_escaped_and_leads_to_the_card_or_without_a_number_to_the_player() -> None:
    assert card_link(person(), NOBODY, "cup") == (
        '<a class="name" data-player="7" href="/tournaments/cup/entries/3/"><bdi>Ada &lt;Alvarez&gt;</bdi></a>'
    )
    assert 'href="/players/' in card_link(person(card=None), NOBODY, "cup")


def test_no_cell_names_who_is_not_shown() -> None:
    for level in (Visibility.INITIALS, Visibility.MEMBERS, Visibility.HIDDEN):
        hidden = person(visibility=level)
        for made in (card_link, cells.with_state, cells.side):
            assert "Alvarez" not in made(hidden, NOBODY, "cup"), level
            assert "Alvarez" in made(hidden, OFFICER, "cup"), level
            # The number of whoever has no page stands in no cell; a page of initials has it in its address.
            assert ("data-player" in made(hidden, NOBODY, "cup")) is (level == Visibility.INITIALS), level


def test_probation_has_mark_bar_and_words_and_nobody_unrated_a_figure() -> None:
    new = person(games=17)
    assert cells.figure(new) == '1549<span class="mark" aria-hidden="true">?</span>'
    assert "on probation" in cells.with_state(new, NOBODY, "cup")
    assert "17/30" in cells.with_state(new, NOBODY, "cup")
    assert "on probation" in cells.side(new, NOBODY, "cup")
    assert "probation" not in cells.with_state(person(), NOBODY, "cup")
    assert cells.figure(person(rating=None, games=None)).startswith("–")
    assert "<span" not in cells.side(person(rating=None, games=None), NOBODY, "cup")


def test_words_are_kept_for_each_language() -> None:
    new = person(games=17)
    english = cells.with_state(new, NOBODY, "cup")
    with override("ru"):
        russian = cells.with_state(new, NOBODY, "cup")
        assert "/ru/tournaments/" in russian
    assert cells.with_state(new, NOBODY, "cup") == english != russian


def test_who_came_late_or_left_is_told_and_what_left_its_column_stands_below_the_name() -> None:
    assert "from round 2" in cells.with_state(person(first_round=2), NOBODY, "cup")
    assert "withdrawn after round 4" in cells.with_state(person(withdrawn=True, last_round=4), NOBODY, "cup")
    assert ">withdrawn<" in cells.with_state(person(withdrawn=True), NOBODY, "cup")
    below = cells.below_a_standing(person(), 3, "+6", (("third-on", "SB 4"),))
    assert "1549" in below
    assert "3 games · +6" in below
    assert '<span class="ties"><span class="third-on">SB 4</span></span>' in below
    assert "ties" not in cells.below_a_standing(person(), 1, "", ())
    assert "Group A · 40 rated games" in cells.below_an_entry(person(group="Group A"))
    assert "unrated" in cells.below_an_entry(person(games=None))


def test_a_board_tells_its_result_its_decider_and_its_ways_on() -> None:
    board = BoardData(4, person(), person(), Result.DRAW, None, armageddon=Result.BLACK_WINS)
    made = cells.board_result(board, "/why/")
    assert made.count("½") == 2
    assert "armageddon 0–1" in made
    assert 'aria-label="Why this pairing on board 4?"' in made
    waits = BoardData(4, person(), person(), Result.DRAW, None, waits=True)
    assert "armageddon to come" in cells.board_result(waits, "")
    assert "href" not in cells.board_result(waits, "")
