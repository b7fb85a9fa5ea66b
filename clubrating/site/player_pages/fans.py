"""The fan on a player's page: where the rating may go until the year's end, by the list's latest forecast."""

from dataclasses import dataclass
from datetime import date

from django.conf import settings

from clubrating.ground.curves import NARROW, WIDE
from clubrating.ground.fans import Bounds, FanChart, fan_chart
from clubrating.web.formatting import decimals
from players.models import Player
from ratings.lists.selectors.listing import listing_of
from ratings.models import ListForecast, RatingList
from tournaments.forecasts.selectors.season import latest_line


@dataclass(frozen=True, slots=True)
class Fan:
    """What the list's latest forecast says of somebody. `rows`: the days with their bounds, written."""

    forecast: ListForecast
    looks: tuple[tuple[date, Bounds], ...]
    digits: int

    @property
    def wide(self) -> FanChart:
        return fan_chart(self.looks, WIDE)

    @property
    def narrow(self) -> FanChart:
        return fan_chart(self.looks, NARROW)

    @property
    def rows(self) -> list[tuple[date, list[str]]]:
        return [(day, [decimals(value, self.digits) for value in bounds]) for day, bounds in self.looks]

    @property
    def end(self) -> list[str]:
        """The bounds at the end, written."""
        return self.rows[-1][1]


def fan_of(rating_list: RatingList, player: Player, today: date) -> Fan | None:
    """The fan of a player's rating in a list; None where no forecast of a season still running says anything of him."""
    said = latest_line(rating_list, player) if settings.FORECASTS else None
    if said is None or said.forecast.until <= today:
        return None
    days = [date.fromisoformat(day) for day in said.forecast.looks]
    looks = [(said.forecast.made_on, [said.now] * len(said.fan[0])), *zip(days, said.fan, strict=True)]
    return Fan(said.forecast, tuple(looks), listing_of(rating_list).digits)
