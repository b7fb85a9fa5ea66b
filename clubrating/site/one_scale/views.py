"""`/tools/one-scale/`: clubs' lists on one scale, from files that are read, answered and forgotten. No database."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from clubrating.ground.figures import round_half_away, signed
from clubrating.site.one_scale.combined import Combined, Row, Shift, as_csv, as_json, combine, digest_of
from clubrating.site.one_scale.forms import OneScaleForm
from clubrating.site.one_scale.inputs import Most, UnusableInputError, read_inputs
from players.refusals import listed, said
from ratings.history.whole_history import Z95

MOST = Most(members=200, games=2_000, bridges=200)  # one to two seconds of work


@dataclass(frozen=True, slots=True)
class ClubRow:
    """A shift, and what it says in words."""

    shift: Shift

    @property
    def away(self) -> float:
        return Z95 * self.shift.deviation

    @property
    def assumed(self) -> int:
        """Per cent."""
        return round_half_away(100.0 * self.shift.assumed)

    @property
    def sentence(self) -> str:
        row = self.shift
        words = _(
            "Add %(shift)s to every rating of club %(club)s: then they are on club A’s scale. With 95 %% the figure "
            "lies between %(low)s and %(high)s."
        )
        return words % {
            "shift": signed(row.shift),
            "club": row.club,
            "low": signed(row.low),
            "high": signed(row.high),
        }

    @property
    def warning(self) -> str:
        return said(self.shift.warning)


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A line of the combined list."""

    row: Row

    @property
    def own(self) -> list[float]:
        return [float(figure) for figure in self.row.rating.split()]


def one_scale(request: HttpRequest) -> HttpResponse:
    """The form; for good files the answer above it."""
    context: dict[str, object] = {"most": MOST}
    form = OneScaleForm(request.POST, request.FILES) if request.method == "POST" else OneScaleForm()
    if form.is_valid():
        try:
            combined = combine(read_inputs(form.read(), today=timezone.localdate(), most=MOST))
        except UnusableInputError as refusal:
            form.refuse(refusal)
        else:
            context |= _answer(combined)
    return render(request, "tools/one_scale.html", {"form": form, **context})


def _answer(combined: Combined) -> dict[str, object]:
    return {
        "found": combined,
        "on": date.fromisoformat(combined.on),
        "clubs": [ClubRow(shift) for shift in combined.shifts[1:]],
        "members": [MemberRow(row) for row in combined.rows],
        "next_games": [(game, Z95 * game.now, Z95 * game.after) for game in combined.next_games],
        "unchecked": listed(combined.made_from["not_checked"]),
        "unused": combined.made_from["shared_without_place"],
        "digest": digest_of(as_csv(combined)),
        "files": list(_files(combined)),
    }


def _files(combined: Combined) -> Iterator[tuple[str, str]]:
    """Name and address of each file; the address holds the file itself, so nothing is asked of the server for it."""
    written = (("csv", "text/csv", as_csv(combined)), ("json", "application/json", as_json(combined)))
    for kind, media_type, text in written:
        yield f"one-scale-{combined.on}.{kind}", f"data:{media_type};charset=utf-8,{quote(text)}"
