"""An event of teams written as a tournament report (pure).

`report_of_team_event`: the players' rounds, and the records of teams: 310 (in TRF16 013), 320, 330, 240, 299, 352, 362,
192, 801 and 802. A line-up (300) is written where the boards are not those of the team's record from the top, and for
both sides of a match with an empty board. In a round with a bye of their team, its first players have what it brings
each of them: a full or a half point, else an absence. Reasons of penalties have no place in a report.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from tournaments.interchange.team_event_of_report import result_of
from tournaments.interchange.team_matches_of_report import TeamMatch
from tournaments.interchange.trf.games import points_of
from tournaments.interchange.trf.records import (
    ABSENT,
    BYE_KINDS,
    FORFEIT_WIN,
    FULL,
    HALF,
    NO_COLOUR,
    Cell,
    Record,
    Report,
    ReportPlayer,
)
from tournaments.interchange.trf.team_records import (
    AllocatedBye,
    Assigned,
    ByeAsked,
    DefaultedMatch,
    LineUp,
    TeamAcceleration,
    TeamOfReport,
    TeamRecords,
    TeamsApart,
)
from tournaments.interchange.trf.team_writing import ShownRound, shown_lines, team_lines
from tournaments.interchange.trf.terms import Worths, points_text
from tournaments.standings.team_event import TeamBye, TeamEvent, TeamMeeting, TeamScoring, team_scores

_BYE_CODES = {kind: code for code, kind in BYE_KINDS.items()}
# Places in a team as 801 shows them, one character each.
_PLACES = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BYE_WORDS = {"pab": "PAB", "full": "FPB", "half": "HPB", "zero": "ZPB"}


@dataclass(frozen=True, slots=True)
class ForPairing:
    """What a report says of teams for the rounds to come."""

    byes: tuple[ByeAsked, ...] = ()
    apart: tuple[TeamsApart, ...] = ()
    accelerations: tuple[TeamAcceleration, ...] = ()


def report_of_team_event(
    report: Report,
    *,
    event: TeamEvent,
    teams: Sequence[TeamOfReport],
    matches: Sequence[TeamMatch],
    colours: str = "",
    coded_kind: str = "",
    coming: ForPairing | None = None,
    version: int = 26,
) -> Report:
    """`report` (its head and players) with everybody's rounds and the records of teams. `matches` say who sat where:
    they are the event's meetings, in the same order. `coded_kind` (192): as the event says where none is given. Raises
    ReportError for points that a report cannot hold."""
    writer = _Writer(event, tuple(_with_points(event, teams)), matches, colours)
    kind = coded_kind or _coded_kind(event)
    records = writer.records(coming or ForPairing())
    return replace(
        report,
        players=writer.players(report.players),
        records=(
            *report.records,
            Record("192", f"192 {kind}"),
            *_worths(event, version),
            *team_lines(records, version=version),
            *shown_lines(records.teams, [writer.shown(team) for team in records.teams]),
        ),
    )


def _coded_kind(event: TeamEvent) -> str:
    order = "MP_GP" if event.scoring.primary == "MP" else "GP_MP"
    if event.swiss:
        return f"FIDE_TEAM_TYPEA_{order}"
    return "FIDE_TEAM_ROUNDROBIN" if event.scoring.primary == "MP" else f"FIDE_TEAM_ROUNDROBIN_{order}"


def _worths(event: TeamEvent, version: int) -> Iterator[Record]:
    """The points of a game, where they are not 1–½–0."""
    points = event.scoring.points
    win, draw, loss = (Fraction(worth, points.unit) for worth in (points.win, points.draw, points.loss))
    if (win, draw, loss) != (Fraction(1), Fraction(1, 2), Fraction(0)):
        said = [f"{name}{{}}{points_text(worth)}" for name, worth in (("W", win), ("D", draw), ("L", loss))]
        line = "162  " + "    ".join(one.format(" ") for one in said)
        yield (
            Record("162", line) if version == 26 else Record("XXS", "XXS " + " ".join(one.format("=") for one in said))
        )


def _with_points(event: TeamEvent, teams: Sequence[TeamOfReport]) -> Iterator[TeamOfReport]:
    scores = team_scores(event)
    for team in teams:
        score = scores[team.number]
        game_points = Fraction(score.game_points, event.scoring.points.unit)
        match_points = points_text(Fraction(score.match_points, 2))
        yield replace(team, match_points=match_points, game_points=points_text(game_points))


@dataclass(frozen=True, slots=True)
class _Writer:
    event: TeamEvent
    teams: Sequence[TeamOfReport]
    matches: Sequence[TeamMatch]
    colours: str

    @property
    def scoring(self) -> TeamScoring:
        return self.event.scoring

    # --- rows ---------------------------------------------------------------------------------------------------------
    def players(self, players: Sequence[ReportPlayer]) -> tuple[ReportPlayer, ...]:
        cells = {player.number: [ABSENT] * self.event.rounds for player in players}
        for bye in self.event.byes:
            code = self._code_of(bye)
            for player in self.teams[bye.team - 1].players[: self.scoring.boards]:
                cells[player][bye.round - 1] = Cell(0, NO_COLOUR, code)
        for match in self.matches:
            for board in match.boards:
                for own, other in (board, board[::-1]):
                    if own.player:
                        cells[own.player][match.round - 1] = _cell(own.code, own.colour, other.player)
        worths = self.scoring.points
        each = (worths.win, worths.draw, worths.loss, worths.allocated_bye)
        worth = Worths(*(Fraction(points, worths.unit) for points in each))
        filled = (replace(player, cells=tuple(cells[player.number])) for player in players)
        return tuple(replace(player, points=points_text(points_of(player, worth))) for player in filled)

    def _code_of(self, bye: TeamBye) -> str:
        boards, points = self.scoring.boards, self.scoring.points
        worth = {boards * points.draw: HALF, boards * points.win: FULL}
        return worth.get(bye.game_points, ABSENT.code) if bye.game_points else ABSENT.code

    # --- records ------------------------------------------------------------------------------------------------------
    def records(self, coming: ForPairing) -> TeamRecords:
        byes = self.event.byes
        asked = tuple(ByeAsked(bye.round, bye.team, _BYE_CODES[bye.kind]) for bye in byes if bye.kind != "pab")
        return TeamRecords(
            teams=tuple(self.teams),
            line_ups=tuple(up for match in self.matches for up in self._line_ups(match)),
            defaulted=tuple(link for match in self.matches for link in self._links(match)),
            allocated=tuple(AllocatedBye(bye.round, bye.team) for bye in byes if bye.kind == "pab"),
            bye_points=self._bye_points(),
            byes=(*asked, *coming.byes),
            assigned=tuple(self._assigned()),
            apart=coming.apart,
            accelerations=coming.accelerations,
            worths=self._halves(self.scoring.win, self.scoring.draw, self.scoring.loss),
            colours=self.colours,
        )

    def _halves(self, win: int, draw: int, loss: int) -> tuple[Fraction, Fraction, Fraction]:
        return Fraction(win, 2), Fraction(draw, 2), Fraction(loss, 2)

    def _game_points(self, points: int) -> Fraction:
        return Fraction(points, self.scoring.points.unit)

    def _bye_points(self) -> tuple[Fraction | None, Fraction | None]:
        scoring = self.scoring
        has_own = scoring.bye_match_points is not None or scoring.bye_game_points is not None
        if not has_own and not any(bye.kind == "pab" for bye in self.event.byes):
            return None, None
        own = scoring.bye(0, 0, "pab")
        return Fraction(own.match_points, 2), self._game_points(own.game_points)

    def _line_ups(self, match: TeamMatch) -> Iterator[LineUp]:
        seated = [tuple(board[side].player for board in match.boards) for side in (0, 1)]
        has_gap = any(0 in players for players in seated) and any(map(any, seated))
        for players, team, other in (
            (seated[0], match.first, match.second),
            (seated[1], match.second, match.first),
        ):
            if has_gap or (any(players) and players != self.teams[team - 1].players[: len(players)]):
                yield LineUp(match.round, team, other, players)

    def _links(self, match: TeamMatch) -> Iterator[DefaultedMatch]:
        """The line 330 of a match by default. Where both sides won a board by default, none of its kinds fits."""
        won = [any(board[side].code == FORFEIT_WIN for board in match.boards) for side in (0, 1)]
        if match.defaulted and not all(won):
            kind = "".join("+" if one else "-" for one in won)
            yield DefaultedMatch(kind, match.round, match.first, match.second)

    def _assigned(self) -> Iterator[Assigned]:
        for penalty in self.event.penalties:
            worth = Fraction(penalty.match_points, 2), self._game_points(penalty.game_points)
            yield Assigned("", *worth, penalty.round, penalty.team)
        for bye in self.event.byes:
            usual = self.scoring.bye(bye.round, bye.team, bye.kind)
            if usual != bye and bye.kind != "pab":
                worth = Fraction(bye.match_points, 2), self._game_points(bye.game_points)
                yield Assigned(_BYE_CODES[bye.kind], *worth, bye.round, bye.team)
        for match, meeting in zip(self.matches, self.event.meetings, strict=True):
            yield from self._ruled(match, meeting)

    def _ruled(self, match: TeamMatch, meeting: TeamMeeting) -> Iterator[Assigned]:
        """What an arbiter gave in place of what follows from the boards."""
        plain = replace(meeting, ruled=None, awarded=None)
        usual = self.scoring.match_points(plain), plain.game_points
        given = meeting.ruled or self.scoring.match_points(meeting), meeting.game_points
        for side, team in enumerate((meeting.first, meeting.second)):
            if any(one[side] != other[side] for one, other in zip(given, usual, strict=True)):
                kind = result_of(match, plain, side)
                worth = Fraction(given[0][side], 2), self._game_points(given[1][side])
                yield Assigned(kind, *worth, match.round, team)

    # --- for eyes -----------------------------------------------------------------------------------------------------
    def shown(self, team: TeamOfReport) -> list[ShownRound]:
        found: dict[int, ShownRound] = {}
        for bye in self.event.byes:
            if bye.team == team.number:
                empty = " " * self.scoring.boards
                points = self._game_points(bye.game_points)
                found[bye.round] = ShownRound(_BYE_WORDS[bye.kind], "", empty, empty, points, forfeited=False)
        for match, meeting in zip(self.matches, self.event.meetings, strict=True):
            if team.number in (match.first, match.second):
                found[match.round] = self._shown_match(team, match, meeting)
        nothing = ShownRound("", "", " " * self.scoring.boards, " " * self.scoring.boards, Fraction(0), forfeited=False)
        return [found.get(number, nothing) for number in range(1, self.event.rounds + 1)]

    def _shown_match(self, team: TeamOfReport, match: TeamMatch, meeting: TeamMeeting) -> ShownRound:
        side = 0 if team.number == match.first else 1
        places = {player: at for at, player in enumerate(team.players)}
        own = [board[side] for board in match.boards]
        return ShownRound(
            opponent=str(match.second if side == 0 else match.first),
            colour="wb"[side],
            results="".join(seat.code for seat in own),
            places="".join(_PLACES[places[seat.player] :][:1] or "?" if seat.player else "-" for seat in own),
            game_points=self._game_points(meeting.game_points[side]),
            forfeited=match.defaulted,
        )


def _cell(code: str, colour: str, opponent: int) -> Cell:
    """A seat as a row has it: alone, a win by default is a full point."""
    if opponent:
        return Cell(opponent, colour, code)
    return Cell(0, NO_COLOUR, FULL) if code == FORFEIT_WIN else ABSENT
