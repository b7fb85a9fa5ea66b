"""Pages for corrections of what is there: boards, colours, a game too many, and the last correction taken back.

Games brought in: `games_brought`; two records of one person: `clubrating.site.people.admin.merging`.

`rules_for`: what a correction means by the rules of the format. Source: FIDE C.04.2 (a wrong result found later counts
from the next pairing on, and no round is paired again) and docs/algorithms.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubrating.web.formatting import day_text
from players.models import AuditEvent
from players.privacy.rules import OFFICER, shown_name
from players.refusals import sign
from ratings.explain.base import plain
from tournaments.corrections.admin.preview import CorrectionPage, correction, own_address
from tournaments.corrections.services.changes import (
    ColoursSwapped,
    GameRemoved,
    ImportanceChange,
    ResultChange,
    ResultChanges,
)
from tournaments.corrections.services.contest_changes import ContestChange
from tournaments.corrections.services.corrections import undo_of
from tournaments.corrections.services.fact_changes import StartsMoved
from tournaments.corrections.services.game_changes import is_deleted_when_removed
from tournaments.corrections.services.merge_changes import MergeUndone
from tournaments.events.admin.event_page import check_may, check_may_correct
from tournaments.events.selectors.officers import may_correct
from tournaments.events.selectors.stages import name_sides, system_of
from tournaments.models import Game, Round, Stage
from tournaments.pairing.base import BracketSystem, FreeSystem, RoundSystem, ScheduleSystem
from tournaments.pairing.keizer import Keizer
from tournaments.results.services.footnotes import NOTED
from tournaments.results.services.results import notation
from tournaments.results.words import handicap_words
from tournaments.rounds.selectors.progress import rounds_paired_from
from tournaments.standings.points import Result, score_text, seen_from_black

Reason = AuditEvent.Reason


def game_page(key: int) -> str:
    """The address of a game's form."""
    return reverse("admin:tournaments_game_change", args=[key])


# --- boards -------------------------------------------------------------------------------------------------------
def correct_address(changes: Iterable[ResultChange], back: str) -> str:
    """Where those corrections are previewed; `back` is the page they come from."""
    wishes = [("c", _written(each)) for each in changes]
    return f"{reverse('admin:tournaments_game_correct')}?{urlencode([*wishes, ('back', back)])}"


def correct(request: HttpRequest) -> HttpResponse:
    """One result or several, changed together."""
    check_may(request, "tournaments.change_game")
    asked = request.POST if request.method == "POST" else request.GET
    asked_for = asked.getlist("c")
    try:
        changes = tuple(_read(written) for written in asked_for)
    except ValueError:
        raise Http404 from None
    games = _games(change.game for change in changes)
    if not changes or any(change.game not in games for change in changes):
        raise Http404
    check_may_correct(request, games.values())
    back = own_address(asked.get("back", "")) or game_page(changes[0].game)
    texts = CorrectionPage(
        title=_("Correct a result") if len(changes) == 1 else _("Correct results"),
        says=[_sentence(games[change.game], change) for change in changes],
        hidden=[*(("c", written) for written in asked_for), ("back", back)],
        back=back,
        stays=stays_paired(games[change.game] for change in changes if change.result != games[change.game].result),
        rules=rules_for(games.values()),
    )
    return correction(request, changes[0] if len(changes) == 1 else ResultChanges(changes), texts)


def _written(change: ResultChange) -> str:
    """A score, empty for none, stands behind the rest; most changes leave it as it is."""
    written = f"{change.game},{change.revision},{change.result},{change.played_on or ''}"
    return written if change.score is None else f"{written},{change.score}"


def _read(written: str) -> ResultChange:
    """Raises ValueError for what none of our pages writes."""
    game, revision, code, day, *scores = written.split(",")
    score = f"{scores[0]:.20}" if scores else None
    return ResultChange(int(game), Result(code), date.fromisoformat(day) if day else None, int(revision), score)


def _games(keys: Iterable[int]) -> Mapping[int, Game]:
    rows = Game.objects.select_related("white", "black", "tournament", "pairing__round__stage", "pairing__stage")
    games = {game.pk: game for game in rows.filter(pk__in=[key for key in keys if 0 < key < 2**62])}
    name_sides(games.values())
    return games


def _sentence(game: Game, change: ResultChange) -> str:
    was, now = _result(game.result), _result(change.result)
    parts = [f"{was} → {now}"] if was != now else []
    if change.played_on and change.played_on != game.played_on:
        parts.append(f"{day_text(game.played_on)} → {day_text(change.played_on)}")
    stands = score_text(game.white_points, game.black_points)
    if change.score is not None and change.score != stands:
        parts.append(f"{stands or '–'} → {change.score or '–'}")
    return f"{called(game)}{sign(': ')}{sign(', ').join(parts) or was}"


def called(game: Game) -> str:
    """ "Ada – Bo (Winter Cup, round 1, board 2)"."""
    where = game.tournament.name
    if game.pairing.round:
        numbers = {"event": where, "round": game.pairing.round.number, "board": game.pairing.board}
        where = _("%(event)s, round %(round)s, board %(board)s") % numbers
    return f"{shown_name(game.white, OFFICER)} – {shown_name(game.black, OFFICER)}{sign(' (')}{where}{sign(')')}"


def stays_paired(games: Iterable[Game]) -> list[str]:
    """The later rounds, which were paired by the games as they stand, in a sentence or two for each stage."""
    earliest: dict[int, Round] = {}
    for row in (game.pairing.round for game in games):
        if row is not None and row.number < earliest.setdefault(row.stage_id, row).number:
            earliest[row.stage_id] = row
    return [sentence for row in earliest.values() for sentence in _paired_already(rounds_paired_from(row))]


def _paired_already(rounds: Sequence[Round]) -> Iterator[str]:
    public = [row.number for row in rounds if row.state != Round.State.DRAFT]
    if len(public) == 1:
        yield _("Round %(number)s is published and stays as it is paired.") % {"number": public[0]}
    elif public:
        values = {"first": public[0], "last": public[-1]}
        yield _("Rounds %(first)s to %(last)s are published and stay as they are paired.") % values
    for row in rounds:
        if row.state == Round.State.DRAFT:
            text = _("Round %(number)s is a draft, paired by the result as it was: delete it and make it anew.")
            yield text % {"number": row.number}


def _result(code: str) -> str:
    return notation(code, _("no result"))


def game_of(request: HttpRequest, key: int) -> Game:
    """The game of that key, with what its pages show. Raises PermissionDenied where others correct it, Http404."""
    game = _games([key]).get(key)
    if game is None:
        raise Http404
    check_may_correct(request, [game])
    return game


# --- one game -----------------------------------------------------------------------------------------------------
def swap(request: HttpRequest, key: int) -> HttpResponse:
    """White and Black exchanged: whoever won has won still, unless the arbiter says that the result stays."""
    game = game_of(request, key)
    asked = request.POST if request.method == "POST" else request.GET
    mirror = asked.get("mirror", "1") == "1"
    now = seen_from_black(Result(game.result)) if mirror else Result(game.result)
    words = _("keep the result as it is written") if mirror else _("whoever won has won")
    names = {"white": shown_name(game.white, OFFICER), "black": shown_name(game.black, OFFICER)}
    text = _("White is %(black)s, Black is %(white)s") % names
    one_way = seen_from_black(Result(game.result)) == game.result
    back = own_address(asked.get("back", "")) or game_page(key)
    texts = CorrectionPage(
        title=_("Exchange the colours"),
        says=[called(game), f"{text}{sign(': ')}{_result(game.result)} → {_result(now)}"],
        hidden=[("mirror", "1" if mirror else "0"), ("back", back)],
        back=back,
        reason=Reason.WRONG_COLOURS,
        stays=stays_paired([game]),
        rules=rules_for([game]),
        other=None if one_way else (words, f"?{urlencode({'mirror': int(not mirror), 'back': back})}"),
    )
    return correction(request, ColoursSwapped(key, mirror), texts)


def remove(request: HttpRequest, key: int) -> HttpResponse:
    """A game entered in error."""
    game = game_of(request, key)
    gone = is_deleted_when_removed(game)
    sentence = _("The game is deleted.") if gone else _("The result is cleared; the board, or the file’s row, stays.")
    texts = CorrectionPage(
        title=_("Remove a game"),
        says=[f"{called(game)}{sign(': ')}{_result(game.result)}{sign(', ')}{day_text(game.played_on)}", sentence],
        hidden=[],
        back=game_page(key),
        done=reverse("admin:tournaments_game_changelist") if gone else "",
        reason=Reason.DUPLICATE,
        stays=stays_paired([game]),
        rules=rules_for([game]),
        button=_("Remove the game"),
    )
    return correction(request, GameRemoved(key), texts)


# --- taking back --------------------------------------------------------------------------------------------------
def undo(request: HttpRequest, key: int) -> HttpResponse:
    """The correction with that audit event, taken back while it stands."""
    event = get_object_or_404(AuditEvent, pk=key)
    check_may(request, "players.change_player" if event.subject_kind == "player" else "tournaments.change_game")
    change, back = undo_of(event), _about(event)
    if change is None:
        raise Http404
    if isinstance(change, MergeUndone):
        said = _("Players %(gone)s and %(keep)s are two persons again.") % event.before
    elif isinstance(change, ImportanceChange):
        tournament = change.event()
        if not may_correct(request.user, tournament):
            raise PermissionDenied
        said = f"{tournament.name}: × {plain(tournament.importance)} → × {plain(change.importance)}"
    elif isinstance(change, StartsMoved):
        said = ngettext(
            "%(count)s starting rating holds from its day before again.",
            "%(count)s starting ratings hold from their days before again.",
            len(change.moves),
        ) % {"count": len(change.moves)}
    elif isinstance(change, ContestChange):
        said = _contest_undone(request, change)
    else:
        said = _undone(event, game_of(request, event.subject_key))
    texts = CorrectionPage(
        title=_("Undo a correction"),
        says=[_("The correction of %(when)s:") % {"when": day_text(event.at, "when")}, said],
        hidden=[],
        back=back,
        button=_("Undo"),
    )
    return correction(request, change, texts)


def _contest_undone(request: HttpRequest, change: ContestChange) -> str:
    """What becomes of the table. Raises PermissionDenied where others correct it."""
    if not may_correct(request.user, change.event()):
        raise PermissionDenied
    if change.sides is None:
        return _("The table is withdrawn again.")
    return _("The table stands as before.")


def _about(event: AuditEvent) -> str:
    if event.subject_kind == "contest":
        return reverse("admin:tournaments_tournament_table", args=[event.subject_key])
    if event.subject_kind == "player":
        return reverse("admin:players_player_change", args=[event.subject_key])
    if event.subject_kind == "tournament":
        return reverse("admin:tournaments_tournament_change", args=[event.subject_key])
    if event.subject_kind == "startingrating":
        return reverse("admin:ratings_startingrating_change", args=[event.subject_key])
    if event.action == "game.inserted":
        return reverse("admin:tournaments_game_changelist")
    return game_page(event.subject_key)


def _undone(event: AuditEvent, game: Game) -> str:
    was, now = event.before.get("result", ""), event.after.get("result", "")
    head = f"{called(game)}{sign(': ')}"
    if event.action == "game.inserted":
        return head + _("the game is deleted again")
    if event.action == "seats.exchanged":
        return head + _("the players sit as before")
    if event.action == "handicap.corrected":
        before = handicap_words(event.before["handicap"], event.before["komi"])
        return f"{head}{handicap_words(game.handicap, game.komi)} → {before}"
    if event.action == NOTED:
        return head + (event.before["footnote"] or _("the note goes"))
    if event.action == "colours.swapped":
        return head + _("colours as before, %(result)s") % {"result": _result(was)}
    days = event.after["played_on"], event.before["played_on"]
    text = " → ".join(day_text(date.fromisoformat(day) if day else None) for day in days)
    moved = f"{sign(', ')}{text}" if days[0] != days[1] else ""
    return f"{head}{_result(now)} → {_result(was)}{moved}"


def last_undo(kind: str, key: int) -> str:
    """The address at which the last correction of a game or player can be taken back; empty where it cannot."""
    event = AuditEvent.objects.filter(subject_kind=kind, subject_key=key).first()
    return reverse("admin:tournaments_game_undo", args=[event.pk]) if event and undo_of(event) else ""


# --- what the rules of the format say -----------------------------------------------------------------------------
def rules_for(games: Iterable[Game]) -> list[str]:
    """The rules for those games, a sentence for each kind of format; none for games of loaded files."""
    stages = {game.pairing.stage_id: game.pairing.stage for game in games}
    return list(dict.fromkeys(sentence for stage in stages.values() for sentence in _rule_of(stage)))


def _rule_of(stage: Stage) -> Iterator[str]:
    system = system_of(stage)
    if isinstance(system, BracketSystem):
        yield _(
            "Bracket: whoever wins by the corrected result goes on. Where the next match was played already, "
            "you choose whether the bracket follows or stays."
        )
    elif isinstance(system, Keizer):
        yield _(
            "Keizer: all values are worked out anew from the first round on. Rounds that are paired stay as they are."
        )
    elif isinstance(system, RoundSystem):
        yield _(
            "Swiss and other rounds made one by one: the corrected result counts in the standings at once and in the "
            "next pairing; a round that is paired is not paired again (FIDE C.04.2)."
        )
    elif isinstance(system, ScheduleSystem):
        yield _("All rounds were known beforehand: no pairing hangs on the result, only points and tie-breaks move.")
    elif isinstance(system, FreeSystem) and system.ladder:
        yield _("Ladder: the places are worked out anew from this game on.")
    elif isinstance(system, FreeSystem):
        yield _("Free play: nothing was paired from this result, only ratings move.")
