"""What the rows of two players say of one game: they must agree.

A game is in both rows, with one White and one Black (a forfeit may have no colours), and results that go together:
½–0 and 0–0 exist (penalties), + − and − − too. Points in the file are only compared: programs write them wrong, or
under a point system they do not name.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from clubrating.ground.marks import marked, sentence
from tournaments.interchange.trf.cells import CODE_AT, COLOUR_AT, column_of
from tournaments.interchange.trf.records import (
    ALLOCATED,
    BLACK,
    DRAW,
    FORFEIT_LOSS,
    FORFEIT_WIN,
    FULL,
    HALF,
    LOSS,
    NO_COLOUR,
    OPEN,
    SHORT_DRAW,
    SHORT_LOSS,
    SHORT_WIN,
    WHITE,
    WIN,
    Cell,
    Note,
    Report,
    ReportPlayer,
)
from tournaments.interchange.trf.terms import Worths, points_text, said_worths
from tournaments.standings.crosstable import Meeting
from tournaments.standings.points import Result

# White's code and Black's. A result without its line here cannot be written to a report.
CODES: dict[Result, tuple[str, str]] = {
    Result.WHITE_WINS: (WIN, LOSS),
    Result.DRAW: (DRAW, DRAW),
    Result.BLACK_WINS: (LOSS, WIN),
    Result.BLACK_FORFEITS: (FORFEIT_WIN, FORFEIT_LOSS),
    Result.WHITE_FORFEITS: (FORFEIT_LOSS, FORFEIT_WIN),
    Result.BOTH_FORFEIT: (FORFEIT_LOSS, FORFEIT_LOSS),
    Result.NO_POINTS: (LOSS, LOSS),
    Result.WHITE_DRAWS_BLACK_PENALISED: (DRAW, LOSS),
    Result.BLACK_DRAWS_WHITE_PENALISED: (LOSS, DRAW),
    Result.WHITE_WINS_UNRATED: (SHORT_WIN, SHORT_LOSS),
    Result.DRAW_UNRATED: (SHORT_DRAW, SHORT_DRAW),
    Result.BLACK_WINS_UNRATED: (SHORT_LOSS, SHORT_WIN),
    Result.OPEN: (OPEN, OPEN),
}
RESULTS = {codes: result for result, codes in CODES.items()}


def games_of(report: Report) -> Iterator[Meeting]:
    """Every game once, in the order of rounds and of the numbers of White. Where it was forfeited without colours the
    lower number stands as White."""
    players = {player.number: player for player in report.players}
    for index in range(report.played_rounds):
        for player in report.players:
            cell = player.cells[index]
            is_white = cell.colour == WHITE or (cell.colour == NO_COLOUR and player.number < cell.opponent)
            if cell.opponent and is_white:
                other = players[cell.opponent].cells[index]
                yield Meeting(index + 1, player.number, cell.opponent, RESULTS[cell.code, other.code])


def contradictions(report: Report) -> Iterator[Note]:
    """Every place where two rows do not say the same of a game."""
    players = {player.number: player for player in report.players}
    for player in report.players:
        for number, cell in enumerate(player.cells, start=1):
            if cell.opponent:
                yield from _checked(player, number, cell, players)


def _checked(player: ReportPlayer, number: int, cell: Cell, players: Mapping[int, ReportPlayer]) -> Iterator[Note]:
    def found(offset: int, text: str) -> Note:
        reason = sentence("round %(number)s: %(reason)s", number=number, reason=text)
        return Note(player.line, column_of(number, offset), reason)

    me, opponent = player.number, players.get(cell.opponent)
    if cell.opponent == me:
        yield found(0, sentence("%(me)s is named as their own opponent: expected another number", me=me))
    elif opponent is None:
        text = sentence(
            "opponent %(opponent)s is not in the report: expected one of 1 to %(players)s",
            opponent=cell.opponent,
            players=len(players),
        )
        yield found(0, text)
    elif (theirs := opponent.cells[number - 1]).opponent != me:
        met = marked("they met nobody")
        if theirs.opponent:
            met = sentence("they met %(opponent)s", opponent=theirs.opponent)
        where = sentence(
            "%(opponent)s, whose line %(line)s says %(met)s", opponent=cell.opponent, line=opponent.line, met=met
        )
        yield found(0, sentence("%(me)s met %(where)s: expected the same game in both", me=me, where=where))
    elif me < cell.opponent:
        if {cell.colour, theirs.colour} not in ({WHITE, BLACK}, {NO_COLOUR}):
            text = sentence(
                "%(me)s and %(opponent)s %(colours)s: expected one White, one Black",
                me=me,
                opponent=cell.opponent,
                colours=_colours(cell, theirs),
            )
            yield found(COLOUR_AT, text)
        if (cell.code, theirs.code) not in RESULTS:
            both = sentence("“%(one)s” and “%(other)s”", one=cell.code, other=theirs.code)
            text = sentence(
                "%(me)s and %(opponent)s have %(both)s: expected two results of one game",
                me=me,
                opponent=cell.opponent,
                both=both,
            )
            yield found(CODE_AT, text)


def _colours(mine: Cell, theirs: Cell) -> str:
    same = {WHITE: marked("both have White"), BLACK: marked("both have Black")}
    return same[mine.colour] if mine.colour == theirs.colour else marked("have only one colour between them")


# --- points ------------------------------------------------------------------------------------------------------
def worths(report: Report) -> Worths:
    """The point system the report names (162, XXS, or BBW and its like); 1, ½, 0 where it names none. The
    pairing-allocated bye brings a win where the report says nothing else; in what may be a round robin it is often a
    free day, so there it is seen from the points of those who had one."""
    found, named = said_worths(report)
    if named or not _may_be_round_robin(report):
        return found
    return replace(found, allocated=_seen_worth(report, found))


def _may_be_round_robin(report: Report) -> bool:
    """By its type, or where that says nothing by the number of rounds."""
    kind = f"{report.coded_kind} {report.kind}".casefold()
    if any(word in kind for word in ("robin", "berger")):
        return True
    once = report.rounds_once
    rounds = max(report.played_rounds, report.rounds or 0)
    return not any(word in kind for word in ("swiss", "dutch")) and rounds in (once, 2 * once)


def _seen_worth(report: Report, worth: Worths) -> Fraction:
    """What the allocated bye must be worth for most points of the file to be right; a win where they do not say."""
    had = [player for player in report.players if player.points and ALLOCATED in {cell.code for cell in player.cells}]
    fits = {
        value: sum(points_of(player, replace(worth, allocated=value)) == Fraction(player.points) for player in had)
        for value in (worth.win, worth.draw, worth.loss)
    }
    return max(fits, key=lambda value: fits[value])


def points_of(player: ReportPlayer, worth: Worths) -> Fraction:
    """What the player's rounds bring."""
    each = {
        **dict.fromkeys((WIN, SHORT_WIN, FORFEIT_WIN, FULL), worth.win),
        **dict.fromkeys((DRAW, SHORT_DRAW, HALF), worth.draw),
        **dict.fromkeys((LOSS, SHORT_LOSS), worth.loss),
        ALLOCATED: worth.allocated,
    }
    return sum((each.get(cell.code, Fraction(0)) for cell in player.cells), Fraction(0))


def counted_rounds(report: Report) -> int:
    """The rounds that count end with the last one that has a game or an allocated bye: what a report says of the round
    after it is for its pairing. Where no round has one they all count: the report holds byes only."""
    rounds = range(report.played_rounds, 0, -1)
    return next((number for number in rounds if is_paired(report, number)), report.played_rounds)


def is_paired(report: Report, number: int) -> bool:
    """Whether a round has a game or an allocated bye."""
    cells = (player.cells[number - 1] for player in report.players if len(player.cells) >= number)
    return any(cell.opponent or cell.code == ALLOCATED for cell in cells)


def wrong_points(report: Report) -> Iterator[Note]:
    """A note for every player whose points are not those of his rounds; a bye of the coming round may be in them."""
    worth, rounds = worths(report), counted_rounds(report)
    for player in report.players:
        counted = points_of(replace(player, cells=player.cells[:rounds]), worth)
        if player.points and Fraction(player.points) not in (counted, points_of(player, worth)):
            text = sentence(
                "%(points)s points, and the rounds of %(number)s give %(counted)s",
                points=player.points,
                number=player.number,
                counted=points_text(counted),
            )
            yield Note(player.line, 81, sentence("%(told)s: these count", told=text))
