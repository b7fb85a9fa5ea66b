"""What an explanation of one rating change is made of, and how its figures are written.

An explainer belongs to one rating system. It computes nothing the ledger does not hold: it reads one row, puts the
numbers into the system's own formula and says in words why they are these. A system without an explainer gets
`Explainer`'s own lines, which show what the ledger knows.

Formulas are text; `^{…}` and `_{…}` are set high and low by the template filter `formula`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.ground.figures import MINUS, percents
from clubrating.ground.marks import joined
from clubrating.web.formatting import written
from players.refusals import listed, sign
from ratings.explain.contests import ContestCase, MemberCase, SideCase, expected_places, first_places
from ratings.systems.base import Period, PlayedGame, PlayerState, Side
from ratings.systems.margins import NO_MARGIN, MarginRule
from ratings.systems.replay import DatedRule


class Line(NamedTuple):
    """One step of a computation: its question, the formula, the formula with the numbers put in, and why."""

    label: str
    formula: str = ""
    numbers: str = ""
    note: str = ""


class Moved(NamedTuple):
    """What the period did to the player: his rating before and after (None: he left the list)."""

    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class Case:
    """One player's side of a ledger row, with what explains it.

    `own`, `other`: both sides of the row. `played`: the game as it was rated, seen from White. `is_white`: whether
    `own` is White's. `rule`: the dated rule that held. `mates`: the player's sides of the games of the same period,
    this one among them; `moved`: what the period did to him, None while it runs; `normalised`: the factor by which the
    whole field was multiplied right after the game. `probation`: the list's length of the probation. `names_other`:
    whether the viewer sees the opponent's name, and so his K.
    """

    own: Side
    other: Side
    is_white: bool
    played: PlayedGame
    rule: DatedRule
    probation: int
    own_birth_year: int | None = None
    other_birth_year: int | None = None
    names_other: bool = True
    mates: Sequence[Side] = ()
    moved: Moved | None = None
    normalised: float | None = None

    @property
    def score(self) -> float:
        """The player's own."""
        return self.played.score if self.is_white else 1.0 - self.played.score

    @property
    def counted(self) -> float:
        """The player's score as it was rated: the result, or what the list makes of the points."""
        margins: MarginRule = getattr(self.settings, "margins", NO_MARGIN)
        played = self.played
        white = margins.score(played.score, played.margin, played.scores)
        return white if self.is_white else 1.0 - white

    @property
    def settings(self) -> Any:
        return self.rule.settings

    @property
    def by_game(self) -> bool:
        """Whether the rating moved with this game, and not with a period of several."""
        return self.rule.period == Period.GAME

    @property
    def won(self) -> bool:
        return self.score == 1.0


class Outcome(NamedTuple):
    """What a result would have done to the player: None where the system does not rate such a game."""

    score: float
    change: float | None
    after: float | None


def outcomes(case: Case) -> list[Outcome]:
    """What each result would have done, computed by the system itself from the states in the row; nothing for a
    system that rates by periods, where the other games of the period decide too."""
    return [_outcome(case, score) for score in (1.0, 0.5, 0.0)] if case.by_game else []


def _outcome(case: Case, score: float) -> Outcome:
    own, other = state_of(case.own, case.own_birth_year), state_of(case.other, case.other_birth_year)
    white, black = (own, other) if case.is_white else (other, own)
    game = _ended(case.played, score if case.is_white else 1.0 - score)
    before = own.rating
    if case.rule.system.game_rater(case.settings)(white, black, game) is None:
        return Outcome(score, None, None)
    return Outcome(score, own.rating - before, own.rating)


def _ended(played: PlayedGame, score: float) -> PlayedGame:
    """The game with another result of White's. Its points are then the other side's (`MarginRule.score`), or none where
    it was drawn or would be."""
    if played.score != score and 0.5 in (played.score, score):
        return played._replace(score=score, margin=None, scores=None)
    return played._replace(score=score)


def state_of(side: Side, birth_year: int | None) -> PlayerState:
    """The state a side of a ledger row was rated from."""
    rating = 0.0 if side.before is None else side.before
    others = ("games", "deviation", "volatility", "coefficient", "reached", "last_day", "reentry")
    known = {name: getattr(side, name) for name in others}
    return PlayerState(rating, peak=rating if side.peak is None else side.peak, birth_year=birth_year, **known)


class Explainer:
    """The plain case: what the ledger holds, in the order of the computation. A system's own explainer replaces
    `lines`; `settings_in_words` is for the page about the ratings."""

    def lines(self, case: Case) -> list[Line]:
        """The computation, step by step."""
        lines = []
        if case.own.expected is not None:
            lines.append(Line(_("What was expected?"), numbers=f"E = {decimal(case.own.expected)}"))
        if case.own.k is not None:
            lines.append(Line(_("How much does one game count?"), numbers=f"K = {plain(case.own.k)}"))
        return [*lines, *new_rating(case)]

    def strength(self, settings: Any, side: SideCase) -> float:
        """What a side of a contest is compared by."""
        return sum(member.before for member in side.members) / len(side.members)

    def contest_lines(self, case: ContestCase) -> list[Line]:
        """How a contest with sides was rated, step by step."""
        return [self.strengths_line(case, _("the mean of the members")), *self.expected_lines(case)]

    def expected_lines(self, case: ContestCase) -> list[Line]:
        """What S and E of a contest mean, where the ledger has an E."""
        if any(member.expected is not None for side in case.sides for member in side.members):
            note = _("S is the share of the other sides a side left behind, E the share expected of it.")
            return [Line(_("What was expected?"), note=note)]
        return []

    def strengths_line(self, case: ContestCase, formula: str) -> Line:
        """The sides compared, in order of place."""
        strengths = [self.strength(case.settings, side) for side in case.sides]
        places = listed(expected_places(strengths))
        note = _("In the order of the places. By the ratings these would have been %(places)s.") % {"places": places}
        return Line(_("How strong were the sides?"), formula, sign("; ").join(map(plain, strengths)), note)

    def chances_line(self, case: ContestCase) -> Line:
        """How likely each side was to be first, in order of place."""
        label, found = _("How likely was first place?"), first_places(case)
        if found is None:
            return Line(label, note=_("This list’s system says nothing of who will be first."))
        *sides, tied = percents([*found.first, found.tied])
        chances = [_("%(share)s %%") % {"share": share} for share in sides]
        notes = [_("Each side’s chance of first place before it was played, in the order of the places.")]
        if found.tied:
            notes.append(_("First place shared: %(share)s %%.") % {"share": tied})
        elif len(case.sides) == 2:
            notes.append(_("A shared first place counts half for each."))
        return Line(label, numbers=sign("; ").join(chances), note=joined(*notes))

    def contest_score(self, case: ContestCase, side: SideCase) -> float:
        """What a side of a contest scored, 0 … 1."""
        return case.score(side)

    def member_numbers(self, case: ContestCase, side: SideCase, member: MemberCase) -> str:
        """A member's change with the numbers put in; empty where the ledger's figures do not make it up."""
        if member.expected is None or member.k is None:
            return ""
        score = self.contest_score(case, side)
        if abs(member.k * (score - member.expected) - member.change) > 0.005:  # it was rounded
            return ""
        put_in = f"{plain(member.k)} × ({decimal(score)} − {decimal(member.expected)})"
        return f"{put_in} = {change_text(member.change)}"

    def settings_in_words(self, settings: Any, stored: dict[str, Any]) -> list[str]:
        """What a list's rule says, one sentence each."""
        return [_("%(name)s: %(value)s.") % {"name": name, "value": value} for name, value in stored.items()]


def change_line(label: str, case: Case, k: float, expected: float, change: float, *, places: int = 3) -> Line:
    """K × (S − E) with the numbers put in; `places`: decimals of the expected score."""
    numbers = f"{plain(k)} × ({score_text(case.counted)} − {decimal(expected, places)}) = {change_text(change)}"
    return Line(label, "K × (S − E)", numbers, _("S is the score, E the expected score."))


def new_rating(case: Case) -> list[Line]:
    """The last step: the change added to the rating, with the game or with its period."""
    own = case.own
    lines = []
    if case.by_game and own.before is not None and own.after is not None:
        numbers = f"{plain(own.before)} {with_sign(own.after - own.before)} = {plain(own.after)}"
        lines.append(Line(_("The new rating"), _("rating + change"), numbers, _("The list keeps the fractions.")))
    elif not case.by_game:
        lines += period_lines(case)
    if case.normalised is not None:
        note = _("This game lifted somebody above the line, so every rating of the list was multiplied afterwards.")
        lines.append(Line(_("The whole list brought down"), numbers=f"× {written(f'{case.normalised:g}')}", note=note))
    return lines


def period_lines(case: Case, *, rounding: str = "") -> list[Line]:
    """How the game's share becomes part of the change of its period. `rounding` says how the sum is rounded."""
    shares = [mate.change for mate in case.mates if mate.change is not None]
    name = PERIOD_WORDS.get(case.rule.period.value, "")
    label = _("The sum of the period") if case.rule.period != Period.EVENT else _("The sum of the event")
    shown = " ".join(with_sign(share) for share in shares[:MOST_SHARES])
    more = " …" if len(shares) > MOST_SHARES else ""
    numbers = f"{shown}{more} = {change_text(sum(shares))}" if shares else ""
    if case.moved is None:
        running = _("It is still running: the rating moves when it is over.")
        return [Line(label, _("sum of the changes of its games"), numbers, f"{name} {running}".strip())]
    lines = [Line(label, _("sum of the changes of its games"), numbers, f"{name} {rounding}".strip())] if shares else []
    before, after = case.moved
    if after is None:
        return [*lines, Line(_("The new rating"), note=_("It fell below the list’s lowest rating: unrated again."))]
    if before is None:
        return [*lines, Line(_("The new rating"), numbers=plain(after), note=_("The first rating in this list."))]
    moved = f"{plain(before)} {with_sign(after - before)} = {plain(after)}"
    return [*lines, Line(_("The new rating"), _("rating + change"), moved)]


PERIOD_WORDS = {
    "event": gettext_lazy("All games of the event are rated together, from the ratings before its first game."),
    "day": gettext_lazy("All games of a day are rated together, from the ratings before the first of them."),
    "month": gettext_lazy("All games of a month are rated together, from the ratings before the first of them."),
}
MOST_SHARES = 12  # changes of a period that are written one by one


# --- figures ----------------------------------------------------------------------------------------------------
def plain(value: float) -> str:
    """A number to two decimals, without idle zeros, with a true minus."""
    text = f"{abs(value):.2f}".rstrip("0").rstrip(".")
    return written(f"{MINUS}{text}" if value < 0 and text != "0" else text)


def with_sign(value: float) -> str:
    """The same as a change: + 33.1, − 4, written with a space after the sign."""
    text = plain(abs(value))
    return f"{MINUS if value < 0 and text != '0' else '+'} {text}"


def change_text(value: float) -> str:
    """A change as the end of a sum: +33.1, −4."""
    return with_sign(value).replace(" ", "")


def decimal(value: float, places: int = 3) -> str:
    """A share of one, to three places."""
    return written(f"{value:.{places}f}")


def score_text(score: float) -> str:
    """1, ½ or 0; a share of the points to three decimals."""
    return {1.0: "1", 0.5: "½", 0.0: "0"}.get(score, written(f"{score:.3f}".rstrip("0")))
