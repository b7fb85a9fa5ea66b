"""Who sits with whom: seating for an evening of tables, or of doubles with new partners each round. Nothing is stored:
a table is entered when it has been played, and counts for the next seating. Of doubles only those of today count: what
matters of an evening is that nobody sits out or plays together twice."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from players.models import Player
from players.people.names import MAX_NAME, clean_name
from players.refusals import Refused, first_of, said, sign
from ratings.lists.selectors.chances import SaidChances, chances_at
from tournaments.contests.admin.tables import BETWEEN
from tournaments.contests.selectors import seatings_of
from tournaments.entries.services.names import look_up_alike, nobody
from tournaments.events.admin.event_page import open_event_for, page
from tournaments.models import Tournament
from tournaments.pairing.doubles import MOST as MOST_OF_DOUBLES
from tournaments.pairing.doubles import doubles_quality, next_round, whist
from tournaments.pairing.tables import FEWEST, MOST, MOST_PLAYERS, seat_series, seating_quality

DOUBLES = "doubles"
MOST_ROUNDS = 12
MOST_SAID = 5


class SeatingForm(forms.Form):
    """Who is there, and how they sit."""

    names = forms.CharField(
        label=gettext_lazy("Who is there"),
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text=gettext_lazy("One per line, as they stand in the list of players; #17 for player number 17."),
    )
    size = forms.ChoiceField(label=gettext_lazy("How they sit"))
    rounds = forms.IntegerField(label=gettext_lazy("Rounds"), min_value=1, max_value=MOST_ROUNDS, initial=1)
    seed = forms.IntegerField(
        label=gettext_lazy("Random seed"),
        min_value=0,
        max_value=999_999_999,
        initial=1,
        help_text=gettext_lazy("The same seed and people give the same seating."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sizes = [(str(size), _("tables of %(size)s") % {"size": size}) for size in range(FEWEST, MOST + 1)]
        self.fields["size"].choices = [*sizes, (DOUBLES, _("doubles, new partners each round"))]  # type: ignore[attr-defined]
        self.fields["size"].initial = "4"


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """A table: its sides, the address at which its result is entered, and each side's chance of first place where a
    list knows it."""

    sides: tuple[tuple[Player, ...], ...]
    enter: str
    chances: SaidChances | None = None

    @property
    def lines(self) -> list[tuple[tuple[Player, ...], int | None]]:
        """Each side with its chance."""
        return list(zip(self.sides, self.chances.sides if self.chances else [None] * len(self.sides), strict=True))


@dataclass(frozen=True, slots=True)
class SeatedRound:
    """A round's tables, and who sits it out."""

    number: int
    tables: tuple[SeatedTable, ...]
    out: tuple[Player, ...]


def seating(model_admin: ModelAdmin, request: HttpRequest, key: int) -> HttpResponse:
    """The form, and the seating it asks for; as cards to be filled in at the tables where these are asked for."""
    event = open_event_for(model_admin, request, key)
    form = SeatingForm(request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {"title": _("Seating"), "form": form}
    status = 200
    if form.is_bound and form.is_valid():
        try:
            context |= _seated(event, form.cleaned_data)
        except (Refused, ValueError) as refusal:
            context["problem"], status = said(refusal), 409
    if "rounds" in context and "cards" in request.POST:
        return page(model_admin, request, "seating_cards", event, day=timezone.localdate(), **context)
    return page(model_admin, request, "seating", event, status=status, **context)


def _seated(event: Tournament, asked: dict[str, Any]) -> dict[str, Any]:
    """Raises Refused or ValueError with a sentence."""
    people = _people(asked["names"])
    keys, count = list(people), asked["rounds"]
    tables, doubles = seatings_of(event, timezone.localdate())
    if asked["size"] == DOUBLES:
        if len(keys) > MOST_OF_DOUBLES:
            raise Refused(_("Doubles take at most %(most)s players.") % {"most": MOST_OF_DOUBLES})
        drawn = _doubles(keys, doubles, count, asked["seed"])
        quality = doubles_quality(keys, [*doubles, *drawn])
        again = sum(quality.partners[2:])
        sides: Any = [[(four[:2], four[2:]) for four in seated] for seated in drawn]
    else:
        if len(keys) > MOST_PLAYERS:
            raise Refused(_("At most %(most)s players are seated.") % {"most": MOST_PLAYERS})
        seated_rounds = seat_series(keys, int(asked["size"]), count, tables, seed=asked["seed"])
        again = sum(seating_quality(seated_rounds).meetings[2:])
        sides = [[tuple((one,) for one in table) for table in seated] for seated in seated_rounds]
    rounds = [_round(event, number, seated, people) for number, seated in enumerate(sides, start=1)]
    found = chances_at(event.pool, [each.sides for row in rounds for each in row.tables], timezone.localdate())
    if found.rating_list is not None:
        said = iter(found.tables)
        rounds = [
            replace(row, tables=tuple(replace(each, chances=next(said)) for each in row.tables)) for row in rounds
        ]
    return {
        "rounds": rounds,
        "again": _again(again, doubles=asked["size"] == DOUBLES),
        "rating_list": found.rating_list,
        "ties": found.knows_ties,
    }


def _people(text: str) -> dict[int, Player]:
    """Those who are there, by key, in the order given. Raises Refused."""
    names = [name for line in text.splitlines() if (name := clean_name(line[: MAX_NAME + 1]))]
    found = look_up_alike(names)
    wrong = [found.problems.get(name) or nobody(name) for name in dict.fromkeys(names) if name not in found.found]
    if wrong:
        raise Refused(sign("; ").join(first_of(wrong, MOST_SAID)))
    people = {found.found[name].pk: found.found[name] for name in names}
    if len(people) < len(names):
        raise Refused(_("Somebody stands in the list twice: remove one of the lines."))
    return people


def _doubles(
    keys: Sequence[int], played: Sequence[tuple[tuple[int, int, int, int], ...]], rounds: int, seed: int
) -> list[tuple[tuple[int, int, int, int], ...]]:
    """A whole schedule where nothing was played yet and it is long enough, else round by round."""
    if rounds > 1 and not played and len(keys) % 4 < 2:
        planned = whist(len(keys))[:rounds]
        if len(planned) == rounds:
            return [tuple((keys[a], keys[b], keys[c], keys[d]) for a, b, c, d in seated) for seated in planned]
    drawn: list[tuple[tuple[int, int, int, int], ...]] = []
    for number in range(rounds):
        drawn.append(next_round(keys, [*played, *drawn], seed=seed + number))
    return drawn


def _round(
    event: Tournament, number: int, seated: Sequence[Sequence[Sequence[int]]], people: dict[int, Player]
) -> SeatedRound:
    address = reverse("admin:tournaments_tournament_tables", args=[event.pk])
    tables, sitting = [], set[int]()
    for table in seated:
        sides = tuple(tuple(people[key] for key in side) for side in table)
        typed = {
            f"side-{line}": f" {BETWEEN} ".join(f"#{player.number}" for player in side)
            for line, side in enumerate(sides, start=1)
        }
        tables.append(SeatedTable(sides, f"{address}?{urlencode(typed)}"))
        sitting.update(key for side in table for key in side)
    return SeatedRound(number, tuple(tables), tuple(who for key, who in people.items() if key not in sitting))


def _again(pairs: int, *, doubles: bool) -> str:
    if doubles:
        if not pairs:
            return _("Nobody has the same partner twice.")
        text = ngettext("%(count)s pair are partners again.", "%(count)s pairs are partners again.", pairs)
    else:
        if not pairs:
            return _("Nobody meets anybody twice in these rounds.")
        text = ngettext("%(count)s pair meets again.", "%(count)s pairs meet again.", pairs)
    return text % {"count": pairs}
