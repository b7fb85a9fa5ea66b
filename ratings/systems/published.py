"""What a published list is computed from, as plain values, and the digest that seals it (pure).

The settings of a list travel with it: its dated rules, the probation, the starting ratings, and which events were still
running that day. With them and the games anybody can compute the list again. Every value is described in
docs/published-lists.md; the digest is the SHA-256 of that page's section "The digest".

Players are named by their number. Not here: games, names, years of birth.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from itertools import pairwise
from typing import Any, NamedTuple

from clubrating.ground.marks import marked, sentence
from ratings.systems import rating_system
from ratings.systems.base import Start
from ratings.systems.probation import Probation
from ratings.systems.replay import DatedRule, DatedRules, Reentry


class SealedRow(NamedTuple):
    """What of a row the digest seals."""

    number: int
    rating: float
    games: int
    provisional: bool

    @property
    def figure(self) -> str:
        """The rating as it is published: four decimals."""
        return f"{self.rating:.4f}"


@dataclass(frozen=True, slots=True)
class Terms:
    """What a list is computed from besides the games. `rules` are (valid from, system, settings) as stored; `starts`
    name players by number; `running` are the addresses of the events that were not over on the day `on`."""

    rating_list: str
    pool: str
    on: date
    rules: tuple[tuple[date, str, Mapping[str, Any]], ...]
    probation: Probation
    reentry: Reentry | None = None
    starts: tuple[Start, ...] = ()
    running: tuple[str, ...] = ()

    def dated_rules(self) -> DatedRules:
        """The rules, ready to rate with. Raises ValueError for a system or a setting nobody knows."""
        rules = []
        for valid_from, key, settings in self.rules:
            try:
                system = rating_system(key)
            except KeyError:
                raise ValueError(sentence("there is no rating system “%(key)s”", key=key)) from None
            rules.append(DatedRule(valid_from, system, system.read_settings(settings)))
        return DatedRules(rules)


def plain_terms(terms: Terms) -> dict[str, Any]:
    """The terms as values JSON knows. The deviations of a probation by evidence stand there where it has them."""
    told = {"provisional_deviations": list(terms.probation.deviations)} if terms.probation.deviations else {}
    return {
        "list": terms.rating_list,
        "pool": terms.pool,
        "on": terms.on.isoformat(),
        "rules": [
            {"valid_from": day.isoformat(), "system": system, "settings": dict(settings)}
            for day, system, settings in terms.rules
        ],
        "provisional_games": terms.probation.games,
        **told,
        "reentry": {"days": terms.reentry.days, "games": terms.reentry.games} if terms.reentry else None,
        "starting_ratings": [_plain_start(start) for start in terms.starts],
        "running_events": list(terms.running),
    }


def _plain_start(start: Start) -> dict[str, Any]:
    values = {"games": start.games, "peak": start.peak, "deviation": start.deviation}
    known = {name: value for name, value in values.items() if value is not None}
    return {"number": start.player, "on": start.on.isoformat(), "rating": start.rating, **known}


def read_terms(plain: Any) -> Terms:
    """The terms behind plain values. Raises ValueError where they are none."""
    try:
        reentry = plain["reentry"]
        return Terms(
            rating_list=str(plain["list"]),
            pool=str(plain["pool"]),
            on=date.fromisoformat(plain["on"]),
            rules=tuple(
                (date.fromisoformat(rule["valid_from"]), str(rule["system"]), dict(rule["settings"]))
                for rule in plain["rules"]
            ),
            probation=_read_probation(plain),
            reentry=Reentry(int(reentry["days"]), int(reentry["games"])) if reentry else None,
            starts=tuple(_read_start(start) for start in plain["starting_ratings"]),
            running=tuple(str(slug) for slug in plain["running_events"]),
        )
    except KeyError as missing:
        raise ValueError(sentence("the settings lack %(name)s", name=str(missing))) from None
    except (TypeError, AttributeError, OverflowError):
        raise ValueError(marked("the settings have another shape than docs/published-lists.md says")) from None


def _read_probation(plain: Mapping[str, Any]) -> Probation:
    deviations = tuple(float(each) for each in plain.get("provisional_deviations", ()))
    if any(not low <= high for high, low in pairwise(deviations)):  # equal ones: further games told nothing more
        raise ValueError("the deviations that end the probation rise")
    return Probation(int(plain["provisional_games"]), deviations)


def _read_start(plain: Mapping[str, Any]) -> Start:
    return Start(
        int(plain["number"]),
        date.fromisoformat(plain["on"]),
        float(plain["rating"]),
        None if plain.get("games") is None else int(plain["games"]),
        _optional(plain.get("peak")),
        _optional(plain.get("deviation")),
    )


def _optional(value: Any) -> float | None:
    return None if value is None else float(value)


def canonical(plain: Mapping[str, Any]) -> str:
    """Plain values as one line of JSON that is always the same: names sorted, no blanks, letters as they are."""
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def list_digest(rows: Iterable[SealedRow], settings: Mapping[str, Any]) -> str:
    """SHA-256 (hex) over a line for each row in the order of numbers, and the settings as the last line."""
    ordered = sorted(rows, key=lambda row: row.number)
    lines = [f"{row.number};{row.figure};{row.games};{int(row.provisional)}" for row in ordered]
    return sha256("\n".join([*lines, canonical(settings)]).encode()).hexdigest()
