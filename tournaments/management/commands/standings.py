"""`manage.py standings FILE.trf --tiebreaks BH/C1,BH,SB`: places and tie-breaks of a tournament report. No database."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from tournaments.interchange.standings_of_report import contest_of
from tournaments.interchange.team_event_of_report import is_team_report, team_event_of, team_notes, teams_of
from tournaments.interchange.trf import LARGEST, Note, Report, read_report, unused_teams
from tournaments.management.file_command import FileCommand, bad_input, read_input
from tournaments.management.plain_command import first
from tournaments.management.standings_text import ROUND_ROBIN, SWISS, cells, decimal, table
from tournaments.pairing.base import TIEBREAK_EDITIONS
from tournaments.standings.rank import rank
from tournaments.standings.team_contest import MATCH_UNIT, team_contest
from tournaments.standings.team_event import Primary, TeamEvent
from tournaments.standings.team_standings import team_standings
from tournaments.standings.team_tiebreaks import TEAM_TIEBREAKS, team_tiebreaks_of
from tournaments.standings.tiebreaks import TIEBREAKS, Contest, Rule, tiebreaks_of


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said beside the standings, the standings for JSON, and as a table."""

    remarks: list[str]
    found: dict[str, Any]
    text: str


class Command(FileCommand):
    help = """The standings of a tournament report (TRF16 or TRF26) after its last round: place, points and tie-breaks.

Tie-breaks are codes of FIDE C.07 in the order they decide, with commas; modifiers after a stroke: BH/C1, SB/C1, KS/L+1,
DE/P. Whoever is equal in all of them shares the place. Unplayed rounds count by article 16 in a Swiss, in a round robin
forfeits count like games (article 15). Lots cannot be drawn here.

  DE WIN WON BPG BWG PS REP STD BH AOB FB SB KS ARO TPR PTP APRO APPO TPN RTNG

A report with records of teams (310, 013) has standings of teams. They are ranked by match points or by game points
(--primary); BH:MP/C1 and DE:GP name the score to read. Those by ratings are for players only; for teams there are too:

  MPvGP EDE EDEBT EDEBB EDET EDEB EMMSB EMGSB EGMSB EGGSB SSSC BC TBR BBE BERLIN

JSON: {"edition","format","standings":[{"place","start_number","name","points","tiebreaks":{"BH":"25.5"}}]}, of teams
{"edition","format","primary","standings":[{"place","team","name","match_points","game_points","tiebreaks"}]}; values
are decimals, to 4 places where they do not end; a place among those who are tied (DE, EDE, TBR …) is empty where it
parts nobody. Status 2: no usable report, or a tie-break that does not exist.

  manage.py standings cup.trf --tiebreaks BH/C1,BH,SB,DE
  manage.py standings league.trf --tiebreaks EDE,EMGSB,BC"""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE.trf", help="the tournament report")
        parser.add_argument("--tiebreaks", default="", metavar="CODES", help="codes in order, with commas")
        by_day = "of the tie-break rules; without it by the event's first day"
        parser.add_argument("--edition", type=int, choices=TIEBREAK_EDITIONS, help=by_day)
        by_type = "without it by the report's type, or by who met whom"
        parser.add_argument("--format", choices=(SWISS, ROUND_ROBIN), help=by_type)
        by_record = "the score of teams that decides; without it by the report (192), else MP"
        parser.add_argument("--primary", choices=("MP", "GP"), help=by_record)
        parser.add_argument("--individual", action="store_true", help="the players of a report of teams")
        parser.add_argument("--json", action="store_true", help="one JSON object and nothing else")

    def run(self, *, file: Path, tiebreaks: str, edition: int | None, primary: Primary | None, **options: Any) -> None:
        swiss = None if options["format"] is None else options["format"] == SWISS
        with read_input(file, LARGEST).naming() as data:
            report = read_report(data)
            if is_team_report(report) and not options["individual"]:
                answer = _of_teams(report, tiebreaks, primary, edition=edition, swiss=swiss)
            elif primary:
                raise bad_input("--primary is for teams: leave it out for standings of players.")
            else:
                answer = _of_players(report, tiebreaks, edition=edition, swiss=swiss)
        for remark in answer.remarks:
            self.stderr.write(remark)
        self.stdout.write(json.dumps(answer.found, ensure_ascii=False) if options["json"] else answer.text)


def _rules(codes: str, read: Callable[[str], tuple[Rule, ...]], known: Sequence[Rule]) -> tuple[Rule, ...]:
    try:
        return read(codes)
    except KeyError as unknown:
        there = ", ".join(rule.code for rule in known)
        raise bad_input(f"--tiebreaks: there is no tie-break “{unknown.args[0]}”; there are {there}") from None
    except ValueError as refusal:
        raise bad_input(f"--tiebreaks: {refusal}") from None


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


def _kind(contest: Contest) -> str:
    return SWISS if contest.swiss else ROUND_ROBIN


def _made_by(contest: Contest) -> str:
    kind = "Swiss" if contest.swiss else "round robin"
    return f"{kind}, {contest.rounds} rounds, tie-break rules of {contest.edition}"


# --- players ----------------------------------------------------------------------------------------------------------
def _of_players(report: Report, tiebreaks: str, *, edition: int | None, swiss: bool | None) -> Answer:
    rules = _rules(tiebreaks, tiebreaks_of, TIEBREAKS)
    contest = contest_of(report, swiss=swiss, edition=edition)
    names, standings = {player.number: player.name for player in report.players}, rank(contest, rules)
    codes, lines = [rule.code for rule in rules], []
    rows = [["", "No.", "Name", "Points", *codes]]
    for row in standings:
        points, worths = decimal(Fraction(row.points, contest.points.unit)), cells(row.tiebreaks)
        rows.append([str(row.place), str(row.player), names[row.player], points, *worths])
        lines.append(
            {
                "place": row.place,
                "start_number": row.player,
                "name": names[row.player],
                "points": points,
                "tiebreaks": dict(zip(codes, worths, strict=True)),
            }
        )
    found = {"edition": contest.edition, "format": _kind(contest), "standings": lines}
    return Answer([*first(report.notes), *_remarks(contest, rules)], found, table(rows, _made_by(contest)))


# --- teams ------------------------------------------------------------------------------------------------------------
DECIDES = {"MP": "match points decide", "GP": "game points decide"}


def _of_teams(
    report: Report, tiebreaks: str, primary: Primary | None, *, edition: int | None, swiss: bool | None
) -> Answer:
    rules = _rules(tiebreaks, team_tiebreaks_of, TEAM_TIEBREAKS)
    event = team_event_of(report, primary=primary, edition=edition, swiss=swiss)
    contest, decides = team_contest(event), event.scoring.primary
    names, standings = {team.number: team.name for team in teams_of(report)}, team_standings(event, rules)
    codes, lines = [rule.code for rule in rules], []
    rows = [["", "No.", "Name", "MP", "GP", *codes]]
    for row in standings:
        match_points = decimal(Fraction(row.score.match_points, MATCH_UNIT))
        game_points = decimal(Fraction(row.score.game_points, event.scoring.points.unit))
        worths = cells(row.tiebreaks)
        rows.append([str(row.place), str(row.team), names[row.team], match_points, game_points, *worths])
        lines.append(
            {
                "place": row.place,
                "team": row.team,
                "name": names[row.team],
                "match_points": match_points,
                "game_points": game_points,
                "tiebreaks": dict(zip(codes, worths, strict=True)),
            }
        )
    found = {"edition": event.edition, "format": _kind(contest), "primary": decides, "standings": lines}
    remarks = [*first(_notes(report, event)), *_remarks(contest, rules)]
    return Answer(remarks, found, table(rows, f"{_made_by(contest)}, {DECIDES[decides]}"))


def _notes(report: Report, event: TeamEvent) -> list[Note]:
    """What is odd in the report, without that its lines of teams are not used: here they are."""
    unused = set(unused_teams(report))
    return [*(note for note in report.notes if note not in unused), *team_notes(report, event)]
