"""A back-test as its page shows it: the sentence a member reads first, the systems in their order, the plot."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubrating.ground.figures import round_half_away
from clubrating.site.research.selectors import CLUB, COIN
from clubrating.site.research.services import PROPOSED
from clubrating.web.formatting import decimals
from players.refusals import said
from ratings.lab.backtest import CONTENDERS, ahead_of_coin, read_bins, telling_band
from ratings.lab.calibration import Bin
from ratings.lab_pages.charts import CalibrationPlot, calibration_plot

NAMES: Mapping[str, object] = {each.key: each.name for each in CONTENDERS} | {
    CLUB: gettext_lazy("The club’s rules"),
    PROPOSED: gettext_lazy("The proposed rule"),
    COIN: gettext_lazy("A coin"),
}
BETTER, WORSE, SAME, UNSHOWN = "better", "worse", "same", "unshown"
VERDICTS: Mapping[str, Promise] = {
    BETTER: gettext_lazy("predicts better"),
    WORSE: gettext_lazy("predicts worse"),
    SAME: gettext_lazy("predicts the same"),
    UNSHOWN: gettext_lazy("no difference shown"),
}


def system_name(key: str) -> str:
    """What a system of a back-test is called; of one that is no more, its key."""
    return said(NAMES[key]) if key in NAMES else key


@dataclass(frozen=True, slots=True)
class Tried:
    """One system of a back-test. `mean`, `low`, `high`: its log-loss minus that of the club's rules, and the interval
    (None with one day alone)."""

    key: str
    log_loss: float
    brier: float
    mean: float
    low: float | None
    high: float | None

    @property
    def verdict(self) -> str:
        """What the interval says: a difference is shown where it leaves 0 out."""
        if self.mean == 0.0 and not self.low and not self.high:
            return SAME
        if self.low is None or self.high is None or self.low <= 0.0 <= self.high:
            return UNSHOWN
        return BETTER if self.high < 0.0 else WORSE

    @property
    def is_own(self) -> bool:
        return self.key == CLUB


@dataclass(frozen=True, slots=True)
class BackTested:
    """A back-test that was answered, `at` that moment: the job's values (`answer_backtest`)."""

    values: Mapping[str, Any]
    at: datetime

    @property
    def systems(self) -> list[Tried]:
        """Best first."""
        found = [tried_in(self.values, key) for key in self.values["systems"]]
        return sorted(found, key=lambda each: each.log_loss)

    @property
    def own(self) -> Tried:
        return tried_in(self.values, CLUB)

    def plot(self, key: str) -> CalibrationPlot:
        """How a system's predictions came true; of the favourite or not, as they were made, from White's side. Raises
        KeyError for a system that took no part."""
        bins = self.values["systems"][key]["calibration"]
        return calibration_plot([{**each, "low": each["interval"][0], "high": each["interval"][1]} for each in bins])

    @property
    def band(self) -> Bin:
        """The favourite's games the sentence speaks of."""
        return telling_band(read_bins(self.values["systems"][CLUB]["calibration"]))

    @property
    def sentence(self) -> str:
        """All of it in one sentence."""
        band, ahead = self.band, ahead_of_coin(self.own.log_loss)
        per_cent = round_half_away(100.0 * abs(ahead))
        if not per_cent:
            text = _(
                "Where our ratings expected the favourite to score %(low)s to %(high)s %%, the favourite scored "
                "%(score)s %%; "
                "over all games they err as much as a coin."
            )
        elif ahead > 0:
            text = _(
                "Where our ratings expected the favourite to score %(low)s to %(high)s %%, the favourite scored "
                "%(score)s %%; "
                "over all games they err %(percent)s %% less than a coin."
            )
        else:
            text = _(
                "Where our ratings expected the favourite to score %(low)s to %(high)s %%, the favourite scored "
                "%(score)s %%; "
                "over all games they err %(percent)s %% more than a coin."
            )
        return text % {
            "low": round_half_away(100.0 * band.low),
            "high": round_half_away(100.0 * band.high),
            "score": decimals(100.0 * (band.score or 0.0), 0),
            "percent": per_cent,
        }

    @property
    def favourite(self) -> str:
        """Whether the favourite's score may be due to chance: whether the expected one lies within its interval."""
        band = self.band
        if band.holds:
            text = _(
                "Of these games there were %(games)s: %(expected)s %% expected, %(score)s %% scored. The expected "
                "score lies within the 95 %% interval of the real one, %(low)s to %(high)s %%: luck may be all there "
                "is to it."
            )
        else:
            text = _(
                "Of these games there were %(games)s: %(expected)s %% expected, %(score)s %% scored. The expected "
                "score lies outside the 95 %% interval of the real one, %(low)s to %(high)s %%: luck alone seldom does "
                "that."
            )
        low, high = band.interval
        return text % {
            "games": band.games,
            "expected": decimals(100.0 * (band.expected or 0.0), 1),
            "score": decimals(100.0 * (band.score or 0.0), 1),
            "low": decimals(100.0 * low, 0),
            "high": decimals(100.0 * high, 0),
        }


def tried_in(report: Mapping[str, Any], key: str) -> Tried:
    """A system of a report (`ratings.lab.backtest.report`). Raises KeyError for one that took no part."""
    values = report["systems"][key]
    return Tried(key, values["log_loss"], values["brier"], **values["difference"])
