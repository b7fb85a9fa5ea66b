"""`manage.py standings FILE.trf --tiebreaks BH/C1,BH,SB`: places and tie-breaks of a tournament report. No database."""

import json
from argparse import ArgumentTypeError
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from tournaments.interchange.standings_of_report import contest_of
from tournaments.interchange.trf import LARGEST, Report, read_report
from tournaments.management.file_command import FileCommand, read_input
from tournaments.management.plain_command import first
from tournaments.pairing.base import TIEBREAK_EDITIONS
from tournaments.standings.rank import Standing, rank
from tournaments.standings.tiebreaks import TIEBREAKS, Contest, Rule, tiebreaks_of

SWISS, ROUND_ROBIN = "swiss", "round-robin"
_DECIMALS, _MOST_DECIMALS = 4, 12
_NAMES = 2  # the column that is aligned left


class Command(FileCommand):
    help = """The standings of a tournament report (TRF16 or TRF26) after its last round: place, points and tie-breaks.

Tie-breaks are codes of FIDE C.07 in the order they decide, with commas; modifiers after a stroke: BH/C1, SB/C1, KS/L+1,
DE/P. Whoever is equal in all of them shares the place. Unplayed rounds count by article 16 in a Swiss, in a round robin
forfeits count like games (article 15). Lots cannot be drawn here.

  DE WIN WON BPG BWG PS REP STD BH AOB FB SB KS ARO TPR PTP APRO APPO TPN RTNG

JSON: {"edition","format","standings":[{"place","start_number","name","points","tiebreaks":{"BH":"25.5"}}]}; values are
decimals, to 4 places where they do not end; DE is the place among those who are tied, empty where it parts nobody.
Status 2: no usable report, or a tie-break that does not exist.

  manage.py standings cup.trf --tiebreaks BH/C1,BH,SB,DE"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE.trf", help="the tournament report")
        parser.add_argument("--tiebreaks", type=_rules, default=(), metavar="CODES", help="codes in order, with commas")
        by_day = "of the tie-break rules; without it by the event's first day"
        parser.add_argument("--edition", type=int, choices=TIEBREAK_EDITIONS, help=by_day)
        by_type = "without it by the report's type, or by who met whom"
        parser.add_argument("--format", choices=(SWISS, ROUND_ROBIN), help=by_type)
        parser.add_argument("--json", action="store_true", help="one JSON object and nothing else")

    def run(self, *, file: Path, tiebreaks: tuple[Rule, ...], edition: int | None, **options: Any) -> None:
        with read_input(file, LARGEST).naming() as data:
            report = read_report(data)
            swiss = None if options["format"] is None else options["format"] == SWISS
            contest = contest_of(report, swiss=swiss, edition=edition)
        for note in (*first(report.notes), *_remarks(contest, tiebreaks)):
            self.stderr.write(note)
        standings = rank(contest, tiebreaks)
        write = _as_json if options["json"] else _as_text
        self.stdout.write(write(report, contest, tiebreaks, standings))


def _rules(codes: str) -> tuple[Rule, ...]:
    try:
        return tiebreaks_of(codes)
    except KeyError as unknown:
        known = ", ".join(rule.code for rule in TIEBREAKS)
        raise ArgumentTypeError(f"there is no tie-break “{unknown.args[0]}”; there are {known}") from None
    except ValueError as refusal:
        raise ArgumentTypeError(str(refusal)) from None


def _remarks(contest: Contest, tiebreaks: Sequence[Rule]) -> Iterator[str]:
    unrated = len(contest.ratings) < len(contest.table)
    for rule in tiebreaks:
        if not contest.swiss and not rule.round_robins:
            yield f"{rule.code}: FIDE does not allow it in a round robin."
        if contest.edition < rule.since:
            yield f"{rule.code}: not in the rules of {contest.edition}, so it has no values."
        if unrated and rule.by_rating:
            yield f"{rule.code}: not used, because somebody has no rating."
        if rule.base == "LOTS":
            yield f"{rule.code}: no lots are drawn here."


# --- how it is written ------------------------------------------------------------------------------------------------
def _as_json(report: Report, contest: Contest, tiebreaks: Sequence[Rule], standings: Sequence[Standing]) -> str:
    names = {player.number: player.name for player in report.players}
    found = {
        "edition": contest.edition,
        "format": SWISS if contest.swiss else ROUND_ROBIN,
        "standings": [
            {
                "place": row.place,
                "start_number": row.player,
                "name": names[row.player],
                "points": _decimal(Fraction(row.points, contest.points.unit)),
                "tiebreaks": dict(zip((rule.code for rule in tiebreaks), _cells(row), strict=True)),
            }
            for row in standings
        ],
    }
    return json.dumps(found, ensure_ascii=False)


def _as_text(report: Report, contest: Contest, tiebreaks: Sequence[Rule], standings: Sequence[Standing]) -> str:
    names = {player.number: player.name for player in report.players}
    rows = [["", "No.", "Name", "Points", *(rule.code for rule in tiebreaks)]]
    for row in standings:
        points = _decimal(Fraction(row.points, contest.points.unit))
        rows.append([str(row.place), str(row.player), names[row.player], points, *_cells(row)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    aligned = ["<" if at == _NAMES else ">" for at in range(len(widths))]
    lines = [
        "  ".join(f"{text:{side}{width}}" for text, side, width in zip(row, aligned, widths, strict=True)).rstrip()
        for row in rows
    ]
    kind = "Swiss" if contest.swiss else "round robin"
    return "\n".join([*lines, "", f"{kind}, {contest.rounds} rounds, tie-break rules of {contest.edition}"])


def _cells(row: Standing) -> list[str]:
    return [_decimal(worth.number) if worth else "" for worth in row.tiebreaks]


def _decimal(number: Fraction) -> str:
    """As a decimal, exactly where it ends and else to four places: 25.5, 7, 12.3333."""
    places = next((count for count in range(_MOST_DECIMALS) if 10**count % number.denominator == 0), _DECIMALS)
    return f"{Decimal(round(number * 10**places)).scaleb(-places):f}"
