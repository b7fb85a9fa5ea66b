"""Whether a file and a rating rule go together: settings of the other kind of file, and rows the rule cannot read."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from itertools import pairwise

from clubrating.management.rating_rule import Rule
from ratings.systems import SYSTEMS
from ratings.systems.base import Period
from ratings.systems.margins import SHARES, Margin
from tournaments.interchange.contests_csv import ContestsFile, MemberRow
from tournaments.interchange.games_csv import GameRow, GamesFile
from tournaments.interchange.tables_csv import BadRow, shortened
from tournaments.management.file_command import bad_input
from tournaments.standings.points import SCORES

FORMS = {"games": "games of two", "contests": "contests with sides"}


def check_form(rule: Rule, form: str) -> None:
    """`form`: of the file, a key of FORMS. Raises CommandError where the system does not rate it, or where a setting
    was given that only the other form has."""
    system, settings = rule.system, rule.settings
    for setting in fields(settings):
        only = setting.metadata.get("only", form)
        if only != form and setting.name in rule.given:
            raise bad_input(
                f"{setting.name} is a setting for {FORMS[only]}; the file holds {FORMS[form]}: leave it out."
            )
    if form == "games" or (system.contest_rater(settings) and system.period(settings) == Period.GAME):
        return
    known = [each.key for each in SYSTEMS if each.contest_rater(each.read_settings({}))]
    if system.key in known:
        raise bad_input(f"{rule.description} rates games of two only: choose another preset.")
    raise bad_input(f"{system.name} does not rate contests with sides; choose --system {', '.join(known)}.")


def bad_rows(file: GamesFile | ContestsFile, rule: Rule) -> Iterator[BadRow]:
    """Rows with a value that means nothing to the system, and points against the result."""
    margin = getattr(rule.settings, "margin", Margin.NONE)
    for row in file.rows:
        rows = row if isinstance(row, tuple) else (row,)
        for each in rows:
            yield from _meaningless(each, rule)
        if margin != Margin.NONE:
            yield from _contest_scores(row, margin) if isinstance(row, tuple) else _game_points(row)


def margin_notes(file: GamesFile | ContestsFile, rule: Rule) -> Iterator[str]:
    """What a list that rates points does not say by itself."""
    margin = getattr(rule.settings, "margin", Margin.NONE)
    if margin == Margin.NONE:
        return
    without = sum(not _has_scores(row) for row in file.rows)
    if without:
        yield f"Without points: {without} of {len(file.rows)}. They are rated by result or place alone."
    if margin in SHARES and rule.settings.scale == 400.0:
        yield (
            f"margin {margin.value}: a scale of 400 is one of results, so a winner may fall. "
            "Points need a scale of their own: --set scale=…, fitted to your games."
        )


def _has_scores(row: GameRow | tuple[MemberRow, ...]) -> bool:
    if isinstance(row, tuple):
        return all(each.score is not None for each in row)
    return row.result not in SCORES or row.margin is not None


def _meaningless(row: GameRow | MemberRow, rule: Rule) -> Iterator[BadRow]:
    system = rule.system
    for name, is_used in (("importance", system.uses_importance), ("weight", system.uses_weights)):
        value = getattr(row, name, None)
        if not is_used and value not in (None, 1.0):
            text = f"{name} {value:g} means nothing to {system.name}: write 1 or leave it empty"
            yield BadRow(row.line, text)


def _game_points(row: GameRow) -> Iterator[BadRow]:
    """Equal points go with any result: something else may have decided."""
    result, own, other = SCORES.get(row.result), row.white_points, row.black_points
    if result is None or own is None or other is None or own == other:
        return
    if result != float(own > other):
        winner = "White" if own > other else "Black"
        said = {1.0: "White won", 0.0: "Black won"}.get(result, "it was a draw")
        text = f"by the points {own}:{other} {winner} won, by the result {said}: correct one of the two"
        yield BadRow(row.line, f"{text}, or rate without margin")


def _contest_scores(rows: Sequence[MemberRow], margin: Margin) -> Iterator[BadRow]:
    sides = sorted({row.side: row for row in reversed(rows)}.values(), key=lambda row: (row.place, row.line))
    key = f"contest “{shortened(rows[0].contest)}”"
    if margin == Margin.NFL and len(sides) > 2:
        text = f"{key} has {len(sides)} sides, and margin nfl is for two: choose log, share or capped"
        yield BadRow(rows[0].line, text)
    for side in sides:
        if margin == Margin.SHARE and side.score is not None and side.score < 0:
            text = f"score {side.score:g} has no share: write scores of 0 or more, or choose another margin"
            yield BadRow(side.line, text)
    scored = [(row.place, row.score, row.line) for row in sides if row.score is not None]
    for (place, score, _), (next_place, next_score, line) in pairwise(scored):
        if next_score > score or (next_place == place and next_score != score):
            text = f"score {next_score:g} at place {next_place} is against score {score:g} at place {place}"
            yield BadRow(line, f"{text}: more is better, so correct a score or a place, or rate without margin")
