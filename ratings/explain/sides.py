"""Why a rating changed in TrueSkill and Weng–Lin: a game of two players is two sides of one.

Both systems keep a mean μ and a deviation σ. Two sides are compared by one figure, x = gap / c: it gives v, how far the
result lies above what was expected, and W, how much it says. The explainer puts the ledger's figures into the closed
form of two sides (`two_sides`); the replay's own code is asked for nothing, so its tests compare the two.
"""

from collections.abc import Sequence
from math import exp, sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from clubrating.ground.figures import MINUS
from clubrating.web.formatting import written
from ratings.explain.base import Case, Explainer, Line, change_text, decimal, new_rating, plain, with_sign
from ratings.explain.contests import ContestCase, MemberCase, SideCase
from ratings.systems.trueskill import TrueSkill, draw_margin, truncated
from ratings.systems.weng_lin import Model, WengLin

PHI = NormalDist().cdf


class Member(NamedTuple):
    """Somebody before the contest: mean, deviation, and the share of the contest the player took part in."""

    mu: float
    sigma: float
    weight: float = 1.0


class Compared(NamedTuple):
    """Two sides of which the first is placed better (or both share a place): the gap of their sums, the spread `c` of
    what was compared, the score expected of the first, and v and W of the result."""

    gap: float
    c: float
    expected: float
    v: float
    w: float


class SidesExplainer(Explainer):
    """What TrueSkill and Weng–Lin share. Their own: how sides are compared and how a deviation falls."""

    c_formula = ""

    def compare(self, settings: Any, better: Sequence[Member], worse: Sequence[Member], tied: bool) -> Compared:
        """Two sides before the contest, and its result."""
        raise NotImplementedError

    def moved(
        self, settings: Any, member: Member, side: Sequence[Member], compared: Compared, *, is_better: bool
    ) -> tuple[float, float]:
        """The member's change and deviation afterwards."""
        raise NotImplementedError

    def change_in_numbers(self, settings: Any, member: Member, compared: Compared, *, is_better: bool) -> str:
        """The change in μ, with the numbers put in."""
        variance = member.sigma * member.sigma + settings.tau * settings.tau
        share = f"{plain(member.weight)} × " if member.weight != 1.0 else ""
        change = (1.0 if is_better else -1.0) * member.weight * variance / compared.c * compared.v
        sign = "" if is_better else MINUS
        put_in = f"{sign}{share}{plain(variance)} / {plain(compared.c)} × {decimal(compared.v)}"
        return f"{put_in} = {change_text(change)}"

    # --- contests ------------------------------------------------------------------------------------------------
    def strength(self, settings: Any, side: SideCase) -> float:
        return sum(member.mu * member.weight for member in self._members(settings, side))

    def contest_lines(self, case: ContestCase) -> list[Line]:
        lines = [self.strengths_line(case, _("the sum of the members’ μ"))]
        if len(case.sides) > 2:
            return [*lines, Line(_("How were they compared?"), note=self.many_in_words(case.settings))]
        better, worse = (self._members(case.settings, side) for side in case.sides)
        tied = case.shares_place(case.sides[0])
        return [*lines, *self.comparison(case.settings, self.compare(case.settings, better, worse, tied), tied)]

    def many_in_words(self, settings: Any) -> str:
        """How three sides and more are compared."""
        raise NotImplementedError

    def member_numbers(self, case: ContestCase, side: SideCase, member: MemberCase) -> str:
        if len(case.sides) > 2:
            return self.many_in_numbers(case, side, member)
        better, worse = (self._members(case.settings, each) for each in case.sides)
        compared = self.compare(case.settings, better, worse, case.shares_place(side))
        own = self._members(case.settings, side)[side.members.index(member)]
        return self.change_in_numbers(case.settings, own, compared, is_better=side is case.sides[0])

    def many_in_numbers(self, case: ContestCase, side: SideCase, member: MemberCase) -> str:
        """The same among three sides and more; empty where it is no sum to be written down."""
        return ""

    def _members(self, settings: Any, side: SideCase) -> list[Member]:
        return [self._before(settings, each.before, each.deviation, each.weight) for each in side.members]

    def _before(self, settings: Any, rating: float | None, deviation: float | None, weight: float = 1.0) -> Member:
        return Member(rating or 0.0, settings.sigma if deviation is None else deviation, weight)

    # --- games ---------------------------------------------------------------------------------------------------
    def lines(self, case: Case) -> list[Line]:
        if case.own.before is None or case.other.before is None:
            return super().lines(case)
        own, other = (self._before(case.settings, side.before, side.deviation) for side in (case.own, case.other))
        is_better, tied = case.score >= 0.5, case.score == 0.5
        better, worse = ([own], [other]) if is_better else ([other], [own])
        compared = self.compare(case.settings, better, worse, tied)
        lines = self.comparison(case.settings, compared, tied)
        note = _("The less is known of a player (the larger σ), the farther the result moves the rating.")
        numbers = self.change_in_numbers(case.settings, own, compared, is_better=is_better)
        lines.append(Line(_("The change"), "± (σ^{2} + τ^{2}) / c × v", numbers, note))
        after = self.moved(case.settings, own, [own], compared, is_better=is_better)[1]
        return [*lines, *new_rating(case), self._deviation(own, after), self._listed(case, after)]

    def comparison(self, settings: Any, compared: Compared, tied: bool) -> list[Line]:
        """What was expected of two sides, and how far the result lies from it."""
        surprise = _("The result of the side placed better; of two that share a place, of the one named first.")
        return [
            Line(
                _("What was expected?"),
                numbers=f"E = {decimal(compared.expected)}",
                note=_("The score expected of the side that came out ahead, a draw as half a point."),
            ),
            Line(
                _("How unsure was the comparison?"),
                self.c_formula,
                f"c = {plain(compared.c)}",
                _("The spread of the difference: what is not known of everybody, and the luck of one contest."),
            ),
            Line(
                _("How surprising was the result?"),
                _("x = gap / c, from it v and W"),
                f"x = {plain(compared.gap)} / {plain(compared.c)} = {decimal(compared.gap / compared.c)},"
                f" v = {decimal(compared.v)}, W = {decimal(compared.w)}",
                surprise if tied else _("v is small where the favourite won, and large where not."),
            ),
        ]

    def _deviation(self, member: Member, after: float) -> Line:
        numbers = f"σ {plain(member.sigma)} → {plain(after)}"
        note = _("The true strength lies within two σ of the rating, 19 times in 20.")
        return Line(_("How sure is it now?"), numbers=numbers, note=note)

    def _listed(self, case: Case, after: float) -> Line:
        rating = case.own.after or 0.0
        numbers = f"{plain(rating)} − 3 × {plain(after)} = {plain(rating - 3.0 * after)}"
        note = _("Nobody stands high of whom little is known.")
        return Line(_("What the list shows"), "μ − 3σ", numbers, note)


class TrueSkillExplainer(SidesExplainer):
    """The closed form of two sides, docs/algorithms/trueskill.md."""

    c_formula = "c^{2} = Σ (σ^{2} + τ^{2} + β^{2})"

    def many_in_words(self, settings: TrueSkill) -> str:
        return _(
            "Each side with the next one in the order of the places, up and down until no figure moves any more: "
            "whoever left stronger ones behind rises, and the result of one pair tells something of all others."
        )

    def compare(self, settings: TrueSkill, better: Sequence[Member], worse: Sequence[Member], tied: bool) -> Compared:
        noise = settings.tau * settings.tau + settings.beta * settings.beta
        c = sqrt(sum(m.weight * m.weight * (m.sigma * m.sigma + noise) for m in (*better, *worse)))
        gap = sum(m.weight * m.mu for m in better) - sum(m.weight * m.mu for m in worse)
        margin = draw_margin(settings, len(better) + len(worse))
        win, loss = PHI((gap - margin) / c), PHI((-gap - margin) / c)
        return Compared(gap, c, win + (1.0 - win - loss) / 2.0, *truncated(gap / c, margin / c, tied))

    def moved(
        self, settings: TrueSkill, member: Member, side: Sequence[Member], compared: Compared, *, is_better: bool
    ) -> tuple[float, float]:
        variance = member.sigma * member.sigma + settings.tau * settings.tau
        change = (1.0 if is_better else -1.0) * member.weight * variance / compared.c * compared.v
        cut = member.weight * member.weight * variance / (compared.c * compared.c) * compared.w
        return change, sqrt(variance * (1.0 - cut))

    def settings_in_words(self, settings: TrueSkill, stored: dict[str, Any]) -> list[str]:
        figures = {"mu": plain(settings.mu), "sigma": plain(settings.sigma), "beta": plain(settings.beta)}
        draws = written(f"{100 * settings.draw_probability:g}")
        return [
            _("A newcomer has the mean μ = %(mu)s and the deviation σ = %(sigma)s.") % figures,
            _("Whoever is β = %(beta)s stronger wins about 76 of 100.") % figures,
            _("σ grows by τ = %(tau)s with each contest.") % {"tau": written(f"{settings.tau:.4g}")},
            _("Of two equal ones %(draws)s in 100 end in a draw.") % {"draws": draws},
            _listed_words(),
        ]


MODELS = {
    Model.BT_FULL: "Bradley–Terry",
    Model.BT_PART: "Bradley–Terry",
    Model.TM_FULL: "Thurstone–Mosteller",
    Model.TM_PART: "Thurstone–Mosteller",
    Model.PL: "Plackett–Luce",
}


class WengLinExplainer(SidesExplainer):
    """The closed forms of two sides, docs/algorithms/weng-lin.md: for two sides Plackett–Luce is Bradley–Terry, and a
    partial model is the full one but for the doubled c of Thurstone–Mosteller."""

    c_formula = "c^{2} = Σ (σ^{2} + τ^{2}) + 2β^{2}"

    def _before(self, settings: WengLin, rating: float | None, deviation: float | None, weight: float = 1.0) -> Member:
        """Everybody counts as having played all of it."""
        return super()._before(settings, rating, deviation)

    def many_in_words(self, settings: WengLin) -> str:
        if settings.model == Model.PL:
            return _("The places are drawn one after the other, each among those still there: strong sides come early.")
        if settings.model in (Model.BT_PART, Model.TM_PART):
            return _("Each side with those up to four places away as in a game of two; the mean of these counts.")
        return _("Each side with every other one as in a game of two; all of these are added.")

    def many_in_numbers(self, case: ContestCase, side: SideCase, member: MemberCase) -> str:
        """The sum over the other sides, of the models that compare every two of them."""
        settings = case.settings
        if settings.model not in (Model.BT_FULL, Model.TM_FULL):
            return ""
        here, own = case.sides.index(side), self._members(settings, side)
        parts, pull = [], 0.0
        for place, other in enumerate(case.sides):
            if place == here:
                continue
            is_better, members = here < place, self._members(settings, other)
            pair = (own, members) if is_better else (members, own)
            compared = self.compare(settings, *pair, side.place == other.place)
            gain = compared.v if is_better else -compared.v
            pull += gain / compared.c
            parts.append(f"{with_sign(gain)} / {plain(compared.c)}")
        sigma = own[side.members.index(member)].sigma
        variance = sigma * sigma + settings.tau * settings.tau
        return f"{plain(variance)} × ({' '.join(parts).removeprefix('+ ')}) = {change_text(variance * pull)}"

    def compare(self, settings: WengLin, better: Sequence[Member], worse: Sequence[Member], tied: bool) -> Compared:
        growth = settings.tau * settings.tau
        variance = sum(m.sigma * m.sigma + growth for m in (*better, *worse)) + 2.0 * settings.beta * settings.beta
        c = sqrt(variance) * (2.0 if settings.model == Model.TM_PART else 1.0)
        gap = sum(m.mu for m in better) - sum(m.mu for m in worse)
        x = gap / c
        if settings.model in (Model.TM_FULL, Model.TM_PART):
            return Compared(gap, c, PHI(gap / sqrt(variance)), *truncated(x, settings.epsilon / c, tied))
        upset = exp(-abs(x)) / (1.0 + exp(-abs(x)))
        missed = upset if x >= 0.0 else 1.0 - upset
        return Compared(gap, c, 1.0 - missed, missed - 0.5 if tied else missed, upset * (1.0 - upset))

    def moved(
        self, settings: WengLin, member: Member, side: Sequence[Member], compared: Compared, *, is_better: bool
    ) -> tuple[float, float]:
        growth = settings.tau * settings.tau
        variance = member.sigma * member.sigma + growth
        spread = sqrt(sum(m.sigma * m.sigma + growth for m in side))
        change = (1.0 if is_better else -1.0) * variance / compared.c * compared.v
        left = max(1.0 - variance * spread * compared.w / compared.c**3, settings.kappa)
        return change, sqrt(variance * left)

    def settings_in_words(self, settings: WengLin, stored: dict[str, Any]) -> list[str]:
        figures = {"mu": plain(settings.mu), "sigma": plain(settings.sigma), "model": MODELS[settings.model]}
        near = settings.model in (Model.BT_PART, Model.TM_PART)
        compared = _("Every side is compared with those up to four places away (model of %(model)s).")
        return [
            _("A newcomer has the mean μ = %(mu)s and the deviation σ = %(sigma)s.") % figures,
            (compared if near else _("Every side is compared with every other (model of %(model)s).")) % figures,
            _("σ grows by τ = %(tau)s with each contest.") % {"tau": written(f"{settings.tau:.4g}")},
            _listed_words(),
        ]


def _listed_words() -> str:
    return _("The list shows μ − 3σ, so that nobody stands high of whom little is known.")
