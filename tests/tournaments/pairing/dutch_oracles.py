"""Two foreign engines of the FIDE (Dutch) System, asked with our fields; for the tests only.

caissify-pairings knows the rules of 2026 (who meets whom; its colours are wrong in places), py4swiss those before
February 2026, colours too. Neither refuses all that cannot be paired, and caissify is not asked about prohibited pairs.
"""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from caissify_pairings.engines.dutch import DutchEngine
from py4swiss.engines import DutchEngine as Py4Swiss
from py4swiss.engines.common import PairingError as Py4SwissError
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult, ScoringPointSystem, ScoringPointSystemCode
from py4swiss.trf.sections import PlayerSection, XSection
from py4swiss.trf.sections.x_section import XSectionConfiguration

from tournaments.pairing.base import Board, Field, PairedRound
from tournaments.standings.crosstable import Meeting
from tournaments.standings.points import OUTCOMES, Result

logging.getLogger("caissify_pairings").setLevel(logging.CRITICAL)
Pairs = frozenset[tuple[int, int]]  # of a bye: the number and 0


class UnpairableError(Exception):
    """The oracle finds no pairing."""


@dataclass(frozen=True, slots=True)
class Row:
    """One round of one player: the opponent (0: none), whether he had White, whether they played, the points."""

    opponent: int
    white: bool
    played: bool
    points: int
    token: str


def who_meets(boards: PairedRound) -> Pairs:
    """The pairs without colours."""
    return frozenset((min(pair), max(pair)) if pair[1] else pair for pair in with_colours(boards))


def with_colours(boards: PairedRound) -> Pairs:
    return frozenset((board.white, board.black or 0) for board in boards)


def oracle_pairs(field: Field, settings: Mapping[str, Any]) -> PairedRound:
    """What the foreign engine for the field's edition makes of it. Raises UnpairableError."""
    return {2025: py4swiss, 2026: caissify}[field.edition](field, settings)


# --- rows ---------------------------------------------------------------------------------------------------------
def rows_of(field: Field) -> dict[int, list[Row]]:
    """Every player's earlier rounds; whoever is in neither a game nor a bye was away."""
    away = Row(0, False, False, 0, "Z")
    rows = {player: [away] * (field.round - 1) for player in field.players}
    for meeting in field.meetings:
        for player, row in _sides(meeting, field):
            rows[player][meeting.round - 1] = row
    tokens = {"pab": "U", "full": "F", "half": "H", "zero": "Z"}
    for bye in field.byes:
        rows[bye.player][bye.round - 1] = Row(0, False, False, bye.points, tokens[bye.kind])
    return rows


_TOKENS = {"win": "1", "draw": "=", "loss": "0"}


def _sides(meeting: Meeting, field: Field) -> Iterator[tuple[int, Row]]:
    outcome = OUTCOMES[meeting.result if meeting.result not in (Result.OPEN, Result.ADJOURNED) else Result.DRAW]
    for player, opponent, share in (
        (meeting.white, meeting.black, outcome.white),
        (meeting.black, meeting.white, outcome.black),
    ):
        token = _TOKENS[share] if outcome.played else {"win": "+"}.get(share, "-")
        yield player, Row(opponent, player == meeting.white, outcome.played, field.points.share(share), token)


def virtual_points(field: Field, settings: Mapping[str, Any]) -> dict[int, list[int]]:
    """Everybody's virtual points in the rounds up to the one to be paired, by the field or by Baku (C.04.7)."""
    if field.accelerated or settings.get("acceleration") != "baku":
        given = {player: list(field.accelerated.get(player, ())) for player in field.players}
        return {player: (own + [0] * field.round)[: field.round] for player, own in given.items()}
    upper = 2 * -(-len(field.players) // 4)
    rounds = -(-settings["rounds"] // 2)
    whole = -(-rounds // 2)
    each = [field.points.win] * whole + [field.points.win // 2] * (rounds - whole) + [0] * settings["rounds"]
    return {player: each[: field.round] if at < upper else [0] * field.round for at, player in enumerate(field.players)}


def scores_before(rows: Mapping[int, list[Row]], virtual: Mapping[int, list[int]]) -> dict[int, list[int]]:
    """Everybody's score, virtual points included, before each round up to the one to be paired."""
    scores = {}
    for player, own in rows.items():
        totals = [sum(row.points for row in own[:at]) for at in range(len(own) + 1)]
        scores[player] = [total + extra for total, extra in zip(totals, virtual[player], strict=True)]
    return scores


# --- caissify: 2026 -----------------------------------------------------------------------------------------------
def caissify(field: Field, settings: Mapping[str, Any]) -> PairedRound:
    rows, virtual = rows_of(field), virtual_points(field, settings)
    scores = scores_before(rows, virtual)
    engine = DutchEngine(
        players=[_for_caissify(player, field, rows[player], scores) for player in sorted(field.present)],
        previous_pairings={(min(m.white, m.black), max(m.white, m.black)) for m in field.meetings if _was_played(m)},
        round_number=field.round,
        total_rounds=settings["rounds"],
        initial_color=settings["first_colour"],
    )
    # Its shortcut for round 1 knows no score groups; virtual points make some.
    engine.accelerated = any(any(own) for own in virtual.values())
    boards = [Board(pair["white_id"], pair["black_id"]) for pair in engine.generate_pairings()]
    _refuse_nonsense(field, boards, rows)
    return tuple(boards)


def _for_caissify(player: int, field: Field, rows: list[Row], scores: Mapping[int, list[int]]) -> dict[str, Any]:
    had_a_win = [row for row in rows if not row.played and row.points >= field.points.win]
    allocated = [row for row in rows if row.token == "U"]
    return {
        "id": player,
        "score": scores[player][-1] / field.points.win,
        "rating": 0,
        "starting_number": player,
        "pairing_number": player,
        "color_hist": ["white" if row.white else "black" for row in rows if row.played],
        "float_history": [_float(player, at, row, scores) for at, row in enumerate(rows)],
        "bye_count": len(allocated),
        "forfeit_win_count": len(had_a_win),
    }


def _float(player: int, at: int, row: Row, scores: Mapping[int, list[int]]) -> str:
    if not row.played:
        return "down" if row.points or row.token == "U" else "none"
    mine, theirs = scores[player][at], scores[row.opponent][at]
    return "down" if mine > theirs else "up" if mine < theirs else "none"


def _was_played(meeting: Meeting) -> bool:
    return OUTCOMES[meeting.result].played or meeting.result in (Result.OPEN, Result.ADJOURNED)


def _refuse_nonsense(field: Field, boards: list[Board], rows: Mapping[int, list[Row]]) -> None:
    """It pairs somehow what cannot be paired."""
    met = {frozenset((m.white, m.black)) for m in field.meetings if _was_played(m)}
    byes = [board.white for board in boards if board.is_bye]
    again = [board for board in boards if frozenset((board.white, board.black)) in met]
    had = [
        player
        for player in byes
        if any(row.token == "U" or (not row.played and row.points >= field.points.win) for row in rows[player])
    ]
    if again or had or len(byes) != len(field.present) % 2:
        raise UnpairableError


# --- py4swiss: 2025 -----------------------------------------------------------------------------------------------
def py4swiss(field: Field, settings: Mapping[str, Any]) -> PairedRound:
    """It takes the parity of numbers as they stand; here they are counted among those who have come so far."""
    rows, virtual = rows_of(field), virtual_points(field, settings)
    unit, number = 10 // field.points.unit, _counted_again(field, rows)
    report = ParsedTrf(
        player_sections=[_section(player, field, rows[player], number) for player in sorted(number, key=number.get)],
        x_section=XSection(
            number_of_rounds=settings["rounds"],
            configuration=XSectionConfiguration(first_round_color=settings["first_colour"] == "white"),
            scoring_point_system=_points(field, unit),
            accelerations={number[player]: [points * unit for points in own] for player, own in virtual.items()},
            forbidden_pairs={tuple(number[player] for player in pair) for pair in field.prohibited},
        ),
    )
    try:
        pairs = Py4Swiss.generate_pairings(report)
    except Py4SwissError:
        raise UnpairableError from None
    back = {counted: player for player, counted in number.items()}
    return tuple(Board(back[pair.white], back.get(pair.black)) for pair in pairs)


def _counted_again(field: Field, rows: Mapping[int, list[Row]]) -> dict[int, int]:
    """Those who have been paired so far first, each group by number."""
    paired = {player for player, own in rows.items() if any(row.opponent or row.token == "U" for row in own)}
    come = field.present | paired
    return {player: at for at, player in enumerate(sorted(field.players, key=lambda one: (one not in come, one)), 1)}


def _section(player: int, field: Field, rows: list[Row], number: Mapping[int, int]) -> PlayerSection:
    results = [_result(row, number) for row in rows]
    if player not in field.present:
        results.append(RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=ResultToken.ZERO_POINT_BYE))
    points = sum(row.points for row in rows) * (10 // field.points.unit)
    own = number[player]
    return PlayerSection(
        code=PlayerCode.PLAYER, starting_number=own, points_times_ten=points, rank=own, results=results
    )


def _result(row: Row, number: Mapping[int, int]) -> RoundResult:
    colour = ColorToken.WHITE if row.white else ColorToken.BLACK
    if not row.opponent:
        colour = ColorToken.BYE_OR_NOT_PAIRED
    return RoundResult(id=number.get(row.opponent, 0), color=colour, result=ResultToken(row.token))


def _points(field: Field, unit: int) -> ScoringPointSystem:
    system, code = ScoringPointSystem(), ScoringPointSystemCode
    for name, points in (
        (code.WIN, field.points.win),
        (code.DRAW, field.points.draw),
        (code.LOSS, field.points.loss),
        (code.PAIRING_ALLOCATED_BYE, field.points.allocated_bye),
    ):
        system.apply_code(name, points * unit)
    return system
