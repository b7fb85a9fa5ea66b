"""What the format adviser's page says of an answer: figures, pictures, a sentence or two, and the table as a file."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.refusals import sign
from tournaments.builders.choosing import Choice, choose, doubt
from tournaments.builders.estimates import NARROW, WIDE, Measure, cloud, stroke_list
from tournaments.builders.forms import FormatForm
from tournaments.forecast.adviser import Advice, Estimate
from tournaments.forecast.formats import Format, Kind, last_evening
from tournaments.interchange.sheets import Code, Sheet
from tournaments.pairing.dutch.system import Dutch

COLUMNS = (
    *("format", "rounds", "games_a_match", "cycles", "groups", "fits", "evenings", "sittings", "last_evening"),
    *("best_wins", "best_wins_error", "tied_first", "tied_first_error", "one_sided", "one_sided_error"),
    *("games_mean", "games_fewest", "games_most", "samples"),
)


@dataclass(frozen=True, slots=True)
class Share:
    """A share in per cent and what it may be off with 95 %, in per cent; no doubt: it was computed."""

    percent: float
    doubt: float

    @property
    def off(self) -> int:
        """The doubt as it is shown: never less than it is."""
        return ceil(self.doubt - 1e-9)


@dataclass(frozen=True, slots=True)
class FormatRow:
    """What the page says of a format. `best`, `tied` and `one_sided` in per cent; `tied` is None where points do not
    decide. `last`: the day of the last evening; `make`: where an event of that format is made."""

    number: int
    name: str
    advice: Advice
    best: Share
    tied: Share | None
    one_sided: Share
    last: date | None
    make: str

    @property
    def games(self) -> str:
        """Of a player: as many as all have, or from the fewest to the most."""
        fewest, most = self.advice.fewest, self.advice.most
        return f"{most}" if fewest == most else f"{fewest}–{most}"


def answer_context(advice: Sequence[Advice], form: FormatForm) -> dict[str, Any]:
    """What the answer's part of the page shows."""
    rows = [_row(number, one, form) for number, one in enumerate(advice, start=1)]
    choice = choose(advice)
    return {
        "rows": rows,
        "counsel": counsel(choice, rows),
        **pictures_of(rows),
        "players": len(form.cleaned_data["field"]),
        "hall": form.hall,
        "is_dated": form.cleaned_data["first_evening"] is not None,
    }


def pictures_of(rows: Sequence[FormatRow]) -> dict[str, Any]:
    """The chance that the best wins, format by format (each stroke with its row), and against everybody's games."""
    measures = [
        Measure(row.best.percent / 100.0, row.best.doubt / 100.0, row.advice.games_each, row.advice.fits)
        for row in rows
    ]
    strokes = [stroke_list(measures, size[0]) for size in (WIDE, NARROW)]
    return {
        "stroke_lists": [(drawing, list(zip(drawing.rows, rows, strict=True))) for drawing in strokes],
        "clouds": [cloud(measures, size) for size in (WIDE, NARROW)],
    }


def counsel(choice: Choice, rows: Sequence[FormatRow]) -> list[str]:
    """What the figures come to, in a sentence or two; which sentences are said follows from the figures alone."""
    if not choice.fitting:
        shortest = rows[choice.shortest]
        evenings = shortest.advice.evenings
        none = ngettext(
            "None of these formats fits. The shortest takes %(evenings)s evening: %(format)s.",
            "None of these formats fits. The shortest takes %(evenings)s evenings: %(format)s.",
            evenings,
        )
        return [none % {"format": shortest.name, "evenings": evenings}]
    first = rows[choice.best[0]]
    if len(choice.fitting) == 1:
        return [_("Only one of these formats fits: %(format)s.") % {"format": first.name}]
    if len(choice.best) > 1:
        names = sign("; ").join(rows[place].name for place in choice.best)
        best = _("Among those that fit there is no difference beyond chance for the best player between: %(formats)s.")
        sentences = [best % {"formats": names}]
    else:
        best = _("Of those that fit, the best player has the best chance in this one: %(format)s (%(percent)s %%).")
        sentences = [best % {"format": first.name, "percent": round(first.best.percent)}]
    most = rows[choice.most_games] if choice.most_games is not None else first
    games = _("Most games for everybody, at least %(games)s: %(format)s.")
    return [*sentences, games % {"games": most.advice.fewest, "format": most.name}]


def format_words(form: Format) -> str:
    """What a format is called, with its settings."""
    if form.kind is Kind.ROUND_ROBIN:
        return _("Round robin: twice") if form.cycles == 2 else _("Round robin")
    if form.kind is Kind.SWISS:
        return ngettext("Swiss, %(count)s round", "Swiss, %(count)s rounds", form.rounds) % {"count": form.rounds}
    if form.kind is Kind.GROUPS:
        return _("%(count)s groups, then knockout") % {"count": form.groups}
    return _("Knockout, %(count)s games a match") % {"count": form.games} if form.games > 1 else _("Knockout")


def sheet_of(advice: Sequence[Advice], form: FormatForm) -> Sheet:
    """The answer as a table: shares from 0 to 1 with their standard errors."""
    return Sheet("formats", COLUMNS, tuple(_line(one, _last(one, form)) for one in advice))


def _line(one: Advice, last: date | None) -> tuple[Any, ...]:
    form = one.form
    is_swiss, is_knockout = form.kind is Kind.SWISS, form.kind in (Kind.KNOCKOUT, Kind.GROUPS)
    settings = (
        Code(form.kind.value),
        form.rounds if is_swiss else None,
        form.games if is_knockout else None,
        form.cycles if form.kind in (Kind.ROUND_ROBIN, Kind.GROUPS) else None,
        form.groups if form.kind is Kind.GROUPS else None,
    )
    found = (one.best_wins, one.tied_first, one.one_sided)
    shares = [round(figure, 4) for share in found for figure in (share.value, share.error)]
    fits = Code("yes" if one.fits else "no")
    games = (round(one.games_each, 3), one.fewest, one.most)
    return (*settings, fits, one.evenings, one.sittings, last, *shares, *games, one.samples)


def _row(number: int, one: Advice, form: FormatForm) -> FormatRow:
    by_points = one.form.kind in (Kind.ROUND_ROBIN, Kind.SWISS)
    # Where everybody meets everybody, games are counted and not sampled: there is no spread but of rounding.
    counted = one.one_sided
    one_sided = Share(100.0 * counted.value, 200.0 * counted.error if counted.error > 1e-9 else 0.0)
    return FormatRow(
        number,
        format_words(one.form),
        one,
        _sampled(one.best_wins, one.samples),
        _sampled(one.tied_first, one.samples) if by_points else None,
        one_sided,
        _last(one, form),
        _make(one.form, form.cleaned_data["first_evening"]),
    )


def _sampled(found: Estimate, samples: int) -> Share:
    return Share(100.0 * found.value, 100.0 * doubt(found, samples))


def _last(one: Advice, form: FormatForm) -> date | None:
    first: date | None = form.cleaned_data["first_evening"]
    return None if first is None else last_evening(first, form.cleaned_data["every"], one.evenings)


def _make(form: Format, first: date | None) -> str:
    """The form of a new event, filled in as far as it asks; games of a match and groups are settings for later."""
    robin = "twice" if form.cycles == 2 else "once"
    asked = {"play": {Kind.ROUND_ROBIN: robin, Kind.SWISS: Dutch.key}.get(form.kind, form.kind.value)}
    asked |= {"rounds": str(form.rounds)} if form.kind is Kind.SWISS else {}
    asked |= {"starts_on": f"{first:%Y-%m-%d}"} if first else {}
    return f"{reverse('admin:tournaments_tournament_add')}?{urlencode(asked)}"
