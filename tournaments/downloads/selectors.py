"""What the files of an event hold, for one kind of viewer: entries, pairings and standings as tables, games as PGN.

Everything is read off the event's facts (`tournaments.events.selectors.events`), so a file shows what the pages show:
rounds still drafted are for officers, and a person without a name to this viewer stands here by initials or number,
with neither title nor federation number. Column names are the same in every language: people script against them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction

from clubrating.ground.figures import round_half_away
from players.models import Player, PlayerIdentity
from players.privacy.rules import Viewer, sees_name, shown_name
from tournaments.event_pages.selectors.formats import is_keizer, keizer_places, ladder_places
from tournaments.event_pages.selectors.series import has_series, series_of
from tournaments.events.selectors.event_data import BoardData, Entrant, EventData, MatchData, RoundData
from tournaments.events.selectors.events import free_games
from tournaments.events.selectors.stages import is_ladder
from tournaments.events.selectors.standings import standings_of
from tournaments.interchange.games_csv import NOTATION
from tournaments.interchange.pgn import PgnGame, PgnPlayer
from tournaments.interchange.sheets import Code, Sheet, Value
from tournaments.knockouts.selectors.brackets import DrawnMatch, drawn_match, places_of
from tournaments.models import Game, Stage, Tournament
from tournaments.results.selectors import without_hidden_names
from tournaments.standings.points import Result
from tournaments.standings.table_series import SeriesRules
from tournaments.standings.table_series import Value as Worths

Row = tuple[Value, ...]
Line = tuple[Row, str, str]
Parts = Sequence[EventData]
_ENTRY = ("pairing_number", "number", "player", "title", "fide_id", "rating", "games", "provisional", "withdrawn")
_BOARD = ("round", "date", "board", "game", "phase", "white_number", "white", "black_number", "black", "result")
_BYE = ("decider", "bye")
# Of a knockout: who goes on from the match, and how that came about where it was not by classical games.
_MATCH = ("advanced_number", "advanced", "decided")
_SCORES = ("score",)
_PERSON = ("pairing_number", "number", "player", "rating")
_SERIES = ("place", "number", "player", "points", "tables")
_LADDER = ("place", "pairing_number", "number", "player", "climbed_from", "climbed_to", "climbed_on")


# --- entries --------------------------------------------------------------------------------------------------
def entries_sheet(event: EventData, viewer: Viewer) -> Sheet:
    """Everybody entered, by pairing number, with the rating at entry; where several play together, the numbers of all
    stand last. One query more, for the federation numbers."""
    ids = fide_ids(event.entrants, viewer)
    if event.tournament.entry_size == 1:
        rows = tuple(_entry(person, viewer, ids) for person in event.entrants)
        return Sheet(event.tournament.name, _ENTRY, rows)
    rows = tuple((*_entry(person, viewer, {}), _members(person)) for person in event.entrants)
    return Sheet(event.tournament.name, (*_ENTRY, "members"), rows)


def _members(person: Entrant) -> str:
    return " ".join(f"#{each.number}" for each in (person.player, *person.player.beside))


def fide_ids(entrants: Sequence[Entrant], viewer: Viewer) -> dict[int, str]:
    """The FIDE numbers of those whose names this viewer may read, by player's key."""
    seen = [person.player.pk for person in entrants if sees_name(person.player, viewer)]
    keys = [person.key for person in entrants]
    rows = PlayerIdentity.objects.filter(scheme=PlayerIdentity.Scheme.FIDE, player__entries__in=keys)
    known = dict(rows.values_list("player", "value"))
    return {key: known[key] for key in seen if key in known}


def _entry(person: Entrant, viewer: Viewer, ids: dict[int, str]) -> Row:
    player, is_out = person.player, int(person.withdrawn)
    shown = (player.number, shown_name(player, viewer), _title(player, viewer), ids.get(player.pk, ""))
    return (person.number, *shown, rating_of(person), person.games, int(person.provisional), is_out)


def rating_of(person: Entrant) -> int | None:
    """The rating at entry as it is shown; None where there is none, or none to be shown."""
    return None if person.rating is None else round_half_away(person.rating)


# --- pairings -------------------------------------------------------------------------------------------------
def pairings_sheet(parts: Parts, viewer: Viewer, number: int | None = None) -> Sheet:
    """Every game, bye and open board of all rounds, or of round `number`. A match of several games has a row each;
    where there are matches every row says who goes on, and whether that was by a walk-over or a ruling; where the event
    keeps scores, every row has that of its game, White's first; the arbiter's note on the result stands last."""
    stage = _stage_column(parts)
    scores = _SCORES if parts[0].tournament.scores else ()
    match = _MATCH if any(part.is_bracket for part in parts) else ()
    width = len(_BOARD) - 1 + len(_BYE) + len(match)
    # Beside a knockout other parts have nothing to say of matches.
    rows = [
        (*_stage(part, stage), row.number, *line, *[""] * (width - len(line)), *([score] if scores else []), note)
        for part in parts
        for row in part.rounds
        if number in (None, row.number)
        for line, score, note in _round_rows(row, viewer)
    ]
    return Sheet(parts[0].tournament.name, (*stage, *_BOARD, *_BYE, *match, *scores, "note"), tuple(rows))


def _stage_column(parts: Parts) -> tuple[str, ...]:
    """In an event of several parts every row names its part."""
    return ("stage",) if len(parts) > 1 else ()


def _stage(part: EventData, column: tuple[str, ...]) -> Row:
    return (str(part.stage),) if column else ()


def _round_rows(row: RoundData, viewer: Viewer) -> Iterator[Line]:
    """Every line with the score of its game and the note on its result."""
    for board in row.boards:
        yield _board(board, row.planned_on, viewer), board.score, _note(board, viewer)
    for match in sorted(row.matches, key=lambda match: match.board):
        yield from _match(match, row.planned_on, viewer)
    for bye in row.byes:
        line = (row.planned_on, None, None, "", *_person(bye.entrant, viewer), None, "", "", "", Code(bye.kind))
        yield line, "", ""


def _note(board: BoardData, viewer: Viewer) -> str:
    return without_hidden_names(board.footnote, (board.white.player, board.black.player), viewer)


def _board(board: BoardData, planned: date | None, viewer: Viewer) -> Row:
    sides = (*_person(board.white, viewer), *_person(board.black, viewer))
    lines = (_notation(board.result), _notation(board.armageddon), "")
    return (board.played_on or planned, board.board, board.number, Code(board.phase), *sides, *lines)


def _match(match: MatchData, planned: date | None, viewer: Viewer) -> Iterator[Line]:
    """The match's games; before the first one who has come into it, in the place of White and Black."""
    drawn = drawn_match(match)
    end = (*_person(drawn.winner, viewer), Code(_decided(drawn)))
    for game in match.games:
        yield (*_board(game, planned, viewer), *end), game.score, _note(game, viewer)
    if not match.games and (match.upper or match.lower):
        sides = (*_person(match.upper, viewer), *_person(match.lower, viewer))
        yield (planned, match.board, None, "", *sides, "", "", Code("bye") if match.is_bye else "", *end), "", ""


def _decided(match: DrawnMatch) -> str:
    """How a match was decided; empty while it is open, in a bye, and where its classical games did."""
    if match.facts.is_bye or not match.facts.decided:
        return ""
    if match.facts.walk_over:
        return "walk-over"
    if match.is_unplayed:
        return "forfeit"
    return "ruling" if match.facts.ruled else match.by


def _person(person: Entrant | None, viewer: Viewer) -> Row:
    return (person.player.number, shown_name(person.player, viewer)) if person else (None, "")


def _notation(result: Result) -> str:
    """As GAMES.csv has it; what that cannot say, as the code it is kept under."""
    return Code(NOTATION.get(result, result.value))


# --- standings ------------------------------------------------------------------------------------------------
def standings_sheet(parts: Parts, viewer: Viewer) -> Sheet:
    """The standings of every stage as they are now, with the tie-breaks in the event's order; of a knockout the
    places, from the best to the last one that can still be reached; under Keizer the list, with its points."""
    if is_keizer(parts[0]):
        return _keizer_sheet(parts[0], viewer)
    stage = _stage_column(parts)
    ranked = standings_of(parts[0])
    codes = tuple(rule.code for rule in ranked.tiebreaks)
    rows = [
        (*_stage(part, stage), *line)
        for part in parts
        for line in (_places(part, viewer, len(codes)) if part.is_bracket else _standings(part, viewer))
    ]
    columns = (*stage, "place", "last_place", *_PERSON, "points", "games", *codes)
    return Sheet(parts[0].tournament.name, columns, tuple(rows))


def _standings(part: EventData, viewer: Viewer) -> Iterator[Row]:
    ranked = standings_of(part)
    for row in ranked.rows:
        points = Fraction(row.points, ranked.points.unit)
        values = [worth.number if worth else None for worth in row.tiebreaks]
        yield (row.place, row.place, *_ranked(ranked.entrants[row.player], viewer), points, row.played, *values)


def _places(part: EventData, viewer: Viewer, tiebreaks: int) -> Iterator[Row]:
    for row in places_of(part):
        yield (row.first, row.last, *_ranked(row.entrant, viewer), *[None] * (2 + tiebreaks))


def _ranked(person: Entrant, viewer: Viewer) -> Row:
    return (person.number, *_person(person, viewer), rating_of(person))


def _keizer_sheet(event: EventData, viewer: Viewer) -> Sheet:
    """The Keizer list: a place may be shared, and there are no tie-breaks."""
    columns = ("place", "last_place", *_PERSON, "points", "games", "list_value")
    lines = keizer_places(event)
    crowd = Counter(line.place for line in lines)
    rows = []
    for line in lines:
        last = line.place + crowd[line.place] - 1
        rows.append((line.place, last, *_ranked(line.entrant, viewer), line.score, line.played, line.value))
    return Sheet(event.tournament.name, columns, tuple(rows))


def free_sheet(stage: Stage, viewer: Viewer) -> Sheet | None:
    """The places of a ladder, or the standings of an event of tables; None of any other event."""
    if is_ladder(stage):
        return ladder_sheet(stage, viewer)
    if not has_series(stage):
        return None
    series = series_of(stage)
    keys, rows = series.rules.tie_breaks, []
    for row, player in ((place.row, place.player) for place in series.places):
        ties = (_told(value, key, series.rules) for value, key in zip(row.values, keys, strict=True))
        rows.append((row.place, player.number, shown_name(player, viewer), row.total, row.played, *ties))
    return Sheet(stage.tournament.name, (*_SERIES, *keys), tuple(rows)) if rows else None


def _told(value: Worths, key: str, rules: SeriesRules) -> str | Fraction:
    """A tie-break of a series: how many first, second … places, or a number."""
    if key == "places":
        return " ".join(f"{count}" for count in value)
    return -value[0] if key == "score" and rules.lower_is_better else value[0]


def ladder_sheet(stage: Stage, viewer: Viewer) -> Sheet:
    """The places of a ladder, first place first, and everybody's last climb. Three queries."""
    rows = []
    for row in ladder_places(stage):
        player = row.entry.player
        climb = (row.was or None, row.now or None, row.moved_on)
        rows.append((row.place, row.entry.number, player.number, shown_name(player, viewer), *climb))
    return Sheet(stage.tournament.name, _LADDER, tuple(rows))


# --- games as PGN -------------------------------------------------------------------------------------------------
def games_of(event: EventData, parts: Sequence[EventData], viewer: Viewer) -> list[PgnGame]:
    """The games of all rounds this viewer sees, in order of rounds and boards. No byes; nor what both forfeited:
    nothing was played, and PGN has no result for it. One query, for the FIDE numbers."""
    ids = fide_ids(event.entrants, viewer)
    rows = sorted((row for part in parts for row in part.rounds), key=lambda row: row.number)
    return [
        _game(event.tournament, label, game, viewer, ids)
        for row in rows
        for label, game in _games(row)
        if game.result != Result.BOTH_FORFEIT
    ]


def open_games_of(tournament: Tournament, viewer: Viewer) -> list[PgnGame]:
    """The games of an open-ended event, the earliest first. One query."""
    return [_free(tournament, game, viewer) for game in free_games(tournament).order_by("played_on", "sequence")]


def _games(row: RoundData) -> Iterator[tuple[str, BoardData]]:
    """Every game with its "3.1": round, board; in a match of several games "3.1.2"."""
    for board in row.boards:
        yield f"{row.number}.{board.board}", board
    for match in sorted(row.matches, key=lambda match: match.board):
        for game in match.games:
            label = f"{row.number}.{match.board}"
            yield (label if len(match.games) == 1 else f"{label}.{game.number}"), game


def _game(tournament: Tournament, label: str, game: BoardData, viewer: Viewer, ids: Mapping[int, str]) -> PgnGame:
    return PgnGame(
        event=tournament.name,
        site=tournament.place,
        played_on=game.played_on,
        round=label,
        white=_side(game.white, viewer, ids),
        black=_side(game.black, viewer, ids),
        result=game.result,
    )


def _side(person: Entrant, viewer: Viewer, ids: Mapping[int, str]) -> PgnPlayer:
    player = person.player
    return PgnPlayer(shown_name(player, viewer), rating_of(person), _title(player, viewer), ids.get(player.pk, ""))


def _title(player: Player, viewer: Viewer) -> str:
    return player.title if sees_name(player, viewer) and not player.beside else ""


def _free(tournament: Tournament, game: Game, viewer: Viewer) -> PgnGame:
    white, black = (
        PgnPlayer(shown_name(player, viewer), title=_title(player, viewer)) for player in (game.white, game.black)
    )
    return PgnGame(tournament.name, tournament.place, game.played_on, "", white, black, Result(game.result))
