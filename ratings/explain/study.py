"""Why a rating changed in the other systems of the study: Bradley–Terry, League, Solo-Zerg, R2 and KD.

A Bradley–Terry rating belongs to all games at once, so no game has a change of its own. The other four have a winner
and a loser; none knows a draw or an expected score.
"""

from typing import Any

from django.utils.translation import gettext as _

from ratings.explain.base import Case, Explainer, Line, change_text, decimal, new_rating, plain
from ratings.systems import kd, league, r2, solo_zerg


class StudyExplainer(Explainer):
    """What the four share: a draw moves nothing; else the system's own lines, then the new rating."""

    def lines(self, case: Case) -> list[Line]:
        if case.own.before is None or case.other.before is None:
            return super().lines(case)
        if case.score == 0.5:
            note = _("%(system)s knows no draws: the game is counted and moves nobody.")
            return [Line(_("A draw"), note=note % {"system": _(case.rule.system.name)})]
        pair = (case.own.before, case.other.before)
        winner, loser = pair if case.won else pair[::-1]
        return [*self.own_lines(case, winner, loser), *new_rating(case)]

    def own_lines(self, case: Case, winner: float, loser: float) -> list[Line]:
        raise NotImplementedError


def _field_words(settings: Any) -> list[str]:
    figures = {"above": plain(settings.normalise_above), "factor": plain(settings.factor)}
    return [
        _("Nobody falls below %(floor)s.") % {"floor": plain(settings.floor)},
        _("As soon as somebody stands above %(above)s, every rating is multiplied by %(factor)s.") % figures,
    ]


class LeagueExplainer(StudyExplainer):
    def own_lines(self, case: Case, winner: float, loser: float) -> list[Line]:
        gap = loser - winner
        counted = max(-league.LONGEST_GAP, min(league.LONGEST_GAP, gap))
        stake = float(int(counted / league.STEP)) + league.EVEN_STAKE
        inflation = case.settings.inflation
        note = _("From −500 to 500 at most.") if counted != gap else ""
        change = stake + inflation if case.won else -stake
        shown = f"{plain(stake)} + {plain(inflation)} = {change_text(change)}" if case.won else change_text(change)
        rule = _("The winner gets the stake and %(more)s points more; the loser pays the stake.")
        return [
            Line(
                _("How far apart were the two?"),
                _("loser − winner"),
                f"{plain(loser)} − {plain(winner)} = {plain(gap)}",
                note,
            ),
            Line(
                _("What was at stake?"),
                _("gap / 25, cut to a whole number, + 30"),
                f"{plain(counted)} / 25 + 30 → {plain(stake)}",
            ),
            Line(_("The change"), numbers=shown, note=rule % {"more": plain(inflation)}),
        ]

    def settings_in_words(self, settings: Any, stored: dict[str, Any]) -> list[str]:
        words = _("The loser pays a stake by the gap, the winner gets %(more)s points more.")
        return [words % {"more": plain(settings.inflation)}, _no_draws()]


class SoloZergExplainer(StudyExplainer):
    def own_lines(self, case: Case, winner: float, loser: float) -> list[Line]:
        gap = abs(loser - winner)
        bonus = max(0.0, solo_zerg.HIGHEST_BONUS - gap**solo_zerg.EXPONENT)
        formula = f"100 − |l − w|^{{{decimal(solo_zerg.EXPONENT, 4)}}}"
        numbers = f"100 − {plain(gap)}^{{{decimal(solo_zerg.EXPONENT, 4)}}} → {plain(bonus)}"
        return [
            Line(
                _("What was at stake?"), formula, numbers, _("w is the winner’s rating, l the loser’s; never below 0.")
            ),
            Line(_("The change"), numbers=change_text(bonus if case.won else -bonus), note=_floor_note(case)),
        ]

    def settings_in_words(self, settings: Any, stored: dict[str, Any]) -> list[str]:
        first = _("The farther apart two players stand, the less their game moves, whoever wins.")
        return [first, *_field_words(settings), _no_draws()]


class R2Explainer(StudyExplainer):
    def own_lines(self, case: Case, winner: float, loser: float) -> list[Line]:
        coefficients = [
            r2.FIRST_COEFFICIENT if side.coefficient is None else side.coefficient for side in (case.own, case.other)
        ]
        of_winner, of_loser = coefficients if case.won else coefficients[::-1]
        weights = winner * of_winner, loser * of_loser
        discount = min(r2.LARGEST_DISCOUNT, abs(weights[1] - weights[0]) / r2.GAP_PER_POINT)
        bonus = r2.HIGHEST_BONUS - discount
        after = r2.r2_game(winner, loser, of_winner, of_loser, case.settings.floor)
        mine = (coefficients[0], after[2] if case.won else after[3])
        return [
            Line(
                _("How far apart were the two?"),
                _("winner × coefficient, loser × coefficient"),
                f"{plain(winner)} × {decimal(of_winner)} = {plain(weights[0])}, "
                f"{plain(loser)} × {decimal(of_loser)} = {plain(weights[1])}",
            ),
            Line(
                _("What was at stake?"),
                _("100 − the difference / 10, at least 1"),
                f"100 − {plain(discount)} = {plain(bonus)}",
            ),
            Line(
                _("The success coefficient"),
                numbers=f"{decimal(mine[0])} → {decimal(mine[1])}",
                note=_(
                    "It rises with a win and falls with a loss, between 0.79 and 1.27; what exceeds a bound moves "
                    "the rating."
                ),
            ),
            Line(
                _("The change"),
                numbers=change_text((case.own.after or 0) - (case.own.before or 0)),
                note=_floor_note(case),
            ),
        ]

    def settings_in_words(self, settings: Any, stored: dict[str, Any]) -> list[str]:
        first = _(
            "A bonus that shrinks with the gap, the gap weighed by a success coefficient everybody carries along."
        )
        return [first, *_field_words(settings), _no_draws()]


class KDExplainer(StudyExplainer):
    def own_lines(self, case: Case, winner: float, loser: float) -> list[Line]:
        stake = case.settings.stake
        at_stake = stake * (loser + stake) / (winner + stake)
        kept = (1.0 - at_stake / (kd.TOP * kd.STEPS)) ** kd.STEPS
        put_in = f"{plain(stake)} × ({plain(loser)} + {plain(stake)}) / ({plain(winner)} + {plain(stake)})"
        won = f"100 − (100 − {plain(winner)}) × {decimal(kept, 5)} = {plain(kd.TOP - (kd.TOP - winner) * kept)}"
        lost = f"{plain(loser)} × {decimal(kept, 5)} = {plain(loser * kept)}"
        rule = _("100 − (100 − winner) × kept") if case.won else _("loser × kept")
        return [
            Line(
                _("What was at stake?"),
                _("stake × (loser + stake) / (winner + stake)"),
                f"{put_in} = {plain(at_stake)}",
            ),
            Line(
                _("What is kept of the distance?"),
                "(1 − s / 100 000)^{1000}",
                f"(1 − {plain(at_stake)} / 100 000)^{{1000}} = {decimal(kept, 5)}",
                _("The winner comes nearer to 100, the loser nearer to 0."),
            ),
            Line(_("The change"), rule, won if case.won else lost),
        ]

    def settings_in_words(self, settings: Any, stored: dict[str, Any]) -> list[str]:
        first = _("A percentage: a win brings it nearer to 100, a loss nearer to 0.")
        return [first, _("A game between equals is about %(stake)s.") % {"stake": plain(settings.stake)}, _no_draws()]


def _floor_note(case: Case) -> str:
    own = case.own
    if not case.won and own.after is not None and own.after == case.settings.floor:
        return _("Nobody falls below %(floor)s.") % {"floor": plain(case.settings.floor)}
    return ""


def _no_draws() -> str:
    return _("A draw is counted and moves nobody.")


class BradleyTerryExplainer(Explainer):
    def lines(self, case: Case) -> list[Line]:
        own_way = _(
            "All games of the list are fitted at once: the ratings are those under which the results that "
            "happened are the most likely. A single game has no change of its own; one more result moves everybody "
            "a little."
        )
        lines = [Line(_("The change"), note=own_way)]
        if case.own.expected is not None:
            note = _("What the fitted strengths of the two expect of this game, a draw as half a point.")
            lines.append(Line(_("What was expected?"), numbers=f"E = {decimal(case.own.expected)}", note=note))
        if case.moved and case.moved.after is not None:
            lines.append(Line(_("The rating of the fit"), numbers=plain(case.moved.after)))
        return lines

    def settings_in_words(self, settings: Any, stored: dict[str, Any]) -> list[str]:
        return [
            _("All games of the list are fitted at once; the mean of the ratings is %(mean)s.")
            % {"mean": plain(settings.mean)},
            _("A game has no change of its own: one more result moves everybody a little."),
        ]
