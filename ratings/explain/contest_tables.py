"""The table of the page that explains a contest: every side with its members, before and after."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from clubrating.web.formatting import css
from players.models import Player
from players.people.markup import player_link
from players.privacy.rules import Viewer
from ratings.explain.base import Explainer, change_text, decimal, plain
from ratings.explain.contests import ContestCase, MemberCase, SideCase, expected_places, in_short


@dataclass(frozen=True, slots=True)
class MemberRow:
    """One member; `expected`: the place the ratings expected of the side. `said` and `numbers`: why the rating changed,
    empty for whoever the viewer does not see the name of."""

    player: Player
    side: SideCase
    member: MemberCase
    expected: int
    said: str = ""
    numbers: str = ""


def member_rows(case: ContestCase, people: Mapping[int, Player], words: Explainer) -> list[MemberRow]:
    """Everybody in the order of the places."""
    places = expected_places([words.strength(case.settings, side) for side in case.sides])
    rows = []
    for side, expected in zip(case.sides, places, strict=True):
        for member in side.members:
            said = numbers = ""
            if member.named:
                said = in_short(case, side, expected, member.change, change_text(member.change))
                numbers = words.member_numbers(case, side, member)
            rows.append(MemberRow(people[member.key], side, member, expected, said, numbers))
    return rows


def with_deviation(rating: float, deviation: float | None) -> str:
    """A rating, with the two deviations around it where the system knows one."""
    return plain(rating) if deviation is None else f"{plain(rating)} ± {plain(2.0 * deviation)}"


class MembersTable(tables.Table):
    """Who sat where, and what the contest did to each."""

    place = tables.Column(verbose_name=_("Place"), accessor="side__place", attrs=css("num"))
    player = tables.Column(verbose_name=_("Player"))
    before = tables.Column(verbose_name=_("Before"), accessor="member__before", attrs=css("num second"))
    expected = tables.Column(verbose_name=_("Expected place"), attrs=css("num second"))
    change = tables.Column(verbose_name=_("Change"), accessor="member__change", attrs=css("num change"))
    after = tables.Column(verbose_name=_("After"), accessor="member__after", attrs=css("num rating second"))

    class Meta:
        default = "–"
        orderable = False

    def __init__(self, data: Sequence[MemberRow], *, viewer: Viewer, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.viewer = viewer

    def render_player(self, record: MemberRow) -> SafeString:
        member = record.member
        said = [_now("before %(rating)s") % {"rating": with_deviation(member.before, member.deviation)}]
        if member.expected is not None:
            said.append(_now("expected %(score)s") % {"score": decimal(member.expected)})
        if member.named and member.k is not None:
            said.append(f"K {plain(member.k)}")
        link = player_link(record.player, self.viewer)
        return format_html('{}<span class="sub">{}</span>', link, " · ".join(said))

    def render_before(self, record: MemberRow) -> str:
        return with_deviation(record.member.before, record.member.deviation)

    def render_change(self, record: MemberRow) -> str:
        return change_text(record.member.change) if record.member.named else "–"

    def render_after(self, record: MemberRow) -> str:
        member = record.member
        return with_deviation(member.after, member.deviation_after) if member.named else "–"
