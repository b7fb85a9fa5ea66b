"""The second partner is served like the first: every place that knows a person's boards knows those of the pair."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from clubrating.ops.backups.erased_people import erase_from_backups
from clubrating.site.export.selectors import own_data
from clubrating.site.mine.selectors import boards_of
from clubrating.site.notices.kinds import KINDS
from clubrating.site.player_pages.selectors import next_game_of, placings_of
from players.models import AuditEvent, Player, Visibility
from players.people.markup import player_link
from players.privacy.rules import NOBODY
from players.trail.services import write_audit
from ratings.models import StartingRating
from tests import factory
from tests.clubrating.ops.backups.test_erased_people import copies, text_of
from tests.tournaments.pairs.pair_cases import game_between, make_doubles, make_lists
from tournaments.corrections.selectors import corrections
from tournaments.entries.selectors import entries_of
from tournaments.erasure.services.erasure import what_goes
from tournaments.erasure.services.free_text import Names, find_in_free_text
from tournaments.events.selectors.stages import games_with
from tournaments.models import Entry, Game, Round, Season, Tournament
from tournaments.presence import selectors as presence
from tournaments.presence.selectors import awaited
from tournaments.presence.services import report_absence
from tournaments.rated_games.selectors.late_starts import late_starts
from tournaments.results.services.results import correct_result, record_result
from tournaments.seasons.selectors import table_of
from tournaments.standings.points import Result
from tournaments.trail.selectors import TrailFilter, lines

pytestmark = pytest.mark.django_db
NOTE = "Brandt was right"


@pytest.fixture(scope="module")
def club(world: None) -> list[Player]:
    factory.make_club()
    make_lists()
    people = factory.make_players(6)
    Player.objects.filter(pk=people[3].pk).update(visibility=Visibility.HIDDEN)
    return list(Player.objects.order_by("number"))


@pytest.fixture(scope="module")
def doubles(club: list[Player]) -> Tournament:
    """1+2 beat 3+4, which was first entered as lost, and have still to meet 5+6."""
    event = make_doubles(club, scores="goals")
    game = game_between(event, club[0], club[2])
    won, lost = (Result.WHITE_WINS, Result.BLACK_WINS)[:: 1 if game.white == club[0] else -1]
    record_result(game=game.pk, result=lost, played_on=factory.MONDAY, by=None)
    correct_result(game=game.pk, result=won, by=None, reason="entry-error", note=NOTE)
    entry = Entry.objects.get(tournament=event, player=club[0])
    report_absence(entry.pk, game_between(event, club[0], club[4]).pairing.round.number, by=None)
    return event


def _event() -> Tournament:
    return Tournament.objects.get(slug="doubles-cup")


def _board(player: Player) -> list[int]:
    return [board.opponent.number for board in boards_of([player], factory.today())[player.pk]]


def _next(player: Player) -> int | None:
    board = next_game_of(player, factory.MONDAY)
    return board.opponent.number if board else None


def _said(player: Player, action: str) -> str:
    event = AuditEvent.objects.filter(action=action).latest("pk")
    Game.objects.exclude(result="").update(played_on=factory.today())  # older results are no news
    told = [kind.told(event, None, timezone.localtime()) for kind in KINDS if event.action in kind.actions]
    return next((each[player.pk]().body for each in told if player.pk in each), "")


def _season(player: Player) -> list[tuple[int, int]]:
    season = Season.objects.create(name="Season", slug="season")
    season.events.set([_event()])
    rows = table_of(season).rows
    return [(row.place, len(row.player.beside)) for row in rows if row.player == player]


def _late(player: Player) -> list[int]:
    rating_list = player.ratings.get().rating_list
    StartingRating.objects.create(rating_list=rating_list, player=player, on=factory.today(), rating=1700)
    return [row.start.player.number for row in late_starts(_event())]


def _notes(player: Player) -> int:
    found = find_in_free_text(Names((player.name,), (player.pk,), f"#{player.number}"))
    return sum(row.table is AuditEvent for row in found)


def _erased(player: Player) -> tuple[int, int]:
    goes = what_goes(player)
    return goes.entries, goes.games


def _kept(player: Player) -> dict[str, int]:
    """How many rows; of a pair each is one, whatever leads to it."""
    kept = {label.partition(".")[2]: len(rows) for label, rows in own_data(player).items()}
    return {name: kept[name] for name in ("Entry", "Seat", "AbsenceNotice", "Game")}


def _corrected(player: Player) -> list[str]:
    return [row.action for row in corrections(NOBODY, player)]


def _awaited(player: Player) -> list[bool]:
    return [row.missing != () for row in awaited(_event(), factory.today(), search=player.name)]


def _may_miss(player: Player) -> list[list[tuple[int | None, int]]]:
    """The places and who plays beside: alone, and where the device is known by the links of both."""
    both = [player, Player.objects.get(number=1)]
    found = [presence.entries_of(_event(), people) for people in ([player], both)]
    return [[(row.number, len(row.player.beside)) for row in rows] for rows in found]


# Whose place it is (by number: a second partner), what is asked, and the answer.
PLACES: dict[str, tuple[int, Callable[[Player], object], object]] = {
    "my board": (2, _board, [5]),
    "the next game": (2, _next, 5),
    "you are paired": (
        6,
        lambda player: _said(player, "rounds.paired"),
        "Board 1: Black against Cleo Costa / Player 4",
    ),
    "your result": (
        2,
        lambda player: _said(player, "result.recorded"),
        "Doubles Cup: your game with Cleo Costa / Player 4",
    ),
    "places on the page": (
        2,
        lambda player: placings_of(player, ["doubles-cup"], factory.today()).keys(),
        {"doubles-cup"},
    ),
    "a season": (2, _season, [(1, 0)]),
    "the trail": (2, lambda player: len(lines(TrailFilter(number=player.number)).filter(action="result.corrected")), 1),
    "corrections": (2, _corrected, ["result.corrected"]),
    "absence": (2, _may_miss, [[(1, 1)], [(1, 1)]]),
    "check-in": (2, _awaited, [True]),
    "kept apart": (2, lambda player: [row.number for row in entries_of(_event(), [player]).values()], [1]),
    "starting ratings": (2, _late, [2]),
    "erasing": (2, _erased, (1, 2)),
    "notes about erased people": (2, _notes, 1),
    "own data": (2, _kept, {"Entry": 1, "Seat": 3, "AbsenceNotice": 1, "Game": 1}),
    "own data of the first": (1, _kept, {"Entry": 1, "Seat": 3, "AbsenceNotice": 1, "Game": 2}),
}


@pytest.mark.parametrize("place", PLACES)
def test_the_second_partner_is_served(doubles: Tournament, club: list[Player], place: str) -> None:
    number, asked, said = PLACES[place]
    assert asked(club[number - 1]) == said


def test_the_page_of_the_reader_says_the_board_of_the_pair(client: Client, doubles: Tournament) -> None:
    text = client.get("/mine/?player=2&follow=6").content.decode()
    assert "Eva Engel" in text
    assert "Dag Dahl" not in text
    assert text.count("against") >= 2, "the followed one has a board too"
    assert "You have not met before" not in text
    Round.objects.update(planned_on=factory.today())
    page = client.get("/players/2-bo-brandt/").content.decode()
    assert "Next game" in page
    assert "Eva Engel" in page


def test_games_of_a_person_are_those_of_the_pair_in_its_own_event_alone(
    doubles: Tournament, club: list[Player]
) -> None:
    singles = factory.make_round_robin([club[0], club[5]], name="Singles Cup")
    assert Game.objects.filter(games_with([club[1].pk])).count() == 2
    assert not Game.objects.filter(games_with([club[1].pk]), tournament=singles).exists()


def test_rows_are_marked_for_both_partners_but_not_for_hidden_ones(doubles: Tournament, club: list[Player]) -> None:
    club[2].beside = (Player.objects.get(number=4),)
    club[0].beside = (club[1],)
    assert 'data-player="1 2"' in player_link(club[0], NOBODY, "/card/")
    assert 'data-player="3"' in player_link(club[2], NOBODY, "/card/")


def test_a_part_of_the_partners_name_goes_from_backups(
    doubles: Tournament, club: list[Player], settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    write_audit("entry.withdrawn", Entry.objects.get(tournament=doubles, number=1), by=None, note="Brandt is ill")
    (path,) = copies(1)
    Player.objects.filter(pk=club[1].pk).update(name="", birth_year=None)
    erase_from_backups({2})
    text = text_of(path)
    assert "#2 was right" in text
    assert "#2 is ill" in text
