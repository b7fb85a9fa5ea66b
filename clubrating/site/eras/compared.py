"""A comparison across eras as its page shows it: the sentence, both careers with their bands, and what carries it.

Whoever the viewer does not see by name is left out, and no figure about him is shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from clubrating.ground.curves import Curve
from clubrating.ground.figures import round_half_away
from clubrating.site.eras.forms import Era
from clubrating.web.formatting import day_text
from players.models import Player
from players.people.markup import name_in_text
from players.privacy.rules import Viewer, sees_name
from ratings.history.careers import DRIFT, LEARNERS
from ratings.history.proof import FOUND
from ratings.history.whole_history import YEAR, Z95
from ratings.lab_pages.charts import Drawing, has_document, result_document

CARRIERS = 6  # listed by name
MOSTLY = 0.5  # assumed: from here on the page says that games carry less than half
LONG_NAMES = 18


@dataclass(frozen=True, slots=True)
class Point:
    """A row of the table: strength on a day, give or take (95 %)."""

    on: date
    mean: float
    away: float
    is_asked: bool


@dataclass(frozen=True, slots=True)
class Career:
    era: Era
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class CarrierRow:
    """Somebody through whom so many per cent of the comparison run."""

    player: Player
    percent: int


@dataclass(frozen=True, slots=True)
class ChainLink:
    """Somebody in the chain (None: the viewer does not see the name), and his games against the one before (None where
    either of them is not shown)."""

    player: Player | None
    games: int | None


@dataclass(frozen=True)
class Compared:
    """The job's values (`answer_eras`) for the two eras asked about, as this viewer may see them."""

    values: Mapping[str, Any]
    eras: tuple[Era, Era]
    viewer: Viewer

    @property
    def is_joined(self) -> bool:
        return bool(self.values["joined"])

    @property
    def is_one_person(self) -> bool:
        return self.eras[0].player.pk == self.eras[1].player.pk

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        found = self.values["prediction"]
        words = {
            "one": self._named(self.eras[0]),
            "other": self._named(self.eras[1]),
            "score": _percent(found["score"]),
            "low": _percent(found["low"]),
            "high": _percent(found["high"]),
        }
        text = _(
            "%(one)s would be expected to score %(score)s of 100 points against %(other)s; with 95 %% certainty "
            "between %(low)s and %(high)s."
        )
        return text % words

    @property
    def verdict(self) -> str:
        """Who was stronger, as far as that can be told."""
        stronger = self.values["prediction"]["stronger"]
        ahead, chance = (self.eras[0], stronger) if stronger >= 0.5 else (self.eras[1], 1.0 - stronger)
        words = {"name": self._named(ahead), "percent": _percent(chance)}
        if chance < 0.975:
            return _("Who was stronger cannot be told for certain: it was %(name)s with %(percent)s %% chance.") % words
        return _("The stronger one was %(name)s: more than 97 %% certain.") % words

    def _named(self, era: Era) -> str:
        name = name_in_text(era.player, self.viewer)
        return _("%(name)s on %(day)s") % {"name": name, "day": day_text(era.on)}

    @property
    def carried(self) -> int:
        """Per cents of the comparison that run through games."""
        return 100 - _percent(self.values["assumed"])

    @property
    def is_mostly_assumed(self) -> bool:
        return bool(self.values["assumed"] >= MOSTLY)

    @cached_property
    def _people(self) -> Mapping[int, Player]:
        """Everybody the answer speaks of whose name the viewer sees, by key. One query."""
        keys = {key for key, _share in self.values["carriers"]} | {
            key for link in self.values["chain"] for key in link[:2]
        }
        return {key: each for key, each in Player.objects.in_bulk(keys).items() if sees_name(each, self.viewer)}

    @property
    def carriers(self) -> list[CarrierRow]:
        """The largest share first; people in a row carry the same, so shares do not add up."""
        rows = [
            CarrierRow(self._people[key], _percent(share))
            for key, share in self.values["carriers"]
            if key in self._people
        ]
        return [row for row in rows if row.percent][:CARRIERS]

    @property
    def chain(self) -> list[ChainLink]:
        """The broadest single way from the first to the second, without the first."""
        shown = self._people
        return [
            ChainLink(shown.get(other), games if one in shown and other in shown else None)
            for one, other, games in self.values["chain"]
        ]

    @cached_property
    def careers(self) -> list[Career]:
        found = []
        for era in self.eras[:1] if self.is_one_person else self.eras:
            asked = {each.on for each in self.eras if each.player.pk == era.player.pk}
            path = self.values["paths"][str(era.player.pk)]
            days = [(date.fromordinal(int(day)), mean, deviation) for day, mean, deviation in path]
            points = (Point(day, mean, Z95 * deviation, day in asked) for day, mean, deviation in days)
            found.append(Career(era, tuple(points)))
        return found

    @property
    def drawing(self) -> Drawing | None:
        """Both careers over the years, with 95 % bands; None where each is a single day."""
        curves = [
            Curve(
                name_in_text(career.era.player, self.viewer),
                look,
                [1.0 + (point.on.toordinal() - 1) / YEAR for point in career.points],
                [point.mean for point in career.points],
                [point.away for point in career.points],
            )
            for look, career in enumerate(self.careers, start=1)
        ]
        if not any(len(curve.xs) > 1 for curve in curves):
            return None
        return Drawing(curves, places=0, from_zero=False, letters=LONG_NAMES, whole=True)


def proof_figures() -> Mapping[str, int] | None:
    """In how many of 100 cases intervals held the truth on invented careers: where the model's assumptions hold, and
    where nearly all newcomers improve; None without the document."""
    if not has_document("eras"):
        return None
    lines = {row["world"]: _percent(row["held"]) for row in result_document("eras")["lines"] if row["model"] == FOUND}
    return {"held": lines[DRIFT], "learners": lines[LEARNERS]}


def _percent(share: float) -> int:
    return round_half_away(100.0 * share)
