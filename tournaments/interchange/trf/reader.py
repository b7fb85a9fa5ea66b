"""A tournament report as a whole: bytes in, `Report` out.

Everything that is wrong is told at once, with line and column. Oddities that harm nobody (points that do not add up,
a title nobody knows, Latin-1) are notes of the report. A record that is not known is kept as it came, unless it is
laid out like a player's line: then somebody would be missing without anybody noticing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from clubrating.ground.marks import marked, sentence
from tournaments.interchange.tables_csv import MOST_BAD
from tournaments.interchange.trf.cells import Line, column_of, find_shift, numbered_lines
from tournaments.interchange.trf.games import contradictions, wrong_points
from tournaments.interchange.trf.head import KNOWN, TEAMS, Head
from tournaments.interchange.trf.records import ABSENT, Note, Report, ReportError, ReportPlayer
from tournaments.interchange.trf.rows import RANK_AT, RowReader, laid_out, looks_like_a_player
from tournaments.interchange.trf.terms import problems_of

PLAYER = "001"
LARGEST = 5 * 1024 * 1024  # bytes
# Lines: some for each of the 9,999 players a report can name; bytes of one: 1,990 rounds.
MOST_LINES, LONGEST_LINE = 50_000, 20_000
_COUNT = re.compile(r"([0-9]{1,6})( *\([0-9]*\))?")


def read_report(data: bytes) -> Report:
    """A whole file. Raises ReportError with every place that cannot be used, up to MOST_BAD of them."""
    if len(data) > LARGEST:
        raise ReportError([Note(0, 0, marked("The file is larger than 5 MB: no tournament report is so long."))])
    ends = max(data.count(b"\n"), data.count(b"\r"))
    sizes = [len(line) for line in data.splitlines()] if ends <= MOST_LINES else []
    if max(ends, len(sizes)) > MOST_LINES:
        text = sentence("The file has more than %(most)s lines: no tournament report is so long.", most=MOST_LINES)
        raise ReportError([Note(0, 0, text)])
    if (longest := max(sizes, default=0)) > LONGEST_LINE:
        text = sentence("The line has more than %(most)s bytes: no tournament report needs so many.", most=LONGEST_LINE)
        raise ReportError([Note(sizes.index(longest) + 1, 0, text)])
    lines, notes = numbered_lines(data)
    problems: list[Note] = []
    head = Head(problems, notes)
    for line in lines:
        if line.tag == PLAYER:
            continue
        if line.tag.isdigit() and line.tag not in KNOWN and looks_like_a_player(line):
            text = sentence(
                "%(tag)s is no record and the line looks like a player’s: expected %(player)s",
                tag=line.tag,
                player=PLAYER,
            )
            problems.append(Note(line.number, 1, text))
        head.read(line)
        if len(problems) >= MOST_BAD:
            break
    players = _read_players([line for line in lines if line.tag == PLAYER], problems, notes)
    _refuse(problems)
    report = Report(players=players, **head.fields())
    _refuse(
        [
            *_too_many_rounds(report),
            *contradictions(report),
            *problems_of(report, head.places.get("092", 0)),
            *_unread_ranks(report, notes),
        ]
    )
    notes += [*_wrong_counts(head, report), *wrong_points(report), *unused_teams(report)]
    return replace(report, notes=tuple(sorted(notes, key=lambda note: (note.line, note.column))))


def _refuse(problems: Sequence[Note]) -> None:
    if problems:
        raise ReportError(problems)


def _read_players(lines: Sequence[Line], problems: list[Note], notes: list[Note]) -> tuple[ReportPlayer, ...]:
    """The players in the order of their numbers, every one with a cell for every round."""
    if not lines:
        text = sentence("There is no player: expected a line %(player)s for each of them.", player=PLAYER)
        raise ReportError([*problems, Note(0, 0, text)])
    rows = [laid_out(line) for line in lines]
    shift = find_shift(row.text for row in rows) or 0
    if shift:
        side = marked("right") if shift > 0 else marked("left")
        text = sentence(
            "the rounds stand %(shift)s columns too far to the %(side)s: read from there", shift=abs(shift), side=side
        )
        notes.append(Note(lines[0].number, column_of(1, shift), text))
    reader = RowReader(problems, notes, shift)
    players: list[ReportPlayer] = []
    for row in rows:
        if len(problems) >= MOST_BAD:
            raise ReportError(problems)
        if player := reader.read(row):
            players.append(player)
    _check_numbers(players, problems)
    rounds = max((len(player.cells) for player in players), default=0)
    short = ((player, rounds - len(player.cells)) for player in sorted(players, key=lambda player: player.number))
    # Whoever has no cell was absent.
    return tuple(replace(player, cells=player.cells + (ABSENT,) * count, filled=count) for player, count in short)


def _check_numbers(players: Sequence[ReportPlayer], problems: list[Note]) -> None:
    """No number twice, and none left out."""
    first: dict[int, ReportPlayer] = {}
    for player in players:
        if player.number in first:
            text = sentence(
                "number %(number)s stands in line %(line)s already",
                number=player.number,
                line=first[player.number].line,
            )
            problems.append(
                Note(player.line, 5, sentence("%(told)s: expected a number of its own for each player", told=text))
            )
        first.setdefault(player.number, player)
    missing = next((number for number in range(1, len(first) + 1) if number not in first), None)
    if missing is not None:
        beyond = min(number for number in first if number > missing)
        text = sentence(
            "number %(beyond)s, and nobody has number %(missing)s: expected numbers from 1 on without a gap",
            beyond=beyond,
            missing=missing,
        )
        problems.append(Note(first[beyond].line, 5, text))


def _too_many_rounds(report: Report) -> list[Note]:
    if report.rounds is None or report.played_rounds <= report.rounds:
        return []
    beyond = report.rounds + 1
    text = sentence(
        "round %(beyond)s, and the report is of %(rounds)s (XXR or 142): expected no more",
        beyond=beyond,
        rounds=report.rounds,
    )
    players = [player for player in report.players if any(cell.opponent for cell in player.cells[report.rounds :])]
    return [Note(player.line, column_of(beyond), text) for player in players or report.players[:1]]


def _unread_ranks(report: Report, notes: Sequence[Note]) -> list[Note]:
    """Where pairing numbers follow the ranks, one that cannot be read is no oddity."""
    return [note for note in notes if report.by_rank and note.column == RANK_AT]


def _wrong_counts(head: Head, report: Report) -> Iterator[Note]:
    """062, 072 and 082 are counted again; where a file says of its players otherwise, or no number, the reader is
    told. Some programs add another number in brackets."""
    for tag, line in head.counts.items():
        found = _COUNT.fullmatch(line.said)
        if line.said and not found:
            text = sentence("“%(said)s” is no number and left out: expected a whole number", said=line.said)
            yield Note(line.number, 5, text)
        elif found and tag == "062" and int(found[1]) != len(report.players):
            text = sentence(
                "%(said)s players, and the report has %(players)s", said=found[1], players=len(report.players)
            )
            yield Note(line.number, 5, text)


def unused_teams(report: Report) -> Iterator[Note]:
    """What a report says of teams is kept, and named once; not where the report is used as one of teams."""
    records = [record for record in report.records if record.tag in TEAMS]
    if records:
        tags = ", ".join(sorted({record.tag for record in records}))
        text = sentence("lines of teams (%(tags)s) are kept and not used: players are counted singly", tags=tags)
        yield Note(records[0].number, 1, text)
