"""What is unlikely or inconsistent among entered results: hints beside a board, which never stop anybody.

`upset`      the winner's expected score was below 3 %
`colours`    the mirrored result would be at least 20 times as likely
`boards`     exchanged with those of another board of the round both would be at least 20 times as likely
`duplicate`  the same two have another game that day in another event, or the same result once more in this one
`absent`     somebody played who had withdrawn, had asked for a bye, or was noted as not here that day

Expected scores are those of the event's own list: by the ratings at entry, for a free game by its ledger. Whoever has
no rating there, and every forfeit, is passed over. The arithmetic is `likelihood`; a second reading clears a mark.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from ratings.lists.selectors.lists import main_list_of
from ratings.lists.services import rules_of
from ratings.models import LedgerEntry, RatingList
from ratings.systems.base import PlayerState
from tournaments.anomalies.likelihood import (
    MUCH_LIKELIER,
    UPSET_BELOW,
    Entered,
    exchanges,
    expected_of_winner,
    times_mirrored,
)
from tournaments.models import ByeRequest, CheckIn, Entry, Game, Round
from tournaments.standings.points import OUTCOMES, Result

UPSET, COLOURS, BOARDS, DUPLICATE, ABSENT = "upset", "colours", "boards", "duplicate", "absent"
_SCORES = {("win", "loss"): 1.0, ("draw", "draw"): 0.5, ("loss", "win"): 0.0}
_PLAYED = [code.value for code, outcome in OUTCOMES.items() if outcome.played]
_MOST_TIMES = 1000

Seats = Mapping[tuple[int, int], Entry]  # by the keys of event and player


@dataclass(frozen=True, slots=True)
class Mark:
    """A hint beside a result: its kind, and the sentence. It names boards and colours, and nobody."""

    code: str
    words: str


def marks_of(row: Round) -> dict[int, tuple[Mark, ...]]:
    """The marks of a round's games, by the game's key; games without one are left out. Eight queries at most."""
    return marks_of_games(Game.objects.filter(pairing__round=row, pairing__superseded=False))


def marks_of_games(games: QuerySet[Game]) -> dict[int, tuple[Mark, ...]]:
    """The marks of those games, a round's or an evening's, by the game's key. As many queries as for one game, and
    three more at most for each further pool."""
    rows = games.filter(result__in=_PLAYED, tournament__entry_size=1).select_related("tournament", "pairing__round")
    played = list(rows.order_by("pairing__board", "number", "pk"))
    if not played:
        return {}
    entries = Entry.objects.filter(tournament__in={game.tournament_id for game in played})
    seats = {(entry.tournament_id, entry.player_id): entry for entry in entries}
    found: dict[int, list[Mark]] = defaultdict(list)
    for search in (_by_ratings(played, seats), _duplicates(played), _absent(played, seats)):
        for game, mark in search:
            found[game].append(mark)
    return {game: tuple(marks) for game, marks in found.items()}


# --- what the ratings say -----------------------------------------------------------------------------------------
def _by_ratings(games: Collection[Game], seats: Seats) -> Iterator[tuple[int, Mark]]:
    expected = _expected(games, seats)
    entered = {
        game.pk: Entered(game.pk, expected[game.pk], score)
        for game in games
        if game.pk in expected and (score := _score(game)) is not None
    }
    for key, each in entered.items():
        chance = expected_of_winner(each)
        if chance is not None and chance < UPSET_BELOW:
            text = _("an upset: the winner’s chance was about 1 in %(count)s")
            yield key, Mark(UPSET, text % {"count": round(1 / chance)})
        times = times_mirrored(each)
        if times >= MUCH_LIKELIER:
            text = _("were the colours exchanged? The other way round it would be %(times)s times as likely")
            yield key, Mark(COLOURS, text % {"times": _times(times)})
    yield from _exchanged(games, entered)


def _score(game: Game) -> float | None:
    """White's score in a played game; None where it is no whole point shared between the two."""
    outcome = OUTCOMES[Result(game.result)]
    return _SCORES.get((outcome.white or "", outcome.black or ""))


def _times(times: float) -> str:
    return f"{_MOST_TIMES}+" if times > _MOST_TIMES else f"{round(times)}"


def _exchanged(games: Iterable[Game], entered: Mapping[int, Entered]) -> Iterator[tuple[int, Mark]]:
    """Boards of one round whose results may have been exchanged, each named on the other; free games have no boards."""
    rounds: dict[int, list[Entered]] = defaultdict(list)
    boards = {game.pk: game.pairing.board for game in games}
    for game in games:
        if game.pairing.round_id is not None and game.pk in entered:
            rounds[game.pairing.round_id].append(entered[game.pk])
    text = _("was the result exchanged with that of board %(board)s? That would be %(times)s times as likely")
    for of_round in rounds.values():
        for pair in exchanges(of_round):
            if boards[pair.first] != boards[pair.second]:
                for own, other in ((pair.first, pair.second), (pair.second, pair.first)):
                    yield own, Mark(BOARDS, text % {"board": boards[other], "times": _times(pair.times)})


def _expected(games: Iterable[Game], seats: Seats) -> dict[int, float]:
    """White's expected score by the game's key, as far as it is known."""
    found: dict[int, float] = {}
    free: dict[str, list[int]] = defaultdict(list)
    lists = {pool: main_list_of(pool) for pool in sorted({game.tournament.pool for game in games})}
    rules = {pool: rules_of(row) for pool, row in lists.items() if row}
    for game in games:
        pool = game.tournament.pool
        rating_list, on = lists[pool], game.played_on
        white, black = (seats.get((game.tournament_id, key)) for key in (game.white_id, game.black_id))
        if rating_list is None or on is None:
            continue
        if white is None or black is None:
            free[pool].append(game.pk)
            continue
        own, opponent = _state(white, rating_list), _state(black, rating_list)
        rule = rules[pool].on(on)
        expected = rule.system.expected(rule.settings, own, opponent) if own and opponent else None
        if expected is not None:
            found[game.pk] = expected
    for pool, keys in free.items():
        found |= _in_ledger(lists[pool], keys)
    return found


def _state(entry: Entry, rating_list: RatingList) -> PlayerState | None:
    """The rating the entry was made with; None where it has none, or one of another list."""
    if entry.rating is None or entry.rating_list != rating_list.slug:
        return None
    return PlayerState(entry.rating, entry.rating_games or 0, entry.rating)


def _in_ledger(rating_list: RatingList | None, games: Collection[int]) -> dict[int, float]:
    """What the list expected of White; a newcomer's starting value is no rating to judge by."""
    live = LedgerEntry.objects.filter(rating_list=rating_list, generation=F("rating_list__live_generation"))
    rows = live.filter(game__in=games, white_games__gt=0, black_games__gt=0)
    return {game: expected for game, expected in rows.values_list("game", "white_expected") if expected is not None}


# --- what stands elsewhere ----------------------------------------------------------------------------------------
def _duplicates(games: Collection[Game]) -> Iterator[tuple[int, Mark]]:
    people = {key for game in games for key in (game.white_id, game.black_id)}
    rows = Game.objects.filter(played_on__in={game.played_on for game in games}, result__in=_PLAYED)
    rows = rows.filter(white__in=people, black__in=people, pairing__superseded=False, tournament__entry_size=1)
    met: dict[tuple[date | None, frozenset[int]], list[Game]] = defaultdict(list)
    for other in rows.select_related("tournament", "pairing__round").order_by("pk"):
        met[other.played_on, frozenset((other.white_id, other.black_id))].append(other)
    for game in games:
        for other in met[game.played_on, frozenset((game.white_id, game.black_id))]:
            if other.tournament_id != game.tournament_id:
                text = _("the same two have another game on this day: %(where)s")
            elif other.pairing_id != game.pairing_id and _winner(other) == _winner(game):
                text = _("the same result of the same two stands here twice on this day: %(where)s")
            else:
                continue
            yield game.pk, Mark(DUPLICATE, text % {"where": _where(other)})


def _winner(game: Game) -> int | None:
    """Who won; None after a draw, and where neither has a point."""
    score = _score(game)
    return game.white_id if score == 1.0 else game.black_id if score == 0.0 else None


def _where(game: Game) -> str:
    if game.pairing.round is None:
        return game.tournament.name
    place = {"event": game.tournament.name, "round": game.pairing.round.number, "board": game.pairing.board}
    return _("%(event)s, round %(round)s, board %(board)s") % place


def _absent(games: Collection[Game], seats: Seats) -> Iterator[tuple[int, Mark]]:
    events = {game.tournament_id for game in games}
    requests = ByeRequest.objects.filter(entry__tournament__in=events)
    notes = CheckIn.objects.filter(entry__tournament__in=events, on__in={game.played_on for game in games}, here=False)
    byes, away = set(requests.values_list("entry", "round_number")), set(notes.values_list("entry", "on"))
    for game in games:
        number = game.pairing.round.number if game.pairing.round else None
        for side, player in ((_("White"), game.white_id), (_("Black"), game.black_id)):
            entry = seats.get((game.tournament_id, player))
            if entry is None:
                continue
            texts = []
            if number is not None and entry.withdrawn and entry.last_round is not None and entry.last_round < number:
                texts.append(_("%(side)s had left the event before this round"))
            if (entry.pk, number) in byes:
                texts.append(_("%(side)s had asked for a bye in this round"))
            if (entry.pk, game.played_on) in away:
                texts.append(_("%(side)s was noted as not here on this day"))
            for text in texts:
                yield game.pk, Mark(ABSENT, text % {"side": side})
