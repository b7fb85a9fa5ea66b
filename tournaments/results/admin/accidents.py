"""What may have gone wrong on a board or around a round, each with the one step to the form that mends it.

A step is an address, or a result to be entered at once while the board is open. docs/arbiter.md walks them all.
"""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext as _

from players.privacy.rules import OFFICER, shown_name
from ratings.models import RatingList
from tournaments.corrections.admin.boards import board_page
from tournaments.corrections.admin.corrections import correct_address, game_page
from tournaments.corrections.services.changes import ResultChange
from tournaments.models import Entry, Game, Tournament
from tournaments.standings.points import DECIDED_RESULTS, Result

FORFEITS = (Result.WHITE_FORFEITS, Result.BLACK_FORFEITS, Result.BOTH_FORFEIT)


@dataclass(frozen=True, slots=True)
class Accident:
    """What happened, in words; where it is mended, or the result that is entered."""

    words: str
    url: str = ""
    result: str = ""


def accidents_of(game: Game, white: Entry, black: Entry, match: int | None) -> list[Accident]:
    """Of the board of a game, its entries as seated; `match` is the key of a knockout's."""
    seats = reverse("admin:tournaments_game_seats", args=[game.pk])
    seats = reverse("admin:tournaments_tournament_match", args=[match]) if match else seats
    back = urlencode({"back": board_page(game)})
    return [
        Accident(
            _("Colours were the other way round"), f"{reverse('admin:tournaments_game_swap', args=[game.pk])}?{back}"
        ),
        Accident(_("They played other opponents"), seats),
        Accident(_("A wrong player sat down"), seats),
        Accident(_("It is the result of another board"), reverse("admin:tournaments_game_elsewhere", args=[game.pk])),
        _played_later(game),
        *_came_late(game),
        *_noted(game),
        *(_went_home(entry) for entry in (white, black)),
    ]


def _played_later(game: Game) -> Accident:
    if game.result in DECIDED_RESULTS:
        return Accident(_("It was played on another day"), game_page(game.pk))
    return Accident(_("It is played tomorrow or later"), result=Result.ADJOURNED)


def _came_late(game: Game) -> list[Accident]:
    """Too late while the board is open; in time after all where a forfeit stands."""
    if game.result in FORFEITS:
        return [Accident(_("Came late, and the game is played"), _corrected(game, Result.OPEN))]
    late = ((_("White came too late"), Result.WHITE_FORFEITS), (_("Black came too late"), Result.BLACK_FORFEITS))
    if game.result in DECIDED_RESULTS:
        return [Accident(words, _corrected(game, result)) for words, result in late]
    return [Accident(words, result=result) for words, result in late]


def _noted(game: Game) -> list[Accident]:
    """Of a played result something is to be told that changes nothing."""
    page = reverse("admin:tournaments_game_footnote", args=[game.pk])
    return [Accident(_("The result stays, with a note beside it"), page)] if game.result in DECIDED_RESULTS else []


def _corrected(game: Game, result: Result) -> str:
    return correct_address([ResultChange(game.pk, result, revision=game.revision)], board_page(game))


def _went_home(entry: Entry) -> Accident:
    words = _("%(name)s went home") % {"name": shown_name(entry.player, OFFICER)}
    return Accident(words, reverse("admin:tournaments_tournament_withdraw", args=[entry.pk]))


def accidents_around(tournament: Tournament, user: User) -> list[Accident]:
    """What no board knows of: people, files, rules, roles; for this user, by what the role may do."""
    key, mistake = [tournament.pk], _("A round was deleted, or something else done by mistake")
    changed = _("K or probation were changed")
    lists = RatingList.objects.filter(pool=tournament.pool).order_by("order", "pk")[:1]
    pages: tuple[tuple[str, str, str, list[int]], ...] = (
        ("", _("Somebody came late and is on no board"), "tournaments_tournament_entries", key),
        ("", mistake, "tournaments_tournament_rounds", key),
        ("players.change_player", _("A player is in the base twice"), "players_player_duplicates", []),
        ("players.add_player", _("A file of games was loaded twice"), "tournaments_game_load", []),
        *(("ratings.change_ratinglist", changed, "ratings_ratinglist_change", [row.pk]) for row in lists),
        ("auth.change_user", _("Somebody has the wrong role"), "auth_user_changelist", []),
    )
    if tournament.closed:
        pages += (("", _("The event was closed too early"), "tournaments_tournament_close", key),)
    return [
        Accident(words, reverse(f"admin:{name}", args=keys))
        for permission, words, name, keys in pages
        if not permission or user.has_perm(permission)
    ]
